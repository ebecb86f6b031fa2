"""A knee with bones
=================

Two knees from one table of poses, before and after smoothing: condyles that lie on a plateau, screw-home, the
instantaneous axes from moment to moment, and a patella that follows the knee. Draws demo/condyles.png and
demo/knee-smoothing.png.

Bones, ligaments and the patella's way are made by code. Without an argument the poses are made up too, with a
screw-home of 17° and noise; a second argument is the path of a table of a passive flexion (flexion_rad, adduction_rad,
rotation_rad, tx_m, ty_m, tz_m).
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.bones.condyles import condyles


def main(folder: str = "demo", table: str | None = None) -> None:
    """Fit both knees, make their bones, say how well these touch, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    if table is not None and not Path(table).is_file():
        print(f"There is no table {table}: the made-up flexion is shown instead.")
        table = None
    scene = condyles(table)
    run = scene.run()
    print(scene.told(run))
    print(f"Open {scene.draw(run, Path(folder) / 'condyles.png', player=True)}.")
    for name, draw in scene.extras.items():
        draw(run, Path(folder) / name)


def check() -> None:
    """Made bones lie on each other, and smoothing calms the axis of the knee."""
    SCENES["condyles"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
