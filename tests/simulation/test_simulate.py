"""What simulate promises besides its numbers: control, records, stops, reasons, domains."""

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from condyle.gallery import leg
from condyle.model.kernels.status import BLOWN_UP, KINDS
from condyle.simulation import OutsideDomainWarning, stop_reasons
from support.thinning import slow_but


def pendulum(damping=0.0) -> cd.Model:
    b = cd.ModelBuilder()
    b.add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -1.0)))
    if damping:
        b.add_damping("bob", damping)
    return b.build()


def slider() -> cd.Model:
    """A mass of 2 kg on a rail, no gravity: every motion has a closed form."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(2.0, 0.1))
    return b.build()


def wire(order=4, outside="extend") -> cd.Model:
    """A bead on a curve with uneven knots."""
    rng = np.random.default_rng(3)
    walk = np.cumsum(0.3 * rng.normal(size=(14, 6)), axis=0)
    frames = cd.SE3.exp(walk).as_matrix()
    inner = np.cumsum(rng.uniform(0.5, 1.5, size=14 - order + 2))
    knots = np.concatenate([np.full(order - 1, inner[0]), inner, np.full(order - 1, inner[-1])])
    b = cd.ModelBuilder()
    joint = cd.joints.spline_curve(frames, knots, order=order, outside=outside)
    b.add_body("bead", joint=joint, inertia=cd.Inertia.box(1.0, (0.1, 0.2, 0.3)), joint_name="wire")
    return b.build()


def test_held_control_accelerates_a_cart_exactly():
    """Oracle: x = F t²/(2 m) under a constant force, and its discrete sum under a force held over each step."""
    traj = cd.simulate(slider(), [0.0], duration=1.0, step=0.01, control=lambda t, q, v: [4.0])
    assert traj.q[-1, 0] == pytest.approx(1.0, abs=1e-13)
    ramp = cd.simulate(slider(), [0.0], duration=1.0, step=0.01, control=lambda t, q, v: [2.0 * t])
    held = sum(0.01 * 0.01 * k for k in range(100))
    assert ramp.v[-1, 0] == pytest.approx(held, abs=1e-13)


def test_control_at_stages_is_of_fourth_order():
    """Oracle: x'' = −x in closed form; held control would leave first-order errors."""
    errors_ = []
    for step in (0.02, 0.01):
        traj = cd.simulate(
            slider(), [1.0], duration=1.0, step=step, control=lambda t, q, v: -2.0 * q, control_at="stages"
        )
        errors_.append(abs(traj.q[-1, 0] - np.cos(1.0)))
    assert np.log2(errors_[0] / errors_[1]) == pytest.approx(4.0, abs=0.3)


def test_control_gets_the_whole_batch_in_its_shape():
    shapes = []

    def control(t, q, v):
        shapes.append((q.shape, v.shape))
        return np.zeros((2, 3, 1))

    cd.simulate(slider(), np.zeros((2, 3, 1)), duration=0.02, step=0.01, control=control)
    assert shapes == [((2, 3, 1), (2, 3, 1))] * 2


def test_forces_over_time_are_an_array():
    """Oracle: the sum of the impulses."""
    forces = np.random.default_rng(0).normal(size=(50, 1))
    traj = cd.simulate(slider(), [0.0], duration=0.5, step=0.01, control=forces)
    assert traj.v[-1, 0] == pytest.approx(forces.sum() * 0.01 / 2.0, abs=1e-13)


@pytest.mark.parametrize(
    ("control", "error", "words"),
    [
        (lambda t, q, v: np.zeros(3), errors.BadShape, r"control returned shape \(3,\) at t = 0 s, expected \(1,\)"),
        (lambda t, q, v: [np.nan], errors.NotFinite, "control returned a NaN"),
        (lambda t, q, v: None, errors.BadShape, r"control returned None at t = 0 s; it must return forces \(1,\)"),
        (np.zeros((7, 1)), errors.BadShape, "control must be a function"),
        (np.zeros(2), errors.BadShape, "nv = 1"),
        (np.array([np.inf]), errors.NotFinite, "control must be finite"),
    ],
)
def test_bad_control_is_named(control, error, words):
    with pytest.raises(error, match=words):
        cd.simulate(slider(), [0.0], duration=0.1, step=0.01, control=control)


def test_a_nan_of_control_is_named_by_member_velocity_and_time():
    def control(t, q, v):
        return np.where((np.arange(3)[:, None] == 1) & (t > 0.045), np.nan, np.zeros((3, 1)))

    with pytest.raises(errors.NotFinite, match=r"t = 0\.05 s.*\[1, 0\]"):
        cd.simulate(slider(), np.zeros((3, 1)), duration=0.1, step=0.01, control=control)
    forces = np.zeros((10, 1))
    forces[7] = np.inf
    with pytest.raises(errors.NotFinite, match=r"\[7, 0\]"):
        cd.simulate(slider(), [0.0], duration=0.1, step=0.01, control=forces)


def test_records_are_where_they_were_asked_for():
    traj = cd.simulate(pendulum(), [0.3], duration=1.0, step=1e-3, record=0.1)
    np.testing.assert_allclose(traj.t, np.arange(11) * 0.1, atol=1e-12)
    fine = cd.simulate(pendulum(), [0.3], duration=1.0, step=1e-3)
    np.testing.assert_array_equal(traj.q, fine.q[::100])
    assert traj["bob"].shape == (11,)


def test_the_same_run_twice_and_in_pieces_is_bitwise_the_same():
    model = pendulum(0.1)
    q = np.linspace(0, 1, 21)[:, None]
    whole = cd.simulate(model, q, duration=0.3, threads=1)
    again = cd.simulate(model, q, duration=0.3, threads=2)
    shown = cd.simulate(model, q, duration=0.3, progress=True)
    part = cd.simulate(model, q[5:8], duration=0.3)
    assert np.array_equal(whole.q, again.q) and np.array_equal(whole.q, shown.q)
    assert np.array_equal(whole.q[5:8], part.q)


def test_a_stop_condition_ends_its_member_only():
    q = np.array([[0.0], [0.0], [0.0]])
    v = np.array([[1.0], [0.1], [2.0]])
    traj = cd.simulate(slider(), q, v, duration=1.0, step=0.01, stop=lambda t, q, v: q[:, 0] > 0.505)
    assert traj.stopped[1] is None
    assert traj.stopped[0].time == pytest.approx(0.51) and traj.stopped[2].time == pytest.approx(0.26)
    assert "stop condition" in traj.stopped[0].reason
    assert traj.stops() == list(traj.stopped) and traj.batch == (3,)
    assert np.isnan(traj.q[0, 52:]).all() and np.isfinite(traj.q[0, :52]).all() and np.isfinite(traj.q[1]).all()


@pytest.mark.parametrize(
    ("v", "fastest"), [([1.0, -5.0, 8e8], "rod2"), ([0.0, 7e8, 3.0], None), ([0.0, 0.0, 0.0], None)]
)
def test_a_run_that_diverged_names_the_joint_that_was_fastest_before(v, fastest):
    """A coupled joint may pass the bound first: the last good state tells which one ran away."""
    b = cd.ModelBuilder()
    for i in range(3):
        parent = f"rod{i - 1}" if i else None
        b.add_body(f"rod{i}", parent=parent, joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    words = stop_reasons.reason(b.build(), BLOWN_UP + KINDS * 1, np.zeros(3), np.array(v))
    assert "'rod1'" in words and ("'rod2'" in words) == (fastest == "rod2") and "'rod0'" not in words


def test_a_member_that_blows_up_stops_with_reason_and_last_good_state():
    """A stiff spring on a coarse step overflows; its neighbour without one goes on, bitwise undisturbed."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(2.0, 0.1), joint_name="rail")
    b.add_limit("rail", -1.0, 1.0, stiffness=1e9)
    model = b.build()
    q, v = np.array([[0.0], [0.0]]), np.array([[100.0], [0.1]])
    traj = cd.simulate(model, q, v, duration=1.0, step=0.01, integrator="euler")
    assert traj.stopped[1] is None
    assert "diverged" in traj.stopped[0].reason and "'rail'" in traj.stopped[0].reason
    assert np.isfinite(traj.stopped[0].q).all() and np.abs(traj.stopped[0].v).max() < 1e9
    last = round(traj.stopped[0].time / 0.01)
    np.testing.assert_array_equal(traj.q[0, last], traj.stopped[0].q)
    assert np.isnan(traj.q[0, last + 1 :]).all()
    alone = cd.simulate(model, q[1:], v[1:], duration=1.0, step=0.01, integrator="euler")
    assert np.array_equal(traj.q[1], alone.q[0])
    assert np.isfinite(traj.energy().total[1]).all()


def test_leaving_the_domain_is_said():
    with pytest.warns(OutsideDomainWarning, match=r"wire left \[.*extended linearly"):
        traj = cd.simulate(wire(), [2.0], [-3.0], duration=1.0)
    assert traj.outside[0].coordinate == "wire" and traj.outside[0].time > 0


def test_a_joint_that_refuses_ends_the_run_at_its_domain():
    traj = cd.simulate(wire(outside="error"), [2.0], [-3.0], duration=1.0)
    low = traj.model.bodies[0].joint.domain[0][0]
    assert "refuses" in traj.stopped.reason
    assert np.nanmin(traj.q) >= low


@pytest.mark.parametrize("integrator", ["euler", "semi-implicit", "rk4", "adaptive"])
def test_prescribed_coordinates_stay_on_their_motion(integrator):
    """Oracle: the prescribed function itself."""
    b = cd.ModelBuilder()
    b.add_body("post", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1), joint_name="spin")
    bob = cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -0.5))
    b.add_body("bob", parent="post", joint=cd.joints.revolute("y"), inertia=bob)
    b.prescribe("spin", lambda t: 0.3 * np.sin(5.0 * t))
    traj = cd.simulate(b.build(), [0.0, 0.5], duration=1.0, step=1e-2, integrator=integrator)
    np.testing.assert_allclose(traj["spin"], 0.3 * np.sin(5.0 * traj.t), atol=1e-11)
    np.testing.assert_allclose(traj.v[:, 0], 1.5 * np.cos(5.0 * traj.t), atol=1e-9)


def test_work_of_the_motor_is_the_energy_gained():
    """Oracle: energy balance; torque from inverse dynamics, its power integrated by Simpson's rule."""
    from scipy.integrate import simpson

    b = cd.ModelBuilder()
    b.add_body("post", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1), joint_name="spin")
    bob = cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -0.5))
    b.add_body("bob", parent="post", joint=cd.joints.revolute("y"), inertia=bob)
    b.prescribe("spin", lambda t: 2.0 * t * t)
    model = b.build()
    traj = cd.simulate(model, [0.0, 0.5], duration=1.0, step=1e-3)
    a = np.array([cd.forward_dynamics(model, q, v, t=t) for t, q, v in zip(traj.t, traj.q, traj.v, strict=True)])
    power = cd.inverse_dynamics(model, traj.q, traj.v, a)[:, 0] * traj.v[:, 0]
    energy = traj.energy().total
    assert energy[-1] - energy[0] == pytest.approx(simpson(power, x=traj.t), rel=1e-8)


def test_a_sampled_motion_ends_where_its_samples_end():
    b = cd.ModelBuilder()
    b.add_body("post", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    t = np.linspace(0, 1, 11)
    b.prescribe("post", (t, t**3))
    model = b.build()
    traj = cd.simulate(model, [0.0], duration=1.0, step=0.05)
    np.testing.assert_allclose(traj["post"], traj.t**3, atol=1e-12)
    with pytest.raises(errors.BadValue, match=r"given for t in \[0, 1\] s, the simulation needs \[0, 2\] s"):
        cd.simulate(model, [0.0], duration=2.0)


@pytest.mark.parametrize("single", slow_but([True], [True, False]))
def test_landing_on_knots_keeps_a_cubic_joint_accurate(single):
    """Oracle: energy. Crossing cubic knots blindly costs digits that landing on them does not."""
    model = wire()
    q, v = ([6.0], [0.4]) if single else (np.full((9, 1), 6.0), np.full((9, 1), 0.4))

    def drift(**options):
        traj = cd.simulate(model, q, v, duration=1.2, step=0.1, integrator="adaptive", tolerance=1e-11, **options)
        total = traj.energy().total
        return np.abs(total - total[..., :1]).max()

    landed = drift(land_on_knots=True)
    assert landed < 1e-9
    assert drift(land_on_knots=False) > 3 * landed


def test_energy_falls_with_the_order_on_cubic_joints_that_are_landed_on():
    """Oracle: energy. A loose tolerance makes every step the whole interval, so halving it shows the order, 5."""

    def drift(step, land):
        options = {"integrator": "adaptive", "tolerance": 1e6, "land_on_knots": land}
        total = cd.simulate(wire(), [6.0], [0.4], duration=1.0, step=step, **options).energy().total
        return np.abs(total - total[0]).max()

    assert np.log2(drift(5e-3, True) / drift(1.25e-3, True)) / 2 > 4.5
    assert np.log2(drift(5e-3, False) / drift(1.25e-3, False)) / 2 < 2.5


def test_adaptive_steps_follow_their_tolerance():
    """Oracle: the run with a tolerance of 1e-13."""
    model = wire(order=6)
    ends = [
        cd.simulate(model, [6.0], [0.4], duration=1.0, step=0.5, integrator="adaptive", tolerance=tol).q[-1, 0]
        for tol in (1e-13, 1e-5, 1e-8)
    ]
    assert abs(ends[1] - ends[0]) < 1e-3 and abs(ends[2] - ends[0]) < 1e-6


def test_adaptive_steps_feel_the_forces_of_their_own_interval():
    """Oracle: constant forces, interval by interval; a loose tolerance makes every step the whole interval."""
    forces, mass, step = np.array([1.0, -3.0, 0.0, 7.0]), 2.0, 0.1
    options = {"duration": 0.4, "step": step, "integrator": "adaptive", "tolerance": 1e6}
    run = cd.simulate(slider(), [0.0], [0.5], control=forces[:, None], **options)
    speeds = 0.5 + np.cumsum([0.0, *forces]) * step / mass
    np.testing.assert_allclose(run.v[:, 0], speeds, atol=1e-14)
    np.testing.assert_allclose(run.q[1:, 0], np.cumsum(0.5 * step * (speeds[1:] + speeds[:-1])), atol=1e-14)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"integrator": "rk5"}, errors.UnknownName, "no integrator named 'rk5'.*Did you mean 'rk4'"),
        ({"duration": -1.0}, errors.BadValue, "duration must be a positive number"),
        ({"step": 0.0}, errors.BadValue, "step must be a positive number"),
        ({"step": 10.0}, errors.BadValue, "step must not be longer"),
        ({"record": -1.0}, errors.BadValue, "record must be"),
        ({"tolerance": 0}, errors.BadValue, "tolerance must be"),
        ({"control_at": "ends"}, errors.BadValue, "'steps' or 'stages'"),
        (
            {"control_at": "stages", "control": lambda t, q, v: [0.0], "integrator": "euler"},
            errors.BadValue,
            "control_at='stages' is for integrator='rk4'",
        ),
        ({"t0": np.nan}, errors.NotFinite, "t0 must be finite"),
    ],
)
def test_bad_options_are_named(options, error, words):
    with pytest.raises(error, match=words):
        cd.simulate(pendulum(), [0.1], **{"duration": 1.0, **options})


@pytest.mark.parametrize("given", [1.0, [1.0], np.zeros((2, 1))])
def test_one_force_for_several_coordinates_is_refused(given):
    """Oracle: the words: numbers that could be meant for one coordinate are not spread over all."""
    with pytest.raises(errors.BadShape, match=r"control returned shape .* at t = 0 s, expected \(3,\)"):
        cd.simulate(leg(), np.zeros(3), duration=0.01, step=1e-3, control=lambda t, q, v: given)
