"""Gaps of constraints and their Jacobian, closed and open, on real and on complex numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.dynamics.constraints.constraint_gaps import constraint_gaps
from condyle.dynamics.kinematics import STEP, stepped

BOX = cd.Inertia.box(1.0, (0.1, 0.1, 0.1))
FRAME = cd.SE3.exp([0.3, -0.2, 0.5, 0.1, 0.0, -0.2])
POINT = np.array([0.1, 0.2, -0.3])


def tree() -> cd.Model:
    """A weld, a point and a coupling between two arms, and a wheel that rolls, named before them."""
    b = cd.ModelBuilder()
    disk = cd.joints.compose(cd.joints.planar(), cd.joints.revolute("x", name="spin"))
    b.add_body("disk", joint=disk, inertia=BOX)
    for side, x in (("left", -0.2), ("right", 0.2)):
        b.add_body(side, None, cd.joints.ball(), BOX, cd.SE3.from_translation((x, 0, 0)))
        b.add_body(f"{side} hand", side, cd.joints.revolute("y"), BOX, cd.SE3.from_translation((0, 0, 0.4)))
    b.add_constraint(cd.constraints.roll("disk", cd.joints.planar(), (0, 1)))
    b.add_constraint(cd.constraints.weld("left hand", FRAME, "right hand", None))
    b.add_constraint(cd.constraints.point("left", POINT, None, (0.0, 0.5, 0.0)))
    b.add_constraint(cd.constraints.couple("right hand", "left hand", ratio=0.7))
    return b.build()


def states(model: cd.Model, count: int) -> np.ndarray:
    return cd.integrate(
        model, np.array([model.neutral()] * count), np.random.default_rng(5).normal(size=(count, model.nv))
    )


def test_gaps_are_turn_displacement_and_difference():
    """Oracle: poses, with scipy's rotation vector for the turn; positions come first, rolling last with none."""
    model = tree()
    q = states(model, 6)
    gaps, J = constraint_gaps(model, q)
    poses = cd.forward_kinematics(model, q).as_matrix()
    A, B = poses[:, 2] @ FRAME.as_matrix(), poses[:, 4]
    vectors = Rotation.from_matrix(A[:, :3, :3] @ np.swapaxes(B[:, :3, :3], 1, 2)).as_rotvec()
    angles = np.linalg.norm(vectors, axis=1, keepdims=True)
    assert_allclose(gaps[:, :3], 2 * np.sin(angles / 2) * vectors / angles, atol=1e-13)
    assert_allclose(gaps[:, 3:6], A[:, :3, 3] - B[:, :3, 3], atol=1e-14)
    assert_allclose(gaps[:, 6:9], poses[:, 1, :3, :3] @ POINT + poses[:, 1, :3, 3] - (0, 0.5, 0), atol=1e-14)
    hands = [q[:, model.q_index(f"{side} hand")] for side in ("right", "left")]
    assert_allclose(gaps[:, 9], hands[0] - 0.7 * hands[1], atol=1e-15)
    assert gaps.shape == (6, 12) and J.shape == (6, 12, model.nv) and not gaps[:, 10:].any()


def test_jacobians_of_open_constraints_are_derivatives_of_gaps():
    """Oracle: central differences along cd.integrate, far from the constraints."""
    model = tree()
    q = states(model, 6)
    _, J = constraint_gaps(model, q)
    h = 1e-6
    for k, e in enumerate(np.eye(model.nv) * h):
        ahead, behind = (constraint_gaps(model, cd.integrate(model, q, s * e))[0] for s in (1, -1))
        assert_allclose(J[:, :10, k], (ahead - behind)[:, :10] / (2 * h), atol=5e-9)


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, 1])
def test_a_complex_step_gives_rates_of_gaps_and_jacobians(which):
    """Oracle: J v for the gaps, central differences for the Jacobians."""
    model = tree()
    q, v = states(model, 3), np.random.default_rng(7).normal(size=(3, model.nv))
    rate = np.imag(constraint_gaps(model, stepped(model, q, v))[which]) / STEP
    if which == 0:
        expected = np.einsum("nij,nj->ni", constraint_gaps(model, q)[1], v)
        assert_allclose(rate[:, :10], expected[:, :10], atol=1e-13)
        return
    ahead, behind = (constraint_gaps(model, cd.integrate(model, q, s * 1e-6 * v))[1] for s in (1, -1))
    assert_allclose(rate[:, :10], (ahead - behind)[:, :10] / 2e-6, atol=5e-8)
