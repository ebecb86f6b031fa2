"""All elbow positions for a goal: closed forms, brute force, tangencies."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from condyle.errors import BadShape, BadValue, NotFinite
from condyle.workspace.grid import build_grid
from condyle.workspace.kernel_rows import BOXES, LEAVES


def brute_components(fine, goal, radius):
    """Crossed triangles of a fine mesh and the number of the connected piece each is in."""
    inside = ((fine.elbow - goal) ** 2).sum(axis=1) < radius**2
    corners = inside[fine.triangles]
    crossed = np.flatnonzero(corners.any(axis=1) & ~corners.all(axis=1))
    cut = (corners != np.roll(corners, -1, axis=1))[crossed]
    rows = np.nonzero(cut)[0]
    touch = coo_matrix(
        (np.ones(len(rows)), (rows, fine.edges[crossed][cut])), shape=(len(crossed), fine.edges.max() + 1)
    )
    pieces = connected_components(touch @ touch.T, directed=False)[1] if len(crossed) else np.zeros(0, int)
    return fine.triangles[crossed], pieces


def dense(curve):
    return curve.at(np.arange(0, len(curve) - (0 if curve.closed else 0.9), 0.25))


@pytest.mark.parametrize("goal", [[0.5, 0.2, 0.1], [0.55, -0.1, 0.2], [0.35, 0.1, 0.05]])
def test_on_a_ball_the_curve_is_a_circle(ball_arm, goal):
    """Oracle: two spheres meet in the plane c·e = const, at a closed-form height and radius."""
    centre, L2, L3 = np.array([0.15, 0, 0]), ball_arm.lengths.upper_arm, ball_arm.lengths.forearm
    span = np.array(goal) - centre
    d = np.linalg.norm(span)
    height = (d * d + L2 * L2 - L3 * L3) / (2 * d)
    curves = ball_arm.elbow_curves(goal)
    assert curves
    for curve in curves:
        off = ball_arm.rigid_elbow(dense(curve)) - centre
        assert np.abs(off @ span / d - height).max() < 1e-12
        assert np.abs(np.linalg.norm(np.cross(off, span / d), axis=1) - np.sqrt(L2**2 - height**2)).max() < 1e-12


def test_a_circle_inside_the_patch_is_one_closed_curve(ball_arm):
    """Oracle: a goal straight out from the patch's middle, whose circle stays inside the patch all round."""
    middle = ball_arm.rigid_elbow(np.zeros(2))
    out = (middle - [0.15, 0, 0]) / ball_arm.lengths.upper_arm
    curves = ball_arm.elbow_curves(middle + 0.24 * out)
    assert [c.closed for c in curves] == [True]
    turns = np.unwrap(np.arctan2(*(dense(curves[0]) - dense(curves[0]).mean(axis=0)).T))
    assert abs(abs(turns[-1] - turns[0]) - 2 * np.pi) < 0.3


def test_every_elbow_is_a_forearm_from_the_goal(male):
    """Oracle: the distance, by Bernstein sums, at points and between them."""
    rng = np.random.default_rng(0)
    seen = 0
    for goal in rng.uniform([-0.3, -0.4, -0.5], [0.7, 0.7, 0.6], (60, 3)):
        for curve in male.elbow_curves(goal):
            elbow = male.rigid_elbow(dense(curve))
            assert np.abs(np.linalg.norm(elbow - goal, axis=1) - male.lengths.forearm).max() < 1e-12
            seen += 1
    assert seen > 15


def test_no_component_is_missed(male):
    """Oracle: a mesh sixteen times finer; each of its pieces has a curve, all along it."""
    fine = build_grid(male.surface.complex, male.rigid_elbow, 6)
    rng, several = np.random.default_rng(11), 0
    for goal in rng.uniform([-0.4, -0.5, -0.6], [0.7, 0.7, 0.7], (150, 3)):
        crossed, pieces = brute_components(fine, goal, male.lengths.forearm)
        curves = male.elbow_curves(goal)
        assert len(curves) >= (pieces.max() + 1 if len(pieces) else 0)
        several += len(curves) > 1
        if len(pieces):
            gaps = KDTree(np.vstack([dense(c) for c in curves])).query(fine.at[crossed].mean(axis=1))[0]
            assert all(gaps[pieces == p].min() < 1 / 32 for p in range(pieces.max() + 1))
            assert gaps.max() < 1 / 32
    assert several > 0


def test_a_loop_smaller_than_a_triangle_is_found(ball_arm):
    """Oracle: spheres that overlap by a hair meet in a circle of closed-form radius, far below the grid's spacing."""
    at = np.array([[0.317, 0.123]])
    elbow = ball_arm.rigid_elbow(at)[0]
    out = (elbow - [0.15, 0, 0]) / ball_arm.lengths.upper_arm
    goal = elbow + (ball_arm.lengths.forearm - 1e-7) * out
    curves = ball_arm.elbow_curves(goal)
    assert len(curves) == 1 and curves[0].closed
    elbows = ball_arm.rigid_elbow(curves[0].places)
    d, L2, L3 = ball_arm.lengths.upper_arm + ball_arm.lengths.forearm - 1e-7, *ball_arm.lengths[1:]
    height = (d * d + L2 * L2 - L3 * L3) / (2 * d)
    radius = np.sqrt(L2 * L2 - height * height)
    assert radius < 2e-3 * L2
    assert np.linalg.norm(np.cross(elbows - [0.15, 0, 0], out), axis=1) == pytest.approx(radius, rel=1e-6)


def test_a_small_arc_at_the_rim_is_found(ball_arm):
    """Oracle: the same tangency at the middle of a rim edge: the circle is cut, the rest is one open curve."""
    at = np.array([0.031, -np.sqrt(0.75)])
    elbow = ball_arm.rigid_elbow(at)
    out = (elbow - [0.15, 0, 0]) / ball_arm.lengths.upper_arm
    curves = ball_arm.elbow_curves(elbow + (ball_arm.lengths.forearm - 1e-6) * out)
    assert len(curves) == 1 and not curves[0].closed
    assert np.linalg.norm(curves[0].places - at, axis=1).max() < 0.05


def test_goals_far_and_near_have_no_curve(male):
    """Oracle: the triangle inequality."""
    assert male.elbow_curves([2.0, 0.0, 0.0]) == []
    assert len(male.solutions([2.0, 0.0, 0.0])) == 0


def test_boxes_hold_the_surface_below_them(male):
    """Oracle: dense samples of every leaf and of every patch."""
    grid = male.grid
    first = len(grid.boxes) - len(grid.triangles)
    rng = np.random.default_rng(2)
    weights = rng.dirichlet([1, 1, 1], 6)
    points = male.rigid_elbow(np.einsum("pc,fcx->fpx", weights, grid.at[grid.triangles]))
    leaf = grid.boxes[first:]
    assert (points >= leaf[:, None, :3]).all() and (points <= leaf[:, None, 3:]).all()
    by_patch = points.reshape(6, -1, 3)
    assert (by_patch >= grid.boxes[:6, None, :3]).all() and (by_patch <= grid.boxes[:6, None, 3:]).all()


def test_the_tree_tests_a_fraction_of_the_triangles(male):
    """Oracle: counting; with the inside prune far fewer leaves are opened than the mesh has."""
    goals = male.forward(np.radians([40.0, 70.0, 100.0]), np.radians([60.0, 40.0, 80.0])).wrist
    rows = male.solve(goals).rows
    assert (rows[:, LEAVES] < 0.15 * len(male.grid.triangles)).all()
    assert (rows[:, BOXES] < 0.35 * len(male.grid.triangles)).all()


def test_wrong_goals_are_named(male):
    with pytest.raises(BadShape, match=r"a goal is a point \(..., 3\) in metres; got shape = \(2,\)"):
        male.solve([0.1, 0.2])
    with pytest.raises(BadShape, match=r"elbow curves are of one goal; got shape = \(2, 3\)"):
        male.elbow_curves(np.zeros((2, 3)))
    with pytest.raises(NotFinite, match=r"a goal must be finite"):
        male.solve([np.nan, 0, 0])
    with pytest.raises(BadValue, match=r"the distance from elbow to goal must be positive; got distance = -1.0"):
        male.aim([0.5, 0.2, 0.0], -1.0)
