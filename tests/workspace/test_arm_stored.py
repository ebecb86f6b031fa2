"""Arms to plain numbers and back."""

import json

import numpy as np
import pytest

from condyle.errors import BadValue
from condyle.workspace.serialization import arm_as_dict, arm_from_dict


def test_a_stored_arm_poses_the_same(male):
    """Oracle: bitwise equal postures after a trip through JSON text."""
    again = arm_from_dict(json.loads(json.dumps(arm_as_dict(male))))
    assert np.array_equal(again.forward(1.0, 0.5, 0.3).rows, male.forward(1.0, 0.5, 0.3).rows)


def test_what_is_missing_is_named(male):
    stored = arm_as_dict(male)
    del stored["control"], stored["level"]
    with pytest.raises(BadValue, match=r"a stored arm needs control, level"):
        arm_from_dict(stored)
