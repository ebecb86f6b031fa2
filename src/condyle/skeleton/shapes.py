"""The article's picture of a skeleton: inertia ellipsoids, cylinders for hinges, spheres for balls, as surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .residuals import sides

if TYPE_CHECKING:
    from .data import Skeleton
    from .state import State

__all__ = ["Surface", "body_surfaces", "equimomental", "joint_size", "joint_surfaces"]


class Surface(NamedTuple):
    """A grid of points (u, v, 3) in world axes, of one body or joint."""

    name: str
    kind: str  # "body", or the kind of joint
    points: np.ndarray


def equimomental(mass: float, moment: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Semi-axes and axes (columns) of the uniform ellipsoid with this mass and moment of inertia."""
    values, axes = np.linalg.eigh(moment)
    squares = 2.5 / mass * (values.sum() - 2.0 * values)
    return np.sqrt(np.maximum(squares, 1e-6 * np.abs(squares).max())), axes * np.sign(np.linalg.det(axes))


def _sphere(rings: int = 12) -> np.ndarray:
    """A unit sphere (u, v, 3)."""
    u, v = np.linspace(0, 2 * np.pi, 2 * rings + 1), np.linspace(0, np.pi, rings + 1)
    return np.stack(
        [np.outer(np.cos(u), np.sin(v)), np.outer(np.sin(u), np.sin(v)), np.outer(np.ones_like(u), np.cos(v))], axis=-1
    )


def _cylinder(rings: int = 16) -> np.ndarray:
    """A closed cylinder of radius 1 from z = −1 to 1 (u, 4, 3)."""
    u = np.linspace(0, 2 * np.pi, rings + 1)
    profile = np.array([(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)])
    return np.stack(
        [np.outer(np.cos(u), profile[:, 0]), np.outer(np.sin(u), profile[:, 0]), np.tile(profile[:, 1], (len(u), 1))],
        axis=-1,
    )


def body_surfaces(skeleton: Skeleton, state: State | None = None) -> list[Surface]:
    """The inertia ellipsoid of every body."""
    state, out = skeleton.given(state), []
    for i, name in enumerate(skeleton.body_names):
        semi, axes = equimomental(skeleton.masses[i], skeleton.inertias[i])
        local = (_sphere() * semi) @ axes.T
        out.append(Surface(name, "body", local @ state.rotations[i].T + state.positions[i]))
    return out


def joint_size(skeleton: Skeleton) -> float:
    """A radius for joints: a fifth of the median body's size [m]."""
    sizes = [equimomental(m, I)[0].mean() for m, I in zip(skeleton.masses, skeleton.inertias, strict=True)]
    return 0.2 * float(np.median(sizes))


def joint_surfaces(skeleton: Skeleton, state: State | None = None, size: float | None = None) -> list[Surface]:
    """A cylinder along the axis of every hinge, a sphere for every ball, a flat disc for every weld."""
    first, _ = sides(skeleton, skeleton.given(state))
    r, out = size or joint_size(skeleton), []
    for j, (name, kind) in enumerate(zip(skeleton.joint_names, skeleton.kinds, strict=True)):
        shape = {"ball": _sphere() * r, "hinge": _cylinder() * (0.7 * r, 0.7 * r, 2 * r)}
        local = shape.get(kind, _cylinder() * (r, r, 0.3 * r))
        out.append(Surface(name, kind, local @ first.frame[j].T + first.point[j]))
    return out
