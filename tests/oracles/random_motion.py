"""Seeded random poses, inertias and splines for tests; plain numpy arrays."""

import numpy as np
from scipy.spatial.transform import Rotation

__all__ = ["controls", "curve", "inertia", "knots", "pose", "quaternion", "unit"]


def unit(rng):
    x = rng.normal(size=3)
    return x / np.linalg.norm(x)


def pose(rng, size=0.5, angle=np.pi):
    """A random pose with translation of the given size [m] and a turn below `angle` [rad]."""
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec(unit(rng) * rng.uniform(0, angle)).as_matrix()
    T[:3, 3] = size * rng.normal(size=3)
    return T


def quaternion(rng):
    x = rng.normal(size=4)
    return x / np.linalg.norm(x)


def inertia(rng):
    """Mass, centre of mass and moment about it, of a random cloud of particles (so physically possible)."""
    mass, cloud = rng.uniform(0.5, 2, 12), 0.2 * rng.normal(size=(12, 3))
    com = mass @ cloud / mass.sum()
    r = cloud - com
    second = np.einsum("i,ix,iy->xy", mass, r, r)
    return mass.sum(), com, np.trace(second) * np.eye(3) - second


def knots(rng, count, order):
    """Non-uniform knots for `count` controls, domain starting at 0."""
    k = np.cumsum(rng.uniform(0.4, 1.0, count + order))
    return k - k[order - 1]


def curve(rng, count, step=0.5):
    """Control frames, each a moderate step from the last, shape (count, 4, 4)."""
    frames = [pose(rng)]
    for _ in range(count - 1):
        frames.append(frames[-1] @ pose(rng, 0.3, step))
    return np.array(frames)


def controls(rng, shape):
    """Controls of a spline surface that has full rank: translations follow the coordinates, plus noise."""
    c = 0.25 * rng.normal(size=(*shape, 6))
    for axis in range(len(shape)):
        c[..., axis % 6] += 0.8 * np.expand_dims(np.arange(shape[axis]), tuple(range(1, len(shape) - axis)))
    return c
