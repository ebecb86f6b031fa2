"""The skeleton article's own step, with the pseudo-inverse it names: dense, six unknowns per joint.  [eqs. 5, 6]"""

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

__all__ = ["PseudoInverse"]


def hat(a):
    """The matrices (..., 3, 3) of a ×."""
    x, y, z = np.moveaxis(a, -1, 0)
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


class PseudoInverse:
    """The matrices of a skeleton of hinges without anchors, solved as printed."""

    def __init__(self, skeleton):
        self.skeleton, self.state = skeleton, skeleton.initial
        self.inverse = np.linalg.inv(skeleton.inertias)

    def rows(self):
        """G (6 joints, 6 bodies) and the velocity terms of equation (3), assembled in one go."""
        s, x = self.skeleton, self.state
        joints, bodies = len(s.pairs), len(s.masses)
        G, bias = np.zeros((joints, 6, bodies, 6)), np.zeros((joints, 6))
        each = np.arange(joints)
        for side, sign in ((0, 1.0), (1, -1.0)):
            i = s.pairs[:, side]
            R, W = x.rotations[i], hat(x.angular_velocities[i])
            for row, local in ((0, s.points[:, side]), (3, s.axes[:, side])):
                G[each, row : row + 3, i, 3:] = -sign * R @ hat(local)
                bias[:, row : row + 3] += sign * (R @ W @ W @ local[..., None])[..., 0]
            G[each, :3, i, :3] = sign * np.eye(3)
        return G.reshape(6 * joints, 6 * bodies), bias.reshape(-1)

    def accelerations(self):
        """(bodies, 6): linear and angular."""
        s, x = self.skeleton, self.state
        G, bias = self.rows()
        blocks = np.zeros((len(s.masses), 6, 6))
        blocks[:, :3, :3], blocks[:, 3:, 3:] = np.eye(3) / s.masses[:, None, None], self.inverse
        w = x.angular_velocities
        spin = -np.cross(w, np.einsum("nij,nj->ni", s.inertias, w))
        f = np.concatenate([s.masses[:, None] * s.gravity, spin], axis=1)
        GM = np.einsum("jnk,nkl->jnl", G.reshape(len(G), -1, 6), blocks).reshape(G.shape)
        reactions = np.linalg.pinv(GM @ G.T, rcond=1e-10) @ (-bias - GM @ f.reshape(-1))
        return np.einsum("nij,nj->ni", blocks, f + (G.T @ reactions).reshape(-1, 6))

    def step(self, h):
        """The printed update of p, R, v, ω."""
        a, x = self.accelerations(), self.state
        v, w = x.velocities + h * a[:, :3], x.angular_velocities + h * a[:, 3:]
        self.state = replace(
            x,
            positions=x.positions + h * v,
            rotations=x.rotations @ Rotation.from_rotvec(h * w).as_matrix(),
            velocities=v,
            angular_velocities=w,
        )
