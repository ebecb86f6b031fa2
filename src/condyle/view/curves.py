"""The curves along which joints carry their bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model

__all__ = ["joint_curves"]

POINTS = 60


def joint_curves(model: Model) -> Iterator[tuple[int, str, np.ndarray]]:
    """(parent, joint, points (n, 3) in the parent's frame) of joints with one coordinate on a domain that ends."""
    for body in model.bodies:
        joint = body.joint
        if joint.nq != 1 or not np.isfinite(joint.domain[0]).all():
            continue
        q = np.linspace(*joint.domain[0], POINTS)[:, None]
        points = (body.placement @ joint.pose(q))[:, :3, 3]
        if np.ptp(points, axis=0).max() > 1e-6:
            yield body.parent, body.joint_name, points
