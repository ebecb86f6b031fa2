"""Where coordinates are in the neutral posture, and named points of bodies."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd

BALL = cd.Inertia.sphere(1.0, 0.1)


def builder():
    return cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("z", name="swing"), inertia=BALL)


def test_the_neutral_posture_has_the_defaults():
    """Oracle: the numbers given; a default goes before the range, by any name of the coordinate."""
    made = builder().set_range("swing", 0.5, 1.0).set_default("arm.swing", 0.2).build()
    assert_allclose(made.neutral(), [0.2])
    assert made.defaults == {"swing": 0.2}
    assert_allclose(builder().set_range("swing", 0.5, 1.0).build().neutral(), [0.5])
    assert_allclose(made.with_gravity((0, 0, 0)).neutral(), [0.2])


@pytest.mark.parametrize("value", [np.nan, np.inf, "1", None])
def test_a_default_is_a_finite_number(value):
    """Oracle: the coordinate in the words."""
    with pytest.raises(cd.CondyleError, match="swing"):
        builder().set_default("swing", value)


def test_a_quaternion_has_no_default():
    """Oracle: the name in the words."""
    with pytest.raises(cd.CondyleError, match="rotation"):
        cd.ModelBuilder().add_body("a", joint=cd.joints.ball(), inertia=BALL).set_default("rotation", 0.0)


def test_markers_are_points_that_stay_as_they_are():
    """Oracle: the numbers given; arrays that cannot be written to."""
    at = np.array([0.1, 0.2, 0.3])
    marker = replace(builder().build(), markers=[cd.Marker("elbow", "arm", at)]).markers[0]
    at[0] = 9.0
    assert_allclose(marker.at, [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="read-only"):
        marker.at[0] = 1.0


@pytest.mark.parametrize("at", [(1, 2), (1, 2, np.nan)])
def test_a_marker_is_three_finite_numbers(at):
    """Oracle: the name in the words."""
    with pytest.raises(cd.CondyleError, match="elbow"):
        cd.Marker("elbow", "arm", at)


def test_a_marker_needs_a_body_of_the_model(tmp_path):
    """Oracle: the names of both in the words, in Python and in a file; the world needs no name."""
    markers = [cd.Marker("elbow", "arm", (0, 0, 1)), cd.Marker("lamp", None, (0, 0, 2))]
    whole = replace(builder().build(), markers=markers)
    path = cd.save(whole, tmp_path / "arm.toml")
    assert [m.body for m in cd.load(path).markers] == ["arm", None]
    with pytest.raises(cd.CondyleError, match=r"leg.*elbow"):
        replace(whole, markers=[cd.Marker("elbow", "leg", (0, 0, 1))])
    path.write_text(path.read_text().replace('body = "arm"', 'body = "leg"'))
    with pytest.raises(cd.CondyleError, match=r"leg.*elbow"):
        cd.load(path)
