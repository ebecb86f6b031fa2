"""A knee fitted to noisy poses, and the page about the fit.

The poses are synthetic (`knee_poses`): a published knee with stated noise.
"""

from __future__ import annotations

from functools import cache

from ...design import CurveFit, fit_curve, report
from .knee import knee_poses
from .page_apart import page_apart


@cache
def fitted_knee() -> CurveFit:
    """The smoothest knee that the noise allows: ten control frames, the weight by cross-validation."""
    angle, poses = knee_poses(60, angle_noise=0.01, distance_noise=0.001)
    return fit_curve(poses, angle, frames=10, smoothing="auto", metric=0.1, name="angle")


@cache
def knee_report() -> str:
    """The page about the fit, from the process that draws it, if one does."""
    return page_apart() or report(fitted_knee(), title="A knee from sixty noisy poses")
