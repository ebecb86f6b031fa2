"""Recordings as they are: coordinates that fall, repeat and jitter, poses in the order of time."""

import numpy as np
import pytest

from condyle import design
from condyle.errors import BadCoordinates, NotSupported
from support.knees import noisy_knee
from support.measured_joints import KNEE

Q, TRUE, POSES = noisy_knee(60, 0.005, 0.0005)
OPTIONS = {"frames": 8, "metric": 0.1}


def test_the_order_of_the_rows_does_not_change_the_joint():
    """Oracle: the fit of the same rows sorted by hand; residuals stay with their rows."""
    shuffled = np.random.default_rng(0).permutation(60)
    plain = design.fit_curve(POSES, Q, **OPTIONS)
    mixed = design.fit_curve(POSES[shuffled], Q[shuffled], **OPTIONS)
    assert np.abs(plain.joint.pose(Q) - mixed.joint.pose(Q)).max() < 1e-8
    assert np.abs(plain.residuals[shuffled] - mixed.residuals).max() < 1e-8
    assert np.array_equal(mixed.coordinates, Q[shuffled])


def test_a_row_given_twice_counts_twice():
    """Oracle: a weight of 2 on the same row."""
    again = np.concatenate([np.arange(60), np.arange(10, 30)])
    twice = design.fit_curve(POSES[again], Q[again], **OPTIONS)
    weighted = design.fit_curve(
        POSES, Q, weights=np.where((np.arange(60) >= 10) & (np.arange(60) < 30), 2, 1), **OPTIONS
    )
    assert twice.cost == pytest.approx(weighted.cost, rel=1e-9)
    assert np.abs(twice.joint.pose(Q) - weighted.joint.pose(Q)).max() < 1e-7


@pytest.mark.slow
def test_cycles_there_and_back_come_nearer_to_the_truth_than_one_pass():
    """Oracle: the true knee; three passes with noise of their own, the second one backwards."""
    passes = [noisy_knee(60, 0.005, 0.0005, seed)[2] for seed in range(3)]
    q, poses = np.concatenate([Q, Q[::-1], Q]), np.concatenate([passes[0], passes[1][::-1], passes[2]])
    errors = [
        np.linalg.norm(design.pose_errors(design.fit_curve(P, x, **OPTIONS).joint, Q, TRUE))
        for P, x in ((passes[0], Q), (poses, q))
    ]
    assert errors[1] < errors[0]


@pytest.mark.parametrize("ends", ["clamped", "open"])
@pytest.mark.parametrize("frames", [6, 12, 30])
def test_coordinates_measured_in_whole_steps_are_fitted(ends, frames):
    """Oracle: the true knee; the coordinate is rounded as a dial with few marks would, so most values repeat."""
    q = np.round(Q * 15) / 15
    fit = design.fit_curve(POSES, q, frames=frames, metric=0.1, ends=ends, smoothing=1e-4)
    assert fit.converged
    assert design.pose_errors(fit.joint, Q, TRUE)[0].max() < 5.0  # [deg]; the dial itself is 1.9 off


def test_steps_of_round_off_are_no_knots():
    """Oracle: the fit of the clean coordinates; jitter of 1e-12 between equal ones leaves it where it is."""
    q = np.repeat(Q[::2], 2)
    jitter = q + 1e-12 * np.random.default_rng(1).normal(size=60)
    fits = [design.fit_curve(POSES, x, frames=20, knots="data", metric=0.1) for x in (q, jitter)]
    assert np.abs(np.diff(fits[1].knots)[4:-4]).min() > 1e-3
    assert np.abs(fits[0].joint.pose(Q) - fits[1].joint.pose(Q)).max() < 1e-6


def test_two_poses_at_one_coordinate_cannot_both_be_met():
    """Oracle: the class, the rows and the number of distinct coordinates."""
    q = np.where(np.arange(60) == 7, Q[3], Q)
    with pytest.raises(BadCoordinates, match=r"rows 3 and 7"):
        design.fit_curve(POSES, q, frames="interpolate")
    with pytest.raises(NotSupported, match="59"):
        design.fit_curve(POSES, q, frames=60)


@pytest.mark.skipif(not KNEE.exists(), reason=f"no {KNEE.name} beside the repository")
def test_a_recording_is_fitted_whole_with_its_tiny_steps_back():
    """Oracle: the fit of the rows that rise, chosen by hand, where the knee bends (above 0.1 rad)."""
    from support.measured_joints import measured_knee

    columns = ("flexion_rad", "adduction_rad", "rotation_rad")
    found = design.read_poses(
        KNEE, angles=columns, sequence="ZXY", position=("tx_m", "ty_m", "tz_m"), coordinates="flexion_rad"
    )
    assert np.diff(found.coordinates).min() < 0 < np.diff(found.coordinates).max()
    whole = design.fit_curve(found.poses, found.coordinates, frames=10, metric=0.05)
    q, poses = measured_knee()
    rising = design.fit_curve(poses, q, frames=10, metric=0.05)
    assert whole.converged and len(whole.data) == 251
    bent = q[q > 0.1] * np.sign(found.coordinates[-1])
    assert design.pose_errors(whole.joint, bent, rising.joint.pose(q[q > 0.1]))[0].max() < 0.3  # [deg]
