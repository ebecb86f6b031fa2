"""Aeroplanes on a globe
=====================

Toy aeroplanes on the coasts of a globe that turns freely. The continents are drawn by hand: they look like the world
and are no map. Draws demo/globe.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, globe
from condyle.gallery.wires.globe import off_the_sphere


def main(folder: str = "demo") -> None:
    """Fly, say how well the sphere is kept, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = globe()
    run = scene.run(record=0.01)
    print(f"{scene.told(run)} Off the sphere by {off_the_sphere(run):.1e} m at most.")
    print(f"Open {scene.draw(run, Path(folder) / 'globe.png', player=True)}.")


def check() -> None:
    """The aeroplanes stay on the sphere to rounding; energy stays."""
    SCENES["globe"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
