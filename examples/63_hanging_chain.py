"""A hanging chain
===============

A chain of forty links held at both ends swings until friction brings it to rest: a catenary of links.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.skeleton import Skeleton, SkeletonBuilder, Trajectory

LINKS, LENGTH, SPAN = 40, 0.1, 2.4  # links of 0.1 m; the ends are 2.4 m apart


def corners() -> np.ndarray:
    """The joints along an arc of a circle whose chords are the links: a start that no chain would hang in."""
    from scipy.optimize import brentq

    half = brentq(lambda a: LENGTH / np.sin(a / LINKS) * np.sin(a) - SPAN, 0.5, 3.0)  # half the arc's angle
    radius = 0.5 * LENGTH / np.sin(half / LINKS)
    angles = np.linspace(-half, half, LINKS + 1)
    return radius * np.column_stack([np.sin(angles), np.zeros(LINKS + 1), np.cos(half) - np.cos(angles)])


def hanging_chain(friction: float = 1.0) -> Skeleton:
    """Links joined by balls, the ends held by the world; tilted out of the plane to swing in space."""
    points = corners() @ np.array([[1, 0, 0], [0, np.cos(1.0), -np.sin(1.0)], [0, np.sin(1.0), np.cos(1.0)]])
    b = SkeletonBuilder()
    for k, (here, there) in enumerate(pairwise(points)):
        x = (there - here) / LENGTH
        y = np.cross((0.0, 1.0, 0.0) if abs(x[1]) < 0.9 else (0, 0, 1.0), x)
        y /= np.linalg.norm(y)
        frame = np.column_stack([x, y, np.cross(x, y)])
        b.add_body(f"link{k}", cd.Inertia.capsule(0.05, 0.012, LENGTH, axis=0), 0.5 * (here + there), frame)
    ends = ["world", *(f"link{k}" for k in range(LINKS)), "world"]
    for k, point in enumerate(points):
        b.add_ball(ends[k], ends[k + 1], at=point, friction=friction, name=f"joint{k}")
    return b.build()


def run(duration: float = 40.0, step: float = 0.01, every: int = 5) -> Trajectory:
    """Let it swing; friction is stiff for such light links, so it acts at the end of each step."""
    return hanging_chain().simulate(duration=duration, step=step, friction="implicit", every=every)


def slopes(motion: Trajectory) -> np.ndarray:
    """dz/dx of every link at the end."""
    along = motion.last.rotations[:, :, 0]
    return along[:, 2] / along[:, 0]


def main(folder: str = "demo") -> None:
    """Swing, print, draw the chain over time."""
    from matplotlib.figure import Figure

    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = run()
    print(f"{LINKS} links, {motion.skeleton.unknowns} reactions, one loop through the world\n{motion.report()}")
    figure = Figure(figsize=(7, 4), layout="constrained")
    panel = figure.subplots()
    for k in (0, 4, 8, 14, 24, 60, len(motion.t) - 1):
        p = motion.states.positions[k]
        panel.plot(p[:, 0], p[:, 2], label=f"t = {motion.t[k]:.1f} s")
    panel.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="a chain comes to rest as a catenary")
    panel.legend(fontsize="small")
    figure.savefig(out / "hanging_chain.png", dpi=120)
    print(f"Open {out / 'hanging_chain.png'}.")


def check() -> None:
    """At rest every link carries the same horizontal pull, so slopes grow evenly: w/H per link; the joints hold."""
    motion = run()
    assert motion.stopped is None
    assert motion.report().drifts()["joint gap [m]"] < 1e-12
    steps = np.diff(slopes(motion))
    assert np.ptp(steps) < 1e-3 * steps.mean()
    pull = motion.skeleton.accelerations(motion.last).point_forces[1:-1, 0]  # horizontal, between links
    assert np.ptp(pull) < 1e-3 * np.abs(pull).mean()
    assert np.isclose(0.05 * 9.81 / np.abs(pull).mean(), steps.mean(), rtol=1e-3)


if __name__ == "__main__":
    main(*sys.argv[1:])
