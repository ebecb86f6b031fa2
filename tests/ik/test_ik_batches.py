"""Batches of targets side by side in lanes: all reached, each as if it were alone, and bad ones beside good ones."""

import numpy as np
import pytest
from benchmarks.engines import arm
from numpy.testing import assert_array_equal

import condyle as cd

COUNT = 150  # more than two chunks of lanes, so that two threads are at work


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("arm") / "arm.urdf"
    path.write_text(arm.URDF)
    return cd.load(path)


@pytest.fixture(scope="module")
def poses():
    return arm.hand_poses(arm.random_postures(COUNT, seed=3))


def solve(model, poses, q0=arm.START, restarts=16, **options):
    return cd.ik.solve(model, cd.ik.pose(arm.HAND, poses), q0, tolerance=1e-6, restarts=restarts, **options)


def same(found, expected, rows=slice(None)):
    for name in ("q", "residual", "reached", "stationary", "iterations", "restarts"):
        assert_array_equal(getattr(found, name), getattr(expected, name)[rows], err_msg=name)


def test_reachable_poses_are_reached_with_further_starts(model, poses):
    """Oracle: the hand's pose by hand; postures inside the limits made the targets, so all can be reached."""
    once, found = solve(model, poses, restarts=0), solve(model, poses)
    assert found.reached.mean() >= 0.99 > once.reached.mean()
    assert np.abs(arm.hand_poses(found.q) - poses)[found.reached].max() < 2e-6
    assert np.abs(found.q).max() <= arm.LIMIT
    assert_array_equal(found.restarts[once.reached & (once.iterations <= 16)], 0)


def test_a_member_does_not_depend_on_its_batch(model, poses, monkeypatch):
    """Oracle: the same entry on parts of the batch, in another order, and on other numbers of threads, to the bit."""
    monkeypatch.setenv("CONDYLE_THREADS", "1")
    found, order = solve(model, poses), np.random.default_rng(0).permutation(COUNT)
    same(solve(model, poses[3:5]), found, slice(3, 5))
    same(solve(model, poses[order]), found, order)
    monkeypatch.setenv("CONDYLE_THREADS", "2")
    same(solve(model, poses), found)


def test_bad_members_leave_their_neighbours_alone(model, poses):
    """Oracle: the batch without them. Targets far away end stationary, a start that is not finite is refused."""
    good, mixed = poses[:12], poses[:12].copy()
    mixed[5, :3, 3] += (3.0, 0.0, 0.0)
    mixed[8, :3, 3] = 1e200  # its square overflows
    expected, found = solve(model, good), solve(model, mixed)
    rest = np.delete(np.arange(12), [5, 8])
    for name in ("q", "residual", "reached"):
        assert_array_equal(getattr(found, name)[rest], getattr(expected, name)[rest])
    assert not found.reached[[5, 8]].any() and found.stationary[5]
    assert np.isfinite(found.q).all() and (np.abs(found.q) <= arm.LIMIT).all()
    with pytest.raises(cd.CondyleError):
        solve(model, good, np.full((12, 7), np.nan))


def test_markers_not_observed_in_one_lane_count_only_there(model, poses):
    """Oracle: each frame solved by itself."""
    at = np.array([(0, 0, 0), (0.1, 0, 0.2), (0, 0.2, 0.1)])
    seen = np.einsum("nij,kj->nki", poses[:9, :3, :3], at) + poses[:9, None, :3, 3]
    seen[4, 1] = np.nan
    q0 = arm.random_postures(COUNT, seed=3)[:9] + 0.1
    found = cd.ik.solve(model, cd.ik.points(arm.HAND, at, seen), q0)
    alone = cd.ik.solve(model, cd.ik.points(arm.HAND, at, seen[4]), q0[4])
    assert found.reached.all() and np.abs(found.q[4] - alone.q).max() < 1e-8


def test_an_empty_batch_has_an_empty_answer(model):
    """Oracle: its shape."""
    found = solve(model, np.empty((0, 4, 4)))
    assert found.q.shape == (0, 7) and found.reached.shape == (0,)


def test_what_no_start_reaches_is_the_nearest_of_all(model, poses):
    """Oracle: the answer from one start is never nearer; the gradient vanishes inside the limits."""
    far = poses[:10].copy()
    far[:, :3, 3] *= 2.5
    once, found = solve(model, far, restarts=0), solve(model, far, restarts=6)
    out = ~found.reached
    assert out.sum() >= 8 and (found.restarts[out] == 6).all() and found.stationary.all()
    assert (found.residual <= once.residual * (1 + 1e-12)).all()


def test_other_starts_are_even_inside_the_limits(model):
    """Oracle: the limits; among 64 each quarter of each range has its share; each seed has its own."""
    from condyle.ik.problem import Problem

    problem = Problem.of(model, [cd.ik.pose(arm.HAND, np.eye(4))], (), True)
    q = problem.starts(0, 64, seed=0)
    quarters = np.floor((q + arm.LIMIT) / (0.5 * arm.LIMIT)).astype(int)
    assert (np.abs(q) <= arm.LIMIT).all()
    assert all(np.abs(np.bincount(column, minlength=4) - 16).max() <= 5 for column in quarters.T)
    assert_array_equal(problem.starts(10, 5, seed=0), q[10:15])
    assert np.abs(problem.starts(0, 64, seed=1) - q).max() > 0.1


def hinge_chain(count: int) -> cd.Model:
    b, place = cd.ModelBuilder(), cd.SE3.from_translation([0.3, 0, 0])
    for k in range(count):
        above = {"parent": f"link{k - 1}", "placement": place} if k else {}
        b.add_body(f"link{k}", joint=cd.joints.revolute("yz"[k % 2]), inertia=cd.Inertia.point(1.0), **above)
    return b.build()


def test_targets_out_of_reach_end_long_before_the_last_step():
    """Oracle: slopes of the distance by differences. Newton's method ends what Gauss-Newton would creep to."""
    model, count = hinge_chain(7), 60

    def tips(q):
        return (cd.forward_kinematics(model, q)[..., -1] @ cd.SE3.from_translation([0.3, 0, 0])).xyz

    goals = 2.0 * tips(np.random.default_rng(0).uniform(-0.8, 0.8, (count, 7)))
    found = cd.ik.solve(model, cd.ik.position("link6", goals, at=(0.3, 0, 0)), np.full(7, 0.1), iterations=100)
    away = [np.linalg.norm(tips(found.q + dq) - goals, axis=1) for dq in (*1e-5 * np.eye(7), *-1e-5 * np.eye(7))]
    assert (np.linalg.norm(goals, axis=1) > 7 * 0.3).all()
    assert not found.reached.any()
    assert found.stationary.all()
    assert np.abs(np.subtract(*np.split(np.array(away), 2))).max() / 2e-5 < 1e-8
    assert found.iterations.max() < 50
