"""No freedom at all."""

from __future__ import annotations

from ...spatial import as_pose
from ...typing import ArrayLike
from ..canonical_form import pose_segment
from ..joint import Joint


def weld(pose: ArrayLike | None = None) -> Joint:
    """The child is fixed to the parent, at `pose` (default: frames coincide).

    Parameters
    ----------
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.

    Returns
    -------
    Joint

    Raises
    ------
    BadShape, NotARotation
        If it is not a pose.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.weld(cd.SE3.from_translation([0, 0, 1])).coordinates
    ()
    """
    return Joint((pose_segment(as_pose(pose, "weld: pose")),), (), title="weld")
