"""A wrist and a thumb
===================

A condyloid wrist and the saddle joint of a thumb, swinging on springs. Draws demo/wrist.png and demo/thumb.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import thumb, wrist
from condyle.gallery.picture import draw


def main(folder: str = "demo") -> None:
    """Swing both and draw them with the surfaces that carry them."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for scene in (wrist(), thumb()):
        trajectory = scene.run(record=0.01)
        ranges = ", ".join(f"{c} within ±{abs(trajectory[c]).max():.2f} rad" for c in scene.model.coordinates)
        print(f"{scene.name}: {ranges}")
        draw(scene, trajectory, out / f"{scene.name}.png", view=(20, -50), moments=(0.0, 0.1, 0.25))
    print(f"Open {out / 'wrist.png'} and {out / 'thumb.png'}.")


def check() -> None:
    """Damping only takes energy; both stay in range."""
    for scene in (wrist(), thumb()):
        trajectory = scene.run(1.0, record=0.01)
        assert np.all(np.diff(trajectory.energy().total) < 1e-9)
        assert abs(trajectory.q).max() < 1.2


if __name__ == "__main__":
    main(*sys.argv[1:])
