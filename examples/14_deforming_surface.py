"""A ball on a surface that deforms
================================

A ball on a surface that deforms; the energy it gains is the work of the surface. Draws demo/deforming.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import deforming_surface
from condyle.gallery.picture import draw


def surface_power(trajectory: cd.Trajectory) -> np.ndarray:
    """Power that the surface gives [W]: the force on the phase times its rate, which is 1."""
    model = trajectory.model
    moments = zip(trajectory.q, trajectory.v, trajectory.t, strict=True)
    a = np.array([cd.forward_dynamics(model, q, v, t=t) for q, v, t in moments])
    return cd.inverse_dynamics(model, trajectory.q, trajectory.v, a)[:, 2]


def work_minus_gain(trajectory: cd.Trajectory) -> np.ndarray:
    """Work of the surface since the start less the energy gained [J]."""
    power, energy = surface_power(trajectory), trajectory.energy().total
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(trajectory.t))])
    return work - (energy - energy[0])


def main(folder: str = "demo") -> None:
    """Let the surface throw the ball about, draw, and balance the energy."""
    scene, out = deforming_surface(), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = scene.run(record=0.01)
    energy = trajectory.energy().total
    print(f"{scene.model}: energy between {energy.min():.3f} and {energy.max():.3f} J in {scene.duration:g} s")
    print(f"work of the surface and energy differ by {abs(work_minus_gain(trajectory)).max():.1e} J")
    print("\n".join(map(str, trajectory.outside)) or "the ball stays on the surface's domain")
    draw(scene, trajectory, out / "deforming.png", view=(35, -60))
    print(f"Open {out / 'deforming.png'}.")


def check() -> None:
    """The work of the surface is the energy gained."""
    trajectory = deforming_surface().run(1.0, record=2e-3)
    assert abs(work_minus_gain(trajectory)).max() < 1e-5
    assert np.ptp(trajectory.energy().total) > 0.01


if __name__ == "__main__":
    main(*sys.argv[1:])
