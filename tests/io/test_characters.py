"""Characters of BVH files: poses exact to the file, masses of a person, and files written."""

import re

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleError, NotSupported
from condyle.formats.bvh import read_bvh
from support.bvh_dialects import Dialect
from support.bvh_person import person
from support.laboratory import FOLDER

SHARED = FOLDER / "bvh"
EXACT = 1e-9
BLANKS = re.compile(r"\s+")
ARM = """HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  CHANNELS 6 Yrotation Zposition Xrotation xposition Yposition Zrotation
  JOINT Arm.l
  {
    OFFSET 0 4 0
    CHANNELS 3 Zrotation Xrotation Zrotation
    JOINT Slider
    {
      OFFSET 0.5 6 -0.5
      CHANNELS 2 Yposition Xrotation
      JOINT Stub
      {
        OFFSET 1 0 0
        CHANNELS 0
        End Site
        {
          OFFSET 0 2 0
        }
      }
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.025
10 1 20 2 3 30 40 50 60 6.5 70
-100 1.5 20 2 3.5 350 -40 50 -60 7 80
120 2 -20 2 4 -5 40 150 60 7.5 90
200 2.5 20 2 4.5 30 40 50 359 8 100
"""


def written_out(text):
    """{joint: poses (T, 4, 4)} of a BVH file: a reader of its own, one frame and one channel after another."""
    head, _, motion = text.partition("MOTION")
    rows = [list(map(float, line.split())) for line in motion.strip().splitlines()[2:]]
    found, stack, joint = {}, [], None
    order = []
    for line in head.splitlines():
        words = line.split()
        if not words or words[0] in ("HIERARCHY", "{"):
            continue
        if words[0] in ("ROOT", "JOINT", "End"):
            joint = words[1] if words[0] != "End" else f"{stack[-1]}_end"
            order.append(joint)
            found[joint] = {"parent": stack[-1] if stack else None, "channels": []}
            stack.append(joint)
        elif words[0] == "OFFSET":
            found[joint]["offset"] = list(map(float, words[1:4]))
        elif words[0] == "CHANNELS":
            found[joint]["channels"] = [w.lower() for w in words[2:]]
        elif words[0] == "}":
            stack.pop()
    poses = {joint: [] for joint in order}
    for row in rows:
        numbers = iter(row)
        for joint in order:
            shift, turn = list(found[joint]["offset"]), np.eye(3)
            for channel in found[joint]["channels"]:
                value, axis = next(numbers), "xyz".index(channel[0])
                if channel[1:] == "position":
                    shift[axis] = value
                else:
                    turn = turn @ about(axis, np.deg2rad(value))
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = turn, shift
            parent = found[joint]["parent"]
            poses[joint].append(T if parent is None else poses[parent][-1] @ T)
    return {joint: np.array(T) for joint, T in poses.items()}


def about(axis, angle):
    """A rotation about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.roll(np.roll([[1, 0, 0], [0, c, -s], [0, s, c]], axis, axis=0), axis, axis=1)


def gap(motion, expected, unit=1.0):
    """The largest difference of any pose of any body; lengths in the unit of the file."""
    poses, worst = motion.poses().as_matrix(), 0.0
    for joint, T in expected.items():
        own = poses[:, motion.model.body_index(joint.replace(".", "_"))]
        worst = max(
            worst, np.abs(own[:, :3, :3] - T[:, :3, :3]).max(), np.abs(own[:, :3, 3] / unit - T[:, :3, 3]).max()
        )
    return worst


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.bvh"
    path.write_text(ARM)
    return path


@pytest.mark.parametrize("joints", ["euler", "ball"])
def test_poses_are_those_of_the_file(arm, joints):
    """Oracle: forward kinematics written out in this test; any order of channels, repeated axes, places in joints."""
    motion = cd.read_character(arm, joints=joints, unit="cm")
    assert gap(motion, written_out(ARM), 0.01) < 1e-12
    assert motion.t == pytest.approx([0, 0.025, 0.05, 0.075])


def test_coordinates_are_the_channels_in_their_order(arm):
    """Oracle: the numbers of the file, in metres and radians."""
    motion = cd.load(arm)
    rows = np.array([line.split() for line in ARM.splitlines()[-4:]], dtype=float)
    places = [1, 3, 4, 9]
    assert np.abs(motion.q[:, places] - rows[:, places]).max() == 0
    turns = [k for k in range(11) if k not in places]
    assert np.abs(np.degrees(motion.q[:, turns]) - rows[:, turns]).max() < 1e-12
    assert motion["Hips.Zposition"][1] == 1.5 and motion["Arm_l.Zrotation_2"][3] == pytest.approx(np.radians(359))


def test_velocities_take_the_shorter_way_round(arm):
    """Oracle: central differences by hand: 30°, 350° = −10°, −5° in steps of 25 ms."""
    motion = cd.load(arm)
    v = np.degrees(motion.v[:, motion.model.v_index("Hips.Zrotation")])
    assert v == pytest.approx([-40 / 0.025, (-5 - 30) / 0.05, (30 + 10) / 0.05, 35 / 0.025])


def test_a_subtree_moves_as_seen_from_what_carries_it(arm):
    """Oracle: the poses of the whole, relative to those of the parent."""
    whole, part = written_out(ARM), cd.read_character(arm, root="Slider")
    assert [b.name for b in part.model.bodies] == ["Slider", "Stub", "Stub_end"]
    seen = {j: np.linalg.inv(whole["Arm.l"]) @ whole[j] for j in ("Slider", "Stub", "Stub_end")}
    assert gap(part, seen) < 1e-12


@pytest.mark.parametrize("unit", ["m", "inch", 0.056444])
def test_a_file_comes_back_as_it_was(arm, tmp_path, unit):
    """Oracle: names, channels and numbers of the first file."""
    out = cd.write_character(cd.read_character(arm, unit=unit), tmp_path / "out.bvh", unit=unit)
    one, two = read_bvh(arm), read_bvh(out)
    assert two.names == [name.replace(".", "_") for name in one.names] and two.channels == one.channels
    assert two.parents == one.parents and two.frame_time == one.frame_time
    offsets = one.offsets.copy()
    offsets[0], offsets[2, 1] = 0.0, 0.0  # channels of places take their place
    assert np.abs(two.offsets - offsets).max() < 1e-12 and np.abs(two.values - one.values).max() < 1e-9


def test_any_motion_can_be_a_character(tmp_path):
    """Oracle: the poses of the simulation, read back."""
    bob = cd.Inertia.sphere(1.0, 0.1, com=(0, 0, -1))
    away = cd.SE3.exp([0.4, 0.2, 0.1, 1, 2, 3])
    b = cd.ModelBuilder().add_body("upper", joint=cd.joints.free(), inertia=bob, placement=away)
    b = b.add_body("lower arm", "upper", cd.joints.ball(), bob, placement=cd.SE3.from_translation([0, 0, -1]))
    model = b.build()
    motion = cd.simulate(model, model.neutral(), np.arange(9.0), duration=0.2, step=0.01, record=0.02)
    back = cd.load(cd.save(motion, tmp_path / "out.bvh"))
    expected = motion.poses().as_matrix()
    assert gap(back, {"upper": expected[:, 0], "lower_arm": expected[:, 1]}) < 1e-9


def test_batches_and_uneven_steps_are_refused(tmp_path, arm):
    """Oracle: the words."""
    motion = cd.load(arm)
    uneven = cd.Trajectory(motion.model, motion.t**2, motion.q, motion.v)
    with pytest.raises(NotSupported, match="equal"):
        cd.save(uneven, tmp_path / "out.bvh")
    batch = cd.Trajectory(motion.model, motion.t, motion.q[None], motion.v[None])
    with pytest.raises(NotSupported, match="one motion"):
        cd.save(batch, tmp_path / "out.bvh")


@pytest.mark.parametrize("seed", range(57))
def test_sixty_files_of_many_programs_are_exact_and_come_back(seed, tmp_path):
    """Oracle: poses of the tree that the file was made from; with three recordings, 60 files. Written, read again."""
    file = Dialect(seed)
    path = tmp_path / "dialect.bvh"
    path.write_bytes(file.text.encode())
    motion = cd.read_character(path, unit=file.unit, joints="ball" if seed % 3 == 0 else "euler")
    assert gap(motion, file.poses, file.meters) < EXACT
    assert motion.t[-1] == pytest.approx((len(file.values) - 1) * file.frame_time)
    again = cd.read_character(cd.write_character(motion, tmp_path / "again.bvh", unit=file.unit), unit=file.unit)
    named = {BLANKS.sub("_", name): poses for name, poses in file.poses.items()}
    assert gap(again, named, file.meters) < EXACT
    if seed % 3:
        assert np.abs(read_bvh(tmp_path / "again.bvh").values - read_bvh(path).values).max() < EXACT


def test_bones_go_from_joint_to_joint(arm):
    """Oracle: the offsets of the file: a bone begins at its joint and ends where one that it carries begins."""
    bvh, model = read_bvh(arm), cd.load(arm).model
    for j, body in enumerate(model.bodies):
        offsets = [bvh.offsets[k] for k, parent in enumerate(bvh.parents) if parent == j and bvh.offsets[k].any()]
        ends = [s.pose[:3, 3] + x * s.size[1] * s.pose[:3, 2] for s in body.shapes for x in (-0.5, 0.5)]
        np.testing.assert_allclose(np.reshape(ends[::2], (-1, 3)), np.zeros((len(offsets), 3)), atol=1e-12)
        np.testing.assert_allclose(np.reshape(ends[1::2], (-1, 3)), np.reshape(offsets, (-1, 3)), atol=1e-12)


def test_a_person_has_de_levas_masses(tmp_path):
    """Oracle: de Leva's Table 4: all of the mass, a thigh of 14.16 % whose centre is at 40.95 % of its length."""
    path = tmp_path / "person.bvh"
    path.write_text(person())
    model = cd.read_character(path, unit="cm", mass=80.0).model
    assert sum(b.inertia.mass for b in model.bodies) == pytest.approx(80.0, rel=1e-3)
    thigh = model.bodies[model.body_index("LeftUpLeg")].inertia
    assert thigh.mass == pytest.approx(0.1416 * 80) and thigh.com == pytest.approx([0, -0.4 * 0.4095, 0])
    assert thigh.moment.diagonal() / (thigh.mass * 0.4**2) == pytest.approx([0.329**2, 0.149**2, 0.329**2])
    woman = cd.read_character(path, unit="cm", mass=60.0, sex="female").model
    assert woman.bodies[woman.body_index("RightHand")].inertia.mass == pytest.approx(0.0056 * 60)
    assert sum(b.inertia.mass for b in woman.bodies) == pytest.approx(60.0, rel=1e-3)


def test_missing_segments_are_named(arm):
    """Oracle: the words name what no joint carries."""
    with pytest.raises(CondyleError, match="left thigh"):
        cd.read_character(arm, mass=70.0)


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", sorted(SHARED.glob("*.bvh")) or [None], ids=lambda p: p.name if p else "absent")
def test_recorded_characters_are_exact(path, every, tmp_path):
    """Oracle: forward kinematics written out above, over some or all frames; the file written and read again."""
    if path is None:
        pytest.skip("recorded BVH files are not here")
    lines = path.read_text().splitlines()
    first = lines.index("MOTION") + 3
    text = "\n".join([*lines[: first - 2], "Frames: 0", lines[first - 1], *lines[first::every]]) + "\n"
    text = text.replace("Frames: 0", f"Frames: {len(lines[first::every])}")
    (tmp_path / "few.bvh").write_text(text)
    motion, expected = cd.load(tmp_path / "few.bvh"), written_out(text)
    assert gap(motion, expected) < EXACT
    assert gap(cd.load(cd.save(motion, tmp_path / "again.bvh")), expected) < EXACT
    assert sum(b.inertia.mass for b in cd.read_character(path, mass=70.0).model.bodies) == pytest.approx(70, rel=1e-3)


@pytest.mark.filterwarnings("ignore::condyle.errors.CondyleWarning")
def test_damaged_files_give_a_motion_or_a_named_error(tmp_path):
    """Oracle: no other exception, over 500 mutations."""
    rng = np.random.default_rng(0)
    path, opened, refused = tmp_path / "damaged.bvh", 0, 0
    pieces = [
        b"0",
        b"-1",
        b"1e300",
        b"nan",
        b"{",
        b"}",
        b" ",
        b"CHANNELS",
        b"JOINT x",
        b"End Site",
        b"\xff",
        b"Xposition",
    ]
    for _ in range(500):
        data = bytearray(ARM.encode())
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(len(data)))
            data[at : at + int(rng.integers(0, 6))] = pieces[rng.integers(len(pieces))]
        path.write_bytes(bytes(data))
        try:
            opened += isinstance(cd.load(path), cd.Trajectory)
        except BadFile:
            refused += 1
    assert opened > 5 and opened + refused == 500
