"""A stone that rolls in a dish
============================

Two spline surfaces in contact, one inverted: a joint of five coordinates, of which rolling leaves three free
velocities. Draws demo/stone.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, stone


def main(folder: str = "demo") -> None:
    """Let it go, say what the energy did, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = stone()
    run = scene.run(record=0.01)
    print(scene.told(run))
    print("\n".join(map(str, run.outside)) or "the contact stays on both surfaces")
    print(f"Open {scene.draw(run, Path(folder) / 'stone.png', player=True)}.")


def check() -> None:
    """Energy stays while it rolls."""
    SCENES["stone"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
