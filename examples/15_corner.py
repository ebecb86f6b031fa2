"""A corner in a wire
==================

Two beads let go together: on a wire with a sharp corner, where an impulse takes energy at every pass, and on one with a
small round bend, which takes none.

Draws demo/corner.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import corners
from condyle.gallery.wires.corner import START
from condyle.gallery.picture import draw

ANGLE, SLOPE = 0.7, 0.35  # [rad] of the corner, and of the wire before it


def expected(count: int) -> np.ndarray:
    """Times of the passes and speeds before them, by hand: along the wire g sin(slope), at the corner v cos(angle)."""
    pull = 9.81 * np.sin(SLOPE)
    speeds = np.sqrt(2.0 * pull * START) * np.cos(ANGLE) ** np.arange(count)
    times = speeds[0] / pull + np.concatenate([[0.0], 2.0 * np.cumsum(speeds[1:]) / pull])
    return np.stack([times, speeds], axis=1)


def main(folder: str = "demo") -> None:
    """Let both go, compare with the closed form, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    scene, motion, impacts = corners(ANGLE, slope=SLOPE)
    for impact, (time, speed) in zip(impacts, expected(len(impacts)), strict=True):
        arriving, leaving = abs(impact.arriving[:2]).max(), abs(impact.leaving[:2]).max()
        print(
            f"t = {impact.time:.6f} s (by hand {time:.6f}): {arriving:.4f} m/s (by hand {speed:.4f}) become "
            f"{leaving:.4f}, {impact.lost:.4f} J lost"
        )
    print(f"cos {ANGLE} = {np.cos(ANGLE):.6f}; kept at the corner: {leaving / arriving:.6f} of the speed")
    draw(scene, motion, out / "corner.png", view=(8, -84), moments=(0.45, 1.2, 2.0, 3.9), size=3.6)
    print(f"Open {out / 'corner.png'}.")


def check() -> None:
    """The closed form of the passes; the energy that both beads lose is what the corner takes."""
    _, motion, impacts = corners(ANGLE, slope=SLOPE, duration=2.0)
    found = [(x.time, abs(x.arriving[:2]).max()) for x in impacts]
    assert abs(found - expected(len(impacts))).max() < 1e-12
    energy = motion.energy().total
    assert abs(energy[0] - energy[-1] - sum(x.lost for x in impacts)) < 1e-4


if __name__ == "__main__":
    main(*sys.argv[1:])
