"""A tumbling humanoid
===================

A humanoid turns over in the air, its joints with friction and limits, its knees and elbows driven by motors.

Whatever the motors do, the angular momentum about the centre of mass stays what it was at the jump.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import SCENES


def main(folder: str = "demo") -> None:
    """Leap, print what was kept, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    scene = SCENES["humanoid"]()
    motion = scene.run()
    report = motion.report()
    print(f"{len(motion.skeleton.masses)} bodies, {motion.skeleton.unknowns} reactions\n{report}")
    print(f"angular momentum about the centre of mass: {np.round(report.angular_momentum[-1], 3)} N m s")
    scene.draw(motion, out / "humanoid.png")
    cd.view.export(motion, out / "humanoid.html", title="a tumbling humanoid", drawn=scene.drawn)
    report.figure(out / "humanoid_report.png", title="a tumbling humanoid")
    print(f"Open {out / 'humanoid.html'}, {out / 'humanoid.png'} and {out / 'humanoid_report.png'}.")


def check() -> None:
    """Gravity, friction, limits and motors leave the angular momentum alone; energy changes by their work."""
    SCENES["humanoid"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
