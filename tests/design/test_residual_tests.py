"""Residuals tested as noise: in time, along the coordinate, and between branches at one coordinate."""

import numpy as np
import pytest
from scipy.linalg import expm

from condyle import design
from condyle.design.residual_tests import autocorrelation
from support.knees import hat, knee_pose
from support.measured_joints import KNEE
from support.thinning import slow_but

NOISE = np.repeat([0.005, 0.0005], 3)  # [rad, m]


def cycles(gap, count=1, samples=100, seed=0):
    """Coordinates and poses in the order of time: a knee that bends and stretches along ways `gap` [deg] apart.

    The gap is a turn about the child's y axis, widest in the middle and closed at both ends.
    """
    rng = np.random.default_rng(seed)
    phase = np.linspace(0, 2 * np.pi * count, samples * count, endpoint=False)
    q, half = -1.0 + 0.9 * np.cos(phase), 0.5 * np.radians(gap) * np.sin(phase)
    noise = rng.normal(size=(len(q), 6)) * NOISE
    poses = [
        knee_pose(x) @ expm(hat([0, h, 0, 0, 0, 0])) @ expm(hat(e)) for x, h, e in zip(q, half, noise, strict=True)
    ]
    return q, np.array(poses)


def fit(q, poses, **options):
    return design.fit_curve(poses, q, **{"frames": 8, "metric": 0.1} | options)


@pytest.mark.parametrize("count", slow_but([5], [1, 5]))
@pytest.mark.parametrize("in_order", [True, False])
def test_a_knee_with_two_branches_eleven_degrees_apart_is_told(count, in_order):
    """Oracle: the gap that was put in; rows in the order of time, or sorted, so that time tells nothing."""
    q, poses = cycles(11.0, count)
    order = np.arange(len(q)) if in_order else np.argsort(q, kind="stable")
    found = fit(q[order], poses[order])
    branches = found.tests.branches
    assert branches.degrees == pytest.approx(11.0, abs=0.8) and branches.millimeters < 2.0
    assert -1.4 < branches.at[0] < -0.6  # where the gap is widest
    sides = [np.sin(2 * np.pi * order[rows] / 100) > 0 for rows in branches.rows]
    assert sides[0].all() != sides[1].all() and all(s.all() or not s.any() for s in sides)
    said = " ".join(found.advice)
    assert "two branches" in said and f"{branches.degrees:.3g} deg" in said
    assert not found.tests.white and "Nothing stands out" not in design.report(found)
    assert found.numbers()["branches_deg"] == branches.degrees


def test_a_robust_loss_does_not_hide_a_branch():
    """Oracle: the gap that was put in."""
    q, poses = cycles(11.0)
    assert fit(q, poses, loss="cauchy").tests.branches.degrees == pytest.approx(11.0, abs=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_cycles_with_noise_only_look_like_noise(seed):
    """Oracle: white noise by construction; the report says so."""
    found = fit(*cycles(0.0, 3, seed=seed))
    assert found.tests.white and found.advice == []
    assert found.tests.in_time < found.tests.limit
    assert "look like white noise" in design.report(found)


@pytest.mark.slow
def test_a_small_hysteresis_is_a_correlation_in_time_with_its_size():
    """Oracle: a gap as large as the noise; neighbours along the coordinate do not show it."""
    q, poses = cycles(0.8, 3)
    found = fit(q, poses)
    assert found.tests.in_time > found.tests.limit > found.tests.along
    assert not found.tests.white and any("no white noise in time" in x for x in found.advice)
    assert "Nothing stands out" not in design.report(found)


def test_a_drifting_marker_is_found_in_time_on_a_surface():
    """Oracle: a turn of 2 deg that grows with time and not with the coordinates."""
    rng = np.random.default_rng(0)
    q = rng.uniform(-1, 1, size=(200, 2))
    drift = np.radians(2.0) * np.linspace(-1, 1, 200)
    poses = np.array([expm(hat([0.5 * a, 0.5 * b, d, 0, 0, 0])) for (a, b), d in zip(q, drift, strict=True)])
    found = design.fit_surface(poses, q, shape=(4, 4))
    assert found.tests.in_time > 0.9 and np.isnan(found.tests.along)
    assert any("two branches" in x or "in time" in x for x in found.advice)


@pytest.mark.slow
def test_few_or_exact_poses_are_not_called_noise():
    """Oracle: ten poses, and poses without noise: neither can be tested, and the report does not say noise."""
    q, poses = cycles(0.0)
    for found in (fit(q[:10], poses[:10], frames=4), fit(q, np.array([expm(hat([0, 0, x, 0, 0, 0])) for x in q]))):
        assert not found.tests.made and not found.tests.white
        assert "white noise" not in design.report(found).split("<table>")[0]


def test_the_autocorrelation_of_a_known_series():
    """Oracle: by hand: (1·2 + 2·(−1)) / (1 + 4 + 1) and alternating signs."""
    x = np.zeros((3, 6))
    x[:, 0] = [1, 2, -1]
    assert autocorrelation(x) == pytest.approx(0.0)
    x[:, 0] = [1, -1, 1]
    assert autocorrelation(x) == pytest.approx(-2 / 3)


@pytest.mark.skipif(not KNEE.exists(), reason=f"no {KNEE.name} beside the repository")
def test_a_measured_knee_that_settles_at_its_start_is_no_noise():
    """Oracle: the table's first fifty rows, which stay at a flexion of 0 while the tibia moves by millimetres."""
    columns = ("flexion_rad", "adduction_rad", "rotation_rad")
    found = design.read_poses(
        KNEE, angles=columns, sequence="ZXY", position=("tx_m", "ty_m", "tz_m"), coordinates="flexion_rad"
    )
    resting = np.abs(found.coordinates) < 1e-6
    assert resting.sum() > 40 and np.ptp(found.poses[resting, :3, 3], axis=0).max() > 1e-3
    result = design.fit_curve(found.poses, found.coordinates, frames=10, metric=0.05)
    assert result.tests.in_time > result.tests.limit
    assert any("in time" in x and " deg and " in x and " mm" in x for x in result.advice)
