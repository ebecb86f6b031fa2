"""Forces on a tree as virtual work: each load has `force(tree, q, v)`, a vector of nv, and `energy(tree, q)`."""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad

__all__ = ["Constant", "Damping", "GradualLimit", "Limit", "SoftLimit", "Spring", "Stiffness"]


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
        still = tree.motion(q, 0 * v, 0)[:, 0]
        slopes = np.array([self.gap(np.stack([still, t], 1))[1] for t in tree.tangents(q)]) @ d / np.sqrt(d @ d)
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
class OnCoordinate:
    """A force on one velocity, v[index], that may depend on one coordinate, q[at]."""

    index: int
    at: int

    def force(self, tree, q, v):
        return self.law(q[self.at], v[self.index]) * np.eye(tree.nv)[self.index]

    def energy(self, tree, q):
        return self.stored(q[self.at])

    def stored(self, q):
        return 0.0


@dataclass(frozen=True)
class Constant(OnCoordinate):
    """τ = f, not counted as potential energy."""

    value: float

    def law(self, q, v):
        return self.value


@dataclass(frozen=True)
class Damping(OnCoordinate):
    """τ = −c v."""

    damping: float

    def law(self, q, v):
        return -self.damping * v


@dataclass(frozen=True)
class Stiffness(OnCoordinate):
    """τ = −k (q − rest) − c v."""

    stiffness: float
    rest: float = 0.0
    damping: float = 0.0

    def law(self, q, v):
        return -self.stiffness * (q - self.rest) - self.damping * v

    def stored(self, q):
        return 0.5 * self.stiffness * (q - self.rest) ** 2


@dataclass(frozen=True)
class Limit(OnCoordinate):
    """A spring and damper beyond [low, high] that pushes back and never pulls."""

    low: float
    high: float
    stiffness: float
    damping: float

    def law(self, q, v):
        if q < self.low:
            return max(0.0, self.stiffness * (self.low - q) - self.damping * v)
        if q > self.high:
            return min(0.0, self.stiffness * (self.high - q) - self.damping * v)
        return 0.0

    def stored(self, q):
        return 0.5 * self.stiffness * max(self.low - q, 0.0, q - self.high) ** 2


@dataclass(frozen=True)
class LimitByParts(OnCoordinate):
    """A limit of low, high and `width`, over which it sets in; its energy is the work against it, by quadrature."""

    low: float
    high: float

    def stored(self, q):
        corners = (self.low - self.width, self.low, self.high, self.high + self.width)
        middle = 0.5 * (self.low + self.high)
        between = [x for x in corners if min(middle, q) < x < max(middle, q)]
        return -quad(lambda x: self.law(x, 0.0), middle, q, points=between or None, epsabs=1e-13, epsrel=1e-13)[0]


@dataclass(frozen=True)
class SoftLimit(LimitByParts):
    """τ = −S(u) (k p + c v) with p beyond an end, u = |p| / width and S(u) = u³ (10 − 15 u + 6 u²) up to u = 1."""

    below: float
    above: float
    damping: float
    width: float

    def law(self, q, v):
        stiffness, past = (self.above, q - self.high) if q > self.high else (self.below, min(q - self.low, 0.0))
        u = min(abs(past) / self.width, 1.0)
        return -(u**3) * (10 - 15 * u + 6 * u**2) * (stiffness * past + self.damping * v)


@dataclass(frozen=True)
class GradualLimit(LimitByParts):
    """A limit whose damping is in proportion to how far it is passed, up to a depth of `width`; it never pulls."""

    stiffness: float
    damping: float
    width: float

    def law(self, q, v):
        side, past = (1.0, q - self.high) if q > self.high else (-1.0, max(self.low - q, 0.0))
        damping = self.damping * min(past / self.width, 1.0)
        return -side * max(self.stiffness * past + side * damping * v, 0.0)
