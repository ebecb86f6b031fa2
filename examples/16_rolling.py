"""A ball and a disc that roll
===========================

A ball that rolls off a ball (two surfaces in contact, no slip) and a disc that rolls down a plane.

Draws demo/rolling.png and demo/disc.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import ball_on_ball, rolling_disc
from condyle.gallery.picture import draw


def main(folder: str = "demo") -> None:
    """Roll, compare with the closed form, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    disc = rolling_disc()
    a = cd.forward_dynamics(disc.model, disc.q, disc.v)[0]
    print(f"disc on a slope of 0.35 rad: {a:.8f} m/s², ⅔ g sin 0.35 = {2 / 3 * 9.81 * np.sin(0.35):.8f} m/s²")
    draw(disc, disc.run(record=0.01), out / "disc.png", view=(14, -75))
    ball = ball_on_ball()
    trajectory = ball.run(record=0.01)
    print(f"ball on ball: energy kept to {np.ptp(trajectory.energy().total):.1e} J")
    draw(ball, trajectory, out / "rolling.png", view=(20, -70))
    print(f"Open {out / 'rolling.png'} and {out / 'disc.png'}.")


def check() -> None:
    """The closed form of the disc; the ball keeps its energy."""
    disc = rolling_disc()
    assert abs(cd.forward_dynamics(disc.model, disc.q, disc.v)[0] - 2 / 3 * 9.81 * np.sin(0.35)) < 1e-12
    assert np.ptp(ball_on_ball().run(0.4, record=0.02).energy().total) < 1e-6


if __name__ == "__main__":
    main(*sys.argv[1:])
