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

from condyle.gallery import SCENES
from condyle.gallery.scenes.letters import letters


def main(folder: str = "demo") -> None:
    """Let both chains fall, draw them, and report."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, picture in (("letters", "letters1.png"), ("letters-2", "letters2.png")):
        scene = SCENES[name]()
        run = scene.run(record=0.01)
        print(f"{name}: {scene.told(run)}")
        scene.draw(run, out / picture, player=True)
    scene.extras["limits.png"](run, out / "limits.png")
    print(f"let go at 2.5 rad: {letters(2, 2.5).run(1.2, record=0.02, integrator='adaptive').stopped}")
    print(f"Open {out / 'letters1.png'}, {out / 'letters2.png'} and {out / 'limits.png'}.")


def check() -> None:
    """Energy stays, no letters cross, and every contact has rank."""
    SCENES["letters-2"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
