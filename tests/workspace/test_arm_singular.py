"""Places where something degenerates: the border of the reach, the straight arm, lined-up axes, goals at the joints."""

from dataclasses import replace

import numpy as np
import pytest

from condyle.errors import BadValue, OutOfReach
from condyle.workspace import Lengths, Limits
from support.arm_oracles import chain, feasible_postures, geodesic, postures

CENTER = np.array([0.15, 0.0, 0.0])  # of the ball arm's shoulder


@pytest.mark.parametrize("joint", ["clavicle", "shoulder", "elbow"])
def test_a_goal_at_a_joint_is_answered_or_named(male, joint):
    """Oracle: the wrist of the answer, or the nearest point that the error names."""
    posture = male.forward(1.2, 0.9)
    goal = {"clavicle": np.zeros(3), "shoulder": posture.shoulder, "elbow": posture.elbow}[joint]
    near, found = male.nearest_reachable(goal), male.solve(goal, outside="nearest")
    assert np.linalg.norm(chain(male.lengths, found.angles)[2] - goal) == pytest.approx(near.distance, abs=1e-10)
    if near.distance > 1e-10:
        with pytest.raises(OutOfReach, match=r"is out of reach: .* the nearest reachable point is"):
            male.solve(goal)


def test_where_every_elbow_will_do_one_is_taken(ball_arm):
    """Oracle: a ball arm with forearm and upper arm equal reaches its own shoulder from every elbow: a whole surface of
    solutions. Any of them is right; none may be lost, none may take long."""
    arm = replace(ball_arm, lengths=Lengths(0.15, 0.3, 0.3), limits=Limits(flexion=(0.0, np.pi)))
    everything = arm.solutions(CENTER)
    assert np.isfinite(everything.angles).all()
    near = arm.nearest_reachable(CENTER)
    assert near.distance < 1e-12
    found = arm.solve(CENTER, outside="nearest")
    assert np.linalg.norm(chain(arm.lengths, found.angles)[2] - CENTER) < 1e-10


@pytest.mark.parametrize("beyond", [-1e-3, -1e-9, 0.0])
def test_the_stretched_arm_reaches_its_border(ball_arm, beyond):
    """Oracle: on a ball the reach ends at a distance of both links, with the arm straight."""
    ball = ball_arm.rigid_elbow(np.array([0.2, -0.1])) - CENTER
    goal = CENTER + (ball_arm.lengths.upper_arm + ball_arm.lengths.forearm + beyond) * ball / np.linalg.norm(ball)
    found = ball_arm.solve(goal)
    assert np.linalg.norm(chain(ball_arm.lengths, found.angles)[2] - goal) < 1e-10
    assert found.flexion == pytest.approx(0.0, abs=1e-6 + 3 * np.sqrt(-beyond / 0.14))
    turned = ball_arm.solve(goal, orientation=found.skeleton.forearm)
    assert turned.feasible and geodesic(turned.skeleton.hand, found.skeleton.forearm) < 1e-6


def test_just_beyond_the_border_the_nearest_point_is_named(ball_arm):
    """Oracle: a micrometre beyond the stretched arm on a ball is a micrometre away."""
    ball = ball_arm.rigid_elbow(np.array([0.2, -0.1])) - CENTER
    reach = ball_arm.lengths.upper_arm + ball_arm.lengths.forearm
    with pytest.raises(OutOfReach, match=r"the arm cannot get there; the nearest reachable point is") as caught:
        ball_arm.solve(CENTER + (reach + 1e-6) * ball / np.linalg.norm(ball))
    assert caught.value.nearest.distance == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.slow
def test_straight_arms_are_met(male):
    """Oracle: goals made with flexion 0, where the twist says nothing."""
    made = feasible_postures(male, 60, seed=21)
    made = postures(male, made.place, made.twist, 0.0, (0.0, 0.0, 0.0))
    found = male.solve(made.wrist)
    assert found.feasible.all()
    for n in range(len(found)):
        assert np.linalg.norm(chain(male.lengths, found.angles[n])[2] - made.wrist[n]) < 1e-10


def test_postures_at_their_limits_are_met(male):
    """Oracle: goals made with twist, flexion and wrist exactly at the ends of their ranges: often one point of the
    curve is allowed, and it must be found."""
    rng, made = np.random.default_rng(5), feasible_postures(male, 120, seed=22)
    low, high = male.limits.rows.T
    ends = np.where(rng.random((120, 4)) < 0.5, low, high)
    made = postures(male, made.place, rng.integers(0, 2, 120).astype(float), ends[:, 0], ends[:, 1:])
    bent = ends[:, 0] > 0.1
    found = male.solve(made.wrist[bent], orientation=made.hand[bent])
    assert (found.orientation_error < 1e-6).all() and (found.penalty < 1e-12).all()


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_wrist_with_lined_up_axes_is_posed(male, sign):
    """Oracle: at wrist y = ±90° x and z turn about one axis; the hand is rebuilt by scipy, inside the limits."""
    wrist = ((-1.2, 1.2), (-np.pi / 2, np.pi / 2), (-0.6, 0.6))
    arm = replace(male, limits=Limits(wrist=wrist))
    made = arm.forward(1.2, 0.9, 0.4, flexion=1.2, wrist=(1.0, sign * np.pi / 2, -0.4))
    at = np.flatnonzero(np.linalg.norm(arm.solutions(made.wrist).place - made.place, axis=1) >= 0)
    assert len(at)
    found = arm.solve(made.wrist, orientation=made.skeleton.hand)
    assert found.orientation_error < 1e-6
    assert geodesic(found.skeleton.hand, made.skeleton.hand) < 1e-6
    curve = arm.elbow_curves(made.wrist)[0]
    k = int(np.linalg.norm(curve.places - made.place, axis=1).argmin())
    assert np.isfinite(curve.postures([float(k)], made.skeleton.hand).angles).all()


def test_a_wrist_beyond_its_singular_place_is_refused():
    with pytest.raises(BadValue, match=r"the range of wrist y is within ±π/2; got low = -2.0, high = 0.1"):
        Limits(wrist=((-1, 1), (-2.0, 0.1), (-1, 1)))
