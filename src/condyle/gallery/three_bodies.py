"""The article's three bodies: a hinge and a ball, tumbling freely.  [Hakenberg]"""

from __future__ import annotations

from ..skeleton import Skeleton, SkeletonBuilder
from ..spatial import Inertia

__all__ = ["three_bodies"]

SIZES = {"left": (0.5, 0.25, 0.2), "middle": (0.3, 0.35, 0.2), "right": (0.45, 0.2, 0.3)}  # semi-axes [m]
RATES = {"left": (2.0, -4.0, 8.0), "middle": (-2.0, 6.0, 2.0), "right": (4.0, 4.0, -8.0)}  # [rad/s]


def three_bodies() -> Skeleton:
    """Three ellipsoids in a row: a hinge between the first two, a ball between the last two; no gravity."""
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k, (name, size) in enumerate(SIZES.items()):
        b.add_body(name, Inertia.ellipsoid(1.0, size), position=(0.9 * k, 0, 0), angular_velocity=RATES[name])
    b.add_hinge("left", "middle", at=(0.5, 0, 0), axis=(0, 0.6, 0.8), name="hinge")
    b.add_ball("middle", "right", at=(1.3, 0, 0), name="ball")
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)  # the rates above would tear the joints apart
