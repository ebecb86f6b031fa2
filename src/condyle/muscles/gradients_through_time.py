"""Gradients through time of motion that muscles drive: back from a trajectory to its start, excitations and forces."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..dynamics.arguments import States, states, wrench_rows
from ..errors import BadShape, BadValue, NotSupported, require, unknown_name
from ..model import Model
from ..model.validate_model import require_model
from ..simulation.events import StoppedWarning, stopped_words
from ..simulation.integrators import FIXED
from ..simulation.kernels.runge_kutta import PARTS, TOTAL, WEIGHTS
from ..simulation.prescribed_motion import put_prescribed
from ..simulation.schedule import Plan, forces, make_plan
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .driven_derivatives import forward_dynamics_vjp
from .driven_dynamics import driven_rates
from .driven_states import elastic, has_activation, optimal_lengths
from .law_packing import is_muscle
from .muscle_engine import excitation_rows
from .muscle_simulation import simulate
from .muscle_trajectory import MuscleTrajectory

Stages = tuple[tuple[float, ...], tuple[float, ...]]  # how far each stage is along the slope before it, and weights
CLASSICAL: Stages = (PARTS, tuple(w / TOTAL for w in WEIGHTS))
ONE: Stages = ((0.0,), (1.0,))


class MuscleTrajectoryCotangents(NamedTuple):
    """Gradients of a scalar of a trajectory that muscles drive.

    Attributes
    ----------
    trajectory : MuscleTrajectory
        The motion itself.
    q, v : ndarray, shape (..., nv)
        Of the start: coordinates and velocities.
    activation, fiber_length : ndarray, shape (..., muscles)
        Of the start, given or found: 0 for what has no such state.
    excitations : ndarray, shape (..., steps, muscles) or (..., muscles)
        Of every step, or of those that act throughout, if such were given.
    control : ndarray, shape (..., steps, nv) or (..., nv)
        Of the generalised forces beside the muscles, likewise.
    """

    trajectory: MuscleTrajectory
    q: np.ndarray
    v: np.ndarray
    activation: np.ndarray
    fiber_length: np.ndarray
    excitations: np.ndarray
    control: np.ndarray


class _State(NamedTuple):
    """Coordinates, velocities, activations and fibre lengths of all members, or cotangents of them (count, ...)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    l: np.ndarray

    def plus(self, h: float, other: _State) -> _State:
        return _State(*(x + h * y for x, y in zip(self, other, strict=True)))


class _Held(NamedTuple):
    """What acts during a step: excitations (count, muscles), forces (count, nv), wrenches as the caller gave them."""

    u: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray | None


def simulate_vjp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    cotangent: Callable[[MuscleTrajectory], tuple[ArrayLike, ...]] | tuple[ArrayLike, ...],
    excitations: ArrayLike,
    duration: float,
    activation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
    step: float = 1e-3,
    integrator: str = "rk4",
    control: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    t0: float = 0.0,
    threads: int | None = None,
) -> MuscleTrajectoryCotangents:
    """Simulate a model under its muscles, and give the gradient of a scalar of the trajectory by all that drove it.

    The gradients are those of the very steps that `simulate` takes, exact to round-off: the adjoint goes back through
    the same stages with `forward_dynamics_vjp`, all members at once. Steps are taken in Python, a stage costs some
    milliseconds.

    Parameters
    ----------
    model : Model
        Without constraints and without ball and free joints.
    q, v, excitations, duration, activation, fiber_length, step, control, wrenches, t0, threads
        As of `simulate`; excitations and control are arrays, and every step is recorded. A start of activations and
        fibres that is left out is found as `simulate` does, and its gradient stands for itself: it is not part of that
        of the excitations or the pose.
    cotangent : callable or tuple of array_like
        Gradients of the scalar f by all records: (∂f/∂q, ∂f/∂v), or (∂f/∂q, ∂f/∂v, ∂f/∂activation, ∂f/∂fiber_length),
        each with the shape of the records, or a function of the trajectory that returns them.
    integrator : {"rk4", "semi-implicit", "euler"}

    Returns
    -------
    MuscleTrajectoryCotangents

    Raises
    ------
    NotSupported
        Constraints, quaternions, another integrator, excitations or a control that are functions.
    BadValue
        The simulation, or a member of it, ended before its time.
    BadShape
        Cotangents that do not fit the records.

    Examples
    --------
    How far a muscle moves a rod in 20 ms, by its excitation:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder()
    >>> b = b.add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, -0.3)))
    >>> rigid = dict(ignore_tendon_compliance=1, tendon_slack_length=0.4)
    >>> model = b.add_muscle("flexor", [(None, (-0.3, 0, 0)), ("rod", (0, 0, -0.4))], **rigid).build()
    >>> def last(run):
    ...     by_q = np.zeros_like(run.q)
    ...     by_q[-1] = 1.0
    ...     return by_q, np.zeros_like(run.v)
    >>> start = dict(duration=0.02, activation=0.2)
    >>> found = cd.muscles.simulate_vjp(model, [0.0], cotangent=last, excitations=0.3, **start)
    >>> near, far = (cd.muscles.simulate(model, [0.0], excitations=u, **start).q[-1, 0] for u in (0.3, 0.301))
    >>> bool(abs((far - near) / 0.001 - found.excitations[0]) < 1e-3 * abs(found.excitations[0]))
    True
    """
    require_model(model)
    _check(model, integrator, excitations, control)
    s = states(model, q, v=np.zeros(model.nv) if v is None else v, wrenches=wrenches)
    plan = make_plan(t0, duration, step, None)
    given = {"activation": activation, "fiber_length": fiber_length, "step": step, "integrator": integrator, "t0": t0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StoppedWarning)  # an error says it below
        run = simulate(model, q, v, excitations=excitations, duration=duration, control=control, wrenches=wrenches,
                       threads=threads, **given)  # fmt: skip
    if run.stopped is not None:
        told = stopped_words(plan.end, run.stopped)
        raise BadValue(f"simulate_vjp: a motion that ended before its time has no gradient: {told}")
    U, F = excitation_rows(model, s, excitations, plan), forces(model, s, control, plan)
    F = np.broadcast_to(F, (s.count, plan.steps, model.nv)) if control is None else F
    back = _Backwards(model, s, plan, integrator, threads)
    found, of_u, of_tau = back.through(_records(model, run), _given(run, cotangent), U, F)
    n, nv = len(model.muscles), model.nv
    return MuscleTrajectoryCotangents(
        run,
        *(s.shaped(x, nv) for x in found[:2]),
        *(s.shaped(x, n) for x in found[2:]),
        *(s.shaped(x, *x.shape[(1 if x.shape[1] > 1 else 2) :]) for x in (of_u, of_tau)),
    )


def _check(model: Model, integrator: str, excitations: object, control: object) -> None:
    if integrator not in FIXED:
        raise NotSupported(f"simulate_vjp: {unknown_name('integrator', integrator, FIXED, 'gradients through time')}")
    require(not model.constraints, "simulate_vjp takes models without constraints", NotSupported)
    balls = [name for *_, name in model.quaternions]
    require(not balls, "simulate_vjp of muscles takes no ball and free joints", NotSupported, joints=balls)
    for name, x in (("excitations", excitations), ("control", control)):
        words = f"simulate_vjp: {name} must be numbers, whose gradient it gives, not a function"
        require(not callable(x), words, NotSupported)


def _records(model: Model, run: MuscleTrajectory) -> _State:
    """All records (count, T, ...), with fibre lengths that can be given again."""
    fibers = np.where(elastic(model), run.fiber_length, 1.0)
    return _State(*(x.reshape(-1, *x.shape[-2:]) for x in (run.q, run.v, run.activation, fibers)))


def _given(run: MuscleTrajectory, cotangent: object) -> _State:
    """The cotangents of all records (count, T, ...)."""
    parts = cotangent(run) if callable(cotangent) else cotangent
    good = isinstance(parts, (tuple, list)) and len(parts) in (2, 4)
    require(good, "cotangent must be of q and v, or of q, v, activation and fiber_length", BadShape)
    found = []
    for k, name in enumerate(("q", "v", "activation", "fiber_length")):
        like = getattr(run, name)
        x = real_numbers(parts[k], f"cotangent of {name}") if k < len(parts) else np.zeros_like(like)  # type: ignore
        require(x.shape == like.shape, f"the cotangent of {name} must have the shape of the records", BadShape,
                got=x.shape, expected=like.shape)  # fmt: skip
        require(np.isfinite(x).all(), f"the cotangent of {name} must be finite", BadValue)
        found.append(x.reshape(-1, *like.shape[-2:]))
    return _State(*found)


class _Backwards:
    """The adjoint of the steps of a model that muscles drive."""

    def __init__(self, model: Model, s: States, plan: Plan, integrator: str, threads: int | None) -> None:
        self.model, self.s, self.plan, self.threads = model, s, plan, threads
        self.stages = CLASSICAL if integrator == "rk4" else ONE
        self.late = integrator == "semi-implicit"  # coordinates go along the new velocities
        self.muscles = np.array([is_muscle(m) for m in model.muscles])
        self.dynamic, self.elastic = has_activation(model), elastic(model)
        self.W = wrench_rows(model, s)
        self.wrenches = s["wrenches"].reshape(s.count, model.nbodies, 6) if len(self.W) else None

    def through(self, records: _State, given: _State, U: np.ndarray, F: np.ndarray) -> tuple:
        """Cotangents of the start, of excitations and of forces (as U and F have them)."""
        steps = self.plan.steps
        of_u = np.zeros((len(U), 1 if U.shape[1] == 1 else steps, U.shape[2]))
        of_tau = np.zeros((len(F), 1 if F.shape[1] == 1 else steps, F.shape[2]))
        total = _State(*(x[:, steps].copy() for x in given))
        for k in range(steps - 1, -1, -1):
            ku, kf = min(k, U.shape[1] - 1), min(k, F.shape[1] - 1)
            held = _Held(U[:, ku], F[:, kf], self.wrenches)
            total, by_u, by_tau = self.step(self.plan.time(k), _State(*(x[:, k] for x in records)), held, total)
            of_u[:, ku] += by_u + self.followed(records.a[:, k + 1], U[:, ku], given.a[:, k + 1])
            of_tau[:, kf] += by_tau
            total = total.plus(1.0, _State(*(x[:, k] for x in given)))
        activation = np.where(self.dynamic, total.a, np.where(self.muscles, given.a[:, 0], 0.0))
        return (total.q, total.v, activation, np.where(self.elastic, total.l, 0.0)), of_u, of_tau

    def followed(self, activation: np.ndarray, u: np.ndarray, of: np.ndarray) -> np.ndarray:
        """Cotangents of the excitations that activations without dynamics of their own follow at once."""
        return np.where(self.muscles & ~self.dynamic & (activation == u), of, 0.0)

    def step(self, t: float, start: _State, held: _Held, end: _State) -> tuple[_State, np.ndarray, np.ndarray]:
        """Cotangents of the start of a step, and of what acted in it, from those of its end."""
        h, (parts, weights) = self.plan.step, self.stages
        if self.late:
            end = end._replace(v=end.v + h * end.q)
        states = self.stage_states(t, start, held)
        total, after, by_u, by_tau = end, None, 0.0, 0.0
        for k in range(len(parts) - 1, -1, -1):
            slopes = _State(*(h * weights[k] * x for x in end))
            if after is not None:
                slopes = slopes.plus(h * parts[k + 1], after)
            after, of_u, of_tau = self.pulled_back(t + parts[k] * h, states[k], held, slopes)
            total, by_u, by_tau = total.plus(1.0, after), by_u + of_u, by_tau + of_tau
        return self.freed(total), np.asarray(by_u), np.asarray(by_tau)

    def stage_states(self, t: float, start: _State, held: _Held) -> list[_State]:
        """The states at all stages of a step."""
        h, (parts, _) = self.plan.step, self.stages
        found = [start]
        for part in parts[1:]:
            slopes = self.slopes(t, found[-1], held)
            found.append(start.plus(part * h, slopes))
            put_prescribed(self.model, t + part * h, *found[-1][:2])
        return found

    def slopes(self, t: float, x: _State, held: _Held) -> _State:
        """Rates of a state."""
        n, nv, scale = len(self.model.muscles), self.model.nv, optimal_lengths(self.model)
        rows = States((len(x.q),), len(x.q), {"q": x.q, "v": x.v, "tau": held.tau})
        y = driven_rates(self.model, rows, self.W, x.a, held.u, x.l, t, self.threads)[0]
        return _State(x.v, y[:, :nv], y[:, nv : nv + n], y[:, nv + n : nv + 2 * n] * scale)

    def pulled_back(self, t: float, x: _State, held: _Held, of: _State) -> tuple[_State, np.ndarray, np.ndarray]:
        """Cotangents of a state and of what acts in it, from those of its rates."""
        found = forward_dynamics_vjp(
            self.model, x.q, x.v, np.where(self.dynamic, x.a, held.u), cotangent=of.v, excitation=held.u,
            fiber_length=x.l, fiber_velocity_cotangent=np.where(self.elastic, of.l, 0.0), tau=held.tau,
            activation_rate_cotangent=np.where(self.dynamic, of.a, 0.0), wrenches=held.wrenches, t=t,
            threads=self.threads,
        )  # fmt: skip
        by_v = found.v if self.late else found.v + of.q
        by_a = np.where(self.dynamic, found.activation, 0.0)
        by_u = found.excitation + np.where(self.dynamic, 0.0, found.activation)
        by_l = np.where(self.elastic, found.fiber_length, 0.0)
        return self.freed(_State(found.q, by_v, by_a, by_l)), by_u, found.tau

    def freed(self, of: _State) -> _State:
        """Cotangents without those of prescribed coordinates, which nothing changes."""
        for k in self.model.prescribed:
            of.q[:, k] = of.v[:, k] = 0.0
        return of
