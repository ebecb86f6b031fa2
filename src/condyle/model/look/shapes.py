"""What bodies look like: spheres, boxes, cylinders, capsules, bones, ellipsoids, meshes. Dynamics never sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import BadShape, BadValue, require
from ...spatial import as_pose
from ...spatial.frozen import Frozen
from ...spatial.so3 import axes_with_z
from ...spatial.twists import pose_matrix
from ...typing import ArrayLike, PathLike

__all__ = ["BONE", "KINDS", "Shape", "bone", "box", "capsule", "cylinder", "ellipsoid", "limb", "mesh", "sphere"]

BONE = (0.89, 0.85, 0.76)
# what bodies without a colour of their own have by turns
COLORS = ((0.30, 0.52, 0.74), (0.90, 0.55, 0.30), (0.40, 0.64, 0.44), (0.78, 0.40, 0.50), (0.56, 0.49, 0.76))
# how many lengths each kind has
KINDS = {"sphere": 1, "box": 3, "cylinder": 2, "capsule": 2, "bone": 2, "ellipsoid": 3, "mesh": 1}
SCALED = (1, 3)  # a mesh is scaled alike, or along x, y, z; a negative scale mirrors it


@dataclass(frozen=True, eq=False)
class Shape(Frozen):
    """A shape at a `pose` in its body's frame; `size` are lengths [m], `color` red, green, blue.

    sphere: radius. box: three edges. cylinder and capsule: radius and length of the straight part, along z. bone:
    radius of its ends and length between their middles, along z. ellipsoid: three half axes. mesh: its scale, or three
    along x, y, z, of which a negative one mirrors it.

    Attributes
    ----------
    kind : str
        "sphere", "box", "cylinder", "capsule", "bone", "ellipsoid" or "mesh".
    size : tuple of float
        [m]
    pose : ndarray, shape (4, 4)
        In the body's frame.
    color : tuple of three float
        Red, green, blue from 0 to 1.
    path : str
        Of a mesh; empty for other shapes.
    """

    kind: str
    size: tuple[float, ...]
    pose: np.ndarray = field(default_factory=lambda: np.eye(4))
    color: tuple[float, float, float] = BONE
    path: str = ""

    def __post_init__(self):
        require(self.kind in KINDS, f"a shape is one of {', '.join(KINDS)}", BadValue, kind=self.kind)
        size = tuple(float(x) for x in np.atleast_1d(np.asarray(self.size, dtype=float)))
        require(_fits(self.kind, size), f"{self.kind}: its size is {_expected(self.kind)}", BadValue, size=size)
        color = tuple(float(x) for x in self.color)
        shown = len(color) == 3 and all(0.0 <= x <= 1.0 for x in color)
        require(shown, f"{self.kind}: a color is red, green, blue from 0 to 1", BadValue, color=self.color)
        pose = as_pose(self.pose, f"{self.kind}: pose")
        require(pose.shape == (4, 4), f"{self.kind}: one pose", BadShape, shape=pose.shape)
        self._keep(size=size, color=color, pose=pose)


def _fits(kind: str, size: tuple[float, ...]) -> bool:
    if not all(np.isfinite(x) and x != 0.0 for x in size):
        return False
    return len(size) in SCALED if kind == "mesh" else len(size) == KINDS[kind] and min(size) > 0.0


def _expected(kind: str) -> str:
    return "1 or 3 finite numbers that are not zero" if kind == "mesh" else f"{KINDS[kind]} positive finite lengths [m]"


def sphere(radius: float, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE) -> Shape:
    """A ball.

    Parameters
    ----------
    radius : float
        [m]
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape
    """
    return Shape("sphere", (radius,), as_pose(pose), color)


def box(size: ArrayLike, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE) -> Shape:
    """A box with three edges [m] along x, y, z.

    Parameters
    ----------
    size : array_like, shape (3,)
        Edges along x, y, z [m].
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape
    """
    edges: Any = size  # checked by the shape
    return Shape("box", edges, as_pose(pose), color)


def cylinder(
    radius: float, length: float, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE
) -> Shape:
    """A cylinder along z, its middle at the origin.

    Parameters
    ----------
    radius : float
        [m]
    length : float
        [m]
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape
    """
    return Shape("cylinder", (radius, length), as_pose(pose), color)


def capsule(
    radius: float, length: float, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE
) -> Shape:
    """A cylinder along z with a half ball on either end, its middle at the origin.

    Parameters
    ----------
    radius : float
        [m]
    length : float
        Of the cylinder, without the half balls [m].
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape
    """
    return Shape("capsule", (radius, length), as_pose(pose), color)


def ellipsoid(
    half_axes: ArrayLike, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE
) -> Shape:  # fmt: skip
    """An ellipsoid with three half axes [m] along x, y, z.

    Parameters
    ----------
    half_axes : array_like, shape (3,)
        From the middle to the surface [m].
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape
    """
    lengths: Any = half_axes  # checked by the shape
    return Shape("ellipsoid", lengths, as_pose(pose), color)


def limb(start: ArrayLike, end: ArrayLike, radius: float, color: tuple[float, float, float] = BONE) -> Shape:
    """A capsule from one point to another.

    Parameters
    ----------
    start : array_like, shape (3,)
        The middle of the half ball on one end, in body axes [m].
    end : array_like, shape (3,)
        The middle of the half ball on the other end, elsewhere [m].
    radius : float
        [m]
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape

    Raises
    ------
    BadValue
        If both points are the same.
    """
    length, pose = _between("limb", start, end)
    return capsule(radius, length, pose, color)


def bone(start: ArrayLike, end: ArrayLike, radius: float, color: tuple[float, float, float] = BONE) -> Shape:
    """A bone from one point to another: a shaft with two knobs on either end.

    Parameters
    ----------
    start, end : array_like, shape (3,)
        The middles of its ends, two different points in body axes [m].
    radius : float
        Of the ends [m]; the shaft is half as thick.
    color : tuple of 3 floats
        Red, green, blue from 0 to 1.

    Returns
    -------
    Shape

    Raises
    ------
    BadValue
        If both points are the same.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.shapes.bone((0, 0, 0), (0, -0.4, 0), 0.03).size
    (0.03, 0.4)
    """
    length, pose = _between("bone", start, end)
    return Shape("bone", (radius, length), pose, color)


def _between(what: str, start: ArrayLike, end: ArrayLike) -> tuple[float, np.ndarray]:
    """The distance between two points, and a pose in the middle of them whose z goes from one to the other."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(end - start))
    require(length > 0.0, f"{what}: start and end are two different points", BadValue, start=start, end=end)
    return length, pose_matrix(axes_with_z((end - start) / length), 0.5 * (start + end))


def mesh(
    path: PathLike, scale: Any = 1.0, pose: ArrayLike | None = None, color: tuple[float, float, float] = BONE
) -> Shape:
    """A mesh file (OBJ, STL, PLY, GLB, DAE …) read when it is drawn.

    Parameters
    ----------
    path : str or Path
        The file, from the folder of the model, or a package:// address.
    scale : float or three floats
        Along x, y, z; a negative number mirrors.
    pose : SE3 or (4, 4), optional
        In the body's frame.
    color : three floats
        Red, green, blue from 0 to 1; by default (`BONE`) the colours of the file, if it has any.

    Returns
    -------
    Shape

    Raises
    ------
    BadValue
        If the path is empty.
    """
    require(str(path), "mesh: a path is needed", BadValue, path=path)
    return Shape("mesh", scale, as_pose(pose), color, str(path))


def __dir__() -> list[str]:
    return sorted(__all__)
