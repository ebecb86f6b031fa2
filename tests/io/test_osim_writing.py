"""Models written as .osim files: the same model when read again, and certificates of what is near."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import Approximated, NotInModel, NotSupported
from support.coupled import inertia, pose

F, J = cd.functions, cd.joints


def chained(*joints, seed=3):
    """Bodies in a chain, one for each joint, at random frames."""
    rng = np.random.default_rng(seed)
    b = cd.ModelBuilder(gravity=(0.1, -9.7, 0.3))
    for k, joint in enumerate(joints):
        b.add_body(f"b{k}", None if k == 0 else f"b{k - 1}", joint, inertia(rng), pose(rng), pose(rng))
    return b


def again(model, tmp_path, **options):
    return cd.load(cd.save(model, tmp_path / "ours.osim", **options))


def same(model, other, most=1e-9, renamed=lambda name: name.replace(".", "_")):
    """Poses and mass matrix at random states, coordinates by name."""
    rng = np.random.default_rng(1)
    low, high = np.array([np.clip(model.range_of(c), -1.0, 1.0) for c in model.coordinates]).T
    q = rng.uniform(low, high, size=(5, model.nq))
    order = [other.q_index(renamed(c)) for c in model.coordinates]
    Q = np.zeros((5, other.nq))
    Q[:, order] = q
    assert other.nq == model.nq
    assert_allclose(cd.forward_kinematics(other, Q), cd.forward_kinematics(model, q), atol=most)
    M, N = cd.mass_matrix(model, q), cd.mass_matrix(other, Q)[:, order][:, :, order]
    assert_allclose(N, M, atol=most * np.abs(M).max())
    return q, Q


EXACT = {
    "revolute": lambda: J.revolute((1, 2, 3)),
    "revolute beside the origin": lambda: J.product([(0, 0, 2.0, 0.3, -0.2, 0)], [F.linear()]),
    "prismatic": lambda: J.prismatic((1, -1, 2)),
    "helical": lambda: J.helical("z", 0.1),
    "cylindrical": lambda: J.cylindrical("y"),
    "planar": J.planar,
    "universal": lambda: J.universal((1, 0, 0), (0, 1, 0.2)),
    "weld": J.weld,
    "polynomials": lambda: J.product(
        [(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 1), (0, 0, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0)],
        [F.polynomial([0.1, 0.2, -0.3]), F.sinusoid(0.2, 1.5, 0.3, 0.1), F.linear(), F.linear(scale=0.5, offset=0.2)],
    ),
    "a sum of two coordinates": lambda: J.product(
        [(0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0)],
        [F.linear(0) * F.linear(1), F.linear(0) + F.polynomial([0, 0, 0.3], coordinate=1), F.linear(1)],
    ),
}


def test_joints_that_opensim_has_come_back(tmp_path):
    """Oracle: the model itself; no warning that anything is near only."""
    model = chained(*(make() for make in EXACT.values())).build()
    cd.save(model, tmp_path / "ours.osim", approximate=False)
    same(model, cd.load(tmp_path / "ours.osim"))


def test_what_was_read_is_written_again(tmp_path):
    """Oracle: a file with every function of joints: splines of OpenSim are the same ones."""
    from support.osim_files import JOINTS, chain

    for kind in ("CustomJoint", "PinJoint", "GimbalJoint", "PlanarJoint"):
        assert kind in JOINTS
        (tmp_path / "first.osim").write_text(chain(kind))
        model = cd.load(tmp_path / "first.osim")
        cd.save(model, tmp_path / "ours.osim", approximate=False)
        found = cd.load(tmp_path / "ours.osim")
        same(model, found)
        assert found.motion_types == model.motion_types and found.ranges == dict(model.ranges)


def test_ball_and_free_joints_have_angles(tmp_path):
    """Oracle: poses by scipy's angles."""
    from scipy.spatial.transform import Rotation

    model = chained(J.free(), J.ball()).build()
    found = again(model, tmp_path)
    assert found.coordinates == ("b0_rx", "b0_ry", "b0_rz", "b0_tx", "b0_ty", "b0_tz", "b1_rx", "b1_ry", "b1_rz")
    x = np.linspace(-0.5, 0.6, 9)
    turns = [Rotation.from_euler("XYZ", a).as_quat(scalar_first=True) for a in (x[:3], x[6:])]
    q = np.concatenate([turns[0], x[3:6], turns[1]])
    assert_allclose(cd.forward_kinematics(found, x), cd.forward_kinematics(model, q), atol=1e-13)


def test_a_spline_curve_is_approximated_with_a_certificate(tmp_path):
    """Oracle: poses and slopes of the joint itself at other places; without approximation it is refused by name."""
    rng = np.random.default_rng(0)
    frames = cd.SE3.exp(np.cumsum(0.15 * rng.normal(size=(8, 6)), axis=0))
    model = chained(J.spline_curve(frames), J.revolute("z")).build()
    with pytest.raises(NotSupported, match="'b0'"):
        cd.save(model, tmp_path / "ours.osim", approximate=False)
    with pytest.warns(Approximated, match=r"'b0': six splines of \d+ points.*mm and .*° per unit") as told:
        cd.save(model, tmp_path / "ours.osim")
    found = cd.load(tmp_path / "ours.osim")
    low, high = model.range_of("b0")
    x = np.stack([np.linspace(low, high, 41), np.zeros(41)], axis=1)
    gap = cd.forward_kinematics(found, x).as_matrix()[:, 0] - cd.forward_kinematics(model, x).as_matrix()[:, 0]
    assert np.abs(gap).max() < 1e-5
    said = [float(x) for x in re.findall(r"(\S+) mm and (\S+)°", str(told[0].message))[0]]
    assert 1e3 * np.abs(gap[:, :3, 3]).max() <= 1.01 * said[0] < 1e-2
    assert np.degrees(np.abs(gap[:, :3, :3]).max()) <= 1.01 * said[1] < 1e-3
    two = chained(J.compose(J.revolute("z"), J.prismatic("x"), J.revolute("y"))).build()
    with pytest.raises(NotSupported, match=r"'b0'.*one coordinate"):
        cd.save(two, tmp_path / "two.osim")


@pytest.mark.slow
def test_couplers_ranges_markers_and_shapes_come_back(tmp_path):
    """Oracle: the model itself: followers, accelerations, ranges, defaults, gravity, markers and shapes."""
    rng = np.random.default_rng(5)
    b = chained(J.revolute("z"), J.universal("x", "y"), J.revolute("x"))
    turned = cd.SE3.from_translation((0.1, 0.2, 0.3)) @ cd.SE3.exp((0.4, 0.5, 0.6, 0, 0, 0))
    drawn = [cd.shapes.box((0.1, 0.2, 0.3)), cd.shapes.cylinder(0.1, 0.4, pose=turned), cd.shapes.sphere(0.2)]
    b.add_body("last", "b2", J.revolute("y"), inertia(rng), shapes=drawn)
    b.add_coupler("b2", "b0", F.ellipse_angle(1.0, 1.5))
    b.add_coupler("last", "b1.first", F.polynomial([0.1, 0.2, 0.3]))
    b.set_range("b0", -0.5, 0.9).set_default("b0", 0.3)
    model = replace(b.build(), markers=(cd.Marker("tip", "last", np.array([0.1, 0.2, 0.3])),))
    with pytest.warns(NotInModel, match="'b2'"):  # a function that OpenSim has no class for
        found = again(model, tmp_path)
    assert [(f.name, f.driver) for f in found.followers] == [("b2", "b0"), ("last", "b1_first")]
    assert found.range_of("b0") == (-0.5, 0.9) and found.neutral()[0] == 0.3
    assert (found.markers[0].name, found.markers[0].body) == ("tip", "last")
    assert_allclose(found.gravity, model.gravity)
    q, Q = same(model, found, 1e-7)
    assert_allclose(cd.forward_dynamics(found, Q, Q), cd.forward_dynamics(model, q, q), rtol=1e-3)
    for ours, there in zip(model.bodies[-1].shapes, (found.bodies[-1].shapes[k] for k in (0, 2, 1)), strict=True):
        assert ours.kind == there.kind and ours.size == pytest.approx(there.size)
        assert_allclose(there.pose, ours.pose, atol=1e-12)


def test_what_the_file_cannot_say_is_told(tmp_path):
    """Oracle: the names in the warning."""
    b = chained(J.revolute("z"), J.revolute("x")).add_limit("b0", -1.0, 1.0, stiffness=5.0)
    b.add_stiffness("b1", 3.0, 0.2, 0.1).add_spring("b0", (0, 0, 0), None, (1, 0, 0), stiffness=2.0, length=0.1)
    with pytest.warns(NotInModel, match="'b0'"):
        found = again(b.build(), tmp_path)
    assert len(found.springs) == 1 and found.coordinate_forces[0].constants == (3.0, 0.2, 0.1)
    with pytest.raises(cd.CondyleError, match="approximate"):
        cd.save(b.build(), tmp_path / "ours.toml", approximate=False)


LACKS = {
    "armature": lambda b: b.set_armature("b0", 0.5),
    "limit": lambda b: b.add_limit("b0", -1.0, 1.0, stiffness=5.0),
    "prescribed": lambda b: b.prescribe("b0", lambda t: t),
    "spring's damping": lambda b: b.add_spring(
        "b0", (0, 0, 0), None, (1, 0, 0), stiffness=2.0, damping=1.0, length=0.1
    ),
    "range of one end": lambda b: b.set_range("b0", -1.0, np.inf),
    "coupler": lambda b: b.add_coupler("b0", "b1", F.ellipse_angle(1.0, 1.5)),
}


@pytest.mark.parametrize("lack", LACKS)
def test_an_exact_file_has_the_whole_model_or_is_refused(tmp_path, lack):
    """Oracle: the file, which is not there, and the name of what it would not have."""
    model = LACKS[lack](chained(J.revolute("z"), J.revolute("x"))).build()
    with pytest.raises(NotSupported, match=r"'b0'|damping of springs"):
        cd.save(model, tmp_path / "exact.osim", approximate=False)
    assert not (tmp_path / "exact.osim").exists()
    with pytest.warns(NotInModel, match=r"'b0'|damping of springs"):
        cd.save(model, tmp_path / "near.osim")


SLANTED = [(1.0, 1.0, 1.0), (0.3, -0.7, 0.2), (-1.0, 2.0, 0.5), (0.123, 0.456, -0.789)]


@pytest.mark.parametrize("pitch", [0.0, 1.0], ids=["hinge", "screw that shifts by as much as it turns"])
def test_a_soft_limit_about_any_axis_is_read_as_it_was(tmp_path, pitch):
    """Oracle: the slopes in the text, by which OpenSim tells angles, and the law by hand beyond its transition."""
    joints = [J.helical(axis, pitch) if pitch else J.revolute(axis) for axis in SLANTED]
    b = chained(*joints)
    for k in range(len(SLANTED)):
        b.add_soft_limit(f"b{k}", -0.5, 0.7, stiffness=(30.0, 50.0), transition=0.1)
    found = again(b.build(), tmp_path, approximate=False)
    slopes = re.findall(r"<coefficients>(\S+) \S+</coefficients>", (tmp_path / "ours.osim").read_text())
    assert len(slopes) == len(SLANTED) * (2 if pitch else 1) and set(slopes) == {"1.0"}
    free = again(chained(*joints).build(), tmp_path)
    q, still = np.full(4, 1.1), np.zeros(4)
    push = cd.inverse_dynamics(found, q, still, still) - cd.inverse_dynamics(free, q, still, still)
    assert_allclose(push, 50.0 * (1.1 - 0.7), rtol=1e-9)
