"""The inverse on every layout and degree: six patches, seven, twenty-four; cubic, quartic, quintic."""

import numpy as np

from condyle.workspace.solve.arm_forward import posture_at
from support.arm_oracles import chain, feasible_postures, geodesic


def test_every_solution_has_its_wrist_on_the_goal(any_arm):
    """Oracle: the nine angles of every solution of random goals, put through scipy's rotations."""
    goals = feasible_postures(any_arm, 8, seed=3).wrist
    worst = [
        np.linalg.norm(chain(any_arm.lengths, angles)[2] - goal)
        for goal in goals
        for angles in any_arm.solutions(goal).angles
    ]
    assert len(worst) > 200 and max(worst) < 1e-10


def test_forward_undoes_inverse(any_arm):
    """Oracle: the identity, at the place of the domain and through elevation, abduction and twist where these exist."""
    found = any_arm.solve(feasible_postures(any_arm, 40, seed=2).wrist)
    again = posture_at(any_arm, found.place, found.twist, found.flexion, (0.0, 0.0, 0.0))
    assert np.abs(again.wrist - found.wrist).max() < 1e-12
    named = np.isfinite(found.elevation)
    assert named.sum() > 30
    some = found[named]
    by_name = any_arm.forward(some.elevation, some.abduction, some.twist, flexion=some.flexion)
    assert np.abs(by_name.wrist - some.wrist).max() < 1e-12
    assert np.abs(by_name.angles - some.angles).max() < 1e-10


def test_feasible_goals_give_zero_penalty(any_arm):
    """Oracle: the postures that made the goals, orientation and all."""
    made = feasible_postures(any_arm, 150, seed=9)
    hands = made.hand
    found = any_arm.solve(made.wrist, orientation=hands)
    assert found.feasible.all() and (found.penalty <= 1e-20).all()
    for n in range(0, 150, 10):
        _, _, wrist, hand = chain(any_arm.lengths, found.angles[n])
        assert np.linalg.norm(wrist - made.wrist[n]) < 1e-10 and geodesic(hand, hands[n]) < 1e-7
