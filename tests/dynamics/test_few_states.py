"""A few states by rows take a short way to the kernels: same bits, same words."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.dynamics.native_calls.few_states import MOST
from condyle.dynamics.native_calls.one_state import calls_of
from condyle.errors import NotFinite
from twins.trees import twin

COUNTS = (1, 2, 7, 8, 9, MOST, MOST + 1)


@pytest.fixture(scope="module")
def leg():
    """A hinge, a curve and a slide."""
    return twin([("revolute", -1), ("spline_curve", 0), ("prismatic", 1)], np.random.default_rng(0)).model


def rows(model, count, seed=1):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.2, 0.9, (count, model.nq)), *rng.normal(size=(2, count, model.nv))


CALLS = {
    "forward": lambda model, q, v, x, **o: cd.forward_dynamics(model, q, v, x, **o),
    "without forces": lambda model, q, v, x, **o: cd.forward_dynamics(model, q, v, **o),
    "inverse": lambda model, q, v, x, **o: cd.inverse_dynamics(model, q, v, x, **o),
    "poses": lambda model, q, v, x, **o: np.concatenate(
        [(T := cd.forward_kinematics(model, q, **o)).wxyz, T.xyz], axis=-1
    ),
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", CALLS)
def test_the_short_way_gives_what_the_long_one_gives(leg, name, count):
    """Oracle: the way on which everything is looked at, which a call with a number of threads takes."""
    states = rows(leg, count)
    assert_array_equal(CALLS[name](leg, *states), CALLS[name](leg, *states, threads=1))


def test_the_short_way_is_taken(leg):
    """Oracle: its calls themselves; of more states, or of rows that have to be converted, they say None."""
    few, (q, v, x) = calls_of(leg).few, rows(leg, 8)
    for call, given in ((few.forward, (q, v, x)), (few.inverse, (q, v, x)), (few.poses, (q,))):
        assert call(*given) is not None
        for other in (q[:, :-1].copy(), q.astype(np.float32), np.asfortranarray(q), q.tolist(), q[0], q[:0]):
            assert call(other, *given[1:]) is None
        many = rows(leg, MOST + 1)
        assert call(*many[: len(given)]) is None


@pytest.mark.parametrize("name", ["forward", "inverse", "poses"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 5, 8])
def test_what_is_no_number_is_named(leg, name, bad, row):
    """Oracle: the row and the coordinate that were spoilt; a slide's q alone does not show in accelerations."""
    q, v, x = rows(leg, 9)
    for k in range(leg.nq):
        spoilt = q.copy()
        spoilt[row, k] = bad
        with pytest.raises(NotFinite, match=rf"q\[{row}, {k}\]"):
            CALLS[name](leg, spoilt, v, x)


def test_results_too_large_for_a_number_are_named(leg):
    """Oracle: 1e200 squared is none."""
    q, v, x = rows(leg, 9)
    v[4] = 1e200
    for name in ("forward", "inverse"):
        with pytest.raises(NotFinite, match=r"\[4\]"):
            CALLS[name](leg, q, v, x)


def test_large_numbers_whose_squares_are_none_are_taken(leg):
    """Oracle: forces of 1e200 give accelerations that are linear in them, far below the largest number."""
    q, v, x = rows(leg, 5)
    got, small = cd.forward_dynamics(leg, q, v, 1e200 * x), cd.forward_dynamics(leg, q, 0.0 * v, x)
    np.testing.assert_allclose(got / 1e200, small - cd.forward_dynamics(leg, q, 0.0 * v), rtol=1e-9, atol=1e-9)


def test_no_states_are_no_answers(leg):
    """Oracle: shapes."""
    q, v, x = rows(leg, 0)
    assert cd.forward_dynamics(leg, q, v, x).shape == (0, leg.nv)
    assert cd.forward_kinematics(leg, q).shape == (0, leg.nbodies)


def test_a_prescribed_coordinate_keeps_its_acceleration():
    """Oracle: the second derivative of its motion, t²; the short way does not know of it and is not taken."""
    bob = cd.Inertia.point(2.0, (0, 0, -1))
    b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y", name="swing"), inertia=bob)
    model = b.prescribe("swing", lambda t: t * t).build()
    q, v = np.zeros((3, 1)), np.zeros((3, 1))
    assert calls_of(model).few.forward(q, v, None) is None
    np.testing.assert_allclose(cd.forward_dynamics(model, q, v), 2.0, rtol=1e-9)
