"""Paths over spheres and cylinders in condyle and spatial tendons in MuJoCo."""

import numpy as np
import pytest

import condyle as cd

mujoco = pytest.importorskip("mujoco")
from benchmarks.engines.tendons import chain, mjcf, poses, tendon_matrix  # noqa: E402

pytestmark = pytest.mark.peers


def test_ropes_over_balls_and_drums_are_those_of_mujoco():
    """Oracle: MuJoCo's lengths and their derivatives at 200 random poses, about a fifth of them wrapped."""
    links = 6
    ours, theirs = chain(links), mujoco.MjModel.from_xml_string(mjcf(links))
    data, Q, wrapped = mujoco.MjData(theirs), poses(links, 200), 0
    lengths, arms = cd.muscles.lengths(ours, Q), cd.muscles.moment_arms(ours, Q)
    for k, q in enumerate(Q):
        data.qpos[:] = q
        for compute in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_tendon):
            compute(theirs, data)
        np.testing.assert_allclose(lengths[k], data.ten_length, atol=1e-13)
        np.testing.assert_allclose(arms[k], -tendon_matrix(theirs, data), atol=1e-12)
        wrapped += int((data.ten_wrapnum > 2).sum())
    assert wrapped > 0.1 * lengths.size
