"""What joints of any kind ask of free bodies: rows across their motion, how far they gape, and the coordinates' places.

A body moves by u = [ω; v], its spin and the velocity of its centre of mass in world axes. The child's joint frame M
moves against the parent by T = C u − P u_parent, in its own axes; a joint with columns S(q) allows T = S q̇. With N
across S, Nᵀ T = 0 are its rows: they and their reactions refer to one point for both bodies, that of M, so that what
acts across a joint leaves momentum alone. Of a pose, G(q)⁻¹ X_FM = 1 + r says how far q is behind (along S) and how far
the joint gapes (along N).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...dynamics import integrate
from ...joints.packing import TableBuilder
from ...joints.segments import FACTORS
from ...model import Model
from ..state import State
from .kernels.held_layout import BODY_SIZE, HeldBody, Sizes, parts_of


class Bodies(NamedTuple):
    """Free bodies of a batch: rotations (B, n, 3, 3), centres of mass (B, n, 3), u (B, n, 6)."""

    R: np.ndarray
    p: np.ndarray
    u: np.ndarray


class Rows(NamedTuple):
    """Of all joints, m rows and nv coordinates.

    A (B, m, 6n): A u = 0. along (B, nv, 6n): v = along u. gap (B, m) and behind (B, nv): where G(q)⁻¹ X_FM differs from
    1. rate (B, m): what A u̇ must be. v (B, nv), and lag (B, nv): v̇ where no body accelerates. rank (B, joints): whether
    each joint has full rank. next (B, nq): q moved by what it is behind.
    """

    A: np.ndarray
    along: np.ndarray
    gap: np.ndarray
    behind: np.ndarray
    rate: np.ndarray
    v: np.ndarray
    lag: np.ndarray
    rank: np.ndarray
    next: np.ndarray


class JointRows:
    """The joints of a model, ready to be asked at batches of states."""

    def __init__(self, model: Model) -> None:
        self.model, self.n = model, model.nbodies
        self.masses = np.array([b.inertia.mass for b in model.bodies], float)
        self.moments = np.array([b.inertia.moment for b in model.bodies], float)
        self.coms = np.array([b.inertia.com for b in model.bodies], float).reshape(-1, 3)
        self.ends = np.cumsum([0, *(6 - b.joint.nv for b in model.bodies)])
        self.plain = None if model.quaternions else model.plain_places

    @property
    def m(self) -> int:
        """How many rows there are."""
        return int(self.ends[-1])

    @cached_property
    def _tables(self):
        """What the kernel reads: codes and numbers, and how large everything is."""
        built = TableBuilder()
        first = built.reserve(BODY_SIZE * self.n)
        records = []
        for i, body in enumerate(self.model.bodies):
            joint, (q, v) = body.joint, self.model.joint_starts[i]
            parent = self.coms[body.parent] if body.parent >= 0 else np.zeros(3)
            frames = (np.asarray(x, float) for x in (body.offset, body.placement))
            parts = [(X[:3, :3], X[:3, 3] - com) for X, com in zip(frames, (self.coms[i], parent), strict=True)]
            moment = self.moments[i][np.triu_indices(3)]
            at = built.floats(
                np.concatenate([*(np.ravel(x) for pair in parts for x in pair), moment, self.masses[i : i + 1]])
            )
            start = built.joint(joint.segments, joint.offsets)
            turning = {c for s in joint.segments if s.kind != FACTORS for c in s.grid.coordinates}
            plain = [place for c, place in enumerate(joint.offsets) if c not in turning]
            own = len(joint.segments), joint.nv, joint.nq, q, v, int(self.ends[i])
            records += HeldBody(body.parent, start, *own, at, built.records(plain), len(plain))
        built.codes[first : first + len(records)] = records
        return built.arrays(), built.work

    def at(self, x: Bodies, q: np.ndarray, *, rates: bool = True) -> Rows:
        """All rows at states x with coordinates near q (B, nq); without `rates` no velocities."""
        from .kernels.joint_rows import joint_rows  # loads the compiler

        out, _ = self._asked(joint_rows, row_of(x, q), rates, 0)
        return self._rows(out)

    def thrown(self, x: Bodies, q: np.ndarray, h: float) -> tuple[Rows, Bodies, np.ndarray, np.ndarray]:
        """Where rates x.u lead in a step h: rows (A by rates), bodies, momenta (B, 6n), their slopes (B, n, 3, 3)."""
        from .kernels.thrown import thrown_rows  # loads the compiler

        states = np.concatenate([row_of(x, q), np.full((len(q), 1), h)], axis=1)
        out, end = self._asked(thrown_rows, states, False, 27 * self.n)
        R, p, momentum, slope = (out[:, end + a * self.n : end + b * self.n] for a, b in pairwise((0, 9, 12, 18, 27)))
        bodies = Bodies(R.reshape(x.R.shape), p.reshape(x.p.shape), x.u)
        return self._rows(out), bodies, momentum, slope.reshape(x.R.shape)

    @cached_property
    def _parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Sizes without and with rates, and the parts of a result."""
        still, moving = (
            Sizes(self.n, self.m, self.model.nv, self.model.nq, self._tables[1], rates) for rates in (0, 1)
        )
        return tuple(still), tuple(moving), tuple(parts_of(still))

    def _asked(self, kernel: Callable, states: np.ndarray, rates: bool, more: int) -> tuple[np.ndarray, int]:
        """Results of a kernel at rows of states, and where what is not of rows begins."""
        pair, sizes, parts = self._tables[0], self._parts[int(rates)], self._parts[2]
        out = np.empty((len(states), parts[-1] + more))
        kernel(0.0, pair, sizes, parts, states, out, 0, len(out))
        return out, parts[-1]

    def _rows(self, out: np.ndarray) -> Rows:
        B, nv, wide = len(out), self.model.nv, 6 * self.n
        A, along, gap, behind, rate, v, lag, rank, after = (out[:, a:b] for a, b in pairwise(self._parts[2]))
        shaped = A.reshape(B, self.m, wide), along.reshape(B, nv, wide)
        return Rows(*shaped, gap, behind, rate, v, lag, rank > 0.5, after)

    def moved(self, q: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """Coordinates (B, nq) moved by velocities times time (B, nv)."""
        if self.plain is None:
            return integrate(self.model, q, dv)
        out = q.copy()
        out[:, self.plain[0]] += dv[:, self.plain[1]]
        return out

    def velocity_rates(self, rows: Rows, a: np.ndarray) -> np.ndarray:
        """v̇ (B, nv) of S v̇ = C u̇ − P u̇_parent + drift − Ṡ v, given u̇ (B, n, 6)."""
        return (rows.along @ a.reshape(len(a), -1, 1))[..., 0] + rows.lag

    def masses_at(self, R: np.ndarray) -> np.ndarray:
        """(B, 6n, 6n): moments of inertia in world axes, masses."""
        return self.spread(R @ self.moments @ R.swapaxes(-1, -2))

    def spread(self, turning: np.ndarray) -> np.ndarray:
        """(B, 6n, 6n): blocks (B, n, 3, 3) for turns, masses for shifts."""
        M = np.zeros((len(turning), self.n, 6, self.n, 6))
        own = np.arange(self.n)
        M[:, own, :3, own, :3] = turning.swapaxes(0, 1)
        for k in (3, 4, 5):
            M[:, own, k, own, k] = self.masses
        return M.reshape(len(turning), 6 * self.n, 6 * self.n)

    def settled(self, x: Bodies, q: np.ndarray, rounds: int = 20) -> np.ndarray:
        """Coordinates nearest to where the bodies are, from q on."""
        for _ in range(rounds):
            rows = self.at(x, q, rates=False)
            q = rows.next
            if not np.abs(rows.behind).max(initial=0.0) > 1e-13:
                break
        return q


def row_of(x: Bodies, q: np.ndarray) -> np.ndarray:
    """Members as rows of numbers: R (9), p (3) and u (6) of every body, then q."""
    return np.concatenate([part.reshape(len(q), -1) for part in (*x, q)], axis=1)


def bodies_of(state: State) -> Bodies:
    """A state as free bodies, members in one row."""
    n = state.positions.shape[-2]
    R = state.rotations.reshape(-1, n, 3, 3)
    w = (R @ state.angular_velocities.reshape(-1, n, 3, 1))[..., 0]
    u = np.concatenate([w, state.velocities.reshape(-1, n, 3)], axis=-1)
    return Bodies(R.copy(), state.positions.reshape(-1, n, 3).copy(), u)


def state_from(x: Bodies, shape: Sequence[int]) -> State:
    """Free bodies as a state of a batch shape."""
    w = (x.R.swapaxes(-1, -2) @ x.u[..., :3, None])[..., 0]
    parts = (x.p, x.R, x.u[..., 3:], w)
    return State(*(part.reshape(*shape, *part.shape[1:]) for part in parts))


def solved(
    M: np.ndarray, rows: np.ndarray, push: np.ndarray, f: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """x (B, 6n) and λ (B, m) of M x − pushᵀ λ = f, rows x = b; NaN where it has no solution."""
    n, m = M.shape[1], rows.shape[1]
    K = np.zeros((len(M), n + m, n + m))
    K[:, :n, :n], K[:, n:, :n], K[:, :n, n:] = M, rows, -push.swapaxes(1, 2)
    right = np.concatenate([f, b], axis=1)[..., None]
    try:
        out = np.linalg.solve(K, right)[..., 0]
    except np.linalg.LinAlgError:  # one of them is singular: the others go on
        out = np.stack([_alone(k, r) for k, r in zip(K, right, strict=True)])
    return out[:, :n], out[:, n:]


def _alone(K: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(K, right)[:, 0]
    except np.linalg.LinAlgError:
        return np.full(len(K), np.nan)


HATS = np.zeros((3, 3, 3))
HATS[[0, 1, 2], [2, 0, 1], [1, 2, 0]], HATS[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1.0, -1.0


def hat(a: np.ndarray) -> np.ndarray:
    """The matrix of a ×, batched."""
    return np.tensordot(a, HATS, 1)


def _dot(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Matrix times vector, batched."""
    return (A @ x[..., None])[..., 0]
