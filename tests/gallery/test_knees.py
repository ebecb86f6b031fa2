"""Knees before and after smoothing, and the foot that follows a target."""

import numpy as np

import condyle as cd
from condyle.gallery import knee, leg
from condyle.gallery.bones.knees import fitted_knees, foot_path, pedalling


def test_smoothing_brings_the_knee_nearer_to_the_truth():
    """Oracle: the knee without noise; and the bending, ∫|dS/dq|²."""
    rough, smooth = fitted_knees()
    q = np.linspace(-2.0, 0.1, 100)
    errors = [
        [np.sqrt(np.mean(x**2)) for x in cd.design.pose_errors(f.joint, q, knee().pose(q))] for f in (rough, smooth)
    ]
    assert np.all(np.array(errors[1]) < 0.6 * np.array(errors[0]))
    assert smooth.bending < 1e-3 * rough.bending


def test_the_foot_reaches_its_moving_target_in_few_iterations():
    """Oracle: the pose of the foot."""
    times = np.linspace(0.0, 1.6, 20)
    found = pedalling(leg(), times)
    poses = cd.forward_kinematics(leg(), found.q)[:, 2].as_matrix()
    assert abs(poses - foot_path(times)).max() < 1e-12
    assert found.iterations[1:].max() <= 6
