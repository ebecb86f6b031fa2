"""Surfaces from scattered poses."""

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import design
from condyle.design.problem.pose_residual import pose_residuals
from condyle.design.problem.surface_problem import roughness_rows
from condyle.errors import BadCoordinates, BadShape, BadValue, NotSupported, TooFewPoses, UnknownName
from condyle.joints import spline_surface
from condyle.splines import greville
from support.knees import hat, log
from support.thinning import slow_but


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


@pytest.mark.slow
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


def truth_errors(fit, q, true):
    return np.array([np.sqrt(np.mean(e**2)) for e in design.pose_errors(fit.joint, q, true)])


@pytest.mark.parametrize("loss", slow_but(["cauchy"], ["huber", "cauchy", "geman"]))
def test_gross_outliers_and_missing_poses_hardly_bend_a_surface(loss):
    """Oracle: the true surface; the clean fit's error, and which rows were spoiled."""
    q, true, poses = scattered(300, 0.01)
    clean = truth_errors(design.fit_surface(poses, q, shape=(5, 5)), q, true)
    rng = np.random.default_rng(5)
    rows = rng.permutation(300)
    for i in rows[:15]:
        poses[i] = poses[i] @ expm(hat(rng.normal(size=6) * 0.7))
    poses[rows[15:45]] = np.nan
    fit = design.fit_surface(poses, q, shape=(5, 5), loss=loss)
    assert fit.converged and np.all(truth_errors(fit, q, true) < 1.5 * clean)
    assert set(np.flatnonzero(fit.trust < 0.2)) == set(rows[:15])
    assert np.isnan(fit.residuals[rows[15:45]]).all()


def test_partial_poses_count_for_what_they_have():
    """Oracle: the true surface without noise; two thirds of the rows lack a part."""
    q, true, poses = scattered(300, 0.0)
    poses[::3, :3, :3] = np.nan
    poses[1::3, :3, 3] = np.nan
    fit = design.fit_surface(poses, q, shape=(6, 6))
    assert fit.converged and np.all(truth_errors(fit, q, true) < 0.01)  # [deg], [mm]
    assert np.isnan(fit.angle_errors[::3]).all() and np.isnan(fit.distance_errors[1::3]).all()


def test_a_weight_is_a_repetition():
    """Oracle: some rows given three times instead; the trace of regularisation follows the weights too."""
    q, _, poses = scattered(80, 0.05)
    weights = np.where(np.arange(80) < 20, 3.0, 1.0)
    again = np.concatenate([np.arange(80), *2 * [np.arange(20)]])
    domain = [(-1, 1), (-1, 1)]
    weighted = design.fit_surface(poses, q, shape=(4, 4), weights=weights, domain=domain, smoothing=1e-3)
    repeated = design.fit_surface(poses[again], q[again], shape=(4, 4), domain=domain, smoothing=1e-3)
    assert weighted.cost == pytest.approx(repeated.cost, rel=1e-9)
    x = np.random.default_rng(0).uniform(-1, 1, size=(50, 2))
    assert np.abs(weighted.joint.pose(x) - repeated.joint.pose(x)).max() < 1e-6


@pytest.mark.parametrize("seed", slow_but([0], range(3)))
def test_automatic_smoothing_of_a_surface_comes_nearer_to_the_truth(seed):
    """Oracle: the true surface."""
    q, true, poses = scattered(120, 0.03, seed)
    fits = [design.fit_surface(poses, q, shape=(6, 6), smoothing=w) for w in (0.0, "auto")]
    plain, smooth = (truth_errors(f, q, true) for f in fits)
    assert fits[1].smoothing > 0 and np.all(smooth < plain)


def test_leaving_a_pose_out_of_a_surface_gives_its_leave_one_out_residual():
    """Oracle: the fit without that pose, its own residual there; linearised, so within a few percent."""
    q, _, poses = scattered(60, 0.02)
    domain, weight = [(-1, 1), (-1, 1)], 1e-2
    fit = design.fit_surface(poses, q, shape=(4, 4), domain=domain, smoothing=weight)
    for i in (5, 14, 40):
        weights = np.where(np.arange(60) == i, 0.0, 1.0)
        other = design.fit_surface(poses, q, shape=(4, 4), domain=domain, smoothing=weight, weights=weights)
        true = log(np.linalg.solve(other.joint.pose(q[i]), poses[i]))
        assert np.linalg.norm(fit.left_out[i] - true) < 0.05 * np.linalg.norm(true)


@pytest.mark.slow
def test_three_coordinates_make_a_joint_of_three_freedoms():
    """Oracle: the motion itself at places the fit never saw."""
    rng = np.random.default_rng(0)

    def motion(x):
        return saddle(x[:2]) @ expm(hat([0, 0, 0.5 * x[2], 0.1 * x[2], 0, 0]))

    q = rng.uniform(-1, 1, size=(400, 3))
    fit = design.fit_surface(np.array([motion(x) for x in q]), q, shape=(5, 5, 4), domain=[(-1, 1)] * 3)
    assert fit.converged and fit.rank.ok and fit.joint.nv == 3
    other = rng.uniform(-0.9, 0.9, size=(30, 3))
    angle, distance = design.pose_errors(fit.joint, other, np.array([motion(x) for x in other]))
    assert angle.max() < 1.0 and distance.max() < 5.0


@pytest.mark.slow
def test_four_coordinates_are_the_most_and_work():
    """Oracle: the motion itself at places the fit never saw, from the joint and from its leave-one-out errors."""
    rng = np.random.default_rng(0)

    def motion(x):
        return expm(hat([0.4 * x[0], 0.4 * x[1], 0.4 * x[2], 0.1 * x[3], 0.02 * x[0] * x[1], 0]))

    q = rng.uniform(-1, 1, size=(300, 4))
    poses = np.array([motion(x) for x in q])
    fit = design.fit_surface(poses, q, shape=(4, 4, 4, 4), domain=[(-1, 1)] * 4, smoothing=1e-6)
    other = rng.uniform(-0.8, 0.8, size=(20, 4))
    angle, distance = design.pose_errors(fit.joint, other, np.array([motion(x) for x in other]))
    assert fit.joint.nv == 4 and angle.max() < 1.0 and distance.max() < 5.0
    assert np.isfinite(fit.cross_validated)


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


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"shape": (4,)}, BadShape, "2 to 4 coordinates.*one coordinate: fit_curve"),
        ({"shape": (4,) * 5}, BadShape, "2 to 4 coordinates"),
        ({"shape": (4,) * 6}, BadShape, "2 to 4 coordinates"),
        ({"shape": (50, 50)}, NotSupported, "at most 2000 control points.*points = 2500"),
        ({"shape": (4, 4, 4)}, BadShape, r"coordinates need shape \(30, 3\)"),
        ({"shape": (3, 4)}, BadValue, "order 4 needs 4 control points each way"),
        ({"order": 3}, BadValue, "order 4 or more"),
        ({"smoothing": -1.0}, BadValue, "smoothing is a weight ≥ 0, or 'auto'"),
        ({"smoothing": "much"}, BadValue, "smoothing is a weight ≥ 0, or 'auto'"),
        ({"loss": "hubert"}, UnknownName, "Did you mean 'huber'"),
        ({"names": ("a",)}, BadShape, "2 coordinates need as many names"),
        ({"domain": [(-1, 1)]}, BadShape, "2 coordinates need as many domains"),
        ({"domain": [(-1, 1), (0, 1)]}, BadCoordinates, "coordinate 1 has data outside its domain"),
        ({"weights": np.zeros(30)}, TooFewPoses, r"got 0 \(30 of 30 rows are missing or have no weight\)"),
    ],
)
def test_bad_options_are_named(options, error, words):
    """Oracle: the words."""
    q, _, poses = scattered(30, 0.0)
    with pytest.raises(error, match=words):
        design.fit_surface(poses, q, **{"shape": (4, 4)} | options)


def test_poses_that_do_not_move_are_named():
    """Oracle: the words."""
    q, _, _ = scattered(30, 0.0)
    with pytest.raises(TooFewPoses, match="the poses do not move"):
        design.fit_surface(np.tile(np.eye(4), (30, 1, 1)), q, shape=(4, 4))
