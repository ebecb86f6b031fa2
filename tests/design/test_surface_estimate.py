"""Surfaces that find their own coordinates."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import least_squares

from condyle import design
from condyle.errors import BadCoordinates
from design.test_fit_surface import saddle, scattered
from support.knees import hat, log


def monomials(q, degree):
    """All products of powers of the columns up to a degree, (N, terms)."""
    powers = [e for e in np.ndindex(*(degree + 1,) * q.shape[1]) if sum(e) <= degree]
    return np.stack([np.prod(q**e, axis=1) for e in powers], axis=1)


def distance(joint, pose, start):
    """From a pose to the nearest pose of a joint, by scipy's least squares and logarithm."""
    found = least_squares(lambda q: log(np.linalg.solve(joint.pose(q), pose)), start, xtol=1e-12)
    return np.sqrt(2 * found.cost)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_a_surface_is_found_up_to_its_coordinates(noise):
    """Oracle: the true surface: its poses between the data lie on the one found, and its coordinates are a smooth
    function of those found, one to one."""
    q, _, poses = scattered(400, noise)
    fit = design.fit_surface(poses, shape=(7, 7))
    assert fit.converged and fit.rank.ok and fit.estimated and fit.coordinates.shape == (400, 2)
    A = monomials(q, 5)
    smooth = A @ np.linalg.lstsq(A, fit.coordinates, rcond=None)[0]
    assert np.sqrt(np.mean((fit.coordinates - smooth) ** 2)) < 1.2 * noise + 1e-4
    other, true, _ = scattered(15, 0.0, seed=1)
    inside = np.abs(other).max(axis=1) < 0.9
    starts = [fit.coordinates[np.argmin(np.linalg.norm(q - x, axis=1))] for x in other]
    gaps = [distance(fit.joint, T, s) for T, s, ok in zip(true, starts, inside, strict=True) if ok]
    assert len(gaps) > 8 and max(gaps) < 0.9 * noise + 2e-3


@pytest.mark.slow
def test_the_residual_is_at_the_level_of_the_noise():
    """Oracle: σ √((6 − 2)/6 − parameters/6N) for each component: two of six are taken up by the coordinates."""
    noise = 0.01
    _, _, poses = scattered(800, noise)
    fit = design.fit_surface(poses, shape=(5, 5))
    expected = noise * np.sqrt(4 / 6 - 4 * 25 / (6 * 800))
    assert np.sqrt(np.mean(fit.residuals**2)) == pytest.approx(expected, rel=0.05)
    assert fit.tests.white


@pytest.mark.slow
def test_estimated_coordinates_are_principal_components_of_the_surface():
    """Oracle: singular values by numpy: mean near zero, uncorrelated, the first along the widest motion; and |dG| near
    |dq| in the middle."""
    rng = np.random.default_rng(0)
    true = rng.uniform(-1, 1, size=(300, 2)) * [0.3, 0.8]
    poses = np.array([expm(hat([a, b, 0, 0, 0, 0])) for a, b in true])
    fit = design.fit_surface(poses, shape=(5, 5))
    q = fit.coordinates
    assert np.abs(q.mean(axis=0)).max() < 0.02 and q[:, 0].std() > 2 * q[:, 1].std()
    assert np.abs(np.corrcoef(q.T)[0, 1]) < 0.02
    assert np.corrcoef(q[:, 0], true[:, 1])[0, 1] > 0.999  # signs are fixed: the largest direction is positive
    S = fit.joint.jacobian([0.0, 0.0])
    assert np.abs(S.T @ S - np.eye(2)).max() < 0.05


@pytest.mark.slow
def test_three_coordinates_are_found():
    """Oracle: noise of 0.005; three of six components are taken up by the coordinates."""
    rng = np.random.default_rng(0)
    q, noise = rng.uniform(-1, 1, size=(500, 3)), 0.005
    poses = np.array([
        saddle(x[:2]) @ expm(hat([0, 0, 0, 0.3 * x[2], 0, 0])) @ expm(hat(e))
        for x, e in zip(q, rng.normal(scale=noise, size=(500, 6)), strict=True)
    ])  # fmt: skip
    fit = design.fit_surface(poses, shape=(5, 5, 4))
    assert fit.joint.nv == 3 and np.sqrt(np.mean(fit.residuals**2)) < 1.1 * noise * np.sqrt(0.5)


@pytest.mark.slow
def test_outliers_hardly_move_the_coordinates():
    """Oracle: the fit of the clean poses."""
    _, _, poses = scattered(300, 0.005)
    clean = design.fit_surface(poses, shape=(5, 5), loss="cauchy")
    rng = np.random.default_rng(1)
    spoiled = poses.copy()
    for i in range(0, 300, 30):
        spoiled[i] = spoiled[i] @ expm(hat(0.5 * rng.normal(size=6)))
    fit = design.fit_surface(spoiled, shape=(5, 5), loss="cauchy")
    kept = np.arange(300) % 30 != 0
    assert set(np.flatnonzero(fit.trust < 0.1)) <= set(range(0, 300, 30))
    ratio = [np.sqrt(np.mean(f.residuals[kept] ** 2)) for f in (fit, clean)]
    assert ratio[0] < 1.3 * ratio[1]


@pytest.mark.parametrize(
    ("poses", "options", "words"),
    [
        (np.array([expm(hat([a, 0, 0, 0, 0, 0])) for a in np.linspace(0, 1, 30)]), {}, r"1 direction.*fit_curve"),
        (np.where(np.arange(400)[:, None, None] == 3, np.nan, scattered(400, 0.0)[2]) * [1, 1, 1, 1], {}, None),
        (scattered(60, 0.0)[2], {"domain": [(-1, 1), (-1, 1)]}, "domain"),
    ],
)
def test_what_cannot_be_estimated_is_named(poses, options, words):
    """Oracle: a motion of one freedom; a domain without coordinates; a pose that is missing altogether does no harm."""
    if words is None:
        assert np.isnan(design.fit_surface(poses, shape=(4, 4)).coordinates[3]).all()
        return
    with pytest.raises(BadCoordinates, match=words):
        design.fit_surface(poses, shape=(4, 4), **options)


def test_partial_poses_need_coordinates():
    """Oracle: the class; a rotation without its position has no nearest place."""
    _, _, poses = scattered(60, 0.0)
    poses[5, :3, 3] = np.nan
    with pytest.raises(BadCoordinates, match="missing parts"):
        design.fit_surface(poses, shape=(4, 4))


@pytest.mark.slow
def test_a_coordinate_that_only_follows_noise_is_told():
    """Oracle: a hinge with noise: one freedom."""
    rng = np.random.default_rng(0)
    poses = np.array(
        [expm(hat([a, 0, 0, 0, 0, 0])) @ expm(hat(0.01 * rng.normal(size=6))) for a in np.linspace(-1, 1, 200)]
    )
    fit = design.fit_surface(poses, shape=(5, 4), smoothing=1e-2)
    assert any("estimated coordinate 1" in x for x in fit.advice)
