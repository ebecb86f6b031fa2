"""Trajectories: continuous, exact, and a function of the goals only."""

import numpy as np
import pytest

from condyle.errors import BadShape, OutOfReach


@pytest.fixture(scope="module")
def path(male):
    ends = male.forward(np.radians([40.0, 100.0]), np.radians([60.0, 20.0]), 0.5, flexion=[1.2, 0.9]).wrist
    share = np.linspace(0, 1, 25)[:, None]
    return (1 - share) * ends[0] + share * ends[1]


@pytest.mark.slow
def test_a_line_is_followed_exactly_and_without_jumps(male, path):
    """Oracle: wrist positions; twice as many goals give about half the largest elbow step."""
    posture = male.follow(path)
    assert np.linalg.norm(posture.wrist - path, axis=1).max() < 1e-10
    assert (posture.penalty <= 1e-20).all()
    step = np.linalg.norm(np.diff(posture.elbow, axis=0), axis=1).max()
    fine = male.follow(np.stack([path[:-1], (path[:-1] + path[1:]) / 2], axis=1).reshape(-1, 3))
    assert np.linalg.norm(np.diff(fine.elbow, axis=0), axis=1).max() < 0.75 * step


def test_backwards_is_the_same_motion_backwards(male, path):
    """Oracle: the same postures up to the last refinement."""
    there, back = male.follow(path), male.follow(path[::-1])
    assert np.linalg.norm(there.elbow - back.elbow[::-1], axis=1).max() < 5e-3


def test_bad_trajectories_are_named(male, path):
    with pytest.raises(BadShape, match=r"a trajectory is one goal a row, \(T, 3\); got shape = \(3,\)"):
        male.follow(path[0])
    with pytest.raises(OutOfReach, match=r"goal 1 of the trajectory is out of reach; the nearest reachable point is"):
        male.follow(np.vstack([path[0], [2.0, 0.0, 0.0]]))
