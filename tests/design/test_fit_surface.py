"""Surfaces from scattered poses."""

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import design
from condyle.design.residual import pose_residuals
from condyle.design.roughness import roughness_rows
from condyle.errors import BadCoordinates, BadShape, TooFewPoses
from condyle.joints import spline_surface
from condyle.splines import greville
from design.knees import hat


def saddle(q):
    """A smooth joint of two freedoms."""
    a, b = q
    first = expm(hat([0.8 * a, 0.1 * a * b, 0.05 * b, 0, 0, 0]))
    return expm(hat([0, 0, 0, 0.1 * a * b, 0.05 * b * b, 0.02 * a])) @ first @ expm(hat([0, 0.7 * b, 0.2 * a, 0, 0, 0]))


def scattered(count, noise, seed=0):
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, size=(count, 2))
    true = np.array([saddle(x) for x in q])
    return (
        q,
        true,
        np.array([T @ expm(hat(x)) for T, x in zip(true, rng.normal(scale=noise, size=(count, 6)), strict=True)]),
    )


def test_a_smooth_surface_is_found_between_the_data():
    """Oracle: the surface itself at places the fit never saw."""
    q, _, poses = scattered(400, 0.0)
    fit = design.fit_surface(poses, q, shape=(7, 7), domain=[(-1, 1), (-1, 1)])
    other, true, _ = scattered(100, 0.0, seed=1)
    angle, distance = design.pose_errors(fit.joint, other, true)
    assert angle.max() < 0.2 and distance.max() < 2.0
    assert fit.converged and fit.rank.ok


def test_the_metric_of_poses_beats_coordinate_by_coordinate():
    """Oracle: the sum of squared logarithms of the coordinate-wise start, which a separate fit put 0.4 % higher."""
    q, _, poses = scattered(300, 0.1)
    fit = design.fit_surface(poses, q, shape=(5, 5))
    assert fit.converged
    assert 1e-4 < 1 - fit.cost / fit.costs[0] < 0.1


def test_the_answer_is_stationary():
    """Oracle: central differences of the sum of squared residuals plus the trace of regularisation."""
    q, _, poses = scattered(200, 0.05)
    fit = design.fit_surface(poses, q, shape=(4, 5), smoothing=1e-2)
    D = roughness_rows([greville(k, 4) for k in fit.knots])
    weight = 1e-2 + 1e-6 * 200 / 20

    def cost(controls):
        joint = spline_surface(controls, fit.knots, 4, pose=fit.pose)
        r = pose_residuals(joint.pose(q), fit.data)
        return (r**2).sum() + weight * ((D @ controls.reshape(-1, 6)) ** 2).sum()

    assert cost(fit.controls) == pytest.approx(fit.cost, rel=1e-12)
    u = np.random.default_rng(3).normal(size=fit.controls.shape)
    slope = (cost(fit.controls + 1e-5 * u) - cost(fit.controls - 1e-5 * u)) / 2e-5
    assert abs(slope) < 1e-7


def test_a_corner_without_data_continues_its_neighbours():
    """Oracle: a plane of translations is continued exactly by control points without roughness."""
    rng = np.random.default_rng(0)
    q = rng.uniform(0, 1, size=(300, 2))
    q = q[~((q[:, 0] > 0.5) & (q[:, 1] > 0.5))]
    poses = np.tile(np.eye(4), (len(q), 1, 1))
    poses[:, :2, 3] = q
    fit = design.fit_surface(poses, q, shape=(8, 8), domain=[(0, 1), (0, 1)])
    assert len(fit.thin) > 0
    assert np.abs(fit.joint.pose([0.95, 0.95])[:2, 3] - 0.95).max() < 1e-6


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda T, q: (T, q[:, 0]), BadShape, "coordinates need shape \\(30, 2\\)"),
        (lambda T, q: (T[:3], q[:3]), TooFewPoses, "at least 4 poses are needed; got 3"),
        (lambda T, q: (T, q * [1, 0]), BadCoordinates, "coordinate 1 does not vary"),
        (lambda T, q: (T, np.where(np.arange(30)[:, None] == 7, np.nan, q)), BadCoordinates, r"rows = \[7\]"),
    ],
)
def test_bad_input_is_named(change, error, words):
    """Oracle: the words."""
    q, _, poses = scattered(30, 0.0)
    poses, q = change(poses, q)
    with pytest.raises(error, match=words):
        design.fit_surface(poses, q, shape=(4, 4))
