"""Where the parts of the player are, at the widths of phones, embedded frames and desks."""

import numpy as np
import pytest
from test_player import swing  # noqa: F401
from test_player_controls import opened

from condyle.gallery import leg
from condyle.view import export
from support.browser import page, shot

SIZES = [(320, 568), (1024, 768), (740, 480), (1920, 1080), (1400, 900), (390, 780)]
TITLE = "A leg swings from a measured knee under a hip and over an ankle, for a second, without a motor or a muscle"
AREAS = """() => ['title', 'stage', 'grip', 'plot', 'bar', 'panel'].map(id => document.getElementById(id))
  .filter(e => e.checkVisibility()).map(e => [e.id, e.getBoundingClientRect()])
  .map(([id, r]) => [id, r.left, r.top, r.right, r.bottom])"""
CONTROLS = """() => [...document.querySelectorAll('#bar > *')].filter(e => e.checkVisibility())
  .map(e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] })"""
SIDEWAYS = """() => [document.documentElement, document.body, document.getElementById('panel')]
  .map(e => e.scrollWidth - e.clientWidth)"""
LINES = """() => { const e = document.getElementById('title'), s = getComputedStyle(e);
  return (e.clientHeight - parseFloat(s.paddingTop) - parseFloat(s.paddingBottom)) / parseFloat(s.lineHeight) }"""


def overlap(a, b):
    """Whether two boxes (left, top, right, bottom) have more in common than a rounded edge."""
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


def check(p, width, height):
    """Boxes of the page beside each other and within it, the picture large, the title on one line or two."""
    areas = {name: box for name, *box in p.evaluate(AREAS)}
    boxes = list(areas.values())
    assert not any(overlap(a, b) for k, a in enumerate(boxes) for b in boxes[:k]), areas
    assert sum((r - x) * (b - y) for x, y, r, b in boxes) == pytest.approx(width * height, rel=2e-3)  # no gaps either
    controls = p.evaluate(CONTROLS)
    assert not any(overlap(a, b) for k, a in enumerate(controls) for b in controls[:k])
    corners = np.array(boxes + controls)
    assert corners.min() >= -0.5 and corners[:, 2].max() <= width + 0.5 and corners[:, 3].max() <= height + 0.5
    left, top, right, bottom = areas["stage"]
    assert bottom - top >= 0.45 * height and right - left >= 0.6 * width
    assert max(p.evaluate(SIDEWAYS)) <= 0 and 0.9 < p.evaluate(LINES) < 2.1


@pytest.mark.parametrize(
    "sizes", [SIZES[::2], pytest.param(SIZES[1::2], marks=pytest.mark.slow)], ids=["some", "others"]
)
def test_all_parts_have_their_place_at_every_width(swing, tmp_path, sizes):  # noqa: F811
    """Oracle: boxes that the browser reports, with options open and closed, of a motion and of a model at rest."""
    with page(offline=True) as p:
        for name, thing in (("motion", swing), ("model", leg())):
            errors = opened(p, export(thing, tmp_path / f"{name}.html", title=TITLE, labels=True), "#t=0.3")
            for width, height in sizes:
                p.set_viewport_size({"width": width, "height": height})
                for _ in range(2):
                    check(p, width, height)
                    shot(p, f"player-{name}-{width}")
                    p.click("#more")
            assert errors == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_all_parts_have_their_place_from_the_start(swing, tmp_path, size):  # noqa: F811
    """Oracle: the same boxes in a page that is opened at that width, with coarse pointers on narrow ones."""
    path = export(swing, tmp_path / "a.html", title=TITLE)
    with page(offline=True, size=size, touch=size[0] < 500) as p:
        errors = opened(p, path)
        check(p, *size)
        assert errors == []
