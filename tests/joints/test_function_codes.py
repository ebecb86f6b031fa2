"""Functions that kernels know in closed form: whoever keeps a list of them keeps the same one."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.io.segment_data import FUNCTIONS
from condyle.joints.functions.values import term_values
from condyle.joints.kernels.layout import ELLIPSE, POLYNOMIAL, SINUSOID
from condyle.joints.validate_joint import CONSTANTS

Q = np.linspace(-4.0, 4.0, 37)
MADE = {
    POLYNOMIAL: (cd.functions.polynomial([0.3, -1.0, 0.5, 0.2]), lambda q: 0.3 - q + 0.5 * q**2 + 0.2 * q**3),
    SINUSOID: (cd.functions.sinusoid(0.7, 1.3, 0.4, 0.2), lambda q: 0.2 + 0.7 * np.sin(1.3 * q + 0.4)),
    ELLIPSE: (cd.functions.ellipse_angle(0.5, 0.2), lambda q: np.unwrap(np.arctan2(0.2 * np.sin(q), 0.5 * np.cos(q)))),
}  # fmt: skip


def test_every_list_of_codes_has_the_same_ones():
    """Oracle: the functions of this file, one for each code."""
    assert set(MADE) == {POLYNOMIAL, *CONSTANTS} == set(FUNCTIONS.values()), (
        "a code is missing: CONSTANTS of joints/validate_joint.py, FUNCTIONS of io/segment_data.py, or MADE here"
    )


@pytest.mark.parametrize("code", MADE)
def test_kernels_and_numpy_have_the_same_function(code):
    """Oracle: the formula, up to whole turns; the slide of a joint by the kernels, one by one and on lanes."""
    f, formula = MADE[code]
    expected = formula(Q) - formula(Q)[18] + f(0.0)
    assert_allclose(f(Q), expected, atol=1e-13)
    joint = cd.joints.product([[0, 0, 0, 1, 0, 0]], [f])
    poses = np.array([joint.pose([q]).xyz[0] for q in Q])
    assert_allclose(poses, expected, atol=1e-13)
    assert_allclose(joint.pose(Q[:, None]).xyz[:, 0], expected, atol=1e-13)


def test_an_unknown_code_is_refused():
    """Oracle: no function has code 99."""
    f = cd.functions.sinusoid(1.0)
    with pytest.raises(cd.errors.CondyleError, match="99"):
        term_values(f.grid, replace(f.term, code=99), np.zeros((1, 1)), [0])


def test_coordinates_may_be_integers_of_numpy():
    """Oracle: the same function with a plain integer."""
    assert cd.functions.linear(np.int64(1))(0.5) == cd.functions.linear(1)(0.5)
