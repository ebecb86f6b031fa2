"""A leg with a measured knee
==========================

A knee fitted to measured poses, put into a leg, and let go.

The poses are synthetic: a published knee with stated noise (gallery.knee_poses). This is `condyle demo leg`,
followed by a thousand such legs at once. It prints how well the joint fits and what the leg does, and leaves in demo/ a
player that opens in any browser (leg.html), pictures, the motion (leg.npz), the model (leg.toml), the fitted knee
(knee.toml) and a report on the fit (report.html).
"""

from __future__ import annotations

import sys
import time

import numpy as np

import condyle as cd
from condyle.gallery import SCENES, leg, show
from condyle.gallery.bones.swing import fitted_knee

START = np.array([0.9, -1.4, 0.0])  # hip, knee, ankle [rad]: thigh forward, knee bent


def many(model: cd.Model, count: int = 1000, duration: float = 2.0) -> tuple[cd.Trajectory, float]:
    """The same leg let go from many postures at once, and the seconds it took."""
    q = START + np.random.default_rng(0).normal(scale=0.1, size=(count, 3))
    q[:, 1] = np.clip(q[:, 1], -2.0, -0.1)
    cd.simulate(model, q[:16], duration=0.01)  # compile first
    begin = time.perf_counter()
    return cd.simulate(model, q, duration=duration, record=0.05), time.perf_counter() - begin


def main(folder: str = "demo") -> None:
    """Fit, simulate, save, and let a thousand legs go at once."""
    print("Fitting and simulating; the first run compiles the kernels and keeps them …", flush=True)
    outcome = show("leg", folder)
    print(outcome.summary)
    batch, seconds = many(leg(joint=fitted_knee().joint))
    speed = 2000 * len(batch.q) / seconds / 1e6
    print(f"{len(batch.q)} legs at once: {speed:.1f} million steps of 1 ms per second on this machine")
    print(f"Open {outcome.files[0]}. Also written: {', '.join(path.name for path in outcome.files[1:])}.")


def check() -> None:
    """The fit is nearer to the truth than the noise of one pose; the dampers take energy and never give it."""
    SCENES["leg"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
