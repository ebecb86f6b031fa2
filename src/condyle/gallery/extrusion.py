"""Plates cut along outlines with holes, as grids of points: two faces, and a bevelled wall along each outline.

The faces are cut by level lines; what lies inside is a row of intervals (even-odd, so inner outlines are holes).
Intervals that follow each other from row to row make one flat piece; a piece begins and ends where outlines turn or
strokes part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

NEAR = 1e-6  # of the height: rows beside a place where an outline turns
SAME = 1e-3  # of the height: ends of intervals on both sides of such a place that are the same

Row = tuple[float, float, float]  # level, low, high


def plate_grids(outer: np.ndarray, holes: Sequence[np.ndarray], depth: float, bevel: float) -> list[np.ndarray]:
    """Grids (n, m, 3) of a plate of a depth [m] about z = 0, cut along closed outlines (N, 2) [m], edges bevelled."""
    outlines = [_counterclockwise(outer), *(_counterclockwise(hole)[::-1] for hole in holes)]  # ink to the left
    inner = [inset(o, bevel) for o in outlines]
    half, flat = 0.5 * depth, [np.array(p) for p in pieces(inner) if len(p) > 1]
    faces = [_face(p, z) for p in flat for z in (half, -half)]
    return [*faces, *(_wall(o, i, half, bevel) for o, i in zip(outlines, inner, strict=True))]


def _counterclockwise(outline: np.ndarray) -> np.ndarray:
    (x, y), (p, q) = outline.T, np.roll(outline, -1, axis=0).T
    return outline if (x * q - p * y).sum() > 0.0 else outline[::-1]


def inset(outline: np.ndarray, by: float) -> np.ndarray:
    """A closed outline moved to its left."""
    along = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return outline + by * np.stack([-along[:, 1], along[:, 0]], axis=1)


def _wall(outline: np.ndarray, inner: np.ndarray, half: float, bevel: float) -> np.ndarray:
    """A ribbon along an outline from the front face to the back one."""
    rows = ((inner, half), (outline, half - bevel), (outline, bevel - half), (inner, -half))
    grid = np.stack([np.column_stack([p, np.full(len(p), z)]) for p, z in rows], axis=1)
    return np.concatenate([grid, grid[:1]])


def _face(rows: np.ndarray, z: float) -> np.ndarray:
    """A flat piece at a height, turned to face away from the middle."""
    y, low, high = rows.T
    ends = [np.column_stack([x, y, np.full(len(y), z)]) for x in ((low, high) if z > 0.0 else (high, low))]
    return np.stack(ends, axis=1)


def pieces(outlines: Sequence[np.ndarray], rows: int = 40) -> list[list[Row]]:
    """What lies inside closed outlines, as rows of (level, low, high) of one stroke each."""
    y = np.concatenate([o[:, 1] for o in outlines])
    low, high, step = y.min(), y.max(), NEAR * np.ptp(y)
    turns = np.unique(np.concatenate([o[_turning(o[:, 1]), 1] for o in outlines]))
    apart = np.flatnonzero(np.diff(turns) > SAME * (high - low))  # turns at nearly one level count as one
    found: list[list[Row]] = []
    growing: list[list[Row]] = []
    for start, end in zip(turns[apart], turns[apart + 1], strict=True):
        count = 8 + int(rows * (end - start) / (high - low))
        share = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, count))  # closer where outlines turn
        levels = start + step + share * (end - start - 2.0 * step)
        slab = [intervals_at(outlines, level) for level in levels]
        growing = [_continued(growing, found, (levels[0], *ends), SAME * (high - low)) for ends in slab[0]]
        for level, intervals in zip(levels[1:], slab[1:], strict=True):
            for piece, ends in zip(growing, intervals, strict=False):
                piece.append((level, *ends))
    return found


def _continued(growing: list[list[Row]], found: list[list[Row]], row: Row, same: float) -> list[Row]:
    """The piece that goes on with a row, which it gets, or a new one."""
    fitting = [p for p in growing if max(abs(p[-1][1] - row[1]), abs(p[-1][2] - row[2])) < same]
    piece = fitting[0] if fitting else []
    if not fitting:
        found.append(piece)
    piece.append(row)
    return piece


def _turning(y: np.ndarray) -> np.ndarray:
    """Where a closed row of numbers rises before and falls after, or the other way."""
    before, after = np.sign(y - np.roll(y, 1)), np.sign(np.roll(y, -1) - y)
    return np.flatnonzero(before != after)


def intervals_at(outlines: Sequence[np.ndarray], level: float) -> list[tuple[float, float]]:
    """What lies inside the outlines at a level, as (low, high), rising."""
    ends: list[float] = []
    for o in outlines:
        a, b = o, np.roll(o, -1, axis=0)
        crossed = (a[:, 1] > level) != (b[:, 1] > level)
        (x, h), (p, q) = a[crossed].T, b[crossed].T
        ends.extend(x + (level - h) * (p - x) / (q - h))
    ends.sort()
    return list(zip(ends[::2], ends[1::2], strict=True))
