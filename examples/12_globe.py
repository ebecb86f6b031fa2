"""Aeroplanes on a globe
=====================

Toy aeroplanes on the coastlines of a globe that turns freely (generated coastlines). Draws demo/globe.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import globe
from condyle.gallery.picture import draw


def off_the_sphere(trajectory, radius: float) -> float:
    """How far any aeroplane gets from the sphere [m]."""
    return float(abs(np.linalg.norm(trajectory.poses()[:, 1:].xyz, axis=-1) - radius).max())


def main(folder: str = "demo") -> None:
    """Fly, say how well the sphere is kept, draw."""
    scene, out = globe(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.01)
    print(f"{scene.model}: off the sphere by {off_the_sphere(trajectory, 0.3):.1e} m at most")
    print(f"energy {trajectory.energy().total[0]:.4f} J kept to {np.ptp(trajectory.energy().total):.1e} J")
    draw(scene, trajectory, out / "globe.png", view=(15, 20))
    print(f"Open {out / 'globe.png'}.")


def check() -> None:
    """The aeroplanes stay on the sphere to rounding; energy stays."""
    scene = globe()
    trajectory = scene.run(1.0, record=0.01)
    assert off_the_sphere(trajectory, 0.3) < 1e-12
    assert np.ptp(trajectory.energy().total) < 1e-6


if __name__ == "__main__":
    main(*sys.argv[1:])
