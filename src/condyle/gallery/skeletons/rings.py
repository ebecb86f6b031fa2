"""Rings: six bars that turn inside out, and four in a plane with more joints than they need."""

from __future__ import annotations

import numpy as np
from scipy.optimize import fsolve

from ...skeleton import Skeleton, SkeletonBuilder
from ...spatial import Inertia
from ..scene import Scene, skeleton_scene


def kaleidocycle() -> Skeleton:
    """Bricard's ring of six, neighbouring hinge axes perpendicular: rigid by the count of its joints, yet it turns.

    Returns
    -------
    Skeleton
        Bodies "bar0" …, hinges "hinge0" …; no gravity.
    """
    count, radius = 6, 1.0
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    hinges, axes = kaleidocycle_hinges(count, radius)
    for k in range(count):
        here, there = hinges[k], hinges[(k + 1) % count]
        length = np.linalg.norm(there - here)
        x = (there - here) / length
        frame = np.column_stack([x, axes[k], np.cross(x, axes[k])])
        inertia = Inertia.ellipsoid(1.0, (0.5 * length, 0.13, 0.13))  # from hinge to hinge
        b.add_body(f"bar{k}", inertia, position=0.5 * (here + there), rotation=frame)
    for k in range(count):
        b.add_hinge(f"bar{k - 1 if k else count - 1}", f"bar{k}", at=hinges[k], axis=axes[k], name=f"hinge{k}")
    return b.build()


def kaleidocycle_hinges(count: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Hinge points and axes of the ring in its symmetric pose: axes lean in and out of the plane by turns.

    The common perpendicular of neighbouring axes is the bar between them, so that bars are perpendicular to both.
    """
    angle = 2 * np.pi / count

    def pose(u):
        lean, height = u
        points, axes = [], []
        for k in range(count):
            turn, sign = angle * k, (-1) ** k
            out = np.array([np.cos(turn), np.sin(turn), 0.0])
            axes.append(np.cos(lean) * np.array([0, 0, 1.0]) * sign + np.sin(lean) * out)
            points.append(radius * out + sign * height * np.array([0, 0, 1.0]))
        return np.array(points), np.array(axes)

    def off(u):
        points, axes = pose(u)
        bar = points[1] - points[0]
        return [axes[0] @ axes[1], bar @ axes[0]]

    return pose(fsolve(off, (0.9, 0.1), xtol=1e-14))


def planar_ring() -> Skeleton:
    """Four bars in the plane of x and z: three of its twenty reactions cannot be told apart.

    Returns
    -------
    Skeleton
        Bodies "bar0" …, hinges "hinge0" … with friction, turning; no gravity.
    """
    corners = np.array([(0, 0, 0), (1.0, 0, 0.2), (1.3, 0, 1.1), (-0.1, 0, 0.8)])
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k, (here, there) in enumerate(zip(corners, np.roll(corners, -1, axis=0), strict=True)):
        x = (there - here) / np.linalg.norm(there - here)
        frame = np.column_stack([x, (0, 1.0, 0), np.cross(x, (0, 1.0, 0))])
        size = (np.linalg.norm(there - here), 0.1, 0.1)
        turning = (0.2, 2.0 * (-1) ** k, 0.1)
        b.add_body(f"bar{k}", Inertia.box(1.0, size), 0.5 * (here + there), frame, angular_velocity=turning)
    for k in range(4):
        b.add_hinge(f"bar{(k - 1) % 4}", f"bar{k}", at=corners[k], axis=(0, 1, 0), friction=0.02, name=f"hinge{k}")
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)


def turning(t: float) -> dict[str, float]:
    """Motors that turn the kaleidocycle inside out."""
    return {f"hinge{k}": 0.3 for k in range(6)}


def scene() -> Scene:
    """The ring of six turns inside out."""
    return skeleton_scene("ring", kaleidocycle(), duration=6.0, step=0.01, motors=turning)


def check() -> None:
    """The rings stay closed and keep their momentum, though both are redundant."""
    turned = kaleidocycle().simulate(duration=3.0, step=0.01, motors=turning)
    flat = planar_ring().simulate(duration=3.0, step=0.01)
    for motion in (turned, flat):
        assert motion.stopped is None
        assert not motion.skeleton.accelerations().unique
        drifts = motion.report().drifts()
        assert max(drifts[name] for name in ("joint gap [m]", "axis error [rad]", "angular momentum [N m s]")) < 1e-11
    assert turned.report().work[-1] > 0.1  # it does turn
    across = flat.states.rotations[:, 0, :, 1]  # the normal of the ring's plane as it tumbles
    heights = np.einsum("tni,ti->tn", flat.states.positions - flat.states.positions[:, :1], across)
    assert np.abs(heights).max() < 1e-11
