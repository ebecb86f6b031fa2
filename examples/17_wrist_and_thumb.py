"""A wrist and a thumb
===================

A condyloid wrist and the saddle joint of a thumb, swinging on springs. Draws demo/wrist.png and demo/thumb.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES, thumb, wrist


def main(folder: str = "demo") -> None:
    """Swing both and draw them with the surfaces that carry them."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for scene in (wrist(), thumb()):
        run = scene.run(record=0.01)
        ranges = ", ".join(f"{c} within ±{abs(run[c]).max():.2f} rad" for c in scene.model.coordinates)
        print(f"{scene.name}: {ranges}")
        scene.draw(run, out / f"{scene.name}.png", player=True)
    print(f"Open {out / 'wrist.png'} and {out / 'thumb.png'}.")


def check() -> None:
    """Damping only takes energy; both stay in range."""
    SCENES["wrist"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
