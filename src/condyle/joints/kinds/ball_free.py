"""Joints whose coordinate is a unit quaternion: free of singularities."""

from __future__ import annotations

import numpy as np

from ..joint import Joint
from ..segments import BALL, FREE, Grid, Segment


def ball(*, name: str = "rotation") -> Joint:
    """Turn any way about the common origin: q = (w, x, y, z), v = angular velocity in child axes [rad/s].

    Parameters
    ----------
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint

    Examples
    --------
    >>> import condyle as cd
    >>> joint = cd.joints.ball()
    >>> joint.nq, joint.nv
    (4, 3)
    """
    return Joint((quaternion_segment(BALL),), (name,), title="ball")


def free(*, name: str = "pose") -> Joint:
    """Move any way: q = (w, x, y, z, px, py, pz), v = body twist [ω; v].

    Parameters
    ----------
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.free().pose([1, 0, 0, 0, 1, 2, 3]).xyz
    array([1., 2., 3.])
    """
    return Joint((quaternion_segment(FREE),), (name,), title="free")


def quaternion_segment(kind: int) -> Segment:
    """A segment that reads coordinate 0 as a quaternion; it has no rows."""
    return Segment(np.zeros((0, 4, 4)), np.zeros((0, 0, 6)), (), Grid(coordinates=(0,)), kind)
