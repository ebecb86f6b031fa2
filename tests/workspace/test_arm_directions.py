"""Elevation and abduction, the disc and the hexagon."""

import numpy as np
import pytest

from condyle.workspace.directions import (
    angles_from_direction,
    direction_from_angles,
    direction_from_disc,
    disc_from_direction,
    disc_from_hexagon,
    hexagon_from_disc,
)

RNG = np.random.default_rng(0)


def directions(count=200):
    d = RNG.normal(size=(count, 3))
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    return d[d[:, 0] > -0.9]


def test_named_directions_point_where_they_say():
    """Oracle: down, sideways, forward and up."""
    degrees = np.radians([[0, 0], [90, 0], [90, 90], [180, 0]])
    wanted = [[0, 0, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert np.allclose(direction_from_angles(*degrees.T), wanted, atol=1e-15)


def test_every_map_goes_back():
    """Oracle: the identity."""
    d = directions()
    assert np.abs(direction_from_angles(*angles_from_direction(d)) - d).max() < 1e-15 * 4
    disc = disc_from_direction(d)
    assert np.abs(direction_from_disc(disc) - d).max() < 1e-14
    assert np.abs(disc_from_hexagon(hexagon_from_disc(disc)) - disc).max() < 1e-14


def test_radius_is_the_equal_area_law():
    """Oracle: √2 sin(θ/2) for the angle θ from the lateral axis."""
    d = directions()
    theta = np.arccos(d[:, 0])
    assert np.abs(np.linalg.norm(disc_from_direction(d), axis=1) - np.sqrt(2) * np.sin(theta / 2)).max() < 1e-14


def test_equal_areas_stay_equal():
    """Oracle: |∂d/∂u × ∂d/∂v| of the inverse map is the same everywhere (2 here: 2π of sphere on π of disc)."""
    disc, h = RNG.uniform(-0.7, 0.7, (40, 2)), 1e-5
    du, dv = ((direction_from_disc(disc + e) - direction_from_disc(disc - e)) / (2 * h) for e in h * np.eye(2))
    assert np.abs(np.linalg.norm(np.cross(du, dv), axis=1) - 2).max() < 1e-8


def test_the_disc_fills_the_hexagon():
    """Oracle: corners stay, edge middles come to cos 30°."""
    turns = np.radians([0, 60, 30, 90])
    rim = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    assert np.linalg.norm(hexagon_from_disc(rim), axis=1) == pytest.approx([1, 1, np.sqrt(0.75), np.sqrt(0.75)])
