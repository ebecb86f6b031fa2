"""Forces on a tree as virtual work: each load has `force(tree, q, v)`, a vector of nv, and `energy(tree, q)`."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Damping", "Spring", "Stiffness"]


@dataclass(frozen=True)
class Spring:
    """Damped spring between a point of body `first` and a point of body `second` (index, or −1 for the world)."""

    first: int
    point1: np.ndarray
    second: int
    point2: np.ndarray
    stiffness: float
    damping: float
    length: float

    def gap(self, motion):
        """Coefficients of the vector from the second point to the first."""
        return track(motion, self.first, self.point1) - track(motion, self.second, self.point2)

    def force(self, tree, q, v):
        d, rate = self.gap(tree.motion(q, v, 1))
        slopes = np.array([d @ self.gap(tree.motion(q, e, 1))[1] for e in np.eye(tree.nv)]) / np.sqrt(d @ d)
        pull = self.stiffness * (np.sqrt(d @ d) - self.length) + self.damping * (d @ rate) / np.sqrt(d @ d)
        return -pull * slopes

    def energy(self, tree, q):
        (d,) = self.gap(tree.motion(q, np.zeros(tree.nv), 0))
        return 0.5 * self.stiffness * (np.sqrt(d @ d) - self.length) ** 2


def track(motion, body, point):
    """Coefficients of a body point in the world, shape (order + 1, 3)."""
    home = np.append(point, 1.0)
    if body >= 0:
        return motion[body, :, :3] @ home
    still = np.zeros((motion.shape[1], 3))
    still[0] = point
    return still


@dataclass(frozen=True)
class Damping:
    """τ = −c v on one coordinate."""

    index: int
    damping: float

    def force(self, tree, q, v):
        return -self.damping * v[self.index] * np.eye(tree.nv)[self.index]

    def energy(self, tree, q):
        return 0.0


@dataclass(frozen=True)
class Stiffness:
    """τ = −k (q − rest) on one coordinate; q and v have the same index (no quaternion before it)."""

    index: int
    stiffness: float
    rest: float = 0.0

    def force(self, tree, q, v):
        return -self.stiffness * (q[self.index] - self.rest) * np.eye(tree.nv)[self.index]

    def energy(self, tree, q):
        return 0.5 * self.stiffness * (q[self.index] - self.rest) ** 2
