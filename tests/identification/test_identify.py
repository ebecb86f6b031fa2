"""A leg from raw markers: derivatives, efficiency, intervals, gauge, outliers, measured knees, bad input."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from condyle.identification.arrow_solver import normal_equations, null_and_range
from condyle.identification.identify import problem_of
from support.marked_leg import NOISE, UNKNOWN, marker_positions, measured, motion, path_errors, start_leg, true_leg

TABLE = Path(__file__).parents[3] / "shared" / "data" / "knee_passive_flexion.csv"


def inner(model, frames):
    """A motion that stays off the ends of the knee's path, where derivatives have sides."""
    q, (low, high) = motion(model, frames), model.bodies[1].joint.domain[0]
    q[:, 7] = low + (high - low) * (0.1 + 0.8 * (q[:, 7] - low) / (high - low))
    return q


def columns(problem, q, y):
    """Derivatives of all residuals by y and then by the steps of every frame, by central differences."""
    h, F, nv = 1e-6, len(q), problem.model.nv

    def residual(dy, dq):
        at = cd.integrate(problem.model, q, dq)
        return problem.residuals(problem.model_at(y + dy), at, y + dy)[0].ravel()

    none, rest = np.zeros(problem.size), np.zeros((F, nv))
    out = [(residual(h * e, rest) - residual(-h * e, rest)) / (2 * h) for e in np.eye(problem.size)]
    for f in range(F):
        for k in range(nv):
            step = rest.copy()
            step[f, k] = h
            out.append((residual(none, step) - residual(none, -step)) / (2 * h))
    return np.array(out).T


@pytest.mark.slow
def test_the_jacobian_and_the_covariance_are_those_of_all_unknowns_together():
    """Oracle: differences of all residuals by every unknown, and the dense inverse of the whole normal matrix."""
    start = start_leg()
    q = inner(start, 14)
    problem = problem_of(start, marker_positions(start, q), [*UNKNOWN], priors={"markers": 0.02}, sigma=NOISE)
    y = 0.003 * np.random.default_rng(1).normal(size=problem.size)
    J, p = columns(problem, q, y), problem.size
    model = problem.model_at(y)
    _, T, x = problem.residuals(model, q, y)
    by_y = problem.by_shared(model, q, y, T, x).reshape(-1, p)
    assert_allclose(by_y, J[:, :p], rtol=0, atol=2e-7 * np.abs(J).max())
    whole = J.T @ J + np.diag(np.concatenate([problem.prior_weights(), np.zeros(J.shape[1] - p)]))
    expected = np.linalg.pinv(whole, rcond=1e-12)[:p, :p]
    values, vectors, null = null_and_range(normal_equations(problem, q, y, "squares", 0.0).schur)
    assert (
        null.shape[1] == 1
    )  # the turn of the ankle's placement about its own axis: the prior of markers holds the others
    kept = np.eye(p) - null @ null.T
    got = (vectors / values) @ vectors.T
    assert_allclose(got, kept @ expected @ kept, rtol=0, atol=1e-4 * np.abs(got).max())


def test_a_scale_and_a_placement_have_their_derivatives():
    """Oracle: differences."""
    start = start_leg()
    q = inner(start, 3)
    for names in (["thigh.scale", "shank.scale"], ["shank.placement"]):
        problem = problem_of(start, marker_positions(start, q), names, sigma=NOISE)
        y = 0.05 * np.random.default_rng(1).normal(size=problem.size)
        model = problem.model_at(y)
        _, T, x = problem.residuals(model, q, y)
        J = columns(problem, q, y)
        assert_allclose(
            problem.by_shared(model, q, y, T, x).reshape(len(J), -1), J[:, : problem.size], atol=2e-7 * np.abs(J).max()
        )
        by_q = problem.by_motion(model, q, y, T)[1].reshape(-1, start.nv)
        expected = J.reshape(3, -1, J.shape[1])[1][:, problem.size + start.nv : problem.size + 2 * start.nv]
        assert_allclose(by_q, expected, atol=2e-7 * np.abs(J).max())


def test_a_leg_is_found_from_exact_markers_and_what_stays_open_is_named():
    """Oracle: the leg that the markers were made with; the hinge's own turn and slide are nobody's."""
    start = start_leg()
    q = motion(start, 40)
    true, y = true_leg(start, q)
    near = cd.integrate(start, q, 0.02 * np.random.default_rng(0).normal(size=(40, start.nv)))
    found = cd.identify(start, marker_positions(true, q), near, unknown=UNKNOWN)
    assert found.converged and found.rms < 1e-8
    assert len(found.open) == 3 and all("foot.placement" in words or "markers" in words for words in found.open)
    assert len(found.fixed) == 3 and any("thigh" in words for words in found.fixed)
    part = found.of("shank.frames")
    assert_allclose(found.values[part], y[part], atol=1e-6)
    assert max(path_errors(found.model, true)[0]) < 1e-7
    assert "shank.frames" in str(found)


@pytest.mark.slow
def test_unseen_and_wrong_markers_do_not_spoil_it():
    """Oracle: the true path; with squares alone a swapped marker pulls it away."""
    start = start_leg()
    q = motion(start, 120)
    true, _ = true_leg(start, q)
    points = measured(true, q, 0)
    points["shank1"][30:50] = np.nan
    points["shank2"][::10] += (0.06, -0.05, 0.04)  # taken for another
    errors_of = {}
    for loss in ("squares", "huber"):
        found = cd.identify(start, points, q, unknown=UNKNOWN, sigma=NOISE, loss=loss)
        errors_of[loss] = np.sqrt(np.mean(path_errors(found.model, true)[0] ** 2))
    assert np.isnan(found.residuals[35, list(points).index("shank1")]).all()
    assert errors_of["huber"] < 1.5e-3 and errors_of["huber"] < 0.5 * errors_of["squares"]


@pytest.mark.slow
def test_errors_are_those_that_the_bound_allows_and_intervals_cover():
    """Oracle: the leg that the markers were made with, over seeds of the noise; `benchmarks.identification` has 20."""
    start = start_leg()
    q = motion(start, 400)
    true, y = true_leg(start, q)
    squares, bounds, inside, paths = [], [], [], []
    for seed in range(3):
        found = cd.identify(start, measured(true, q, seed), q, unknown=UNKNOWN, sigma=NOISE)
        part = found.of("shank.frames")
        off = found.values[part] - y[part]
        squares.append(off**2)
        bounds.append(found.deviations[part] ** 2)
        inside.append(np.abs(off) < np.diff(found.intervals[part])[:, 0] / 2)
        paths.append(path_errors(found.model, true))
        by_differences = found.evaluations // 2 * (len(found.values) + start.nv + 1)  # for as many steps
        assert 20 * found.evaluations <= by_differences
    assert 0.6 < np.mean(np.array(squares) / np.array(bounds)) < 1.5  # of 135 numbers, not independent
    assert np.mean(inside) > 0.9
    assert np.sqrt(np.mean(np.array(paths)[:, 0] ** 2)) < 0.3e-3
    assert np.rad2deg(np.sqrt(np.mean(np.array(paths)[:, 1] ** 2))) < 0.3


@pytest.mark.skipif(not TABLE.exists(), reason="shared/data is not here")
def test_a_measured_knee_is_found_from_markers_made_of_its_table():
    """Oracle: the table's own poses, through clusters of markers on both sides, from a plain hinge as the start."""
    table = np.genfromtxt(TABLE, delimiter=",", names=True)[::4]
    turns = np.stack([table[f"{k}_rad"] for k in ("adduction", "rotation", "flexion")], axis=1)
    low, high = turns[:, 2].min(), turns[:, 2].max()
    X = cd.SE3.exp(np.pad(turns, ((0, 0), (0, 3)))).as_matrix()
    X[:, :3, 3] = np.stack([table[f"t{k}_m"] for k in "xyz"], axis=1)
    angles = np.linspace(low, high, 8)
    hinge = cd.joints.spline_curve(cd.SE3.exp(np.stack([np.eye(6)[2] * a for a in angles])).as_matrix())
    box = cd.Inertia.box(3.0, (0.1, 0.1, 0.4))
    b = cd.ModelBuilder().add_body("thigh", None, cd.joints.free(), box).add_body("shank", "thigh", hinge, box)
    rng = np.random.default_rng(2)
    spots = {f"{body}{k}": cd.Marker(f"{body}{k}", body, rng.uniform(-0.1, 0.1, 3)) for body in ("thigh", "shank")
             for k in range(5)}  # fmt: skip
    start = replace(b.build(), markers=tuple(spots.values()))
    noise = NOISE * rng.normal(size=(10, len(X), 3))
    poses = {"thigh": np.tile(np.eye(4), (len(X), 1, 1)), "shank": X}
    points = {n: poses[m.body][:, :3, :3] @ m.at + poses[m.body][:, :3, 3] + e
              for (n, m), e in zip(spots.items(), noise, strict=True)}  # fmt: skip
    q = np.zeros((len(X), start.nq))
    q[:, 0] = 1.0
    domain = start.bodies[1].joint.domain[0]
    q[:, 7] = np.interp(turns[:, 2], [low, high], domain)
    found = cd.identify(start, points, q, unknown=["shank.frames"], priors={"markers": 0.01}, sigma=NOISE)
    between = cd.forward_kinematics(found.model, found.q).as_matrix()
    got = np.linalg.inv(between[:, 0]) @ between[:, 1]
    corners = np.array([m.at for m in spots.values() if m.body == "shank"])
    at = np.array([m.at for m in found.model.markers if m.body == "shank"])
    miss = (got[:, None, :3, :3] @ at[:, :, None])[..., 0] + got[:, None, :3, 3]
    true = (X[:, None, :3, :3] @ corners[:, :, None])[..., 0] + X[:, None, :3, 3]
    assert found.rms < 2e-3  # the noise alone is 1.7 mm
    assert np.sqrt(np.mean(np.sum((miss - true) ** 2, axis=2))) < 1.5e-3


def test_markers_of_other_names_are_noticed():
    """Oracle: the warning: two markers with each other's names are no noise of a millimetre, and no error stops it."""
    start = start_leg()
    q = motion(start, 30)
    points = measured(start, q, 0)
    points["thigh0"], points["shank0"] = points["shank0"], points["thigh0"]
    with pytest.warns(errors.CondyleWarning, match="sigma"):
        cd.identify(start, points, q, unknown=UNKNOWN, sigma=NOISE, rounds=8)


def test_what_cannot_be_is_named():
    """Oracle: the words name the object, what was expected and what to do."""
    start = start_leg()
    q = motion(start, 5)
    points = marker_positions(start, q)
    with pytest.raises(errors.UnknownName, match=r"shank\.frames"):
        cd.identify(start, points, q, unknown=["shank.frame"])
    with pytest.raises(errors.UnknownName, match="thigh0"):
        cd.identify(start, {"thig0": points["thigh0"]}, q, unknown=UNKNOWN)
    with pytest.raises(errors.NotSupported, match="scale"):
        cd.identify(start, points, q, unknown=["foot.placement", "shank.scale"])
    with pytest.raises(errors.NotSupported, match="foot"):
        cd.identify(start, points, q, unknown=["foot.scale"])
    with pytest.raises(errors.BadValue, match="sigma"):
        cd.identify(start, points, q, unknown=UNKNOWN, loss="huber")
    with pytest.raises(errors.BadValue, match="metres"):
        cd.identify(start, {name: 1e3 * x for name, x in points.items()}, q, unknown=UNKNOWN)
    with pytest.raises(errors.BadValue, match=r"twice.*shank\.frames"):
        cd.identify(start, points, q, unknown=["shank.frames", "shank.frames"])
    with pytest.raises(errors.BadValue, match="prior"):
        cd.identify(start, points, q, unknown=UNKNOWN, priors={"markers": 0.0})
    with pytest.raises(errors.UnknownName, match="identify_dynamics"):
        cd.identify(start, points, q, unknown=["shank.mass"])
    with pytest.raises(errors.BadValue, match="more frames"):
        cd.identify(start, {k: points[k] for k in ("thigh0", "shank0")}, q, unknown=UNKNOWN)
    with pytest.raises(errors.BadShape, match=str(start.nq)):
        cd.identify(start, points, q[:, :3], unknown=UNKNOWN)
    with pytest.raises(errors.UnknownName, match="markers"):
        cd.identify(start, points, q, unknown=UNKNOWN, priors={"marker": 0.01})
