"""A corner in a wire
==================

A slider at a corner of its wire: the plastic impulse, and a round bend that costs time but no speed.

Draws demo/corner.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import corner_bend, corner_impulse
from condyle.gallery.corner import corner
from condyle.gallery.picture import FRONT, draw


def plastic(angle: float = 0.7) -> tuple[cd.Trajectory, float, cd.Trajectory]:
    """Slide 0.8 m down to the corner, jump to the new wire, slide on; the share of speed kept."""
    before, after = corner(angle)
    down = cd.simulate(before, [-0.8], duration=0.9, record=1e-3, stop=lambda t, q, v: q[..., 0] > 0.0)
    k = int(np.argmax(np.nan_to_num(down.q[:, 0], nan=1.0) >= 0.0))
    speed = np.sqrt(2.0 * cd.forward_dynamics(before, [0.0], [0.0])[0] * 0.8)  # at the corner itself
    new = corner_impulse(before, [0.0], after, [0.0], [speed])
    up = cd.simulate(after, [0.0], new, duration=0.9 - down.t[k], record=1e-3)
    return down, float(new[0] / speed), up


def main(folder: str = "demo") -> None:
    """Both corners, and a picture of the bend."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    _, kept, _ = plastic()
    print(f"sharp corner of 0.7 rad, plastic: {kept:.6f} of the speed is kept (cos 0.7 = {np.cos(0.7):.6f})")
    scene = corner_bend()
    trajectory = scene.run(step=2e-4, record=0.01)
    print(f"round bend: energy kept to {np.ptp(trajectory.energy().total):.1e} J")
    draw(scene, trajectory, out / "corner.png", view=FRONT, moments=4)
    print(f"Open {out / 'corner.png'}.")


def check() -> None:
    """The closed form at the corner; energy in the bend."""
    assert abs(plastic()[1] - np.cos(0.7)) < 1e-12
    assert np.ptp(corner_bend().run(0.8, step=2e-4, record=0.02).energy().total) < 5e-3


if __name__ == "__main__":
    main(*sys.argv[1:])
