"""What is given in place of a model, a skeleton, a state or a path is named."""

import sys

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadShape, BadValue, UnknownName


def pendulum():
    bob = cd.Inertia.point(1.0, (0, 0, -1))
    return cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()


@pytest.mark.parametrize("wrong", ["model.toml", None, 3, np.zeros(2)], ids=repr)
def test_what_is_no_model_is_named(wrong):
    """Oracle: the class that is wanted and the one that was got."""
    for take in (cd.view.joint_paths, lambda x: cd.skeleton.state_of(x, [0.0], [0.0])):
        with pytest.raises(BadValue, match=f"must be a cd.Model.*got '{type(wrong).__name__}'"):
            take(wrong)
    with pytest.raises(BadValue, match=f"must be a cd.Model.*got '{type(wrong).__name__}'"):
        cd.skeleton.HeldModel(wrong, None, [0.0])


def test_what_is_no_skeleton_or_state_is_named():
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 1.0), com=(0, 0, -0.5))
    model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod).build()
    skeleton, state = cd.skeleton.from_model(model), cd.skeleton.state_of(model, [0.1], [0.0])
    with pytest.raises(BadValue, match=r"from_model gives one; got 'Model'"):
        cd.skeleton.as_model(model)
    with pytest.raises(BadValue, match=r"must be a cd.Model; got 'Skeleton'"):
        cd.skeleton.coordinates_of(skeleton, state, skeleton)
    with pytest.raises(BadValue, match=r"cd.skeleton.State; got 'list'"):
        cd.skeleton.coordinates_of(model, [0.1], skeleton)
    with pytest.raises(BadValue, match=r"cd.skeleton.Skeleton; got 'int'"):
        cd.skeleton.coordinates_of(model, state, 3)
    with pytest.raises(BadShape, match=r"q must be an array of real numbers"):
        cd.skeleton.state_of(model, "x", [0.0])
    with pytest.raises(BadShape, match=r"a line: points must be an array of real numbers"):
        cd.view.Line(None, "points")


def test_a_path_that_cannot_be_written_is_named_before_anything_is_drawn(tmp_path, monkeypatch):
    """Oracle: no scene is made."""
    monkeypatch.setattr(sys.modules["condyle.view.export"], "stage_of", None)
    with pytest.raises(BadFile, match=r"nowhere/leg.html: cannot be written.*folder .*nowhere"):
        cd.view.export(pendulum(), tmp_path / "nowhere" / "leg.html")
    with pytest.raises(BadFile, match=r"a path is text or a pathlib.Path; got 3"):
        cd.view.export(pendulum(), 3)
    with pytest.raises(UnknownName, match=r"no export named '.htm' in condyle. Did you mean '.html'"):
        cd.view.export(pendulum(), tmp_path / "leg.htm")
