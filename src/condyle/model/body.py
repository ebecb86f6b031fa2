"""What a model is made of: bodies, and what springs and bushings between them are. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, BadValue, require
from ..forces import BetweenFrames, Element
from ..joints.joint import Joint
from ..spatial import SE3, Inertia
from ..spatial.frozen import Frozen
from ..spatial.validate_rotation import rigid_matrix
from ..typing import ArrayLike
from .look.shapes import Shape


@dataclass(frozen=True, eq=False)
class Body(Frozen):
    """A rigid body and the joint that carries it: X_PB = placement · G(q) · offset⁻¹ (X_PF, X_FM, X_BM).

    Attributes
    ----------
    name : str
    parent : int
        Number of the body that carries it; −1 is the world.
    joint_name : str
    joint : Joint
    inertia : Inertia
    placement : ndarray, shape (4, 4)
        X_PF: the joint's frame in the parent.
    offset : ndarray, shape (4, 4)
        X_BM: the moving frame in the body.
    shapes : tuple of Shape
        For drawing only.
    """

    name: str
    parent: int  # −1: the world
    joint_name: str
    joint: Joint
    inertia: Inertia
    placement: SE3
    offset: SE3
    shapes: tuple[Shape, ...] = ()  # for drawing only

    def __post_init__(self) -> None:
        good = isinstance(self.joint, Joint) and isinstance(self.inertia, Inertia)
        require(good, f"body {self.name!r} needs a joint of cd.joints and a cd.Inertia", BadValue)
        poses = {what: body_pose(getattr(self, what), self.name, what) for what in ("placement", "offset")}
        self._keep(**poses, shapes=tuple(self.shapes))


def body_pose(x: SE3 | ArrayLike | None, body: str, what: str) -> SE3:
    """A single pose from an SE3, a 4x4 matrix, or None for the identity; `body` and `what` are for messages."""
    name = f"body {body!r}: {what}"
    pose = SE3.identity() if x is None else x if isinstance(x, SE3) else SE3.from_matrix(rigid_matrix(x, name))
    require(pose.shape == (), f"{name} must be one pose", BadShape, shape=(*pose.shape, 4, 4))
    return pose


@dataclass(frozen=True, eq=False)
class Bushing(Frozen):
    """A spring and damper of all six motions between frames of two bodies (−1: the world).

    With the frame of b turned from that of a by Rx(α) Ry(β) Rz(γ) and shifted by p in the axes of a, the generalised
    forces on (α, β, γ, p) are −(stiffness · x + damping · ẋ).

    Attributes
    ----------
    a : int
        Number of the first body; −1 is the world.
    frame_a : ndarray, shape (4, 4)
        In its frame.
    b : int
        Number of the second body; −1 is the world.
    frame_b : ndarray, shape (4, 4)
        In its frame.
    stiffness : ndarray, shape (6,)
        Of three turns [N m/rad] and three shifts [N/m].
    damping : ndarray, shape (6,)
        Of three turns [N m s/rad] and three shifts [N s/m].
    """

    a: int
    frame_a: np.ndarray
    b: int
    frame_b: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray

    @classmethod
    def of(cls, force: Element[BetweenFrames]) -> Bushing:
        """A force of the law "bushing" as such.

        Parameters
        ----------
        force : Element

        Returns
        -------
        Bushing
        """
        place, numbers = force.at, np.array(force.constants)
        return cls(place.a, place.frame_a, place.b, place.frame_b, numbers[:6], numbers[6:])

    def __post_init__(self) -> None:
        self._keep(**{name: np.asarray(getattr(self, name), dtype=float)
                      for name in ("frame_a", "frame_b", "stiffness", "damping")})  # fmt: skip
        good = self.frame_a.shape == self.frame_b.shape == (4, 4) and self.stiffness.shape == self.damping.shape == (6,)
        require(good, "a bushing has two frames (4, 4), six stiffnesses and six dampings", BadShape)


@dataclass(frozen=True, eq=False)
class Spring(Frozen):
    """A damped spring between points of two bodies (−1: the world): force = stiffness (l − length) + damping l̇.

    Attributes
    ----------
    a : int
        Number of the first body; −1 is the world.
    point_a : ndarray, shape (3,)
        In its frame [m].
    b : int
        Number of the second body; −1 is the world.
    point_b : ndarray, shape (3,)
        In its frame [m].
    stiffness : float
        [N/m]
    damping : float
        [N s/m]
    length : float
        At rest [m].
    """

    a: int
    point_a: np.ndarray
    b: int
    point_b: np.ndarray
    stiffness: float
    damping: float
    length: float

    @classmethod
    def of(cls, force: Element[BetweenFrames]) -> Spring:
        """A force of the law "spring" as such.

        Parameters
        ----------
        force : Element

        Returns
        -------
        Spring
        """
        place, named = force.at, force.named
        return cls(place.a, place.frame_a[:3, 3], place.b, place.frame_b[:3, 3], **named)

    def __post_init__(self) -> None:
        self._keep(point_a=np.asarray(self.point_a, dtype=float), point_b=np.asarray(self.point_b, dtype=float))
        good = self.point_a.shape == self.point_b.shape == (3,)
        require(good, "the points of a spring are three numbers each", BadShape, got=self.point_a)
