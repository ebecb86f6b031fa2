"""What a body should reach: a position, an orientation, a pose, or positions of several of its points (markers).

A target gives residuals and their exact Jacobian, from the body's pose and body Jacobian. Batches are leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import BadQuaternion, BadShape, BadValue, NotFinite, require
from ..spatial import SE3, as_pose, log_so3, right_jacobian_inverse
from ..spatial.quaternions import rotation_from_quaternion
from ..spatial.rigid import rotation_matrix
from ..spatial.so3 import cross_matrix

__all__ = ["Target", "orientation", "points", "pose", "position", "turn_and_jacobian"]


@dataclass(frozen=True, eq=False)
class Target:
    """Points `at` (k, 3) of a body at positions `xyz` (..., k, 3) [m], and its axes as `rotation` (..., 3, 3) or any.

    The residuals are `weight` times metres, and `rotation_weight` times radians.
    """

    body: str
    at: np.ndarray
    xyz: np.ndarray
    rotation: np.ndarray | None
    weight: float
    rotation_weight: float

    @property
    def batch(self) -> tuple[int, ...]:
        """Leading axes: many targets at once."""
        turned = () if self.rotation is None else self.rotation.shape[:-2]
        return np.broadcast_shapes(self.xyz.shape[:-2], turned)

    def flattened(self, batch: tuple[int, ...]) -> Target:
        """The same target for each member of a batch, in one axis."""
        k, count = len(self.at), int(np.prod(batch, dtype=int))
        xyz = np.broadcast_to(self.xyz, (*batch, k, 3)).reshape(count, k, 3)
        R = self.rotation
        R = None if R is None else np.broadcast_to(R, (*batch, 3, 3)).reshape(count, 3, 3)
        return replace(self, xyz=xyz, rotation=R)

    def taken(self, members: np.ndarray) -> Target:
        """The target of some members."""
        return replace(self, xyz=self.xyz[members], rotation=None if self.rotation is None else self.rotation[members])

    def residuals(self, T: np.ndarray) -> np.ndarray:
        """(count, rows) from poses (count, 4, 4): where the points are less where they should be, then the turn."""
        gap = (self.at @ np.swapaxes(T[:, :3, :3], 1, 2) + T[:, None, :3, 3] - self.xyz) * self.weight
        parts = [gap.reshape(len(T), 3 * len(self.at))]
        return np.concatenate(
            parts if self.rotation is None else [*parts, self.rotation_weight * log_so3(self._past(T))], 1
        )

    def _past(self, T: np.ndarray) -> np.ndarray:
        """R_targetᵀ R: how the body is turned past its target, in body axes."""
        return np.swapaxes(self.rotation, 1, 2) @ T[:, :3, :3]  # type: ignore[arg-type]

    def jacobian(self, T: np.ndarray, J: np.ndarray) -> np.ndarray:
        """(count, rows, nv): exact, from the body Jacobian (count, 6, nv)."""
        R, count, nv = T[:, :3, :3], len(T), J.shape[-1]
        moved = J[:, None, 3:] - cross_matrix(self.at)[None] @ J[:, None, :3]
        parts = [(self.weight * (R[:, None] @ moved)).reshape(count, 3 * len(self.at), nv)]
        if self.rotation is not None:
            parts.append(self.rotation_weight * (turn_and_jacobian(self._past(T))[1] @ J[:, :3]))
        return np.concatenate(parts, axis=1)


def turn_and_jacobian(R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log R [rad] (count, 3), and the matrix that takes the angular velocity in R's axes to its rate."""
    turn = log_so3(R)
    return turn, right_jacobian_inverse(np.concatenate([turn, np.zeros_like(turn)], axis=1))[:, :3, :3]


def position(body: str, xyz, at=(0.0, 0.0, 0.0), *, weight: float = 1.0) -> Target:
    """Bring the point `at` of a body (body axes) to `xyz` (..., 3) [m] in the world."""
    xyz = _array(xyz, "position: xyz", 3)[..., None, :]
    return Target(body, _array(at, "position: at", 3).reshape(-1, 3), xyz, None, _weight(weight), 1.0)


def orientation(body: str, rotation, *, weight: float = 1.0) -> Target:
    """Turn a body to `rotation`: an SE3, matrices (..., 3, 3), or quaternions wxyz (..., 4)."""
    return Target(body, np.zeros((0, 3)), np.zeros((0, 3)), _rotation(rotation), 1.0, _weight(weight))


def pose(body: str, pose, at=(0.0, 0.0, 0.0), *, weight: float = 1.0, rotation_weight: float = 1.0) -> Target:
    """Bring a body's axes and its point `at` to a pose (SE3 or (..., 4, 4)); weights per metre and per radian."""
    T = as_pose(pose, "pose")
    at = _array(at, "pose: at", 3).reshape(-1, 3)
    return Target(body, at, T[..., None, :3, 3], T[..., :3, :3], _weight(weight), _weight(rotation_weight))


def points(body: str, at, xyz, *, weight: float = 1.0) -> Target:
    """Bring several points `at` (k, 3) of a body, such as markers, to `xyz` (..., k, 3) [m]."""
    at, xyz = _array(at, "points: at", 3), _array(xyz, "points: xyz", 3)
    good = at.ndim == 2 and xyz.ndim >= 2 and xyz.shape[-2] == len(at) > 0
    require(good, "points: at (k, 3) and xyz (..., k, 3) need the same k", BadShape, at=at.shape, xyz=xyz.shape)
    return Target(body, at, xyz, None, _weight(weight), 1.0)


def _array(x, what: str, width: int) -> np.ndarray:
    array = np.asarray(x, dtype=float)
    good = array.ndim >= 1 and array.shape[-1] == width
    require(good, f"{what} must have shape (..., {width})", BadShape, shape=array.shape)
    require(np.isfinite(array).all(), f"{what} must be finite", NotFinite)
    return array


def _rotation(rotation) -> np.ndarray:
    if isinstance(rotation, SE3):
        return rotation.as_rotation()
    array = np.asarray(rotation, dtype=float)
    if array.shape[-2:] == (3, 3):
        return rotation_matrix(array, "orientation: rotation")
    q = _array(rotation, "orientation: a quaternion", 4)
    size = np.linalg.norm(q, axis=-1)
    good = np.abs(size - 1.0).max() < 1e-6
    require(good, "orientation: a quaternion wxyz has norm 1", BadQuaternion, norm=float(size.max()))
    return rotation_from_quaternion(q / size[..., None])


def _weight(weight: float) -> float:
    good = np.ndim(weight) == 0 and np.isfinite(weight) and weight > 0
    require(good, "a weight must be a positive number; leave a target out to ignore it", BadValue, weight=weight)
    return float(weight)
