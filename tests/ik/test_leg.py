"""A leg with a spline knee reaches its targets; what it cannot reach it comes nearest to."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

import condyle as cd
from condyle.gallery import leg
from support import planar_leg

MIDDLE = (0.5, float(np.mean(planar_leg.KNEE)), 0.0)


@pytest.mark.parametrize("method", ["damped", "qp"])
def test_a_thousand_reachable_poses_are_reached(method):
    """Oracle: the foot's pose by hand from the published table; 1e-10, at most 6 iterations in the median."""
    wanted = planar_leg.foot(planar_leg.random_postures(1000))
    target = cd.ik.pose("foot", planar_leg.pose(wanted))
    found = cd.ik.solve(leg(), target, MIDDLE, method=method, restarts=8)
    got = planar_leg.foot(found.q)
    assert np.abs(got[:, :2] - wanted[:, :2]).max() < 2e-10
    assert np.abs(np.exp(1j * got[:, 2]) - np.exp(1j * wanted[:, 2])).max() < 2e-10
    assert found.reached.all() and np.median(found.iterations) <= 6
    assert np.count_nonzero(found.restarts) <= 10  # from the middle one start is enough for nearly all
    low, high = planar_leg.KNEE
    assert found.q[:, 1].min() >= low and found.q[:, 1].max() <= high


@pytest.mark.parametrize("where", [(2.0, 0.0, 0.0), (0.5, -1.5, 0.0), (0.01, -0.05, 0.0)])
def test_an_unreachable_position_ends_at_the_nearest_one(where):
    """Oracle: scipy's bounded minimiser on the kinematics by hand, from many starts."""
    found = cd.ik.solve(leg(), cd.ik.position("foot", where), MIDDLE, restarts=6)

    def distance(q):
        return np.sum((planar_leg.foot(q)[:2] - where[:2]) ** 2)

    bounds = [(-4, 4), planar_leg.KNEE, (-1, 1)]
    starts = planar_leg.random_postures(12)
    best = min(minimize(distance, q, bounds=bounds, tol=1e-14).fun for q in starts)
    assert found.residual == pytest.approx(np.sqrt(best), rel=1e-6)
    assert not found.reached and found.stationary
    with pytest.raises(cd.CondyleError, match=r"the target is not reached: residual .* the nearest pose found is kept"):
        found.require()


@pytest.mark.parametrize("method", ["damped", "qp"])
def test_a_thousand_unreachable_poses_end_where_nothing_small_helps(method):
    """Oracle: the gradient of the distance by differences of the kinematics by hand: zero, or against a limit."""
    rng = np.random.default_rng(4)
    wanted = planar_leg.foot(planar_leg.random_postures(1000, seed=5)) + [0.7, -0.5, 1.0] * rng.uniform(1, 2, (1000, 3))
    found = cd.ik.solve(leg(), cd.ik.pose("foot", planar_leg.pose(wanted)), MIDDLE, method=method)
    out = ~found.reached
    assert out.sum() > 900 and found.stationary.all()

    def cost(q):
        gap = planar_leg.foot(q) - wanted[out]
        gap[:, 2] = np.angle(np.exp(1j * gap[:, 2]))
        return 0.5 * np.sum(gap**2, axis=1)

    q, h = found.q[out], 1e-6
    slope = np.stack([(cost(q + h * e) - cost(q - h * e)) / (2 * h) for e in np.eye(3)], axis=1)
    low, high = (planar_leg.KNEE[k] for k in (0, 1))
    slope[:, 1] = np.where(q[:, 1] <= low + 1e-12, np.minimum(slope[:, 1], 0.0), slope[:, 1])
    slope[:, 1] = np.where(q[:, 1] >= high - 1e-12, np.maximum(slope[:, 1], 0.0), slope[:, 1])
    assert np.abs(slope).max() < 1e-8
    assert_allclose(found.residual[out] ** 2, 2 * cost(q), rtol=1e-9)


def test_a_motion_is_followed_with_warm_starts():
    """Oracle: the motion that made the targets, by hand."""
    t = np.linspace(0, 1, 60)
    q = np.stack([0.5 + 0.4 * np.sin(3 * t), -1.0 + 0.5 * np.cos(4 * t), 0.3 * np.sin(5 * t)], axis=1)
    found = cd.ik.follow(leg(), cd.ik.pose("foot", planar_leg.pose(planar_leg.foot(q))), q[0])
    assert_allclose(found.q, q, atol=1e-8)
    assert found.iterations.max() <= 4


def test_a_batch_is_its_members():
    """Oracle: the same solver on one member at a time."""
    wanted = planar_leg.pose(planar_leg.foot(planar_leg.random_postures(6, seed=3))).reshape(2, 3, 4, 4)
    found = cd.ik.solve(leg(), cd.ik.pose("foot", wanted), MIDDLE)
    assert found.q.shape == (2, 3, 3) and found.reached.shape == (2, 3)
    alone = [cd.ik.solve(leg(), cd.ik.pose("foot", T), MIDDLE).q for T in wanted.reshape(6, 4, 4)]
    assert_allclose(found.q.reshape(6, 3), alone, atol=1e-12)


def test_limits_can_be_left_out():
    """Oracle: the knee's range: inside with limits, beyond without."""
    straight = planar_leg.foot(np.array([0.2, 0.155, 0.0]))
    beyond = cd.ik.position("foot", [*(straight[:2] * 1.01), 0.0])
    assert cd.ik.solve(leg(), beyond, MIDDLE).q[1] <= planar_leg.KNEE[1]


def test_a_straight_leg_can_be_pulled_inwards():
    """Oracle: the target itself: at full stretch the gradient is zero though the target is within reach."""
    full = cd.ik.solve(leg(), cd.ik.position("foot", (1.0, -2.0, 0.0)), MIDDLE).q
    found = cd.ik.solve(leg(), cd.ik.position("foot", (0.3, -0.6, 0.0)), full)
    assert_allclose(planar_leg.foot(found.q)[:2], (0.3, -0.6), atol=2e-10)
