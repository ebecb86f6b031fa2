"""`simulate`: states forward in time, in compiled code, for one state or a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..dynamics.arguments import States, states
from ..dynamics.member_models import spread_over
from ..dynamics.muscle_calls import muscle_function
from ..errors import NotSupported, OutsideDomainWarning, require, warn
from ..formats.record_folder import writing
from ..model import Model
from ..model.model_batch import ModelBatch
from ..model.validate_model import require_model
from ..typing import ArrayLike, PathLike, Progress
from .callbacks import require_function
from .corners.corner_simulation import failed, has_corners, require_without_corners, through_corners
from .domain_exits import OutsideRangeWarning
from .driver import Run, driven, unexplained, warn_of_stops
from .events import StoppedWarning, stopped_words
from .failure_diagnosis import explained
from .idle_parts import warn_of_idle_parts
from .recordings.recorded_run import RecordedRun
from .recordings.tree_recording import TreeRecordingRun, keep_model, manifest
from .schedule import Plan, check_integrator, make_plan, positive
from .stable_steps import warn_of_turning_gain
from .trajectory import Trajectory
from .tree_engine import Method, TreeEngine


def simulate(
    model: Model,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    duration: float,
    step: float = 1e-3,
    integrator: str = "rk4",
    control: Callable | ArrayLike | None = None,
    control_at: str = "steps",
    wrenches: ArrayLike | None = None,
    record: float | None = None,
    t0: float = 0.0,
    stop: Callable | None = None,
    tolerance: float = 1e-8,
    land_on_knots: bool | None = None,
    progress: Progress = False,
    threads: int | None = None,
    record_to: PathLike | None = None,
    resume: bool = False,
    parameters: Mapping[str, ArrayLike] | None = None,
    excitations: Callable | ArrayLike | None = None,
    activation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
    friction: Mapping[str, float | tuple[float, float]] | None = None,
) -> Trajectory:
    """Simulate a model for a time, from one state or from a batch of states at once.

    Parameters
    ----------
    model : Model
    q, v : array_like, shapes (..., nq) and (..., nv)
        The start: coordinates [rad, m] and velocities, by default zero. Prescribed coordinates start on their motion.
    duration : float
        How long [s].
    step : float
        The longest step [s]: the steps are equal and make up the duration exactly. With "adaptive" it is the interval
        at whose ends steps always land and over which a control is held: error-controlled steps divide it as finely as
        the tolerance asks, and none is longer.
    integrator : {"rk4", "adaptive", "variational", "semi-implicit", "euler"}
        Runge-Kutta of order 4; the Dormand-Prince pair of orders 5 and 4 with error control; a discrete principle of
        least action, which keeps energy bounded; two methods of order 1. (Bulirsch-Stoer extrapolation replays directed
        motion: `cd.control.replay(…, integrator="bulirsch-stoer")`.)
    control : callable or array_like, optional
        Generalised forces [N m, N]: `control(t, q, v)` gives (..., nv) for the whole batch once per step and is held;
        an array (..., nv) acts throughout, one of (..., steps, nv) step by step.
    control_at : {"steps", "stages"}
        "stages": `control` is evaluated at every stage of "rk4", which keeps its order, and not held.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on bodies that act throughout, in body axes at the body origins.
    record : float, optional
        The longest time between records [s]: they are equally far apart, whole numbers of steps. By default every step
        is recorded. Longer than the duration: the start and the end. Never more often than every step.
    t0 : float
        The time at the start [s], for prescribed motion and control.
    stop : callable, optional
        `stop(t, q, v)`, evaluated at records, ends the members for which it is true.
    tolerance : float
        Of "adaptive": the largest error of one step, relative to 1 + |x| for each coordinate and velocity x.
    land_on_knots : bool, optional
        Of "adaptive": whether steps end on the knots of spline joints; by default for one state, not for a batch.
    progress : bool or callable, optional
        True shows a bar on standard error, if that is a terminal; a function is called with (stage, done, total).
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    record_to : str or Path, optional
        A folder that records go to while the run goes on, in chunks of a few seconds of work, so that memory holds one
        chunk whatever the duration and a process that dies loses no finished chunk. `open_run` reads it at any time.
    resume : bool, optional
        Go on with the run that was begun in `record_to` with the same arguments, if there is one; the records are bit
        by bit those of an undisturbed run. Of functions only the code is compared, not the values that they read.
    parameters : mapping of str to array_like, optional
        Parameters by name that vary over the batch, (..., shape of the parameter), as `Model.with_parameters` has them;
        batches broadcast with `q`. Members run on SIMD lanes; those of models with constraints, followers or bushings
        each by itself. `trajectory.member(i)` has its model.
    excitations, activation, fiber_length : optional
        What drives the model's muscles and how they start, as `condyle.muscles.simulate` takes them: without
        excitations they do not act.
    friction : mapping of str to float or (float, float), optional
        Dry friction of joints of one coordinate that slide, such as `cd.joints.along` and `cd.joints.track`: coordinate
        → coefficient, or (sliding, static). It is that times the force across the way of the joint's moving frame; at
        rest it holds what is below the static one. Its work is `trajectory.friction_work`, its phases are
        `trajectory.slips`. With "rk4"; it is found at every stage, in Python.

    Returns
    -------
    Trajectory
        Times, coordinates and velocities of the records; with `record_to` a `RecordedRun`, which reads them from there.
        A member that fails has NaN after its end, and a reason and its last good state in `.stopped`; the others go on.
        A joint with `outside="error"` that leaves its domain ends its member at the last step in it (with "adaptive":
        at the last error-controlled one), whatever `record` is. With excitations a `condyle.muscles.MuscleTrajectory`,
        which has activations, fibre lengths and work of the muscles, too.

    Raises
    ------
    BadShape, BadValue, NotFinite, UnknownName
        For arguments that make no sense, for records that need more memory than is free, and for what `control` and
        `stop` return; these have the records so far in their `trajectory`, as errors have that such a function raises.
    BadFile
        If the folder `record_to` cannot be written, the disk is full, or it has another run; what was recorded stays.
    InconsistentLoop
        If the start does not satisfy the model's constraints; `project` brings it onto them.
    Interrupted
        After Ctrl-C, with the records so far in its `trajectory`. Compiled steps are interrupted about ten times a
        second, but never within a step (with "adaptive": an interval of `step`) of the whole batch.
    NotSupported
        `control_at="stages"`, `land_on_knots`, `record_to` or `parameters` beside excitations; for joints with corners
        and for friction also constraints, "variational", and a control function for a batch; for friction integrators
        but "rk4", joints that turn or have more coordinates, and more than one coordinate beside corners.

    Warns
    -----
    IdleMuscles
        If the model has muscles and no excitations were given.
    NotInModel
        Contact, or drives without a `control`, that the model's file has and a run has not; once for each model.
    StoppedWarning
        If a run or a member failed.
    CondyleWarning
        If semi-implicit steps may have given ball or free joints more than a tenth of their energy.
    OutsideDomainWarning, OutsideRangeWarning
        If a coordinate left the domain of its joint, or the range set for it, at a record: between records nobody
        looks, so that a long `record` may miss it.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.sphere(1.0, 0.05, com=(0.0, 0.0, -1.0))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.simulate(model, [0.5], duration=1.0, record=0.25).t.tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    told = {"excitations": excitations, "activation": activation, "fiber_length": fiber_length}
    if getattr(model, "muscles", True) or any(x is not None for x in told.values()):
        other = {"land_on_knots": land_on_knots, "record_to": record_to, "parameters": parameters}
        pulled = _pulled(model, told, friction, control_at=control_at == "stages" or None, **other)
        if pulled is not None:
            method = {"step": step, "integrator": integrator, "tolerance": tolerance, "threads": threads}
            given = {"control": control, "wrenches": wrenches, "stop": stop, "progress": progress}
            warn_of_idle_parts(model, driven=control is not None)
            return pulled(model, q, v, duration=duration, record=record, t0=t0, **told, **method, **given)
    require_model(model)
    warn_of_idle_parts(model, driven=control is not None)
    bent = _bends(model, friction, parameters, record_to)
    check_integrator(model, integrator)
    at_stages = _at_stages(model, control, control_at, integrator, parameters)
    if stop is not None:
        require_function(stop, "stop")
    members, s = _members(model, parameters, q, v, wrenches)
    plan = make_plan(t0, duration, step, record)
    land = s.single if land_on_knots is None else bool(land_on_knots)
    method = Method(integrator, positive(tolerance, "tolerance", "-"), land, at_stages, threads)
    if record_to is not None:
        kept = _recorded(model, s, (plan, method, control, stop, members), progress, record_to, resume)
        warn_of_turning_gain(integrator, plan.step, kept)
        return kept
    require(not resume, "resume=True is for runs that are recorded to a folder; say which (record_to=…)")
    if bent:
        run = _bent(through_corners(model, s, plan, method, (control, stop, progress), friction), plan)
        warn_of_turning_gain(integrator, plan.step, run)
        return run
    run = _marched(TreeEngine(model, s, plan, method, control, members=members), plan, (control, stop, progress))
    warn_of_turning_gain(integrator, plan.step, run)
    return run


def _pulled(model: Model, told: Mapping[str, Any], friction, **refused) -> Callable | None:
    """What simulates a model that its muscles pull, if one is told how active they are; refuses what it cannot do."""
    pulled = muscle_function("simulate", model, told, **refused)
    if pulled is not None:
        require_without_corners(model, "excitations")
        require(friction is None, "simulate: friction does not go with excitations", NotSupported)
    return pulled


def _bends(model: Model, friction, parameters, record_to) -> bool:
    """Whether the run may stop at corners or stick; refuses what does not go with that."""
    bent = has_corners(model) or friction is not None
    if bent and (parameters is not None or record_to is not None):
        require_without_corners(model, "parameters" if record_to is None else "record_to")
        raise NotSupported("simulate: friction does not go with parameters or record_to")
    return bent


def _members(
    model: Model, parameters: Mapping[str, ArrayLike] | None, q, v, wrenches
) -> tuple[ModelBatch | None, States]:
    """Models of the members of a batch with parameters of their own, and checked states at the start."""
    members = None
    if parameters is not None:
        members, q = spread_over(model, parameters, q, v=v, wrenches=wrenches)
    return members, states(model, q, v=np.zeros(model.nv) if v is None else v, wrenches=wrenches)


def _marched(engine: TreeEngine, plan: Plan, called: tuple) -> Trajectory:
    """The run of an engine through a plan; `called` are control, stop and progress."""
    (control, stop, progress), run = called, Run(engine, plan)
    alone = engine.batch == () and control is None and engine.members is None
    trajectory = driven(
        run, control if callable(control) else None, stop, progress, explained if alone else unexplained
    )
    warn_of_stops(run, trajectory)
    warn_of_exits(trajectory)
    return trajectory


def _bent(trajectory: Trajectory, plan: Plan) -> Trajectory:
    """A trajectory through corners, with its warnings."""
    if failed(trajectory):
        warn(stopped_words(plan.end, trajectory.stopped), StoppedWarning)
    warn_of_exits(trajectory)
    return trajectory


def _recorded(
    model: Model, s: States, wanted: tuple[Plan, Method, Any, Callable | None, ModelBatch | None], progress: Progress,
    folder: PathLike, resume: bool,
) -> RecordedRun:  # fmt: skip
    """The run whose records go to a folder."""
    plan, method, control, stop, members = wanted
    with writing(folder, manifest(model, s, *wanted), resume) as records:
        keep_model(model, records, members)
        engine = TreeEngine(model, s, plan, method, control, records.manifest["chunk"] + 1, members)
        run = TreeRecordingRun(engine, plan, records)
        found = driven(run, control if callable(control) else None, stop, progress, unexplained)
        warn_of_stops(run, found)
        warn_of_exits(found)
    return found


def _at_stages(model: Model, control, control_at: str, integrator: str, parameters) -> bool:
    """Whether the control is a function to be evaluated at every stage; refuses what cannot be."""
    require(control_at in ("steps", "stages"), "control_at must be 'steps' or 'stages'", control_at=control_at)
    if not callable(control):
        return False
    require_function(control, "control")
    at_stages = control_at == "stages"
    require(
        not at_stages or integrator == "rk4",
        "control_at='stages' is for integrator='rk4'; other integrators hold the control over a step",
        integrator=integrator,
    )
    require(
        not (at_stages and model.constraints),
        "control_at='stages' does not take models with constraints; let the control be held over a step",
        NotSupported,
    )
    good = parameters is None or not at_stages
    require(good, "control_at='stages' does not take parameters; let the control be held", NotSupported)
    return at_stages


def warn_of_exits(trajectory: Trajectory) -> None:
    """Warn of coordinates outside their domains or ranges."""
    for found in trajectory.outside:
        warn(f"{found}; its joint was extended linearly", OutsideDomainWarning)
    for found in trajectory.beyond_range:
        words = "its range does not act in a simulation; ModelBuilder.add_limit adds a force there"
        warn(f"{found}; {words}", OutsideRangeWarning)
