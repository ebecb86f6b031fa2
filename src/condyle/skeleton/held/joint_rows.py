"""What joints of any kind ask of free bodies: rows across their motion, how far they gape, and the coordinates' places.

A body moves by u = [ω; v], its spin and the velocity of its centre of mass in world axes. The child's joint frame M
moves against the parent by T = C u − P u_parent, in its own axes; a joint with columns S(q) allows T = S q̇. With N
across S, Nᵀ T = 0 are its rows: they and their reactions refer to one point for both bodies, that of M, so that what
acts across a joint leaves momentum alone. Of a pose, G(q)⁻¹ X_FM = 1 + r says how far q is behind (along S) and how far
the joint gapes (along N).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...dynamics import integrate
from ...joints.evaluate import pose_matrices
from ...model import Model
from ..state import State

LOST = 1e-9  # the least singular value of S, by the largest, with which a joint still has its coordinates


class Bodies(NamedTuple):
    """Free bodies of a batch: rotations (B, n, 3, 3), centres of mass (B, n, 3), u (B, n, 6)."""

    R: np.ndarray
    p: np.ndarray
    u: np.ndarray


class Rows(NamedTuple):
    """Of all joints, m rows and nv coordinates.

    A (B, m, 6n): A u = 0. along (B, nv, 6n): v = along u. gap (B, m) and behind (B, nv): where G(q)⁻¹ X_FM differs from
    1. rate (B, m): what A u̇ must be. v (B, nv). rank (B, joints): whether each joint has full rank.
    """

    A: np.ndarray
    along: np.ndarray
    gap: np.ndarray
    behind: np.ndarray
    rate: np.ndarray
    v: np.ndarray
    rank: np.ndarray


class JointRows:
    """The joints of a model, ready to be asked at batches of states."""

    def __init__(self, model: Model) -> None:
        self.model, self.n = model, model.nbodies
        self.masses = np.array([b.inertia.mass for b in model.bodies], float)
        self.moments = np.array([b.inertia.moment for b in model.bodies], float)
        self.coms = np.array([b.inertia.com for b in model.bodies], float).reshape(-1, 3)
        self.offsets = [np.array(b.offset, float) for b in model.bodies]
        self.placements = [np.array(b.placement, float) for b in model.bodies]
        self.ends = np.cumsum([0, *(6 - b.joint.nv for b in model.bodies)])

    @property
    def m(self) -> int:
        """How many rows there are."""
        return int(self.ends[-1])

    def at(self, x: Bodies, q: np.ndarray, *, rates: bool = True) -> Rows:
        """All rows at states x with coordinates near q (B, nq); without `rates` no second derivatives."""
        B, nv = len(q), self.model.nv
        A, along = np.zeros((B, self.m, 6 * self.n)), np.zeros((B, nv, 6 * self.n))
        gap, behind, rate, v = np.zeros((B, self.m)), np.zeros((B, nv)), np.zeros((B, self.m)), np.zeros((B, nv))
        rank = np.ones((B, self.n), bool)
        for i, body in enumerate(self.model.bodies):
            at, k = self.model.joint_starts[i]
            across, own = slice(self.ends[i], self.ends[i + 1]), slice(k, k + body.joint.nv)
            mine = q[:, at : at + body.joint.nq]
            arms, C, P, r = self._placed(i, x, mine)
            N, back, rank[:, i] = self._split(body.joint.jacobian(mine) if body.joint.nv else np.zeros((B, 6, 0)))
            gap[:, across], behind[:, own] = _dot(N.swapaxes(1, 2), r), _dot(back, r)
            for j, side in ((i, C), (body.parent, -P)):
                if j >= 0:
                    A[:, across, 6 * j : 6 * j + 6] = N.swapaxes(1, 2) @ side
                    along[:, own, 6 * j : 6 * j + 6] = back @ side
            if rates:
                T, drift = self._moving(i, x, arms)
                v[:, own] = _dot(back, T)
                rate[:, across] = _dot(N.swapaxes(1, 2), self._bias(i, mine, v[:, own]) - drift)
        return Rows(A, along, gap, behind, rate, v, rank)

    def _placed(self, i: int, x: Bodies, q: np.ndarray):
        """(R_M, both levers), the maps C and P, and r of G(q)⁻¹ X_FM."""
        body = self.model.bodies[i]
        R, p = x.R[:, i], x.p[:, i]
        offset = self.offsets[i]
        RM = R @ offset[:3, :3]
        arm = _dot(R, offset[:3, 3] - self.coms[i])
        RF, pF = self._parent(i, x, self.placements[i])
        to = p + arm
        center = x.p[:, body.parent] if body.parent >= 0 else np.zeros(3)
        G = pose_matrices(body.joint, q).reshape(-1, 4, 4)
        turn = G[:, :3, :3].swapaxes(1, 2) @ RF.swapaxes(1, 2) @ RM
        shift = _dot(G[:, :3, :3].swapaxes(1, 2), _dot(RF.swapaxes(1, 2), to - pF) - G[:, :3, 3])
        skew = 0.5 * (turn - turn.swapaxes(1, 2))
        r = np.concatenate([np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1), shift], axis=1)
        arms = RM, arm, to - center
        return arms, _carried(RM, arm), _carried(RM, to - center), r

    def _parent(self, i: int, x: Bodies, placement: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The frame F in the world."""
        parent = self.model.bodies[i].parent
        if parent < 0:
            return np.broadcast_to(placement[:3, :3], (len(x.R), 3, 3)), placement[:3, 3]
        R = x.R[:, parent]
        return R @ placement[:3, :3], x.p[:, parent] + _dot(R, placement[:3, 3] - self.coms[parent])

    def _split(self, S: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """N across S (B, 6, 6 − nv), the inverse S⁺ along it (B, nv, 6), and whether S has full rank."""
        nv = S.shape[2]
        if nv == 0:
            return np.broadcast_to(np.eye(6), (len(S), 6, 6)), np.zeros((len(S), 0, 6)), np.ones(len(S), bool)
        U, size, V = np.linalg.svd(S)
        full = size[:, -1] > LOST * np.maximum(size[:, 0], 1e-300)
        safe = np.where(full[:, None], size, 1.0)
        return U[:, :, nv:], V.swapaxes(1, 2) @ (U[:, :, :nv] / safe[:, None]).swapaxes(1, 2), full

    def _moving(self, i: int, x: Bodies, arms) -> tuple[np.ndarray, np.ndarray]:
        """T, and its rate where no body accelerates."""
        RM, arm, lever = arms
        parent = self.model.bodies[i].parent
        mine, theirs = x.u[:, i], x.u[:, parent] if parent >= 0 else np.zeros((len(x.u), 6))
        w, wp = mine[:, :3], theirs[:, :3]
        carried = mine[:, 3:] + cross(w, arm) - theirs[:, 3:]
        slip = carried - cross(wp, lever)
        back = RM.swapaxes(1, 2)
        turning = -cross(w, w - wp)
        sliding = cross(w, cross(w, arm) - slip) - cross(wp, carried)
        T = np.concatenate([_dot(back, w - wp), _dot(back, slip)], axis=1)
        return T, np.concatenate([_dot(back, turning), _dot(back, sliding)], axis=1)

    def _bias(self, i: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Ṡ q̇ (B, 6)."""
        joint = self.model.bodies[i].joint
        if not joint.nv:
            return np.zeros((len(q), 6))
        return np.einsum("baij,bi,bj->ba", joint.hessian(q), v, v)

    def velocity_rates(self, x: Bodies, q: np.ndarray, rows: Rows, a: np.ndarray) -> np.ndarray:
        """v̇ (B, nv) of S v̇ = C u̇ − P u̇_parent + drift − Ṡ v, given u̇ (B, n, 6)."""
        out = (rows.along @ a.reshape(len(a), -1, 1))[..., 0]
        for i, body in enumerate(self.model.bodies):
            at, k = self.model.joint_starts[i]
            mine, own = q[:, at : at + body.joint.nq], slice(k, k + body.joint.nv)
            if body.joint.nv:
                _, drift = self._moving(i, x, self._placed(i, x, mine)[0])
                back = self._split(body.joint.jacobian(mine))[1]
                out[:, own] += _dot(back, drift - self._bias(i, mine, rows.v[:, own]))
        return out

    def masses_at(self, R: np.ndarray) -> np.ndarray:
        """(B, 6n, 6n): moments of inertia in world axes, masses."""
        M = np.zeros((len(R), 6 * self.n, 6 * self.n))
        for i in range(self.n):
            a = 6 * i
            M[:, a : a + 3, a : a + 3] = R[:, i] @ self.moments[i] @ R[:, i].swapaxes(1, 2)
            M[:, range(a + 3, a + 6), range(a + 3, a + 6)] = self.masses[i]
        return M

    def settled(self, x: Bodies, q: np.ndarray, rounds: int = 20) -> np.ndarray:
        """Coordinates nearest to where the bodies are, from q on."""
        for _ in range(rounds):
            step = self.at(x, q, rates=False).behind
            q = integrate(self.model, q, step)
            if not np.abs(step).max(initial=0.0) > 1e-13:
                break
        return q


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


def solved(M: np.ndarray, rows: np.ndarray, push: np.ndarray, f: np.ndarray, b: np.ndarray):
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


def _carried(RM: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(B, 6, 6): from u to the twist of M, which is `arm` away from the centre of mass."""
    out, back = np.zeros((len(RM), 6, 6)), RM.swapaxes(1, 2)
    out[:, :3, :3] = out[:, 3:, 3:] = back
    out[:, 3:, :3] = -back @ hat(arm)
    return out


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b, batched: NumPy's own takes ten times as long for a few."""
    return (hat(a) @ b[..., None])[..., 0]


HATS = np.zeros((3, 3, 3))
HATS[[0, 1, 2], [2, 0, 1], [1, 2, 0]], HATS[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1.0, -1.0


def hat(a: np.ndarray) -> np.ndarray:
    """The matrix of a ×, batched."""
    return np.tensordot(a, HATS, 1)


def _dot(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Matrix times vector, batched."""
    return (A @ x[..., None])[..., 0]
