"""A tumbling humanoid
===================

A humanoid tumbling through the air, its joints with friction and limits, its knees and elbows driven by motors.

Whatever the motors do, the angular momentum about the centre of mass stays what it was at the jump.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import humanoid, tucking
from condyle.skeleton import Trajectory


def run(duration: float = 1.0, step: float = 0.005) -> Trajectory:
    """One leap."""
    return humanoid().simulate(duration=duration, step=step, motors=tucking)


def main(folder: str = "demo") -> None:
    """Leap, print what was kept, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = run()
    report = motion.report()
    print(f"{len(motion.skeleton.masses)} bodies, {motion.skeleton.unknowns} reactions\n{report}")
    print(f"angular momentum about the centre of mass: {np.round(report.angular_momentum[-1], 3)} N m s")
    motion.draw_strip(out / "humanoid.png")
    cd.view.export(motion, out / "humanoid.html", title="a tumbling humanoid")
    report.figure(out / "humanoid_report.png", title="a tumbling humanoid")
    print(f"Open {out / 'humanoid.html'}, {out / 'humanoid.png'} and {out / 'humanoid_report.png'}.")


def check() -> None:
    """Gravity, friction, limits and motors leave the angular momentum alone; energy changes by their work."""
    motion = run(step=0.005)
    bent = motion.skeleton.angles(motion.states)
    knees = [motion.skeleton.joint(name) for name in ("knee_l", "knee_r")]
    assert bent[:, knees].min() > -0.25  # the limit gives way a little
    assert bent[:, knees].max() > 1.0
    coarse, fine = motion.report(), run(step=0.0025).report()
    assert coarse.drifts()["angular momentum [N m s]"] < 1e-10
    assert coarse.drifts()["joint gap [m]"] < 1e-12
    fallen = coarse.linear_momentum[-1] - coarse.linear_momentum[0]
    mass = humanoid().masses.sum()
    assert np.allclose(fallen, (0, 0, -9.81 * mass * 1.0), atol=1e-9)
    assert fine.drifts()["energy less work [J]"] < 0.35 * coarse.drifts()["energy less work [J]"]


if __name__ == "__main__":
    main(*sys.argv[1:])
