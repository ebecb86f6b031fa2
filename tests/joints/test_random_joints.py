"""Random products of random functions keep the contract."""

import mpmath
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from condyle import joints
from condyle.joints import functions as fn
from support.reference import hat, reference_jacobian, reference_pose
from support.samples import random_frames, surface

numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
coordinates = st.integers(0, 1)


@st.composite
def scalar_functions(draw):
    """One function of coordinate 0 or 1, or of both."""
    c = draw(coordinates)
    some = draw(st.lists(numbers, min_size=5, max_size=7))
    return draw(
        st.sampled_from(
            [
                fn.constant(some[0]),
                fn.linear(c, some[0], some[1]),
                fn.polynomial(some[:4], c),
                fn.sinusoid(some[0], some[1], some[2], some[3], c),
                fn.ellipse_angle(0.3 + abs(some[0]), 0.3 + abs(some[1]), c),
                fn.spline(None, some, coordinate=c),
                fn.spline(None, some, coordinate=c, periodic=True),
                fn.polynomial(some[:3], c) * fn.spline(None, some, coordinate=1 - c),
                some[4] * fn.sinusoid(some[0], coordinate=c) + fn.spline(None, some, coordinate=c),
            ]
        )
    )


@st.composite
def random_products(draw):
    """Twists of any size, functions, and a place; the last factor makes every coordinate read."""
    functions = [*draw(st.lists(scalar_functions(), min_size=1, max_size=5)), fn.polynomial([0, 1], 0), fn.linear(1)]
    seed = draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    twists = rng.normal(size=(len(functions), 6))
    twists[:, :3] *= 10.0 ** rng.uniform(-16, 0, (len(functions), 1))  # from almost straight to turning
    return twists, functions, rng.uniform(-0.5, 2.5, 2)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(random_products())
def test_a_random_product_is_its_written_definition(case):
    """Oracle: scipy's exponentials of twist times value, for the segments, the kernels and the inverse."""
    twists, functions, q = case
    joint = joints.product(twists, functions)
    values = [f(*(q[c] for c in f.coordinates)) for f in functions]
    expected = np.linalg.multi_dot([expm(hat(g) * x) for g, x in zip(twists, values, strict=True)])
    size = 1 + np.abs(expected).max()
    assert np.abs(reference_pose(joint, q) - expected).max() < 1e-12 * size
    assert np.abs(joint.pose(q) - expected).max() < 1e-12 * size
    assert np.abs(joint.inverse().pose(q) @ expected - np.eye(4)).max() < 1e-11 * size**2


@settings(max_examples=25, derandomize=True, deadline=None)
@given(random_products())
def test_a_random_product_has_the_jacobian_of_its_definition(case):
    """Oracle: complex step of the definition."""
    twists, functions, q = case
    joint = joints.product(twists, functions)
    expected = reference_jacobian(joint, q)
    assert np.abs(joint.jacobian(q) - expected).max() < 1e-11 * (1 + np.abs(expected).max())


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.integers(0, 2**31))
def test_poses_are_right_to_round_off_at_any_turning_rate(seed):
    """Oracle: mpmath's exponentials with fifty digits, |ω| from 1e-16 to π."""
    rng = np.random.default_rng(seed)
    omega, v = rng.normal(size=(2, 3, 3))
    omega *= (10.0 ** rng.uniform(-16, np.log10(np.pi), 3) / np.linalg.norm(omega, axis=1))[:, None]
    twists, q = np.concatenate([omega, v], axis=1), rng.uniform(-1, 1, 3)
    joint = joints.product(twists, [fn.linear(0), fn.polynomial([0, 0, 1], 1), fn.linear(2)])
    with mpmath.workdps(50):
        phi = [mpmath.mpf(float(q[0])), mpmath.mpf(float(q[1])) ** 2, mpmath.mpf(float(q[2]))]
        product = mpmath.eye(4)
        for g, x in zip(twists, phi, strict=True):
            product = product * mpmath.expm(mpmath.matrix(hat(g).tolist()) * x)
        expected = np.array(product.tolist(), float)
    assert np.abs(joint.pose(q) - expected).max() < 3e-15 * (1 + np.abs(expected).max())


parts = st.sampled_from(
    [
        joints.revolute("x"),
        joints.free(),
        joints.ball(),
        joints.elliptic(1, 2),
        joints.spline_curve(random_frames(7)),
        joints.spline_curve(random_frames(5), order=5, periodic=True).inverse(),
        surface(),
        joints.weld(random_frames(2)[1]),
    ]
)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.lists(parts, min_size=1, max_size=4), st.integers(0, 2**31))
def test_random_compositions_multiply(chosen, seed):
    """Oracle: the product of the parts' poses by the definition."""
    from support.samples import random_q

    rng = np.random.default_rng(seed)
    joint = joints.compose(*chosen)
    q = [random_q(p, rng, beyond=0.1) for p in chosen]
    expected = np.eye(4)
    for p, x in zip(chosen, q, strict=True):
        expected = expected @ reference_pose(p, x)
    assert np.abs(joint.pose(np.concatenate(q)) - expected).max() < 1e-12 * (1 + np.abs(expected).max())
