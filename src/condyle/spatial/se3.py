"""`SE3`: a rigid pose, or a batch of them, as a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..errors import BadQuaternion, BadShape, require
from ..typing import ArrayLike
from .arrays import first_index, floats, frozen, require_finite
from .frozen import Frozen
from .matrix_like import MatrixLike, means_entries
from .quaternions import (
    conjugate,
    multiply,
    norm,
    quaternion_exp,
    quaternion_from_rotation,
    quaternion_log,
    rotation_from_quaternion,
)
from .twists import adjoint, pose_matrix, swept, unswept
from .validate_rotation import rigid_matrix, rotation_matrix

NEARLY_UNIT = 1e-6
ROUND_OFF = 1e-15
PACKED = "_packed"  # the slot of numbers (..., 7), unit quaternion and position, that are not taken apart yet


@dataclass(frozen=True, eq=False)
class SE3(Frozen, MatrixLike):
    """Poses with unit quaternions `wxyz` (..., 4) and positions `xyz` (..., 3) [m], batched by leading axes.

    `X @ Y` is first Y, then X. Where NumPy expects an array, a pose is its matrices (..., 4, 4): `X - T`, `X @ T`,
    `T @ X`, `np.linalg.inv(X)` and `np.allclose(X, T)` take poses and arrays alike and give arrays. `X[i]` takes
    poses out of a batch; two more indices, `X[:3, 3]`, `X[i, :3, :3]` or `X[..., :3, 3]`, take entries of the matrices.

    Parameters
    ----------
    wxyz : array_like, shape (..., 4)
        Unit quaternions; those within 1e-6 of unit norm are normalised, others are refused.
    xyz : array_like, shape (..., 3)
        Positions [m]. Both are kept as read-only copies.

    Examples
    --------
    >>> import condyle as cd
    >>> quarter = cd.SE3.exp([0, 0, np.pi / 2, 0, 0, 0])
    >>> (quarter @ cd.SE3.from_translation([1, 0, 0])).xyz.round(6)
    array([0., 1., 0.])
    """

    wxyz: np.ndarray
    xyz: np.ndarray
    __slots__ = ("__weakref__", PACKED, "wxyz", "xyz")

    def __post_init__(self):
        q, p = floats(self.wxyz, (4,), "wxyz"), floats(self.xyz, (3,), "xyz")
        require_finite(q, 1, "wxyz")
        require_finite(p, 1, "xyz")
        batch = _common_batch(q.shape[:-1], p.shape[:-1])
        object.__setattr__(self, "wxyz", frozen(unit_quaternions(q), (*batch, 4)))
        object.__setattr__(self, "xyz", frozen(p, (*batch, 3)))

    def __getattr__(self, name: str) -> Any:
        if name in ("wxyz", "xyz"):  # not taken apart yet
            wxyz, xyz = self._packed[..., :4], self._packed[..., 4:]
            _fill(self, wxyz, xyz)
            return wxyz if name == "wxyz" else xyz
        return super().__getattr__(name)  # pyright: ignore[reportAttributeAccessIssue]  # it has the words

    @classmethod
    def identity(cls, batch: tuple[int, ...] = ()) -> SE3:
        """The pose that moves nothing, `batch` times.

        Parameters
        ----------
        batch : tuple of int, optional
            Shape of the batch; () is a single pose.

        Returns
        -------
        SE3
        """
        return cls(np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*batch, 4)), np.zeros((*batch, 3)))

    @classmethod
    def exp(cls, twist: ArrayLike) -> SE3:
        """The pose reached by moving with a constant twist [ω; v] (..., 6) for unit time.

        Parameters
        ----------
        twist : array_like, shape (..., 6)
            Angular part [rad] first, then the linear part [m].

        Returns
        -------
        SE3

        Raises
        ------
        BadShape
            If the last axis does not have six numbers.
        NotFinite
            If a number is NaN or infinite.

        Examples
        --------
        >>> cd.SE3.exp([0, 0, 0, 1, 2, 3]).xyz
        array([1., 2., 3.])
        """
        g = floats(twist, (6,), "a twist")
        require_finite(g, 1, "twist")
        q, p = quaternion_exp(g[..., :3]), swept(g[..., :3], g[..., 3:])
        return unchecked_pose(q, p) if np.isfinite(p).all() else cls(q, p)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> SE3:
        """From (..., 4, 4): rotations orthonormal to 1e-6, moved to the nearest exact one; others are refused.

        Parameters
        ----------
        matrix : array_like, shape (..., 4, 4)
            Homogeneous matrices of rigid poses; lengths in metres.

        Returns
        -------
        SE3

        Raises
        ------
        NotARotation
            If a matrix is not a rigid pose.

        Examples
        --------
        >>> cd.SE3.from_matrix(np.eye(4)).wxyz
        array([1., 0., 0., 0.])
        """
        T = rigid_matrix(matrix, "matrix")
        return cls(quaternion_from_rotation(T[..., :3, :3]), T[..., :3, 3])

    @classmethod
    def from_rotation(cls, rotation: ArrayLike) -> SE3:
        """From rotations (..., 3, 3) about the origin.

        Parameters
        ----------
        rotation : array_like, shape (..., 3, 3)

        Returns
        -------
        SE3

        Raises
        ------
        NotARotation
            If a matrix is not a rotation.
        """
        q = quaternion_from_rotation(rotation_matrix(rotation, "rotation"))
        return cls(q, np.zeros(3))

    @classmethod
    def from_translation(cls, position: ArrayLike) -> SE3:
        """From positions (..., 3) [m], not turned.

        Parameters
        ----------
        position : array_like, shape (..., 3)
            [m]

        Returns
        -------
        SE3

        Raises
        ------
        BadShape
            If the last axis does not have three numbers.
        """
        return cls(np.array([1.0, 0.0, 0.0, 0.0]), floats(position, (3,), "position"))

    @classmethod
    def stack(cls, poses: Sequence[SE3]) -> SE3:
        """One batch from several poses of one shape, along a new first axis.

        Parameters
        ----------
        poses : sequence of SE3

        Returns
        -------
        SE3

        Raises
        ------
        BadShape
            If there are no poses, or poses of different shapes.
        """
        require(len(poses) > 0, "stack needs at least one pose", BadShape)
        shapes = {pose.shape for pose in poses}
        require(len(shapes) == 1, "stack needs poses of one shape", BadShape, shapes=sorted(shapes))
        return cls(np.stack([pose.wxyz for pose in poses]), np.stack([pose.xyz for pose in poses]))

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape; () for a single pose. That of the matrices has (4, 4) after it."""
        return self.xyz.shape[:-1]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single pose has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[SE3]:
        if not self.shape:
            raise TypeError("a single pose has no parts to go through; its rows are those of X.as_matrix()")
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        if means_entries(index, len(self.shape)):
            return self.as_matrix()[index]
        grown = (*index, slice(None)) if any(i is Ellipsis for i in index) else (*index, Ellipsis, slice(None))
        return unchecked_pose(self.wxyz[grown], self.xyz[grown])

    @overload
    def __matmul__(self, other: SE3) -> SE3: ...  # pyright: ignore[reportOverlappingOverload]  # a pose stays one
    @overload
    def __matmul__(self, other: ArrayLike) -> np.ndarray: ...
    def __matmul__(self, other):
        if not isinstance(other, SE3):
            return np.matmul(self, other)
        return SE3(multiply(self.wxyz, other.wxyz), self.apply(other.xyz))

    def inverse(self) -> SE3:
        """The pose that undoes this one.

        Examples
        --------
        >>> X = cd.SE3.from_translation([1, 2, 3])
        >>> X.inverse().xyz
        array([-1., -2., -3.])
        """
        q = conjugate(self.wxyz)
        return SE3(q, -_turned(q, self.xyz))

    def log(self) -> np.ndarray:
        """The twist [ω; v] (..., 6) of at most half a turn that reaches this pose in unit time."""
        w = quaternion_log(self.wxyz)
        return np.concatenate([w, unswept(w, self.xyz)], axis=-1)

    def apply(self, points: ArrayLike) -> np.ndarray:
        """Points (..., 3) [m] of the moved frame, seen from the fixed one; batches broadcast.

        Parameters
        ----------
        points : array_like, shape (..., 3)
            [m]

        Returns
        -------
        ndarray, shape (..., 3)

        Examples
        --------
        >>> cd.SE3.exp([0, 0, np.pi / 2, 0, 0, 0]).apply([1, 0, 0]).round(6)
        array([0., 1., 0.])
        """
        return _turned(self.wxyz, floats(points, (3,), "points")) + self.xyz

    def adjoint(self) -> np.ndarray:
        """Ad (..., 6, 6), which takes twists of the moved frame to the fixed one."""
        return adjoint(self.as_matrix())

    def as_matrix(self) -> np.ndarray:
        """As (..., 4, 4)."""
        return pose_matrix(self.as_rotation(), self.xyz)

    def as_rotation(self) -> np.ndarray:
        """The rotations alone, (..., 3, 3)."""
        return rotation_from_quaternion(self.wxyz)


_new, _put_packed, _put_wxyz, _put_xyz = object.__new__, *(vars(SE3)[name].__set__ for name in SE3.__slots__[1:])


def packed_poses(numbers: np.ndarray) -> SE3:
    """Poses from their numbers (..., 7), unit quaternion and position, that a computation made: float64.

    They are neither checked nor copied; they are taken apart, and made read-only, when they are first looked at.
    """
    pose = _new(SE3)
    _put_packed(pose, numbers)
    return pose


def unchecked_pose(wxyz: np.ndarray, xyz: np.ndarray) -> SE3:
    """Poses from unit quaternions (..., 4) and positions (..., 3) that a computation made: float64, of one batch shape.

    They are neither checked nor copied, and become read-only.
    """
    pose = _new(SE3)
    _fill(pose, wxyz, xyz)
    return pose


def _fill(pose: SE3, wxyz: np.ndarray, xyz: np.ndarray) -> None:
    wxyz.setflags(write=False)
    xyz.setflags(write=False)
    _put_wxyz(pose, wxyz)
    _put_xyz(pose, xyz)


def unit_quaternions(wxyz: np.ndarray, name: str = "wxyz") -> np.ndarray:
    """Normalised; refused when further than 1e-6 from unit norm."""
    length = norm(wxyz)
    bad = np.abs(length[..., 0] - 1.0) > NEARLY_UNIT
    if bad.any():
        raise BadQuaternion(
            f"{name}{first_index(bad)} has norm {length[..., 0][bad][0]:.9g}; a rotation needs a quaternion wxyz "
            f"of norm 1 within {NEARLY_UNIT:g}. Divide it by its norm if that is what you mean."
        )
    # a norm of 1 up to round-off is left alone, so that taking poses out of a batch does not change their bits
    return np.where(np.abs(length - 1.0) <= ROUND_OFF, wxyz, wxyz / length)


def as_pose(x: ArrayLike | None, name: str = "pose") -> np.ndarray:
    """Pose matrices (..., 4, 4) from an SE3, an array (..., 4, 4), or None for the identity.

    Parameters
    ----------
    x : SE3, array_like or None
        A pose or a batch of them.
    name : str, optional
        For messages.

    Returns
    -------
    ndarray, shape (..., 4, 4)

    Raises
    ------
    BadShape
        Not a pose, naming what was got.
    """
    if x is None:
        return np.eye(4)
    return x.as_matrix() if isinstance(x, SE3) else rigid_matrix(x, name)


def _turned(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """x rotated by q."""
    return (rotation_from_quaternion(q) @ x[..., None])[..., 0]


def _common_batch(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise BadShape(f"wxyz and xyz must have batch shapes that go together; got {a} and {b}") from None
