"""What a model is made of: bodies and the loads on them. Plain frozen data; the builder checks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..joints.joint import Joint
from ..spatial import Inertia
from .shapes import Shape

__all__ = ["Body", "CoordinateLoad", "Spring"]


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body and the joint that carries it: X_PB = placement · G(q) · offset⁻¹ (X_PF, X_FM, X_BM)."""

    name: str
    parent: int  # −1: the world
    joint_name: str
    joint: Joint
    inertia: Inertia
    placement: np.ndarray
    offset: np.ndarray
    shapes: tuple[Shape, ...] = ()  # for drawing only


@dataclass(frozen=True)
class CoordinateLoad:
    """A force on one coordinate; `kind` and `constants` as in `layout`."""

    kind: int
    q: int
    v: int
    constants: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Spring:
    """A damped spring between points of two bodies (−1: the world): force = stiffness (l − length) + damping l̇."""

    a: int
    point_a: np.ndarray
    b: int
    point_b: np.ndarray
    stiffness: float
    damping: float
    length: float
