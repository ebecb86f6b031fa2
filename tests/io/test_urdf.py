"""Robots from URDF."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.errors import BadFile
from support.robot import MIMIC, ROBOT


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    return path


def test_names_ranges_dampers_and_shapes_come_over(path):
    """Oracle: the text of the file."""
    model = cd.load(path)
    assert model.names == ("base", "trunk", "left", "tip", "tool", "right")
    assert model.coordinates == ("root", "shoulder", "wheel", "slide")
    assert model.ranges == {"shoulder": (-1.0, 2.0), "slide": (0.0, 0.5)}
    assert [load.constants for load in model.coordinate_forces] == [(0.7,)]
    box = model.bodies[1].shapes[0]
    assert (box.kind, box.size, box.color) == ("box", (0.2, 0.3, 0.4), (0.1, 0.2, 0.9))
    assert_allclose(box.pose[:3, :3], Rotation.from_euler("xyz", (0, 1, 0)).as_matrix(), atol=1e-15)


def test_a_planar_joint_moves_across_its_axis(tmp_path):
    """Oracle: the normal of the plane, and a turn about it."""
    path = tmp_path / "plane.urdf"
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    path.write_text(
        f'<robot name="r"><link name="a">{body}</link><link name="b">{body}</link><joint name="j" type="planar">'
        '<parent link="a"/><child link="b"/><axis xyz="1 2 2"/></joint></robot>'
    )
    joint = cd.load(path).bodies[1].joint
    T = joint.pose([0.4, -0.3, 0.8])
    n = np.array([1, 2, 2]) / 3
    assert abs(T[:3, 3] @ n) < 1e-15 and np.linalg.norm(T[:3, 3]) == pytest.approx(0.5)
    assert_allclose(T[:3, :3], Rotation.from_rotvec(0.8 * n).as_matrix(), atol=1e-14)


@pytest.fixture
def hand(tmp_path):
    path = tmp_path / "hand.urdf"
    text = MIMIC.replace('"near"', '"near.001"').replace('"base"', '"base.1"')
    mirrored = '<visual><geometry><mesh filename="a.stl" scale="1 -1 1"/></geometry></visual>'
    path.write_text(text.replace('<link name="thumb">', f'<link name="thumb">{mirrored}'))
    return cd.load(path)


def test_what_real_files_hold_is_taken(hand):
    """Oracle: the text: a chain of mimics before the joint they follow, other programs' tags, an axis of length 3,
    names with dots, a mesh of a package, one that is mirrored. What is not read is listed."""
    model = hand
    assert model.bodies[model.body_index("thumb")].shapes[0].size == (1.0, -1.0, 1.0)
    assert any("1 <gazebo>" in note for note in model.notes)
    assert any("1 collision shape in model.collisions" in note for note in model.notes)
    assert [(s.kind, s.size) for s in model.collisions["palm"]] == [("sphere", (0.1,))]
    assert set(model.names) == {"palm", "thumb", "near_001", "far", "puck"}
    assert model.bodies[0].shapes[0].path == "package://hand/palm.stl"
    assert {f.name: float(f(0.3)) for f in model.followers} == pytest.approx({"base_1": -0.6, "tip": -0.2})
    q = model.neutral()
    q[model.q_index("grip")] = 0.3
    far = cd.forward_kinematics(model, q)[model.body_index("far")].as_matrix()
    assert_allclose(far[:3, :3], Rotation.from_rotvec([0, -0.8, 0]).as_matrix(), atol=1e-9)


@pytest.mark.slow  # inverse kinematics with coordinates that follow others is an entry of its own
def test_mimics_follow_in_inverse_kinematics(hand):
    """Oracle: the angle of the thumb, and those of the fingers that follow it, from the text."""
    found = cd.ik.solve(hand, cd.ik.orientation("thumb", Rotation.from_rotvec([0, 0.3, 0]).as_matrix()))
    assert found.q[hand.q_index("grip")] == pytest.approx(0.3)
    far = cd.forward_kinematics(hand, found.q)[hand.body_index("far")].as_matrix()
    assert_allclose(far[:3, :3], Rotation.from_rotvec([0, -0.8, 0]).as_matrix(), atol=1e-9)


@pytest.mark.peers
def test_dynamics_is_pinocchios_on_the_same_file(path):
    """Oracle: pin.buildModelFromUrdf, aba without damping, forward kinematics of the link frames."""
    pin = pytest.importorskip("pinocchio")
    theirs, ours = pin.buildModelFromUrdf(str(path)), cd.load(path)
    theirs.damping[:] = 0.0  # ours is a load of the model, theirs an option of some algorithms
    data, rng = theirs.createData(), np.random.default_rng(0)
    names = ("root", "shoulder", "wheel", "slide")
    from dataclasses import replace

    ours = replace(ours, forces=())
    q, v = np.zeros(ours.nq), rng.normal(size=ours.nv)
    q[:] = [0.5, 0.5, -0.5, 0.5, 0.3, 0.4, 0.5, 0.7, 0.2, 0.3]
    pq, pv = np.zeros(theirs.nq), np.zeros(theirs.nv)
    tau, ptau = rng.normal(size=ours.nv), np.zeros(theirs.nv)
    columns = {}
    for name in names:
        j = theirs.joints[theirs.getJointId(name)]
        a, k = ours.q_index(name), ours.v_index(name)
        if j.nv == 6:  # theirs: position, quaternion xyzw; linear, angular
            pq[j.idx_q : j.idx_q + 7] = [*q[a + 4 : a + 7], *q[a + 1 : a + 4], q[a]]
            order = [3, 4, 5, 0, 1, 2]
        elif j.nq == 2:  # unbounded: cosine and sine
            pq[j.idx_q : j.idx_q + 2] = np.cos(q[a]), np.sin(q[a])
            order = [0]
        else:
            pq[j.idx_q] = q[a]
            order = [0]
        columns |= {j.idx_v + i: k + o for i, o in enumerate(order)}
    for mine, other in columns.items():
        pv[mine], ptau[mine] = v[other], tau[other]
    a = cd.forward_dynamics(ours, q, v, tau)
    expected = pin.aba(theirs, data, pq, pv, ptau)
    assert_allclose([a[columns[i]] for i in range(theirs.nv)], expected, rtol=1e-9, atol=1e-9)
    pin.framesForwardKinematics(theirs, data, pq)
    poses = cd.forward_kinematics(ours, q).as_matrix()
    for i, name in enumerate(ours.names):
        assert_allclose(poses[i], data.oMf[theirs.getFrameId(name)].homogeneous, atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<robot", "<!DOCTYPE x [<!ENTITY a 'b'>]><robot", "line 2: a document type or entity is refused"),
        ("</robot>", "", "not valid XML: no element found"),
        ('type="prismatic"', 'type="slider"', "joint 'slide': a type is one of revolute, continuous"),
        ('parent link="tip"', 'parent link="top"', "joint 'mount': there is no link named 'top'"),
        ('child link="tool"', 'child link="tip"', "a link is the child of two joints"),
        (
            'mass value="3"',
            'mass value="heavy"',
            "link 'trunk': <mass value> must be 1 finite number; got 'heavy'",
        ),
        ('mass value="3"', 'mass value="-3"', "link 'trunk': a mass must be finite and not negative; got .*-3"),
        ('ixx="0.3"', "", "link 'trunk': <inertia ixx> must be 1 finite number"),
        (
            '<axis xyz="0 0 1"/>',
            '<axis xyz="0 0 0"/>',
            "joint 'wheel': the axis of a continuous joint must not be",
        ),
        ('<axis xyz="0 0 1"/>', '<mimic joint="wheel"/>', "joint 'wheel': it mimics itself"),
        ('parent link="base"', 'parent link="tool"', "a robot has one root link.*|carry each other in a ring.*'trunk'"),
        ("<robot", "<robots", "not valid XML"),
        (
            'mass value="3"',
            'mass value="${m}"',
            r"must be 1 finite number \(this is xacro.*expand it first: xacro .*got '\${m}'",
        ),
    ],
)
def test_a_bad_robot_is_refused_in_words(old, new, words, path):
    """Oracle: the words."""
    assert old in ROBOT
    path.write_text(ROBOT.replace(old, new, 1))
    with pytest.raises(BadFile, match=words):
        cd.load(path)


SOLID = (
    '<inertial><mass value="0.3"/><origin xyz="0.02 0.01 0.05"/>'
    '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial>'
)
LIMIT = '<limit lower="-2" upper="2" effort="9" velocity="9"/>'
FINGER = f"""<robot name="finger"><link name="palm">{SOLID}</link><link name="near">{SOLID}</link>
  <link name="far">{SOLID}</link><link name="puck">{SOLID}</link>
  <joint name="grip" type="revolute"><parent link="palm"/><child link="near"/>
    <origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><axis xyz="0 1 0"/>{LIMIT}</joint>
  <joint name="tip" type="revolute"><parent link="near"/><child link="far"/><origin xyz="0 0 0.1"/>
    <axis xyz="1 0 0"/>{LIMIT}<mimic joint="grip" multiplier="-0.5" offset="0.1"/></joint>
  <joint name="table" type="planar"><parent link="far"/><child link="puck"/>
    <origin xyz="0 0.1 0" rpy="0 0.4 0"/><axis xyz="0 0 1"/></joint></robot>"""


@pytest.mark.peers
def test_mimic_and_planar_joints_are_pinocchios_on_the_same_file(tmp_path):
    """Oracle: Pinocchio's poses, its mass matrix and forces at rest with the mimic joint as a multiplier."""
    pin = pytest.importorskip("pinocchio")
    path = tmp_path / "finger.urdf"
    path.write_text(FINGER)
    ours, theirs = cd.load(path), pin.buildModelFromUrdf(str(path))
    left = [0, 2, 3, 4]  # the mimic joint is no coordinate
    grip, x, y, angle = 0.7, 0.2, -0.3, 0.5
    q = np.array([grip, 0.1 - 0.5 * grip, x, y, angle])
    pq, data = np.array([*q[:4], np.cos(angle), np.sin(angle)]), theirs.createData()
    pin.framesForwardKinematics(theirs, data, pq)
    poses = cd.forward_kinematics(ours, q[left])
    for name in ("near", "far", "puck"):
        expected = data.oMf[theirs.getFrameId(name)].homogeneous
        assert_allclose(poses[ours.body_index(name)].as_matrix(), expected, atol=1e-12)
    M = np.triu(pin.crba(theirs, data, pq))
    M = M + np.triu(M, 1).T
    row = np.array([0.5, 1.0, 0.0, 0.0, 0.0])  # of the mimic joint
    system = np.block([[M, row[:, None]], [row[None], np.zeros((1, 1))]])
    a = np.linalg.solve(system, np.append(-pin.nonLinearEffects(theirs, data, pq, np.zeros(5)), 0.0))[:5]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    a[2:4] = turn @ a[2:4]  # their planar velocities are the child's own
    assert_allclose(cd.forward_dynamics(ours, q[left], np.zeros(4)), a[left], rtol=1e-9, atol=1e-9)


CART = """<robot name="cart">
  <link name="hull"><inertial><origin xyz="0.1 0 0.2" rpy="0.3 -0.2 0.5"/><mass value="3"/>
    <inertia ixx="0.3" iyy="0.4" izz="0.35" ixy="0.02" ixz="-0.03" iyz="0.01"/></inertial></link>
  <link name="mast"><inertial><origin xyz="0 0 0.5"/><mass value="0.7"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="tilt" type="revolute"><parent link="hull"/><child link="mast"/><origin xyz="0.2 0 0.3" rpy="0 0.4 0"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


@pytest.mark.peers
def test_a_free_base_is_pinocchios_free_flyer(tmp_path):
    """Oracle: pin.buildModelFromUrdf with JointModelFreeFlyer, aba."""
    pin = pytest.importorskip("pinocchio")
    path = tmp_path / "cart.urdf"
    path.write_text(CART)
    ours, theirs = cd.load(path, base="free"), pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    rng = np.random.default_rng(3)
    q, v, tau = np.array([0.5, 0.5, -0.5, 0.5, 0.3, 0.4, 0.5, 0.7]), rng.normal(size=7), rng.normal(size=7)
    order = [3, 4, 5, 0, 1, 2, 6]  # theirs: linear, angular
    expected = pin.aba(theirs, theirs.createData(), q[[4, 5, 6, 1, 2, 3, 0, 7]], v[order], tau[order])
    assert_allclose(cd.forward_dynamics(ours, q, v, tau)[order], expected, rtol=1e-9, atol=1e-9)


def test_a_free_base_falls_and_a_fixed_one_stays(tmp_path):
    """Oracle: free fall; the same file either way."""
    path = tmp_path / "cart.urdf"
    path.write_text(CART)
    free = cd.load(path, base="free")
    assert free.coordinates == ("hull", "tilt") and cd.load(path).coordinates == ("tilt",)
    a = cd.forward_dynamics(free, free.neutral(), np.zeros(7))
    assert_allclose(a, [0, 0, 0, *free.gravity, 0], atol=1e-12)


def test_a_base_is_fixed_or_free_and_for_robots_only(tmp_path):
    """Oracle: the words."""
    robot, model = tmp_path / "cart.urdf", tmp_path / "leg.toml"
    robot.write_text(CART)
    cd.save(cd.gallery.leg(), model)
    with pytest.raises(cd.errors.UnknownName, match=r"no base named 'fre' in a robot\. Did you mean 'free'\?"):
        cd.load(robot, base="fre")
    with pytest.raises(ValueError, match=r"leg.toml: `base` is for URDF and SDF files.*got base = 'free'"):
        cd.load(model, base="free")
