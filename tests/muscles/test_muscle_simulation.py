"""Models that muscles drive: activation, fibres and bodies together, work and energy, excitations, failures."""

import os
import subprocess
import sys
from math import exp, hypot, log

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.errors import BadShape, BadValue, NotSupported
from condyle.simulation.events import StoppedWarning
from support.muscle_models import limb


@pytest.fixture(scope="module")
def model():
    return limb()


START, SPEED = [0.2, 0.4], [0.5, -1.0]


def pulled(model, rows):
    """Accelerations of some states by `forces` and `cd.forward_dynamics`, and in one pass."""
    rng = np.random.default_rng(3)
    q, v = np.array(START) + 0.1 * rng.standard_normal((5, 2)), rng.standard_normal((5, 2))
    tau, wrenches = rng.standard_normal((5, 2)), rng.standard_normal((5, 2, 6))
    q, v, tau, wrenches = q[rows], v[rows], tau[rows], wrenches[rows]
    pull = cd.muscles.forces(model, q, v, 0.3)
    yield cd.forward_dynamics(model.without_muscles(), q, v, pull.generalized_force + tau, wrenches)
    yield cd.muscles.forward_dynamics(model, q, v, 0.3, tau=tau, wrenches=wrenches)
    fibers = np.where(pull.fiber_length > 0, 1.01 * pull.fiber_length, 1.0)
    pull = cd.muscles.forces(model, q, v, 0.3, fiber_length=fibers)
    yield cd.forward_dynamics(model.without_muscles(), q, v, pull.generalized_force)
    yield cd.muscles.forward_dynamics(model, q, v, 0.3, fiber_length=fibers)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [2, slice(None)], ids=["alone", "in lanes"])
def test_accelerations_under_muscles_are_those_under_their_generalised_forces(model, rows):
    """Oracle: `forces` by moment arms, then `cd.forward_dynamics`; in equilibrium and at given fibre lengths."""
    resting, found_resting, moving, found_moving = pulled(model, rows)
    np.testing.assert_allclose(found_resting, resting, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found_moving, moving, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["rk4", "adaptive"])
def test_the_work_of_muscles_is_the_change_of_energy(model, integrator):
    """Oracle: the principle of work and energy; integrated power against kinetic and potential energy."""
    run = cd.muscles.simulate(model, START, SPEED, excitations=[0.4, 0.3, 0.3, 0.2, 0, 0], duration=0.2, step=5e-4,
                              integrator=integrator, record=0.02)  # fmt: skip
    total = run.energy().total
    assert np.abs(run.work[-1, :5]).min() > 1e-3
    assert run.work[-1, 5] == 0.0
    np.testing.assert_allclose(run.work.sum(axis=-1), total - total[0], atol=2e-6)


@pytest.mark.slow
def test_halving_the_step_divides_the_error_of_rk4_by_sixteen():
    """Oracle: the order of the method, on a muscle whose path and law are smooth."""
    model = block(thelen={"tendon_slack_length": 0.2})
    start = {"q": [0.31], "v": [0.1], "excitations": 0.6, "activation": 0.3, "fiber_length": 0.1, "duration": 0.05}
    exact = cd.muscles.simulate(model, **start, integrator="adaptive", tolerance=1e-12, step=0.05).fiber_length[-1, 0]
    errors = [abs(cd.muscles.simulate(model, **start, step=h).fiber_length[-1, 0] - exact) for h in (1e-3, 5e-4)]
    assert 10 < errors[0] / errors[1] < 30


def block(mass=2.0, **muscles):
    """A block on a slider without gravity: the coordinate is the length of every path."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(mass))
    for law, constants in muscles.items():
        b.add_muscle(law, [(None, (0, 0, 0)), ("block", (0, 0, 0))], law, **constants)
    return b.build()


@pytest.mark.slow
def test_activation_rises_and_falls_as_its_closed_form_says():
    """Oracle: the time at which an activation is reached, τ(2 ln((1−a₀)/(1−a)) − 1.5 (a − a₀)) when rising to 1, and
    by partial fractions when falling to 0.2."""
    model = block(thelen={})
    up = cd.muscles.simulate(model, [0.3], excitations=1.0, activation=0.1, duration=0.03, integrator="adaptive",
                             tolerance=1e-11)  # fmt: skip
    a = up.activation[1:, 0]
    np.testing.assert_allclose(0.015 * (2 * np.log(0.9 / (1 - a)) - 1.5 * (a - 0.1)), up.t[1:], atol=1e-9)
    down = cd.muscles.simulate(model, [0.3], excitations=0.2, activation=0.9, duration=0.05, integrator="adaptive",
                               tolerance=1e-11)  # fmt: skip
    a = down.activation[1:, 0]
    p = 0.5 + 1.5 * 0.2  # −da/dt = (a − u)(0.5 + 1.5 a)/τ
    time = 0.05 / p * (log(0.7 / (0.5 + 1.5 * 0.9)) - np.log((a - 0.2) / (0.5 + 1.5 * a)))
    np.testing.assert_allclose(time, down.t[1:], atol=1e-9)


def thelen_rates(mass, u):
    """The block on a Thelen muscle of 1000 N, fibre 0.1 m, tendon 0.2 m, written from the paper's formulae."""
    e3 = exp(3.0)
    toe = 99 * 0.04 * e3 / (166 * e3 - 67)

    def rates(_, y):
        x, v, a, fiber, _ = y
        strain, stretch = (x - fiber) / 0.2 - 1, fiber / 0.1
        tendon = 0.0 if strain < 0 else 0.33 * (exp(3 * strain / toe) - 1) / (e3 - 1)
        if strain > toe:
            tendon = 0.33 + 0.67 / (0.04 - toe) * (strain - toe)
        active = a * exp(-((stretch - 1) ** 2) / 0.45)
        passive = 0.0 if stretch < 1 else (exp(5 * (stretch - 1) / 0.6) - 1) / (exp(5) - 1)
        f, k, B = tendon - passive, 0.25 + 0.75 * a, 10 / 0.4
        if f <= active:
            w = k * (f - active) / (active + f / 0.25)
        else:
            w = k * (f - active) / (B * (1.4 * active - f))
        y = 0.5 + 1.5 * a
        da = (u - a) / (0.015 * y) if u > a else (u - a) * y / 0.05
        return [v, -1000 * tendon / mass, da, 10 * 0.1 * w, -1000 * tendon * v]

    return rates


@pytest.mark.slow
def test_a_block_on_an_elastic_muscle_moves_as_an_independent_integration_says():
    """Oracle: scipy's solve_ivp on the formulae of the law, the tendon, the activation and Newton's."""
    start = [0.303, 0.02, 0.5, 0.1, 0.0]
    expected = solve_ivp(thelen_rates(20.0, 0.8), (0, 0.05), start, "LSODA", rtol=1e-10, atol=1e-11).y[:, -1]
    run = cd.muscles.simulate(block(thelen={}, mass=20.0), [0.303], [0.02], excitations=0.8, activation=0.5,
                              fiber_length=0.1, duration=0.05, integrator="adaptive", tolerance=1e-11)  # fmt: skip
    found = [run.q[-1, 0], run.v[-1, 0], run.activation[-1, 0], run.fiber_length[-1, 0], run.work[-1, 0]]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.slow
def test_excitations_mean_the_same_as_numbers_rows_and_functions(model):
    """Oracle: one and the same excitation, written three ways."""
    u = np.array([0.4, 0.3, 0.3, 0.2, 0.0, 0.0])
    options = {"activation": 0.2, "duration": 0.02}
    plain = cd.muscles.simulate(model, START, SPEED, excitations=u, **options)
    rows = cd.muscles.simulate(model, START, SPEED, excitations=np.tile(u, (20, 1)), **options)
    function = cd.muscles.simulate(model, START, SPEED, excitations=lambda t, q, v: u, **options)
    for other in (rows, function):
        np.testing.assert_allclose(other.q, plain.q, rtol=1e-13)
        np.testing.assert_allclose(other.excitation, plain.excitation)
    assert plain.activation[-1, 3] == 0.2  # without dynamics it is the excitation
    assert plain.activation[-1, 4] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["rk4", "adaptive", "semi-implicit", "euler"])
def test_members_of_a_batch_move_as_they_do_alone(model, integrator):
    """Oracle: each member by itself, outside of lanes."""
    q, u = np.array([START, [0.3, 0.3], [0.1, 0.5]]), np.array([[0.4, 0.3, 0.3, 0.2, 0, 0]]) * [[1.0], [0.5], [2.0]]
    options = {"activation": 0.2, "duration": 0.02, "integrator": integrator}
    batch = cd.muscles.simulate(model, q, SPEED, excitations=u, **options)
    for i in range(3):
        alone = cd.muscles.simulate(model, q[i], SPEED, excitations=u[i], **options)
        np.testing.assert_allclose(batch.q[i], alone.q, rtol=1e-9)
        np.testing.assert_allclose(batch.member(i).work, alone.work, rtol=1e-6, atol=1e-9)


@pytest.mark.slow
def test_forces_over_time_are_those_of_the_recorded_states(model):
    """Oracle: `forces` at the recorded states; a rigid tendon's fibre has the length that the pose says."""
    run = cd.muscles.simulate(model, START, SPEED, excitations=0.3, duration=0.01)
    found = run.forces()
    pull = cd.muscles.forward_dynamics(model, run.q[5], run.v[5], run.activation[5], fiber_length=run.fiber_length[5])
    again = cd.forward_dynamics(model.without_muscles(), run.q[5], run.v[5], found.generalized_force[5])
    np.testing.assert_allclose(pull, again, rtol=1e-9)
    length = cd.muscles.lengths(model, run.q)[:, 3]
    np.testing.assert_allclose(run.fiber_length[:, 3], length - 0.2, rtol=1e-12)


@pytest.mark.slow
def test_a_path_that_loses_its_points_ends_the_run_and_is_named():
    """Oracle: the range of the only second point, which the block leaves."""
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body(
        "block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1)
    )
    second = cd.muscles.conditional_point("block", (0, 0, 0), "block", (0.0, 0.5))
    model = b.add_muscle("brief", [(None, (0, 0.3, 0)), second], "path_spring", stiffness=0.1).build()
    with pytest.warns(StoppedWarning, match="brief"):
        run = cd.muscles.simulate(model, [0.4], [1.0], excitations=0.0, duration=0.3)
    assert 0.09 < run.stopped.time < 0.11
    assert np.isnan(run.work[-1]).all()
    with pytest.raises(BadValue, match="brief"):
        cd.muscles.forward_dynamics(model, [0.6], [0.0], 0.0)
    assert np.isnan(cd.muscles.forward_dynamics(model, [0.6], [0.0], 0.0, on_failure="nan")).all()


@pytest.mark.slow
def test_a_fibre_that_diverges_ends_the_run_and_is_named():
    """Oracle: a step far beyond what the stiff fibre bears."""
    model = block(millard={"fiber_damping": 0.0, "tendon_slack_length": 0.2})
    with pytest.warns(StoppedWarning, match="millard"):
        run = cd.muscles.simulate(model, [0.32], excitations=0.02, fiber_length=0.08, duration=5, step=0.5,
                                  integrator="euler")  # fmt: skip
    assert run.stopped is not None


BAD = {
    "too many": ({"excitations": [0.1] * 7}, BadShape, "excitations"),
    "above one": ({"excitations": 1.5}, BadValue, "flexor"),
    "function": ({"excitations": lambda t: 0.1}, BadValue, "excitations"),
    "what it returns": ({"excitations": lambda t, q, v: [0.1, -0.2, 0, 0, 0, 0]}, BadValue, "extensor"),
    "fibre": ({"excitations": 0.1, "fiber_length": -0.1}, BadValue, "flexor"),
    "activation": ({"excitations": 0.1, "activation": 2.0}, BadValue, "activation"),
    "variational": ({"excitations": 0.1, "integrator": "variational"}, NotSupported, "variational"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_makes_no_sense_is_refused_by_name(model, case):
    """Oracle: the arguments' meaning."""
    arguments, error, words = BAD[case]
    with pytest.raises(error, match=words):
        cd.muscles.simulate(model, START, duration=0.01, **arguments)


def test_a_model_without_muscles_cannot_be_driven():
    """Oracle: there is nothing to excite."""
    with pytest.raises(BadValue, match="no muscles"):
        cd.muscles.simulate(block(), [0.0], excitations=0.0, duration=0.1)


@pytest.mark.slow
def test_muscles_drive_a_model_with_a_constraint():
    """Oracle: a bead on a rod between two sliders moves as one on a single hinge with the same muscle."""
    size = {"max_isometric_force": 50.0, "optimal_fiber_length": 0.3, "tendon_slack_length": 0.5}
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("x", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1e-9))
    b.add_body("y", "x", joint=cd.joints.prismatic("y"), inertia=cd.Inertia.point(1.0))
    b.add_constraint(cd.constraints.distance(None, (0, 0, 0), "y", (0, 0, 0), length=0.5))
    b.add_muscle("pull", [(None, (0.3, 0.6, 0)), ("y", (0, 0, 0))], **size)
    run = cd.muscles.simulate(b.build(), [0.5, 0.0], excitations=0.5, duration=0.1)
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (0.5, 0, 0)))
    b.add_muscle("pull", [(None, (0.3, 0.6, 0)), ("arm", (0.5, 0, 0))], **size)
    free = cd.muscles.simulate(b.build(), [0.0], excitations=0.5, duration=0.1)
    assert abs(hypot(*run.q[-1]) - 0.5) < 1e-8
    np.testing.assert_allclose(np.arctan2(run.q[-1, 1], run.q[-1, 0]), free.q[-1, 0], rtol=1e-6)
    np.testing.assert_allclose(run.work[-1], free.work[-1], rtol=1e-5)


POISONED = """
import types
import numpy as np
import condyle.numeric.number_types as number_types

fresh = {**vars(np), "empty": lambda count, dtype=float: np.full(count, np.nan, dtype=dtype)}
number_types.np = types.SimpleNamespace(**fresh)

import condyle as cd

b = cd.ModelBuilder()
b.add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (0, -0.2, 0)))
b.add_wrap("far", "sphere", "arm", cd.SE3.from_translation((0, 0, 5.0)), radius=0.02)
way = [cd.functions.polynomial([0.0, 0.01]), -0.2, 0.0]
moving = cd.muscles.moving_point("arm", way, "arm")
ends = [(None, (0.1, 0.3, 0)), moving]
b.add_muscle("elastic", ends, "thelen", tendon_slack_length=0.3)
b.add_muscle("rigid", ends, "millard", tendon_slack_length=0.3, ignore_tendon_compliance=1, wraps=["far"])
b.add_path("mere", ends)
b.add_muscle("spring", ends, "path_spring", stiffness=10.0)
model = b.build()
for integrator in ("rk4", "adaptive", "semi-implicit"):
    run = cd.muscles.simulate(model, [0.1], excitations=0.2, duration=0.002, integrator=integrator)
    assert np.isfinite(run.q).all() and np.isfinite(run.work).all() and np.isfinite(run.fiber_length).all()
assert np.isfinite(cd.muscles.forward_dynamics(model, [0.1], [0.0], 0.2)).all()
"""


def test_no_result_rests_on_what_memory_held_before():
    """Oracle: the same code in plain Python with scratch that is filled with NaN."""
    done = subprocess.run([sys.executable, "-c", POISONED], env={**os.environ, "CONDYLE_COMPILE": "0"},
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
