"""Would exp(spline surface), which has no Euler singularity, fit better than six exponentials of splines?"""

import numpy as np

from condyle import design
from condyle.design.solve.levenberg_marquardt import minimize
from condyle.spatial import exp_se3, log_se3, right_jacobian
from design.test_fit_surface import scattered
from support import measured_joints

from .store import Result


def exponential(pose, x, turns):
    """G = pose · exp(x) and its right Jacobian: the chart without Euler angles."""
    return pose @ exp_se3(x), right_jacobian(x)


def compared(what, poses, q, shape, metric):
    """A row: rms residuals of both forms with the same control points and regularisation."""
    fit = design.fit_surface(poses, q, shape=shape, metric=metric)
    problem = fit.problem.changed(chart=exponential)
    values = log_se3(np.linalg.inv(problem.pose) @ poses)
    A, b = problem.system.scalar_normal(values, problem.data.weights)
    start = np.linalg.lstsq(A + problem.stiffness * problem.rough, b, rcond=1e-13)[0]
    found = minimize(problem, start)
    sizes = [np.sqrt(p.squares(p.residuals(x)).mean()) for p, x in ((fit.problem, fit.x), (problem, found.x))]
    angle = np.degrees(np.arcsin(min(fit.singularity_margin, 1.0)))
    return [what, *(f"{s:.3g}" for s in sizes), f"{sizes[1] / sizes[0]:.3f}", f"{angle:.0f}"]


def run():
    q, true, _ = scattered(400, 0.0)
    _, _, noisy = scattered(400, 0.02)
    rows = [compared("saddle, no noise", true, q, (7, 7), 1.0), compared("saddle, noise", noisy, q, (7, 7), 1.0)]
    if measured_joints.SCAPULA.exists():
        q, poses = measured_joints.measured_scapula()
        rows.append(compared("scapula", poses, q, (4, 8), 0.2))
    return Result(
        "Two forms of a surface with the same control points: rms residual in the metric",
        ["data", "six exponentials", "exp(spline)", "ratio", "deg from the Euler singularity"],
        rows,
        "The first is the engine's form of every joint; the second would need kernels of its own. Where the first is "
        "singular, fit_surface takes another order of the turns or a moving base.",
    )
