"""A knee before and after smoothing
=================================

Two legs with knees fitted to the same noisy poses (synthetic), one as near to them as it gets and one smoothed by
cross-validation, let go together; then a foot that follows a moving target.

Draws demo/smoothing.png, demo/knees.png and demo/foot.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import fitted_knees, foot, knee, knees
from condyle.gallery.bones.knees import draw_fits
from condyle.gallery.picture import draw


def truth_errors() -> np.ndarray:
    """Root mean square angle [deg] and distance [mm] from the knee without noise: rough, then smooth."""
    q = np.linspace(-2.0, 0.1, 200)
    rows = [cd.design.pose_errors(fit.joint, q, knee().pose(q)) for fit in fitted_knees()]
    return np.array([[np.sqrt(np.mean(x**2)) for x in row] for row in rows])


def main(folder: str = "demo") -> None:
    """Fit twice, swing, follow, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, (angle, distance) in zip(("rough", "smooth"), truth_errors(), strict=True):
        print(f"{name}: {angle:.2f} deg and {distance:.2f} mm from the truth (rms)")
    draw_fits(out / "smoothing.png")
    scene = knees()
    draw(scene, scene.run(record=0.01), out / "knees.png", view=(10, -60))
    scene, motion = foot()
    draw(scene, motion, out / "foot.png", view=(10, -80), moments=(0.0, 0.55, 1.05))
    print(f"Open {out / 'smoothing.png'}, {out / 'knees.png'} and {out / 'foot.png'}.")


def check() -> None:
    """Smoothing brings the knee nearer to the truth."""
    rough, smooth = truth_errors()
    assert np.all(smooth < 0.6 * rough)


if __name__ == "__main__":
    main(*sys.argv[1:])
