"""Motions in a plane are found, and only those."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.joints.plane_motion import in_plane
from twins.kinds import KINDS

FLAT = ("flat_curve", "flat_product", "elliptic", "revolute", "along")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_only_motions_in_a_plane_are_taken_for_such(kind):
    """Oracle: by construction; wires, ellipses and hinges are flat, random curves are not."""
    joint = KINDS[kind](np.random.default_rng(5)).joint
    assert (in_plane(joint.segments) is not None) == (kind in (*FLAT, "planar"))


@pytest.mark.parametrize("kind", FLAT)
def test_the_ends_and_the_flat_motion_make_the_joint(kind):
    """Oracle: the definition's poses, seen from A and B, have an upright z and no height."""
    rng = np.random.default_rng(6)
    pair = KINDS[kind](rng)
    A, _, B = in_plane(pair.joint.segments)
    for q in (pair.sample(rng) for _ in range(20)):
        P = np.linalg.inv(A) @ pair.oracle.path(q, np.zeros(1), 1)[:4, :4] @ np.linalg.inv(B)
        assert_allclose(P[[0, 1, 2, 2, 2], [2, 2, 0, 1, 3]], 0.0, atol=1e-13)
