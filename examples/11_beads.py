"""Beads on a spinning wire
========================

Three beads on a flower-shaped wire that spins; then the same with beads that also turn freely about the wire.

Draws demo/beads.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import SCENES, beads
from condyle.gallery.wires.beads import motor_work


def main(folder: str = "demo") -> None:
    """Spin the wire, draw, and say what the motor did."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = beads()
    run = scene.run(record=0.01)
    gained = run.energy().total[-1] - run.energy().total[0]
    print(f"driven wire: the motor gave {motor_work(run, 2.0)[-1]:.4f} J, the beads have {gained:.4f} J more")
    free = beads(spin=None, rolling_about=True).run(record=0.01)
    print(f"free wire, turning beads: energy kept to {np.ptp(free.energy().total):.1e} J")
    print(f"Open {scene.draw(run, Path(folder) / 'beads.png', player=True)}.")


def check() -> None:
    """The motor's work is the energy gained; without a motor energy stays."""
    SCENES["beads"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
