"""A ball on an elastic surface
============================

The control points of a spline surface are bodies on springs, and a ball is held on it by a constraint. As the stiffness
grows the motion tends to that on the rigid surface, with one over the stiffness. Draws demo/elastic.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import elastic, rigid_bowl
from condyle.gallery.picture import draw


def distance_from_rigid(stiffness: float, duration: float = 0.4) -> float:
    """How far the ball is at most from where it would be on the rigid surface [m]."""
    exact = rigid_bowl().run(duration, record=0.01).poses()[:, 0].xyz
    run = elastic(stiffness, stiffness / 4.0).run(duration, step=5e-4, record=0.01)
    return float(np.linalg.norm(run.poses()[:, -1].xyz - exact, axis=1).max())


def main(folder: str = "demo") -> None:
    """Let the ball go, draw, and compare with the rigid surface."""
    scene, out = elastic(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.02)
    print(f"{scene.model}: energy kept to {np.ptp(trajectory.energy().total):.1e} J")
    for stiffness in (60.0, 600.0):
        print(f"stiffness {stiffness:g} N/m: {1e3 * distance_from_rigid(stiffness):.2f} mm from the rigid surface")
    draw(scene, trajectory, out / "elastic.png", view=(30, -60))
    print(f"Open {out / 'elastic.png'}.")


def check() -> None:
    """Energy stays; ten times the stiffness is a tenth of the distance."""
    assert np.ptp(elastic().run(0.1, record=0.05).energy().total) < 1e-8
    soft, stiff = (distance_from_rigid(stiffness, 0.2) for stiffness in (60.0, 600.0))
    assert stiff < 0.15 * soft


if __name__ == "__main__":
    main(*sys.argv[1:])
