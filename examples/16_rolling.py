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
from condyle.gallery import SCENES, ball_on_ball, rolling_disc


def main(folder: str = "demo") -> None:
    """Roll, compare with the closed form, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    disc, ball = rolling_disc(), ball_on_ball()
    a = cd.forward_dynamics(disc.model, disc.q, disc.v)[0]
    print(f"disc on a slope of 0.35 rad: {a:.8f} m/s², ⅔ g sin 0.35 = {2 / 3 * 9.81 * np.sin(0.35):.8f} m/s²")
    disc.draw(disc.run(record=0.01), out / "disc.png", player=True)
    run = ball.run(record=0.01)
    print(f"ball on ball: {ball.told(run)}")
    print(f"Open {ball.draw(run, out / 'rolling.png', player=True)} and {out / 'disc.png'}.")


def check() -> None:
    """The closed form of the disc; the ball keeps its energy."""
    SCENES["rolling"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
