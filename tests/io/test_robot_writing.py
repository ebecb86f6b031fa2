"""Models written as URDF and MJCF: exact where the format can say it, else with stated errors."""

import json
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import Approximated, BadFile, NotInModel, NotSupported


def machine():
    """Hinge, slider, two hinges at right angles, three freedoms of a plane, and a weld, each off its body's origin."""
    b = cd.ModelBuilder(gravity=(0.0, 0.0, -9.81))
    kinds = {
        "arm": cd.joints.revolute("y"),
        "rod": cd.joints.prismatic((0.6, 0.0, 0.8)),
        "fork": cd.joints.universal("x", "z"),
        "sled": cd.joints.planar(),
        "tip": cd.joints.weld(),
    }
    parent, rng = None, np.random.default_rng(3)
    for name, joint in kinds.items():
        inertia = cd.Inertia.box(rng.uniform(1, 3), rng.uniform(0.1, 0.4, 3), com=rng.normal(size=3) * 0.1)
        place, offset = (cd.SE3.exp(rng.normal(size=6) * 0.4) for _ in range(2))
        look = [cd.shapes.bone((0, 0, 0), (0, 0, 0.2), 0.03), cd.shapes.box((0.1, 0.2, 0.3))]
        b.add_body(name, parent=parent, joint=joint, inertia=inertia, placement=place, offset=offset, shapes=look)
        parent = name
    b.set_range("arm", -2.0, 1.5)
    return b.build()


def read(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.load(path)


def written(model, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotInModel)
        return cd.io.write_robot(model, path, **({"seconds": 0.0} | options))


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_exact_joints_are_the_same_when_read_again(tmp_path, suffix):
    """Oracle: poses and mass matrix of the model against those of the file, read by readers tested on other engines."""
    model, path = machine(), tmp_path / f"machine{suffix}"
    found = written(model, path)
    again = read(path)
    assert found.exact == ("arm", "rod", "fork", "sled", "tip") and not found.approximations
    names = [n.replace(".", "_") for n in model.coordinates]  # how readers of robots have them
    assert list(again.coordinates) == names
    q = np.random.default_rng(0).uniform(-0.8, 0.8, (6, model.nq))
    order = [again.q_index(n) for n in names]
    for row in q:
        other = np.empty_like(row)
        other[order] = row
        theirs = dict(zip(again.names, cd.forward_kinematics(again, other).as_matrix(), strict=True))
        for name, pose in zip(model.names, cd.forward_kinematics(model, row).as_matrix(), strict=True):
            assert_allclose(theirs[name], pose, atol=1e-9)
        M = cd.mass_matrix(again, other)[np.ix_(order, order)]
        assert_allclose(M, cd.mass_matrix(model, row), atol=1e-9)


def test_mjcf_has_balls_and_bodies_that_float(tmp_path):
    """Oracle: poses and mass matrix read again."""
    b = cd.ModelBuilder()
    b.add_body("trunk", joint=cd.joints.free(), inertia=cd.Inertia.box(3.0, (0.2, 0.3, 0.4), com=(0, 0.1, 0)))
    limb = cd.Inertia.box(1.0, (0.1, 0.1, 0.4), com=(0, 0, -0.2))
    b.add_body("limb", "trunk", cd.joints.ball(), limb, placement=cd.SE3.from_translation((0.1, 0.2, 0.3)))
    model = b.build()
    assert written(model, tmp_path / "m.xml").exact == ("trunk", "limb")
    again, q = read(tmp_path / "m.xml"), cd.integrate(model, model.neutral(), np.linspace(-1, 1, 9))
    assert_allclose(cd.mass_matrix(again, q), cd.mass_matrix(model, q), atol=1e-9)
    with pytest.raises(NotSupported, match="joint 'limb': of quaternions the file can have a free joint"):
        written(model, tmp_path / "m.urdf")


@pytest.mark.parametrize(("suffix", "bound"), [(".xml", 1.0), (".urdf", 4.0)])
def test_a_knee_is_as_far_off_as_its_certificate_says(tmp_path, suffix, bound):
    """Oracle: places of the shank by the file that is read again, over the knee's range, against the certificate."""
    model, path = cd.gallery.leg(), tmp_path / f"leg{suffix}"
    with pytest.warns(Approximated, match="joint 'knee'"):
        found = written(model, path)
    (knee,) = found.approximations
    assert found.exact == ("hip", "ankle") and knee.millimeters < bound and knee.degrees < 1e-6
    again, gaps = read(path), []
    for bend in np.linspace(*knee.range, 37):
        posture = dict(zip(again.coordinates, again.neutral(), strict=True)) | {"knee": bend, "hip": 0.3, "ankle": 0.1}
        there = cd.forward_kinematics(again, [posture[n] for n in again.coordinates])[again.body_index("shank")]
        here = cd.forward_kinematics(model, [0.3, bend, 0.1])[1]
        gaps.append(1e3 * np.linalg.norm(there.xyz - here.xyz))
    assert max(gaps) <= 1.01 * knee.millimeters
    assert max(gaps) > 0.8 * knee.millimeters
    told = json.loads((tmp_path / "leg.certificate.json").read_text())
    assert told["approximations"][0]["millimeters"] == knee.millimeters
    assert "knee" in (tmp_path / "leg.certificate.html").read_text()


def test_what_cannot_be_written_is_refused_by_name(tmp_path):
    """Oracle: the words."""
    with pytest.raises(NotSupported, match=r"joint 'knee' .* approximate=True"):
        written(cd.gallery.leg(), tmp_path / "leg.xml", approximate=False)
    with pytest.raises(NotSupported, match="only joints of one coordinate"):
        written(cd.gallery.SCENES["scapula"]().model, tmp_path / "s.xml")
    with pytest.raises(BadFile, match=r"a robot's file ends in"):
        written(machine(), tmp_path / "m.sdf")


def test_collision_shapes_of_urdf_are_kept_and_written(tmp_path):
    """Oracle: the text."""
    shape = '<collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>'
    text = f"<robot name='r'><link name='a'>{shape}<collision/></link></robot>"
    (tmp_path / "r.urdf").write_text(text)
    model = read(tmp_path / "r.urdf")
    (found,) = model.collisions["a"]
    assert any("1 <collision>" in note for note in model.notes)  # that without a shape
    assert found.kind == "box" and found.size == (1.0, 2.0, 3.0) and found.pose[2, 3] == 1.0
    with pytest.warns(NotInModel, match="collision shapes of model.collisions are not saved"):
        cd.save(model, tmp_path / "r.toml")
    written(model, tmp_path / "again.urdf")
    (again,) = read(tmp_path / "again.urdf").collisions["a"]
    assert again.size == found.size and np.array_equal(again.pose, found.pose)


def geared():
    """Two hinges with springs and dampers; a slider follows the first linearly, a hinge by a cubic polynomial."""
    b = cd.ModelBuilder()
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.4), com=(0, 0, -0.2))
    for name, parent, joint in (
        ("upper", None, cd.joints.revolute("y")),
        ("lower", "upper", cd.joints.revolute("y")),
        ("rack", "upper", cd.joints.prismatic("x")),
        ("cam", "lower", cd.joints.revolute("x")),
    ):
        b.add_body(name, parent, joint, rod, placement=cd.SE3.from_translation((0, 0, -0.4 if parent else 0)))
    b.set_range("upper", -1.0, 1.5).set_range("lower", -1.0, 1.5)
    b.add_damping("upper", 0.3).add_stiffness("lower", 4.0, 0.2).set_armature("lower", 0.15)
    b.add_constraint(cd.constraints.couple("rack", "upper", ratio=0.3, offset=0.05))
    b.add_constraint(cd.constraints.couple("cam", "lower", cd.functions.polynomial([0.1, 0.2, 0.0, -0.4])))
    return b.build()


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
def test_laws_and_couplings_are_in_the_file(tmp_path, suffix):
    """Oracle: forces of the laws written by hand, and the polynomials of the couplings, at a posture read again."""
    path = tmp_path / f"geared{suffix}"
    found = written(geared(), path) if suffix == ".xml" else _approximated(path)
    again, (x, y) = read(path).folded(), (0.4, -0.7)
    q = np.array([x, y])
    assert again.coordinates == ("upper", "lower") and len(again.followers) == 2
    upper, lower, rack, cam = (
        cd.forward_kinematics(again, q)[again.body_index(n)].as_matrix() for n in ("upper", "lower", "rack", "cam")
    )
    rack, cam = np.linalg.inv(upper) @ rack, np.linalg.inv(lower) @ cam
    assert_allclose(rack[:3, 3], [0.3 * x + 0.05, 0.0, -0.4], atol=1e-12)
    turn = 0.1 + 0.2 * y - 0.4 * y**3
    off = abs(np.arctan2(cam[2, 1], cam[1, 1]) - turn)
    assert off < 1e-12 if suffix == ".xml" else off < np.radians(found.approximations[0].degrees)
    still, moving = (cd.inverse_dynamics(again, q, np.array([v, 0.0]), np.zeros(2))[0] for v in (0.0, 1e-9))
    assert_allclose((moving - still) / 1e-9, 0.3, atol=1e-5)
    lost = {"1 force on coordinates", "the armature of 'lower'"}
    assert lost <= set(found.left_out) if suffix == ".urdf" else not lost & set(found.left_out)
    assert again.limits["lower"].armature == (0.15 if suffix == ".xml" else 0.0)


def _approximated(path):
    with pytest.raises(NotSupported, match="'cam' follows 'lower' by no polynomial of order 1"):
        written(geared(), path, approximate=False)
    with pytest.warns(Approximated, match="joint 'cam': a polynomial of order 1"):
        return written(geared(), path)


def test_save_and_the_command_line_write_robots(tmp_path, monkeypatch, capsys):
    """Oracle: the file, its certificate, and the model that is read again."""
    from condyle.cli.main import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("condyle.io.robots.writing.other_engine.find_spec", lambda name: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotInModel)
        assert cd.save(machine(), "machine.mjcf").name == "machine.mjcf"
    told = json.loads((tmp_path / "machine.certificate.json").read_text())
    assert told["swing"]["reason"] == "the package mujoco is not installed"
    assert run(["export", "machine.mjcf", "again.urdf"]) == 0
    assert set(machine().names) <= set(read(tmp_path / "again.urdf").names)
    cd.save(cd.gallery.leg(), tmp_path / "leg.toml")
    assert run(["export", "leg.toml", "leg.urdf", "--exact"]) == 2
    assert "joint 'knee'" in capsys.readouterr().err
    with pytest.raises(BadFile, match=r"\.urdf"):
        cd.save(machine(), tmp_path / "machine.sdf")
