"""Outlines of characters: sizes as the font says them, holes, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue, CondyleError

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


@pytest.mark.parametrize(
    ("character", "words"),
    [
        ("漢", "no character '漢'"),
        ("🦴", "no character"),
        ("", "one character"),
        ("   ", "one character"),
        ("\u00a0", "no outline"),
        (None, "one character"),
        (b"A", "one character"),
    ],
)
def test_characters_without_an_outline_are_named(character, words):
    """Oracle: the words; DejaVu Sans has no Chinese characters and no bone."""
    with pytest.raises(BadValue, match=words):
        cd.joints.Curve.from_font(FONT, character, height=0.1)


@pytest.mark.parametrize("damage", ["empty", "cut", "picture", "noise"])
def test_files_that_are_no_font_are_named(damage, tmp_path):
    """Oracle: the class and the file's name."""
    whole = FONT.read_bytes()
    noise = np.random.default_rng(0).integers(0, 256, 40_000, dtype=np.uint8).tobytes()
    data = {"empty": b"", "cut": whole[:5000], "picture": b"\x89PNG\r\n" + bytes(500)}
    (tmp_path / "a.ttf").write_bytes(data.get(damage, whole[:20_000] + noise + whole[60_000:]))
    with pytest.raises(BadFile, match=r"a\.ttf: cannot be read"):
        cd.joints.Curve.from_font(tmp_path / "a.ttf", "O", height=0.1, rounding=1e-3)


@pytest.mark.parametrize(
    "wrong", [{"height": "a"}, {"height": None}, {"rounding": "a"}, {"rounding": np.nan}, {"part": 1.5}, {"part": "a"}]
)
def test_numbers_that_are_none_are_named(wrong):
    """Oracle: the class and the argument's name (`part` counts outlines)."""
    with pytest.raises(CondyleError, match=r"height|rounding|outlines"):
        cd.joints.Curve.from_font(FONT, "O", **{"height": 0.1, "rounding": 1e-3, **wrong})
    with pytest.raises(BadValue, match="path of a file"):
        cd.joints.Curve.from_font(3, "O", height=0.1)


def test_an_accented_letter_may_be_written_as_two_characters():
    """Oracle: the same letter as one character."""
    one, two = (cd.joints.Curve.from_font(FONT, c, height=0.1, rounding=1e-3) for c in ("\u00e9", "e\u0301"))
    assert one.length == two.length
