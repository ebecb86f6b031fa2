"""The fitted shoulder as a joint of the engine."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue
from condyle.workspace.directions import disc_from_direction
from condyle.workspace.solve.arm_forward import posture_at


@pytest.fixture(scope="module")
def shoulder(male):
    return male.as_joint()


def test_the_joint_is_the_arm(male, shoulder):
    """Oracle: the arm's own postures between the samples of the refit, twist included."""
    rng = np.random.default_rng(0)
    places = rng.uniform(-0.7, 0.7, (60, 2))
    places = places[male.surface.complex.locate(places)[1].min(axis=1) > 0]
    share = rng.uniform(0, 1, len(places))
    posture = posture_at(male, places, share, 0.0, (0.0, 0.0, 0.0))
    twist = (share - 0.5) * posture.twist_range
    T = shoulder.joint.pose(np.column_stack([disc_from_direction(posture.elbow), twist]))
    assert np.linalg.norm(T[:, :3, 3] - posture.shoulder, axis=1).max() < 1e-3
    assert np.linalg.norm(T[:, :3, 3] + male.lengths.upper_arm * T[:, :3, 2] - posture.elbow, axis=1).max() < 1e-3
    assert np.abs(T[:, :3, :3] - posture.skeleton.upper_arm).max() < 1e-2
    assert shoulder.elbow_error < 1.0 and shoulder.shoulder_error < 1.0


def test_the_hanging_arm_keeps_full_rank(male, shoulder):
    """Oracle: singular values of S; elevation and abduction would lose one here."""
    hanging = male.forward(np.radians(1.0), 0.0, 0.5)
    S = shoulder.joint.jacobian(np.array([*disc_from_direction(hanging.elbow), 0.0]))
    assert S.shape == (6, 3)
    assert np.linalg.svd(S, compute_uv=False)[-1] > 0.1
    assert shoulder.smallest_singular_value > 0.05


def test_the_arm_swings_and_keeps_its_energy(male, shoulder):
    """Oracle: conservation of energy in the engine, upper arm and forearm falling from the side."""
    b = cd.ModelBuilder()
    rod = [
        cd.Inertia(m, (0, 0, l / 2), np.diag([m * l * l / 12, m * l * l / 12, 2e-3]))
        for m, l in ((2.0, 0.31), (1.2, 0.27))
    ]
    b.add_body("upper_arm", parent=None, joint=shoulder.joint, inertia=rod[0])
    T = np.eye(4)
    T[2, 3] = male.lengths.upper_arm
    hinge = cd.joints.revolute((0, 1, 0))
    b.add_body("forearm", parent="upper_arm", joint=hinge, inertia=rod[1], placement=cd.SE3.from_matrix(T))
    model = b.build()
    trajectory = cd.simulate(model, [0.3, -0.5, 0.1, 0.4], [0.0, 0.0, 0.0, 0.0], duration=0.2, step=1e-3)
    energy = [cd.energy(model, trajectory.q[n], trajectory.v[n])[2] for n in (0, -1)]
    assert abs(energy[1] - energy[0]) < 1e-4 * 30
    assert np.abs(trajectory.q[-1] - trajectory.q[0]).max() > 0.05


def test_limits_that_the_joint_does_not_carry_are_told(male):
    """Oracle: the arm's own range of twist at its elbows; a twist of 6 rad and places beyond the rim are outside."""
    with pytest.warns(cd.CondyleWarning, match=r"twist.*set_range"):
        shoulder = male.as_joint()
    inside = male.forward(np.radians([50.0, 70.0]), np.radians([20.0, 60.0]), 0.5)
    assert inside.measured.all()
    half = 0.5 * inside.twist_range
    at = disc_from_direction(inside.elbow)
    for share, expected in ((0.0, True), (0.9, True), (-0.9, True), (1.1, False), (6.0 / half.min(), False)):
        assert (shoulder.within(np.column_stack([at, share * half])) == expected).all()
    assert shoulder.twist_range[1] >= half.max() - 1e-9 and shoulder.twist_range[1] < np.pi
    corner = [*shoulder.samples[:, :2].max(axis=0), 0.0]
    assert not shoulder.within(corner)
    b = cd.ModelBuilder()
    b.add_body("arm", joint=shoulder.joint, inertia=cd.Inertia.box(2.0, (0.1, 0.1, 0.3)), joint_name="shoulder")
    model = b.set_range("shoulder.twist", *shoulder.twist_range).build()
    space = cd.control.AnimationSpace(model, [cd.control.joint("shoulder.twist", name="twist")])
    motion = cd.control.direct(space, [*at[0], 0.0], {"twist": 6.0}, duration=1.0, step=0.02)
    assert motion.q[-1, 2] == pytest.approx(shoulder.twist_range[1], abs=1e-6)
    assert motion.missed[0].by == pytest.approx(6.0 - shoulder.twist_range[1], abs=1e-6)


def test_too_few_controls_are_named(male):
    with pytest.raises(BadValue, match=r"the refit needs at least 5 controls a side; got controls = 4"):
        male.as_joint(controls=4)
