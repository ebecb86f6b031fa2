"""A chain of forty links held at both ends, let go from an arc of a circle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

from ...plots import Curve, Panel, draw_chart
from ...skeleton import Skeleton, SkeletonBuilder, Trajectory
from ...spatial import Inertia
from ..scene import Scene, skeleton_scene

LINKS, LENGTH, SPAN = 40, 0.1, 2.4  # links of 0.1 m; the ends are 2.4 m apart


def corners() -> np.ndarray:
    """The joints along an arc of a circle whose chords are the links: a start that no chain would hang in."""
    # half the arc's angle
    half = float(brentq(lambda a: LENGTH / np.sin(a / LINKS) * np.sin(a) - SPAN, 0.5, 3.0))  # type: ignore[arg-type]
    radius = 0.5 * LENGTH / np.sin(half / LINKS)
    angles = np.linspace(-half, half, LINKS + 1)
    return radius * np.column_stack([np.sin(angles), np.zeros(LINKS + 1), np.cos(half) - np.cos(angles)])


def hanging_chain(friction: float = 1.0) -> Skeleton:
    """Forty links joined by balls, the ends held by the world; tilted out of the plane to swing in space.

    Parameters
    ----------
    friction : float, optional
        Of the balls [N m s/rad].

    Returns
    -------
    Skeleton
    """
    points = corners() @ np.array([[1, 0, 0], [0, np.cos(1.0), -np.sin(1.0)], [0, np.sin(1.0), np.cos(1.0)]])
    b = SkeletonBuilder()
    for k, (here, there) in enumerate(pairwise(points)):
        x = (there - here) / LENGTH
        y = np.cross((0.0, 1.0, 0.0) if abs(x[1]) < 0.9 else (0, 0, 1.0), x)
        y /= np.linalg.norm(y)
        frame = np.column_stack([x, y, np.cross(x, y)])
        b.add_body(f"link{k}", Inertia.capsule(0.05, 0.012, LENGTH, axis=0), 0.5 * (here + there), frame)
    ends = [None, *(f"link{k}" for k in range(LINKS)), None]
    for k, point in enumerate(points):
        b.add_ball(ends[k], ends[k + 1], at=point, friction=friction, name=f"joint{k}")
    return b.build()


def scene() -> Scene:
    """Ten seconds of its swing; friction is stiff for such light links, so it acts at the end of each step."""
    return skeleton_scene("hanging-chain", hanging_chain(), duration=10.0, step=0.01, friction="implicit", record=0.02)


def swinging(duration: float = 40.0) -> Trajectory:
    """Until it hangs at rest."""
    return hanging_chain().simulate(duration=duration, step=0.01, friction="implicit", record=0.05)


def draw_rest(motion: Trajectory, path) -> None:
    """Save the chain's shape at some moments."""
    shown = [(motion.t[k], motion.states.positions[k]) for k in (0, 4, 8, 14, 24, 60, len(motion.t) - 1)]
    lines = [Curve(p[:, 0], p[:, 2], f"t = {t:.1f} s") for t, p in shown]
    panel = Panel("a chain comes to rest as a catenary", lines, "x [m]", "z [m]", equal=True)
    draw_chart([panel], path, size=(7.0, 4.0), dpi=120)


def check() -> None:
    """At rest every link carries the same horizontal pull, so slopes grow evenly: w/H per link; the joints hold."""
    motion = swinging()
    assert motion.stopped is None
    assert motion.report().drifts()["joint gap [m]"] < 1e-12
    along = motion.last.rotations[:, :, 0]
    steps = np.diff(along[:, 2] / along[:, 0])
    assert np.ptp(steps) < 1e-3 * steps.mean()
    pull = motion.skeleton.accelerations(motion.last).point_forces[1:-1, 0]  # horizontal, between links
    assert np.ptp(pull) < 1e-3 * np.abs(pull).mean()
    assert np.isclose(0.05 * 9.81 / np.abs(pull).mean(), steps.mean(), rtol=1e-3)
