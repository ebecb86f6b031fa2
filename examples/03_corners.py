"""A track with corners
====================

A bead runs down a zigzag of wires. At every corner an impulse takes what the next wire does not allow; `cd.simulate`
lands on it, and says when, with which impulse and what was lost. Draws demo/corners.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.scene import FRONT, PALETTE, Scene
from condyle.model.look.overlays import Line
from condyle.model.look.shapes import sphere

POINTS = np.array([(0.0, 0, 0.6), (0.4, 0, 0.35), (0.8, 0, 0.4), (1.2, 0, 0.1), (1.6, 0, 0.3), (1.9, 0, 0.2)])


def bead() -> cd.Model:
    """A bead of 50 g on the zigzag."""
    b = cd.ModelBuilder()
    look = (sphere(0.03, color=PALETTE[0]),)
    b.add_body("bead", joint=cd.joints.track(POINTS), inertia=cd.Inertia.sphere(0.05, 0.03), shapes=look)
    return b.build()


def main(folder: str = "demo") -> None:
    """Let it go, say what the corners took, draw."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    line = Line(None, POINTS, PALETTE[1])
    scene = Scene("corners", bead(), np.array([0.02]), np.array([1.5]), (line,), duration=1.2, camera=FRONT)
    run = scene.run(record=0.01)
    for x in run.impacts[:6]:
        print(f"t = {x.time:.6f} s: {x.arriving[0]:.4f} m/s become {x.leaving[0]:.4f}, {x.lost:.5f} J lost")
    print(f"{len(run.impacts)} passes of corners in all. Open {scene.draw(run, Path(folder) / 'corners.png')}.")


def check() -> None:
    """What the trajectory loses is what the corners took; a point keeps the cosine of its speed."""
    run = cd.simulate(bead(), [0.02], [1.5], duration=0.6, record=0.05)
    energy = run.energy().total
    assert abs(energy[0] - energy[-1] - sum(x.lost for x in run.impacts)) < 1e-12
    first, second = (side / np.linalg.norm(side) for side in np.diff(POINTS, axis=0)[:2])
    assert abs(run.impacts[0].leaving[0] - run.impacts[0].arriving[0] * (first @ second)) < 1e-12


if __name__ == "__main__":
    main(*sys.argv[1:])
