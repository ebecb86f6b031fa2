"""The arm's skeleton as a model of the engine."""

import numpy as np
import pytest

import condyle as cd
from support.arm_oracles import chain, feasible_postures


def test_the_model_at_a_postures_angles_is_the_posture(male):
    """Oracle: the written skeleton with scipy's rotations."""
    model, made = male.as_model(), feasible_postures(male, 5)
    assert model.nq == 9
    for angles in made.angles:
        s, e, w, hand = chain(male.lengths, angles)
        poses = cd.forward_kinematics(model, angles)
        assert np.abs(poses.xyz[1:] - [s, e, w]).max() < 1e-12
        assert np.abs(poses[3].as_matrix()[:3, :3] - hand).max() < 1e-12


def test_inverse_kinematics_of_the_model_agrees(male):
    """Oracle: `cd.ik` on the model, started at the arm's answer, stays there."""
    made = feasible_postures(male, 1, seed=4)
    best = male.solve(made.wrist[0])
    found = cd.ik.solve(male.as_model(), cd.ik.position("hand", made.wrist[0]), best.angles)
    assert found.residual == pytest.approx(0.0, abs=1e-9)
    assert np.abs(found.q - best.angles).max() < 1e-6
