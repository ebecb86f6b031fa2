"""Fits of noisy knees against independent optima, truths and definitions."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import least_squares
from scipy.spatial.transform import RigidTransform, Rotation

import condyle as cd
from condyle import design
from condyle.design.solve.cross_validation import best_smoothed
from condyle.errors import CondyleWarning, NeedsMoreFrames
from support.knees import curve_pose, hat, knee_pose, log, noisy_knee, random_walk
from support.thinning import slow_but


def rms(errors):
    return np.sqrt(np.nanmean(errors**2))


def scipy_residuals(fit, q, poses):
    """Residuals as a function of exponential coordinates about the answer; scipy's RigidTransform, no condyle."""
    base = RigidTransform.from_matrix(fit.frames)
    targets = RigidTransform.from_matrix(poses)
    knots, n = fit.knots, len(fit.frames)
    from scipy.interpolate import BSpline

    design_matrix = BSpline.design_matrix(q, knots, 3).toarray()
    cumulative = np.cumsum(design_matrix[:, ::-1], axis=1)[:, ::-1]

    def residuals(x):
        frames = base * RigidTransform.from_exp_coords(x.reshape(n, 6))
        z = (frames[:-1].inv() * frames[1:]).as_exp_coords()
        G = RigidTransform.from_matrix(np.repeat(frames[:1].as_matrix(), len(q), axis=0))
        for j in range(1, n):
            G = G * RigidTransform.from_exp_coords(cumulative[:, j, None] * z[j - 1])
        return (G.inv() * targets).as_exp_coords().ravel()

    return residuals


@pytest.mark.parametrize(("angle", "distance"), [(0.02, 0.002), (0.1, 0.05)])
def test_the_answer_is_the_least_squares_optimum(angle, distance):
    """Oracle: scipy's Levenberg-Marquardt on scipy's rigid transforms, started off the answer."""
    q, _, poses = noisy_knee(25, angle, distance)
    fit = design.fit_curve(poses, q, frames=9)
    residuals = scipy_residuals(fit, q, poses)
    x0 = np.random.default_rng(1).normal(scale=1e-3, size=54)
    peer = least_squares(residuals, x0, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert fit.gradient < 1e-10
    assert fit.iterations <= 8 and fit.converged
    assert fit.cost == pytest.approx(2 * peer.cost, rel=1e-12)
    assert (residuals(np.zeros(54)) ** 2).sum() == pytest.approx(fit.cost, rel=1e-12)


@pytest.mark.parametrize("penalty", ["hessian", "curvature"])
def test_the_slope_of_the_penalised_cost_is_exact(penalty):
    """Oracle: central differences of the cost along random motions of the control frames (scipy's expm)."""
    q, _, poses = noisy_knee(20, 0.05, 0.01)
    fit = design.fit_curve(poses, q, frames=8, smoothing=0.3, penalty=penalty, iterations=1)
    problem, h = fit.problem, 1e-5
    u = np.random.default_rng(2).normal(size=(8, 6))
    moved = [np.array([G @ expm(hat(s * h * x)) for G, x in zip(fit.frames, u, strict=True)]) for s in (1, -1)]
    slope = (problem.cost(moved[0]) - problem.cost(moved[1])) / (2 * h)
    assert -2 * (problem.normal(fit.frames).right * u).sum() == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("penalty", ["hessian", "curvature"])
def test_the_penalty_is_the_integral_it_says(penalty):
    """Oracle: the joint's own Hessian and Jacobian, summed finely; all of a constant screw's bending is tangential."""
    q, _, poses = noisy_knee(20, 0.02, 0.002)
    fit = design.fit_curve(poses, q, frames=7, smoothing=1e-3, penalty=penalty)
    x = np.linspace(q[0], q[-1], 20001)
    S, h = fit.joint.jacobian(x)[..., 0], fit.joint.hessian(x)[..., 0, 0]
    s = np.linalg.norm(S, axis=1)
    normal = h - S * ((S * h).sum(1) / s**2)[:, None]
    integrand = (h**2).sum(1) if penalty == "hessian" else (normal**2).sum(1) / s**3
    assert fit.bending == pytest.approx(np.trapezoid(integrand, x), rel=1e-2)  # three Gauss points a span


def test_a_screw_has_no_curvature_however_it_is_run():
    """Oracle: a fixed screw axis, unevenly sampled; only its tangential part of the Hessian is left."""
    g = np.array([0.2, 0.1, 0.9, 0.05, 0, 0.1])
    q = np.linspace(0, 1, 30)
    poses = np.array([expm(hat(g * (x + 0.3 * x * x))) for x in q])
    fits = [design.fit_curve(poses, q, frames=8, smoothing=1e-9, penalty=p) for p in ("hessian", "curvature")]
    assert fits[0].bending > 0.1 and fits[1].bending < 1e-10


@pytest.mark.parametrize("seed", slow_but([0], range(0, 50, 5)))
@pytest.mark.parametrize("step", slow_but([0.75], [0.5, 0.75, 1.0, 1.5]))
def test_far_poses_are_met_exactly(step, seed):
    """Oracle: the curve's written definition at the data (scipy), neighbouring frames below 2.5 rad.

    Every fifth of the seeds 0-49; `python -m benchmarks.design walks` runs all.
    """
    poses = random_walk(seed, step)
    fit = design.fit_curve(poses, "uniform", frames="interpolate")
    assert len(fit.frames) <= 16 and fit.converged
    places = zip(fit.coordinates, poses, strict=True)
    gaps = [log(np.linalg.solve(curve_pose(fit.frames, fit.knots, x), T)) for x, T in places]
    assert np.abs(gaps).max() < 1e-8
    turns = [np.linalg.norm(log(np.linalg.solve(a, b))[:3]) for a, b in pairwise(fit.frames)]
    assert max(turns) < 2.5


def test_one_frame_for_each_far_pose_is_refused():
    """Oracle: the words."""
    with pytest.raises(NeedsMoreFrames, match=r"8 control frames for 8 poses .* Ask for more frames"):
        design.fit_curve(random_walk(0, 1.5), "uniform", frames=8)


def test_surplus_frames_bend_least():
    """Oracle: no small motion that keeps the poses lowers the bending (projected gradient by the multipliers)."""
    poses = random_walk(1, 0.6)
    with pytest.warns(CondyleWarning, match="16 control frames for 8 poses"):
        fit = design.fit_curve(poses, "uniform", frames=16)
    assert fit.cost < 1e-20
    stiffer = design.fit_curve(poses, "uniform", frames=16, smoothing=1e-9)
    assert fit.bending >= stiffer.bending * (1 - 1e-9)  # meeting the poses costs bending …
    assert fit.bending < 1.001 * stiffer.bending  # … but next to none more


def spoiled(poses, seed):
    """5 % gross outliers and 10 % missing, at random; and which rows they are. As in benchmarks/design/recovery.py."""
    rng, poses, n = np.random.default_rng(100 + seed), poses.copy(), len(poses)
    rows = rng.permutation(n)
    for i in rows[: n // 20]:
        poses[i] = poses[i] @ expm(hat(0.7 * rng.normal(size=6)))
    poses[rows[n // 20 : n // 20 + n // 10]] = np.nan
    return poses, rows[: n // 20], rows[n // 20 : n // 20 + n // 10]


@pytest.mark.parametrize("seed", slow_but([0], range(6)))
def test_gross_outliers_and_missing_poses_hardly_matter(seed):
    """Oracle: the true knee at 200 places between the data; the clean fit's error."""
    q, _, poses = noisy_knee(120, 0.01, 0.001, seed)
    clean = design.fit_curve(poses, q, frames=10, metric=0.1)
    bad, outliers, missing = spoiled(poses, seed)
    robust = design.fit_curve(bad, q, frames=10, metric=0.1, loss="cauchy")
    x = np.linspace(-2.0, 0.1, 200)
    true = np.array([knee_pose(a) for a in x])
    errors = [[rms(e) for e in design.pose_errors(f.joint, x, true)] for f in (clean, robust)]
    assert np.all(np.divide(errors[1], errors[0]) < 1.5)
    assert np.isnan(robust.residuals[missing]).all()
    assert set(np.flatnonzero(robust.trust < 0.2)) == set(outliers)


def test_least_squares_follows_an_outlier():
    """Oracle: the true knee; what the robust losses are for."""
    q, true, poses = noisy_knee(60, 0.01, 0.001)
    poses[30] = poses[30] @ expm(hat([0.8, 0.5, 0, 0.3, 0, 0.2]))
    fits = [design.fit_curve(poses, q, frames=10, metric=0.1, loss=name) for name in ("squares", "geman")]
    errors = [rms(design.pose_errors(f.joint, q, true)[0]) for f in fits]
    assert errors[0] > 4 * errors[1]


def test_partial_poses_count_for_what_they_have():
    """Oracle: without noise the curve through whole poses; half the rows lack a part."""
    q, true, _ = noisy_knee(60, 0, 0)
    poses = true.copy()
    poses[1::4, :3, :3] = np.nan
    poses[3::4, :3, 3] = np.nan
    fit = design.fit_curve(poses, q, frames=10)
    whole = design.fit_curve(true, q, frames=10)
    angle, distance = design.pose_errors(fit.joint, q, true)
    limit = design.pose_errors(whole.joint, q, true)
    assert fit.gradient < 1e-10
    assert angle.max() < 4 * limit[0].max() and distance.max() < 4 * limit[1].max()


@pytest.mark.parametrize("ends", ["clamped", "open", "periodic"])
def test_every_kind_of_end_recovers_its_own_curve(ends):
    """Oracle: poses sampled from a joint of the same form come back with residuals of round-off."""
    q = np.linspace(0, 1, 41)[:-1]
    turn = 2 * np.pi * q
    poses = np.array([expm(hat([0, 0, 0.3 * np.sin(t), 0.1 * np.cos(t), 0.2 * np.sin(t), 0])) for t in turn])
    first = design.fit_curve(poses, q, frames=9, ends=ends, period=(0.0, 1.0))
    again = design.fit_curve(first.joint.pose(q), q, frames=9, ends=ends, period=(0.0, 1.0))
    assert again.cost < 1e-22
    assert np.nanmax(first.distance_errors) < 2.0
    if ends == "periodic":
        assert np.abs(first.joint.pose(0.0) - first.joint.pose(1.0)).max() < 1e-12


@pytest.mark.parametrize("seed", [3, 4])
def test_estimated_coordinates_are_the_truth_up_to_reparameterisation(seed):
    """Oracle: the true coordinates, unevenly spaced, and the true curve as a set of poses.

    The estimate keeps the order, a smooth rising map takes it to the truth, and every true pose, also between the
    data, has a place of the fitted curve near it (found by searching densely, not by the coordinate).
    """
    rng = np.random.default_rng(seed)
    q = np.sort(rng.uniform(-2, 0, 60))
    poses = np.array([knee_pose(x) @ expm(hat(rng.normal(size=6) * 5e-4)) for x in q])
    fit = design.fit_curve(poses, frames=9, metric=0.3)
    found = fit.coordinates
    assert np.all(np.diff(found) >= 0) and found[0] == 0.0 and found[-1] == 1.0
    back = np.polynomial.Polynomial.fit(found, q, 6)
    assert np.abs(back(found) - q).max() < 0.01
    assert np.all(back.deriv()(np.linspace(0, 1, 101)) > 0)
    dense = fit.joint.pose(np.linspace(0, 1, 4001)).as_matrix()
    for x in np.linspace(q[0], q[-1], 15):
        gap = np.linalg.norm(dense[:, :3] - knee_pose(x)[:3], axis=(1, 2))
        assert gap.min() < 2e-3  # [rad, m] the noise has 5e-4 in each of six directions


@pytest.mark.parametrize("seed", slow_but([0], range(10)))
def test_automatic_smoothing_comes_nearer_to_the_truth(seed):
    """Oracle: the true knee. Seeds 0-9 of the 0-19 that `python -m benchmarks.design smoothing` lists."""
    q, true, poses = noisy_knee(40, 0.02, 0.002, seed)
    fits = [design.fit_curve(poses, q, frames=14, metric=0.1, smoothing=w) for w in (0.0, "auto")]
    plain, smooth = (np.hypot(*map(rms, design.pose_errors(f.joint, q, true))) for f in fits)
    assert smooth < plain


def test_as_many_frames_as_poses_can_still_be_smoothed():
    """Oracle: the true knee; a curve through all noisy poses is further from it, and foretells none of them."""
    q, true, poses = noisy_knee(20, 0.02, 0.002, seed=2)
    through, smooth = (design.fit_curve(poses, q, frames=20, metric=0.1, smoothing=w) for w in (0.0, "auto"))
    assert np.isnan(through.cross_validated) and np.isfinite(smooth.cross_validated)
    errors = [rms(design.pose_errors(f.joint, q, true)[0]) for f in (through, smooth)]
    assert errors[1] < 0.7 * errors[0]


def test_leaving_a_pose_out_gives_its_leave_one_out_residual():
    """Oracle: the fit without that pose, its own residual there; linearised, so within a few percent."""
    q, _, poses = noisy_knee(30, 0.02, 0.002, seed=3)
    fit = design.fit_curve(poses, q, frames=8, knots="uniform")
    for i in (5, 14, 22):
        weights = np.ones(30)
        weights[i] = 0.0
        other = design.fit_curve(poses, q, frames=8, knots=fit.knots, weights=weights)
        true = log(np.linalg.solve(other.joint.pose(q[i]), poses[i]))
        assert np.linalg.norm(fit.left_out[i] - true) < 0.03 * np.linalg.norm(true)


def test_missing_rows_keep_their_place_among_uniform_coordinates():
    """Oracle: the rows' own numbers."""
    _, _, poses = noisy_knee(11, 0.0, 0.0)
    poses[4] = np.nan
    fit = design.fit_curve(poses, "uniform", frames=5)
    assert np.isnan(fit.coordinates[4]) and fit.coordinates[5] == pytest.approx(0.5)


def high_order_walk(seed):
    """Poses that a curve of order 8 follows only with some smoothing."""
    return random_walk(seed, 0.15, count=20), {"coordinates": "uniform", "frames": 14, "order": 8}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_automatic_smoothing_passes_over_weights_without_a_fit(seed):
    """Oracle: no fit without smoothing, one with the chosen weight, no tried weight with a smaller error."""
    poses, options = high_order_walk(seed)
    with pytest.raises(NeedsMoreFrames):
        design.fit_curve(poses, **options)
    fit = design.fit_curve(poses, smoothing="auto", **options)
    again = design.fit_curve(poses, smoothing=fit.smoothing, **options)
    assert fit.converged and again.cost == pytest.approx(fit.cost, rel=1e-6)
    assert fit.cross_validated == pytest.approx(np.nanmin(fit.tried.error)) and np.all(fit.tried.weights > 0)


def test_without_any_fit_the_error_is_raised():
    """Oracle: a fit that is refused with every weight, without smoothing and with the stiffest."""
    weights = []

    def refused(weight, near):
        weights.append(weight)
        raise NeedsMoreFrames(f"weight {weight}")

    with pytest.raises(NeedsMoreFrames, match=r"weight 2\.5"):
        best_smoothed(refused, 2.5)
    assert weights == [0.0, 2.5]


def test_a_trade_off_names_the_weights_without_a_fit():
    """Oracle: the weights that `fit_curve` refuses."""
    poses, options = high_order_walk(1)
    with pytest.warns(UserWarning, match="smoothing 1e-06"):
        found = design.trade_off(poses, weights=[1e-6, 1e-3, 1e-2], **options)
    assert found.weights.tolist() == [1e-3, 1e-2]


def test_nearly_as_many_frames_as_poses_have_no_leave_one_out_error_but_no_traceback():
    """Oracle: 399 frames of 400 poses: normal equations that are singular to rounding."""
    q, _, poses = noisy_knee(400, 0.01, 0.001)
    fit = design.fit_curve(poses, q, frames=399)
    assert np.isnan(fit.cross_validated) and fit.summary()


def walk_with_a_gap(seed, step):
    """A curve of 14 frames that turn by about `step` [rad], at 60 scattered coordinates: itself, and with noise."""
    rng = np.random.default_rng(seed)
    frames = np.tile(np.eye(4), (14, 1, 1))
    for k in range(13):
        turn, way = step * rng.standard_normal(3), 0.1 * rng.standard_normal(3)
        frames[k + 1, :3, :3] = frames[k, :3, :3] @ Rotation.from_rotvec(turn).as_matrix()
        frames[k + 1, :3, 3] = frames[k, :3, 3] + way
    rng.standard_normal(6)
    curve = cd.joints.spline_curve(frames, order=7)
    q = np.sort(rng.uniform(*np.ravel(curve.domain), 60))
    true = curve.pose(q).as_matrix()
    poses = true.copy()
    poses[:, :3, :3] @= Rotation.from_rotvec(0.03 * rng.standard_normal((60, 3))).as_matrix()
    return q, true, poses


def test_automatic_smoothing_does_not_ruin_a_fit_for_one_pose_of_much_leverage():
    """Oracle: the true motion and the noise of 0.03 rad; one end pose makes leave-one-out errors prefer 17 degrees."""
    q, true, poses = walk_with_a_gap(248, 0.8)
    plain, smooth = (design.fit_curve(poses, q, frames=14, order=7, smoothing=w) for w in (0.0, "auto"))
    errors = [rms(design.pose_errors(f.joint, q, true)[0]) for f in (plain, smooth)]
    assert plain.cross_validated > 4.0 * np.nanmin(smooth.tried.error)
    assert errors[1] < 1.3 * errors[0]
    assert np.radians(rms(smooth.angle_errors)) < 1.2 * np.sqrt(3.0) * 0.03


def test_smoothing_that_hides_too_few_frames_is_refused():
    """Oracle: the noise of 0.03 rad; the only smoothed fits miss poses by ten times as much and more."""
    q, _, poses = walk_with_a_gap(2, 1.3)
    with pytest.raises(NeedsMoreFrames, match="14 control frames"):
        design.fit_curve(poses, q, frames=14, order=7, smoothing="auto")
