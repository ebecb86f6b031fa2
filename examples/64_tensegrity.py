"""A tensegrity prism
==================

Three struts that touch nowhere, held by nine springs: let go out of balance it rings, tumbles and settles.

The springs are inside the skeleton, so its momentum stays what it was; their dampers take energy away.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import TWIST, tensegrity
from condyle.skeleton import Skeleton, Trajectory


def run(skeleton: Skeleton | None = None, duration: float = 6.0) -> Trajectory:
    """Let it go."""
    return (skeleton or tensegrity()).simulate(duration=duration, step=0.005)


def main(folder: str = "demo") -> None:
    """Let it go, print what it kept, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = run()
    print(f"{motion.skeleton}\n{motion.report()}")
    motion.draw_strip(out / "tensegrity.png")
    cd.view.export(motion, out / "tensegrity.html", title="a tensegrity prism")
    motion.report().figure(out / "tensegrity_report.png", title="a tensegrity prism")
    print(f"Open {out / 'tensegrity.html'}, {out / 'tensegrity.png'} and {out / 'tensegrity_report.png'}.")


def check() -> None:
    """Momentum is kept, the dampers alone take energy, and at rest the prism has its known twist of 30 degrees."""
    report = run().report()
    assert report.drifts()["angular momentum [N m s]"] < 1e-12
    assert report.drifts()["energy less work [J]"] < 0.01 * report.energy[0]
    assert report.energy[-1] < 0.95 * report.energy[0]
    still = run(tensegrity(spin=(0, 0, 0)), duration=40.0)
    feet, heads = (x[2::3] for x in still.skeleton.spring_ends(still.last))  # of the upright springs
    turned = np.arctan2(heads[:, 1], heads[:, 0]) - np.arctan2(feet[:, 1], feet[:, 0])
    assert np.abs(np.sin(turned - TWIST)).max() < 1e-3
    assert np.abs(still.last.velocities).max() < 1e-3


if __name__ == "__main__":
    main(*sys.argv[1:])
