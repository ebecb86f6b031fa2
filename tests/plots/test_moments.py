"""Moments side by side."""

import matplotlib.figure
import numpy as np
import pytest
from PIL import Image

from condyle.plots import Panel, curves
from condyle.plots.moments import GAP, HEAD, draw_moments

RED = np.tile(np.array([200, 30, 30], dtype=np.uint8), (100, 160, 1))


def test_white_is_between_and_above_moments(tmp_path):
    """Oracle: pixels of the file, 100 an inch."""
    draw_moments([(0.0, RED), (1.0, RED)], np.zeros(1), {}, tmp_path / "two.png", size=1.6)
    picture = np.asarray(Image.open(tmp_path / "two.png").convert("RGB")).astype(int)
    red = (abs(picture - RED[0, 0]) < 8).all(axis=-1)
    row = red[-20]
    assert row[5] and row[-5] and (picture[-20, ~row] > 200).any()
    assert abs((~row).sum() - 100 * GAP) <= 3
    assert abs((~red.any(axis=1)).sum() - 100 * HEAD) <= 2


T = np.linspace(0.0, 1.0, 5)
ENERGY = {"kinetic": T, "potential": 1.0 - T, "total": np.ones(5)}
PANELS = (Panel("one", curves(T, ENERGY), "t [s]"), Panel("two", curves(T, ENERGY | {"work": T}), "t [s]"))


@pytest.mark.parametrize("panels", [(), PANELS])
def test_the_legend_is_above_the_curves(tmp_path, monkeypatch, panels):
    """Oracle: the places that matplotlib gives to legends, titles and axes: none on another, all in the figure."""
    kept = []
    monkeypatch.setattr("condyle.plots.moments.save", lambda figure, path, dpi: kept.append(figure))
    draw_moments([(0.0, RED)], T, ENERGY, tmp_path / "one.png", size=4.2, panels=panels)
    figure: matplotlib.figure.Figure = kept[0]
    figure.canvas.draw()
    assert len(figure.axes) == 1 + max(1, len(panels))
    for axes in figure.axes[1:]:
        legend, title = axes.get_legend().get_window_extent(), axes.title.get_window_extent()
        assert legend.y0 >= axes.get_window_extent().y1
        assert legend.y1 <= title.y0 + 2.0
        assert title.y1 <= figure.bbox.y1 and title.x0 >= figure.axes[0].get_window_extent().x1


def test_curves_that_cover_each_other_are_both_seen():
    """Oracle: the styles: the second of two that differ by less than a hundredth of the range is dashed."""
    left = np.sin(6.0 * T)
    drawn = curves(T, {"left": left, "right": left + 1e-3, "other": left + 0.5, "level": np.zeros(5)})
    assert [c.style for c in drawn] == ["-", "--", "-", "-"]
    assert [c.style for c in curves(T, {"a": np.zeros(5), "b": np.zeros(5)})] == ["-", "-"]  # no range to judge by


def test_the_energy_says_why_it_changes(tmp_path, monkeypatch):
    """Oracle: the title that matplotlib shows."""
    kept = []
    monkeypatch.setattr("condyle.plots.moments.save", lambda figure, path, dpi: kept.append(figure))
    draw_moments([(0.0, RED)], T, ENERGY, tmp_path / "one.png", size=4.2, why="damping took 3 J")
    assert kept[0].axes[1].get_title() == "energy [J]: damping took 3 J"
