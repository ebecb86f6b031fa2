"""Files as people write them give what the constructors give."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import joints
from condyle.joints import functions as fn

FORMS = {
    'type = "revolute"\naxis = [1, 2, -2]\npoint = [0.1, 0.2, 0.3]': joints.revolute([1, 2, -2], (0.1, 0.2, 0.3)),
    'type = "revolute"\naxis = "z"\nname = "bend"': joints.revolute("z", name="bend"),
    'type = "prismatic"\naxis = "y"': joints.prismatic("y"),
    'type = "helical"\naxis = "x"\npitch = 0.2': joints.helical("x", 0.2),
    'type = "cylindrical"\naxis = "x"\nnames = ["turn", "slide"]': joints.cylindrical("x", names=("turn", "slide")),
    'type = "planar"': joints.planar(),
    'type = "universal"\nfirst = "x"\nsecond = "y"': joints.universal("x", "y"),
    'type = "universal"\nfirst = "x"\nsecond = "y"\npoint = [0.1, 0, 0.2]': joints.universal("x", "y", (0.1, 0, 0.2)),
    'type = "universal"\nfirst = "x"\nsecond = "y"\npoint = [0, 0, 1]\nsecond_point = [0, 0, 2]\nnames = ["a", "b"]': (
        joints.universal("x", "y", (0, 0, 1), (0, 0, 2), names=("a", "b"))
    ),
    'type = "ball"': joints.ball(),
    'type = "free"': joints.free(),
    'type = "elliptic"\na = 2\nb = 1': joints.elliptic(2, 1),
    'type = "weld"\npose = { xyz = [1, 2, 3] }': joints.weld(cd.SE3.from_translation((1, 2, 3))),
    """type = "spline_curve"
frames = [{}, { xyz = [1, 0, 0] }, { xyz = [1, 1, 0] }, { wxyz = [0.8, 0, 0, 0.6] }, { xyz = [0, 1, 1] }]
order = 4
outside = "error"
""": joints.spline_curve(
        cd.SE3(
            np.array([[1, 0, 0, 0]] * 3 + [[0.8, 0, 0, 0.6]] + [[1, 0, 0, 0]]),
            np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 1]]),
        ),
        outside="error",
    ),
    f'type = "spline_surface"\ncontrols = {np.arange(96.0).reshape(4, 4, 6).tolist()}': joints.spline_surface(
        np.arange(96.0).reshape(4, 4, 6), (None, None)
    ),
    """type = "product"
twists = [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]]
functions = [
  { type = "linear" }, { type = "sinusoid", amplitude = 0.1 }, { type = "polynomial", coefficients = [0, 1, 2] },
]
coordinates = ["angle"]
""": joints.product(
        np.eye(6)[[2, 3, 4]], [fn.linear(), fn.sinusoid(0.1), fn.polynomial([0, 1, 2])], coordinates=("angle",)
    ),
    """type = "compose"
joints = [{ type = "revolute", axis = "x" }, { type = "inverse", joint = { type = "prismatic", axis = "y" } }]
names = ["a", "b"]
""": joints.compose(joints.revolute("x"), joints.prismatic("y").inverse(), names=("a", "b")),
}


@pytest.mark.parametrize("text", FORMS, ids=lambda text: text.split('"')[1])
def test_a_written_joint_is_the_constructed_one(text, tmp_path):
    """Oracle: the constructor, called here."""
    path = tmp_path / "joint.toml"
    path.write_text(f'condyle = 1\nkind = "joint"\n[joint]\n{text}\n')
    joint, expected = cd.load(path), FORMS[text]
    assert joint.coordinates == expected.coordinates and joint.outside == expected.outside
    q = np.full(joint.nq, 0.5)
    assert_allclose(joint.pose(q), expected.pose(q), atol=1e-15)


def test_a_joint_may_stand_in_its_own_file(tmp_path):
    """Oracle: the joint that was saved."""
    hinge = joints.revolute("x")
    cd.save(hinge, tmp_path / "hinge.toml")
    path = tmp_path / "model.toml"
    path.write_text(
        'condyle = 1\nkind = "model"\n[[bodies]]\nname = "arm"\njoint = { type = "file", path = "hinge.toml" }\n'
        "inertia = { mass = 1, moment = [1, 1, 1] }\n"
    )
    assert_allclose(cd.load(path).bodies[0].joint.pose(0.3), hinge.pose(0.3), atol=0)


def test_the_documented_file_loads(tmp_path):
    """Oracle: the tables of docs/files.md, counted."""
    text = (Path(__file__).parents[2] / "docs" / "files.md").read_text()
    blocks = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "leg.toml").write_text("\n".join(blocks))
    cd.save(joints.revolute("z"), tmp_path / "knee.toml")
    model = cd.load(tmp_path / "leg.toml")
    assert model.names == ("thigh", "shank") and model.ranges == {"hip": (-0.5, 1.5)}
    assert (len(model.springs), len(model.coordinate_loads), len(model.prescribed), len(model.constraints)) == (
        1,
        1,
        1,
        1,
    )
