"""A knee fitted to measured poses, put into a leg, and let go.

The poses are synthetic: a published knee with stated noise (gallery.knee_poses). Prints how well the joint fits and how
near it is to the truth, simulates the leg, and saves demo/knee_fit.html and demo/knee_fit.npz.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import knee, knee_poses, leg

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]


def fitted() -> cd.design.CurveFit:
    """The smoothest knee that the noise allows: ten control frames, the weight by cross-validation."""
    angle, poses = knee_poses(60, angle_noise=0.01, distance_noise=0.001)
    return cd.design.fit_curve(poses, angle, frames=10, smoothing="auto", metric=0.1, name="angle")


def truth_errors(fit: cd.design.CurveFit) -> tuple[float, float]:
    """Root mean square angle [deg] and distance [mm] from the knee without noise."""
    q = np.linspace(-2.0, 0.1, 200)
    angle, distance = cd.design.pose_errors(fit.joint, q, knee().pose(q))
    return float(np.sqrt(np.mean(angle**2))), float(np.sqrt(np.mean(distance**2)))


def run(fit: cd.design.CurveFit, duration: float = 2.0) -> cd.Trajectory:
    """Let a leg with the fitted knee go."""
    return cd.simulate(leg(joint=fit.joint), START, duration=duration, step=1e-3, record=5e-3)


def main(folder: str = "demo") -> None:
    """Fit, simulate, print, save."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    fit = fitted()
    angle, distance = truth_errors(fit)
    print(fit.summary())
    print(f"against the knee without noise: {angle:.2f} deg, {distance:.2f} mm (rms)")
    trajectory = run(fit)
    energy = trajectory.energy().total
    print(f"a leg with this knee: energy {energy[0]:.2f} J, {energy[-1]:.2f} J after {trajectory.t[-1]:g} s")
    cd.design.report(fit, out / "knee_fit.html", title="A knee from sixty noisy poses", force=True)
    np.savez(out / "knee_fit.npz", t=trajectory.t, q=trajectory.q, v=trajectory.v, frames=fit.frames, knots=fit.knots)
    print(f"Open {out / 'knee_fit.html'}; the motion and the control frames are in {out / 'knee_fit.npz'}.")


def check() -> None:
    """The fit is nearer to the truth than the noise of one pose; the leg loses energy and never gains it."""
    fit = fitted()
    angle, distance = truth_errors(fit)
    assert angle < np.degrees(0.01) and distance < 1.0
    trajectory = run(fit, 0.5)
    assert trajectory.stopped is None
    assert np.all(np.diff(trajectory.energy().total) < 1e-4)


if __name__ == "__main__":
    main(*sys.argv[1:])
