"""Files as people write them give what the constructors give."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import joints
from support.written_joints import FORMS


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
