"""Advice on a fit."""

import re
import warnings

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import design
from support.knees import hat, noisy_knee

Q, _, POSES = noisy_knee(60, 0.005, 0.0005)
GAP = np.concatenate([np.linspace(0.0, 0.1, 30), np.linspace(0.9, 1.0, 30)])


def far(row):
    poses = POSES.copy()
    poses[row] = poses[row] @ expm(hat([0.8, 0.5, 0, 0.3, 0, 0.2]))
    return poses


def wavy():
    return np.array([expm(hat([0, 0, q, 0.3 * np.sin(9 * q), 0, 0])) for q in Q])


@pytest.mark.parametrize(
    ("poses", "q", "options", "words"),
    [
        (POSES, np.degrees(Q), {}, "rises by 120.3 while the joint turns by .*--coordinate-units deg"),
        (far(30), Q, {}, r"Far off: 1 pose \(number 30\).* --loss cauchy"),
        (far(30), Q, {"loss": "cauchy"}, r"Outliers: 1 pose \(number 30\)"),
        (wavy(), Q, {"frames": 6}, "no white noise .* try 9 frames .--frames 9."),
        (wavy(), Q, {"frames": 20, "smoothing": 1.0}, "no white noise .* try less smoothing"),
        (POSES, Q, {"frames": 45}, "leave-one-out error is .* times the residual.* --smooth auto"),
        (POSES, Q, {"iterations": 1, "tolerance": 1e-14}, "did not converge in 1 iterations"),
        (POSES, GAP, {"frames": 20, "knots": "uniform", "smoothing": 1e-6}, "Nearly unused: .*control frames"),
    ],
)
def test_advice_names_the_trouble_and_the_way_out(poses, q, options, words):
    """Oracle: the words."""
    fit = design.fit_curve(poses, q, **{"frames": 10, "metric": 0.1} | options)
    assert re.search(words, " ".join(fit.advice)), fit.advice
    assert all(hint in fit.summary() for hint in fit.advice)


def test_a_good_fit_needs_no_advice():
    """Oracle: noise and a truth that the curve can follow."""
    assert design.fit_curve(POSES, Q, frames=8, metric=0.1).advice == []


def test_a_surface_near_its_singularity_is_told():
    """Oracle: a turn of 80 deg about y; and control points beside all data."""
    q = np.random.default_rng(0).uniform(-1, 1, size=(80, 2))
    poses = np.array([expm(hat([0, 1.4 * a, 0, b, 0, 0])) for a, b in q])
    fit = design.fit_surface(poses, q, shape=(5, 9), domain=[(-1, 1), (-1, 9)], twists="xyz")
    said = " ".join(fit.advice)
    assert "deg of its singularity" in said and "have next to no data" in said


def test_millimetres_called_metres_are_doubted():
    """Oracle: the words; a metric of many metres says that they are meant."""
    poses = POSES.copy()
    poses[:, :3, 3] *= 1e3
    with pytest.warns(UserWarning, match=r"Are these millimetres\? .*--position-units mm"):
        design.fit_curve(poses, Q, frames=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        design.fit_curve(poses, Q, frames=10, metric=100.0)


def test_a_knee_that_glides_by_eight_metres_is_doubted():
    """Oracle: the words; a knee glides by 8 mm, which was below the bound."""
    poses = POSES.copy()
    poses[:, :3, 3] *= 8.0 / np.ptp(poses[:, :3, 3], axis=0).max()
    with pytest.warns(UserWarning, match="millimetres"):
        design.fit_curve(poses, Q, frames=10, metric=0.1)
