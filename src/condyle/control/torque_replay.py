"""Torques as functions of time: kept, saved, and replayed forward with feedback and disturbances.

[ParkFussellBrowne1992, section 5, corrected]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import make_interp_spline

from ..dynamics import bias_forces, difference, forward_dynamics, mass_matrix, project
from ..dynamics.arguments import states
from ..dynamics.coordinate_differences import coordinate_rates
from ..dynamics.muscle_calls import warn_once_of_idle_muscles
from ..errors import BadShape, BadValue, NotConverged, NotFinite, require, unknown_name
from ..model import Model
from ..model.validate_model import require_model
from ..simulation import Trajectory
from ..simulation.control_at_stages import unit
from ..simulation.corners.corner_simulation import require_without_corners
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .animation_space import AnimationSpace, require_free, require_space
from .assembly import assembled, projected_velocity
from .coordinates.loop_gaps import closing
from .directing import Directed
from .loop_dynamics import partitioned_acceleration, shared_forces
from .ode_steppers import METHODS
from .plain_numbers import not_negative, positive

DEGREES = {"linear": 1, "cubic": 3}


@dataclass(frozen=True)
class TorqueFunctions:
    """Torques over time with their states, interpolated between keys.

    `cd.save(torques, "name.npz")` keeps them, `cd.load` brings them back.

    Attributes
    ----------
    t : ndarray, shape (T,)
        [s]
    tau : ndarray, shape (T, ..., nv)
    q, v : ndarray, shape (T, ..., n)
        The states that belong to them.
    interpolation : str
        "cubic" or "linear".
    """

    t: np.ndarray
    tau: np.ndarray
    q: np.ndarray
    v: np.ndarray
    interpolation: str = "cubic"

    def __post_init__(self) -> None:
        require(self.interpolation in DEGREES, "interpolation must be 'linear' or 'cubic'", got=self.interpolation)
        require(len(self.t) > DEGREES[self.interpolation], "too few keys for this interpolation", keys=len(self.t))
        same = len(self.t) == len(self.tau) == len(self.q) == len(self.v)
        require(same, "torques and states need one row per time", BadShape, times=len(self.t), torques=len(self.tau))
        require(np.all(np.diff(self.t) > 0), "times of torques must increase", BadValue)
        finite = all(np.isfinite(x).all() for x in (self.t, self.tau, self.q, self.v))
        require(finite, "torques and states must be finite", NotFinite)
        k = DEGREES[self.interpolation]
        paths = {"tau": make_interp_spline(self.t, self.tau, k=k)}
        paths |= {name: make_interp_spline(self.t, getattr(self, name), k=3 if len(self.t) > 3 else 1) for name in "qv"}
        object.__setattr__(self, "_paths", paths)

    def at(self, t: float, what: str = "tau") -> np.ndarray:
        """The torques, or the states, at a time within the keys (held at the ends).

        Parameters
        ----------
        t : float
            [s]
        what : {"tau", "q", "v"}, optional

        Returns
        -------
        ndarray

        Raises
        ------
        BadValue
            If `what` is none of these.
        """
        paths = self._paths  # type: ignore[attr-defined]
        require(what in paths, "what must be 'tau', 'q' or 'v'", BadValue, what=what)
        return paths[what](np.clip(t, self.t[0], self.t[-1]))

    def thinned(self, keys: int, interpolation: str | None = None) -> TorqueFunctions:
        """The same at fewer, equally spaced keys.

        Parameters
        ----------
        keys : int
            How many.
        interpolation : str, optional
            By default the same.

        Returns
        -------
        TorqueFunctions

        Raises
        ------
        CondyleError
            If there are fewer than two keys.
        """
        require(isinstance(keys, int | np.integer) and keys > 1, "thinned: keys must be a number of keys", keys=keys)
        t = np.linspace(self.t[0], self.t[-1], keys)
        tau, q, v = (np.array([self.at(x, what) for x in t]) for what in ("tau", "q", "v"))
        return TorqueFunctions(t, tau, q, v, interpolation or self.interpolation)


def torque_functions(
    motion: Directed, interpolation: str = "cubic", *, held: AnimationSpace | None = None
) -> TorqueFunctions:
    """The torques of a directed motion; with `held`, the least that do when what holds these coordinates helps.

    Parameters
    ----------
    motion : Directed
        What `direct` gave.
    interpolation : {"cubic", "linear", …}
        Between the records.
    held : AnimationSpace, optional
        Coordinates that something else holds.

    Returns
    -------
    TorqueFunctions

    Raises
    ------
    BadValue
        If it is not a directed motion.
    """
    got = type(motion).__name__
    require(isinstance(motion, Directed), "torque_functions takes a motion of cd.control.direct", BadValue, got=got)
    tau = motion.tau if held is None else shared_forces(held, motion.q, motion.tau, motion.t).tau
    tau, q, v = (np.moveaxis(x, -2, 0) for x in (tau, motion.q, motion.v))
    return TorqueFunctions(motion.t, tau, q, v, interpolation)


def require_torques(torques: TorqueFunctions, who: str) -> None:
    """Refuse what `torque_functions` did not make."""
    got = type(torques).__name__
    require(isinstance(torques, TorqueFunctions), f"{who} takes torques of cd.control.torque_functions", got=got)


@dataclass(frozen=True)
class Replay:
    """A replayed motion, and how far from the directed one it was.

    Attributes
    ----------
    trajectory : Trajectory
    drift : ndarray, shape (..., T, nv)
        From the directed states.
    """

    trajectory: Trajectory
    drift: np.ndarray


def replay(
    model: Model,
    torques: TorqueFunctions,
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    feedback: float = 0.0,
    disturbance: Callable | None = None,
    held: AnimationSpace | None = None,
    integrator: str = "rk4",
    step: float = 1e-3,
    record: float | None = None,
    tolerance: float = 1e-9,
) -> Replay:
    """Simulate forward under the torques, from their first state or from (q, v).

    `feedback` [rad/s] is computed torque: the accelerations that the torques give in the directed states, and a
    critically damped spring of that frequency back to them, by the inverse dynamics of the state it is in.
    `disturbance(t, q, v)` gives wrenches (..., nbodies, 6). Constraints of the model hold; `held` are more coordinates
    that stay at zero.
    `integrator`: "rk4" or "adams" with `step`, "adaptive" or "bulirsch-stoer" with `tolerance`.

    Parameters
    ----------
    model : Model
    torques : TorqueFunctions
    q : array_like, shape (..., nq), optional
        Start; the torques' first state if left out.
    v : array_like, shape (..., nv), optional
        Start.
    feedback : float, optional
        Frequency of the pull back to the directed states [rad/s].
    disturbance : callable, optional
        f(t, q, v) gives wrenches (..., nbodies, 6).
    held : AnimationSpace, optional
        More coordinates that stay at zero.
    integrator : {"rk4", "adams", "adaptive", "bulirsch-stoer"}
    step : float, optional
        [s]
    record : float, optional
        Seconds between records.
    tolerance : float, optional
        Error per step of the adaptive ones.

    Returns
    -------
    Replay
        `trajectory` and `drift` from the directed states.

    Raises
    ------
    UnknownName
        If there is no such integrator.
    BadValue
        If step, record or tolerance is not positive, or feedback is negative.
    NotSupported
        If a joint has corners, by name.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths; once for each model.
    """
    if integrator not in METHODS:
        raise unknown_name("integrator", integrator, METHODS, "replay")
    require_model(model)
    if held is not None:
        require_space(held)
    require_free(model, "replay")
    require_without_corners(model, "replay")
    warn_once_of_idle_muscles("replay", model, "cd.simulate has them, given excitations=")
    require_torques(torques, "replay")
    for name, value in (("step", step), ("tolerance", tolerance), ("record", record)):
        require(value is None or positive(value), f"{name} must be positive", BadValue, **{name: value})
    require(not_negative(feedback), "feedback must not be negative [rad/s]", feedback=feedback)
    run = _Run(model, torques, feedback, disturbance, held)
    y = run.start(torques.q[0] if q is None else q, torques.v[0] if v is None else v)
    spacing = step if record is None else record
    times = np.linspace(torques.t[0], torques.t[-1], max(2, round((torques.t[-1] - torques.t[0]) / spacing) + 1))
    states = [y, *METHODS[integrator](run.rate, y, times, step, tolerance, run.tidied)]
    return run.result(times, np.array(states))


class _Run:
    """A replay under way, on flat states y = (q, v) (count, nq + nv)."""

    def __init__(self, model: Model, torques: TorqueFunctions, feedback, disturbance, held) -> None:
        self.model, self.torques, self.feedback, self.disturbance, self.held = (
            model, torques, feedback, disturbance, held,
        )  # fmt: skip
        self.batch = torques.tau.shape[1:-1]

    def start(self, q, v) -> np.ndarray:
        """The first flat state."""
        s = states(self.model, np.broadcast_to(q, np.broadcast_shapes(np.shape(q), (*self.batch, 1))), v=v)
        require(s.batch == self.batch, f"the start must fit torques of batch shape {self.batch}", BadShape, got=s.batch)
        return np.concatenate([s["q"], s["v"]], axis=-1)

    def split(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and v, quaternions of unit norm, on the model's constraints."""
        q, v = unit(self.model, y[:, : self.model.nq].copy()), y[:, self.model.nq :]
        return project(self.model, q, v) if self.model.constraints else (q, v)

    def flat(self, t: float, what: str) -> np.ndarray:
        """Torques or states of the direction at a time."""
        x = self.torques.at(t, what)
        return x.reshape(-1, x.shape[-1])

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """(q̇, v̇)."""
        q, v = self.split(y)
        tau, W = self.computed(t, q, v) if self.feedback else self.flat(t, "tau"), None
        if self.disturbance is not None:
            W = real_numbers(self.disturbance(t, self.shaped(q), self.shaped(v)), "the disturbance")
            fits = W.shape[-2:] == (self.model.nbodies, 6)
            require(fits, f"the disturbance gives wrenches (..., {self.model.nbodies}, 6)", BadShape, got=W.shape)
            W = np.broadcast_to(W, (*self.batch, self.model.nbodies, 6)).reshape(-1, self.model.nbodies, 6)
        if self.held is None:
            a = forward_dynamics(self.model.without_muscles(), q, v, tau, W, t=t)
        else:
            a = partitioned_acceleration(self.held, q, v, tau, t, stabilise=20.0, wrenches=W).a
        return np.concatenate([coordinate_rates(self.model, q, v), a], axis=1)

    def computed(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Computed torque: M(q)(a + w² Δq + 2w Δv) + h(q, v) − G(q)ᵀλ, with a and λ what the torques do as directed."""
        w, to_v = self.feedback, self.flat(t, "v")
        a, reactions = self.as_directed(t, to_v)
        a = a + w * w * self.apart(t, q) + 2.0 * w * (to_v - v)
        tau = np.einsum("sij,sj->si", mass_matrix(self.model, q), a)
        tau += bias_forces(self.model.without_muscles(), q, v)
        if self.loop is None:
            return tau
        return tau - np.einsum("smn,sm->sn", self.loop.gradient(q, t), reactions)

    def as_directed(self, t: float, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations of the torques in the directed state, and the reactions there of what closes the mechanism."""
        q, tau = self.directed(t), self.flat(t, "tau")
        if self.loop is None:
            return forward_dynamics(self.model.without_muscles(), q, v, tau, t=t), np.zeros((len(q), 0))
        return partitioned_acceleration(self.loop, q, v, tau, t)

    @cached_property
    def loop(self) -> AnimationSpace | None:
        """What closes the mechanism: the coordinates held, or the model's constraints."""
        return closing(self.model) if self.held is None and self.model.constraints else self.held

    def directed(self, t: float) -> np.ndarray:
        """The directed pose (count, nq)."""
        return unit(self.model, self.flat(t, "q").copy())

    def apart(self, t: float, q: np.ndarray) -> np.ndarray:
        """The way from q to the directed pose."""
        return difference(self.model, q, self.directed(t))

    def shaped(self, x: np.ndarray) -> np.ndarray:
        """In the caller's batch shape."""
        return x.reshape(*self.batch, x.shape[-1])

    def tidied(self, y: np.ndarray, t: float) -> np.ndarray:
        """Quaternions of unit norm and loops closed."""
        require(np.isfinite(y).all(), f"the replayed motion is no longer finite at t = {t:g} s", NotConverged)
        q, v = self.split(y)
        if self.held is not None:
            q = assembled(self.held, q, t=t)
            v = projected_velocity(self.held, q, v, t=t)
        return np.concatenate([q, v], axis=1)

    def result(self, times: np.ndarray, states: np.ndarray) -> Replay:
        """Trajectory and drift."""
        n = self.model.nq
        drift = np.stack([-self.apart(t, y[:, :n]) for t, y in zip(times, states, strict=True)], axis=1)
        q, v = (np.moveaxis(x, 0, 1).reshape(*self.batch, len(times), -1) for x in (states[..., :n], states[..., n:]))
        trajectory = Trajectory(self.model, times, q, v)
        return Replay(trajectory, drift.reshape(*self.batch, len(times), -1))
