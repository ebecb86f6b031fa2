"""The rotation vector and its rate, from tiny turns to half a turn."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.ik.rotation_log import turn_and_jacobian


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-12, 1e-5, 0.0999, 0.1001, 1.0, 2.6, 2.7, 3.1, np.pi - 1e-7])
def test_turns_and_rates_are_those_of_the_logarithm(angle):
    """Oracle: scipy's rotation vectors; central differences of them along a turn in the body's own axes."""
    n = np.array([2.0, -3.0, 6.0]) / 7
    R = Rotation.from_rotvec(angle * n)
    turn, rate = turn_and_jacobian(R.as_matrix()[None])
    assert np.abs(turn[0] - angle * n).max() < 4e-15 * max(1.0, angle) / max(1e-7, min(1.0, np.pi - angle)) ** 0.5
    h = 1e-4 if angle < 3.1 else 1e-8
    for k, e in enumerate(np.eye(3) * h):
        ahead, behind = ((R * Rotation.from_rotvec(s * e)).as_rotvec() for s in (1, -1))
        assert np.abs(rate[0, :, k] - (ahead - behind) / (2 * h)).max() < 1e-6
