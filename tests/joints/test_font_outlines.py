"""Outlines of characters: sizes as the font says them, holes, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue

pytest.importorskip("fontTools")
matplotlib = pytest.importorskip("matplotlib")
FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


def test_a_round_letter_has_two_outlines():
    """Oracle: the box of the glyph in the font's own table; the hole is inside and goes the other way around."""
    from fontTools.ttLib import TTFont

    font = TTFont(FONT)
    box = font["glyf"]["O"]
    scale = 0.2 / font["head"].unitsPerEm
    outer, hole = (cd.joints.Curve.from_font(FONT, "O", height=0.2, rounding=2e-3, part=k) for k in (0, 1))
    p, h = (c.at(np.linspace(*c.breaks[[0, -1]], 1000), 0) for c in (outer, hole))
    expected = scale * np.array([[box.xMin, box.yMin], [box.xMax, box.yMax]])
    assert np.abs(np.stack([p.min(axis=0), p.max(axis=0)])[:, :2] - expected).max() < 5e-4
    assert outer.closed and hole.closed and (h.min(axis=0)[:2] > p.min(axis=0)[:2]).all()
    turns = [np.sum(x[:-1, 0] * x[1:, 1] - x[1:, 0] * x[:-1, 1]) for x in (p, h)]
    assert turns[0] > 0 > turns[1]  # ink to the left of both


def test_what_is_no_outline_is_named(tmp_path):
    with pytest.raises(BadFile, match="no such file"):
        cd.joints.Curve.from_font(tmp_path / "none.ttf", "A", height=0.1)
    (tmp_path / "bad.ttf").write_bytes(b"not a font")
    with pytest.raises(BadFile, match="cannot be read"):
        cd.joints.Curve.from_font(tmp_path / "bad.ttf", "A", height=0.1)
    with pytest.raises(BadValue, match="no outline"):
        cd.joints.Curve.from_font(FONT, " ", height=0.1)
    with pytest.raises(BadValue, match="has 1 outlines"):
        cd.joints.Curve.from_font(FONT, "L", height=0.1, rounding=1e-3, part=1)
    with pytest.raises(BadValue, match="corner of"):
        cd.joints.Curve.from_font(FONT, "L", height=0.1)
    with pytest.raises(BadValue, match="one character"):
        cd.joints.Curve.from_font(FONT, "LL", height=0.1)
