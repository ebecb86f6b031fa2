"""`simulate`: a model that muscles drive, forward in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dynamics.arguments import States, states
from ..errors import NotSupported, require
from ..model import Model
from ..model.validate_model import require_model
from ..simulation.callbacks import require_function
from ..simulation.driver import Run, driven, unexplained, warn_of_stops
from ..simulation.schedule import Plan, check_integrator, make_plan, positive
from ..simulation.simulate import warn_of_exits
from ..simulation.stable_steps import warn_of_turning_gain
from ..simulation.tree_engine import Method
from ..typing import ArrayLike, Progress
from .driven_states import resting_fibers
from .muscle_engine import MuscleEngine, Start, excitation_rows
from .muscle_forces import checked_activation, given_fibers
from .muscle_trajectory import MuscleTrajectory
from .path_packing import packed_paths


def simulate(
    model: Model,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    excitations: Callable | ArrayLike,
    duration: float,
    activation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
    step: float = 1e-3,
    integrator: str = "rk4",
    control: Callable | ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    record: float | None = None,
    t0: float = 0.0,
    stop: Callable | None = None,
    tolerance: float = 1e-8,
    progress: Progress = False,
    threads: int | None = None,
) -> MuscleTrajectory:
    """Simulate a model that its muscles, ligaments and springs drive, from one state or a batch of states at once.

    Activations, fibre lengths of muscles with elastic tendons and the work of every path are integrated together with
    coordinates and velocities, by the same method. All other arguments are those of `condyle.simulate`.

    Parameters
    ----------
    model : Model
    q, v : array_like, shapes (..., nq) and (..., nv)
        The start: coordinates [rad, m] and velocities, by default zero.
    excitations : callable or array_like
        From 0 to 1 for muscles, the control of path actuators: `excitations(t, q, v)` gives (..., muscles) once per
        step and is held; one number or an array (..., muscles) acts throughout, one of (..., steps, muscles) step by
        step.
    duration : float
        How long [s].
    activation : array_like, shape (..., muscles), optional
        At the start, from 0 to 1; by default the first excitations.
    fiber_length : array_like, shape (..., muscles), optional
        At the start, of muscles with elastic tendons [m]; by default where fibre and tendon pull alike at rest.
    step : float
        The longest step [s]; with "adaptive" the interval at whose ends steps always land and over which controls are
        held.
    integrator : {"rk4", "adaptive", "semi-implicit", "euler"}
        "semi-implicit" steps muscles forward and bodies with their new velocities. Elastic tendons with little
        activation are stiff: "adaptive" finds the step that they need. Its steps do not land on knots of joints.
    control : callable or array_like, optional
        Generalised forces beside the muscles [N m, N]: a function (t, q, v), (..., nv), or (..., steps, nv).
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on bodies that act throughout, in body axes at the body origins.
    record : float, optional
        The longest time between records [s]; by default every step is recorded.
    t0 : float
        The time at the start [s].
    stop : callable, optional
        `stop(t, q, v)`, evaluated at records, ends the members for which it is true.
    tolerance : float
        Of "adaptive": the largest error of one step, relative to 1 + |x| for each coordinate, velocity, activation,
        fibre length by the optimal one, and work [J].
    progress : bool or callable, optional
        True shows a bar on standard error, if that is a terminal; a function is called with (stage, done, total).
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    MuscleTrajectory
        With `activation`, `fiber_length`, `excitation`, `work` and `forces()` beside what a trajectory has.

    Raises
    ------
    BadShape, BadValue, NotFinite, UnknownName
        For arguments that make no sense, and for what functions return, with the records so far in their `trajectory`.
    InconsistentLoop
        If the start does not satisfy the model's constraints.
    Interrupted
        After Ctrl-C, with the records so far in its `trajectory`.

    Warns
    -----
    StoppedWarning
        If a run or a member failed: `stopped` names the muscle or the body.
    Approximated
        If a muscle starts out of equilibrium, or a path over an ellipsoid has no shortest way at a record.
    OutsideDomainWarning, OutsideRangeWarning
        If a coordinate left the domain of its joint, or the range set for it, at a record.

    Examples
    --------
    A muscle lifts a rod for a tenth of a second; what it works is what the rod gains:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder()
    >>> b = b.add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -0.3)))
    >>> b = b.add_muscle("flexor", [(None, (-0.3, 0, 0)), ("rod", (0, 0, -0.4))], tendon_slack_length=0.4)
    >>> run = cd.muscles.simulate(b.build(), [0.0], excitations=0.2, duration=0.1)
    >>> gained = run.energy().total[-1] - run.energy().total[0]
    >>> bool(abs(run.work[-1, 0] - gained) < 1e-4)
    True
    """
    require_model(model)
    packed_paths(model)  # a model without muscles gets its words here
    _check_integrator(model, integrator)
    for name, function in (("stop", stop), ("control", control), ("excitations", excitations)):
        if callable(function) or (name == "stop" and function is not None):
            require_function(function, name)
    s = states(model, q, v=np.zeros(model.nv) if v is None else v, wrenches=wrenches)
    plan = make_plan(t0, duration, step, record)
    method = Method(integrator, positive(tolerance, "tolerance", "-"), False, False, threads)
    start = _start(model, s, plan, excitations, activation, fiber_length, threads)
    run = Run(MuscleEngine(model, s, plan, method, (control, excitations), start), plan)
    asked = next((f for f in (control, excitations) if callable(f)), None)
    trajectory = driven(run, asked, stop, progress, unexplained)
    warn_of_stops(run, trajectory)
    warn_of_exits(trajectory)
    warn_of_turning_gain(integrator, plan.step, trajectory)
    return trajectory


def _check_integrator(model: Model, integrator: str) -> None:
    check_integrator(model, integrator)
    require(
        integrator != "variational",
        "the variational integrator does not take muscles, which are no conservative forces; use rk4 or adaptive",
        NotSupported,
    )


def _start(model: Model, s: States, plan: Plan, excitations, activation, fiber_length, threads: int | None) -> Start:
    """Activations and fibre lengths at the start."""
    if activation is not None:
        a = checked_activation(model, s, activation)
    elif callable(excitations):
        given: Any = excitations(plan.start, s.shaped(s["q"].copy(), model.nq), s.shaped(s["v"].copy(), model.nv))
        a = checked_activation(model, s, given, f"excitation (at t = {plan.start:g} s)")
    else:
        a = np.ascontiguousarray(excitation_rows(model, s, excitations, plan)[:, 0])
    if fiber_length is not None:
        return Start(a, given_fibers(model, s, fiber_length))
    return Start(a, resting_fibers(model, s, a, threads))
