"""Error against the truth with automatic smoothing over that without, seeds 0-19."""

import numpy as np
from rich.progress import track

from condyle import design
from support.knees import noisy_knee

from .store import Result


def truth_error(fit, q, true):
    """Root mean square of [rad] and [m / 0.1 m] together."""
    angle, distance = design.pose_errors(fit.joint, q, true)
    return float(np.sqrt(np.mean(np.radians(angle) ** 2 + (distance / 100.0) ** 2)))


def one(seed):
    """A row of the table, and the ratio of errors."""
    q, true, poses = noisy_knee(40, 0.02, 0.002, seed)
    plain, smooth = (design.fit_curve(poses, q, frames=14, metric=0.1, smoothing=w) for w in (0.0, "auto"))
    errors = [truth_error(f, q, true) for f in (plain, smooth)]
    ratio = errors[1] / errors[0]
    return [str(seed), f"{smooth.smoothing:.3g}", f"{errors[0]:.5f}", f"{errors[1]:.5f}", f"{ratio:.3f}"], ratio


def run():
    rows, ratios = zip(*[one(seed) for seed in track(range(20), "knees")], strict=True)
    return Result(
        "Automatic smoothing against none, 40 poses, 14 frames, noise 0.02 rad and 2 mm",
        ["seed", "weight chosen", "error without", "error with", "ratio"],
        list(rows),
        f"Error against the truth, 0.1 m counting like a radian: better on {sum(r < 1 for r in ratios)} of 20, worst "
        f"ratio {max(ratios):.3f}, median {np.median(ratios):.3f}. Asked for: at least 18, none above 1.05.",
    )
