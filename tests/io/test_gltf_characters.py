"""Characters of glTF files: nodes, skins and animations as bodies and motions, exact to the file; hostile files."""

import random

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

import condyle as cd
from condyle.errors import BadFile
from condyle.gallery import leg
from support.bvh_person import person
from support.damage import mutated, outcome
from support.gltf_files import CURVES, JOINTS, NODES, Hand, local, rest_transforms, turns
from support.seeds import BVH

FLOAT = 2.0**-23


def written(tmp_path, hand, name="hand.gltf"):
    (path := tmp_path / name).write_bytes(hand.binary() if name.endswith("glb") else hand.text())
    return path


def value(curve, t):
    """A curve at a time by scipy: Slerp, a Hermite spline, or the last key before; it stays before and after."""
    way, times, values = curve
    times, values = np.float32(times).astype(float), np.float32(values).astype(float)
    t, turn = np.clip(t, times[0], times[-1]), values.shape[1] == 4
    if way == "STEP":
        return values[[k for k in range(len(times)) if times[k] <= t][-1]]
    if way == "CUBICSPLINE":
        into, at, out = (values[k::3] for k in range(3))
        at = at / np.linalg.norm(at, axis=1, keepdims=True) if turn else at
        k = min(np.searchsorted(times, t, side="right") - 1, len(times) - 2)
        return CubicHermiteSpline(times[k : k + 2], at[k : k + 2], [out[k], into[k + 1]])(t)
    if turn:
        return Slerp(times, Rotation.from_quat(values))([t]).as_quat()[0]
    return np.array([np.interp(t, times, x) for x in values.T])


def by_hand(t, curves=CURVES):
    """Poses (4, 4) of the joints at a time: transforms multiplied along the chain of nodes, axes made unit."""
    whole, found = np.eye(4), []
    for k, node in enumerate(NODES):
        whole = whole @ local(node, **{path: value(c, t) for (n, path), c in curves.items() if n == k})
        if k in JOINTS:
            found.append(whole @ np.diag([*(1 / np.linalg.norm(whole[:3, :3], axis=0)), 1]))
    return np.array(found)


def test_poses_are_those_of_the_nodes(tmp_path):
    """Oracle: transforms composed by hand with scipy's interpolation; keys at other times, a scale and a matrix."""
    motion = cd.load(written(tmp_path, Hand()))
    assert motion.model.names == ("Hips", "Arm_l", "Hand")
    assert motion.model.nv == 6 + 3 + 3  # the hips move, the others turn
    assert {0.0, 0.25, 0.5, 0.75, 1.0} <= set(motion.t) and len(motion.t) >= 60
    poses = motion.poses().as_matrix()
    for k, t in enumerate(motion.t):
        assert_allclose(poses[k], by_hand(t), atol=2e-12)


def test_the_neutral_posture_is_that_of_the_nodes_at_rest(tmp_path):
    """Oracle: the transforms of the nodes as the file has them, without its curves."""
    model = cd.load(written(tmp_path, Hand())).model
    poses = cd.forward_kinematics(model, model.neutral()).as_matrix()
    assert_allclose(poses, by_hand(0.0, {}), atol=1e-12)
    still = cd.load(written(tmp_path, Hand(curves={}), "still.gltf"))
    assert len(still.t) == 1 and not still.v.any()
    assert_allclose(still.poses().as_matrix()[0], by_hand(0.0, {}), atol=1e-12)


def test_velocities_are_slopes_of_the_poses(tmp_path):
    """Oracle: a node that turns evenly about one axis, keyed at uneven times: 3 rad/s everywhere."""
    t = [0.0, 0.1, 0.3, 0.35, 0.6]
    spin = {(1, "rotation"): ("LINEAR", t, turns(*[(0, 0, 3.0 * x) for x in t]))}
    motion = cd.load(written(tmp_path, Hand(spin)))
    assert_allclose(motion.v[:, :3], np.tile([0, 0, 3.0], (5, 1)), atol=1e-5)


@pytest.mark.parametrize("way", ["inside", "beside", "binary"])
def test_numbers_are_read_wherever_they_are(tmp_path, way):
    """Oracle: the same motion from base64, from a file beside and from the chunk of a .glb."""
    hand, expected = Hand(), cd.load(written(tmp_path, Hand(), "first.gltf"))
    path = tmp_path / ("a.glb" if way == "binary" else "a.gltf")
    (tmp_path / "my numbers.bin").write_bytes(hand.data)
    path.write_bytes(hand.binary() if way == "binary" else hand.text("my%20numbers.bin" if way == "beside" else None))
    assert np.array_equal(cd.load(path).q, expected.q)


def test_whole_numbers_and_strides_are_read(tmp_path):
    """Oracle: quaternions as normalised 16-bit integers with a gap after each, against their rounded values."""
    hand, q = Hand(curves={}), turns((0.3, 0, 0), (0, 0.5, 0.2))
    whole = np.round(q * 32767).astype("<i2")
    at = hand.array(np.hstack([whole, np.zeros((2, 2), "<i2")]), "VEC4", 5122, "<i2", normalized=True)
    hand.tree["accessors"][at]["count"], hand.tree["bufferViews"][-1]["byteStride"] = 2, 12
    sampler = {"input": hand.array([0.0, 1.0], "SCALAR"), "output": at}
    channel = {"sampler": 0, "target": {"node": 3, "path": "rotation"}}
    hand.tree["animations"] = [{"samplers": [sampler], "channels": [channel]}]
    motion = cd.load(written(tmp_path, hand))
    shown = motion.poses().as_matrix()[:, 0:2, :3, :3]
    unit = local({"rotation": NODES[0]["rotation"]})[:3, :3] @ local(NODES[2])[:3, :3] / 2
    assert_allclose(shown[:, 1], unit @ Rotation.from_quat(whole / 32767).as_matrix(), atol=1e-12)


@pytest.mark.parametrize("armature", [True, False])
def test_what_condyle_writes_comes_back(tmp_path, armature):
    """Oracle: the poses that were written, to the four bytes of a number."""
    t = np.arange(241) / 60
    q = np.stack([0.8 * np.cos(3 * t), -1 + 0.8 * np.sin(5 * t), 0.3 * np.sin(4 * t)], axis=1)
    swing = cd.Trajectory(leg(), t, q, 0 * q)
    again = cd.load(cd.view.export(swing, tmp_path / "leg.glb", armature=armature))
    assert again.model.names == swing.model.names
    assert_allclose(again.t, t, atol=4 * FLOAT)
    assert np.ptp(np.diff(again.t)) < 1e-12  # even again, so that it can be written as BVH
    assert np.abs(again.poses().as_matrix() - swing.poses().as_matrix()).max() < 4 * FLOAT
    cd.save(again, tmp_path / "leg.bvh")


def test_a_person_comes_back_with_its_masses(tmp_path):
    """Oracle: the person that was written, and de Leva's masses in the axes of its bodies."""
    (tmp_path / "person.bvh").write_text(person())
    model = cd.read_character(tmp_path / "person.bvh", unit="cm", joints="ball", mass=80.0).model
    rng, t = np.random.default_rng(0), np.arange(4) / 30
    q = cd.integrate(model, np.tile(model.neutral(), (4, 1)), rng.normal(size=(4, model.nv)))
    path = cd.view.export(cd.Trajectory(model, t, q, np.zeros((4, model.nv))), tmp_path / "person.glb", armature=True)
    again = cd.read_character(path, mass=80.0)
    written = cd.Trajectory(model, t, q, np.zeros((4, model.nv))).poses()
    assert again.model.names == model.names and all(body.joint.nv == 3 for body in again.model.bodies)
    assert_allclose(again.poses().as_matrix()[[0, -1]], written.as_matrix()[[0, -1]], atol=8 * FLOAT)
    for mine, theirs in zip(again.model.bodies, model.bodies, strict=True):
        assert_allclose(mine.inertia.com, theirs.inertia.com, atol=1e-6)
        assert_allclose(mine.inertia.moment, theirs.inertia.moment, atol=1e-5)
        assert mine.inertia.mass == pytest.approx(theirs.inertia.mass, rel=1e-6)


def test_another_animation_a_subtree_and_a_unit(tmp_path):
    """Oracle: the poses of the whole; the names of what is left out in the notes."""
    hand = Hand()
    still = {"name": "rest", "samplers": hand.tree["animations"][0]["samplers"][:1],
             "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}  # fmt: skip
    still["channels"].append({"sampler": 0, "target": {"node": 4, "path": "weights"}})
    hand.tree["animations"].append(still)
    hand.tree["cameras"] = [{}]
    path = written(tmp_path, hand)
    whole, other = cd.load(path), cd.read_character(path, animation="rest", unit="cm")
    assert any("'rest'" in note for note in whole.model.notes) and any("weights" in note for note in whole.model.notes)
    assert any("camera" in note for note in whole.model.notes) and any("'skin_0'" in note for note in whole.model.notes)
    assert np.array_equal(other.t, [0, 0.5, 1])
    assert_allclose(other.poses()[0, 0].xyz, 0.01 * by_hand(0.0, {})[0, :3, 3], atol=1e-12)
    part = cd.read_character(path, root="Arm.l")
    poses = whole.poses().as_matrix()
    assert part.model.names == ("Arm_l", "Hand")
    assert_allclose(part.poses().as_matrix(), np.linalg.inv(poses[:, :1]) @ poses[:, 1:], atol=1e-12)
    with pytest.raises(cd.CondyleError, match=r"hand\.gltf.*no animation named 'walk'"):
        cd.read_character(path, animation="walk")


def test_a_skin_that_was_bound_elsewhere_is_noted(tmp_path):
    """Oracle: inverse bind matrices of the nodes at rest, and those of a hand that was turned."""
    bound = Hand()
    assert not any("bound" in note for note in cd.load(written(tmp_path, bound)).model.notes)
    nodes = [dict(node) for node in NODES]
    nodes[4]["rotation"] = turns((0, 0, 1.0))[0].tolist()
    bind = [np.linalg.inv(m).T.ravel() for m in rest_transforms(nodes, JOINTS)]
    bound.tree["skins"][0]["inverseBindMatrices"] = bound.array(bind, "MAT4")
    assert any("bound in another posture" in n for n in cd.load(written(tmp_path, bound)).model.notes)


def spoilt(change):
    hand = Hand()
    change(hand.tree)
    return hand


BAD = {
    "sheared": lambda tree: tree["nodes"][1].update(scale=[1, 2, 1]),
    "mirrored": lambda tree: tree["nodes"][0].update(scale=[0.01, 0.01, -0.01]),
    "scaled to nothing": lambda tree: tree["nodes"][0].update(scale=[0, 0, 0]),
    "neither a skin nor an animation": lambda tree: (tree.pop("skins"), tree.pop("animations")),
    "has a matrix and is animated": lambda tree: tree["nodes"][3].update(matrix=np.eye(4).ravel().tolist()),
    "a node has two parents": lambda tree: tree["nodes"][0].update(children=[1, 2]),
    "a node has a child": lambda tree: tree["nodes"][0].update(children=[-1]),
    "times must rise": lambda tree: tree["animations"][0]["samplers"][1].update(input=1, output=1)
    or tree["accessors"][0].update(count=3) or tree["bufferViews"][0].update(byteOffset=12),
    "times must rise from 0": lambda tree: tree["accessors"][0].update(count=0),
    "joints and 0 inverse bind": lambda tree: tree["accessors"][-1].update(count=0)
    or tree["bufferViews"][-1].update(byteLength=0),
    "interpolation is one of": lambda tree: tree["animations"][0]["samplers"][0].update(interpolation="BEZIER"),
    r"no accessors\[-1\]": lambda tree: tree["skins"][0].update(inverseBindMatrices=-1),
    r"no nodes\[99\]": lambda tree: tree["skins"][0].update(joints=[99]),
    "sparse": lambda tree: tree["accessors"][0].update(sparse={}),
    "must be a quaternion of length 1": lambda tree: tree["nodes"][1].update(rotation=[0, 0, 0, 2]),
    "values": lambda tree: tree["animations"][0]["samplers"][0].update(input=2),
    "key is missing": lambda tree: tree["animations"][0].pop("samplers"),
    "joints and 1 inverse bind": lambda tree: tree["accessors"][-1].update(count=1),
    "must end with 0 0 0 1": lambda tree: tree["nodes"][2].update(matrix=[1.0] * 16),
}  # fmt: skip


@pytest.mark.parametrize("words", BAD)
def test_what_is_wrong_is_named(tmp_path, words):
    """Oracle: one thing of a sound file changed; the file and the fault in the words."""
    with pytest.raises(BadFile, match=rf"hand\.gltf.*{words}"):
        cd.load(written(tmp_path, spoilt(BAD[words])))


@pytest.mark.parametrize("uri", ["../secret.bin", "/etc/hostname", "http://example.org/a.bin", "data:,???", "dev.bin"])
def test_numbers_come_from_the_folder_of_the_file_only(tmp_path, uri):
    """Oracle: files elsewhere that hold the right numbers, and a device without end."""
    folder, hand = tmp_path / "inner", Hand()
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(hand.data)
    (folder / "dev.bin").symlink_to("/dev/zero")
    (folder / "hand.gltf").write_bytes(hand.text(uri))
    with pytest.raises(BadFile, match=r"hand\.gltf: buffer 0"):
        cd.load(folder / "hand.gltf")


def test_arguments_of_other_files_are_refused(tmp_path):
    """Oracle: the words."""
    path = written(tmp_path, Hand())
    for given in ({"joints": "euler"}, {"truncated": "warn"}, {"animation": 3}, {"root": "Foot"}):
        with pytest.raises(cd.CondyleError, match=next(iter(given)).replace("root", "Foot")):
            cd.read_character(path, **given)
    (tmp_path / "a.bvh").write_text(BVH)
    with pytest.raises(cd.CondyleError, match="animation"):
        cd.read_character(tmp_path / "a.bvh", animation="walk")


def damaged(tmp_path, count, seed):
    """How many of some damaged files are refused in words, and valid."""
    rng, found, hand = random.Random(seed), {"refused": 0, "valid": 0}, Hand()
    for k in range(count):
        path = tmp_path / ("file.glb" if k % 2 else "file.gltf")
        path.write_bytes(content := mutated(hand.binary() if k % 2 else hand.text(), rng))
        found[outcome(path, None, content)] += 1
    return found


def test_some_damaged_files_give_a_motion_or_a_named_error(tmp_path):
    """Oracle: the kind of what comes out."""
    assert min(damaged(tmp_path, 100, 1).values()) > 5


@pytest.mark.slow
def test_a_thousand_damaged_files_give_a_motion_or_a_named_error(tmp_path):
    """Oracle: as above."""
    assert min(damaged(tmp_path, 1000, 2).values()) > 50
