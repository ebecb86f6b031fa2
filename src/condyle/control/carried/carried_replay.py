"""Torques of a character that contacts carry, played forward: the ground holds what touches, by any force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import nnls

from ...dynamics import bias_forces, difference, project
from ...dynamics.arguments import states
from ...dynamics.coordinate_differences import coordinate_rates
from ...errors import BadShape, BadValue, NotConverged, require
from ...model import Model
from ...simulation import Trajectory
from ...simulation.control_at_stages import unit
from ...typing import ArrayLike
from ..coordinates.pose_jet import Posture
from ..ode_steppers import rk4
from ..plain_numbers import not_negative, positive
from ..torque_replay import Replay, TorqueFunctions, require_torques
from .carried_program import Ground, Law
from .contacts import Contact
from .planned_path import PlannedPath

RANK = 1e-9  # share of the largest singular value below which rows of contacts repeat others
STRICT = 1e4  # how much heavier dynamics without a motor weigh than torques near the planned ones


@dataclass(frozen=True)
class CarriedReplay(Replay):
    """A replayed motion that contacts carry.

    Attributes
    ----------
    tau : ndarray, shape (T, nv)
        Torques of the drives, feedback included [N m, N].
    residual : ndarray, shape (T,)
        By how much the ground would have to pull, or push beyond friction [N, N m]: zero if the contacts carry it.
    """

    tau: np.ndarray
    residual: np.ndarray


def replay_carried(
    model: Model,
    torques: TorqueFunctions,
    contacts: Sequence[Contact],
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    actuated: Sequence[str] | None = None,
    feedback: float = 0.0,
    disturbance: Callable | None = None,
    step: float = 1e-3,
    record: float | None = None,
) -> CarriedReplay:
    """Simulate a character forward under its torques while contacts hold what touches.

    Points that touch neither slide nor lift: the forces that this needs are the ground's, whatever they are, and
    `residual` says how far they are from what it can give. A contact that begins takes the speed of its points.
    With `feedback` torques are those nearest to the planned ones that give the planned accelerations and a critically
    damped pull back to the planned states, by the dynamics of the state the body is in; what nothing drives gets none.

    Parameters
    ----------
    model : Model
    torques : TorqueFunctions
        Of a carried motion, from `torque_functions`.
    contacts : sequence of Contact
        As the motion was directed with: `motion.contacts`.
    q, v : array_like, shapes (nq,) and (nv,), optional
        Start; the torques' first state if left out.
    actuated : sequence of str, optional
        Coordinates that motors drive; all but those of free bodies if left out.
    feedback : float, optional
        Frequency of the pull back to the directed states [rad/s].
    disturbance : callable, optional
        f(t, q, v) gives wrenches (nbodies, 6).
    step : float, optional
        Of Runge-Kutta's steps of order 4 [s].
    record : float, optional
        Seconds between records; every step if left out.

    Returns
    -------
    CarriedReplay

    Raises
    ------
    BadValue
        If step or record is not positive, or feedback is negative.
    BadShape
        If torques belong to a batch.
    NotConverged
        If the motion leaves all numbers.
    """
    require_torques(torques, "replay_carried")
    spacing = step if record is None else record
    require(
        positive(step) and positive(spacing), "step and record must be positive", BadValue, step=step, record=record
    )
    require(not_negative(feedback), "feedback must not be negative [rad/s]", feedback=feedback)
    require(torques.tau.ndim == 2, "replay_carried takes torques of one motion", BadShape, got=torques.tau.shape)
    run = _Run(model, torques, Ground(model, contacts, actuated, None), feedback, disturbance)
    s = states(model, torques.q[0] if q is None else q, v=torques.v[0] if v is None else v)
    require(s.single, "replay_carried takes one pose, not a batch", BadShape, got=s.batch)
    count = max(1, round((torques.t[-1] - torques.t[0]) / spacing))
    times = np.linspace(torques.t[0], torques.t[-1], count + 1)
    return run.result(times, np.concatenate([s["q"], s["v"]], axis=1), step)


class _Physics:
    """One state with what touches and what closes loops: M a = τ − h + Rᵀf, R a = r, over the weight."""

    def __init__(self, law: Law) -> None:
        n = len(law.h)
        self.M, self.h = law.S[:, :n], law.h
        self.factor = cho_factor(self.M, lower=True)
        self.R = np.concatenate([law.touch, law.L])
        self.r = np.concatenate([law.rest, law.closed])
        self.MR = cho_solve(self.factor, self.R.T)
        S, U = np.linalg.eigh(self.R @ self.MR)
        good = RANK * S.max(initial=0.0) < S
        self.inverse = (U[:, good] / S[good]) @ U[:, good].T  # of R M⁻¹Rᵀ, whose rows repeat each other

    def constrained(self, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The accelerations nearest to a, by kinetic energy, that contacts and loops allow, and their forces."""
        f = self.inverse @ (self.r - self.R @ a)
        return a + self.MR @ f, f

    def moved(self, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and forces under torques."""
        return self.constrained(cho_solve(self.factor, tau - self.h))

    def torques(self, a: np.ndarray, near: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Torques nearest to those given that move it so, none where nothing drives."""
        a, _ = self.constrained(a)
        need = self.M @ a + self.h
        weights = np.where(free, STRICT, 1.0)
        f = np.linalg.lstsq(weights[:, None] * self.R.T, weights * (need - near), rcond=1e-12)[0]
        return np.where(free, 0.0, need - self.R.T @ f)


class _Run:
    """A replay under way, on y = (q, v) (1, nq + nv)."""

    def __init__(self, model: Model, torques: TorqueFunctions, ground: Ground, feedback, disturbance) -> None:
        self.model, self.torques, self.ground = model, torques, ground
        self.feedback, self.disturbance = feedback, disturbance
        ends = np.array([x for c in ground.contacts for span in c.during for x in span])
        inside = ends[(ends > torques.t[0]) & (ends < torques.t[-1])]
        self.events = np.unique(np.concatenate([torques.t[[0, -1]], inside]))
        self.paths = [self._path(a, b) for a, b in pairwise(self.events)]
        self.plan = PlannedPath(model, torques.t, torques.q, torques.v)
        self.span, self.begun = 0, float(torques.t[0])

    def _path(self, begin: float, end: float) -> Callable:
        """Torques between two changes of contact, where they jump; the last key before an end is continued to it."""
        keys = (self.torques.t >= begin - 1e-9) & (self.torques.t < end - 1e-9)
        keys |= (self.torques.t >= begin - 1e-9) if end == self.events[-1] else False
        require(keys.any(), "torques need a key between changes of contact", BadValue, begin=begin, end=end)
        return make_interp_spline(self.torques.t[keys], self.torques.tau[keys], k=min(3, int(keys.sum()) - 1))

    def split(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q (1, nq) and v (1, nv), quaternions of unit norm, loops closed."""
        q, v = unit(self.model, y[:, : self.model.nq].copy()), y[:, self.model.nq :]
        return project(self.model, q, v) if self.model.constraints else (q, v)

    def physics(self, q: np.ndarray, v: np.ndarray) -> _Physics:
        """The dynamics of one state with what touches in this span."""
        middle = np.array([self.events[self.span : self.span + 2].mean()])
        return _Physics(self.ground.law(Posture(self.model, q, middle, (v, np.ones(1))), v[0]))

    def tau(self, t: float, q: np.ndarray, v: np.ndarray, here: _Physics) -> np.ndarray:
        """Torques over the weight, with feedback (nv,)."""
        tau = np.where(self.ground.free, 0.0, self.paths[self.span](t)) / self.ground.weight
        if not self.feedback:
            return tau
        w, (to_q, to_v, a) = self.feedback, self.plan.at(t, ending=t > self.begun)
        a = a + w * w * difference(self.model, q[0], to_q) + 2.0 * w * (to_v - v[0])
        return here.torques(a, tau, self.ground.free)

    def pushed(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Forces of the disturbance over the weight (nv,)."""
        if self.disturbance is None:
            return np.zeros(self.model.nv)
        W = np.asarray(self.disturbance(t, q[0], v[0]), dtype=float)
        return (bias_forces(self.model, q, v) - bias_forces(self.model, q, v, W))[0] / self.ground.weight

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """(q̇, v̇)."""
        q, v = self.split(y)
        here = self.physics(q, v)
        a, _ = here.moved(self.tau(t, q, v, here) + self.pushed(t, q, v))
        return np.concatenate([coordinate_rates(self.model, q, v), a[None]], axis=1)

    def tidied(self, y: np.ndarray, t: float) -> np.ndarray:
        """A step's end and the next one's beginning: quaternions of unit norm, loops closed, what touches at rest."""
        self.begun = t
        require(np.isfinite(y).all(), f"the replayed motion is no longer finite at t = {t:g} s", NotConverged)
        q, v = self.split(y)
        here = self.physics(q, v)
        return np.concatenate([q, v - (here.MR @ (here.inverse @ (here.R @ v[0])))[None]], axis=1)

    def marched(self, y: np.ndarray, times: np.ndarray, step: float) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
        """(y, τ, residual) at each of the times: steps end where contacts change."""
        for span, (a, b) in enumerate(pairwise(self.events)):
            self.span = span
            y, last = self.tidied(y, a), span == len(self.paths) - 1
            inner = times[(times >= a - 1e-9) & ((times < b - 1e-9) | last)]
            stops = np.unique(np.concatenate([[a], inner[(inner > a + 1e-9) & (inner < b - 1e-9)], [b]]))
            for t, state in zip(stops, [y, *rk4(self.rate, y, stops, step, 0.0, self.tidied)], strict=True):
                y = state
                if np.abs(inner - t).min(initial=np.inf) < 1e-9:
                    yield y, *self.account(t, y)

    def account(self, t: float, y: np.ndarray) -> tuple[np.ndarray, float]:
        """Torques, and how far the ground's forces are from what it can give: the same wrenches by its pyramids."""
        q, v = self.split(y)
        middle = np.array([self.events[self.span : self.span + 2].mean()])
        law = self.ground.law(Posture(self.model, q, middle, (v, np.ones(1))), v[0])
        here = _Physics(law)
        tau = self.tau(t, q, v, here)
        f = here.moved(tau + self.pushed(t, q, v))[1][: len(law.touch)]
        n, shares = self.model.nv, law.edges.shape[1]
        off = nnls(-law.S[:, n : n + shares], law.touch.T @ f)[1] if shares else 0.0
        return self.ground.weight * tau, self.ground.weight * float(off)

    def result(self, times: np.ndarray, y: np.ndarray, step: float) -> CarriedReplay:
        """All records."""
        found = list(self.marched(y, times, step))
        y, tau, residual = (np.array(x) for x in zip(*found, strict=True))
        q, v = y[:, 0, : self.model.nq], y[:, 0, self.model.nq :]
        plan = np.array([self.plan.at(t)[0] for t in times])
        return CarriedReplay(Trajectory(self.model, times, q, v), difference(self.model, plan, q), tau, residual)
