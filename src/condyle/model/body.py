"""What a model is made of: bodies and the loads on them. Plain frozen data; the builder checks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, BadValue, require
from ..joints.joint import Joint
from ..spatial import Inertia
from ..spatial.frozen import Frozen
from .shapes import Shape


@dataclass(frozen=True, eq=False)
class Body(Frozen):
    """A rigid body and the joint that carries it: X_PB = placement · G(q) · offset⁻¹ (X_PF, X_FM, X_BM)."""

    name: str
    parent: int  # −1: the world
    joint_name: str
    joint: Joint
    inertia: Inertia
    placement: np.ndarray
    offset: np.ndarray
    shapes: tuple[Shape, ...] = ()  # for drawing only

    def __post_init__(self) -> None:
        good = isinstance(self.joint, Joint) and isinstance(self.inertia, Inertia)
        require(good, f"body {self.name!r} needs a joint of cd.joints and a cd.Inertia", BadValue)
        for what, pose in (("placement", self.placement), ("offset", self.offset)):
            good = isinstance(pose, np.ndarray) and pose.shape == (4, 4) and pose.dtype == np.float64
            require(good, f"body {self.name!r}: {what} must be a 4x4 array of numbers", BadShape, got=pose)
        self._keep(placement=self.placement, offset=self.offset, shapes=tuple(self.shapes))


@dataclass(frozen=True)
class CoordinateLoad:
    """A force on one coordinate; `kind` and `constants` as in `layout`."""

    kind: int
    q: int
    v: int
    constants: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Spring(Frozen):
    """A damped spring between points of two bodies (−1: the world): force = stiffness (l − length) + damping l̇."""

    a: int
    point_a: np.ndarray
    b: int
    point_b: np.ndarray
    stiffness: float
    damping: float
    length: float

    def __post_init__(self) -> None:
        self._keep(point_a=np.asarray(self.point_a, dtype=float), point_b=np.asarray(self.point_b, dtype=float))
        good = self.point_a.shape == self.point_b.shape == (3,)
        require(good, "the points of a spring are three numbers each", BadShape, got=self.point_a)
