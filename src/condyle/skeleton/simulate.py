"""`Skeleton.simulate`: states forward in time. [Hakenberg, the algorithm; two integrators of our own beside it]"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ..errors import BadValue, require, unknown_name
from ..formats.record_folder import RecordFolder, writing
from ..simulation.callbacks import require_function
from ..simulation.driver import Run, driven, unexplained, warn_of_stops
from ..simulation.schedule import Plan, make_plan, positive
from ..typing import PathLike, Progress
from .engine.joint_gaps import check_closed
from .engine.sampled_loads import Loads
from .engine.skeleton_engine import Method, SkeletonEngine
from .friction import friction_over
from .kernels.time_loops import run_printed, run_rk4, run_variational
from .open_joints import DRIFTING, open_joints, warn_of_open_joints
from .recorded_motion import RecordedMotion
from .recording import SkeletonRecordingRun, keep_skeleton, manifest
from .state import State
from .trajectory import Trajectory

if TYPE_CHECKING:
    from .skeleton import Skeleton


LOOPS = {"variational": run_variational, "rk4": run_rk4, "printed": run_printed}
SAMPLES = {"variational": 1, "rk4": 2, "printed": 1}  # instants of load per step
TAKES = ("t", "state")  # what the user's functions get


def simulate(
    skeleton: Skeleton,
    state: State | None = None,
    *,
    duration: float,
    step: float = 0.01,
    integrator: str = "variational",
    friction: str | None = None,
    motors: Callable | ArrayLike | dict | None = None,
    forces: Callable | ArrayLike | dict | None = None,
    torques: Callable | ArrayLike | dict | None = None,
    control: Callable | None = None,
    record: float | None = None,
    t0: float = 0.0,
    stop: Callable | None = None,
    progress: Progress = False,
    threads: int | None = None,
    every: int | None = None,
    record_to: PathLike | None = None,
    resume: bool = False,
) -> Trajectory:
    """Simulate a skeleton for a time, from one state or from a batch of states at once.

    Parameters
    ----------
    state : State, optional
        The start, of one member or of a batch; by default the skeleton's own.
    duration : float
        How long [s].
    step : float
        The longest step [s]: the steps are equal and make up the duration exactly.
    integrator : {"variational", "rk4", "printed"}
        RATTLE with a variational rigid body, which keeps joints and momentum to round-off; Runge-Kutta of order 4; the
        article's own update, of order 1.
    friction : {"explicit", "trapezoidal", "implicit"}, optional
        How much of the joints' friction acts at the end of a step. By default for "variational" half of it
        ("trapezoidal", second order), all of it ("implicit", first order) where a joint is so stiff that half would
        ring: h μ (1/I₁ + 1/I₂) > 2; "explicit" for the others.
    motors : callable, array_like or dict, optional
        Torques of joints [N m]: a number per joint (..., joints) about a hinge's axis, a vector per joint
        (..., joints, 3) in the axes of its first body, {joint: either}, or a function of the time [s] that gives one of
        these.
    forces, torques : callable, array_like or dict, optional
        On bodies [N, N m], (..., bodies, 3) in world axes, {body: vector}, or a function of the time.
    control : callable, optional
        `control(t, state)` is asked once per step with the last good states of the whole batch. It returns
        {"motors": …, "forces": …, "torques": …}, any of them, to add to the above, or None; they are held over the
        step, and functions of time are then held with them.
    record : float, optional
        The longest time between records [s]: they are equally far apart, whole numbers of steps. By default every step
        is recorded. Longer than the duration: the start and the end. Never more often than every step.
    t0 : float
        The time at the start [s], for loads that are functions of it, and control.
    stop : callable, optional
        `stop(t, state)`, evaluated at records, ends the members for which it is true.
    progress : bool or callable, optional
        True shows a bar on standard error, if that is a terminal; a function is called with (stage, done, total).
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    every : int, optional
        Deprecated: `record` instead, in seconds. How many steps there are from record to record.
    record_to : str or Path, optional
        A folder that records go to while the run goes on, in chunks of a few seconds of work, so that memory holds one
        chunk whatever the duration and a process that dies loses no finished chunk. `cd.open_run` reads it at any time.
    resume : bool, optional
        Go on with the run that was begun in `record_to` with the same arguments, if there is one; the records are bit
        by bit those of an undisturbed run. Of functions only the code is compared, not the values that they read.

    Returns
    -------
    Trajectory
        Times and states of the records; with `record_to` a `RecordedMotion`, which reads them from there. A member that
        fails has NaN after its end, and a reason and its last good state in `.stopped`; the others go on.

    Raises
    ------
    BadShape, BadValue, NotFinite, UnknownName
        For arguments that make no sense, and for what `control` and `stop` return, with the records so far in their
        `trajectory`.
    BadFile
        If the folder `record_to` cannot be written, the disk is full, or it has another run; what was recorded stays.
    InconsistentLoop
        If the start does not satisfy the joints; `skeleton.projected(state)` closes them.
    Interrupted
        After Ctrl-C, with the records so far in its `trajectory`. Compiled steps are interrupted about ten times a
        second, but never within a step of the whole batch.

    Warns
    -----
    StoppedWarning
        If a run or a member failed.
    CondyleWarning
        If a joint came apart, which "rk4" and "printed" do not prevent: at a record its two locations were farther
        apart than 1e-3 of the larger body that it joins (from its centre of mass to its farthest joint, at least its
        radius of gyration), or its axes by more than 1e-3 rad. The joint, the member and the first such time are named;
        between records nobody looks.

    Examples
    --------
    >>> import condyle as cd
    >>> b = cd.skeleton.SkeletonBuilder().add_body("bob", cd.Inertia.sphere(1.0, 0.1), position=(1.0, 0.0, 0.0))
    >>> bob = b.add_hinge("bob", None, at=(0, 0, 0), axis=(0, 1, 0)).build()
    >>> bob.simulate(duration=1.0, record=0.25).t.tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    state = skeleton.checked_state(state)
    if integrator not in LOOPS:
        raise unknown_name("integrator", integrator, LOOPS, "condyle.skeleton")
    _require_functions(control=control, stop=stop)
    plan = make_plan(t0, duration, step, record if every is None else _old_record(step, record, every))
    treated = friction_over(skeleton, friction, integrator, plan.step)
    check_closed(skeleton, state)
    method = Method(LOOPS[integrator], SAMPLES[integrator], treated, threads)
    loads = Loads(skeleton, motors, forces, torques)
    if record_to is not None:
        said = manifest(skeleton, state, plan, (integrator, treated.share), loads, (control, stop))
        with writing(record_to, said, resume) as folder:
            return _recorded(skeleton, state, (plan, method, loads), (control, stop, progress), folder)
    require(not resume, "resume=True is for runs that are recorded to a folder; say which (record_to=…)")
    run = Run(SkeletonEngine(skeleton, state, plan, method, loads), plan)
    trajectory = driven(run, control, stop, progress, unexplained)
    warn_of_stops(run, trajectory)
    if integrator in DRIFTING:
        warn_of_open_joints(open_joints(skeleton, trajectory.t, trajectory.states), integrator)
    return trajectory


def _require_functions(**functions: Callable | None) -> None:
    """Those that are given take what they are called with."""
    for name, f in functions.items():
        if f is not None:
            require_function(f, name, TAKES)


def _recorded(
    skeleton: Skeleton, state: State, how: tuple[Plan, Method, Loads], called: tuple, folder: RecordFolder
) -> RecordedMotion:  # fmt: skip
    """The run whose records go to a folder."""
    (plan, method, loads), (control, stop, progress) = how, called
    keep_skeleton(skeleton, state, plan, loads, folder)
    engine = SkeletonEngine(skeleton, state, plan, method, loads, folder.manifest["chunk"] + 1)
    run = SkeletonRecordingRun(engine, plan, folder)
    found = driven(run, control, stop, progress, unexplained)
    warn_of_stops(run, found)
    warn_of_open_joints(run.opened, folder.manifest["integrator"])
    return found


def _old_record(step: float, record: float | None, every: int) -> float:
    """The time between records of `every`, the deprecated number of steps."""
    require(record is None, "give record or every, not both", BadValue, record=record, every=every)
    require(every >= 1 and every == int(every), "every must be a whole number of steps, at least 1", every=every)
    words = f"simulate(every={every}) counts steps; give the time between records instead: record={every * step:g}"
    warnings.warn(words, DeprecationWarning, stacklevel=3)
    return every * positive(step, "step")
