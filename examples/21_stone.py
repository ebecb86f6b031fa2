"""A stone that rolls in a dish
============================

Two spline surfaces in contact, one inverted: a joint of five coordinates, of which rolling leaves three free
velocities. Draws demo/stone.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import stone
from condyle.gallery.picture import draw


def main(folder: str = "demo") -> None:
    """Let it go, say what the energy did, draw."""
    scene, out = stone(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.01)
    print(f"{scene.model}: energy kept to {np.ptp(trajectory.energy().total):.1e} J over {scene.duration:g} s")
    print("\n".join(map(str, trajectory.outside)) or "the contact stays on both surfaces")
    draw(scene, trajectory, out / "stone.png", view=(30, -60))
    print(f"Open {out / 'stone.png'}.")


def check() -> None:
    """Energy stays while it rolls."""
    assert np.ptp(stone().run(0.2, record=0.05).energy().total) < 1e-7


if __name__ == "__main__":
    main(*sys.argv[1:])
