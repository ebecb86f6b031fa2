"""Three bodies, a hinge and a ball
================================

The article's three bodies, a hinge and a ball, tumbling freely: what three integrators keep and lose.

Prints the conservation reports and saves pictures to demo/.
"""

from __future__ import annotations

import sys
from pathlib import Path

import condyle as cd
from condyle.gallery import SCENES
from condyle.gallery.skeletons.three_bodies import tumbling


def main(folder: str = "demo") -> None:
    """Run all three integrators, print what they keep, draw the default's motion."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for integrator in ("variational", "rk4", "printed"):
        motion = tumbling(integrator)
        print(f"{integrator}: {motion.stopped or 'reached the end'}\n{motion.report()}\n")
    motion = tumbling("variational", 2.0)
    motion.draw_strip(out / "three_bodies.png")
    motion.report().figure(out / "three_bodies_report.png", title="three bodies, variational, 10 ms")
    cd.view.export(motion, out / "three_bodies.html", title="three bodies")
    print(f"Open {out / 'three_bodies.html'}, {out / 'three_bodies.png'} and {out / 'three_bodies_report.png'}.")


def check() -> None:
    """The default keeps momentum and joints to round-off; the printed scheme loses both."""
    SCENES["skeleton"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
