"""A shoulder blade on the ribs
============================

A synthetic shoulder blade that glides on the ribs, with a clavicle on damped springs and an arm.

Draws demo/scapula.png: the ribs, the surface that the acromion sweeps, and the bones at a few moments.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, scapula
from condyle.gallery.bones.scapula import clavicle_misfit


def main(folder: str = "demo") -> None:
    """Swing the arm, draw, and say how well the clavicle fits."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    print(f"over the domain the clavicle misfits by {1e3 * abs(clavicle_misfit()).max():.3f} mm at most")
    scene = scapula()
    run = scene.run(record=0.01)
    print(scene.told(run))
    print(f"Open {scene.draw(run, Path(folder) / 'scapula.png', player=True)}.")


def check() -> None:
    """The clavicle fits, and the springs only take energy."""
    SCENES["scapula"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
