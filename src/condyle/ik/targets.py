"""What a body should reach: a position, an orientation, a pose, or positions of several of its points (markers).

A coordinate can have a target of its own: a value that it should be near.

Residuals are where the points are less where they should be, and the turn past the wanted axes, in the body's own axes.
Batches are leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import BadQuaternion, BadShape, BadValue, NotFinite, require
from ..spatial import SE3, as_pose
from ..spatial.arrays import real_numbers
from ..spatial.quaternions import rotation_from_quaternion
from ..spatial.validate_rotation import rotation_matrix
from ..typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Target:
    """Where points of a body, and its axes, should be. Made by `position`, `orientation`, `pose` and `points`.

    Attributes
    ----------
    body : str
    at : ndarray, shape (k, 3)
        Points in body axes [m].
    xyz : ndarray, shape (..., k, 3)
        Their positions in the world [m]; NaN asks for nothing.
    rotation : ndarray, shape (..., 3, 3), or None
        The body's axes; None for any.
    weight : ndarray, shape (k,)
        Factors of the points' residuals [m].
    rotation_weight : float
        Factor of the rotation's residual [rad].
    """

    body: str
    at: np.ndarray
    xyz: np.ndarray
    rotation: np.ndarray | None
    weight: np.ndarray
    rotation_weight: float

    @property
    def batch(self) -> tuple[int, ...]:
        """Leading axes: many targets at once."""
        turned = () if self.rotation is None else self.rotation.shape[:-2]
        return np.broadcast_shapes(self.xyz.shape[:-2], turned)

    def at_record(self, k: int | np.ndarray) -> Target:
        """The target at one or several places of its first batch axis.

        Parameters
        ----------
        k : int or ndarray of int

        Returns
        -------
        Target
        """
        R = self.rotation
        xyz = self.xyz[k] if self.xyz.ndim > 2 else self.xyz
        return replace(self, xyz=xyz, rotation=R[k] if R is not None and R.ndim > 2 else R)


@dataclass(frozen=True, eq=False)
class CoordinateTarget:
    """What a coordinate should be. Made by `coordinate`.

    Attributes
    ----------
    coordinate : str
    value : ndarray, shape (...)
        [rad or m]; NaN asks for nothing.
    weight : ndarray, shape (...)
        Factor of the residual.
    """

    coordinate: str
    value: np.ndarray
    weight: np.ndarray

    @property
    def batch(self) -> tuple[int, ...]:
        """Leading axes: many targets at once."""
        return np.broadcast_shapes(self.value.shape, self.weight.shape)

    def at_record(self, k: int | np.ndarray) -> CoordinateTarget:
        """The target at one or several places of its first batch axis.

        Parameters
        ----------
        k : int or ndarray of int

        Returns
        -------
        CoordinateTarget
        """
        value, weight = (x[k] if x.ndim else x for x in (self.value, self.weight))
        return CoordinateTarget(self.coordinate, value, weight)


AnyTarget = Target | CoordinateTarget


def coordinate(coordinate: str, value: ArrayLike, *, weight: ArrayLike = 1.0) -> CoordinateTarget:
    """Keep a coordinate near a `value`, as strongly as its `weight` against those of other targets.

    Parameters
    ----------
    coordinate : str
        Any name of it.
    value : array_like, shape (...)
        [rad or m]; NaN where nothing is asked.
    weight : array_like, shape (...), optional
        Factor of its residual, one for all or one for each value; 0 asks for nothing.

    Returns
    -------
    CoordinateTarget

    Raises
    ------
    NotFinite
        If a value is infinite.
    BadValue
        If a weight is negative.

    Examples
    --------
    >>> import condyle as cd
    >>> rod = cd.Inertia.point(1.0, (1, 0, 0))
    >>> model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("z"), inertia=rod).build()
    >>> wanted = [cd.ik.position("rod", [0, 1, 0], at=[1, 0, 0]), cd.ik.coordinate("rod", 1.0)]
    >>> bool(1.0 < cd.ik.solve(model, wanted).q[0] < 1.5707)  # between the two
    True
    """
    value, weight = real_numbers(value, "coordinate: value"), real_numbers(weight, "coordinate: weight")
    require(not np.isinf(value).any(), f"coordinate {coordinate!r}: its value must be finite, or NaN", NotFinite)
    good = np.isfinite(weight).all() and (weight >= 0.0).all()
    require(good, f"coordinate {coordinate!r}: a weight is 0 or a positive number", BadValue, got=weight)
    return CoordinateTarget(coordinate, value, weight)


def position(body: str, xyz: ArrayLike, at: ArrayLike = (0.0, 0.0, 0.0), *, weight: float = 1.0) -> Target:
    """Bring the point `at` of a body (body axes) to `xyz` (..., 3) [m] in the world.

    Parameters
    ----------
    body : str
        Name of the body.
    xyz : array_like, shape (..., 3)
        Where the point should be [m]; NaN if unknown.
    at : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    weight : float, optional
        Weight of the squared residual.

    Returns
    -------
    Target

    Examples
    --------
    >>> import condyle as cd
    >>> cd.ik.position("hand", [0.3, 0.1, 1.2], at=[0, 0, 0.08]).at
    array([[0.  , 0.  , 0.08]])
    """
    xyz = _array(xyz, "position: xyz", 3)[..., None, :]
    return Target(body, _one_point(at, "position: at"), xyz, None, _weights(weight, 1), 1.0)


def orientation(body: str, rotation: ArrayLike, *, weight: float = 1.0) -> Target:
    """Turn a body to `rotation`: an SE3, matrices (..., 3, 3), or quaternions wxyz (..., 4).

    Pose matrices (..., 4, 4) count as such, not as four quaternions each, if their last rows are (0, 0, 0, 1).

    Parameters
    ----------
    body : str
        Name of the body.
    rotation : SE3 or array_like
        Rotations, matrices (..., 3, 3) or quaternions wxyz (..., 4).
    weight : float, optional
        Weight of the squared residual.

    Returns
    -------
    Target
    """
    return Target(body, np.zeros((0, 3)), np.zeros((0, 3)), _rotation(rotation), np.ones(0), _weight(weight))


def pose(
    body: str, pose: ArrayLike, at: ArrayLike = (0.0, 0.0, 0.0), *, weight: float = 1.0, rotation_weight: float = 1.0
) -> Target:
    """Bring a body's axes and its point `at` to a pose (SE3 or (..., 4, 4)); weights per metre and per radian.

    Parameters
    ----------
    body : str
        Name of the body.
    pose : SE3 or array_like, shape (..., 4, 4)
        Where the body should be.
    at : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    weight : float, optional
        Weight of the squared residual.
    rotation_weight : float, optional
        Weight of the rotation [1/rad], beside that of the position [1/m].

    Returns
    -------
    Target

    Examples
    --------
    >>> import condyle as cd
    >>> target = cd.ik.pose("hand", cd.SE3.from_translation([0.3, 0.1, 1.2]), rotation_weight=0.1)
    >>> target.xyz
    array([[0.3, 0.1, 1.2]])
    """
    T = as_pose(pose, "pose")
    at = _one_point(at, "pose: at")
    return Target(body, at, T[..., None, :3, 3], T[..., :3, :3], _weights(weight, 1), _weight(rotation_weight))


def points(body: str, at: ArrayLike, xyz: ArrayLike, *, weight: ArrayLike = 1.0) -> Target:
    """Bring several points `at` (k, 3) of a body, such as markers, to `xyz` (..., k, 3) [m].

    A marker that was not seen is NaN. `weight` is one number, or one for each point.

    Parameters
    ----------
    body : str
        Name of the body.
    at : array_like, shape (k, 3)
        Points in body axes [m].
    xyz : array_like, shape (..., k, 3)
        Where they should be [m]; NaN where a marker was not seen.
    weight : float or array_like, shape (k,)
        One weight for all, or one for each point.

    Returns
    -------
    Target

    Raises
    ------
    BadShape
        If `at` and `xyz` do not have as many points.

    Examples
    --------
    >>> import condyle as cd
    >>> seen = [[0.1, 0.0, 1.0], [np.nan, np.nan, np.nan], [0.3, 0.0, 1.0]]
    >>> cd.ik.points("shank", [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]], seen).xyz.shape
    (3, 3)
    """
    at, xyz = _array(at, "points: at", 3), _array(xyz, "points: xyz", 3, gaps=True)
    good = at.ndim == 2 and xyz.ndim >= 2 and xyz.shape[-2] == len(at) > 0
    require(good, "points: at (k, 3) and xyz (..., k, 3) need the same k", BadShape, at=at.shape, xyz=xyz.shape)
    return Target(body, at, xyz, None, _weights(weight, len(at)), 1.0)


def _array(x, what: str, width: int, gaps: bool = False) -> np.ndarray:
    array = real_numbers(x, what)
    good = array.ndim >= 1 and array.shape[-1] == width
    require(good, f"{what} must have shape (..., {width})", BadShape, shape=array.shape)
    good = np.isfinite(array) | (gaps & np.isnan(array))
    require(good.all(), f"{what} must be finite{' or NaN where not seen' * gaps}", NotFinite)
    return array


def _one_point(at, what: str) -> np.ndarray:
    at = _array(at, what, 3)
    require(at.ndim == 1, f"{what} is one point of the body (cd.ik.points takes several)", BadShape, shape=at.shape)
    return at[None]


def _rotation(rotation) -> np.ndarray:
    if isinstance(rotation, SE3):
        return rotation.as_rotation()
    array = real_numbers(rotation, "orientation: rotation")
    if array.shape[-2:] == (4, 4) and (array[..., 3, :] == (0.0, 0.0, 0.0, 1.0)).all():
        return as_pose(array, "orientation: rotation")[..., :3, :3]
    if array.shape[-2:] == (3, 3):
        return rotation_matrix(array, "orientation: rotation")
    q = _array(rotation, "orientation: a quaternion", 4)
    size = np.linalg.norm(q, axis=-1)
    good = np.abs(size - 1.0).max(initial=0.0) < 1e-6
    require(good, "orientation: a quaternion wxyz has norm 1", BadQuaternion, norm=float(size.max(initial=0.0)))
    return rotation_from_quaternion(q / size[..., None])


def _weight(weight: float) -> float:
    good = np.ndim(weight) == 0 and np.isfinite(weight) and weight > 0
    require(good, "a weight must be a positive number; leave a target out to ignore it", BadValue, weight=weight)
    return float(weight)


def _weights(weight, count: int) -> np.ndarray:
    weights = np.asarray(weight, dtype=float)
    good = weights.shape in ((), (count,))
    require(good, f"a weight is one number, or one for each of the {count} points", BadShape, shape=weights.shape)
    return np.array([_weight(w) for w in np.broadcast_to(weights, (count,))])
