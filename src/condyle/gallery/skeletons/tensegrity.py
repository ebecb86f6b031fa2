"""A tensegrity prism: three struts that touch nowhere, held apart and together by nine springs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...skeleton import Skeleton, SkeletonBuilder
from ...spatial import Inertia
from ...spatial.so3 import axis_frame
from ..scene import Scene, skeleton_scene

RADIUS, HEIGHT = 0.4, 0.8  # [m] of both triangles, and between them
TWIST = np.pi / 6  # [rad] from the foot of an upright spring to its head, where the prism is in balance
STIFFNESS, DAMPING = 150.0, 0.6  # [N/m, N s/m]


def corners(twist: float) -> tuple[np.ndarray, np.ndarray]:
    """The feet and heads of the upright springs (3, 3); strut k stands on foot k and carries head k + 1."""
    around = 2.0 * np.pi / 3.0 * np.arange(3)

    def triangle(angles: np.ndarray, z: float) -> np.ndarray:
        return np.column_stack([RADIUS * np.cos(angles), RADIUS * np.sin(angles), np.full(3, z)])

    return triangle(around, -0.5 * HEIGHT), triangle(around + twist, 0.5 * HEIGHT)


def tensegrity(spin: Sequence[float] = (0.5, 1.0, 1.5), twist: float = 0.9) -> Skeleton:
    """Three struts of 0.3 kg held by nine springs, let go away from balance; no gravity.

    Parameters
    ----------
    spin : sequence of 3 floats, optional
        Rates at which the struts turn as one at the start [rad/s].
    twist : float, optional
        From the foot of an upright spring to its head [rad]; in balance π/6.

    Returns
    -------
    Skeleton
        Bodies "strut0" …, springs "foot0", "head0", "upright0" …
    """
    feet, heads = corners(twist)
    b = SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
    for k in range(3):
        here, there = feet[k], heads[(k + 1) % 3]
        R, middle = axis_frame((there - here) / np.linalg.norm(there - here)), 0.5 * (here + there)
        inertia = Inertia.ellipsoid(0.3, (0.04, 0.04, 0.5 * np.linalg.norm(there - here)))
        b.add_body(f"strut{k}", inertia, middle, R, np.cross(spin, middle), R.T @ np.array(spin, float))
    for k in range(3):
        foot, head = (f"strut{k}", feet[k]), (f"strut{(k - 1) % 3}", heads[k])
        next_foot, next_head = (f"strut{(k + 1) % 3}", feet[(k + 1) % 3]), (f"strut{k}", heads[(k + 1) % 3])
        for name, (first, start), (second, end) in (
            (f"foot{k}", foot, next_foot),
            (f"head{k}", head, next_head),
            (f"upright{k}", foot, head),
        ):
            b.add_spring(first, start, second, end, stiffness=STIFFNESS, length=0.3, damping=DAMPING, name=name)
    return b.build()


def scene() -> Scene:
    """Six seconds."""
    return skeleton_scene("tensegrity", tensegrity(), duration=6.0, step=0.005, record=0.01)


def check() -> None:
    """Momentum is kept, the dampers alone take energy, and at rest the prism has its known twist of 30 degrees."""
    report = tensegrity().simulate(duration=6.0, step=0.005).report()
    assert report.drifts()["angular momentum [N m s]"] < 1e-12
    assert report.drifts()["energy less work [J]"] < 0.01 * report.energy[0]
    assert report.energy[-1] < 0.95 * report.energy[0]
    still = tensegrity(spin=(0, 0, 0)).simulate(duration=40.0, step=0.005)
    feet, heads = (x[2::3] for x in still.skeleton.spring_ends(still.last))  # of the upright springs
    turned = np.arctan2(heads[:, 1], heads[:, 0]) - np.arctan2(feet[:, 1], feet[:, 0])
    assert np.abs(np.sin(turned - TWIST)).max() < 1e-3
    assert np.abs(still.last.velocities).max() < 1e-3
