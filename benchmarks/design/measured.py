"""Other people's knee and scapula, where they are at hand: residuals, and how few frames suffice."""

import numpy as np

from condyle import design
from support import measured_joints

from .store import Result


def row(what, fit):
    """Residuals and leave-one-out errors."""
    pairs = [f"{np.sqrt(np.mean(x**2)):.3g}, {x.max():.3g}" for x in (fit.angle_errors, fit.distance_errors)]
    left_out = [f"{np.sqrt(np.mean(x**2)):.3g}" for x in fit.leave_one_out_errors]
    return [what, fit.size, f"{fit.smoothing:.3g}", *pairs, ", ".join(left_out), f"{fit.rank.smallest:.2g}"]


def run():
    if not (measured_joints.KNEE.exists() and measured_joints.SCAPULA.exists()):
        return None
    q, poses = measured_joints.measured_knee()
    knees = [design.fit_curve(poses, q, frames=n, metric=0.05) for n in (4, 6, 8, 10, 12, 16, 20, 30)]
    knees.append(design.fit_curve(poses, q, frames=10, metric=0.05, loss="cauchy"))
    names = ["knee"] * 8 + ["knee, robust"]
    q, poses = measured_joints.measured_scapula()
    surfaces = [design.fit_surface(poses, q, (4, 8), smoothing=w, metric=0.2) for w in (0.0, 1e-4, "auto")]
    rows = [row(*pair) for pair in zip([*names, *["scapula"] * 3], [*knees, *surfaces], strict=True)]
    return Result(
        "Measured joints: passive knee flexion (201 poses, 0-90 deg) and scapula on thorax (57 poses, three planes)",
        ["joint", "size", "smoothing", "rotation [deg] rms, largest", "position [mm] rms, largest",
         "leave-one-out [deg], [mm]", "rank margin"],
        rows,
        "Ten frames suffice for the knee: more hardly lower the leave-one-out error; its largest residual is the first "
        "pose, before the contact settles. The scapula's translation is synthetic: it slides on an ellipsoid with half "
        "axes of 0.12, 0.2 and 0.09 m.",
    )  # fmt: skip
