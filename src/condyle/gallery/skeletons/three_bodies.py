"""The article's three bodies: a hinge and a ball, tumbling freely.  [Hakenberg]"""

from __future__ import annotations

import numpy as np

from ...skeleton import Skeleton, SkeletonBuilder, Trajectory
from ...spatial import Inertia
from ..scene import Scene, skeleton_scene

SIZES = {"left": (0.5, 0.25, 0.2), "middle": (0.3, 0.35, 0.2), "right": (0.45, 0.2, 0.3)}  # semi-axes [m]
RATES = {"left": (2.0, -4.0, 8.0), "middle": (-2.0, 6.0, 2.0), "right": (4.0, 4.0, -8.0)}  # [rad/s]


def three_bodies() -> Skeleton:
    """Three ellipsoids in a row: a hinge between the first two, a ball between the last two; no gravity.

    Returns
    -------
    Skeleton
        Bodies "left", "middle" and "right", turning.

    Examples
    --------
    >>> from condyle.gallery import three_bodies
    >>> three_bodies().joint_names
    ('hinge', 'ball')
    """
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k, (name, size) in enumerate(SIZES.items()):
        b.add_body(name, Inertia.ellipsoid(1.0, size), position=(0.9 * k, 0, 0), angular_velocity=RATES[name])
    b.add_hinge("left", "middle", at=(0.5, 0, 0), axis=(0, 0.6, 0.8), name="hinge")
    b.add_ball("middle", "right", at=(1.3, 0, 0), name="ball")
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)  # the rates above would tear the joints apart


def scene() -> Scene:
    """They tumble for eight seconds."""
    return skeleton_scene("skeleton", three_bodies(), duration=8.0, step=0.01)


def tumbling(integrator: str, duration: float = 20.0) -> Trajectory:
    """The motion by another integrator, in steps of 10 ms."""
    return three_bodies().simulate(duration=duration, step=0.01, integrator=integrator)


def check() -> None:
    """The default integrator keeps momentum and joints to round-off; the printed scheme loses both."""
    report, lost = tumbling("variational").report(), tumbling("printed").report().drifts()
    kept = report.drifts()
    assert max(kept[name] for name in ("angular momentum [N m s]", "joint gap [m]", "axis error [rad]")) < 1e-12
    assert kept["energy less work [J]"] < 1e-3 * report.energy[0]
    assert not lost["angular momentum [N m s]"] < 1e-3
    assert not lost["joint gap [m]"] < 1e-3
    assert np.isfinite(list(kept.values())).all()
