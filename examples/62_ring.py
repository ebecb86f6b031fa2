"""Rings that close
================

Closed loops: a six-bar ring that turns inside out, and a planar ring with more joints than it needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.skeleton import Skeleton, SkeletonBuilder, Trajectory


def kaleidocycle() -> Skeleton:
    """Bricard's ring of six, neighbouring hinge axes perpendicular: rigid by the count of its joints, yet it turns."""
    count, radius = 6, 1.0
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    hinges, axes = kaleidocycle_hinges(count, radius)
    for k in range(count):
        here, there = hinges[k], hinges[(k + 1) % count]
        x = (there - here) / np.linalg.norm(there - here)
        frame = np.column_stack([x, axes[k], np.cross(x, axes[k])])
        middle = 0.5 * (here + there)
        b.add_body(f"bar{k}", cd.Inertia.box(1.0, (0.5, 0.2, 0.2)), position=middle, rotation=frame)
    for k in range(count):
        b.add_hinge(f"bar{k - 1 if k else count - 1}", f"bar{k}", at=hinges[k], axis=axes[k], name=f"hinge{k}")
    return b.build()


def kaleidocycle_hinges(count: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Hinge points and axes of the ring in its symmetric pose: axes lean in and out of the plane by turns.

    The common perpendicular of neighbouring axes is the bar between them, so that bars are perpendicular to both.
    """
    from scipy.optimize import fsolve

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
    """Four bars in the plane of x and z: three of its twenty reactions cannot be told apart."""
    corners = np.array([(0, 0, 0), (1.0, 0, 0.2), (1.3, 0, 1.1), (-0.1, 0, 0.8)])
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k, (here, there) in enumerate(zip(corners, np.roll(corners, -1, axis=0), strict=True)):
        x = (there - here) / np.linalg.norm(there - here)
        frame = np.column_stack([x, (0, 1.0, 0), np.cross(x, (0, 1.0, 0))])
        size = (np.linalg.norm(there - here), 0.1, 0.1)
        turning = (0.2, 2.0 * (-1) ** k, 0.1)
        b.add_body(f"bar{k}", cd.Inertia.box(1.0, size), 0.5 * (here + there), frame, angular_velocity=turning)
    for k in range(4):
        b.add_hinge(f"bar{(k - 1) % 4}", f"bar{k}", at=corners[k], axis=(0, 1, 0), friction=0.02, name=f"hinge{k}")
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)


def run(skeleton: Skeleton, duration: float = 5.0, **loads) -> Trajectory:
    """Let it go."""
    return skeleton.simulate(duration=duration, step=0.01, **loads)


def turning(t: float) -> dict[str, float]:
    """Motors that turn the kaleidocycle inside out."""
    return {f"hinge{k}": 0.3 for k in range(6)}


def main(folder: str = "demo") -> None:
    """Run both rings, print what they keep, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, skeleton, loads in (("kaleidocycle", kaleidocycle(), {"motors": turning}), ("ring", planar_ring(), {})):
        motion = run(skeleton, **loads)
        unique = "unique" if skeleton.accelerations().unique else "not unique: those of least norm are given"
        print(f"{name}: {skeleton.unknowns} reactions, {unique}\n{motion.report()}\n")
        motion.draw_strip(out / f"{name}.png")
    print(f"Open {out / 'kaleidocycle.png'} and {out / 'ring.png'}.")


def check() -> None:
    """The rings stay closed and keep their momentum, though both are redundant."""
    turned = run(kaleidocycle(), 3.0, motors=turning)
    flat = run(planar_ring(), 3.0)
    for motion in (turned, flat):
        assert motion.stopped is None
        assert not motion.skeleton.accelerations().unique
        drifts = motion.report().drifts()
        assert drifts["joint gap [m]"] < 1e-11
        assert drifts["axis error [rad]"] < 1e-11
        assert drifts["angular momentum [N m s]"] < 1e-11
    assert turned.report().work[-1] > 0.1  # it does turn
    across = flat.states.rotations[:, 0, :, 1]  # the normal of the ring's plane as it tumbles
    heights = np.einsum("tni,ti->tn", flat.states.positions - flat.states.positions[:, :1], across)
    assert np.abs(heights).max() < 1e-11


if __name__ == "__main__":
    main(*sys.argv[1:])
