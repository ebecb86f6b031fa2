"""A corner in a wire
==================

Two beads let go together: on a wire with a sharp corner, where an impulse takes energy at every pass, and on one with a
small round bend, which takes none.

Draws demo/corner.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.wires.corner import corners, passes


def main(folder: str = "demo") -> None:
    """Let both go, compare with the closed form, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    _, _, impacts = corners()
    for impact, (time, speed) in zip(impacts, passes(len(impacts)), strict=True):
        arriving, leaving = abs(impact.arriving[:2]).max(), abs(impact.leaving[:2]).max()
        print(
            f"t = {impact.time:.6f} s (by hand {time:.6f}): {arriving:.4f} m/s (by hand {speed:.4f}) become "
            f"{leaving:.4f}, {impact.lost:.4f} J lost"
        )
    scene = SCENES["corner"]()
    print(f"Open {scene.draw(scene.run(), Path(folder) / 'corner.png')}.")


def check() -> None:
    """The closed form of the passes; the energy that both beads lose is what the corner takes."""
    SCENES["corner"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
