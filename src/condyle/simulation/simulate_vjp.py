"""Gradients through time: from a scalar of a trajectory back to its start, its forces and the model's parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..dynamics.arguments import States, coordinate_at, states, wrench_rows
from ..dynamics.derivatives.inverse_derivatives import require_no_followers
from ..dynamics.derivatives.parameter_gradients import Cotangents, body_numbers, cotangent_of, named_parameters
from ..dynamics.muscle_calls import muscle_function
from ..errors import BadShape, BadValue, CondyleWarning, NotConverged, NotFinite, NotSupported, require, unknown_name
from ..model import Model
from ..model.validate_model import require_model
from ..numeric import over_lanes
from ..spatial.arrays import for_kernels, real_numbers
from ..spatial.quaternions import conjugate, multiply, rotation_from_quaternion
from ..typing import ArrayLike
from .corners.corner_simulation import require_without_corners
from .driver import Run, driven, unexplained
from .events import stopped_words
from .integrators import FIXED
from .prescribed_motion import driven_tables
from .schedule import Plan, check_integrator, make_plan
from .trajectory import Trajectory
from .tree_engine import Method, TreeEngine


class JumpWarning(CondyleWarning):
    """A motion crossed a jump of a force, where the gradient of its steps is not that of the motion."""


class TrajectoryCotangents(NamedTuple):
    """Gradients of a scalar of a trajectory.

    Attributes
    ----------
    trajectory : Trajectory
        The motion itself.
    q, v : ndarray, shape (..., nv)
        Of the start: coordinates (along the steps dv of `integrate`) and velocities.
    control : ndarray, shape (..., steps, nv) or (..., nv)
        Of the generalised forces of every step, or of those that act throughout, if such were given.
    wrenches : ndarray, shape (..., nbodies, 6)
        Of wrenches that act throughout, in body axes at the body origins.
    parameters : dict of str to ndarray
        Of the parameters that were asked for, (..., shape of the parameter).
    """

    trajectory: Trajectory
    q: np.ndarray
    v: np.ndarray
    control: np.ndarray
    wrenches: np.ndarray
    parameters: dict[str, np.ndarray]


def simulate_vjp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    cotangent: Callable[[Trajectory], tuple[ArrayLike, ArrayLike]] | tuple[ArrayLike, ArrayLike],
    duration: float,
    step: float = 1e-3,
    integrator: str = "rk4",
    control: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    record: float | None = None,
    t0: float = 0.0,
    parameters: Iterable[str] = (),
    threads: int | None = None,
    excitations: ArrayLike | None = None,
    activation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
) -> TrajectoryCotangents:
    """Simulate, and give the gradient of a scalar of the trajectory by start, forces, wrenches and parameters.

    The gradients are those of the very steps that `simulate` takes, exact to round-off, whatever the size of the step:
    its adjoint goes back through the same stages. It takes about three times as long as the simulation.

    Memory: the records, 8 (nq + nv) bytes for each and each member, and as much again for cotangents. States between
    records are computed again where a `record` longer than a step is given (one more simulation), one interval at a
    time: `record` of about √(steps) steps needs the least.

    Parameters
    ----------
    model : Model
        Without constraints and followers.
    q, v : array_like, shapes (..., nq) and (..., nv)
        The start, as of `simulate`.
    cotangent : callable or pair of array_like
        Gradients (∂f/∂q, ∂f/∂v) of the scalar f by all records, (..., T, nq) and (..., T, nv), or a function of the
        trajectory that returns them. Of a batch, each member has a scalar of its own.
    duration, step, integrator, control, wrenches, record, t0, threads
        As of `simulate`; the integrator is "rk4", "semi-implicit", "euler" or "variational", and the control an array.
    parameters : iterable of str, optional
        As of `forward_dynamics_vjp`. Gradients of a batch are per member: add them up for one that all share.
    excitations, activation, fiber_length : array_like, optional
        Of the model's muscles, as `condyle.muscles.simulate_vjp` takes them: without excitations they do not act.

    Returns
    -------
    TrajectoryCotangents
        trajectory, q (along the steps dv of `integrate`), v, control, wrenches, parameters. With excitations
        `condyle.muscles.MuscleTrajectoryCotangents`.

    Raises
    ------
    NotSupported
        Another integrator, a control that is a function, constraints or followers.
    BadValue
        The simulation, or a member of it, ended before its time.
    BadShape, UnknownName
        Cotangents that do not fit the records; a parameter that the model does not have.

    Warns
    -----
    IdleMuscles
        The model has muscles and no excitations were given.
    JumpWarning
        A coordinate entered a limit with damping, whose force jumps there: the gradients are those of the steps, but
        do not converge to those of the motion. Limits with a `damping_depth` have no jump.

    Examples
    --------
    How the speed of a pendulum after 0.3 s changes with its length:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(1.0, (0.0, 0.0, -1.0))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> def speed(run):
    ...     by_v = np.zeros_like(run.v)
    ...     by_v[-1] = 1.0
    ...     return np.zeros_like(run.q), by_v
    >>> found = cd.simulate_vjp(model, [0.5], cotangent=speed, duration=0.3, parameters=["bob.com"])
    >>> longer = cd.simulate(model.with_parameters({"bob.com[2]": -1.001}), [0.5], duration=0.3)
    >>> bool(abs((found.trajectory.v[-1] - longer.v[-1])[0] / 0.001 - found.parameters["bob.com"][2]) < 1e-2)
    True
    """
    require_model(model)
    told = {"excitations": excitations, "activation": activation, "fiber_length": fiber_length}
    if model.muscles or excitations is not None:
        parameters = tuple(parameters)
        pulled = muscle_function("simulate_vjp", model, told, record=record, parameters=parameters or None)
        if pulled is not None:
            other = {"control": control, "wrenches": wrenches, "t0": t0, "threads": threads, "integrator": integrator}
            return pulled(model, q, v, cotangent=cotangent, duration=duration, step=step, **told, **other)
    _check(model, integrator, control)
    wanted = named_parameters(model, parameters, frames=False)
    s = states(model, q, v=np.zeros(model.nv) if v is None else v, wrenches=wrenches)
    plan = make_plan(t0, duration, step, record)
    method = Method(integrator, 1e-8, False, False, threads)
    trajectory, tau = _forward(model, s, plan, method, control)
    given = _given(model, trajectory, cotangent)
    throughout = control is not None and tau.shape[1] == 1
    found = _room(model, s.count, 1 if throughout else plan.steps, body_numbers(wanted))
    _warn_of(model, _backwards(model, s, (plan, method), (trajectory, tau, *given), found))
    values = {p.name: cotangent_of(model, found, p) for p in wanted}
    return _shaped(model, s, trajectory, found, values, throughout)


def _shaped(
    model: Model, s: States, trajectory: Trajectory, found, values: dict, throughout: bool
) -> TrajectoryCotangents:
    """Cotangents in the caller's shape; one force for all steps where it holds `throughout`."""
    by_q, by_v = (s.shaped(x, model.nv) for x in (found.q, found.v))
    forces = s.shaped(found.weights, *((model.nv,) if throughout else found.weights.shape[1:]))
    by_wrenches = s.shaped(found.bodies[:, :, :6], model.nbodies, 6)
    by_parameters = {name: s.shaped(x, *x.shape[1:]) for name, x in values.items()}
    return TrajectoryCotangents(trajectory, by_q, by_v, forces, by_wrenches, by_parameters)


def require_gradient(model: Model, integrator: str) -> None:
    """Refuse models and integrators whose steps have no gradient here."""
    known = (*FIXED, "variational")
    if integrator not in known:
        raise NotSupported(f"simulate_vjp: {unknown_name('integrator', integrator, known, 'gradients through time')}")
    words = "simulate_vjp takes models without constraints"
    require(not model.constraints, words, NotSupported)
    check_integrator(model, integrator)
    require_no_followers(model, "simulate_vjp")
    require_without_corners(model, "simulate_vjp")


def _check(model: Model, integrator: str, control: object) -> None:
    require_gradient(model, integrator)
    words = "simulate_vjp: the control must be an array (..., nv) or (..., steps, nv), whose gradient it gives"
    require(not callable(control), words, NotSupported)


def _forward(
    model: Model, s: States, plan: Plan, method: Method, control: ArrayLike | None
) -> tuple[Trajectory, np.ndarray]:
    """The trajectory, and the forces (count, 1 or steps, nv) of its steps."""
    engine = TreeEngine(model, s, plan, method, control)
    trajectory = driven(Run(engine, plan), None, None, False, unexplained)
    if trajectory.stopped is not None:
        told = stopped_words(plan.end, trajectory.stopped)
        raise BadValue(f"simulate_vjp: a motion that ended before its time has no gradient: {told}")
    return trajectory, engine.tau


def _given(model: Model, trajectory: Trajectory, cotangent: object) -> tuple[np.ndarray, np.ndarray]:
    """The cotangents of all records along steps of `integrate`, (count, records, nv), and of their velocities."""
    pair = cotangent(trajectory) if callable(cotangent) else cotangent
    require(isinstance(pair, (tuple, list)) and len(pair) == 2, "cotangent must be a pair, of q and of v", BadShape)
    out = []
    for name, x, like in (("q", pair[0], trajectory.q), ("v", pair[1], trajectory.v)):  # type: ignore[index]
        x = real_numbers(x, f"cotangent of {name}")
        require(x.shape == like.shape, f"the cotangent of {name} must have the shape of the records", BadShape,
                got=x.shape, expected=like.shape)  # fmt: skip
        require(np.isfinite(x).all(), f"the cotangent of {name} must be finite", BadValue)
        out.append(x.reshape(-1, *like.shape[-2:]))
    q = trajectory.q.reshape(-1, *trajectory.q.shape[-2:])
    return for_kernels(tangents_of(model, q, out[0])), for_kernels(out[1])


def tangents_of(model: Model, q: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Cotangents (..., nv) along the steps of `integrate` from those (..., nq) of the numbers of q."""
    out = np.zeros((*numbers.shape[:-1], model.nv))
    plain_q, plain_v = model.plain_places
    out[..., plain_v] = numbers[..., plain_q]
    for at, k, _ in model.quaternions:
        u = q[..., at : at + 4]
        out[..., k : k + 3] = 0.5 * multiply(conjugate(u), numbers[..., at : at + 4])[..., 1:]
        if at in model.free_quaternions:
            R = rotation_from_quaternion(u)
            out[..., k + 3 : k + 6] = np.einsum("...ji,...j->...i", R, numbers[..., at + 4 : at + 7])
    return out


def _backwards(
    model: Model, s: States, how: tuple[Plan, Method], known: tuple[Trajectory, np.ndarray, np.ndarray, np.ndarray],
    room: Cotangents,
) -> set[int]:  # fmt: skip
    """Add all cotangents, from the last record to the first, to the zeros of `room`; returns `entered_limits`."""
    from .kernels.reverse_steps import Path

    plan = how[0]
    trajectory, tau, by_q, by_v = known
    q, v = (x.reshape(s.count, *x.shape[-2:]) for x in (trajectory.q, trajectory.v))
    W, none, entered = wrench_rows(model, s), np.empty((0, 0, model.nv)), entered_limits(model, q)
    if plan.every == 1:
        _go_back(model, how, (0, plan.steps), Path(q, v, tau, W, by_q, by_v), room, s.single)
    else:
        for r in range(plan.records - 2, -1, -1):
            room.q[:] += by_q[:, r + 1]
            room.v[:] += by_v[:, r + 1]
            states = _between(model, s, how, (q[:, r], v[:, r], tau), r * plan.every)
            entered |= entered_limits(model, states[0])
            _go_back(model, how, (r * plan.every, plan.every), Path(*states, tau, W, none, none), room, s.single)
    room.q[:] += by_q[:, 0]
    room.v[:] += by_v[:, 0]
    for k in model.prescribed:
        room.q[:, k] = room.v[:, k] = 0.0
    return entered


def _go_back(
    model: Model, how: tuple[Plan, Method], span: tuple[int, int], path: Any, room: Cotangents, single: bool
) -> None:
    """Go back over span = (first step, steps), whose states the path has."""
    from .kernels.batch_block import Clock
    from .kernels.reverse_steps import Gradients

    plan, method = how
    count, fine = len(room.q), np.empty((len(room.q), 1))
    bodies, springs = room.bodies.reshape(count, -1), room.springs.reshape(count, -1)
    out = Gradients(room.q, room.v, room.weights, bodies, springs, room.gravity, fine)
    clock = Clock(float(plan.start), float(plan.step), *span, 1)
    tables = driven_tables(model, plan.start, plan.end)
    back, frames = _backwards_through(method.integrator), model.parameter_frames
    over_lanes(
        lambda z, start, stop: back(z, tables, frames, clock, (path, out), start, stop), count, single, method.threads
    )
    require(not np.isnan(fine).any(), "simulate_vjp: a gradient is too large for a number", NotFinite)
    words = "simulate_vjp: the transposed equations of a variational step found no solution; take shorter steps"
    require(not fine.any(), words, NotConverged, step=plan.step)


def _backwards_through(integrator: str) -> Callable:
    """The compiled loop that goes back through steps of an integrator."""
    if integrator == "variational":
        from .kernels.reverse_variational import variational_steps_backwards

        return variational_steps_backwards
    from .kernels.fixed_step import EULER, RK4, SEMI_IMPLICIT
    from .kernels.reverse_steps import steps_backwards

    kind = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4}[integrator]
    return lambda z, *others: steps_backwards(z, kind, *others)


def _between(
    model: Model, s: States, how: tuple[Plan, Method], start: tuple[np.ndarray, ...], first: int
) -> tuple[np.ndarray, np.ndarray]:
    """The states after every step from the step `first` to the next record, computed again."""
    plan, method = how
    q, v, tau = start
    own = replace(s, arrays={**s.arrays, "q": for_kernels(q), "v": for_kernels(v)})
    part = Plan(plan.time(first), plan.step, plan.every, 1)
    rows = tau if tau.shape[1] == 1 else tau[:, first : first + plan.every]
    again, _ = _forward(model, own, part, method, rows.reshape(*s.batch, *rows.shape[1:]))
    q, v = (for_kernels(x.reshape(s.count, *x.shape[-2:])) for x in (again.q, again.v))
    return q, v


def _room(model: Model, count: int, rows: int, each: int) -> Cotangents:
    """Zeros for cotangents to be added to, of every body the first `each` numbers."""
    from ..dynamics.derivatives.kernels.cotangent_layout import SPRING

    n, bodies, springs = model.nv, (model.nbodies, each), (len(model.line_forces), SPRING)
    shapes = (n,), (n,), (0,), bodies, springs, (3,), (rows, n)
    return Cotangents(*(np.zeros((count, *shape)) for shape in shapes))


def entered_limits(model: Model, q: np.ndarray) -> set[int]:
    """The numbers of the loads with a jump that states q (..., T, nq) enter one after the other."""
    entered = set()
    for i, force in enumerate(model.coordinate_forces):
        if force.law != "limit" or force.named["damping"] == 0.0:  # the damping of other limits rises from zero
            continue
        low, high = force.constants[:2]
        x = q[..., force.at.q]
        past = (x > high).astype(int) - (x < low)
        if ((past[..., 1:] != past[..., :-1]) & (past[..., 1:] != 0)).any():
            entered.add(i)
    return entered


def _warn_of(model: Model, entered: set[int]) -> None:
    """Warn of limits whose damping begins with a jump, which a motion entered."""
    for force in (model.coordinate_forces[i] for i in sorted(entered)):
        (low, high), name = force.constants[:2], coordinate_at(model, force.at.q, of_q=True)
        warnings.warn(
            f"the motion enters the limit of {name!r} [{low:g}, {high:g}], whose "
            "damping begins with a jump of the force: the gradient of the steps is not that of the motion; give the "
            "limit a damping_depth",
            JumpWarning,
            stacklevel=3,
        )
