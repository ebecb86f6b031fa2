"""The variational integrator: order, momenta, energy over long times, dampers, failure."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import simpson

import condyle as cd
from condyle import joints
from support.variational_models import chain, few_steps, floating, floating_state, flower, wire

MODELS = Path(__file__).parents[1] / "support" / "variational_models.py"
SWING = [0.5, 0.3, 0.4], [1.0, 2.0, -1.0]


def variational(model, q, v, duration, step, **options):
    return cd.simulate(model, q, v, duration=duration, step=step, integrator="variational", **options)


def end_error(model, q, v, step, duration=1.0, **options):
    """How far q and v end from those of the adaptive integrator."""
    found = variational(model, q, v, duration, step, **options)
    exact = cd.simulate(
        model, q, v, duration=duration, step=duration, integrator="adaptive", tolerance=1e-12, **options
    )
    away = cd.difference(model, exact.q[-1], found.q[-1])
    return np.array([np.abs(away).max(), np.abs(found.v[-1] - exact.v[-1]).max()])


def loaded_chain():
    """Every kind of load at once."""
    builder = chain().add_damping("upper.first", 0.3).add_constant_force("lower", 0.4)
    builder.add_stiffness("upper.second", 5.0, 0.2, damping=0.1)
    builder.add_spring("lower", [0.1, 0, 0.1], None, [0.5, 0.5, -0.5], stiffness=10, length=0.3, damping=0.4)
    return builder.build()


WRENCHES = np.array([[0.1, 0.2, -0.1, 1, 2, 1], [-0.1, 0.1, 0.1, 0.2, -0.3, 0.1]])
CASES = {
    "chain": (lambda: chain().build(), *SWING, {}),
    "wire": (wire, [1.2], [2.0], {}),
    "floating": (floating, *floating_state(), {}),
    "loads": (loaded_chain, *SWING, {"wrenches": WRENCHES, "control": np.array([0.3, -0.5, 0.1])}),
}


@pytest.mark.parametrize("case", CASES)
def test_halving_the_step_quarters_the_error(case):
    """Oracle: the adaptive integrator at tolerance 1e-12, a different method on the same forces."""
    make, q, v, options = CASES[case]
    errors = [end_error(make(), q, v, step, **options) for step in (5e-3, 2.5e-3)]
    assert_allclose(np.log2(errors[0] / errors[1]), 2.0, atol=0.15)


def test_a_floating_tree_keeps_its_momenta_for_ten_thousand_steps():
    """Oracle: the laws of conservation; without forces the centre of mass moves uniformly too."""
    model, (q, v) = floating(), floating_state()
    traj = variational(model, q, v, 100.0, 0.01)
    assert traj.stopped is None and len(traj.t) == 10_001
    linear, angular = traj.momentum()
    assert np.abs(linear - linear[0]).max() < 1e-11
    assert np.abs(angular - angular[0]).max() < 1e-11
    mass = sum(b.inertia.mass for b in model.bodies)
    center = cd.center_of_mass(model, traj.q)
    assert_allclose(center, center[0] + traj.t[:, None] * linear[0] / mass, rtol=0, atol=1e-9)


def test_a_thrown_tree_falls_on_an_exact_parabola():
    """Oracle: x = x0 + u t + g t²/2 of the centre of mass, whatever the tree does and however long the step."""
    model, (q, v) = floating().with_gravity([0, 0, -9.81]), floating_state()
    traj = variational(model, q, v, 1.0, 0.02)
    center, t = cd.center_of_mass(model, traj.q), traj.t[:, None]
    u = traj.momentum().linear[0] / sum(b.inertia.mass for b in model.bodies)
    assert_allclose(center, center[0] + u * t + 0.5 * model.gravity * t**2, rtol=0, atol=1e-11)


def energy_errors(model, q, v, step):
    """|E − E0| over 100,000 steps."""
    traj = variational(model, q, v, 100_000 * step, step)
    total = traj.energy().total
    return np.abs(total - total[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "q", "v"), [(lambda: chain().build(), [0.3, 0.2, 0.3], [0.3, 0.2, -0.1]), (wire, [1.2], [2.0])]
)
def test_energy_stays_bounded_for_a_hundred_thousand_steps(make, q, v):
    """Oracle: energy is conserved; the error neither grows with time nor depends on the step but squared."""
    model = make()
    coarse, fine = energy_errors(model, q, v, 0.01), energy_errors(model, q, v, 0.005)
    for errors in (coarse, fine):
        assert errors[-10_000:].max() <= 2.0 * errors[:10_000].max()
    assert np.log2(coarse.max() / fine.max()) == pytest.approx(2.0, abs=0.15)


@pytest.mark.slow
def test_a_batch_goes_where_each_member_goes_alone():
    """Oracle: one state at a time; members need different numbers of corrections."""
    model, (q, v) = floating(), floating_state()
    speeds = v * np.linspace(0.0, 3.0, 11)[:, None]
    batch = variational(model, q, speeds, 0.5, 0.01)
    for i, speed in enumerate(speeds):
        alone = variational(model, q, speed, 0.5, 0.01)
        assert_allclose(batch.q[i], alone.q, rtol=0, atol=1e-10)
        assert_allclose(batch.v[i], alone.v, rtol=0, atol=1e-10)


def damped():
    """Dampers on plain coordinates and on a ball."""
    builder = chain().add_damping("upper.first", 0.2).add_damping("lower", 0.1)
    builder.add_body("tail", "lower", joints.ball(), cd.Inertia.box(0.3, [0.1, 0.1, 0.2], com=[0, 0, -0.1]))
    return builder.add_damping("tail", 0.05).build()


def unexplained_loss(step):
    """Energy lost in 1 s, less what the dampers take: ∫ d v² dt, by Simpson's rule on the records."""
    model, rates = damped(), np.array([0.2, 0.0, 0.1, 0.05, 0.05, 0.05])
    traj = variational(model, [*SWING[0], 1, 0, 0, 0], [*SWING[1], 0.5, -0.3, 0.2], 1.0, step)
    total = traj.energy().total
    taken = simpson(traj.v**2 @ rates, x=traj.t)
    assert taken > 0.1
    return total[0] - total[-1] - taken


def test_dampers_take_the_energy_that_is_lost():
    """Oracle: dE/dt = −Σ d v²; the difference is of second order in the step."""
    losses = [unexplained_loss(step) for step in (5e-3, 2.5e-3, 1.25e-3)]
    assert abs(losses[-1]) < 1e-3
    assert np.log2(losses[1] / losses[2]) == pytest.approx(2.0, abs=0.3)


def test_a_strong_damper_only_ever_slows():
    """Oracle: v decays like exp(−d t/I); at d h/I = 30 the step still solves, and no energy appears."""
    inertia = cd.Inertia.box(1.0, [0.2, 0.2, 0.2])
    model = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("disc", None, joints.revolute("z"), inertia)
    model = model.add_damping("disc", 30.0 * inertia.principal()[0][2] / 0.01).build()
    traj = variational(model, [0.0], [2.0], 1.0, 0.01)
    assert traj.stopped is None
    kinetic = traj.energy().kinetic
    assert (np.diff(kinetic) <= 1e-15).all()
    assert traj.q[-1, 0] == pytest.approx(2.0 * 0.01 / 30.0, rel=1e-3)  # ∫ v dt = v0 I/d


def test_a_body_at_rest_in_balance_stays():
    """Oracle: a hanging body without motion has nothing to do; an iteration relative to its motion must still end."""
    model = cd.ModelBuilder().add_body("bob", None, joints.ball(), cd.Inertia.point(1.0, [0, 0, -1]) + bob()).build()
    traj = variational(model, [1, 0, 0, 0], [0, 0, 0], 0.5, 0.01)
    assert traj.stopped is None
    assert np.abs(traj.v).max() < 1e-12


def bob():
    return cd.Inertia.sphere(1.0, 0.1, com=[0, 0, -1])


@pytest.mark.slow
def test_a_step_without_solution_says_so_and_the_others_go_on():
    """Oracle: on a flower wire at 0.1 s per step the fast bead crosses petals, and no next pose has its momentum."""
    q = np.array([[1.2], [1.2]])
    traj = variational(flower(), q, [[8.0], [0.05]], 1.0, 0.1, wrenches=np.array([[0, 0, 0, 0, 0, 9.81]]))
    fast, slow = traj.stopped
    assert slow is None and np.isfinite(traj.q[1]).all()
    assert fast.time < 1.0 and np.isnan(traj.q[0, -1]).all()
    assert "variational step found no solution" in fast.reason and "Try a smaller step" in fast.reason
    assert variational(flower(), q[0], [8.0], 1.0, 0.01).stopped is None


def test_half_a_turn_in_a_step_is_refused():
    """Oracle: a logarithm below half a turn cannot show 4 rad in one step."""
    model = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("top", None, joints.revolute("z"), bob()).build()
    assert "found no solution" in variational(model, [0.0], [40.0], 1.0, 0.1).stopped.reason
    assert variational(model, [0.0], [30.0], 1.0, 0.1).q[-1, 0] == pytest.approx(30.0, rel=1e-12)


def test_plain_python_takes_the_same_steps(tmp_path):
    """Oracle: the compiled kernels, in another process."""
    env = {**os.environ, "CONDYLE_COMPILE": "0"}
    subprocess.run([sys.executable, str(MODELS), str(tmp_path / "out.npz")], env=env, check=True)
    with np.load(tmp_path / "out.npz") as plain:
        for found, expected in zip(few_steps(), (plain["arr_0"], plain["arr_1"]), strict=True):
            assert_allclose(found, expected, rtol=0, atol=1e-12)
