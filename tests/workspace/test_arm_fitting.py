"""Least squares with exact continuity: reproduction, energy, robustness, the arms of both subjects."""

import numpy as np
import pytest
from scipy.integrate import dblquad

from condyle.errors import BadSamples, FoldedSurface, UnknownName
from condyle.splines.bezier.bezier_surface import BezierSurface
from condyle.splines.bezier.continuity import smooth_basis
from condyle.splines.bezier.domain_complex import hexagon, refined
from condyle.workspace import ArmSamples, fit_arm, fit_errors, synthetic_subject
from condyle.workspace.fit.surface_least_squares import (
    bending_energy,
    cross_validated,
    fit_surface,
    robust_weights,
    smooth_fit,
)

RNG = np.random.default_rng(0)


def random_surface(complex, seed=0, channels=3):
    basis = smooth_basis(complex)
    x, y = complex.points.T
    rough = np.column_stack([x, y, 1 - 0.4 * (x * x + y * y)])[:, :channels]
    rough = rough + 0.05 * np.random.default_rng(seed).normal(size=rough.shape)
    return BezierSurface(complex, basis @ (basis.T @ rough))


def inside(count, seed=1):
    at = np.random.default_rng(seed).uniform(-1, 1, (4 * count, 2))
    return at[hexagon(3).locate(at)[1].min(axis=1) > 0][:count]


@pytest.mark.parametrize("complex", [hexagon(3), hexagon(4), hexagon(5), hexagon(3, extra=True), refined(hexagon(3))])
def test_a_smooth_surface_is_found_again(complex):
    """Oracle: the surface that the samples were taken from."""
    truth = random_surface(complex)
    at = complex.vertices[complex.triangles].mean(axis=1)
    at = np.vstack([inside(300), at, 0.999 * complex.points])
    found = smooth_fit(complex, at, truth.evaluate(at), 1e-16)
    assert np.abs(found.control - truth.control).max() < 1e-5
    assert found.smoothness_gap() < 1e-12


def test_bending_energy_is_the_integral_of_squared_curvatures():
    """Oracle: adaptive quadrature of the Hessian over one patch, six times for a six-fold symmetric function."""
    complex = hexagon(4)
    at = np.vstack([inside(400), 0.9999 * complex.points])
    bowl = smooth_fit(complex, at, (at**2).sum(axis=1, keepdims=True) ** 2, 0.0)
    energy = float(np.squeeze(bowl.control.T @ bending_energy(complex) @ bowl.control))

    def density(y, x):  # f = r⁴: f_xx² + 2 f_xy² + f_yy²
        return (12 * x * x + 4 * y * y) ** 2 + 2 * (8 * x * y) ** 2 + (4 * x * x + 12 * y * y) ** 2

    slope = np.sqrt(3)
    half = (
        dblquad(density, 0, 0.5, 0, lambda x: slope * x)[0] + dblquad(density, 0.5, 1, 0, lambda x: slope * (1 - x))[0]
    )
    assert energy == pytest.approx(6 * half, rel=1e-6)


def test_planes_do_not_bend():
    """Oracle: the energy of an affine map is zero."""
    complex = refined(hexagon(3))
    plane = complex.points @ [[1.0, 2.0], [3.0, -1.0]] + 5
    assert abs(np.trace(plane.T @ bending_energy(complex) @ plane)) < 1e-10


def test_moving_the_samples_moves_the_surface():
    """Oracle: translation and scale equivariance of the energy."""
    at = inside(80)
    values = random_surface(hexagon(3)).evaluate(at) + 0.01 * RNG.normal(size=(80, 3))
    first = smooth_fit(hexagon(3), at, values, 1e-4).control
    moved = smooth_fit(hexagon(3), at, 2.5 * values + [10.0, -20.0, 30.0], 1e-4).control
    assert np.abs(moved - 2.5 * first - [10.0, -20.0, 30.0]).max() < 1e-9


@pytest.mark.slow
def test_outliers_are_resisted():
    """Oracle: the surface before five samples were thrown 30 cm off."""
    truth = random_surface(hexagon(3), seed=4)
    at = 0.8 * inside(200, seed=2)
    values = truth.evaluate(at) + 0.002 * RNG.normal(size=(200, 3))
    values[::40, 2] += 0.3
    worst = {}
    for loss in ("squares", "huber", "tukey"):
        found = fit_surface(hexagon(3), at, values, smoothing=1e-6, loss=loss).surface
        worst[loss] = np.abs(found.evaluate(at) - truth.evaluate(at)).mean()
    assert worst["tukey"] < worst["huber"] < worst["squares"] / 2


def test_the_former_word_for_least_squares_is_taken_with_a_warning():
    """Oracle: the weights of "squares"; the class."""
    r = np.array([0.5, 1.0, 30.0])
    with pytest.warns(DeprecationWarning, match="squares"):
        assert robust_weights(r, "squared").tolist() == robust_weights(r, "squares").tolist()


def test_weights_fall_with_distance():
    """Oracle: the formulas of Huber and Tukey."""
    r = np.array([0.0, 1.0, 1.0, 1.0, 10.0])
    assert robust_weights(r, "squares").tolist() == [1, 1, 1, 1, 1]
    assert robust_weights(r, "huber")[4] == pytest.approx(1.5 * 1.4826 / 10)
    assert robust_weights(r, "tukey")[4] < 1e-6
    with pytest.raises(UnknownName, match=r"no loss named 'hubr' in the fit. Did you mean 'huber'?"):
        robust_weights(r, "hubr")


@pytest.mark.slow
def test_noisier_samples_ask_for_more_smoothing():
    """Oracle: cross-validation on the same surface with little and much noise."""
    at = inside(120, seed=5)
    clean = random_surface(hexagon(5), seed=6).evaluate(at)
    noise = np.random.default_rng(7).normal(size=clean.shape)
    assert cross_validated(hexagon(5), at, clean + 1e-4 * noise) < cross_validated(hexagon(5), at, clean + 0.1 * noise)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["male", "female"])
def test_both_subjects_are_fitted_within_half_a_centimetre(name):
    """Oracle: 150 samples with 4 mm noise, measured on them and on clean samples of the same arm; the paper's
    own scheme beside it is more than twice as far off."""
    for seed in range(3):
        samples = synthetic_subject(name, seed=seed)
        arm = fit_arm(samples)
        assert arm.report.mean <= 0.45
        assert arm.surface.smoothness_gap() < 1e-12
        assert fit_errors(arm.surface, synthetic_subject(name, noise=0.0, seed=90 + seed).elbow)["mean"] <= 0.45
        assert fit_errors(fit_arm(samples, method="interpolation").surface, samples.elbow)["mean"] > 2 * arm.report.mean


@pytest.mark.slow
def test_a_bigger_person_is_the_same_surface_bigger():
    """Oracle: lengths × k gives the surface × k."""
    samples = synthetic_subject()
    small, big = fit_arm(samples, smoothing=1e-5), fit_arm(samples.turned(1.3 * np.eye(3)), smoothing=1e-5)
    assert np.abs(big.surface.control - 1.3 * small.surface.control).max() < 1e-6
    assert np.allclose(big.lengths, 1.3 * np.array(small.lengths))


def test_scaling_to_other_lengths_keeps_directions(male):
    """Oracle: the rigid links have the new lengths and point the old way."""
    other, at = male.scaled(0.12, 0.28, 0.25), inside(20)
    s, e = male.rigid_shoulder(at), male.rigid_elbow(at)
    assert np.abs(other.rigid_shoulder(at) - 0.12 / male.lengths.clavicle * s).max() < 1e-14
    off = other.rigid_elbow(at) - other.rigid_shoulder(at)
    assert np.abs(np.linalg.norm(off, axis=1) - 0.28).max() < 1e-14
    assert np.abs(off / 0.28 - (e - s) / male.lengths.upper_arm).max() < 0.03  # the fit's own gap, not the links'
    assert other.surface.smoothness_gap() < 1e-12


def test_a_folded_parameterisation_is_named():
    """Oracle: samples 5 cm off their arm, followed by a stiff-free quintic, cannot be a single-valued surface."""
    rough = synthetic_subject("male", noise=0.05, count=120)
    words = r"the fitted surface folds over near elevation \d+°, abduction -?\d+° \(\d+ of \d+ places\).*or smooth more"
    with pytest.raises(FoldedSurface, match=words):
        fit_arm(rough, degree=5, smoothing=1e-10, loss="squares", reprojections=1)


def test_lengths_that_cannot_be_are_named():
    with pytest.raises(BadSamples, match=r"links of 0.100 and 0.200 m cannot put an elbow 0\.2.* m from the clavicle"):
        fit_arm(synthetic_subject(), lengths=(0.1, 0.2, 0.25))


def test_an_unknown_method_is_named():
    with pytest.raises(UnknownName, match=r"no method named 'spline' in fit_arm. It has: least-squares, interpolation"):
        fit_arm(synthetic_subject(), method="spline")


@pytest.mark.slow
def test_few_twist_trials_are_enough():
    """Oracle: the twist range of the truth, from 30 trials only."""
    samples = synthetic_subject(seed=1)
    few = type(samples.trials)(
        *(getattr(samples.trials, n)[::5] for n in ("shoulder", "elbow", "wrist_low", "wrist_high"))
    )
    arm = fit_arm(ArmSamples(samples.shoulder, samples.elbow, few))
    posture = arm.forward(np.radians(80.0), np.radians(20.0))
    truth = np.radians(183 - 14 * np.radians(80) - 4 * np.radians(80) ** 2)
    assert abs(posture.twist_range - truth) < np.radians(6)
