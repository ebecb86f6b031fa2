"""A ball on an elastic sheet
==========================

A sheet of B-splines whose control points have its mass, stiffness and damping (D-NURBS), and a ball that glides on it
and takes its orientation from it. Beside it the same in point masses and springs: as they stiffen, the motion tends to
that on the rigid surface, with one over the stiffness. Draws demo/elastic.png and demo/elastic-energy.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.surfaces.elastic_surface import distance_from_rigid
from condyle.gallery.surfaces.sheet import trampoline


def main(folder: str = "demo") -> None:
    """Let the ball go, draw, and compare point masses with the rigid surface."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    scene = SCENES["elastic"]()
    run = scene.run()
    print(scene.told(run))
    print(f"lowest frequencies of the sheet alone: {trampoline().frequencies(3).round(2)} rad/s")
    for stiffness in (60.0, 600.0):
        print(f"points, {stiffness:g} N/m: {1e3 * distance_from_rigid(stiffness):.2f} mm from the rigid surface")
    print(f"Open {scene.draw(run, out / 'elastic.png', player=True)}.")
    for name, write in scene.extras.items():
        write(run, out / name)


def check() -> None:
    """Energy of sheet and ball, and that of points and ball, stay."""
    SCENES["elastic"].check()
    SCENES["elastic-points"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
