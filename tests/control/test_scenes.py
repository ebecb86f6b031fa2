"""The inchworm and the squatter as mechanisms, and sharing of loads."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery.scenes.crawler import crawling, front_of, race, replayed
from condyle.gallery.scenes.sitter import rocking, sitter, sitter_hip
from condyle.gallery.scenes.squatter import squatter, squatter_feet, squatter_stance
from condyle.gallery.scenes.worm import crawl, landing, regripped, worm, worm_arc, worm_points

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
    model, back = regripped(worm(10), q)
    assert model.names[0] == "s10"
    assert worm_points(model, back)[::-1] == pytest.approx(points, abs=1e-15)
    again, same = regripped(model, back)
    assert worm_points(again, same) == pytest.approx(points, abs=1e-15)
    assert same == pytest.approx(q, abs=1e-12)


def test_the_worm_stops_on_its_goal_round_a_bend():
    """Oracle: the goal; M29: it walked past. More cycles than it needs change nothing."""
    goal = np.array([0.02, 0.05, 0.0])
    steps = crawl(cycles=8, goal=goal, step=0.05)
    assert steps[-1].points[-1, 0] == pytest.approx(goal, abs=1e-9)
    assert len(steps) < 16
    crawled = crawling({"worm": steps})
    tips = crawled.poses()[:, -1].apply(np.array([0.005, 0, 0]))
    assert np.linalg.norm(tips[-1] - goal) < 1e-9
    assert np.linalg.norm(tips - goal, axis=1).min() == pytest.approx(0, abs=1e-6)


def test_the_planned_landing_is_the_nearest_to_the_goal():
    """Oracle: the straight way with the longest stride when the goal is far, the goal when a stride reaches it."""
    chords, turns = np.linspace(0.03, 0.04, 5), np.linspace(-0.4, 0.4, 9)
    far = landing(np.zeros(3), np.array([1.0, 1.0, 0.0]), chords, turns)
    assert far == pytest.approx(0.04 * np.array([1, 1, 0]) / np.sqrt(2))
    assert landing(np.zeros(3), np.array([0.032, 0.0, 0.0]), chords, turns)[0] == 0.032
    assert landing(np.zeros(3), np.array([0.002, 0.0, 0.0]), chords, turns)[0] == pytest.approx(0.03)


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
def test_the_whole_race_replayed_stays_with_it():
    """Oracle: the directed joints [rad]; each step starts where the last one ended. A cycle advances by its stride."""
    runs = race(3, step=0.01)
    assert np.diff(front_of(runs["long_stride"])) == pytest.approx(0.012, abs=1e-6)
    for steps in runs.values():
        assert max(off.max() for off in replayed(steps, step=5e-3)) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(("step", "cycles"), [(1e-3, 1), (5e-3, 4)])
def test_a_bend_replayed_stays_with_it(step, cycles):
    """Oracle: the directed joints [rad], at steps of 1 ms and of 5 ms."""
    steps = crawl(cycles=cycles, goal=(0.05, 0.06, 0.0), step=0.01)
    assert max(off.max() for off in replayed(steps, step=step)) < 1e-4


@pytest.mark.slow
def test_rocking_on_the_chair_replayed_stays_with_it():
    """Oracle: the directed joints [rad]; the hip is pinned by the engine, at steps of 5 ms."""
    motion = rocking()
    torques = C.torque_functions(motion, held=sitter_hip(sitter()))
    back = C.replay(sitter(held=True), torques, feedback=40.0, step=5e-3, record=0.02)
    assert np.abs(back.drift).max() < 1e-4


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


@pytest.mark.parametrize(("segments", "chords"), [(8, (0.034, 0.046)), (6, (0.02, 0.03)), (1, (0.002, 0.004))])
def test_a_worm_too_short_for_its_step_is_told(segments, chords):
    """Oracle: the chord against the length of 5 mm a segment; a shorter one is walked."""
    with pytest.raises(cd.errors.BadValue, match=f"{segments} segments"):
        crawl(segments, cycles=1, chords=chords, step=0.05)
    assert len(crawl(8, cycles=1, chords=(0.028, 0.037), step=0.05)) == 2
