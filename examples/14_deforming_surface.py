"""A ball on a surface that deforms
================================

A ball on a surface that deforms; the energy it gains is the work of the surface. Draws demo/deforming.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, deforming_surface
from condyle.gallery.surfaces.deforming import work_minus_gain


def main(folder: str = "demo") -> None:
    """Let the surface throw the ball about, draw, and balance the energy."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = deforming_surface()
    run = scene.run(record=0.01)
    print(scene.told(run))
    print(f"work of the surface and energy differ by {abs(work_minus_gain(run)).max():.1e} J")
    print(f"Open {scene.draw(run, Path(folder) / 'deforming.png', player=True)}.")


def check() -> None:
    """The work of the surface is the energy gained."""
    SCENES["deforming"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
