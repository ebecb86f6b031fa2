"""Spline curves have a kernel of their own: which joints it is for, and batches of them on lanes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.joints.packing import is_curve
from condyle.model.kernels.layout import BODY_SIZE, CURVE, GENERAL, HEADER_SIZE, PLANE, Body, Header
from twins.kinds import KINDS
from twins.trees import twin

SHAPES = {"spline_curve": CURVE, "plain_curve": CURVE, "closed_curve": CURVE, "smooth_curve": GENERAL}
SHAPES |= {"flat_curve": PLANE, "rolling_pair": GENERAL, "spline_surface": GENERAL}


def shape_of(model):
    """The shape in the record of the first body."""
    codes = model.tables[0]
    start = Header(*codes[:HEADER_SIZE].tolist()).first_body
    return Body(*codes[start : start + BODY_SIZE].tolist()).shape


@pytest.mark.parametrize("kind", SHAPES)
def test_cubic_curves_in_space_have_the_short_form_and_no_others(kind):
    """Oracle: by construction; order 6 has five factors, a flat curve a shorter form, others two freedoms."""
    assert shape_of(twin([(kind, -1)], np.random.default_rng(3)).model) == SHAPES[kind]


def test_a_curve_that_does_not_turn_keeps_the_general_form():
    """Oracle: by construction; the general kernel leaves out the rotations of factors that are translations."""
    joint = KINDS["spline_curve"](np.random.default_rng(3)).joint
    (segment,) = joint.segments
    assert is_curve(joint.segments)
    still = type(segment)(segment.poses, segment.twists * np.repeat((0.0, 1.0), 3), segment.terms, segment.grid)
    assert not is_curve((still,))


@pytest.mark.parametrize("kind", ["spline_curve", "closed_curve"])
def test_a_batch_on_curves_obeys_lagrange(kind):
    """Oracle: Lagrange with expm poses; states in every span, before the first and after the last, in one batch."""
    rng = np.random.default_rng(7)
    made = twin([(kind, -1), (kind, 0), ("revolute", 1), (kind, 1)], rng)
    q = np.linspace(-1.0, 9.0, 4 * 19).reshape(4, 19).T + rng.uniform(0.0, 0.1, (19, 4))
    v = rng.normal(size=q.shape)
    expected = np.array([made.tree.forward(*s) for s in zip(q, v, strict=True)])
    got = cd.forward_dynamics(made.model, q, v)
    assert_allclose(got, expected, rtol=1e-9, atol=1e-10 * np.abs(expected).max())
    alone = [cd.forward_dynamics(made.model, *s) for s in zip(q, v, strict=True)]
    assert_allclose(got, alone, rtol=1e-10, atol=1e-11 * np.abs(expected).max())
