"""What is saved is what is loaded, bit by bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.gallery import leg
from support.samples import SAMPLES, random_q


def turned(seed):
    """A random pose by exponential, not polished."""
    return cd.SE3.exp(np.random.default_rng(seed).normal(size=6))


def full_model():
    """Joints of many kinds, awkward frames, all loads, both kinds of storable prescribed motion."""
    b = cd.ModelBuilder(gravity=(0.1, 0.2, -9.7))
    moment = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, -0.3], [0.2, -0.3, 2.5]]) / 3
    parent = None
    kinds = ("revolute", "spline_curve", "surface", "ball", "elliptic", "universal", "prismatic", "helical")
    for k, kind in enumerate(kinds):
        inertia = cd.Inertia(1.0 / (k + 3), (0.1, 0.2 / 3, -0.1), moment)
        look = [cd.shapes.capsule(0.1, 0.3, turned(3)), cd.shapes.mesh("bone.stl", 0.001)]
        name = f"body {k}"
        b.add_body(name, parent, SAMPLES[kind], inertia, turned(k), turned(50 + k), f"joint_{k}", look)
        parent = name
    b.add_spring("body 1", (0.1, 0, 0), None, (1, 2, 3), stiffness=30.0, length=0.3, damping=0.1)
    b.add_damping("joint_3", 0.2).add_damping("joint_0", 0.3).add_stiffness("joint_4", 3.0, 0.1, 0.2)
    b.add_limit("joint_0", low=-1.0, stiffness=50.0).add_limit("joint_1", stiffness=40.0, damping=1.0)
    b.add_constant_force("joint_6", 0.7).set_range("joint_0", -2.0, 2.0)
    b.prescribe("joint_6", 0.3)
    times = np.linspace(0, 2, 11)
    b.prescribe("joint_7", (times, np.sin(times)))
    return b.build()


def random_state(model, seed=0):
    rng = np.random.default_rng(seed)
    q = np.concatenate([random_q(body.joint, rng) for body in model.bodies])
    return q, rng.normal(size=model.nv)


def test_a_file_that_is_read_and_written_again_is_the_same(tmp_path):
    """Oracle: the bytes."""
    cd.save(full_model(), tmp_path / "first.toml")
    cd.save(cd.load(tmp_path / "first.toml"), tmp_path / "second.toml")
    assert (tmp_path / "second.toml").read_bytes() == (tmp_path / "first.toml").read_bytes()


def test_a_loaded_model_accelerates_bit_by_bit_alike(tmp_path):
    """Oracle: the model that was saved."""
    model = full_model()
    again = cd.load(cd.save(model, tmp_path / "all.toml"))
    q, v = random_state(model)
    assert_array_equal(cd.forward_dynamics(again, q, v, t=0.7), cd.forward_dynamics(model, q, v, t=0.7))
    assert again.coordinates == model.coordinates and again.ranges == model.ranges
    assert len(list(tmp_path.iterdir())) == 1  # long arrays stand in the same file


def test_drawing_comes_back(tmp_path):
    """Oracle: the shapes that were saved."""
    model = full_model()
    again = cd.load(cd.save(model, tmp_path / "all.toml"))
    for a, b in zip(model.bodies, again.bodies, strict=True):
        assert [(s.kind, s.size, s.color, s.path) for s in a.shapes] == [
            (s.kind, s.size, s.color, s.path) for s in b.shapes
        ]


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_loaded_joint_is_the_same_joint(kind, tmp_path):
    """Oracle: every array of the joint that was saved."""
    joint = SAMPLES[kind]
    again = cd.load(cd.save(joint, tmp_path / "joint.toml"))
    assert (again.coordinates, again.outside, again.title) == (joint.coordinates, joint.outside, joint.title)
    for a, b in zip(joint.segments, again.segments, strict=True):
        assert_array_equal(a.poses, b.poses)
        assert_array_equal(a.twists, b.twists)
        assert a.grid.coordinates == b.grid.coordinates and a.grid.periodic == b.grid.periodic
        for x, y in zip(a.grid.breaks, b.grid.breaks, strict=True):
            assert_array_equal(x, y)
        for x, y in zip(a.terms, b.terms, strict=True):
            assert (x.code, x.coordinates) == (y.code, y.coordinates)
            assert_array_equal(x.constants, y.constants)


def test_saving_again_leaves_one_file(tmp_path):
    """Oracle: the folder."""
    for kind in ("surface", "volume", "surface", "revolute"):
        cd.save(SAMPLES[kind], tmp_path / "joint.toml")
        assert [p.name for p in tmp_path.iterdir()] == ["joint.toml"]


def test_equal_arrays_are_stored_once(tmp_path):
    """Oracle: the tables of the file; both bodies have the joint of one."""
    b = cd.ModelBuilder()
    for name in ("a", "b"):
        b.add_body(name, joint=SAMPLES["surface"], inertia=cd.Inertia.sphere(1.0, 0.1))
    two = cd.save(b.build(), tmp_path / "two.toml").read_text().count("[arrays.")
    assert two == cd.save(SAMPLES["surface"], tmp_path / "one.toml").read_text().count("[arrays.")


def test_a_trajectory_comes_back_with_its_model(tmp_path):
    """Oracle: the trajectory that was saved; NaN where a member stopped."""
    q = np.array([[0.9, -1.4, 0.0], [0.1, -0.3, 0.1]])
    run = cd.simulate(leg(), q, duration=0.1, step=1e-2, stop=lambda t, q, v: (q[:, 0] < 0.5) & (t > 0.05))
    again = cd.load(cd.save(run, tmp_path / "run.npz"))
    for name in ("t", "q", "v"):
        assert_array_equal(getattr(again, name), getattr(run, name))
    assert [str(s) for s in again.stopped] == [str(s) for s in run.stopped]
    assert_array_equal(again.energy().total, run.energy().total)


def test_a_trajectory_of_a_model_no_file_can_hold_takes_it_again(tmp_path):
    """Oracle: the words, then the trajectory that was saved."""
    b = cd.ModelBuilder()
    b.add_body("arm", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(1.0, 0.1))
    model = b.prescribe("arm", np.sin).build()
    with pytest.raises(cd.CondyleError, match="coordinate 'arm' is prescribed by a Python function"):
        cd.save(model, tmp_path / "model.toml")
    run = cd.simulate(model, [0.0], duration=0.1, step=0.01)
    path = cd.save(run, tmp_path / "run.npz")
    with pytest.raises(cd.CondyleError, match=r"the model is not in the file .*Give it: cd\.load\(path, model=model\)"):
        cd.load(path)
    assert_array_equal(cd.load(path, model=model).q, run.q)


def held_model():
    """A ring closed by a point, a welded pair, a coupling by a spline."""
    box = cd.Inertia.box(1.0, (0.1, 0.2, 0.3))
    b = cd.ModelBuilder()
    for name, parent in (("a", None), ("b", "a"), ("c", "b"), ("d", None), ("e", None)):
        b.add_body(name, parent, cd.joints.revolute("y"), box, cd.SE3.from_translation((0.3, 0, 0)))
    b.add_body("f", None, cd.joints.free(), box)
    where = np.linalg.inv(cd.SE3.exp([0, 0.7, 0, 0.1, 0.2, 0.3]).as_matrix())
    b.add_constraint(cd.constraints.point("c", (0.1, 0, 0), None, (1.0, 0, 0)))
    b.add_constraint(cd.constraints.weld("f", where, None, where))
    b.add_constraint(cd.constraints.couple("d", "e", cd.functions.polynomial([0.0, 0.5, 0.1])))
    return b.build()


def test_constraints_come_back_bit_by_bit(tmp_path):
    """Oracle: the model that was saved."""
    model = held_model()
    again = cd.load(cd.save(model, tmp_path / "held.toml"))
    assert [c.label for c in again.constraints] == [c.label for c in model.constraints]
    q, v = model.neutral(), np.zeros(model.nv)
    assert_array_equal(cd.forward_dynamics(again, q, v), cd.forward_dynamics(model, q, v))


def test_rolling_comes_back(tmp_path):
    """Oracle: the contact's arrays and tangents that were saved."""
    joint = cd.joints.compose(cd.joints.planar(), cd.joints.revolute("x", name="spin"))
    b = cd.ModelBuilder().add_body("disk", joint=joint, inertia=cd.Inertia.sphere(1.0, 0.2))
    model = b.add_constraint(cd.constraints.roll("disk", cd.joints.planar(), (0, 1))).build()
    again = cd.load(cd.save(model, tmp_path / "disk.toml"))
    (mine,), (other,) = model.constraints, again.constraints
    assert (mine.label, mine.tangents, mine.offsets) == (other.label, other.tangents, other.offsets)
    assert_array_equal(mine.contact.segments[0].twists, other.contact.segments[0].twists)


def test_a_coupling_is_written_by_hand(tmp_path):
    """Oracle: the ratio."""
    path = cd.save(held_model(), tmp_path / "m.toml")
    text = path.read_text()
    path.write_text(text[: text.index("[[constraints]]")] + CONSTRAINT)
    model = cd.load(path)
    a = cd.forward_dynamics(model, model.neutral(), np.ones(model.nv) * 0)
    assert a[model.v_index("d")] == pytest.approx(2 * a[model.v_index("e")], rel=1e-9)


def test_a_coupling_by_a_function_is_written_by_hand(tmp_path):
    """Oracle: the same coupling made in Python; a coupling to several without a function is told."""
    path = cd.save(held_model(), tmp_path / "m.toml")
    text = path.read_text()
    text = text[: text.index("[[constraints]]")]
    path.write_text(
        text + CONSTRAINT.replace("ratio = 2", 'function = { type = "polynomial", coefficients = [0, 0.5, 2] }')
    )
    slide = cd.load(path).constraints[0].slide
    assert slide.pose(0.3)[0, 3] == pytest.approx(0.5 * 0.3 + 2 * 0.3**2, rel=1e-14)
    path.write_text(text + CONSTRAINT.replace('"e"', '["e", "a"]').replace("ratio = 2", ""))
    with pytest.raises(cd.CondyleError, match=r"constraints\[0\]: couple: several coordinates need a function of them"):
        cd.load(path)


CONSTRAINT = """[[constraints]]
type = "couple"
coordinate = "d"
other = "e"
ratio = 2
"""
