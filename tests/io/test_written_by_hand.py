"""Files as people write them give what the constructors give."""

import re
from inspect import signature
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

NO_KEYS = {
    "along": {"curve", "normal", "progress"},
    "compose": {"outside"},
    "on": {"surface"},
    "product": {"title"},
    "track": {"wires"},
}
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
    listed = re.search(r"written by its constructor \(`([^`]*)`\)", DOCUMENTED).group(1).split()
    types = {get_args(kind.model_fields["type"].annotation)[0] for kind in get_args(get_args(AnyJoint)[0])}
    without_class, without_form = sorted(CONSTRUCTORS - types), sorted(CONSTRUCTORS - written)
    undocumented = sorted(name for name in CONSTRUCTORS if name not in listed)
    assert not without_class, (
        f"add a class for {without_class} to io/joint_schema.py with the constructor's arguments as fields, name it "
        "in AnyJoint, then `condyle schema joint > docs/schema-joint.json`, and the same for model"
    )
    assert not without_form, f"add a line for {without_form} to FORMS of tests/support/written_joints.py"
    assert not undocumented, f"add {undocumented} to the list of constructors in docs/files.md"


@pytest.mark.parametrize("form", get_args(get_args(AnyJoint)[0]), ids=lambda form: form.__name__)
def test_every_argument_of_a_constructor_is_a_key(form):
    """Oracle: the signature of the constructor, but for arguments that are objects or that files have no use for."""
    kind = get_args(form.model_fields["type"].annotation)[0]
    arguments = set(signature(getattr(joints, kind)).parameters) if kind in CONSTRUCTORS else set()
    missing = sorted(arguments - set(form.model_fields) - NO_KEYS.get(kind, set()))
    assert not missing, f"add the fields {missing} to {form.__name__} of io/joint_schema.py"


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
    assert (len(model.springs), len(model.coordinate_forces), len(model.prescribed), len(model.constraints)) == (
        1,
        1,
        1,
        1,
    )
