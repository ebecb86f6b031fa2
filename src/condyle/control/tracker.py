"""Velocities of one state at a time, for control loops: one program whose memory is allocated once."""

from __future__ import annotations

import numpy as np

from ..dynamics.constraints.constraint_gaps import constraint_gaps
from ..errors import BadShape, BadValue, NotFinite, NotSupported, require
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .animation_space import AnimationSpace, require_space
from .coordinates.perfect_powers import held
from .coordinates.pose_jet import Posture
from .plain_numbers import not_negative
from .priority_program import FAR
from .resolution import Resolution, checked_resolution, resolve_velocity
from .weighted_pseudoinverse import pace_of, paced, weight_roots

EQUAL = 5  # daqp: a row that always holds
RATES = 1e-6  # [m/s, rad/s]: rates that are nearer are had


class Tracker:
    """`resolve_velocity` for loops in Python that run a thousand times a second.

    The velocities of least |G v − u̇|² + damping² |v|², with weights of rows and velocities, inside joint ranges, speeds
    and what is kept, on the model's constraints. The solver starts from the limits that held in the last call; the
    answer does not depend on that. Limits that exclude each other are widened as `resolve_velocity` does it, at its
    cost. Near the border of its reach the model goes no faster than a `step` can follow, as in `direct`; `missing` and
    the repr then say what is not had. A tracker is for one thread.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    how : Resolution
        With damping, which makes the answer unique; without priorities and secondary wishes.
    step : float, optional
        Seconds between calls; 0 for the answers of `resolve_velocity`, which only the damping bounds.

    Raises
    ------
    BadValue
        If the step is negative or not finite.
    NotSupported
        If there is no damping, or there are priorities, secondary wishes or prescribed coordinates.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(1.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> space = cd.control.AnimationSpace(model, cd.control.point("bob", (0, 0, -1), axes="x"))
    >>> track = cd.control.Tracker(space, cd.control.Resolution(damping=1e-6, speeds=2.0))
    >>> track.velocity(np.array([0.0]), np.array([-0.5])).round(6), track.velocity(np.array([0.0]), np.array([9.0]))
    (array([0.5]), array([-2.]))
    """

    def __init__(self, space: AnimationSpace, how: Resolution, *, step: float = 1e-3) -> None:
        import daqp

        require_space(space)
        require(not_negative(step), "step must be a time [s], or 0", BadValue, step=step)
        how = checked_resolution(how)
        plain = how.damping > 0 and how.priorities is None and how.secondary is None and not space.model.prescribed
        require(
            plain,
            "a Tracker needs damping, and knows no priorities, secondary wishes or prescribed coordinates; call "
            "cd.control.resolve_velocity for those",
            NotSupported,
        )
        self.space, self.how, model = space, how, space.model
        self._limits = how.limits(model)
        places = self._limits.ranges
        self._at = np.array([x[1] for x in places], dtype=int), np.array([x[2] for x in places], dtype=int)
        self._ends = np.array([x[3] for x in places]), np.array([x[4] for x in places])
        self._fast = np.minimum(self._limits.speeds, FAR)
        self._rows = how.row_roots(space)
        self._weighed = bool((self._rows != 1.0).any())
        self._plain = np.zeros((0, model.nv)), np.zeros(model.nv, dtype=np.int32)  # rows and sense of simple bounds
        self._roots = weight_roots(how.weights, model.nv)
        self._damped = np.diag((how.damping * self._roots) ** 2)
        self._step, self._pace = step, self._rows * pace_of(step, space.row_sizes)
        self._program, self._size = daqp.Model(), -1
        self.limited: tuple[str, ...] = ()
        self.missing = np.zeros(space.size)

    def __repr__(self) -> str:
        worst = int(np.argmax(np.abs(self.missing)))
        off = f"; last call off by {abs(self.missing[worst]):.2g} at {self.space.labels[worst]}"
        limits = f", limited by {', '.join(self.limited)}" if self.limited else ""
        return f"<Tracker: {self.space.size} rows{off if abs(self.missing[worst]) > RATES else ''}{limits}>"

    def velocity(self, q: ArrayLike, rate: ArrayLike, t: float = 0.0) -> np.ndarray:
        """Velocities for the rates u̇ of the coordinates; `limited` then names the limits that hold them.

        `missing` (size,) is what they lack of these rates.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates [rad, m].
        rate : array_like, shape (size,)
            Rates u̇.
        t : float, optional
            Time [s], for what depends on it.

        Returns
        -------
        ndarray, shape (nv,)

        Raises
        ------
        BadShape
            If q or the rates do not fit the space.
        NotFinite
            If a rate is not finite.
        """
        model = self.space.model
        q, rate = real_numbers(q, "q").copy(), real_numbers(rate, "rates")
        fits = q.shape == (model.nq,) and rate.shape == (self.space.size,)
        require(fits, f"a Tracker takes q ({model.nq},) and rates ({self.space.size},)", BadShape, got=rate.shape)
        require(np.isfinite(rate @ rate) and np.isfinite(q @ q), "q and rates must be finite", NotFinite)
        posture = Posture(model, q[None], np.array([t]), single=True)
        u = held(self.space, rate == 0.0).jets(posture)
        plain, asked = u.slope[0, :, :-1], rate - u.slope[0, :, -1]
        G, wanted = (self._rows[:, None] * plain, self._rows * asked) if self._weighed else (plain, asked)
        H, f = G.T @ G + self._damped, -wanted @ G
        if self._step:
            self._brake(H, G, wanted)
        x = self._solved(H, f, *self._bounds(posture, q))
        x = self._widened(q, rate, t) if x is None else x
        self.missing = asked - plain @ x
        return x

    def _brake(self, H: np.ndarray, G: np.ndarray, wanted: np.ndarray) -> None:
        """Damp directions along which rows would go faster than a step can follow, in place."""
        B = G / self._roots
        if _above(B, self._pace.max() * np.linalg.norm(wanted) - self.how.damping**2):
            return
        U, S, Vt = np.linalg.svd(B, full_matrices=False)
        more = paced(U, U.T @ wanted, self._pace) - S**2 - self.how.damping**2
        if more.max(initial=0.0) > 0.0:
            along = Vt * self._roots
            H += (along.T * np.maximum(more, 0.0)) @ along

    def _bounds(self, posture: Posture, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rows A after simple bounds, with low and high of both, and their sense."""
        model, k = self.space.model, self.how.approach
        low, high = -self._fast, self._fast.copy()
        at, v = self._at
        low[v] = np.maximum(low[v], k * (self._ends[0] - q[at]))
        high[v] = np.minimum(high[v], k * (self._ends[1] - q[at]))
        if not (model.constraints or self._limits.kept):
            return self._plain[0], low, high, self._plain[1]
        A, ends = self._plain[0], []
        if model.constraints:
            gap, L = constraint_gaps(model, q[None])
            A, ends = L[0], [(-k * gap[0], -k * gap[0])]
        for x in self._limits.kept:
            u = x.coordinate.at(posture)
            A = np.concatenate([A, u.slope[0, :, :-1]])
            ends.append(tuple(k * (end - u.value[0]) - u.slope[0, :, -1] for end in (x.low, x.high)))
        sense = np.zeros(model.nv + len(A), dtype=np.int32)
        if model.constraints:
            sense[model.nv : model.nv + len(ends[0][0])] = EQUAL
        low, high = (np.clip(np.concatenate([x, *(e[i] for e in ends)]), -FAR, FAR) for i, x in ((0, low), (1, high)))
        return np.ascontiguousarray(A), low, high, sense

    def _widened(self, q: np.ndarray, rate: np.ndarray, t: float) -> np.ndarray:
        """The answer where limits exclude each other: they are widened by as little as need be."""
        found = resolve_velocity(self.space, q, rate, t, self.how, step=self._step)
        self.limited = found.limited
        return found.motion

    def _solved(self, H: np.ndarray, f: np.ndarray, A: np.ndarray, low, high, sense) -> np.ndarray | None:
        """The answer, or None where no velocity is inside all limits."""
        scale = 1.0 / H.diagonal().max()
        if self._size != len(low):
            self._program.setup(scale * H, scale * f, A, high, low, sense)
            self._program.settings = {"primal_tol": 1e-11, "dual_tol": 1e-13}
            self._size = len(low)
        else:
            self._program.update(H=scale * H, f=scale * f, A=A if len(A) else None, bupper=high, blower=low)
        x, _, flag, info = self._program.solve()
        if flag <= 0:
            self._size = -1
            return None
        self._name(np.asarray(info["lam"]))
        return x

    def _name(self, pull: np.ndarray) -> None:
        """The limits that hold: simple bounds by their coordinate, then rows of what is kept."""
        held = pull[self._limits.columns] != 0.0
        kept = pull[len(pull) - (len(self._limits.labels) - len(held)) :] != 0.0
        names = self._limits.labels
        self.limited = tuple(names[k] for k in np.flatnonzero(np.concatenate([held, kept])))


def _above(B: np.ndarray, bound: float) -> bool:
    """Whether all squares of singular values are above a bound, by a factorisation that is cheaper than they are."""
    square = B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B
    square.flat[:: len(square) + 1] -= bound
    try:
        np.linalg.cholesky(square)
    except np.linalg.LinAlgError:
        return False
    return True
