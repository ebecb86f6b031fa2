"""Written robots have the whole model or say what they lack, and certificates compare with the whole model."""

import json
import warnings
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import NotInModel, NotSupported

J, F = cd.joints, cd.functions
G = 9.81
ROD = cd.Inertia.box(1.0, (0.1, 0.2, 0.3))


def sliding(joint=None):
    return cd.ModelBuilder().add_body("bob", joint=joint or J.prismatic("z"), inertia=ROD)


def quietly(model, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.io.write_robot(model, path, **({"seconds": 0.0} | options))


LACKS = {
    "distance": lambda b: b.add_constraint(cd.constraints.distance("bob", (0, 0, 0), None, (0, 0, 2), length=1.0)),
    "bushing": lambda b: b.add_bushing("bob", None, None, None, stiffness=(1.0,) * 6),
    "spring": lambda b: b.add_spring("bob", (0, 0, 0), None, (0, 0, 1), stiffness=2.0, length=0.1),
    "prescribed": lambda b: b.prescribe("bob", lambda t: t),
    "limit": lambda b: b.add_limit("bob", -1.0, 1.0, stiffness=5.0),
    "constant force": lambda b: b.add_constant_force("bob", 3.0),
    "muscle": lambda b: b.add_muscle("rope", [(None, (0.1, 0, 1)), ("bob", (0, 0, 0))], max_isometric_force=100.0,
                                     optimal_fiber_length=0.1, tendon_slack_length=0.1),
    "default": lambda b: b.set_default("bob", 0.2),
    "one end": lambda b: b.set_range("bob", -1.0, np.inf),
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
@pytest.mark.parametrize("lack", LACKS)
def test_an_exact_file_has_the_whole_model_or_is_refused(tmp_path, lack, suffix):
    """Oracle: the file, which is not there; the plain slider is written."""
    cd.save(sliding().build(), tmp_path / f"plain{suffix}", approximate=False)
    model, path = LACKS[lack](sliding()).build(), tmp_path / f"m{suffix}"
    with pytest.raises(NotSupported, match=r"m\.(xml|urdf) cannot have all of the model"):
        cd.save(model, path, approximate=False)
    assert not path.exists()
    found = quietly(model, path)
    assert found.left_out and found.same_mechanism is (lack in ("default", "one end"))


def test_armature_is_in_mjcf_and_refused_in_urdf(tmp_path):
    """Oracle: the attribute, and the mass of the slider that is read again."""
    model = sliding().set_armature("bob", 0.5).build()
    cd.save(model, tmp_path / "m.xml", approximate=False)
    assert ET.parse(tmp_path / "m.xml").find(".//joint").get("armature") == "0.5"
    assert_allclose(cd.mass_matrix(cd.load(tmp_path / "m.xml"), [0.0]), [[1.5]], rtol=1e-12)
    with pytest.raises(NotSupported, match="armature of 'bob'"):
        cd.save(model, tmp_path / "m.urdf", approximate=False)


def falling(model, path, q, times):
    """An engine by hand, in which the bob of a file without its constraint falls: z = z0 − g t²/2."""
    poses = np.tile(np.eye(4), (len(times), 1, 1))
    poses[:, 2, 3] = q[0] - 0.5 * G * times**2
    return "1", iter([{"bob": pose} for pose in poses])


def test_the_swing_compares_the_whole_model(tmp_path, monkeypatch):
    """Oracle: a bob that a distance holds stays, that of the file falls by g t²/2 = 1.226 m in half a second."""
    engine = {"mjcf": ("by hand", "numpy", falling)}
    monkeypatch.setattr("condyle.io.robots.writing.other_engine.ENGINES", engine)
    free = quietly(sliding().build(), tmp_path / "free.xml", seconds=0.5)
    assert free.same_mechanism and max(free.swing.millimeters) < 1e-6
    held = quietly(LACKS["distance"](sliding()).build(), tmp_path / "held.xml", seconds=0.5)
    assert_allclose(held.swing.millimeters, 500.0 * G * np.square(held.swing.times), atol=1e-6)
    assert held.swing.millimeters[-1] > 1226.0 and not held.same_mechanism
    first = str(held).splitlines()[0]
    assert "not the same mechanism" in first and "constraints" in first
    told = json.loads((tmp_path / "held.certificate.json").read_text())
    assert next(iter(told)) == "verdict" and told["verdict"] == first and told["same_mechanism"] is False
    page = (tmp_path / "held.certificate.html").read_text()
    assert page.index("not the same mechanism") < page.index("joints are exact")


CURVED = {
    "track": J.track([(0, 0, 0), (3, 0, 0), (3, 0, 3)]),
    "closed track": J.track([(0, 0, 0), (2, 0, 0), (2, 0, 2)], closed=True),
    "parabola": J.product([(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 0, 1)], [F.linear(), F.polynomial([0, 0, 0.5])]),
    "curve": J.spline_curve(cd.SE3.from_translation(np.array([(x, 0, np.sin(x)) for x in range(6)], dtype=float))),
}


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
@pytest.mark.parametrize("kind", CURVED)
def test_a_curved_slide_is_the_nearest_slider_and_never_exact(tmp_path, kind, suffix):
    """Oracle: the line of least squares by numpy's search over directions, and places of the file read again."""
    b = sliding(CURVED[kind])
    model = (b.set_range("bob", -1.0, 1.0) if kind == "parabola" else b).build()
    with pytest.raises(NotSupported, match="'bob'"):
        cd.save(model, tmp_path / f"m{suffix}", approximate=False)
    (near,) = quietly(model, tmp_path / f"m{suffix}").approximations
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = cd.load(tmp_path / f"m{suffix}")
    x = np.linspace(*near.range, 200)[:, None]
    true = cd.forward_kinematics(model, x).as_matrix()[:, 0, :3, 3]
    Q = np.zeros((len(x), again.nq))
    Q[:, 0] = x[:, 0]
    there = cd.forward_kinematics(again, Q).as_matrix()[:, again.body_index("bob"), :3, 3]
    assert_allclose(1e3 * np.linalg.norm(there - true, axis=1).max(), near.millimeters, rtol=1e-6, atol=1e-6)
    if near.form == "a slider":
        angle = np.linspace(-np.pi, np.pi, 3601)
        lines = (x - x.mean()) * np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)[:, None]
        best = np.square(lines - (true - true.mean(axis=0))).sum(axis=(1, 2)).min()
        assert_allclose(np.square(there - true).sum(), best, rtol=1e-5)
    else:
        assert (kind, suffix) == ("parabola", ".xml") and near.millimeters < 1e-9


def test_a_urdf_file_has_ratings(tmp_path):
    """Oracle: the attributes."""
    b = sliding(J.revolute("x")).set_range("bob", -1.0, 1.0).set_limits("bob", velocity=2.0, effort=30.0, friction=0.4)
    cd.save(b.build(), tmp_path / "m.urdf", approximate=False)
    joint = ET.parse(tmp_path / "m.urdf").find(".//joint[@type='revolute']")
    assert [float(joint.find("limit").get(k)) for k in ("velocity", "effort")] == [2.0, 30.0]
    assert float(joint.find("dynamics").get("friction")) == 0.4
    with pytest.warns(NotInModel, match="friction of 'bob'"):
        cd.io.write_robot(b.build(), tmp_path / "m.xml", seconds=0.0)
