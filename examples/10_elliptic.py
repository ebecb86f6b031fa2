"""A skate in an ellipse
=====================

A skate that slides along an upright ellipse, always tangent to it. Draws demo/elliptic.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import elliptic
from condyle.gallery.picture import FRONT, draw


def main(folder: str = "demo") -> None:
    """Let it go, say what the energy did, draw."""
    scene, out = elliptic(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.01)
    print(f"{scene.model}: energy kept to {np.ptp(trajectory.energy().total):.1e} J over {scene.duration:g} s")
    draw(scene, trajectory, out / "elliptic.png", view=FRONT)
    print(f"Open {out / 'elliptic.png'}.")


def check() -> None:
    """Energy stays; the skate stays on the ellipse."""
    trajectory = elliptic().run(2.0, record=0.01)
    x, _, z = trajectory.poses()[:, 0].xyz.T
    assert np.ptp(trajectory.energy().total) < 1e-8
    assert abs((x / 1.0) ** 2 + (z / 0.6) ** 2 - 1.0).max() < 1e-14


if __name__ == "__main__":
    main(*sys.argv[1:])
