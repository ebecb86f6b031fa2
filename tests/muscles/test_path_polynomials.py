"""Paths reduced to polynomials of their coordinates."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue, NotSupported, UnknownName
from support.muscle_models import every_path

RANGES = {"arm": (-0.3, 0.1), "hand": (-0.4, 0.4)}


@pytest.fixture(scope="module")
def model():
    return every_path()


@pytest.mark.slow
def test_a_polynomial_is_as_far_off_as_it_says(model):
    """Oracle: lengths and moment arms at poses of our own; higher degrees are nearer."""
    errors = []
    for degree in (2, 4, 6):
        found = cd.muscles.reduced_path(model, "over both", degree=degree, ranges=RANGES, samples=400)
        x = np.random.default_rng(9).uniform([-0.3, -0.4], [0.1, 0.4], (100, 2))
        k = cd.muscles.names(model).index("over both")
        assert found.coordinates == ("arm", "hand")
        assert np.abs(found.length(x) - cd.muscles.lengths(model, x)[:, k]).max() < 2 * found.length_error
        arms = cd.muscles.moment_arms(model, x)[:, k]
        assert np.abs(found.moment_arms(x) - arms).max() < 2 * found.moment_arm_error
        errors.append(found.length_error)
    assert errors[2] < errors[1] < errors[0]


@pytest.mark.slow
def test_only_coordinates_that_move_the_path_are_in_it(model):
    """Oracle: the law of cosines, whose series in one angle is known."""
    found = cd.muscles.reduced_path(model, "line", degree=8, ranges=RANGES, samples=200)
    assert found.coordinates == ("arm",)
    q = np.array([[-0.2], [0.05]])
    expected = np.sqrt(0.2**2 + 0.25**2 - 2 * 0.2 * 0.25 * np.cos(np.pi / 2 - q[:, 0]))
    np.testing.assert_allclose(found.length(q), expected, atol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"muscle": "biceps"}, UnknownName, "biceps"),
        ({"muscle": "line", "degree": 0}, BadValue, "degree"),
        ({"muscle": "line", "ranges": {"arm": (1.0, 0.0)}}, BadValue, "range"),
        pytest.param({"muscle": "line", "degree": 9, "samples": 5}, BadValue, "samples", marks=pytest.mark.slow),
    ],
)
def test_what_makes_no_sense_is_refused(model, arguments, error, words):
    """Oracle: the arguments' meaning."""
    with pytest.raises(error, match=words):
        cd.muscles.reduced_path(model, **arguments)


@pytest.mark.slow
def test_a_path_over_a_ball_joint_is_refused():
    """Oracle: a quaternion is no vector of coordinates."""
    b = cd.ModelBuilder().add_body("arm", joint=cd.joints.ball(), inertia=cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(NotSupported, match="line"):
        cd.muscles.reduced_path(b.add_path("line", [(None, (1, 0, 0)), ("arm", (0, 1, 0))]).build(), "line")
