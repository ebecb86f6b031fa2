"""A run that failed, left a range or was interrupted says so; bad arguments are named; no step is wasted."""

import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from condyle.simulation import OutsideRangeWarning, StoppedWarning
from condyle.simulation import driver as run_module
from condyle.simulation import run_progress as progress
from support import osim_files
from support.thinning import slow_but


def rail(stiffness=0.0, limits=None, bounds=None) -> cd.Model:
    """A mass of 2 kg on a rail without gravity: x'' = −(k/2) x."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(2.0, 0.1), joint_name="rail")
    if stiffness:
        b.add_stiffness("rail", stiffness)
    if limits:
        b.add_limit("rail", *limits, stiffness=1e6)
    if bounds:
        b.set_range("rail", *bounds)
    return b.build()


def quiet(*arguments, **options):
    """A run during which nothing may be said."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return cd.simulate(*arguments, **options)


def test_a_run_that_diverges_warns_and_is_printed_as_stopped():
    """Oracle: Euler's method on x'' = −ω² x grows by √(1 + ω²h²) a step, here without bound."""
    with pytest.warns(StoppedWarning, match=r"t = 1 s.*stopped at t = 0\.\d+ s.*'rail' of body 'cart'.*1e9"):
        traj = cd.simulate(rail(1e9), [1.0], duration=1.0, integrator="euler")
    assert issubclass(StoppedWarning, errors.CondyleWarning)
    assert repr(traj).startswith(f"<Trajectory: stopped at t = {traj.stopped.time:.6g} s: the motion diverged")
    assert repr(quiet(rail(), [1.0], duration=0.1)).startswith("<Trajectory: 101 records")


def test_a_batch_in_which_members_fail_names_the_first():
    """Oracle: the faster a member starts, the sooner it passes 1e9 m/s; the one at rest never does."""
    with pytest.warns(StoppedWarning, match=r"2 of 3 members stopped, first member \[2\].*'rail'"):
        traj = cd.simulate(rail(1e9), [[1e-3], [0.0], [1e3]], duration=1.0, integrator="euler", record=0.1)
    assert traj.stopped[1] is None and traj.stopped[2].time < traj.stopped[0].time
    assert repr(traj).startswith("<Trajectory: 2 of 3 members stopped, first member [2]")


def test_a_run_that_was_asked_to_stop_does_not_warn():
    """Oracle: the clock; printing says it."""
    traj = quiet(rail(), [0.0], [1.0], duration=1.0, stop=lambda t, q, v: t > 0.5)
    assert repr(traj).startswith("<Trajectory: stopped at t = 0.501 s: the stop condition was met")


@pytest.mark.parametrize(
    "integrator", ["euler", "semi-implicit", "rk4", "adaptive", pytest.param("variational", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("q", "v"), [(0.0, 1e200), (1e308, 1e200), (0.0, 1e10)])
def test_a_run_from_a_huge_state_says_why_it_stops(integrator, q, v):
    """Oracle: the class and the joint; records after the start are NaN."""
    with pytest.warns(StoppedWarning, match=r"'rail'|'cart'"):
        traj = cd.simulate(rail(1.0), [q], [v], duration=0.01, integrator=integrator)
    assert np.isfinite(traj.q[0]).all() and np.isnan(traj.q[1:]).all() and traj.stopped.time == 0.0


def test_leaving_a_range_is_said_once_with_time_and_value():
    """Oracle: x = 2 t passes 0.5 m at 0.25 s and reaches 2 m after a second; there and back is one excursion."""
    model = rail(bounds=(-1.0, 0.5))
    with pytest.warns(OutsideRangeWarning) as caught:
        traj = cd.simulate(model, [0.0], [2.0], duration=1.0, record=0.01)
    assert [str(w.message) for w in caught] == [str(caught[0].message)]
    assert "rail left [-1, 0.5] at t = 0.26 s and reached 2" in str(caught[0].message)
    assert "add_limit" in str(caught[0].message) and caught[0].filename == __file__
    assert [(x.coordinate, x.time, x.reached) for x in traj.beyond_range] == [
        ("rail", pytest.approx(0.26), pytest.approx(2.0))
    ]
    quiet(model, [0.0], [0.5], duration=1.0)  # up to the end of its range, not beyond


def test_a_limit_that_yields_a_little_is_not_reported():
    """Oracle: a cart of 2 kg at 1 m/s enters a spring of 1e6 N/m by √(m/k) = 1.4 mm; without it, it runs away."""
    within = quiet(rail(limits=(-0.1, 0.1), bounds=(-0.1, 0.1)), [0.0], [1.0], duration=1.0, step=1e-4, record=1e-3)
    assert 0.101 < within.q.max() < 0.1015 and within.beyond_range == ()
    with pytest.warns(OutsideRangeWarning, match="reached"):
        cd.simulate(rail(limits=(-np.inf, 0.1), bounds=(-0.1, 0.1)), [0.0], [-1.0], duration=1.0)
    with pytest.warns(OutsideRangeWarning, match="reached"):  # the spring is too weak for this cart
        cd.simulate(rail(limits=(-0.1, 0.1), bounds=(-0.1, 0.1)), [0.0], [100.0], duration=0.1, step=1e-5)


def test_members_of_a_batch_share_one_warning():
    """Oracle: the farthest of them, and the first to leave."""
    with pytest.warns(OutsideRangeWarning, match=r"at t = 0\.1\d* s and reached -4") as caught:
        cd.simulate(rail(bounds=(-0.5, 0.5)), np.zeros((3, 1)), [[1.0], [-4.0], [0.1]], duration=1.0, record=0.01)
    assert len(caught) == 1


def test_a_progress_bar_is_for_terminals(capfd):
    """Oracle: standard output and error of a run that is not in a terminal."""
    cd.simulate(rail(), [0.0], duration=1.0, progress=True)
    assert capfd.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_on_standard_error():
    """Oracle: what a pseudo-terminal receives; standard output stays empty."""
    pty, os = pytest.importorskip("pty"), pytest.importorskip("os")
    master, slave = pty.openpty()
    code = (
        "import condyle as cd\n"
        "from condyle.simulation.run_progress import progress_bar\n"
        "with progress_bar(10, True) as advanced:\n    advanced(10)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"}
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=slave, env=environment)
    os.close(slave)
    assert done.returncode == 0 and done.stdout == b"" and b"simulating" in os.read(master, 10000)
    os.close(master)


def steps_of(**options) -> tuple[int, np.ndarray]:
    """How many steps a run takes, counted by its control, and the times of its records."""
    calls = []
    traj = cd.simulate(rail(), [0.0], control=lambda t, q, v: calls.append(t) or [0.0], **options)
    return len(calls), traj.t


@pytest.mark.parametrize("record", [1.0, 1.5, 1e6, 1e300])
def test_records_longer_than_the_run_are_its_start_and_end(record):
    """Oracle: the number of steps that was asked for."""
    steps, t = steps_of(duration=1.0, step=0.1, record=record)
    assert steps == 10 and t.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("options", "steps", "records"),
    [
        ({"duration": 1.0, "step": 1e-2, "record": 1 / 60}, 120, 61),
        ({"duration": 1.0, "step": 0.1, "record": 0.35}, 12, 4),
        ({"duration": 1.0, "step": 0.3}, 4, 5),
        ({"duration": 0.3, "step": 0.1, "record": 0.1}, 3, 4),
        ({"duration": 1.0, "step": 0.1, "record": 0.01}, 10, 11),
        ({"duration": 1.04, "step": 0.1, "record": 1.04}, 11, 2),
        ({"duration": 0.7, "step": 0.1, "record": 0.1}, 7, 8),
    ],
)
def test_steps_and_records_are_equal_parts_no_longer_than_asked(options, steps, records):
    """Oracle: the least whole numbers of parts, by hand."""
    count, t = steps_of(**options)
    assert (count, len(t)) == (steps, records) and t[-1] == pytest.approx(options["duration"])
    assert np.allclose(np.diff(t), options["duration"] / (records - 1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"duration": 1e9, "step": 1e-9}, r"duration / step.*1e\+12.*duration = 1000000000\.0"),
        ({"duration": 1e300, "step": 1e-300}, "duration / step"),
        ({"duration": "long"}, "duration must be a positive number.*'long'"),
        ({"duration": True}, "duration must be a positive number"),
        ({"duration": 1.0, "step": 1j}, "step must be a positive number"),
        ({"duration": 1.0, "step": None}, "step must be a positive number"),
        ({"duration": 1.0, "tolerance": [1e-8, 1e-8]}, "tolerance must be a positive number"),
        ({"duration": 1.0, "t0": "now"}, "t0 must be finite.*'now'"),
        ({"duration": np.array([1.0])}, "duration must be a positive number"),
    ],
)
def test_times_that_make_no_run_are_named(options, words):
    """Oracle: the class, the argument and its value."""
    with pytest.raises(errors.CondyleError, match=words):
        cd.simulate(rail(), [0.0], **options)


def test_records_that_memory_cannot_hold_are_refused_before_the_first_step(monkeypatch):
    """Oracle: two numbers of eight bytes for each of a million steps, on a machine of ten megabytes."""
    monkeypatch.setattr("condyle.simulation.schedule._memory", lambda: 1e7)
    with pytest.raises(errors.BadValue, match=r"1000001 records of 1 members need 0\.016 GB.*0\.01 GB.*record="):
        cd.simulate(rail(), [0.0], duration=1000.0, step=1e-3)
    assert len(quiet(rail(), [0.0], duration=1.0, step=1e-3).t) == 1001


@pytest.mark.parametrize("number", [1, np.float32(0.5), np.int64(1), np.array(0.5)])
def test_times_may_be_any_real_number(number):
    """Oracle: the end of the run."""
    assert quiet(rail(), [0.0], duration=number, step=0.1).t[-1] == float(number)


def two(t, q):
    return [0.0]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"control": "push"}, errors.BadShape, r"control.*function \(t, q, v\).*real numbers.*text"),
        ({"control": {"rail": 1.0}}, errors.BadShape, "control.*dict"),
        ({"control": [1j]}, errors.BadShape, "control.*complex"),
        ({"control": 3.0}, errors.BadShape, r"control must be a function \(t, q, v\)"),
        ({"control": two}, errors.BadValue, r"control must be a function \(t, q, v\).*'two'.*\(t, q\)"),
        ({"control": np.zeros((2, 5, 1))}, errors.BadShape, "control must be a function"),
        ({"control": lambda t, q, v: ["a"]}, errors.BadShape, "control returned at t = 0 s.*text"),
        ({"control": lambda t, q, v: [1j]}, errors.BadShape, "control returned at t = 0 s.*complex"),
        ({"control": lambda t, q, v: {"rail": 1.0}}, errors.BadShape, "control returned at t = 0 s.*dict"),
        ({"stop": True}, errors.BadValue, r"stop must be a function \(t, q, v\).*True"),
        ({"stop": "q > 1"}, errors.BadValue, r"stop must be a function \(t, q, v\)"),
        ({"stop": two}, errors.BadValue, r"stop must be a function \(t, q, v\).*'two'"),
        ({"stop": lambda t, q, v: None}, errors.BadShape, "stop returned None at t = 0.01 s"),
        ({"stop": lambda t, q, v: "yes"}, errors.BadShape, "stop returned at t = 0.01 s.*text"),
        ({"stop": lambda t, q, v: np.zeros(3)}, errors.BadShape, r"stop returned shape \(3,\) at t = 0.01 s"),
        ({"stop": lambda t, q, v: np.nan}, errors.NotFinite, "stop returned a NaN"),
        ({"wrenches": [[1j] * 6]}, errors.BadShape, "wrenches.*complex"),
        ({"q": [1j]}, errors.BadShape, "q must be an array of real numbers.*complex"),
        ({"v": np.array([None])}, errors.BadShape, "v must be an array of real numbers.*NoneType"),
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_kind_are_named(options, error, words):
    """Oracle: the class, the argument's name and what was got."""
    with pytest.raises(error, match=words):
        cd.simulate(rail(), **{"q": [0.0], "duration": 0.1, "step": 0.01, **options})


def test_a_bound_method_and_a_partial_function_are_controls():
    """Oracle: x = F t²/(2 m)."""
    from functools import partial

    push = partial(lambda force, t, q, v: [force], 4.0)
    assert quiet(rail(), [0.0], duration=1.0, step=0.1, control=push).q[-1, 0] == pytest.approx(1.0)
    assert (
        quiet(
            rail(), [0.0], duration=1.0, step=0.1, stop=np.vectorize(lambda t, q, v: False, signature="(),(n),(n)->()")
        ).stopped
        is None
    )


def test_a_stage_that_fails_names_its_body_and_the_others_go_on():
    """Oracle: the same members alone; the second body is too fast to compute with."""
    b = cd.ModelBuilder()
    bob = cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -0.5))
    b.add_body("upper", joint=cd.joints.revolute("y"), inertia=bob)
    b.add_body("lower", parent="upper", joint=cd.joints.revolute("y"), inertia=bob)
    model, v = b.build(), np.array([[0.1, 0.2], [0.0, 1e200], [0.3, 0.1]])
    options = {"duration": 0.05, "step": 0.01, "control": lambda t, q, v: 0.0 * v, "control_at": "stages"}
    with pytest.warns(StoppedWarning, match=r"1 of 3 members.*\[1\]"):
        traj = cd.simulate(model, np.zeros((3, 2)), v, **options)
    assert "upper" in traj.stopped[1].reason or "lower" in traj.stopped[1].reason
    alone = quiet(model, np.zeros((2, 2)), v[[0, 2]], **options)
    assert np.array_equal(traj.q[[0, 2]], alone.q) and np.isnan(traj.q[1, 1:]).all()


@pytest.mark.slow
def test_too_many_steps_within_an_interval_are_not_passed_over():
    """Oracle: 5 s at 1e6 rad/s are about 5e6 radians, more than a million steps of this tolerance."""
    with pytest.warns(StoppedWarning, match=r"more than a million steps.*'rail'"):
        traj = cd.simulate(rail(2e12), [1e-3], duration=5.0, step=5.0, integrator="adaptive", tolerance=1e-9)
    assert np.isnan(traj.q[-1]).all()


class Fixed(progress.Pace):
    """So many steps at once, however long they take."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def took(self, steps: int, seconds: float) -> None:
        """Nothing to learn."""


def pendulum(**options) -> cd.Model:
    """Two links, one driven if asked for, the last pinned if asked for."""
    b = cd.ModelBuilder()
    bob = cd.Inertia.sphere(1.0, 0.05, com=(0, 0, -0.25))
    b.add_body("upper", joint=cd.joints.revolute("y"), inertia=bob)
    below = cd.SE3.from_translation([0, 0, -0.5])
    b.add_body("lower", parent="upper", joint=cd.joints.ball(), inertia=bob, placement=below)
    if options.get("driven"):
        b.prescribe("upper", lambda t: 0.3 * np.sin(5.0 * t))
    if options.get("pinned"):
        b.add_constraint(cd.constraints.point("lower", (0, 0, -0.5), None, (0.0, 0.0, -1.0)))
    return b.build()


@pytest.mark.parametrize("members", [(), (5,)])
@pytest.mark.parametrize(
    ("integrator", "made"),
    slow_but(
        [("euler", ""), ("semi-implicit", ""), ("rk4", "")],
        [
            ("euler", ""), ("semi-implicit", ""), ("rk4", ""), ("rk4", "driven"), ("rk4", "pinned"),
            ("adaptive", ""), ("adaptive", "driven"), ("variational", ""),
        ],
    ),
)  # fmt: skip
def test_how_often_python_looks_in_does_not_change_a_bit(monkeypatch, integrator, made, members):
    """Oracle: the same run in one piece, bit by bit."""
    made = {made: True} if made else {}
    model = pendulum(**made)
    q = np.broadcast_to(model.neutral(), (*members, model.nq))
    v = np.zeros((*members, 4)) if made.get("pinned") else np.broadcast_to([0.2, 1.0, 2.0, 3.0], (*members, 4))
    if made.get("pinned"):
        v = v + [0.0, 0.0, 0.0, 1.0]  # it turns about its own length
    runs = []
    for steps in (1, 3, 1000):
        monkeypatch.setattr(run_module, "Pace", lambda *_, steps=steps: Fixed(steps))
        runs.append(quiet(model, q, v, duration=0.03, step=1e-3, integrator=integrator))
    assert np.array_equal(runs[0].q, runs[2].q) and np.array_equal(runs[1].v, runs[2].v)


def test_the_pace_is_that_of_the_machine():
    """Oracle: a tenth of a second by the rule of three, reached in leaps of eight."""
    pace = progress.Pace()
    taken = []
    for _ in range(8):
        taken.append(pace.steps)
        pace.took(pace.steps, pace.steps * 1e-6)
    assert taken == [1, 8, 64, 512, 4096, 32768, 100000, 100000] or taken[-1] == pytest.approx(1e5, rel=1e-3)
    pace.took(100, 50.0)
    assert pace.steps == 1


@pytest.mark.parametrize("where", ["control", "stages", "stop"])
@pytest.mark.parametrize("members", [(), (3,)])
def test_an_interrupted_run_keeps_its_records(where, members):
    """Oracle: the whole run; the records before the interruption are the same, bit by bit."""

    def interrupting(t, q, v):
        if t > 0.055:
            raise KeyboardInterrupt
        return np.zeros((*members, 1)) if where != "stop" else np.zeros(members, dtype=bool)

    options = {"duration": 0.2, "step": 0.01, "record": 0.02}
    given = {"control": interrupting, "control_at": where} if where == "stages" else {where: interrupting}
    with pytest.raises(errors.Interrupted, match=r"t = 0\.0[46] s") as caught:
        cd.simulate(rail(2.0), np.ones((*members, 1)), **options, **given)
    traj = caught.value.trajectory
    whole = quiet(rail(2.0), np.ones((*members, 1)), **options)
    assert isinstance(caught.value, KeyboardInterrupt) and isinstance(traj, cd.Trajectory)
    assert traj.t == pytest.approx([0.0, 0.02, 0.04] if where == "stages" else [0.0, 0.02, 0.04, 0.06])
    assert traj.q == pytest.approx(whole.q[..., : len(traj.t), :], abs=1e-12) and np.isfinite(traj.v).all()
    last = traj.stopped if not members else traj.stopped[-1]
    assert last.reason == "interrupted" and last.time == pytest.approx(traj.t[-1])
    assert np.array_equal(last.q, traj.q[(*([-1] * len(members)), -1)]) and "interrupted" in repr(traj)


@pytest.mark.parametrize("where", ["control", "stages", "stop"])
@pytest.mark.parametrize("members", [(), (3,)])
def test_an_error_about_what_a_function_returned_has_the_records_so_far(where, members):
    """Oracle: the whole run; the records before the NaN are the same."""

    def bad(t, q, v):
        return np.full(members if where == "stop" else (*members, 1), np.nan if t > 0.055 else 0.0)

    options = {"duration": 0.2, "step": 0.01, "record": 0.02}
    given = {"control": bad, "control_at": where} if where == "stages" else {where: bad}
    with pytest.raises(errors.NotFinite, match=r"t = 0\.06") as caught:
        cd.simulate(rail(2.0), np.ones((*members, 1)), **options, **given)
    traj, whole = caught.value.trajectory, quiet(rail(2.0), np.ones((*members, 1)), **options)
    assert traj.t == pytest.approx([0.0, 0.02, 0.04] if where == "stages" else [0.0, 0.02, 0.04, 0.06])
    assert traj.q == pytest.approx(whole.q[..., : len(traj.t), :], abs=1e-12) and np.isfinite(traj.v).all()
    for end in traj.stops():
        assert "NotFinite" in end.reason and end.time == pytest.approx(traj.t[-1])


def test_an_error_of_the_users_own_function_has_them_too_and_those_before_a_run_have_none(tmp_path):
    """Oracle: the whole run, in memory; a folder has the chunks that were full, and goes on."""
    broken = [True]

    def control(t, q, v):
        if broken and t > 0.1:
            raise errors.OutOfReach("too far")
        return [0.0]

    options = {"duration": 0.2, "step": 0.01}
    whole = quiet(rail(2.0), [1.0], **options)
    for kept in ({}, {"record_to": tmp_path / "run"}):
        with pytest.raises(errors.OutOfReach) as caught:
            cd.simulate(rail(2.0), [1.0], control=control, **options, **kept)
        traj = caught.value.trajectory
        assert len(traj.t) == (0 if kept else 12)
        assert traj.q == pytest.approx(whole.q[: len(traj.t)], abs=1e-12)
    broken.clear()
    again = cd.simulate(rail(2.0), [1.0], control=control, record_to=tmp_path / "run", resume=True, **options)
    assert again.q == pytest.approx(whole.q, abs=1e-12)
    with pytest.raises(errors.CondyleError) as caught:
        cd.simulate(rail(2.0), [np.nan], **options)
    assert caught.value.trajectory is None


def test_an_interrupted_run_goes_on_from_its_last_record():
    """Oracle: the run without interruption."""
    whole = quiet(rail(2.0), [1.0], duration=0.2, step=0.01)
    stop = lambda t, q, v: (_ for _ in ()).throw(KeyboardInterrupt) if t > 0.1 else False  # noqa: E731
    with pytest.raises(errors.Interrupted) as caught:
        cd.simulate(rail(2.0), [1.0], duration=0.2, step=0.01, stop=stop)
    last = caught.value.trajectory.stopped
    rest = quiet(rail(2.0), last.q, last.v, duration=0.2 - last.time, step=0.01, t0=last.time)
    assert rest.q[-1] == pytest.approx(whole.q[-1], abs=1e-12)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timer signals")
@pytest.mark.parametrize("integrator", slow_but(["rk4"], ["rk4", "adaptive", "variational"]))
def test_a_signal_ends_compiled_steps_soon(integrator):
    """Oracle: hours of steps end before the test does; the timer is set when the run is under way."""
    quiet(rail(2.0), [1.0], duration=0.1, integrator=integrator)  # compiled
    armed = []

    def arm(t, q, v):
        if not armed:
            armed.append(signal.setitimer(signal.ITIMER_REAL, 0.3))
        return False

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(errors.Interrupted) as caught:
            cd.simulate(rail(2.0), [1.0], duration=1e7, step=1e-3, record=1e2, integrator=integrator, stop=arm)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert 1 <= len(caught.value.trajectory.t) < 100001


FLOOR = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="ball" pos="0 0 .2"><joint name="drop" type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody>
<actuator><motor name="lift" joint="drop"/></actuator></mujoco>"""

LINK = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="drop" type="prismatic"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize(("suffix", "text", "named"), [(".xml", FLOOR, "'lift'"), (".urdf", LINK, "'arm'")])
def test_a_run_names_contact_and_drives_of_a_file_once(tmp_path, suffix, text, named):
    """Oracle: ½ g t² of free fall through the floor; what the file has, by name, in one warning for two runs."""
    path = tmp_path / f"model{suffix}"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = cd.load(path)
    with pytest.warns(errors.NotInModel, match=named) as caught:
        runs = [cd.simulate(model, [0.0], duration=0.1) for _ in range(2)]
    assert len(caught) == 1
    assert runs[0].q[-1, 0] == pytest.approx(-0.5 * 9.81 * 0.01)


def test_a_run_names_contact_of_an_osim_file(tmp_path):
    """Oracle: class and name of the contact force in the warning."""
    hinge = osim_files.joint("PinJoint", "hinge", "/ground", "/bodyset/foot", [osim_files.coordinate("angle")])
    heel = '<ForceSet><objects><HuntCrossleyForce name="heel"/></objects></ForceSet>'
    path = tmp_path / "foot.osim"
    path.write_text(osim_files.model([osim_files.body("foot")], [hinge], heel))
    with pytest.warns(errors.NotInModel, match="heel"):
        model = cd.load(path)
    with pytest.warns(errors.NotInModel, match="HuntCrossleyForce.*'heel'"):
        cd.simulate(model, [0.0], duration=0.01)


def test_drives_that_a_control_stands_for_are_not_named(tmp_path):
    """Oracle: the words of the warning, which still names contact."""
    path = tmp_path / "model.xml"
    path.write_text(FLOOR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = cd.load(path)
    with pytest.warns(errors.NotInModel, match=r"contact of 2 geoms") as caught:
        cd.simulate(model, [0.0], duration=0.01, control=[1.0])
    assert "lift" not in str(caught[0].message)


@pytest.mark.parametrize("joint", ["ball", "free"])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_semi_implicit_steps_of_what_turns_warn_of_the_energy_they_add(joint, batch, tmp_path):
    """Oracle: the energy, which nothing changes: it grows where there is a warning; rk4 keeps it in silence."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    body = cd.Inertia.box(1.0, (0.1, 0.2, 0.3))
    model = b.add_body("top", joint=getattr(cd.joints, joint)(), inertia=body).build()
    v = np.zeros((*batch, model.nv))
    v[..., :3] = (1.0, 5.0, 0.3)
    run = {"duration": 30.0, "step": 1e-3, "record": 0.5}
    q = np.broadcast_to(model.neutral(), (*batch, model.nq))
    for more in ({}, {"record_to": tmp_path / "run"}):
        with pytest.warns(cd.errors.CondyleWarning, match="semi-implicit steps .* 'top' .*='variational' or 'rk4'"):
            moved = cd.simulate(model, q, v, integrator="semi-implicit", **run, **more)
    total = moved.energy().total
    assert np.all(total[..., -1] > 1.02 * total[..., 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = cd.simulate(model, q, v, integrator="rk4", **run).energy().total
        cd.simulate(model, q, v, integrator="semi-implicit", duration=0.5)
    assert kept[..., -1] == pytest.approx(kept[..., 0], rel=1e-6)
