"""A misfit that the noise of the poses contradicts is no fit, however well the descent ended."""

import numpy as np
import pytest

import condyle as cd

SO3_NOISE = np.radians(0.57) / np.sqrt(3.0)  # [rad] along each axis: 0.57 degrees in all


def noisy(twists, noise, seed=0):
    """Poses exp(twist) with rotations that are off by noise [rad] about each axis."""
    off = np.zeros((len(twists), 6))
    off[:, :3] = np.random.default_rng(seed).normal(0.0, noise, (len(twists), 3))
    return cd.SE3.exp(twists) @ cd.SE3.exp(off)


def wide_surface(degrees, n=25):
    """Coordinates (n², 2) in [-1, 1] and poses that turn by so many degrees along each, with 0.57 degrees of noise."""
    q = np.stack(np.meshgrid(*2 * [np.linspace(-1.0, 1.0, n)], indexing="ij"), axis=-1).reshape(-1, 2)
    twists = np.zeros((n * n, 6))
    twists[:, :2] = np.radians(degrees) * q
    return q, noisy(twists, SO3_NOISE)


@pytest.mark.parametrize(("degrees", "shape", "good"), [(170, (4, 4), False), (240, (6, 6), False), (60, (6, 6), True)])
def test_a_surface_has_converged_only_if_noise_explains_its_misfit(degrees, shape, good):
    """Oracle: the noise of 0.57 degrees; root mean squares of the angles."""
    q, poses = wide_surface(degrees)
    fit = cd.design.fit_surface(poses, q, shape)
    angle = float(np.sqrt(np.nanmean(fit.angle_errors**2)))
    assert angle < 1.2 * 0.57 if good else angle > 5.0 * 0.57
    assert fit.converged is good
    assert ("NOT converged" in fit.summary()) is not good and any("no fit" in x for x in fit.advice) is not good


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize(
    ("frames", "smoothing", "good"), [(5, 0.0, False), (30, 0.0, True), (30, 1.0, False), (30, "auto", True)]
)
def test_a_curve_has_converged_only_if_noise_explains_its_misfit(frames, smoothing, good, noise):
    """Oracle: a swing of 0.6 rad, of which five frames and much smoothing leave the most."""
    q = np.linspace(0.0, 1.0, 200)
    twists = np.zeros((200, 6))
    twists[:, 0], twists[:, 4] = 0.6 * np.sin(12.0 * np.pi * q), 0.1 * q
    fit = cd.design.fit_curve(noisy(twists, noise), q, frames=frames, smoothing=smoothing)
    angle = float(np.sqrt(np.nanmean(np.radians(fit.angle_errors) ** 2)))
    assert (angle < 3.0 * max(noise, 0.003)) is good
    assert fit.converged is good


def test_hysteresis_outliers_and_partial_poses_are_no_contradiction():
    """Oracle: two paths 0.2 rad apart, which other advice names; some poses far off; positions that are missing."""
    q = np.concatenate([np.linspace(0.0, 1.0, 60), np.linspace(1.0, 0.0, 60)])
    twists = np.zeros((120, 6))
    twists[:, 0], twists[:60, 1] = q, 0.2
    two = cd.design.fit_curve(noisy(twists, 0.003), q, frames=6)
    assert two.converged and two.tests.branches is not None
    twists[:60, 1] = 0.0
    poses = noisy(twists, 0.003).as_matrix()
    poses[::7, :3, 3] = np.nan
    assert cd.design.fit_curve(poses, q, frames=6).converged
    poses[::10] = np.eye(4)
    assert cd.design.fit_curve(poses, q, frames=6, loss="cauchy", loss_scale=0.01).converged
