"""Bodies without mass or size: kinematics as any body, dynamics where the mass matrix allows it, else a named error."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.errors import RankLost

LINK = cd.Inertia.box(2.0, (0.1, 0.2, 0.6), com=(0, 0, -0.3))
UP = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -0.6], [0, 0, 0, 1.0]])


def arm(tip, joint=None, **options):
    """A link on a hinge about x, and a tip on a hinge about y 0.6 m below."""
    b = cd.ModelBuilder()
    b.add_body("arm", joint=cd.joints.revolute("x"), inertia=LINK)
    return b.add_body("tip", "arm", joint or cd.joints.revolute("y"), tip, placement=UP, **options)


def test_a_massless_end_has_kinematics():
    """Oracle: the product of two turns, written out; the mass matrix of the arm alone with a row of zeros."""
    model, q = arm(cd.Inertia.massless()).build(), np.array([0.4, 0.7])
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.4, 0, 0]).as_matrix()
    turn = np.eye(4)
    turn[:3, :3] = Rotation.from_rotvec([0, 0.7, 0]).as_matrix()
    assert_allclose(cd.forward_kinematics(model, q)[1].as_matrix(), T @ UP @ turn, atol=1e-15)
    about = LINK.spatial()[0, 0]
    assert_allclose(cd.mass_matrix(model, q), [[about, 0], [0, 0]], atol=1e-15)
    tau = cd.inverse_dynamics(model, q, [0, 0], [1.0, 1.0])
    assert_allclose(tau, [about + 2.0 * 9.81 * 0.3 * np.sin(0.4), 0], atol=1e-13)


@pytest.mark.parametrize("joint", [cd.joints.revolute("y"), cd.joints.ball(), cd.joints.free()])
def test_forces_on_a_massless_end_are_a_named_error(joint):
    """Oracle: 0 · a = τ has no single solution; the body is named."""
    model = arm(cd.Inertia.massless(), joint).build()
    with pytest.raises(RankLost, match=r"'tip'.*neither mass nor moments"):
        cd.forward_dynamics(model, model.neutral(), np.zeros(model.nv))
    run = cd.simulate(model, model.neutral(), duration=0.01)
    assert run.stopped is not None and "'tip'" in run.stopped.reason


def test_a_massless_end_that_is_welded_or_prescribed_moves():
    """Oracle: the arm alone."""
    alone = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("x"), inertia=LINK).build()
    expected = cd.forward_dynamics(alone, [0.4], [0.1])
    welded = arm(cd.Inertia.massless(), cd.joints.weld()).build()
    assert_allclose(cd.forward_dynamics(welded, [0.4], [0.1]), expected, rtol=1e-13)
    driven = arm(cd.Inertia.massless()).prescribe("tip", 0.3).build()
    assert_allclose(cd.forward_dynamics(driven, [0.4, 0.3], [0.1, 0.0]), [*expected, 0.0], rtol=1e-13)


def test_moments_without_mass_have_dynamics():
    """Oracle: Euler's equation of a flywheel, written out: about its axis I a = τ."""
    model = arm(cd.Inertia(0.0, (0, 0, 0), (0.1, 0.2, 0.15))).build()
    a = cd.forward_dynamics(model, [0.0, 0.0], [0.0, 0.0], [0.0, 0.5])
    assert_allclose(a, [0.0, 0.5 / 0.2], atol=1e-14)
    assert_allclose(np.diag(cd.mass_matrix(model, [0.0, 0.0])), [LINK.spatial()[0, 0] + 0.1, 0.2], rtol=1e-14)


ROD = cd.Inertia.point(1.0, (0.5, 0, 0)) + cd.Inertia.point(1.0, (0.7, 0, 0))


@pytest.mark.parametrize("turn", [(0, 0, 0), (0.3, -0.8, 0.5), (1.1, 0.2, -2.0)])
@pytest.mark.parametrize("batch", [(), (5,)])
def test_a_rod_does_not_turn_about_itself(turn, batch):
    """Oracle: no moment about the line of two points, however it lies; about another axis I a = τ."""
    R = Rotation.from_rotvec(turn).as_matrix()
    pose = np.eye(4)
    pose[:3, :3] = R
    model = arm(ROD.moved(pose), cd.joints.revolute(R @ [1, 0, 0])).build()
    with pytest.raises(RankLost, match=r"'tip'.*thin rod"):
        cd.forward_dynamics(model, np.full((*batch, 2), 0.2), np.zeros(2))
    free = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("tip", None, cd.joints.free(), ROD.moved(pose)).build()
    with pytest.raises(RankLost, match=r"'tip'.*thin rod"):
        cd.forward_dynamics(free, np.broadcast_to(free.neutral(), (*batch, 7)), np.zeros(6))
    turning = cd.ModelBuilder(gravity=(0, 0, 0)).add_body(
        "tip", None, cd.joints.revolute(R @ [0, 0, 1]), ROD.moved(pose)
    )
    a = cd.forward_dynamics(turning.build(), np.zeros((*batch, 1)), [0.0], [1.0])
    assert_allclose(a, np.full((*batch, 1), 1 / (0.25 + 0.49)), rtol=1e-13)


@pytest.mark.parametrize("inertia", [ROD, cd.Inertia.massless(), cd.Inertia(0.0, (0, 0, 0), (0.1, 0.2, 0.15))])
def test_what_can_be_added_can_be_saved_and_loaded(inertia, tmp_path):
    """Oracle: the same numbers, bit by bit."""
    model = arm(inertia).build()
    loaded = cd.load(cd.save(model, tmp_path / "arm.toml"))
    for ours, theirs in zip(model.bodies, loaded.bodies, strict=True):
        assert ours.inertia.mass == theirs.inertia.mass
        assert np.array_equal(ours.inertia.com, theirs.inertia.com)
        assert np.array_equal(ours.inertia.moment, theirs.inertia.moment)


@pytest.mark.parametrize("ask", [lambda m: cd.momentum(m, [0.0], [1.0]), lambda m: cd.center_of_mass(m, [0.0])])
def test_a_model_without_mass_has_no_centre_of_mass_and_says_so(ask):
    """Oracle: the class of the error and the body; with a mass of 2 kg on 1 m the way out gives numbers."""
    b = cd.ModelBuilder()
    bare = b.add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(0.0)).build()
    with pytest.raises(cd.errors.BadInertia, match="'rod'"):
        ask(bare)
    heavy = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(2.0, (0, 0, -1)))
    expected = np.array([-2.0, 0, 0]) if isinstance(ask(heavy.build()), tuple) else np.array([0, 0, -1.0])
    found = ask(heavy.build())
    np.testing.assert_allclose(found.linear if isinstance(found, tuple) else found, expected, atol=1e-12)
