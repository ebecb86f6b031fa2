"""Every kind of joint against its written definition: expm poses, and their derivatives by series and complex steps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import definitions, random_motion
from oracles.definitions import vee
from oracles.series import terms
from twins.kinds import KINDS

QUATERNIONS = ("ball", "free")
ORDINARY = sorted(set(KINDS) - set(QUATERNIONS))


def rates(oracle, q):
    """s_i = (T⁻¹ ∂T/∂v_i)^∨ as columns, from series; complex q is allowed."""
    columns = []
    for e in np.eye(oracle.nv):
        T, rate = terms(oracle.path(q, e, 1))
        columns.append(vee(np.linalg.inv(T) @ rate))
    return np.transpose(columns)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_pose_is_the_product_of_exponentials(kind):
    """Oracle: scipy expm of the definition, at ten random places."""
    rng = np.random.default_rng(700)
    pair = KINDS[kind](rng)
    for q in (pair.sample(rng) for _ in range(10)):
        expected = terms(pair.oracle.path(q, np.zeros(pair.oracle.nv), 0))[0]
        assert_allclose(pair.joint.pose(q), expected, atol=1e-12, err_msg=f"{kind}: not the joint of its definition")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_jacobian_is_the_rate_of_the_pose(kind):
    """Oracle: exact series through expm."""
    rng = np.random.default_rng(701)
    pair = KINDS[kind](rng)
    for q in (pair.sample(rng) for _ in range(5)):
        words = f"{kind}: if poses agree, are the definition's functions those of series (tests/oracles/series.py)?"
        assert_allclose(pair.joint.jacobian(q), rates(pair.oracle, q), rtol=1e-12, atol=1e-12, err_msg=words)


@pytest.mark.parametrize("kind", ORDINARY)
def test_hessian_is_the_derivative_of_the_jacobian(kind):
    """Oracle: complex step through the series, hessian[:, i, j] = ∂s_i/∂q_j."""
    rng = np.random.default_rng(702)
    pair = KINDS[kind](rng)
    for q in (pair.sample(rng) for _ in range(5)):
        slopes = [rates(pair.oracle, q + 1e-30j * e).imag / 1e-30 for e in np.eye(pair.oracle.nq)]
        assert_allclose(pair.joint.hessian(q), np.moveaxis(slopes, 0, -1), rtol=1e-12, atol=1e-11)


def test_slow_turns_keep_poses_at_round_off():
    """Oracle: scipy expm; |ω| of the factors log-uniform from 1e-16 to π, where 1 − cos θ would lose its digits."""
    rng = np.random.default_rng(703)
    for _ in range(100):
        sizes = np.pi * 10 ** rng.uniform(-16.5, 0, 3)
        twists = [np.append(size * random_motion.unit(rng), rng.normal(size=3)) for size in sizes]
        joint = cd.joints.product(twists, [cd.functions.linear(0)] * 3)
        q = rng.uniform(-1, 1)
        expected = definitions.at(definitions.product(twists, [lambda x: x] * 3), q)
        assert_allclose(joint.pose([q]), expected, rtol=0, atol=1e-14)
