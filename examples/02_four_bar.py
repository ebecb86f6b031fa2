"""A four-bar linkage
==================

A four-bar linkage: a loop closed by a constraint, with the force in its closing pin.

Draws the linkage and the path of a point of its coupler to demo/four_bar.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.6, 0.5, 0.7  # [m]


def bar(length: float) -> cd.Inertia:
    """A slender bar along x."""
    return cd.Inertia.box(2.0 * length, (length, 0.02, 0.02), com=(0.5 * length, 0.0, 0.0))


def linkage() -> cd.Model:
    """Crank, coupler and rocker in the x-y plane; the rocker's tip is pinned to the ground."""
    b = cd.ModelBuilder(gravity=(0.0, -9.81, 0.0))
    turn = cd.joints.revolute("z")
    b.add_body("crank", joint=turn, inertia=bar(CRANK))
    b.add_body("coupler", parent="crank", joint=turn, inertia=bar(COUPLER), placement=tip(CRANK))
    b.add_body("rocker", parent="coupler", joint=turn, inertia=bar(ROCKER), placement=tip(COUPLER))
    b.add_constraint(cd.constraints.point("rocker", (ROCKER, 0.0, 0.0), None, (GROUND, 0.0, 0.0)))
    return b.build()


def tip(length: float) -> cd.SE3:
    """The far end of a bar."""
    return cd.SE3.from_translation((length, 0.0, 0.0))


def run(duration: float = 2.0) -> cd.Trajectory:
    """Close the loop near a guess, push the crank, let it go."""
    model = linkage()
    q, v = cd.project(model, [1.0, -0.6, -1.5], [6.0, 0.0, 0.0])
    return cd.simulate(model, q, v, duration=duration, step=1e-3, record=5e-3)


def gap(trajectory: cd.Trajectory) -> np.ndarray:
    """How far the rocker's tip is from its pin over time [m]."""
    ends = trajectory.poses()[:, 2].apply(np.array([ROCKER, 0.0, 0.0]))
    return np.linalg.norm(ends - (GROUND, 0.0, 0.0), axis=-1)


def draw(trajectory: cd.Trajectory, path: Path) -> None:
    """The bars at a few moments, and the path of the coupler's middle."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    poses = trajectory.poses()
    joints = np.stack([poses[:, 0].xyz, poses[:, 1].xyz, poses[:, 2].xyz], axis=1)
    ends = poses[:, 2].apply(np.array([ROCKER, 0.0, 0.0]))[:, None]
    points = np.concatenate([joints, ends], axis=1)
    middle = poses[:, 1].apply(np.array([0.5 * COUPLER, 0.1, 0.0]))
    figure, axes = plt.subplots(figsize=(6.5, 4.5), layout="constrained")
    for k in range(0, len(points), len(points) // 12):
        axes.plot(points[k, :, 0], points[k, :, 1], "o-", color="0.7", linewidth=1)
    axes.plot(points[0, :, 0], points[0, :, 1], "o-", color="C0", linewidth=3, label="start")
    axes.plot(middle[:, 0], middle[:, 1], color="C3", label="a point of the coupler")
    axes.set(title="four-bar linkage", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Run, print, draw."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    trajectory = run()
    held = cd.constraint_forces(trajectory.model, trajectory.q[0], trajectory.v[0])
    print(f"force in the closing pin at the start [N]: {np.round(held.forces[0].multipliers, 3)}")
    print(f"the pin is open by at most {gap(trajectory).max():.1e} m in {trajectory.t[-1]:g} s")
    draw(trajectory, out / "four_bar.png")
    print(f"Open {out / 'four_bar.png'}.")


def check() -> None:
    """The loop stays closed and no energy is lost."""
    trajectory = run(0.5)
    energy = trajectory.energy().total
    assert gap(trajectory).max() < 1e-11
    assert np.abs(energy - energy[0]).max() < 1e-6 * np.abs(energy).max()


if __name__ == "__main__":
    main(*sys.argv[1:])
