"""Models of SDF files: frames in frames, axes in any of them, laws, and what is refused."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile
from support.sdf_files import ARM, SdfTree


def read(path, text, **options):
    path = path / "x.sdf"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.load(path, **options)


@pytest.mark.parametrize("seed", range(6))
def test_links_are_where_the_frames_say(tmp_path, seed):
    """Oracle: scipy's expm of the tree that the file was made from; kinetic energy by differences of its poses."""
    tree = SdfTree(seed)
    model = read(tmp_path, tree.text)
    assert set(model.names) == {p.name.replace(".", "_") for p in tree.parts}
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=(2, tree.nq))
    names = [f"joint{k}" for k, p in enumerate(tree.parts) for _ in p.axes]
    count = dict.fromkeys(names, 0)
    ours, rates = model.neutral(), np.zeros(model.nv)
    for name, x, u in zip(names, q, v, strict=True):
        count[name] += 1
        many = names.count(name) > 1
        at = model.q_index(f"{name}.angle{count[name]}" if many else name)
        ours[at], rates[at] = x, u
    poses = cd.forward_kinematics(model, ours).as_matrix()
    for part, pose in zip(tree.parts, tree.poses(q), strict=True):
        assert_allclose(poses[model.body_index(part.name.replace(".", "_"))], pose, atol=1e-12)
    assert float(cd.energy(model, ours, rates).kinetic) == pytest.approx(tree.energy(q, v), rel=1e-7)


def test_laws_ranges_looks_and_gravity_are_read(tmp_path):
    """Oracle: the text above, read by hand."""
    model = read(tmp_path, ARM)
    assert model.coordinates == ("elbow",) and tuple(model.gravity) == (0.0, 0.0, -3.7)
    limits = model.limits["elbow"]
    assert (limits.low, limits.high, limits.effort, limits.friction) == (-1.5, np.inf, 9.0, 0.1)
    lid = cd.forward_kinematics(model, [0.5])[model.body_index("lid")].as_matrix()
    fore = cd.forward_kinematics(model, [0.5])[model.body_index("fore")].as_matrix()
    angle = 0.1 + 2.0 * (0.5 - 0.3)
    assert_allclose((np.linalg.inv(fore) @ lid)[:3, :3][2, 1], np.sin(angle), atol=1e-12)
    base = model.bodies[model.body_index("base")]
    assert [s.kind for s in base.shapes] == ["cylinder", "mesh"] and base.shapes[0].color == (1.0, 0.0, 0.0)
    assert base.shapes[1].size == (1.0, 1.0, -1.0) and base.shapes[1].path == "model://arm/base.stl"
    assert base.inertia.moment[0, 0] == 1.0  # SDF's own default
    assert any("collision" in note for note in model.notes) and any("light" in note for note in model.notes)


def test_links_that_no_joint_carries_float_unless_they_are_held(tmp_path):
    """Oracle: SDF's words; the start is where the file has them."""
    one = "<sdf version='1.7'><model name='a'><pose>1 2 3 0 0 1</pose><link name='l'/>{}</model></sdf>"
    free = read(tmp_path, one.format(""))
    assert free.nv == 6 and cd.forward_kinematics(free, free.neutral())[0].xyz == pytest.approx([1, 2, 3])
    assert read(tmp_path, one.format(""), base="fixed").nv == 0
    assert read(tmp_path, one.format("<static>true</static>")).nv == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<gravity>0 0 -3.7", "<gravity>0 0", r"line 1: <gravity> must be 3 finite numbers"),
        ('type="revolute"', 'type="gearbox"', "joint 'elbow': a type is one of"),
        ("<child>fore", "<child>four", "'four'"),
        ("<child>fore", "<child>base", "closes a loop: another one carries link 'base'"),
        ('joint="elbow"', 'joint="knee"', "mimics joint 'knee', which the model does not have"),
        ("<light", "<include><uri>model://sun</uri></include><light", "<include> of 'model://sun' is not followed"),
        ("<xyz>0 1 0</xyz>", "<xyz>0 0 0</xyz>", "joint 'elbow': its axis must not be zero"),
        ('<link name="lid">', '<link name="fore">', "two frames named 'fore'"),
        ("<parent>world", "<parent>fore", "carry each other in a ring"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, old, new, words):
    """Oracle: the words."""
    with pytest.raises(BadFile, match=words):
        read(tmp_path, ARM.replace(old, new, 1))
