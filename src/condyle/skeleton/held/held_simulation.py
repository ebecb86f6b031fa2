"""`HeldModel.simulate` and its accelerations: states forward in time, all members of a batch at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import RankLost, require, unknown_name
from ...model.kernels.status import FASTEST, NOT_SOLVED
from ...simulation.callbacks import require_function
from ...simulation.corners.corner_simulation import require_without_corners
from ...simulation.driver import Run, driven, unexplained, warn_of_stops
from ...simulation.run_progress import SECONDS
from ...simulation.schedule import Plan, make_plan, require_memory
from ...typing import ArrayLike, Progress
from ..state import State
from ..trajectory import Stopped
from .held_loads import HeldLoads
from .held_motion import HeldMotion
from .joint_rows import Bodies, bodies_of, row_of, state_from
from .steps import STEPS
from .steps import accelerations as solved_accelerations

if TYPE_CHECKING:
    from .held_model import HeldModel

TAKES = ("t", "state")  # what the user's functions get
NOT_CLOSED = "did not close within the iterations, or lost a freedom; take a smaller step"
DIVERGED = "exceeded 1e9 m/s or rad/s; take a smaller step"


class HeldAccelerations(NamedTuple):
    """How bodies speed up, and what their joints hold them with.

    Attributes
    ----------
    linear : ndarray, shape (..., bodies, 3)
        Of centres of mass, world axes [m/s²].
    angular : ndarray, shape (..., bodies, 3)
        Body axes [rad/s²].
    coordinates : ndarray, shape (..., nv)
        Of the model's velocities [rad/s², m/s²].
    """

    linear: np.ndarray
    angular: np.ndarray
    coordinates: np.ndarray


def accelerations(
    held: HeldModel,
    state: State | None = None,
    *,
    motors: ArrayLike | dict | None = None,
    forces: ArrayLike | dict | None = None,
    torques: ArrayLike | dict | None = None,
) -> HeldAccelerations:
    """Accelerations of the bodies and of the coordinates at a state, or at a batch of them.

    Parameters
    ----------
    state : State, optional
        The initial one by default.
    motors : array_like or dict, optional
        Forces of coordinates (..., nv) or {coordinate: value} [N m, N].
    forces, torques : array_like or dict, optional
        On bodies [N, N m], (..., bodies, 3) in world axes at the centre of mass, or {body: vector}.

    Returns
    -------
    HeldAccelerations

    Raises
    ------
    InconsistentLoop
        If the state does not satisfy the joints.
    RankLost
        If a joint loses a freedom there.
    """
    state = held.checked_state(state)
    q, _ = held.coordinates(state)
    x, flat = bodies_of(state), q.reshape(-1, q.shape[-1])
    loads = HeldLoads(held.joints, state.shape, (motors, forces, torques))
    a, _, good = solved_accelerations(held.joints, loads.push, 0.0, x, flat)
    require(bool(good.all()), "a joint loses a freedom at this state", RankLost)
    rows, a = held.joints.at(x, flat), a.reshape(x.u.shape)
    rates = held.joints.velocity_rates(rows, a)
    angular = (x.R.swapaxes(-1, -2) @ a[..., :3, None])[..., 0]
    parts = a[..., 3:], angular, rates
    return HeldAccelerations(*(part.reshape(*state.shape, *part.shape[1:]) for part in parts))


def simulate(
    held: HeldModel,
    state: State | None = None,
    *,
    duration: float,
    step: float = 0.01,
    integrator: str = "variational",
    motors: Callable | ArrayLike | dict | None = None,
    forces: Callable | ArrayLike | dict | None = None,
    torques: Callable | ArrayLike | dict | None = None,
    control: Callable | None = None,
    record: float | None = None,
    t0: float = 0.0,
    stop: Callable | None = None,
    progress: Progress = False,
) -> HeldMotion:
    """Simulate bodies held by joints of any kind for a time, from one state or from a batch of states at once.

    The arguments are those of `Skeleton.simulate`.

    Parameters
    ----------
    state : State, optional
        The start, of one member or of a batch (`cd.skeleton.state_of(model, q, v)`); by default the model's own.
    duration : float
        How long [s].
    step : float
        The longest step [s]: the steps are equal and make up the duration exactly.
    integrator : {"variational", "rk4"}
        RATTLE with a variational rigid body, of order 2, which keeps joints and momentum to round-off; Runge-Kutta of
        order 4 with joints closed after every step.
    motors : callable, array_like or dict, optional
        Forces of coordinates [N m, N]: (..., nv), {coordinate: value}, or a function of the time [s] that gives one of
        these.
    forces, torques : callable, array_like or dict, optional
        On bodies [N, N m], (..., bodies, 3) in world axes at the centre of mass, {body: vector}, or a function of the
        time.
    control : callable, optional
        `control(t, state)` is asked once per step with the last good states of the whole batch. It returns
        {"motors": …, "forces": …, "torques": …}, any of them, to add to the above, or None; they are held over the
        step, and functions of time are then held with them.
    record : float, optional
        The longest time between records [s]: they are equally far apart, whole numbers of steps. By default every step
        is recorded.
    t0 : float
        The time at the start [s], for loads that are functions of it, and control.
    stop : callable, optional
        `stop(t, state)`, evaluated at records, ends the members for which it is true.
    progress : bool or callable, optional
        True shows a bar on standard error, if that is a terminal; a function is called with (stage, done, total).

    Returns
    -------
    HeldMotion
        Times, states and coordinates of the records. A member that fails has NaN after its end, and a reason and its
        last good state in `.stopped`; the others go on.

    Raises
    ------
    BadShape, BadValue, NotFinite, UnknownName
        For arguments that make no sense, and for what `control` and `stop` return, with the records so far in their
        `trajectory`.
    InconsistentLoop
        If the start does not satisfy the joints; `projected(state)` closes them.
    NotSupported
        If a joint has corners.
    Interrupted
        After Ctrl-C, with the records so far in its `trajectory`.

    Warns
    -----
    StoppedWarning
        If a run or a member failed.

    Examples
    --------
    A bead on a helix, once as a skeleton: the gap of its joint stays at round-off.

    >>> import condyle as cd
    >>> t = np.linspace(0.0, 2.0, 40)
    >>> wire = cd.joints.along(np.column_stack([np.cos(3 * t), np.sin(3 * t), t]) / 10, name="bead")
    >>> model = cd.ModelBuilder().add_body("bead", joint=wire, inertia=cd.Inertia.sphere(0.1, 0.01)).build()
    >>> motion = cd.skeleton.from_model(model, q=[0.5]).simulate(duration=0.1, step=0.01)
    >>> bool(motion.gaps().max() < 1e-12), motion.q.shape
    (True, (11, 1))
    """
    if integrator not in STEPS:
        raise unknown_name("integrator", integrator, STEPS, "a model in maximal coordinates")
    for f, name in ((control, "control"), (stop, "stop")):
        if f is not None:
            require_function(f, name, TAKES)
    require_without_corners(held.model, "a model in maximal coordinates")
    plan = make_plan(t0, duration, step, record)
    engine = HeldEngine(held, held.checked_state(state), plan, integrator, (motors, forces, torques))
    run = Run(engine, plan)
    motion = driven(run, control, stop, progress, unexplained)
    warn_of_stops(run, motion)
    return motion


class HeldEngine:
    """Marches bodies; see `simulation.driver.Engine`. A row of numbers is R (9), p (3), u (6) of every body, then q."""

    def __init__(self, held: HeldModel, state: State, plan: Plan, integrator: str, given: tuple) -> None:
        self.held, self.plan, self.take = held, plan, STEPS[integrator]
        q, _ = held.coordinates(state)
        self.batch = state.shape
        self.x, self.q = bodies_of(state), q.reshape(-1, held.model.nq)
        count, n = len(self.q), held.model.nbodies
        self.loads = HeldLoads(held.joints, self.batch, given)
        require_memory(count, plan.records, 18 * n + held.model.nq)
        self.kept = np.full((count, plan.records, 18 * n + held.model.nq), np.nan)
        self.now = row_of(self.x, self.q)
        self.kept[:, 0] = self.now
        self.status, self.ended = np.zeros((count, 1)), np.zeros((count, 1))
        self.first_steps, self.patience = 1, SECONDS

    def advance(self, base: int, steps: int, control: Callable | None) -> None:
        """March `steps` steps from step `base`; a control is asked first."""
        for k in range(base, base + steps):
            t = self.plan.time(k)
            if control is not None:
                self.loads.hold(control, t, self.seen()[0], self.status[:, 0] > 0)
            self._step(t)
            if (k + 1) % self.plan.every == 0:
                self.kept[:, (k + 1) // self.plan.every] = self.now
            self.ended[self.status[:, 0] == 0] += 1

    def _step(self, t: float) -> None:
        with np.errstate(all="ignore"):  # members that fail are found by their numbers
            end = self.take(self.held.joints, self.loads.push, t, self.plan.step, self.x, self.q)
        slow = np.abs(end.x.u).max(axis=(1, 2), initial=0.0) < FASTEST
        good = (self.status[:, 0] == 0) & end.good & slow
        self.status[(self.status[:, 0] == 0) & ~good, 0] = NOT_SOLVED
        self.now[good] = row_of(end.x, end.q)[good]
        self.x, self.q = _unrow(self.now, self.held.model.nbodies)

    def seen(self) -> tuple[State]:
        """The last good states."""
        return (state_from(self.x, self.batch),)

    def state(self, i: int) -> tuple[np.ndarray, ...]:
        """The numbers of member i."""
        return (self.now[i],)

    def records(self, i: int) -> tuple[np.ndarray, ...]:
        """Those of its records."""
        return (self.kept[i],)

    def stopped(self, i: int, time: float, words: str | None) -> Stopped:
        """The end of member i."""
        x, q = _unrow(self.now[i : i + 1], self.held.model.nbodies)
        return Stopped(time, words or self._reason(x, q), state_from(x, ()))

    def _reason(self, x: Bodies, q: np.ndarray) -> str:
        """Why a member failed: by the joint that is nearest to losing a freedom, or the fastest body."""
        speeds = np.abs(x.u[0]).max(axis=-1)
        rank = self.held.joints.at(x, q, rates=False).rank[0]
        if not rank.all():
            return f"joint {self.held.joint_names[int(np.argmin(rank))]!r} lost a freedom"
        body = self.held.body_names[int(np.argmax(speeds))]
        if speeds.max() > 1e-3 * FASTEST:
            return f"the motion diverged: body {body!r} {DIVERGED}"
        return f"a joint {NOT_CLOSED} (body {body!r} is the fastest)"

    def trajectory(self, plan: Plan, stopped) -> HeldMotion:
        """Records in the caller's shape, with the velocities of their coordinates."""
        n, nq, kept = self.held.model.nbodies, self.held.model.nq, self.kept[:, : plan.records]
        shape = (*self.batch, plan.records)
        x, q = _unrow(kept.reshape(-1, kept.shape[-1]), n)
        v = np.full((len(q), self.held.model.nv), np.nan)
        good = np.isfinite(q).all(axis=1) & np.isfinite(x.u).all(axis=(1, 2))
        some = Bodies(x.R[good], x.p[good], x.u[good])
        v[good] = self.held.joints.at(some, q[good]).v
        return HeldMotion(
            self.held, plan.times, state_from(x, shape), q.reshape(*shape, nq), v.reshape(*shape, -1), stopped
        )


def _unrow(row: np.ndarray, n: int) -> tuple[Bodies, np.ndarray]:
    R, p, u, q = np.split(row, [9 * n, 12 * n, 18 * n], axis=1)
    return Bodies(R.reshape(-1, n, 3, 3), p.reshape(-1, n, 3), u.reshape(-1, n, 6)), q
