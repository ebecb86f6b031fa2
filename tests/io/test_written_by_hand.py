"""Files as people write them give what the constructors give."""

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import joints
from condyle.io.joint_schema import AnyJoint
from support.samples import CONSTRUCTORS
from support.written_joints import FORMS

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "files.md").read_text()


@pytest.mark.parametrize("text", FORMS, ids=lambda text: text.split('"')[1])
def test_a_written_joint_is_the_constructed_one(text, tmp_path):
    """Oracle: the constructor, called here."""
    path = tmp_path / "joint.toml"
    path.write_text(f'condyle = 1\nkind = "joint"\n[joint]\n{text}\n')
    joint, expected = cd.load(path), FORMS[text]
    expected = expected() if callable(expected) else expected
    assert joint.coordinates == expected.coordinates and joint.outside == expected.outside
    q = np.full(joint.nq, 0.5)
    assert_allclose(joint.pose(q), expected.pose(q), atol=1e-15)


def test_every_constructor_can_be_written_in_a_file():
    """Oracle: the public names of `cd.joints` that make joints; a file's words for them; one example of each."""
    written = {re.search(r'type = "(\w+)"', text).group(1) for text in FORMS}
    types = {get_args(kind.model_fields["type"].annotation)[0] for kind in get_args(get_args(AnyJoint)[0])}
    assert not CONSTRUCTORS - types, (
        "add a class to io/joint_schema.py with the constructor's arguments as fields, and name it in AnyJoint; then "
        "`condyle schema joint > docs/schema-joint.json`, and the same for model"
    )
    assert not CONSTRUCTORS - written, "add a line to FORMS of tests/support/written_joints.py"
    assert all(name in DOCUMENTED for name in CONSTRUCTORS), "add the name to the list of constructors in docs/files.md"


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
    blocks = re.findall(r"```toml\n(.*?)```", DOCUMENTED, flags=re.DOTALL)
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
