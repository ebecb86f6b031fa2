"""The inchworm and the squatter as mechanisms, and sharing of loads."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery.scenes.crawler import crawling, front_of, replayed
from condyle.gallery.scenes.squatter import squatter, squatter_feet, squatter_stance
from condyle.gallery.scenes.worm import crawl, landing, worm, worm_arc, worm_points, worm_reversed

C = cd.control


def test_the_arch_of_a_worm_stands_on_both_ends():
    """Oracle: the ends' distance and heights; equal bends."""
    q = worm_arc(10, 0.036, 0.7)
    points = worm_points(worm(10), q)
    assert points[-1] - points[0] == pytest.approx(0.036 * np.array([np.cos(0.7), np.sin(0.7), 0.0]), abs=1e-12)
    assert points[1:-1, 2].min() > 0.0
    assert np.linalg.norm(np.diff(points, axis=0), axis=1) == pytest.approx(0.005, abs=1e-15)


def test_too_tight_an_arch_gets_words():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match=r"the arch is too tight: .* use a longer chord; got chord = 0\.02"):
        worm_arc(10, 0.02, 0.0)


def test_a_change_of_base_moves_no_point():
    """Oracle: the points before, turned round; twice is back again."""
    q = worm_arc(10, 0.036, 0.7) + 0.1 * np.random.default_rng(0).normal(size=20)
    points = worm_points(worm(10), q)
    model, back = worm_reversed(points, q)
    assert worm_points(model, back)[::-1] == pytest.approx(points, abs=1e-16)
    again, same = worm_reversed(worm_points(model, back), back)
    assert worm_points(again, same) == pytest.approx(points, abs=1e-16)


def test_the_planned_landing_is_the_nearest_to_the_goal():
    """Oracle: the straight way with the longest stride when the goal is far, less when it is near."""
    chords, turns = np.linspace(0.03, 0.04, 5), np.linspace(-0.4, 0.4, 9)
    far = landing(np.zeros(3), np.array([1.0, 1.0, 0.0]), chords, turns)
    assert far == pytest.approx(0.04 * np.array([1, 1, 0]) / np.sqrt(2))
    assert landing(np.zeros(3), np.array([0.032, 0.0, 0.0]), chords, turns)[0] == pytest.approx(0.0325)


def test_shared_forces_are_the_least():
    """Oracle: any other reactions give larger torques, and the motion stays."""
    model, q = squatter(), squatter_stance()
    feet = squatter_feet(model)
    tau = cd.bias_forces(model, q, np.zeros(6))
    shared = C.shared_forces(feet, q, tau)
    assert C.partitioned_acceleration(feet, q, np.zeros(6), shared.tau).a == pytest.approx(0, abs=1e-8)
    for change in np.eye(3):
        other = tau - feet.gradient(q).T @ (shared.reactions + 0.1 * change)
        assert np.linalg.norm(other) > np.linalg.norm(shared.tau)


def test_standing_the_feet_carry_the_weight_alike():
    """Oracle: by symmetry the torques of both knees are equal, and mobility is three."""
    model, q = squatter(), squatter_stance()
    feet = squatter_feet(model)
    assert feet.value(q) == pytest.approx(0, abs=1e-14)
    assert C.mobility(feet, q) == (3, 3)
    assert cd.center_of_mass(model, q)[2] == pytest.approx(0, abs=1e-15)


@pytest.mark.slow
def test_five_cycles_of_torques_replayed_stay_within_a_millimetre():
    """Oracle: the directed points; each step starts where the last one ended. It advances by its stride each cycle."""
    steps = crawl(cycles=5, chords=(0.034, 0.046), step=0.01)
    assert np.diff(front_of(steps)) == pytest.approx(0.012, abs=1e-6)
    assert max(off.max() for off in replayed(steps, step=0.01)) < 1e-3


def test_crawling_as_one_motion_goes_through_the_same_points():
    """Oracle: the points of the steps, rear to front; joints of the player's worm and its tip."""
    steps = crawl(cycles=1, step=0.02)
    motion = crawling({"worm": steps})
    poses = motion.poses()
    tips = poses[:, -1].apply(np.array([0.005, 0, 0]))
    count = len(steps[0].motion.t)
    assert poses.xyz[:count] == pytest.approx(steps[0].points[:, :-1], abs=1e-12)
    assert tips[count:] == pytest.approx(steps[1].points[1:, 0], abs=1e-12)
    assert np.abs(np.diff(motion.q, axis=0)).max() < 1.0  # no turn jumps


def test_planting_the_foot_by_the_engine_is_holding_its_coordinates():
    """Oracle: elimination on the open tree; mobility by the engine's rank is three where the count says nought."""
    planted, feet = squatter(planted=True), squatter_feet(squatter())
    q, tau = squatter_stance(), np.array([3.0, -20.0, 5.0, 1.0, -10.0, 2.0])
    held = C.partitioned_acceleration(feet, q, np.zeros(6), tau)
    assert cd.forward_dynamics(planted, q, np.zeros(6), tau) == pytest.approx(held.a, rel=1e-9, abs=1e-9)
    assert C.mobility(planted, q) == (0, 3)
