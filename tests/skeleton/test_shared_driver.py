"""What `Skeleton.simulate` shares with `cd.simulate`: arguments, Ctrl-C, records, what stopped, the builder's names."""

import signal
from contextlib import contextmanager

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue, NotFinite
from condyle.simulation import BaseTrajectory, StoppedWarning, driver
from condyle.skeleton import Skeleton, SkeletonBuilder, State, Stop

from .dense import CHAIN, GRAPHS, random_dense


def spinning(speed=2.0, torque=0.0):
    """A wheel of 0.5 kg m² on a fixed hinge along z."""
    inertia = cd.Inertia(1.0, (0, 0, 0), np.diag([0.3, 0.3, 0.5]))
    b = SkeletonBuilder(gravity=(0, 0, 0)).add_body("wheel", inertia, angular_velocity=(0, 0, speed))
    return b.add_hinge("wheel", None, at=(0, 0, 0), axis=(0, 0, 1), name="axle").add_torque("axle", torque).build()


def batch_of(skeleton, factors):
    """The skeleton's start at several speeds."""
    s, f = skeleton.initial, np.asarray(factors, float)[:, None, None]
    return State.checked(s.positions, s.rotations, f * s.velocities, f * s.angular_velocities)


def spin(motion):
    return motion.states.angular_velocities[..., 0, 2]


@pytest.mark.parametrize(
    ("record", "times"), [(None, 11), (0.05, 3), (0.04, 4), (1e-6, 11), (5.0, 2)], ids=lambda x: str(x)
)
def test_records_are_those_of_a_model(record, times):
    """Oracle: the times that `cd.simulate` records with the same arguments; the last is the end."""
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    twin = cd.simulate(b.build(), [0.0], [1.0], duration=0.1, step=0.01, record=record, t0=3.0)
    motion = spinning().simulate(duration=0.1, step=0.01, record=record, t0=3.0)
    assert len(motion.t) == times
    assert motion.t == pytest.approx(twin.t, abs=1e-14)
    assert motion.t[-1] == pytest.approx(3.1)


def test_steps_make_up_the_duration_exactly():
    """Oracle: a wheel under a constant torque, ω = τ t / I at the end that was asked for, not at a step before it."""
    motion = spinning(0.0, torque=0.5).simulate(duration=1.0, step=0.3)
    assert motion.t[-1] == 1.0
    assert spin(motion)[-1] == pytest.approx(1.0, abs=1e-12)


def test_every_counts_steps_and_is_deprecated():
    """Oracle: the same records by `record`; the class of the warning; both at once are refused."""
    skeleton = spinning()
    with pytest.warns(DeprecationWarning, match=r"every=5.*record=0\.05"):
        old = skeleton.simulate(duration=0.2, step=0.01, every=5)
    assert np.array_equal(
        old.states.rotations, skeleton.simulate(duration=0.2, step=0.01, record=0.05).states.rotations
    )
    with pytest.raises(BadValue, match="every"):
        skeleton.simulate(duration=0.2, step=0.01, every=5, record=0.05)
    with pytest.raises(BadValue, match=r"every.*2\.5"):
        skeleton.simulate(duration=0.2, step=0.01, every=2.5)


def test_loads_and_control_are_given_the_time_from_t0_on():
    """Oracle: ω = ω₀ + ∫ cos t dt / I from 3 s on, by a function of time and by a control held over each step."""
    skeleton, exact = spinning(), 2.0 + (np.sin(4.0) - np.sin(3.0)) / 0.5
    asked = []

    def control(t, state):
        asked.append(t)
        return {"motors": {"axle": np.cos(t + 0.0005)}}

    given = skeleton.simulate(duration=1.0, step=1e-3, t0=3.0, motors=lambda t: {"axle": np.cos(t)}, integrator="rk4")
    assert spin(given)[-1] == pytest.approx(exact, abs=1e-12)
    controlled = skeleton.simulate(duration=1.0, step=1e-3, t0=3.0, control=control)
    assert spin(controlled)[-1] == pytest.approx(exact, abs=1e-7)
    assert asked == pytest.approx(3.0 + 1e-3 * np.arange(1000))


def test_a_stop_condition_ends_a_run_at_a_record():
    """Oracle: a wheel that speeds up by 1 rad/s² passes 2.5 rad/s at 0.5 s; its state is that of a shorter run."""
    skeleton = spinning(2.0, torque=0.5)
    motion = skeleton.simulate(duration=1.0, record=0.1, stop=lambda t, state: state.angular_velocities[0, 2] > 2.45)
    assert motion.stopped.time == pytest.approx(0.5)
    assert "stop condition" in motion.stopped.reason
    assert repr(motion).startswith("<Trajectory: stopped at t = 0.5 s")
    assert np.isnan(spin(motion)[6:]).all() and np.isfinite(spin(motion)[:6]).all()
    shorter = skeleton.simulate(duration=0.5).last
    assert motion.stopped.state.rotations == pytest.approx(shorter.rotations, abs=1e-13)
    assert motion.stopped.state.angular_velocities == pytest.approx(shorter.angular_velocities, abs=1e-13)


@pytest.mark.slow
def test_members_of_a_batch_stop_one_by_one():
    """Oracle: ω₀ + t passes 3 rad/s at 3 − ω₀ seconds; the member that never does is bitwise that of a whole run."""
    skeleton = spinning(1.0, torque=0.5)
    start = batch_of(skeleton, [2.85, 2.75, 1.0])
    motion = skeleton.simulate(start, duration=0.5, stop=lambda t, state: state.angular_velocities[:, 0, 2] > 2.999)
    ends = [None if stop is None else stop.time for stop in motion.stops()]
    assert ends[:2] == pytest.approx([0.15, 0.25]) and ends[2] is None
    whole = skeleton.simulate(start, duration=0.5)
    assert whole.stopped is None and whole.stops() == [None] * 3
    assert np.array_equal(motion.states.rotations[2], whole.states.rotations[2])
    assert np.isnan(motion.states.positions[0, 16:]).all() and np.isfinite(motion.states.positions[0, :16]).all()
    assert "2 of 3 members stopped" in repr(motion)


def test_a_bar_of_progress_changes_nothing(monkeypatch):
    """Oracle: the run without it, bit by bit; the bar is told of all steps."""
    told = []

    @contextmanager
    def bar(total, shown):
        told.append(total if shown else None)
        yield told.append

    monkeypatch.setattr(driver, "progress_bar", bar)
    skeleton = spinning(2.0, torque=0.5)
    shown = skeleton.simulate(duration=0.5, progress=True)
    assert told[0] == sum(told[1:]) == 50
    assert np.array_equal(shown.states.rotations, skeleton.simulate(duration=0.5).states.rotations)


@pytest.mark.slow
def test_a_run_ends_when_all_members_have_stopped():
    """Oracle: counted calls of the stop condition."""
    calls = []
    stop = lambda t, state: calls.append(t) or np.array([True, True])  # noqa: E731
    skeleton = spinning()
    motion = skeleton.simulate(batch_of(skeleton, [1.0, 2.0]), duration=1.0, stop=stop)
    assert calls == [0.01]
    assert len(motion.t) == 101 and np.isnan(spin(motion)[:, 2:]).all()


@pytest.mark.parametrize("where", ["control", "stop", "motors"])
@pytest.mark.parametrize("members", [(), pytest.param((5,), marks=pytest.mark.slow)])
def test_an_interrupted_run_keeps_its_records(where, members):
    """Oracle: the whole run; records before the interruption are the same, bit by bit, and it can go on from them."""
    skeleton = spinning(2.0, torque=0.5)

    def interrupting(t, state=None):
        if t > 0.055:
            raise KeyboardInterrupt
        return np.zeros(members, dtype=bool) if where == "stop" else {}

    start = batch_of(skeleton, np.linspace(1.0, 2.0, 5)) if members else None
    how = {"duration": 0.2, "step": 0.01, "record": 0.02}
    with pytest.raises(cd.Interrupted, match=r"t = 0(\.0[246])? s") as caught:
        skeleton.simulate(start, **how, **{where: interrupting})
    motion, whole = caught.value.trajectory, skeleton.simulate(start, **how)
    last = len(motion.t)
    assert isinstance(motion, cd.skeleton.Trajectory) and isinstance(motion, BaseTrajectory)
    assert where == "motors" or last in (3, 4)
    assert np.array_equal(motion.states.rotations, whole.states.rotations[..., :last, :, :, :])
    assert motion.loads.shape[-2] in (1, last)
    ends = motion.stops()
    assert all(end.reason == "interrupted" and end.time == pytest.approx(motion.t[-1]) for end in ends)
    rest = skeleton.simulate(ends[0].state, duration=0.2 - ends[0].time, step=0.01, t0=ends[0].time)
    assert rest.last.rotations == pytest.approx(whole.last.rotations[(0,) * len(members)], abs=1e-12)


@pytest.mark.parametrize("engine", ["skeleton", "held"])
def test_a_nan_of_a_control_keeps_the_records_so_far(engine):
    """Oracle: the whole run; records before the NaN are the same."""
    mechanism = spinning(2.0)
    if engine == "held":
        rail = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
        mechanism = cd.skeleton.from_model(rail.build(), [0.0], [2.0])
    how = {"duration": 0.2, "step": 0.01, "record": 0.02}
    with pytest.raises(NotFinite, match=r"0\.06") as caught:
        mechanism.simulate(control=lambda t, state: {"motors": np.array([np.nan if t > 0.055 else 0.0])}, **how)
    motion, whole = caught.value.trajectory, mechanism.simulate(**how)
    assert motion.t == pytest.approx([0.0, 0.02, 0.04, 0.06])
    for name in ("positions", "rotations", "velocities", "angular_velocities"):
        assert getattr(motion.states, name) == pytest.approx(getattr(whole.states, name)[:4], abs=1e-12)
    assert "NotFinite" in motion.stopped.reason and motion.stopped.time == pytest.approx(0.06)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timer signals")
@pytest.mark.parametrize("integrator", ["variational", "rk4", "printed"])
def test_a_signal_ends_compiled_steps_soon(integrator):
    """Oracle: hours of steps end before the test does; the timer is set when the run is under way."""
    skeleton, armed = spinning(), []
    skeleton.simulate(duration=0.1, integrator=integrator)  # compiled

    def arm(t, state):
        if not armed:
            armed.append(signal.setitimer(signal.ITIMER_REAL, 0.3))
        return False

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(cd.Interrupted) as caught:
            skeleton.simulate(duration=1e5, step=1e-3, record=1.0, integrator=integrator, stop=arm)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert 1 <= len(caught.value.trajectory.t) < 100_001


class Fixed:
    """A pace that does not learn."""

    def __init__(self, steps):
        self.steps = steps

    def took(self, steps, seconds):
        pass


METHODS = ("variational", "rk4", "printed")
LANES = [pytest.param(name, (5,), marks=pytest.mark.slow) for name in METHODS]  # compiled long


@pytest.mark.parametrize(("integrator", "members"), [*((name, ()) for name in METHODS), *LANES])
def test_how_often_python_looks_in_does_not_change_a_bit(monkeypatch, integrator, members):
    """Oracle: the same run in one piece, bit by bit; loads are functions of time."""
    dense = random_dense(*GRAPHS["a mixed ring"], friction=0.3, gravity=(0, 0, -9.81), speed=0.5)
    skeleton = Skeleton.from_arrays(**dense.arrays)
    start, runs = batch_of(skeleton, np.linspace(0.2, 1.0, 5)) if members else None, []
    kick = np.ones((len(dense.m), 3))
    for steps in (1, 3, 1000):
        monkeypatch.setattr(driver, "Pace", lambda *_, steps=steps: Fixed(steps))
        runs.append(
            skeleton.simulate(start, duration=0.1, integrator=integrator, forces=lambda t: np.sin(9 * t) * kick)
        )
    for run in runs[:2]:
        assert np.array_equal(run.states.positions, runs[2].states.positions)
        assert np.array_equal(run.states.angular_velocities, runs[2].states.angular_velocities)
        assert np.array_equal(run.loads, runs[2].loads)


def test_loads_at_records_are_what_acts_then():
    """Oracle: the function itself at the recorded times; a control is held, so its last answer stands at the end."""
    skeleton = spinning()
    motion = skeleton.simulate(duration=0.4, step=0.01, record=0.1, motors=lambda t: {"axle": np.cos(t)}, t0=1.0)
    assert motion.loads[:, 2] == pytest.approx(np.cos(motion.t), abs=1e-14)
    held = skeleton.simulate(duration=0.4, step=0.01, record=0.1, control=lambda t, state: {"motors": [t]})
    assert held.loads[:, 2] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.3])


@pytest.mark.slow
def test_the_last_good_state_of_a_member_that_failed_is_kept(tmp_path):
    """Oracle: a run that ends just before; a file brings the state back bit by bit."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hh", speed=10.0).arrays)
    start = batch_of(skeleton, [0.01, 1.0])
    with pytest.warns(StoppedWarning, match=r"1 of 2 members"):
        motion = skeleton.simulate(start, duration=5.0, step=0.5)
    end = motion.stopped[1]
    assert motion.stopped[0] is None and isinstance(end, Stop)
    assert np.isfinite(end.state.positions).all() and end.time < 5.0
    before = round(end.time / 0.5)
    assert np.array_equal(end.state.positions, motion.states.positions[1, before])
    assert np.isnan(motion.states.positions[1, before + 1 :]).all()
    back = cd.load(cd.save(motion, tmp_path / "motion.npz")).stopped
    assert back[0] is None and (back[1].time, back[1].reason) == (end.time, end.reason)
    assert np.array_equal(back[1].state.rotations, end.state.rotations)


def test_a_file_without_last_states_loads(tmp_path):
    """Oracle: the file that an older version wrote: times and reasons alone."""
    motion = spinning().simulate(duration=0.1, stop=lambda t, state: t > 0.045)
    path = cd.save(motion, tmp_path / "motion.npz")
    with np.load(path) as file:
        arrays = {
            name: x for name, x in file.items() if name in ("stopped_time", "stopped_reason") or "stopped" not in name
        }
    np.savez(path, **arrays)
    old = cd.load(path)
    assert old.stopped.time == motion.stopped.time and old.stopped.state is None
    assert "stop condition" in repr(old) and old.as_trajectory().stopped.q == pytest.approx(old.as_trajectory().q[5])


@pytest.mark.slow
def test_a_member_that_failed_does_not_trouble_a_control():
    """Oracle: the other member alone, bit by bit. The control sees last good states, never NaN."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hh", speed=10.0).arrays)
    seen = []

    def control(t, state):
        seen.append(np.isfinite(state.positions).all())
        return {"torques": -0.01 * state.angular_velocities}

    with pytest.warns(StoppedWarning):
        both = skeleton.simulate(batch_of(skeleton, [0.01, 1.0]), duration=5.0, step=0.5, control=control)
    alone = skeleton.simulate(batch_of(skeleton, [0.01]), duration=5.0, step=0.5, control=control)
    assert all(seen) and both.stopped[1] is not None
    assert np.array_equal(both.last.positions[0], alone.last.positions[0])


def test_bad_functions_and_what_they_return_are_named():
    """Oracle: the class, the argument's name and the number."""
    skeleton = spinning()
    with pytest.raises(BadValue, match=r"stop must be a function \(t, state\).*q"):
        skeleton.simulate(duration=0.1, stop=lambda t, q, v: False)
    with pytest.raises(BadValue, match=r"control must be a function \(t, state\)"):
        skeleton.simulate(duration=0.1, control=3.0)
    with pytest.raises(BadValue, match=r"control must return a dictionary.*t = 0 s.*list"):
        skeleton.simulate(duration=0.1, control=lambda t, state: [1.0])
    with pytest.raises(NotFinite, match="finite"):
        skeleton.simulate(duration=0.1, control=lambda t, state: {"motors": [np.nan]})
    with pytest.raises(NotFinite, match=r"motors.*t = 0\.1 s"):
        skeleton.simulate(duration=0.1, motors=lambda t: [np.nan] if t > 0.095 else [1.0])
    with pytest.raises(BadShape, match=r"\(3,\).*\(2,\)"):
        skeleton.simulate(batch_of(skeleton, [1, 2]), duration=0.1, control=lambda t, s: {"motors": np.ones((3, 1))})
    with pytest.raises(BadShape, match=r"t = 0\.1 s has batch shape \(3,\)"):
        skeleton.simulate(duration=0.1, motors=lambda t: np.ones((3, 1)) if t > 0.095 else [1.0])
    with pytest.raises(BadShape, match=r"stop returned shape \(3,\)"):
        skeleton.simulate(duration=0.1, stop=lambda t, state: [True, False, True])
    with pytest.raises(BadValue, match=r"record.*-1"):
        skeleton.simulate(duration=0.1, record=-1.0)
    with pytest.raises(BadValue, match="step must not be longer than duration"):
        skeleton.simulate(duration=0.1, step=0.2)
    with pytest.raises(NotFinite, match="t0"):
        skeleton.simulate(duration=0.1, t0=np.nan)


def test_records_that_memory_cannot_hold_are_refused(monkeypatch):
    """Oracle: the same words as of a model's run, with the number of records."""
    monkeypatch.setattr("condyle.simulation.schedule.NEGLIGIBLE", 0.0)
    monkeypatch.setattr("condyle.simulation.schedule._memory", lambda: 1e5)
    with pytest.raises(BadValue, match="10001 records"):
        spinning().simulate(duration=100.0)


def test_old_names_of_the_builder_still_work():
    """Oracle: the skeleton built with the names of now."""

    def made(spring, hinge):
        b = SkeletonBuilder().add_body("a", cd.Inertia.sphere(1.0, 0.1)).add_body("b", cd.Inertia.sphere(1.0, 0.1))
        return spring(hinge(b)).build()

    points, axis = ((0, 0, 0.1), (0, 0, 0.5)), (0, 1, 0)
    new = made(
        lambda b: b.add_spring("a", points[0], None, points[1], stiffness=3.0),
        lambda b: b.add_ball("a", "b", at=(0, 0, 0)).add_hinge("b", None, at=(0, 0, 0), axis=axis),
    )
    olds = (
        lambda b: b.add_spring("a", "world", *points, stiffness=3.0),
        lambda b: b.add_spring("a", "world", start=points[0], end=points[1], stiffness=3.0),
        lambda b: b.add_spring(first="a", second="world", start=points[0], end=points[1], stiffness=3.0),
        lambda b: b.add_spring("a", points[0], "world", points[1], stiffness=3.0),
    )
    for spring in olds:
        with pytest.warns(DeprecationWarning, match="SkeletonBuilder.add_") as warned:
            old = made(
                spring,
                lambda b: b.add_ball(first="a", second="b", at=(0, 0, 0)).add_hinge("b", "world", (0, 0, 0), axis),
            )
        assert all(w.filename == __file__ for w in warned)
        assert old.springs[0].name == new.springs[0].name == "a-world"
        assert old.springs[0].bodies == new.springs[0].bodies
        assert np.array_equal(old.springs[0].points, new.springs[0].points)
        assert np.array_equal(old.pairs, new.pairs) and old.joint_names == new.joint_names
    with pytest.raises(BadValue, match="body_a is given twice"):
        SkeletonBuilder().add_ball(first="a", body_a="a", body_b="b", at=(0, 0, 0))
    with pytest.warns(DeprecationWarning, match="Skeleton.body"):
        assert new.body("world") == new.body(None) == -1


def test_damping_is_friction():
    """Oracle: the skeleton whose hinge was given the friction at once."""
    a = (
        SkeletonBuilder()
        .add_body("a", cd.Inertia.sphere(1.0, 0.1))
        .add_ball("a", None, at=(0, 0, 0), friction=0.2, name="j")
    )
    assert a.add_damping("j", 0.3).build().friction == pytest.approx([0.5])
