"""Rings that close
================

Closed loops: a six-bar ring that turns inside out, and a planar ring with more joints than it needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, kaleidocycle, planar_ring
from condyle.gallery.skeletons.rings import turning


def main(folder: str = "demo") -> None:
    """Run both rings, print what they keep, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, skeleton, loads in (("kaleidocycle", kaleidocycle(), {"motors": turning}), ("ring", planar_ring(), {})):
        motion = skeleton.simulate(duration=5.0, step=0.01, **loads)
        unique = "unique" if skeleton.accelerations().unique else "not unique: those of least norm are given"
        print(f"{name}: {skeleton.unknowns} reactions, {unique}\n{motion.report()}\n")
        motion.draw_strip(out / f"{name}.png")
    print(f"Open {out / 'kaleidocycle.png'} and {out / 'ring.png'}.")


def check() -> None:
    """The rings stay closed and keep their momentum, though both are redundant."""
    SCENES["ring"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
