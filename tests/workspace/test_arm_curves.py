"""All elbow positions for a goal: closed forms, brute force, tangencies."""

import os

import numpy as np
import pytest
from scipy.spatial import KDTree

from condyle.errors import BadShape, BadValue, CondyleError, NotFinite
from condyle.workspace import synthetic_subject
from condyle.workspace.kernels.posture_rows import BOXES, LEAVES
from support.arm_oracles import brute_mesh, pieces, refined_mesh

GOALS = (1000, pytest.param(int(os.environ.get("CONDYLE_GOALS", "10000")), marks=pytest.mark.slow))
SPACING = 1 / 40  # domain units; the grid's are 1/16, the oracle's 1/32 and, in doubt, 1/384


def dense(curve):
    return curve.at(np.arange(0, len(curve) - (0 if curve.closed else 0.9), 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("goal", [[0.5, 0.2, 0.1], [0.55, -0.1, 0.2], [0.35, 0.1, 0.05]])
def test_on_a_ball_the_curve_is_a_circle(ball_arm, goal):
    """Oracle: two spheres meet in the plane c·e = const, at a closed-form height and radius."""
    center, L2, L3 = np.array([0.15, 0, 0]), ball_arm.lengths.upper_arm, ball_arm.lengths.forearm
    span = np.array(goal) - center
    d = np.linalg.norm(span)
    height = (d * d + L2 * L2 - L3 * L3) / (2 * d)
    curves = ball_arm.elbow_curves(goal)
    assert curves
    for curve in curves:
        off = ball_arm.rigid_elbow(dense(curve)) - center
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


@pytest.mark.slow
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


def unmatched(arm, mesh, goal):
    """What is wrong with the curves of a goal, judged by a mesh; empty if nothing."""
    radius, curves = arm.lengths.forearm, arm.elbow_curves(goal)
    places, piece = pieces(mesh, goal, radius)
    count = piece.max() + 1 if len(piece) else 0
    small = [c for c in curves if np.ptp(c.places, axis=0).max() < SPACING]
    if not count <= len(curves) <= count + len(small):
        return f"{len(curves)} curves, {count} pieces"
    if count == 0:
        return ""
    gaps = KDTree(np.vstack([dense(c) for c in curves])).query(places)[0]
    return "" if gaps.max() < SPACING else f"a piece is {gaps.max():.3f} from every curve"


@pytest.mark.parametrize("count", GOALS)
def test_no_component_is_missed(male, count):
    """Oracle: brute force on a mesh of 6,144 triangles built and evaluated apart; where it disagrees, on one 144 times
    finer around the curve. As many curves as pieces (more only where loops are smaller than its triangles)."""
    mesh = brute_mesh(male, side=32)
    goals = np.random.default_rng(11).uniform([-0.4, -0.5, -0.6], [0.7, 0.7, 0.7], (count, 3))
    doubted = [goal for goal in goals if unmatched(male, mesh, goal)]
    assert len(doubted) < 0.02 * count
    for goal in doubted:
        assert not unmatched(male, refined_mesh(male, mesh, goal, male.lengths.forearm), goal), goal
    assert sum(len(male.elbow_curves(goal)) > 1 for goal in goals[:1000]) > 0


def tangent_goals(arm, count, depth, seed):
    """Goals whose sphere nearly touches the elbow surface from inside or outside: along its normal, off by `depth`."""
    rng = np.random.default_rng(seed)
    at = rng.uniform(-0.8, 0.8, (4 * count, 2))
    at = at[arm.surface.complex.locate(at)[1].min(axis=1) > 0.01][:count]
    h = 1e-6
    u, v = ((arm.rigid_elbow(at + h * d) - arm.rigid_elbow(at - h * d)) / (2 * h) for d in np.eye(2))
    normal = np.cross(u, v)
    normal *= rng.choice([-1, 1], (len(at), 1)) / np.linalg.norm(normal, axis=1, keepdims=True)
    return arm.rigid_elbow(at) + (arm.lengths.forearm + depth * rng.choice([-1, 1], (len(at), 1))) * normal


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1e-3, 3e-5])
def test_near_tangency_nothing_is_missed(any_arm, depth):
    """Oracle: brute force on a mesh of spacing 1/240, at goals made to be nearly tangent to the surface: thin curves,
    small loops, saddles."""
    mesh = brute_mesh(any_arm, side=24)
    for goal in tangent_goals(any_arm, 12, depth, seed=5):
        fine = refined_mesh(any_arm, mesh, goal, any_arm.lengths.forearm, side=10)
        assert not unmatched(any_arm, fine, goal), goal


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


@pytest.mark.parametrize(
    ("words", "bad"),
    [
        ("a goal is a point", lambda arm: arm.solve("here")),
        ("in metres, below 1e.09; got largest = 1e.300", lambda arm: arm.solve([1e300, 0.0, 0.0])),
        ("times its length away: goals are in metres", lambda arm: arm.solve([350.0, 300.0, -50.0])),
        ("one goal; got shape = .2, 3", lambda arm: arm.nearest_reachable(np.zeros((2, 3)))),
        ("must be finite", lambda arm: arm.nearest_reachable([np.nan, 0.0, 0.0])),
        ("one orientation .*got .2, 3, 3", lambda arm: arm.solve(np.zeros((3, 3)), orientation=[np.eye(3)] * 2)),
        ("one hand_axis .*got .2,", lambda arm: arm.solve(np.zeros(3), hand_axis=[0.0, 1.0])),
        ("must fit each other", lambda arm: arm.forward([1.0, 1.0, 1.0], [0.5, 0.5])),
        ("wrist is three angles", lambda arm: arm.forward(1.0, 0.5, wrist=(0.0, 0.0))),
        ("motion must not be negative", lambda arm: arm.follow(np.zeros((2, 3)), motion=-1.0)),
        ("at least one sample", lambda arm: synthetic_subject("male", count=0)),
        ("noise must not be negative", lambda arm: synthetic_subject("male", noise=-0.1)),
    ],
)
def test_goals_that_do_not_fit_get_words(male, words, bad):
    """Oracle: the words."""
    with pytest.raises(CondyleError, match=words):
        bad(male)


def test_wrong_goals_are_named(male):
    with pytest.raises(BadShape, match=r"a goal is a point \(..., 3\) in metres; got shape = \(2,\)"):
        male.solve([0.1, 0.2])
    with pytest.raises(BadShape, match=r"elbow curves are of one goal; got shape = \(2, 3\)"):
        male.elbow_curves(np.zeros((2, 3)))
    with pytest.raises(NotFinite, match=r"a goal must be finite"):
        male.solve([np.nan, 0, 0])
    with pytest.raises(BadValue, match=r"the distance from elbow to goal must be positive; got distance = -1.0"):
        male.aim([0.5, 0.2, 0.0], -1.0)
