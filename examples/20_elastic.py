"""A ball on an elastic surface
============================

The control points of a spline surface are bodies on springs, and a ball is held on it by a constraint. As the stiffness
grows the motion tends to that on the rigid surface, with one over the stiffness. Draws demo/elastic.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, elastic
from condyle.gallery.surfaces.elastic import distance_from_rigid


def main(folder: str = "demo") -> None:
    """Let the ball go, draw, and compare with the rigid surface."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = elastic()
    run = scene.run(record=0.02)
    print(scene.told(run))
    for stiffness in (60.0, 600.0):
        print(f"stiffness {stiffness:g} N/m: {1e3 * distance_from_rigid(stiffness):.2f} mm from the rigid surface")
    print(f"Open {scene.draw(run, Path(folder) / 'elastic.png', player=True)}.")


def check() -> None:
    """Energy stays; ten times the stiffness is a tenth of the distance."""
    SCENES["elastic"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
