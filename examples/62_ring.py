"""Rings that close
================

Closed loops: a six-bar ring that turns inside out, and a planar ring with more joints than it needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import kaleidocycle, planar_ring, turning
from condyle.skeleton import Skeleton, Trajectory


def run(skeleton: Skeleton, duration: float = 5.0, **loads) -> Trajectory:
    """Let it go."""
    return skeleton.simulate(duration=duration, step=0.01, **loads)


def main(folder: str = "demo") -> None:
    """Run both rings, print what they keep, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, skeleton, loads in (("kaleidocycle", kaleidocycle(), {"motors": turning}), ("ring", planar_ring(), {})):
        motion = run(skeleton, **loads)
        unique = "unique" if skeleton.accelerations().unique else "not unique: those of least norm are given"
        print(f"{name}: {skeleton.unknowns} reactions, {unique}\n{motion.report()}\n")
        motion.draw_strip(out / f"{name}.png")
    print(f"Open {out / 'kaleidocycle.png'} and {out / 'ring.png'}.")


def check() -> None:
    """The rings stay closed and keep their momentum, though both are redundant."""
    turned = run(kaleidocycle(), 3.0, motors=turning)
    flat = run(planar_ring(), 3.0)
    for motion in (turned, flat):
        assert motion.stopped is None
        assert not motion.skeleton.accelerations().unique
        drifts = motion.report().drifts()
        assert drifts["joint gap [m]"] < 1e-11
        assert drifts["axis error [rad]"] < 1e-11
        assert drifts["angular momentum [N m s]"] < 1e-11
    assert turned.report().work[-1] > 0.1  # it does turn
    across = flat.states.rotations[:, 0, :, 1]  # the normal of the ring's plane as it tumbles
    heights = np.einsum("tni,ti->tn", flat.states.positions - flat.states.positions[:, :1], across)
    assert np.abs(heights).max() < 1e-11


if __name__ == "__main__":
    main(*sys.argv[1:])
