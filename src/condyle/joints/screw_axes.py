"""The axes that a joint turns about from moment to moment; over its coordinate they sweep its two axodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, require, unknown_name
from ..spatial import adjoint
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .joint import Joint

FRAMES = ("parent", "child")


@dataclass(frozen=True)
class ScrewAxes:
    """Instantaneous screw axes (instantaneous helical axes), NaN where a joint only translates.

    Attributes
    ----------
    direction : ndarray, shape (N, 3)
        Unit vectors; the turn is right-handed about them.
    point : ndarray, shape (N, 3)
        The point of each axis nearest to the origin [m].
    pitch : ndarray, shape (N,)
        How far the body moves along the axis by the turn [m/rad].
    rate : ndarray, shape (N,)
        Turn by the coordinate [rad per its unit].
    """

    direction: np.ndarray
    point: np.ndarray
    pitch: np.ndarray
    rate: np.ndarray

    def swept(self, half: float) -> np.ndarray:
        """The axode as a ruled surface: pieces of the axes, `half` [m] to both sides of their points.

        Parameters
        ----------
        half : float
            [m]

        Returns
        -------
        ndarray, shape (N, 2, 3)
            As `cd.overlays.Sheet` draws it.
        """
        return self.point[:, None] + half * np.array([-1.0, 1.0])[:, None] * self.direction[:, None]


def screw_axes(joint: Joint, q: ArrayLike, v: ArrayLike | None = None, *, frame: str = "parent") -> ScrewAxes:
    """The instantaneous screw axes of a joint: the fixed axode in the parent, the moving one in the child.

    Parameters
    ----------
    joint : Joint
    q : array_like, shape (N, nq), or (N,) for a joint of one coordinate
        Coordinates.
    v : array_like, shape (nv,), optional
        The way it moves; needed for joints of several velocities.
    frame : {"parent", "child"}
        In whose axes.

    Returns
    -------
    ScrewAxes

    Raises
    ------
    BadShape
        If a joint of several velocities is given none, or too many.
    UnknownName
        For another frame.

    Examples
    --------
    >>> import condyle as cd
    >>> axes = cd.joints.screw_axes(cd.joints.helical("z", 0.1, point=(1, 0, 0)), [0.3])
    >>> axes.direction[0].tolist(), axes.point[0].round(9).tolist(), round(float(axes.pitch[0]), 6)
    ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], 0.1)
    """
    if frame not in FRAMES:
        raise unknown_name("frame", frame, FRAMES, "screw_axes")
    v = np.ones(1) if v is None and joint.nv == 1 else real_numbers([] if v is None else v, "screw_axes: v")
    require(v.shape == (joint.nv,), f"screw_axes: {joint.title} needs v of {joint.nv} numbers", BadShape, shape=v.shape)
    q = real_numbers(q, "screw_axes: q")
    q = q.reshape(-1, joint.nq)
    twist = joint.jacobian(q) @ v
    if frame == "parent":
        twist = (adjoint(joint.pose(q).as_matrix()) @ twist[..., None])[..., 0]
    return _axes(twist)


def _axes(twist: np.ndarray) -> ScrewAxes:
    """Axes of twists (N, 6)."""
    w, u = twist[:, :3], twist[:, 3:]
    rate = np.linalg.norm(w, axis=1)
    turning = rate > 1e-12 * (1.0 + np.linalg.norm(u, axis=1))
    safe = np.where(turning, rate, np.nan)
    n = w / safe[:, None]
    return ScrewAxes(n, np.cross(n, u) / safe[:, None], (n * u).sum(axis=1) / safe, np.where(turning, rate, 0.0))
