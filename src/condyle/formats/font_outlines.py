"""Outlines of characters of TrueType and OpenType fonts, by fonttools."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np

from ..errors import BadFile, BadValue, NotSupported, require
from ..typing import PathLike
from .svg_path import svg_points

INSTALL = "pip install 'condyle[fonts]'"


def glyph_outlines(path: PathLike, character: str) -> list[np.ndarray]:
    """Points (n, 2) of each outline of a character in ems, y up, ink to the left, the longest first."""
    text, em = _glyph_path(path, character)
    rows = [np.array(part.points) / em for part in svg_points(text)]
    rows = [p[np.r_[True, np.linalg.norm(np.diff(p, axis=0), axis=1) > 0.0]] for p in rows]
    rows.sort(key=lambda p: -float(np.linalg.norm(np.diff(p, axis=0), axis=1).sum()))
    x, y = rows[0].T
    clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0.0  # as TrueType has it: ink to the right
    return [p[::-1] if clockwise else p for p in rows]


def _glyph_path(path: PathLike, character: str) -> tuple[str, int]:
    """The outline of a character as path text in font units, y up, and how many of these an em has."""
    character = normalize("NFC", character) if isinstance(character, str) else character  # é may be written as two
    require(isinstance(character, str) and len(character) == 1, "font: one character", BadValue, got=character)
    require(isinstance(path, (str, os.PathLike)), "font: the path of a file", BadValue, got=path)
    require(Path(path).is_file(), f"font {path}: there is no such file", BadFile)
    try:
        from fontTools.pens.svgPathPen import SVGPathPen
        from fontTools.ttLib import TTFont
    except ImportError:
        raise NotSupported(f"outlines of fonts need fonttools: {INSTALL}") from None
    try:
        font = TTFont(Path(path), lazy=True)
        head: Any = font["head"]
        name, em = (font.getBestCmap() or {}).get(ord(character)), int(head.unitsPerEm)
        glyphs = font.getGlyphSet()
        pen = SVGPathPen(glyphs)
        if name is not None:
            glyphs[name].draw(pen)
    except Exception as error:  # fonttools raises what its many tables raise
        raise BadFile(f"font {path}: cannot be read: {error or type(error).__name__}") from None
    require(name is not None, f"font {path}: it has no character {character!r}", BadValue)
    text = pen.getCommands()
    require(bool(text), f"font {path}: {character!r} has no outline", BadValue)
    return text, em
