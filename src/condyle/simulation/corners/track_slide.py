"""A body that slides on a track of wires with Coulomb friction and corners: slip, stick and impacts, energy booked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, NotConverged, require
from ...joints import Joint
from ...spatial import Inertia, ad
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike

TOLERANCE = 1e-12
MOST = 500  # impacts of one motion
CREEPING = 1e-9  # rate below which a body that passed a corner is at rest in it
APART = 1e-8  # [m] between the end of a wire and the start of the next


class Corner(NamedTuple):
    """One passage of a corner.

    Attributes
    ----------
    time : float
        [s]
    corner : int
        Which, from 0: between wires k and k + 1.
    arriving, leaving : float
        Rate of the coordinate just before and just after [1/s of its unit].
    impulse : ndarray, shape (6,)
        Of the wires on the body [N m s, N s], in its axes.
    lost : float
        Energy [J].
    """

    time: float
    corner: int
    arriving: float
    leaving: float
    impulse: np.ndarray
    lost: float


@dataclass(frozen=True)
class Slide:
    """A motion along a track.

    Attributes
    ----------
    t, s, v : ndarray, shape (T,)
        Times [s], the coordinate on the present wire and its rate.
    wire : ndarray of int, shape (T,)
        Which wire, from 0.
    energy : ndarray, shape (T,)
        Kinetic and of gravity [J].
    friction_work : ndarray, shape (T,)
        Done by friction since the start [J], never positive; integrated with the motion.
    normal_force : ndarray, shape (T,)
        Across the wire [N].
    corners : tuple of Corner
        All passages of corners, in time.
    stuck : float or None
        When it came to rest for good [s].
    ended : float or None
        When it ran off an end of the track [s].
    """

    t: np.ndarray
    s: np.ndarray
    v: np.ndarray
    wire: np.ndarray
    energy: np.ndarray
    friction_work: np.ndarray
    normal_force: np.ndarray
    corners: tuple[Corner, ...]
    stuck: float | None
    ended: float | None


def slide(
    wires: Joint | Sequence[Joint],
    inertia: Inertia,
    s: float,
    v: float = 0.0,
    *,
    duration: float,
    record: float | None = None,
    friction: float = 0.0,
    sticking: float | None = None,
    wire: int = 0,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
) -> Slide:
    """Let a body slide along wires that meet in corners, any number of them, with dry friction.

    The friction is `friction` times the force across the wire, against the motion; at rest it holds whatever is below
    `sticking` times that force. At a corner an impulse leaves the motion that the next wire allows (plastic), less the
    friction of that impulse. The wire holds both ways: a body does not lift off it.

    Parameters
    ----------
    wires : Joint or sequence of Joint
        Of one coordinate each, such as `cd.joints.along(curve)`; each begins where the one before ends.
    inertia : Inertia
        Of the body, in the frame that the joint moves.
    s, v : float
        Where it starts on its wire [its unit, m for `along`], and its rate.
    duration : float
        How long [s].
    record : float, optional
        Seconds between records; by default a hundredth of the duration.
    friction : float
        Coefficient of sliding friction, 0 or more.
    sticking : float, optional
        Coefficient of static friction, not below that of sliding; by default the same.
    wire : int
        On which wire it starts, from 0.
    gravity : array_like, shape (3,)
        [m/s²]

    Returns
    -------
    Slide

    Raises
    ------
    BadShape, BadValue
        If wires do not follow each other, the start is on none of them, or a coefficient is negative.
    NotConverged
        If there are more than 500 impacts.

    Examples
    --------
    A block on a slope of 30° with a coefficient of 0.2: a = g (sin 30° − 0.2 cos 30°):

    >>> import condyle as cd
    >>> slope = cd.joints.prismatic((np.cos(0.5236), 0, -np.sin(0.5236)))
    >>> run = cd.simulation.slide(slope, cd.Inertia.point(2.0), 0.0, duration=1.0, record=0.5, friction=0.2)
    >>> round(float(run.v[-1]), 2), bool(abs(run.energy[-1] - run.energy[0] - run.friction_work[-1]) < 1e-9)
    (3.21, True)
    """
    track = _Track(_checked(wires), inertia, finite_vector(gravity, 3, "slide: gravity"))
    mu = float(friction)
    held = mu if sticking is None else float(sticking)
    require(0.0 <= mu <= held < np.inf, "slide: 0 <= friction <= sticking", BadValue, friction=mu, sticking=held)
    require(0 <= wire < len(track.wires), f"slide: wires are 0 … {len(track.wires) - 1}", BadValue, wire=wire)
    low, high = track.wires[wire].domain[0]
    require(low <= s <= high, f"slide: the start is on wire {wire}, {low:.4g} to {high:.4g}", BadValue, s=s)
    record = 0.01 * duration if record is None else float(record)
    require(duration > 0 and record > 0, "slide: duration and record are above zero", BadValue)
    track.require_corners()
    return _Motion(track, mu, held, duration, record).run(wire, float(s), float(v))


def _checked(wires: Joint | Sequence[Joint]) -> tuple[Joint, ...]:
    """Wires of one coordinate, each of which begins where the one before ends."""
    wires = (wires,) if isinstance(wires, Joint) else tuple(wires)
    good = len(wires) > 0 and all(isinstance(w, Joint) and w.nq == w.nv == 1 for w in wires)
    require(good, "slide: wires are joints of one coordinate", BadShape)
    for k, (a, b) in enumerate(pairwise(wires)):
        gap = np.linalg.norm(a.pose([a.domain[0][1]]).xyz - b.pose([b.domain[0][0]]).xyz)
        words = f"slide: wire {k + 1} must begin where wire {k} ends; they are {gap:.3g} m apart"
        require(bool(gap < APART), words, BadValue)
    return wires


class _Track:
    """The body on each wire: its mass matrix, what drives it, and the force across."""

    def __init__(self, wires: tuple[Joint, ...], inertia: Inertia, gravity: np.ndarray) -> None:
        self.wires, self.J, self.gravity, self.inertia = wires, inertia.spatial(), gravity, inertia

    def at(self, k: int, s: float, v: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """S, the wrench that holds the body with acceleration zero, and J S: the wrench is W0 + J S a."""
        joint = self.wires[k]
        x = np.array([s])
        S, R = joint.jacobian(x)[:, 0], joint.pose(x).as_rotation()
        V = S * v
        rate = joint.hessian(x)[:, 0, 0] * v * v
        down = np.concatenate([np.zeros(3), R.T @ self.gravity])
        return S, self.J @ (rate - down) - ad(V).T @ self.J @ V, self.J @ S

    def require_corners(self) -> None:
        """At each corner the body keeps its axes, or is a point on the wire, which has none."""
        point = np.abs(self.J - self.inertia.mass * np.diag([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])).max() == 0.0
        for k, (a, b) in enumerate(pairwise(self.wires)):
            turned = a.pose([a.domain[0][1]]).as_rotation() - b.pose([b.domain[0][0]]).as_rotation()
            words = f"slide: at corner {k} the frame turns at once, which a body with moments of inertia cannot"
            good = point or bool(np.abs(turned).max() < 1e-9)
            require(good, f"{words}; take along(…, frame='fixed'), or Inertia.point(mass)", BadValue)

    def across(self, S: np.ndarray, W: np.ndarray) -> float:
        """The force across the wire [N]."""
        t = S[3:] / np.linalg.norm(S[3:])
        return float(np.linalg.norm(W[3:] - (W[3:] @ t) * t))

    def acceleration(self, k: int, s: float, v: float, mu: float, way: float) -> tuple[float, float, float]:
        """s̈, the friction by the coordinate and the force across, with friction against `way`."""
        S, W, JS = self.at(k, s, v)
        M, speed = float(S @ JS), float(np.linalg.norm(S[3:]))
        Q, a, N = 0.0, 0.0, 0.0
        for _ in range(100):
            a = (Q - float(S @ W)) / M
            N = self.across(S, W + JS * a)
            before, Q = Q, -mu * N * speed * way
            if abs(Q - before) <= 1e-15 * (1.0 + abs(Q)):
                break
        return a, Q, N

    def energy(self, k: int, s: float, v: float) -> float:
        S, G = self.wires[k].jacobian(np.array([s]))[:, 0], self.wires[k].pose([s]).as_matrix()
        center = (G @ [*self.inertia.com, 1.0])[:3]
        return float(0.5 * v * v * (S @ self.J @ S) - self.inertia.mass * (self.gravity @ center))

    def struck(self, k: int, to: int, v: float, mu: float) -> tuple[float, np.ndarray, float]:
        """The rate on wire `to` after the corner, the impulse in the body's axes there and the energy lost."""
        ends = [self.wires[i].domain[0][e] for i, e in ((k, int(to > k)), (to, int(to < k)))]
        (S, R), (T, Q) = ((w.jacobian([x])[:, 0], w.pose([x]).as_rotation())
                          for w, x in zip((self.wires[k], self.wires[to]), ends, strict=True))  # fmt: skip
        J, old = self.J, np.kron(np.eye(2), Q.T @ R) @ (S * v)  # its old motion in its new axes
        new = float(T @ J @ old / (T @ J @ T))
        blow = self.across(T, J @ (T * new - old))
        new = np.sign(new) * max(abs(new) - mu * blow * np.linalg.norm(T[3:]) / float(T @ J @ T), 0.0)
        lost = 0.5 * float(old @ J @ old - new * new * (T @ J @ T))
        return float(new), J @ (T * new - old), lost


class _Motion:
    """Phases of sliding, each until it stops, comes to an end of its wire, or time is up."""

    def __init__(self, track: _Track, mu: float, held: float, duration: float, record: float) -> None:
        self.track, self.mu, self.held, self.duration = track, mu, held, duration
        self.times = np.append(np.arange(0.0, duration - 1e-9 * record, record), duration)
        self.rows: list[tuple[float, ...]] = []
        self.corners: list[Corner] = []
        self.stuck: float | None = None
        self.ended: float | None = None

    def run(self, k: int, s: float, v: float) -> Slide:
        """Phase after phase."""
        t, work = 0.0, 0.0
        while t < self.duration and self.stuck is None and self.ended is None:
            way = np.sign(v) or self._pushed(k, s)
            if not way:
                self.stuck = t
                break
            t, s, v, work, met = self._phase(k, way, t, s, v, work)
            if met is not None:
                k, s, v = self._met(k, met, t, s, v)
                self.stuck = t if v == 0.0 and self.ended is None and self._rests(k, s) else None
        while len(self.rows) < len(self.times) and self.stuck is not None:
            self._write(self.times[len(self.rows)], k, s, 0.0, work)
        return self._result()

    def _pushed(self, k: int, s: float) -> float:
        """From rest: which way it starts, 0 if it sticks."""
        free = self.track.acceleration(k, s, 0.0, 0.0, 0.0)[0]
        S, W, _ = self.track.at(k, s, 0.0)
        needed = abs(float(S @ W)) / np.linalg.norm(S[3:])
        return 0.0 if needed <= self.held * self.track.across(S, W) + 1e-300 else float(np.sign(free))

    def _rests(self, k: int, s: float) -> bool:
        """Whether a body at rest at an end of wire k is pushed into the corner from both sides, or sticks."""
        end = int(s == self.track.wires[k].domain[0][1])
        other = k + (1 if end else -1)
        return not self._leaves(k, end) and not self._leaves(other, 1 - end)

    def _leaves(self, k: int, end: int) -> bool:
        """Whether a body at rest at an end of a wire starts along it."""
        if not 0 <= k < len(self.track.wires):
            return False
        way = self._pushed(k, float(self.track.wires[k].domain[0][end]))
        return way < 0.0 if end else way > 0.0

    def _phase(self, k: int, way: float, t: float, s: float, v: float, work: float):
        """Slide one way on one wire; returns the time, the state, and the end that was met (0, 1) or None."""
        from scipy.integrate import solve_ivp  # slow to load

        low, high = self.track.wires[k].domain[0]
        end = partial(_reached, high if way > 0 else low)
        rest = partial(_at_rest, way)
        end.terminal = rest.terminal = True  # pyright: ignore[reportAttributeAccessIssue]
        rest.direction = -1.0  # pyright: ignore[reportAttributeAccessIssue]
        options: Any = {"method": "DOP853", "rtol": TOLERANCE, "atol": 1e-14, "dense_output": True, "max_step": 0.05}
        rates = partial(self._rates, k, way)
        found = solve_ivp(rates, (t, self.duration), [s, v, work], events=[end, rest], **options)
        last, (s, v, work) = float(found.t[-1]), found.y[:, -1]
        while len(self.rows) < len(self.times) and self.times[len(self.rows)] <= last:
            time = self.times[len(self.rows)]
            self._write(time, k, *found.sol(time))
        v = 0.0 if len(found.t_events[1]) else float(v)
        met = int(way > 0) if len(found.t_events[0]) else None
        return last, float(s), v, float(work), met

    def _rates(self, k: int, way: float, t: float, y: np.ndarray) -> list[float]:
        a, Q, _ = self.track.acceleration(k, y[0], y[1], self.mu, way)
        return [y[1], a, Q * y[1]]

    def _met(self, k: int, end: int, t: float, s: float, v: float) -> tuple[int, float, float]:
        """At an end of a wire: over the corner, or off the track."""
        to = k + (1 if end else -1)
        if not 0 <= to < len(self.track.wires):
            self.ended = t
            return k, s, v
        new, impulse, lost = self.track.struck(k, to, v, self.mu)
        self.corners.append(Corner(t, min(k, to), v, new, impulse, lost))
        words = f"slide: more than {MOST} corners were passed before t = {t:.4g} s"
        require(len(self.corners) <= MOST, words, NotConverged)
        return to, float(self.track.wires[to].domain[0][0 if end else 1]), new if abs(new) > CREEPING else 0.0

    def _write(self, t: float, k: int, s: float, v: float, work: float) -> None:
        N = self.track.acceleration(k, s, v, self.mu, float(np.sign(v)))[2]
        self.rows.append((t, s, v, k, self.track.energy(k, s, v), work, N))

    def _result(self) -> Slide:
        t, s, v, k, energy, work, N = np.array(self.rows).reshape(-1, 7).T
        return Slide(t, s, v, k.astype(int), energy, work, N, tuple(self.corners), self.stuck, self.ended)


def _reached(end: float, t: float, y: np.ndarray) -> float:
    """0 at the end of a wire."""
    return y[0] - end


def _at_rest(way: float, t: float, y: np.ndarray) -> float:
    """Falls through 0 as it comes to rest."""
    return y[1] * way
