"""Beads on a spinning wire
========================

Three beads on a flower-shaped wire that spins; then the same with beads that also turn freely about the wire.

Draws demo/beads.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import beads
from condyle.gallery.picture import draw


def motor_work(trajectory: cd.Trajectory, spin: float) -> np.ndarray:
    """Energy that the motor has given since the start [J], from the torque it needs, by the trapezoidal rule."""
    model, t = trajectory.model, trajectory.t
    a = [cd.forward_dynamics(model, q, v, t=s) for q, v, s in zip(trajectory.q, trajectory.v, t, strict=True)]
    torque = cd.inverse_dynamics(model, trajectory.q, trajectory.v, np.array(a))[:, 0]
    steps = 0.5 * (torque[1:] + torque[:-1]) * np.diff(t) * spin
    return np.concatenate([[0.0], np.cumsum(steps)])


def main(folder: str = "demo") -> None:
    """Spin the wire, draw, and say what the motor did."""
    scene, out = beads(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.01)
    work = motor_work(trajectory, 2.0)
    gained = trajectory.energy().total[-1] - trajectory.energy().total[0]
    print(f"driven wire: the motor gave {work[-1]:.4f} J, the beads have {gained:.4f} J more")
    free = beads(spin=None, rolling_about=True).run(record=0.01)
    print(f"free wire, turning beads: energy kept to {np.ptp(free.energy().total):.1e} J")
    draw(scene, trajectory, out / "beads.png")
    print(f"Open {out / 'beads.png'}.")


def check() -> None:
    """The motor's work is the energy gained; without a motor energy stays."""
    trajectory = beads().run(1.0, record=1e-3)
    gained = trajectory.energy().total - trajectory.energy().total[0]
    assert abs(motor_work(trajectory, 2.0) - gained).max() < 1e-4
    assert np.ptp(beads(spin=None, rolling_about=True).run(1.0, record=0.01).energy().total) < 1e-4


if __name__ == "__main__":
    main(*sys.argv[1:])
