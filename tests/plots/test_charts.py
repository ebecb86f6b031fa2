"""Charts described as data: what is described is what matplotlib is told."""

import numpy as np
import pytest

from condyle.plots import Curve, Field, Panel, curves, draw_chart, sticks


def test_curves_scales_and_words_reach_the_axes():
    """Oracle: the axes of the figure, asked for their lines, scales, limits and words."""
    t = np.linspace(1.0, 2.0, 5)
    panel = Panel("title", [*curves(t, {"a": t, "b": t**2})], "t [s]", "y", log="y", ylim=(0.5, 8.0))
    (axes,) = draw_chart([panel]).axes
    assert [line.get_label() for line in axes.lines] == ["a", "b"]
    assert axes.lines[1].get_ydata() == pytest.approx(t**2)
    assert (axes.get_title(), axes.get_xlabel(), axes.get_yscale()) == ("title", "t [s]", "log")
    assert axes.get_ylim() == (0.5, 8.0)


def test_sticks_go_from_dark_to_light():
    """Oracle: the points themselves at the first and last moment."""
    points = np.random.default_rng(0).normal(size=(20, 4, 3))
    drawn = sticks(points, (0, 2), 5)
    assert drawn[0].y == pytest.approx(points[0, :, 2]) and drawn[-1].x == pytest.approx(points[-1, :, 0])
    assert [s.color for s in drawn] == sorted(s.color for s in drawn) and len(drawn) == 5


def test_space_fields_and_rows_are_drawn_and_saved(tmp_path):
    """Oracle: the kinds of axes in the figure, and the file."""
    solid = Panel("", [Curve([0, 1], [0, 1], z=[0, 1])], "x", "y", "z", equal=True)
    field = Panel("", [], field=Field(np.arange(3.0), np.arange(4.0), np.arange(12.0).reshape(3, 4)))
    figure = draw_chart([solid, field, solid], tmp_path / "a.png", columns=2, title="all", light=True)
    assert [axes.name for axes in figure.axes] == ["3d", "rectilinear", "rectilinear", "3d"]  # the scale is one, too
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_a_field_of_named_rows_has_a_band_for_each_with_gaps_where_there_is_no_number():
    """Oracle: the labels of the axis, from the top, and the values of the mesh."""
    values = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]])
    panel = Panel("", [], field=Field(np.arange(3.0), np.arange(2.0), values, ("upper", "lower")))
    axes = draw_chart([panel]).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["upper", "lower"]
    assert axes.yaxis_inverted() and axes.collections[0].get_array().mask.sum() == 1
