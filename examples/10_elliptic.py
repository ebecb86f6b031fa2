"""A skate in an ellipse
=====================

A skate that slides along an upright ellipse, always tangent to it. Draws demo/elliptic.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, elliptic


def main(folder: str = "demo") -> None:
    """Let it go, say what the energy did, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = elliptic()
    run = scene.run(record=0.01)
    print(scene.told(run))
    print(f"Open {scene.draw(run, Path(folder) / 'elliptic.png', player=True)}.")


def check() -> None:
    """Energy stays; the skate stays on the ellipse."""
    SCENES["elliptic"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
