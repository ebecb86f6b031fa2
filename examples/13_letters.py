"""The word SIGGRAPH as a chain of letters
=======================================

Letters slide on each other: each on its parent's outline, then neighbours on both outlines. Draws demo/letters1.png and
demo/letters2.png, and says how far the contacts stay from losing rank (demo/limits.png: the seven contacts in their two
coordinates, in red where both outlines have equal curvature) and whether letters cross anywhere else, which nothing in
the model prevents. A chain let go too high comes to such a place, and the run says so.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import letters
from condyle.gallery.scenes.crossings import crossings
from condyle.gallery.scenes.letters import relative_curvature
from condyle.gallery.scenes.limits import draw_limits
from condyle.gallery.picture import FRONT, draw


def crossed(trajectory: cd.Trajectory, every: int = 5) -> list[tuple[float, tuple[str, str]]]:
    """When [s] which letters were found to cross."""
    records = range(0, len(trajectory.t), every)
    return [(float(trajectory.t[k]), pair) for k in records for pair in crossings(trajectory, k)]


def main(folder: str = "demo") -> None:
    """Let both chains fall, draw them, and report."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for kind in (1, 2):
        scene = letters(kind)
        trajectory = scene.run(record=0.01)
        kept = np.ptp(trajectory.energy().total)
        print(f"{scene.name}: {scene.model}; energy kept to {kept:.1e} J in {scene.duration:g} s")
        draw(scene, trajectory, out / f"letters{kind}.png", view=FRONT, moments=3, size=6.0)
    print(f"letters 2: relative curvature at least {relative_curvature(trajectory.q).min():.1f} 1/m at every contact")
    print(f"letters 2: crossings away from the contacts: {crossed(trajectory) or 'none'}")
    draw_limits(trajectory, out / "limits.png")
    print(f"let go at 2.5 rad: {letters(2, 2.5).run(1.2, record=0.02, integrator='adaptive').stopped}")
    print(f"Open {out / 'letters1.png'}, {out / 'letters2.png'} and {out / 'limits.png'}.")


def check() -> None:
    """Energy stays, no letters cross, and every contact has rank."""
    trajectory = letters(2).run(0.5, record=0.05)
    assert np.ptp(trajectory.energy().total) < 1e-4
    assert not crossed(trajectory, every=1)
    assert relative_curvature(trajectory.q).min() > 5.0


if __name__ == "__main__":
    main(*sys.argv[1:])
