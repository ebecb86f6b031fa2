"""Inverse: best postures, limits, orientations, aiming, nearest points, batches."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.errors import BadShape, BadValue, NotARotation, NotFinite, OutOfReach
from condyle.numeric import entry
from condyle.splines.bezier.closest_point import domain_grid
from condyle.workspace.kernels.goal_solutions import Goals, postures_at
from condyle.workspace.kernels.posture import twist_excess
from condyle.workspace.kernels.posture_rows import WIDTH
from condyle.workspace.solve.arm_forward import posture_at
from support.arm_oracles import chain, feasible_postures, geodesic
from support.thinning import slow_but


@pytest.mark.parametrize("count", slow_but([200], [200, 2000]))
def test_goals_of_feasible_postures_are_met_inside_all_limits(male, count):
    """Oracle: the posture that made the goal; positions and orientation rebuilt from the nine angles by scipy."""
    made = feasible_postures(male, count)
    hands = made.hand
    found = male.solve(made.wrist, orientation=hands)
    assert found.feasible.all() and (found.penalty <= 1e-20).all()
    for n in range(0, len(found), 10):
        _, elbow, wrist, hand = chain(male.lengths, found.angles[n])
        assert np.linalg.norm(wrist - made.wrist[n]) < 1e-10
        assert np.abs(elbow - found.elbow[n]).max() < 1e-12
        assert geodesic(hand, hands[n]) < 1e-7
    low, high = male.limits.rows.T
    assert (found.angles[:, 5:] >= low - 1e-9).all() and (found.angles[:, 5:] <= high + 1e-9).all()
    assert (found.twist <= 1 + 1e-9).all()


def test_position_alone_is_met_in_comfort(male):
    """Oracle: no sampled feasible solution is more comfortable."""
    made = feasible_postures(male, 30, seed=1)
    found = male.solve(made.wrist)
    for n in range(30):
        everything = male.solutions(made.wrist[n])
        assert found.feasible[n]
        assert (
            found.comfort[n]
            <= everything.comfort[(everything.penalty <= 1e-20) & everything.measured].min(initial=np.inf) + 1e-12
        )


def test_forward_undoes_inverse(male):
    """Oracle: the identity, through elevation, abduction and twist."""
    found = male.solve(feasible_postures(male, 40, seed=2).wrist)
    again = male.forward(found.elevation, found.abduction, found.twist, flexion=found.flexion)
    assert np.abs(again.wrist - found.wrist).max() < 1e-12
    assert np.abs(again.angles - found.angles).max() < 1e-10


def test_every_point_of_every_curve_is_a_solution(male):
    """Oracle: wrist error from the nine angles by scipy, feasible or not."""
    goal = feasible_postures(male, 1, seed=3).wrist[0]
    everything = male.solutions(goal, orientation=np.eye(3))
    assert len(everything) > 10
    for angles in everything.angles:
        _, _, wrist, hand = chain(male.lengths, angles)
        assert np.linalg.norm(wrist - goal) < 1e-10
        assert geodesic(hand, np.eye(3)) < 1e-7


def test_an_impossible_orientation_keeps_the_position_and_comes_nearest(male):
    """Oracle: a dense scan of all curve points and a grid of wrist angles finds nothing nearer."""
    made = feasible_postures(male, 12, seed=4)
    wanted = Rotation.random(12, random_state=3).as_matrix()
    found = male.solve(made.wrist, orientation=wanted)
    low, high = male.limits.rows[1:].T
    grid = np.stack(np.meshgrid(*(np.linspace(a, b, 13) for a, b in zip(low, high, strict=True)), indexing="ij"), -1)
    hands = Rotation.from_euler("XYZ", grid.reshape(-1, 3)).as_matrix()
    given_up = 0
    for n in range(12):
        _, _, wrist, hand = chain(male.lengths, found.angles[n])
        assert np.linalg.norm(wrist - made.wrist[n]) < 1e-10
        assert geodesic(hand, wanted[n]) == pytest.approx(found.orientation_error[n], abs=1e-7)
        given_up += found.orientation_error[n] > 1e-6
        everything = male.solutions(made.wrist[n])
        fore = everything[(everything.penalty <= 1e-20) & everything.measured].skeleton.forearm
        trace = np.einsum("fij,gjk,ik->fg", fore, hands, wanted[n])
        best = np.arccos(np.clip((trace.max() - 1) / 2, -1, 1))
        assert found.orientation_error[n] <= best + 1e-6
        assert (found.angles[n, 6:] >= low - 1e-9).all() and (found.angles[n, 6:] <= high + 1e-9).all()
    assert given_up > 4


def test_a_free_spin_makes_more_orientations_possible(male):
    """Oracle: the hand's z axis points where asked; more goals are feasible than with the full orientation."""
    made = feasible_postures(male, 60, seed=6)
    wanted = Rotation.random(60, random_state=4).as_matrix()
    full = male.solve(made.wrist, orientation=wanted)
    part = male.solve(made.wrist, hand_axis=wanted[..., 2])
    assert part.feasible.sum() > full.feasible.sum()
    for n in np.flatnonzero(part.feasible):
        _, _, wrist, hand = chain(male.lengths, part.angles[n])
        assert np.linalg.norm(wrist - made.wrist[n]) < 1e-10
        assert np.linalg.norm(np.cross(hand[:, 2], wanted[n][:, 2])) < 1e-9
    worse = ~part.feasible
    angle = [
        np.arccos(np.clip(chain(male.lengths, a)[3][:, 2] @ w[:, 2], -1, 1))
        for a, w in zip(part.angles[worse], wanted[worse], strict=True)
    ]
    assert np.allclose(angle, part.orientation_error[worse], atol=1e-7)


def test_aiming_points_the_forearm_at_the_target(male):
    """Oracle: elbow, wrist and target are on one line, the elbow at the distance asked."""
    made = feasible_postures(male, 20, seed=7)
    along = (made.wrist - made.elbow) / male.lengths.forearm
    target = made.elbow + 0.8 * along
    found = male.aim(target, 0.8)
    sight = (target - found.elbow) / 0.8
    assert np.abs(np.linalg.norm(sight, axis=1) - 1).max() < 1e-12
    assert np.abs(np.cross(sight, found.wrist - found.elbow)).max() < 1e-12
    assert (found.penalty <= 1e-20).all()


@entry
def excess_of(twist, span):
    return twist_excess(twist, span)


def test_limits_of_twist_are_arcs(male):
    """Oracle: the excess of a twist just below zero is small, not a full turn less the range."""
    assert excess_of(2 * np.pi - 0.01, 2.5) == pytest.approx(0.01)
    assert excess_of(2.6, 2.5) == pytest.approx(0.1)
    assert excess_of(1.0, 2.5) == 0.0


def test_answers_do_not_depend_on_the_past_nor_on_the_batch(male):
    """Oracle: bitwise equality of alone, in a batch, in another order, and on two threads."""
    goals = feasible_postures(male, 40, seed=8).wrist
    together = male.solve(goals, threads=1).rows
    assert np.array_equal(male.solve(goals, threads=2).rows, together)
    assert np.array_equal(male.solve(goals[::-1]).rows[::-1], together)
    assert np.array_equal(male.solve(goals[7]).rows, together[7])
    assert male.solve(goals.reshape(8, 5, 3)).angles.shape == (8, 5, 9)
    assert together.shape == (40, WIDTH)


def test_a_goal_out_of_reach_is_named_with_the_nearest_point(male):
    with pytest.raises(
        OutOfReach, match=r"goal \(0.9000, 0.6000, 0.1000\) m is out of reach: the arm cannot get there; the nearest"
    ) as caught:
        male.solve([0.9, 0.6, 0.1])
    assert np.linalg.norm(caught.value.nearest.point - [0.9, 0.6, 0.1]) == pytest.approx(caught.value.nearest.distance)
    with pytest.raises(OutOfReach, match=r"out of reach \(goal 1, 1 of 2\)"):
        male.solve([[0.35, 0.35, 0.0], [0.9, 0.6, 0.1]])
    with pytest.raises(OutOfReach, match=r"no elbow position is 5.0000 m from"):
        male.aim([0.3, 0.3, 0.3], 5.0)


@pytest.mark.parametrize("goal", [[0.9, 0.6, 0.1], [-0.4, 0.1, 0.2], [0.1, -0.6, 0.3], [0.05, 0.02, 0.0]])
def test_nothing_reachable_is_nearer_than_the_nearest_point(male, goal):
    """Oracle: dense sampling of places, twists and flexions inside the limits."""
    near = male.nearest_reachable(goal)
    places = domain_grid(male.surface.complex, 16)
    twist, flexion = np.meshgrid(np.linspace(0, 1, 15), np.linspace(*male.limits.flexion, 25), indexing="ij")
    wrists = posture_at(male, places[:, None, None], twist, flexion, (0.0, 0.0, 0.0)).wrist
    distance = np.linalg.norm(wrists - goal, axis=-1)
    assert near.distance <= distance.min() + 1e-9
    assert distance.min() - near.distance < 0.02
    assert male.solve(near.point, outside="nearest").wrist == pytest.approx(near.point, abs=1e-6)


def test_outside_goals_can_be_replaced_or_marked(male):
    """Oracle: the nearest point alone, and NaN rows."""
    goals = np.array([[0.35, 0.35, 0.0], [0.9, 0.6, 0.1]])
    nearest, marked = male.solve(goals, outside="nearest"), male.solve(goals, outside="nan")
    assert nearest.wrist[1] == pytest.approx(male.nearest_reachable(goals[1]).point, abs=1e-12)
    assert nearest.wrist[0] == pytest.approx(goals[0], abs=1e-12)
    assert np.isnan(marked.angles[1]).all() and np.isfinite(marked.angles[0]).all()


def test_a_straight_arm_has_a_posture(male):
    """Oracle: the goal at full stretch; twist is free there, so it is put in the middle of its range."""
    posture = male.forward(np.radians(80.0), np.radians(30.0), 0.2, flexion=0.0)
    rows = np.zeros((1, WIDTH))
    patch = np.array([int(posture.rows[4])])
    turn = np.eye(3).reshape(1, 9)
    asked = Goals(posture.wrist[None].copy(), male.lengths.forearm, 0, turn, (0.0, 0.0, 1.0), 0, 0)
    postures_at(male.tables, patch, posture.place[None].copy(), asked, False, rows)
    assert np.isfinite(rows).all()
    assert np.linalg.norm(chain(male.lengths, rows[0, 18:27])[2] - posture.wrist) < 1e-12


def test_wrong_questions_are_named(male):
    goal = [0.35, 0.35, 0.0]
    with pytest.raises(BadValue, match=r"give either orientation or hand_axis, not both"):
        male.solve(goal, orientation=np.eye(3), hand_axis=[0, 0, 1])
    with pytest.raises(BadValue, match=r"hand_axis is a direction, not zero"):
        male.solve(goal, hand_axis=[0, 0, 0])
    with pytest.raises(BadValue, match=r'outside is "raise", "nearest" or "nan"; got outside = \'clamp\''):
        male.solve(goal, outside="clamp")
    with pytest.raises(NotARotation, match=r"orientation is not a rotation: it is scaled"):
        male.solve(goal, orientation=2 * np.eye(3))
    with pytest.raises(NotFinite, match="a goal must be finite"):
        male.solve(np.ma.masked_array(goal, [True, False, False]))
    with pytest.raises(BadShape, match="a goal is a point"):
        male.solve([10**400, 0, 0])
    with pytest.raises(BadValue, match="link lengths of an arm are in metres"):
        male.scaled(150.0, 300.0, 250.0)
