"""Joints and frames of .osim files, against closed forms with scipy's rotations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import condyle as cd
from support.osim_files import (
    JOINTS,
    OLD_BODY,
    body,
    chain,
    coordinate,
    coordinate_set,
    joint,
    model,
    numbers,
    offsets,
    old_file,
    old_joint,
    old_model,
)
from support.osim_oracles import frame, opened, pose, simm

QUARTER = Rotation.from_euler("z", 0.5 * np.pi).as_matrix()


def xyz(q):
    return Rotation.from_euler("XYZ", q).as_matrix()


def on_ellipsoid(q, radii):
    R = xyz(q[:3])
    return pose(R, radii * R[:, 2])


def scapula(q):
    """The notes' form: Z E Z⁻¹ T Rot(w, q) T⁻¹."""
    T = pose(np.eye(3), (0.01, -0.03, 0.0))
    w = np.array([-np.sin(0.4), np.cos(0.4), 0.0])
    E = on_ellipsoid(q, np.array([0.15, 0.07, 0.08]))
    turn = pose(Rotation.from_rotvec(w * q[3]).as_matrix())
    return pose(QUARTER) @ E @ pose(QUARTER.T) @ T @ turn @ np.linalg.inv(T)


def knee(q):
    a, b = q
    shift = np.array([1, 0, 0]) * simm(a) - 0.7 * simm(a) * np.array([0, 3, 1]) / np.sqrt(10)
    shift = shift + 0.11 * np.array([0, 0.5, 1]) / np.sqrt(1.25)
    axes = np.array([[0.1, 0.2, 2.0], [0, 1, 0.3], [1, 0, 0]])
    angles = [a, 0.3 * a * a - 0.2 * a + 0.1, 0.4 * np.sin(1.3 * b + 0.2)]
    R = np.eye(3)
    for axis, angle in zip(axes, angles, strict=True):
        R = R @ Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).as_matrix()
    return pose(R, shift)


def z_turn(q):
    return Rotation.from_euler("z", q).as_matrix()


def rod(q):
    """An arc of a circle: its tangent at the end is the third axis of the end, its length stays."""
    angles = q + [0.1, -0.2, 0.3]
    R = Rotation.from_euler("XZY", angles).as_matrix()
    u, radius = R[:, 1], 0.4 / np.arccos(R[1, 1])
    side = np.array([u[0], 0, u[2]]) / np.hypot(u[0], u[2])
    return pose(R, radius * (1 - u[1]) * side + [0, radius * np.sqrt(1 - u[1] ** 2), 0])


CLOSED = {
    "WeldJoint": lambda q: np.eye(4),
    "PinJoint": lambda q: pose(z_turn(q[0])),
    "SliderJoint": lambda q: pose(np.eye(3), (q[0], 0, 0)),
    "UniversalJoint": lambda q: pose(Rotation.from_euler("XY", q).as_matrix()),
    "BallJoint": lambda q: pose(xyz(q)),
    "GimbalJoint": lambda q: pose(xyz(q)),
    "FreeJoint": lambda q: pose(xyz(q[:3]), q[3:]),
    "PlanarJoint": lambda q: pose(z_turn(q[0]), (q[1], q[2], 0)),
    "EllipsoidJoint": lambda q: on_ellipsoid(q, np.array([0.1, 0.2, 0.15])),
    "ScapulothoracicJoint": scapula,
    "ConstantCurvatureJoint": rod,
    "CustomJoint": knee,
}


def between(found, q):
    """The pose of the last body in the first."""
    one, two = cd.forward_kinematics(found, q).as_matrix()
    return np.linalg.inv(one) @ two


def placed(motion, seed=2):
    """X_PF · X_FM · X_CM⁻¹ with the offsets of a file."""
    parent, child = (frame(*ends) for ends in offsets(seed))
    return parent @ motion @ np.linalg.inv(child)


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_moves_its_body_as_its_closed_form_says(kind, tmp_path):
    """Oracle: rotations of scipy put together by the definition of each joint, inside and outside of splines."""
    found = opened(chain(kind), tmp_path)
    most = 1.3 if kind == "ConstantCurvatureJoint" else 2.0  # a rod is known up to a right angle
    for q in np.random.default_rng(0).uniform(-most, most, (5, found.nq)):
        assert_allclose(between(found, q), placed(CLOSED[kind](q[1:])), atol=1e-12)


def test_a_straight_rod_is_the_limit_of_bent_ones(tmp_path):
    """Oracle: the end of a nearly straight rod is half as far aside as it is turned: no jump, as OpenSim has."""
    text = chain("ConstantCurvatureJoint").replace("0.1 -0.2 0.3", "0 0 0")
    joint = opened(text, tmp_path).bodies[1].joint
    for angle in (0.0, 1e-9, 5e-4, 2e-3):
        expected = [0, 0.4 * np.sinc(angle / np.pi), 0.4 * np.sin(angle) * (0.5 + angle**2 / 24)]
        assert_allclose(joint.pose([angle, 0, 0]).xyz, expected, atol=1e-12)


def test_a_joint_met_from_its_child_is_turned_round(tmp_path):
    """Oracle: the inverse of the closed form."""
    found = opened(chain("Reversed"), tmp_path)
    q = np.array([0.3, -0.6, 0.8])
    assert_allclose(between(found, q), np.linalg.inv(placed(knee(q[1:]))), atol=1e-13)


def test_coordinates_keep_their_names_in_the_order_of_the_axes(tmp_path):
    """Oracle: the order in which the six axes name them, not that of the list."""
    assert opened(chain("TwoOfOneAxis"), tmp_path).coordinates == ("turn", "a", "b")


@pytest.mark.parametrize("version", [10905, 20001, 20302, 30000])
def test_old_files_hold_joints_in_bodies(version, tmp_path):
    """Oracle: the closed form; the moments by hand."""
    found, q = opened(old_file(version), tmp_path), np.array([-0.4, 0.9])
    assert_allclose(cd.forward_kinematics(found, q).as_matrix()[0], placed(knee(q)), atol=1e-13)
    assert_allclose(found.bodies[0].inertia.moment, [[0.3, 0.02, 0], [0.02, 0.35, 0], [0, 0, 0.4]])
    assert found.bodies[0].joint_name == "knee"


def test_an_old_reversed_joint_moves_by_the_inverse(tmp_path):
    """Oracle: X_PF · X_FM(q)⁻¹ · X_CM⁻¹."""
    q = np.array([-0.4, 0.9])
    found = cd.forward_kinematics(opened(old_file(reverse="true"), tmp_path), q).as_matrix()[0]
    assert_allclose(found, placed(np.linalg.inv(knee(q))), atol=1e-13)


def test_axes_are_sorted_by_what_they_do_before_version_10901(tmp_path):
    """Oracle: a shift in the parent's frame, then a turn, by hand."""
    axes = """<TransformAxisSet><objects>
<TransformAxis name="t"><is_rotation>false</is_rotation><coordinate>s</coordinate><axis>0 2 0</axis>
<function><LinearFunction><coefficients>1 0.5</coefficients></LinearFunction></function></TransformAxis>
<TransformAxis name="r"><is_rotation>true</is_rotation><coordinate>r</coordinate><axis>0 0 1</axis>
<function><natCubicSpline><x>-1 0 1</x><y>1 0 1</y></natCubicSpline></function></TransformAxis>
</objects></TransformAxisSet>"""
    inside = coordinate_set("r", "s") + axes
    text = old_model(OLD_BODY.format(name="a", joint=old_joint("CustomJoint", "j", "ground", inside)), version=10900)
    found = opened(text, tmp_path)
    assert found.coordinates == ("r", "s")
    made = cd.forward_kinematics(found, [0.5, 0.3]).as_matrix()[0]
    assert_allclose(made, placed(pose(z_turn(0.25), (0, 0.8, 0))), atol=1e-14)


def test_connectors_and_places_on_the_child_of_version_30501_are_read(tmp_path):
    """Oracle: the closed form of a pin."""
    (p, a), (c, b) = offsets(2)
    made = f"""<PinJoint name="pin"><connectors>
<Connector_PhysicalFrame_ name="parent_body"><connectee_name>../ground</connectee_name></Connector_PhysicalFrame_>
<Connector_PhysicalFrame_ name="child_body"><connectee_name>../one</connectee_name></Connector_PhysicalFrame_>
</connectors><location_in_parent>{numbers(p)}</location_in_parent><orientation_in_parent>{numbers(a)}</orientation_in_parent>
<location_in_child>{numbers(c)}</location_in_child><orientation_in_child>{numbers(b)}</orientation_in_child>
{coordinate_set("q1")}</PinJoint>"""
    found = opened(model([body("one")], [made], version=30501), tmp_path)
    assert_allclose(cd.forward_kinematics(found, [0.7]).as_matrix()[0], placed(pose(z_turn(0.7))), atol=1e-14)
    assert "pin.q1" in found.name_forms


def test_frames_on_frames_are_followed_to_their_body(tmp_path):
    """Oracle: the product of the poses."""
    frames = """<PhysicalOffsetFrame name="outer"><socket_parent>/bodyset/one/inner</socket_parent>
<translation>0 0.2 0</translation><orientation>0.1 0 0.4</orientation></PhysicalOffsetFrame>"""
    inner = """<components><PhysicalOffsetFrame name="inner"><socket_parent>..</socket_parent>
<translation>0.1 0 0</translation><orientation>0 0.3 0</orientation></PhysicalOffsetFrame></components>"""
    made = f"""<WeldJoint name="w"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>outer</socket_child_frame><frames>{frames}</frames></WeldJoint>"""
    found = opened(model([body("one", extra=inner)], [made]), tmp_path)
    chain_of_two = frame((0.1, 0, 0), (0, 0.3, 0)) @ frame((0, 0.2, 0), (0.1, 0, 0.4))
    assert_allclose(cd.forward_kinematics(found, []).as_matrix()[0], np.linalg.inv(chain_of_two), atol=1e-14)


def test_constraints_of_one_name_keep_their_own_frames(tmp_path):
    """Oracle: the places of the file, for frames of one name in constraints of one name and of none."""
    weld = """<WeldConstraint name="{}"><socket_frame1>here</socket_frame1><socket_frame2>/ground</socket_frame2>
<frames><PhysicalOffsetFrame name="here"><socket_parent>/bodyset/two</socket_parent><translation>{} 0 0</translation>
</PhysicalOffsetFrame></frames></WeldConstraint>"""
    made = "".join(weld.format(name, x) for name, x in (("w", 1), ("w", 2), ("", 3), ("", 4)))
    extra = f"<ConstraintSet><objects>{made}</objects></ConstraintSet>"
    found = opened(chain("PinJoint").replace("</Model>", f"{extra}</Model>"), tmp_path)
    assert [c.frame_a[0, 3] for c in found.constraints] == [1, 2, 3, 4]


def test_a_weld_that_closes_a_loop_is_a_constraint(tmp_path):
    """Oracle: the frames of the file."""
    text = chain("PinJoint")
    closing = joint("WeldJoint", "closing", "/bodyset/two", "/ground", [], seed=5)
    found = opened(text.replace("</objects></JointSet>", f"{closing}</objects></JointSet>"), tmp_path)
    (loop,) = found.constraints
    assert (loop.a, loop.b, found.nq) == (1, -1, 2)
    for made, ends in zip((loop.frame_a, loop.frame_b), offsets(5), strict=True):
        assert_allclose(made, frame(*ends), atol=1e-15)


def test_a_frame_that_is_there_twice_is_refused_where_it_is_used(tmp_path):
    """Oracle: the name and the line."""
    text = chain("PinJoint").replace('name="c_offset"', 'name="p_offset"')
    with pytest.raises(cd.CondyleError, match=r"line 2.*two frames.*p_offset"):
        opened(text, tmp_path)


def test_coordinates_that_only_axes_name_are_made(tmp_path):
    """Oracle: the closed form; OpenSim makes them too."""
    text = chain("CustomJoint").replace(coordinate("a"), "").replace(coordinate("b"), "")
    found, q = opened(text, tmp_path), np.array([0.2, 0.3, -0.4])
    assert found.coordinates == ("turn", "a", "b")
    assert_allclose(between(found, q), placed(knee(q[1:])), atol=1e-13)


def test_a_body_without_a_joint_is_free_and_told(tmp_path):
    """Oracle: six coordinates, named as OpenSim names them."""
    with pytest.warns(cd.errors.NotInModel, match="one"):
        found = opened(model([body("one")], []), tmp_path)
    assert found.coordinates == tuple(f"free_one_coord_{k}" for k in range(6))
    q = np.array([0.1, 0.2, 0.3, 1.0, 2.0, 3.0])
    assert_allclose(cd.forward_kinematics(found, q).as_matrix()[0], pose(xyz(q[:3]), q[3:]), atol=1e-14)


@pytest.mark.parametrize("kind", ["loop", "ring of frames", "no such body", "unknown joint"])
def test_what_makes_no_tree_is_refused_by_name_and_line(kind, tmp_path):
    """Oracle: the names, and the line, which is the second of the file."""
    one, two = "/bodyset/one", "/bodyset/two"
    base = joint("PinJoint", "base", "/ground", one, [coordinate("a")])
    second = joint("PinJoint", "second", one, two, [coordinate("b")])
    cases = {
        "loop": ([base, second, joint("PinJoint", "third", two, "/ground", [])], "third"),
        "ring of frames": ([joint("WeldJoint", "base", "c_offset", "p_offset", [])], "ring"),
        "no such body": ([base, joint("PinJoint", "second", one, "/bodyset/tree", [coordinate("b")])], "tree"),
        "unknown joint": ([base, joint("ElasticJoint", "second", one, two, [])], "ElasticJoint"),
    }
    joints, words = cases[kind]
    with pytest.raises(cd.CondyleError, match=f"line 2.*{words}"):
        opened(model([body("one"), body("two")], joints), tmp_path)
