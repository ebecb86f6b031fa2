"""A knee before and after smoothing
=================================

Two legs with knees fitted to the same noisy poses (synthetic), one as near to them as it gets and one smoothed by
cross-validation, let go together; then a foot that follows a moving target.

Draws demo/smoothing.png, demo/knees.png and demo/foot.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.bones.knees import draw_fits, fitted_knees, truth_errors


def main(folder: str = "demo") -> None:
    """Fit twice, swing, follow, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, fit in zip(("rough", "smooth"), fitted_knees(), strict=True):
        angle, distance = truth_errors(fit)
        print(f"{name}: {angle:.2f} deg and {distance:.2f} mm from the truth (rms)")
    draw_fits(out / "smoothing.png")
    legs, foot = SCENES["knees"](), SCENES["foot"]()
    legs.draw(legs.run(record=0.01), out / "knees.png", player=True)
    foot.draw(foot.run(), out / "foot.png", player=True)
    print(f"Open {out / 'smoothing.png'}, {out / 'knees.png'} and {out / 'foot.png'}.")


def check() -> None:
    """Smoothing brings the knee nearer to the truth."""
    SCENES["knees"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
