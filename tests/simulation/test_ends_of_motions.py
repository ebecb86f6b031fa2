"""Where and when a motion ends: which joint is named, that state and time belong together."""

import numpy as np
import pytest

import condyle as cd
from support.thinning import slow_but

STEPPERS = ["euler", "semi-implicit", "rk4", "adaptive", "variational"]
pytestmark = pytest.mark.filterwarnings("ignore::condyle.simulation.StoppedWarning")


def two_carts() -> cd.Model:
    """Two carts on one rail without gravity: one body's force does not move the other."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("slow", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    b.add_body("fast", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    return b.build()


@pytest.mark.parametrize(
    "integrator", slow_but(["euler", "semi-implicit", "rk4"], ["euler", "semi-implicit", "rk4", "variational"])
)
@pytest.mark.parametrize("count", [1, 3])
def test_the_joint_that_is_fastest_is_named(integrator, count):
    """Oracle: v = F t / m exceeds 1e9 m/s for both carts in the same step, 1000 times farther for the second."""
    tau = np.tile([1e10, 1e13], (count, 1)) if count > 1 else np.array([1e10, 1e13])
    start = np.zeros((count, 2)) if count > 1 else np.zeros(2)
    run = cd.simulate(two_carts(), start, control=tau, duration=1.0, step=0.5, integrator=integrator)
    assert all("'fast'" in stop.reason and "'slow'" not in stop.reason for stop in run.stops())


def test_the_fastest_joint_is_named_if_the_control_is_asked_at_stages():
    """Oracle: as above."""
    forces = np.array([1e10, 1e13])
    run = cd.simulate(two_carts(), [0, 0], control=lambda t, q, v: forces, duration=1.0, step=0.5, control_at="stages")
    assert "'fast'" in run.stopped.reason


def cusp_and_clock() -> cd.Model:
    """A sled on x = q², which loses rank at q = 0, and a second coordinate that is the time."""
    joint = cd.joints.product([[0, 0, 0, 1, 0, 0]], [cd.functions.polynomial([0, 0, 1])], coordinates="q")
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("sled", joint=joint, inertia=cd.Inertia.point(1.0))
    b.add_body("clock", joint=cd.joints.prismatic("y"), inertia=cd.Inertia.point(1.0))
    return b.prescribe("clock", lambda t: t).build()


@pytest.mark.parametrize("step", [0.4, 0.15, 1e-3])
@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_adaptive_steps_end_with_a_state_of_the_time_that_they_tell(step, count):
    """Oracle: x = q² falls at 2 m/s from 1 m: q = √(1 − 2 t) until t = 0.5 s; the prescribed coordinate is the time."""
    start = np.tile([1.0, 0.0], (count, 1)) if count > 1 else np.array([1.0, 0.0])
    run = cd.simulate(cusp_and_clock(), start, [-1.0, 1.0], duration=1.2, step=step, integrator="adaptive")
    for stop in run.stops():
        assert stop.q[1] == pytest.approx(stop.time, abs=1e-12)
        assert stop.time == pytest.approx(0.5, abs=1e-6)
        assert stop.q[0] ** 2 == pytest.approx(1.0 - 2.0 * stop.time, abs=1e-6)
    kept = np.isfinite(run.q[..., 0].reshape(count, -1))
    assert (kept == (run.t <= 0.5)).all()


def refusing() -> cd.Model:
    """A bead in a bowl whose joint refuses to leave its domain [0, 5]."""
    x = np.linspace(0, 3, 8)
    places = np.stack([x, 0 * x, 0.3 * (x - 1.5) ** 2], axis=1)
    joint = cd.joints.spline_curve(cd.SE3.from_translation(places), outside="error")
    b = cd.ModelBuilder().add_body("bead", joint=joint, inertia=cd.Inertia.sphere(1.0, 0.1), joint_name="bowl")
    return b.build()


@pytest.mark.parametrize("integrator", STEPPERS)
def test_where_a_refusing_joint_ends_a_run_does_not_depend_on_the_records(integrator):
    """Oracle: the same run with every step recorded, whose last record is in the domain and whose next is not."""
    model = refusing()
    (_, high) = model.bodies[0].joint.domain[0]
    given = {"duration": 4.0, "step": 1e-3, "integrator": integrator}
    every = cd.simulate(model, [2.5], [13.0], **given).stopped
    assert 0.3 < every.time < 0.36 and high - 0.02 < every.q[0] <= high
    for record in (0.5, 2.0):
        run = cd.simulate(model, [2.5], [13.0], record=record, **given)
        assert run.stopped.time == every.time and run.stopped.q == every.q
        assert "'bowl'" in run.stopped.reason and "[0, 5]" in run.stopped.reason
        assert np.isnan(run.q[1:]).all()


def test_members_that_leave_a_refused_domain_end_alone():
    """Oracle: the same members alone; one at rest in the bowl stays there."""
    model = refusing()
    start, speed = np.full((3, 1), 2.5), np.array([[13.0], [0.0], [-13.0]])
    run = cd.simulate(model, start, speed, duration=1.0, record=0.5)
    assert run.stopped[1] is None and np.isfinite(run.q[1]).all()
    for i in (0, 2):
        alone = cd.simulate(model, start[i], speed[i], duration=1.0).stopped
        assert run.stopped[i].time == alone.time and run.stopped[i].q == pytest.approx(alone.q, abs=1e-9)


def test_a_control_asked_at_stages_ends_where_a_held_one_does():
    """Oracle: the run whose control is held: both are zero."""
    given = {"duration": 1.0, "record": 0.5, "control": lambda t, q, v: 0.0 * v}
    held, staged = (cd.simulate(refusing(), [2.5], [13.0], control_at=at, **given) for at in ("steps", "stages"))
    assert staged.stopped.time == pytest.approx(held.stopped.time, abs=2e-3)
    assert "[0, 5]" in staged.stopped.reason
