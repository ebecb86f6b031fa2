"""Parameters of a model by name, and changed copies."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadInertia, BadShape, NotFinite, NotSupported, UnknownName
from support.varied_leg import built, knee

Q, V = np.array([0.3, 1.2]), np.array([0.5, -0.7])


@pytest.mark.parametrize(
    ("name", "value", "arguments"),
    [
        ("shank.mass", 4.0, {"mass": 4.0}),
        ("shank.com", (0.01, -0.3, 0), {"com": (0.01, -0.3, 0)}),
        ("shank.com[1]", -0.3, {"com": (0, -0.3, 0)}),
        ("springs[0].stiffness", 50.0, {"stiffness": 50.0}),
        ("knee.frames", knee(0.9), {"frames": knee(0.9)}),
        ("shank.placement", cd.SE3.from_translation((0, -0.5, 0)), {"shift": -0.5}),
        ("gravity", (0, -1.62, 0), {"gravity": (0, -1.62, 0)}),
        ("bodies.mass", (7.0, 5.0), {"mass": 5.0}),
    ],
)
def test_a_changed_copy_is_the_model_built_with_that_number(name, value, arguments):
    """Oracle: the model built with the changed number, and its accelerations."""
    changed, other = built().with_parameters({name: value}), built(**arguments)
    for x, y in zip(changed.tables, other.tables, strict=True):
        np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(cd.forward_dynamics(changed, Q, V), cd.forward_dynamics(other, Q, V))


def test_names_and_numbers_that_make_no_sense_are_named():
    """Oracle: classes of errors, and the name in each."""
    model = built()
    assert {"gravity", "shank.mass", "bodies.com", "springs[0].length", "knee.frames"} <= set(model.parameters)
    wrong = [("shank.mas", 1.0, UnknownName, "shank.mass"), ("shank.com", 1.0, BadShape, r"\(\.\.\., 3\)"),
             ("shank.mass", -1.0, BadInertia, "shank.mass"), ("shank.mass", np.nan, NotFinite, "shank.mass"),
             ("shank.mass", [1.0, 2.0], BadShape, "batch"), ("shank.placement[0, 3]", 1.0, NotSupported, "whole"),
             ("shank.com[3]", 1.0, BadShape, r"\(3,\)"),
             ("thigh.frames", knee(), UnknownName, "thigh.frames")]  # fmt: skip
    for name, value, error, words in wrong:
        with pytest.raises(error, match=words):
            model.with_parameters({name: value})
