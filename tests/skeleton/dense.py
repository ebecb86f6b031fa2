"""A dense reference of the article's equations, and random skeletons for it. Shares no code with condyle.

Bodies move with (v in world axes, ω in body axes); every joint has six rows as printed, three of them zero for a ball
and dependent for a hinge, so the systems are singular and solved by singular values: the reactions are those of least
norm.  [Hakenberg, eqs. 1-6, corrected]
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


def hat(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0.0]])


def random_rotation(rng):
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.sign(np.linalg.det(Q))


def turn(a):
    """Rodrigues' rotation."""
    t = np.linalg.norm(a)
    K = hat(a / t) if t > 0 else np.zeros((3, 3))
    return np.eye(3) + np.sin(t) * K + (1 - np.cos(t)) * K @ K


@dataclass
class Dense:
    """Bodies, joints (−1 is the world) and a state."""

    m: np.ndarray
    inertia: np.ndarray
    pairs: list
    l: np.ndarray
    z: np.ndarray
    p: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray
    mu: np.ndarray
    g: np.ndarray = field(default_factory=lambda: np.zeros(3))

    @property
    def arrays(self):
        """As `Skeleton.from_arrays` wants them."""
        names = (
            "masses inertias pairs locations axes positions rotations velocities angular_velocities friction gravity"
        )
        parts = (self.m, self.inertia, self.pairs, self.l, self.z, self.p, self.R, self.v, self.w, self.mu, self.g)
        return dict(zip(names.split(), parts, strict=True))

    def side(self, j, k):
        """Sign, body, rotation, location, axis of side k."""
        i = self.pairs[j][k]
        return (1 - 2 * k), i, (self.R[i] if i >= 0 else np.eye(3)), self.l[j, k], self.z[j, k]

    def rows(self):
        """G (6 joints × 6 bodies) of equation (2) and the velocity terms of equation (3)."""
        n, J = len(self.m), len(self.pairs)
        G, bias = np.zeros((6 * J, 6 * n)), np.zeros(6 * J)
        for j in range(J):
            for k in range(2):
                s, i, R, l, z = self.side(j, k)
                if i < 0:
                    continue
                G[6 * j : 6 * j + 3, 6 * i : 6 * i + 3] = s * np.eye(3)
                G[6 * j : 6 * j + 3, 6 * i + 3 : 6 * i + 6] = -s * R @ hat(l)
                G[6 * j + 3 : 6 * j + 6, 6 * i + 3 : 6 * i + 6] = -s * R @ hat(z)
                W = hat(self.w[i])
                bias[6 * j : 6 * j + 3] += s * R @ W @ W @ l
                bias[6 * j + 3 : 6 * j + 6] += s * R @ W @ W @ z
        return G, bias

    def mass(self):
        n = len(self.m)
        M = np.zeros((6 * n, 6 * n))
        for i in range(n):
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = self.m[i] * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = self.inertia[i]
        return M

    def forces(self, motors=None, forces=None, torques=None):
        """Everything but reactions; motors are vectors in the axes of the first body."""
        n, J = len(self.m), len(self.pairs)
        f = np.zeros((n, 6))
        for i in range(n):
            f[i, :3] = self.m[i] * self.g + (0 if forces is None else forces[i])
            f[i, 3:] = -np.cross(self.w[i], self.inertia[i] @ self.w[i])
            f[i, 3:] += 0 if torques is None else self.R[i].T @ torques[i]
        for j in range(J):
            (_, a, Ra, _, _), (_, b, Rb, _, _) = self.side(j, 0), self.side(j, 1)
            wa, wb = (R @ self.w[i] if i >= 0 else np.zeros(3) for i, R in ((a, Ra), (b, Rb)))
            e = -self.mu[j] * (wa - wb) + (0 if motors is None else Ra @ motors[j])
            if a >= 0:
                f[a, 3:] += Ra.T @ e
            if b >= 0:
                f[b, 3:] -= Rb.T @ e
        return f.reshape(-1)

    def solve(self, rcond=1e-10, **loads):
        """Accelerations (bodies, 6: a, dω/dt) and reactions (joints, 6: c, d) by singular values."""
        G, bias = self.rows()
        Mi = np.linalg.inv(self.mass())
        f = self.forces(**loads)
        A = G @ Mi @ G.T
        cd = np.linalg.pinv(A, rcond=rcond, hermitian=True) @ (-bias - G @ Mi @ f)
        return (Mi @ (f + G.T @ cd)).reshape(-1, 6), cd.reshape(-1, 6)

    def rank(self, tol=1e-9):
        G, _ = self.rows()
        s = np.linalg.svd(G, compute_uv=False)
        return int((s > tol * s[0]).sum())

    def consistent(self):
        """The same with velocities that satisfy equation (2)."""
        G, _ = self.rows()
        Mi = np.linalg.inv(self.mass())
        u = np.concatenate([self.v, self.w], axis=1).reshape(-1)
        u = u - Mi @ G.T @ np.linalg.pinv(G @ Mi @ G.T, rcond=1e-10, hermitian=True) @ (G @ u)
        self.v, self.w = u.reshape(-1, 6)[:, :3].copy(), u.reshape(-1, 6)[:, 3:].copy()
        return self

    def printed_step(self, h, rcond):
        """The article's update with the pseudo-inverse."""
        a, _ = self.solve(rcond=rcond)
        self.v = self.v + h * a[:, :3]
        self.p = self.p + h * self.v
        self.w = self.w + h * a[:, 3:]
        self.R = np.array([R @ turn(h * w) for R, w in zip(self.R, self.w, strict=True)])

    def angular_momentum(self):
        spin = np.einsum("nij,njk,nk->ni", self.R, self.inertia, self.w)
        return (np.cross(self.p, self.m[:, None] * self.v) + spin).sum(axis=0)

    def kinetic(self):
        return 0.5 * (self.m[:, None] * self.v**2).sum() + 0.5 * np.einsum("ni,nij,nj", self.w, self.inertia, self.w)


def random_dense(pairs, kinds, seed=0, friction=0.0, gravity=(0, 0, 0), axis=None, speed=1.0) -> Dense:
    """A skeleton of any graph: joints at random points near their bodies, kinds 'h' and 's'; moving consistently."""
    rng = np.random.default_rng(seed)
    n = max(max(pair) for pair in pairs) + 1
    p, R = rng.normal(size=(n, 3)), np.array([random_rotation(rng) for _ in range(n)])
    moments = [random_rotation(rng) for _ in range(n)]
    inertia = np.array([Q @ np.diag(rng.uniform(0.3, 0.6, 3)) @ Q.T for Q in moments])
    l, z = np.zeros((len(pairs), 2, 3)), np.zeros((len(pairs), 2, 3))
    for j, pair in enumerate(pairs):
        point = rng.normal(size=3) * 0.3 + np.mean([p[i] for i in pair if i >= 0], axis=0)
        along = np.array(axis, float) if axis is not None else rng.normal(size=3)
        along = along / np.linalg.norm(along) if kinds[j] == "h" else np.zeros(3)
        for k, i in enumerate(pair):
            Q, q = (R[i], p[i]) if i >= 0 else (np.eye(3), np.zeros(3))
            l[j, k], z[j, k] = Q.T @ (point - q), Q.T @ along
    return Dense(
        m=rng.uniform(0.5, 2.0, n), inertia=inertia, pairs=list(pairs), l=l, z=z, p=p, R=R,
        v=speed * rng.normal(size=(n, 3)), w=speed * rng.normal(size=(n, 3)),
        mu=np.full(len(pairs), float(friction)) * rng.uniform(0.5, 1.5, len(pairs)), g=np.array(gravity, float),
    ).consistent()  # fmt: skip


CHAIN = [(0, 1), (1, 2)]
GRAPHS = {
    "two hinges": (CHAIN, "hh"),
    "hinge and ball": (CHAIN, "hs"),
    "ball and hinge": (CHAIN, "sh"),
    "two balls": (CHAIN, "ss"),
    "a star": ([(0, 1), (2, 0), (0, 3), (4, 0), (4, 5)], "hshhs"),
    "a branching tree": ([(0, 1), (1, 2), (3, 1), (3, 4), (5, 3), (1, 6), (6, 7)], "hshshhs"),
    "hung from the world": ([(-1, 0), (0, 1), (1, 2), (3, 1)], "hshh"),
    "held as second body": ([(0, -1), (0, 1), (2, 1)], "shh"),
    "two anchors": ([(-1, 0), (0, 1), (1, 2), (2, -1)], "shss"),
    "a ring of balls": ([(0, 1), (1, 2), (2, 3), (3, 0)], "ssss"),
    "a mixed ring": ([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], "hshsh"),
    "a ring of eight hinges": ([(k, (k + 1) % 8) for k in range(8)], "h" * 8),
    "two rings and a tail": ([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5)], "sssssss"),
    "one free body": ([(0, 1)], "s"),
}
