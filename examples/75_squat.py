"""A squat on two real knees
=========================

Both feet planted, the body's balance kept as a coordinate. Prints the knees' bend; a player and a chart in demo/.
"""

from __future__ import annotations

import sys

import numpy as np

import condyle as cd
from condyle.gallery import SCENES, show
from condyle.gallery.scenes.squatter import squat, squatter_feet


def main(folder: str = "demo") -> None:
    """Squat, print, draw."""
    motion = squat(step=0.01)
    feet = squatter_feet(motion.space.model)
    tau, reactions = cd.control.shared_forces(feet, motion.q, motion.tau)
    print(f"largest torques, left: ankle {np.abs(tau[:, 0]).max():.0f}, knee {np.abs(tau[:, 1]).max():.0f} N m")
    print(f"the ground lifts the right foot with {reactions[:, 1].min():.0f} to {reactions[:, 1].max():.0f} N")
    print(show("squat", folder).summary)


def check() -> None:
    """Feet and balance stay, both knees bend alike, and the torques give the motion when the engine plants the foot."""
    SCENES["squat"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
