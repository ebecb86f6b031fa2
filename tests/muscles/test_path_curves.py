"""Where paths run: points of them along what they wrap over."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue
from support.muscle_models import RADII, RADIUS, every_path, ring_pose, states

# a point x lies on each surface where this is zero
SURFACES = {
    "over drum": lambda x: np.hypot(x[..., 0], x[..., 1]) - RADIUS,
    "over ball": lambda x: np.linalg.norm(x, axis=-1) - RADIUS,
    "over egg": lambda x: np.sqrt(((x / RADII) ** 2).sum(axis=-1)) - 1.0,
}


@pytest.fixture(scope="module")
def drawn():
    model, q = every_path(), np.concatenate([[[-0.1, 0.0], [0.0, 0.0]], states(10)])
    return model, q, cd.muscles.path_points(model, q, samples=201)


@pytest.mark.slow
def test_chords_of_the_points_are_as_long_as_the_path(drawn):
    """Oracle: lengths; the chords of an arc of 200 parts are shorter by the square of its angles."""
    model, q, points = drawn
    chords = np.stack([np.linalg.norm(np.diff(x, axis=-2), axis=-1).sum(axis=-1) for x in points], axis=-1)
    found = cd.muscles.lengths(model, q)
    assert (chords <= found + 1e-12).all()
    np.testing.assert_allclose(chords, found, atol=2e-6)


@pytest.mark.parametrize("name", SURFACES)
def test_points_of_an_arc_lie_on_the_surface(drawn, name):
    """Oracle: the equation of the surface."""
    model, _, points = drawn
    x = points[cd.muscles.names(model).index(name)]
    apart = np.linalg.norm(x[:, 1] - x[:, 2], axis=-1)
    touched = (apart > 0) & (apart < 0.01)  # in other states the path goes straight
    assert touched[:2].all()
    assert np.abs(SURFACES[name](x[touched, 1:202])).max() < 1e-8


def test_points_round_a_ring_lie_on_its_tube(drawn):
    """Oracle: the distance from the circle, to the order in which a tube differs from a cylinder."""
    model, _, points = drawn
    x = points[cd.muscles.names(model).index("through ring")][:, 1:202] @ ring_pose()[:3, :3]
    away = np.hypot(np.hypot(x[..., 0], x[..., 1]) - 0.1, x[..., 2])
    assert np.abs(away - 0.01).max() < 1e-4


def test_a_point_that_does_not_count_is_not_met():
    """Oracle: the points placed by hand; the last one is repeated."""
    model = every_path()
    held = cd.muscles.names(model).index("held")
    inside, outside = cd.muscles.path_points(model, [[0.0, -0.2], [0.0, 0.2]])[held]
    np.testing.assert_allclose(inside[1], [0.1, 0.1, 0], atol=1e-15)
    np.testing.assert_allclose(outside[1], outside[2], atol=1e-15)
    np.testing.assert_allclose(outside[1], [0.3 + 0.1 * np.cos(0.2), 0.1 * np.sin(0.2), 0], atol=1e-15)
    with pytest.raises(BadValue, match="samples"):
        cd.muscles.path_points(model, [0.0, 0.0], samples=1)
