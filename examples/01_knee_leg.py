"""A leg with a measured knee
==========================

A knee fitted to measured poses, put into a leg, and let go.

The poses are synthetic: a published knee with stated noise (gallery.knee_poses). Prints how well the joint fits and
what the leg does, and leaves in demo/ the fitted knee (knee.toml), the motion (leg.npz), a player that opens in any
browser (leg.html), a picture (leg.png) and a report on the fit (report.html).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import knee, knee_poses, leg

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]: thigh forward, knee bent


def fitted() -> cd.design.CurveFit:
    """The smoothest knee that the noise allows: ten control frames, the weight by cross-validation."""
    angle, poses = knee_poses(60, angle_noise=0.01, distance_noise=0.001)
    return cd.design.fit_curve(poses, angle, frames=10, smoothing="auto", metric=0.1, name="angle")


def truth_errors(fit: cd.design.CurveFit) -> tuple[float, float]:
    """Root mean square angle [deg] and distance [mm] from the knee without noise."""
    q = np.linspace(-2.0, 0.1, 200)
    angle, distance = cd.design.pose_errors(fit.joint, q, knee().pose(q))
    return float(np.sqrt(np.mean(angle**2))), float(np.sqrt(np.mean(distance**2)))


def run(model: cd.Model, duration: float = 2.0) -> cd.Trajectory:
    """Let a leg go."""
    return cd.simulate(model, START, duration=duration, step=1e-3, record=5e-3)


def many(model: cd.Model, count: int = 1000, duration: float = 2.0) -> tuple[cd.Trajectory, float]:
    """The same leg let go from many postures at once, and the seconds it took."""
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
    glide = trajectory.model.bodies[1].joint.pose(angle).xyz
    middle.plot(np.degrees(angle), 1e3 * glide[:, 0], label="forward")
    middle.plot(np.degrees(angle), 1e3 * (glide[:, 1] - glide[-1, 1]), label="up")
    middle.set(title="the tibia glides on the femur", xlabel="knee angle [deg]", ylabel="translation [mm]")
    middle.legend()
    kinetic, potential, total = trajectory.energy()
    for values, name in ((kinetic, "kinetic"), (potential, "potential"), (total, "total")):
        right.plot(trajectory.t, values, label=name)
    right.set(title="energy: lost to the knee's stop and the ankle", xlabel="t [s]", ylabel="energy [J]")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def tell(trajectory: cd.Trajectory) -> None:
    """What the leg did, in a few lines."""
    model, energy, angle = trajectory.model, trajectory.energy().total, np.degrees(trajectory["knee"])
    print(f"\n{model}; coordinates {', '.join(model.coordinates)} [rad]")
    print(f"  knee angle between {angle.min():.1f} and {angle.max():.1f} deg")
    print(f"  energy {energy[0]:.2f} J at the start, {energy[-1]:.2f} J after {trajectory.t[-1]:g} s")
    batch, seconds = many(model)
    steps = 2000 * len(batch.q)
    print(
        f"  {len(batch.q)} legs at once: {steps / seconds / 1e6:.1f} million steps of 1 ms per second on this machine"
    )


def main(folder: str = "demo") -> None:
    """Fit, simulate, print, save."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    print("Fitting and simulating; the first run compiles the kernels and keeps them …", flush=True)
    begin = time.perf_counter()
    fit = fitted()
    trajectory = run(leg(joint=fit.joint))
    print(f"  done in {time.perf_counter() - begin:.1f} s\n\n{fit.summary()}")
    angle, distance = truth_errors(fit)
    print(f"against the knee without noise: {angle:.2f} deg, {distance:.2f} mm (rms)")
    tell(trajectory)
    cd.save(fit.joint, out / "knee.toml")
    cd.save(trajectory, out / "leg.npz")
    cd.view.export(trajectory, out / "leg.html", title="A leg with a fitted knee")
    cd.design.report(fit, out / "report.html", title="A knee from sixty noisy poses", force=True)
    draw(trajectory, out / "leg.png")
    print(f"\nOpen {out / 'leg.html'} (player), {out / 'leg.png'} (picture) and {out / 'report.html'} (the fit).")
    print(f"The knee is in {out / 'knee.toml'}, the motion in {out / 'leg.npz'}: cd.load opens both.")


def check() -> None:
    """The fit is nearer to the truth than the noise of one pose; the dampers take energy and never give it."""
    fit = fitted()
    angle, distance = truth_errors(fit)
    assert angle < np.degrees(0.01) and distance < 1.0
    trajectory = run(leg(joint=fit.joint), 1.0)
    energy = trajectory.energy().total
    assert trajectory.stopped is None
    assert np.all(np.diff(energy) < 1e-4)
    assert energy[-1] < energy[0] - 0.1
    assert trajectory["knee"].max() < 0.15


if __name__ == "__main__":
    main(*sys.argv[1:])
