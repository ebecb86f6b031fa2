"""A leg whose knee rolls and glides, swinging from a fixed hip.

Prints what happens, saves the trajectory to demo/leg.npz and a picture to demo/leg.png.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import leg

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]: thigh forward, knee bent


def run(duration: float = 2.0) -> cd.Trajectory:
    """Let the leg go."""
    return cd.simulate(leg(), START, duration=duration, step=1e-3, record=5e-3)


def many(count: int = 1000, duration: float = 2.0) -> tuple[cd.Trajectory, float]:
    """The same leg let go from many postures at once, and the seconds it took."""
    model = leg()
    q = np.array(START) + np.random.default_rng(0).normal(scale=0.1, size=(count, 3))
    q[:, 1] = np.clip(q[:, 1], -2.0, -0.1)
    cd.simulate(model, q[:16], duration=0.01)  # compile first
    begin = time.perf_counter()
    return cd.simulate(model, q, duration=duration, record=0.05), time.perf_counter() - begin


def draw(trajectory: cd.Trajectory, path: Path) -> None:
    """Stick figures of the leg, the tibia's glide against the knee angle, and the energy."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    poses = trajectory.poses()
    for k in np.linspace(0, len(trajectory.t) - 1, 14).astype(int):
        hip, knee, ankle = poses[k, 0].xyz, poses[k, 1].xyz, poses[k, 2].xyz
        toe = poses[k, 2].apply(np.array([0.18, -0.05, 0.0]))
        x, y, _ = np.stack([hip, knee, ankle, toe]).T
        left.plot(x, y, "-o", color=plt.get_cmap("viridis")(k / len(trajectory.t)), markersize=3)
    left.set(title="the leg, dark to light in time", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    angle = np.linspace(-2.0, 0.1, 200)
    glide = trajectory.model.bodies[1].joint.pose(angle)
    middle.plot(np.degrees(angle), 1e3 * glide[:, 0, 3], label="forward")
    middle.plot(np.degrees(angle), 1e3 * (glide[:, 1, 3] - glide[-1, 1, 3]), label="up")
    middle.set(title="the tibia glides on the femur", xlabel="knee angle [deg]", ylabel="translation [mm]")
    middle.legend()
    kinetic, potential, total = trajectory.energy()
    for values, name in ((kinetic, "kinetic"), (potential, "potential"), (total, "total")):
        right.plot(trajectory.t, values, label=name)
    right.set(title="energy: lost to the knee's stop and the ankle", xlabel="t [s]", ylabel="energy [J]")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Run, print, save."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    print("Compiling the kernels (kept for the next run) …", flush=True)
    begin = time.perf_counter()
    trajectory = run()
    print(f"  ready in {time.perf_counter() - begin:.1f} s\n")
    model = trajectory.model
    energy = trajectory.energy().total
    knee = np.degrees(trajectory["knee"])
    print(f"{model}\n  coordinates: {', '.join(model.coordinates)} [rad]")
    print(f"  knee angle between {knee.min():.1f} and {knee.max():.1f} deg")
    print(f"  energy {energy[0]:.2f} J at the start, {energy[-1]:.2f} J after {trajectory.t[-1]:g} s")
    batch, seconds = many()
    steps = 2000 * len(batch.q)
    print(
        f"  {len(batch.q)} legs at once: {steps / seconds / 1e6:.1f} million steps of 1 ms per second on this machine"
    )
    np.savez(out / "leg.npz", t=trajectory.t, q=trajectory.q, v=trajectory.v)
    draw(trajectory, out / "leg.png")
    print(f"\nOpen {out / 'leg.png'}; the motion is in {out / 'leg.npz'} (t, q, v).")


def check() -> None:
    """The dampers take energy and never give it; the knee stays in its range."""
    trajectory = run(1.0)
    energy = trajectory.energy().total
    assert trajectory.stopped is None
    assert np.all(np.diff(energy) < 1e-4)
    assert energy[-1] < energy[0] - 0.1
    assert trajectory["knee"].max() < 0.15


if __name__ == "__main__":
    main(*sys.argv[1:])
