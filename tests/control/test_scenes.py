"""The inchworm and the squatter as mechanisms, and sharing of loads."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import (
    landing,
    squatter,
    squatter_feet,
    squatter_stance,
    worm,
    worm_arc,
    worm_points,
    worm_reversed,
)

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
