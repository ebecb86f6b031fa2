"""A surface as cells that are nearly flat, and pairs of cells that are apart on it but near in space.

Cells are refined until neighbouring ones together are one to one: with J = (∂p/∂u, ∂p/∂v) at a place, a part over a
convex set of parameters is one to one where |J⁺ (J' − J)| < 1 for all its J'. So a surface can only meet itself in
pairs of cells that are not neighbours, and those are found by boxes in boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .surface import Surface

FEWEST, CELLS, FINEST = 12, 48, 1024  # cells each way: at least, of a square, at most
ALL = 40_000  # cells at most
STEP = 0.15  # |J⁺ ΔJ| from line to line: over three cells both ways it stays below 1
NEAR = 2  # cells apart that are neighbours
ROUNDS = 6
BEYOND = 1.5  # by which cells are thicker than their second differences say
MANY = 2_000_000  # pairs: of more, an even selection is looked at


@dataclass(frozen=True)
class Cells:
    """Cells between lines of both parameters; tables of points and slopes at the lines' crossings."""

    lines: tuple[np.ndarray, np.ndarray]
    periodic: tuple[bool, bool]
    points: np.ndarray
    slopes: tuple[np.ndarray, np.ndarray]

    @property
    def shape(self) -> tuple[int, int]:
        """How many cells each way."""
        return len(self.lines[0]) - 1, len(self.lines[1]) - 1

    @cached_property
    def corners(self) -> np.ndarray:
        """(n m, 4, 3): around each cell."""
        p = self.points
        return np.stack([p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]], axis=2).reshape(-1, 4, 3)

    @cached_property
    def thickness(self) -> np.ndarray:
        """(n m,): about how far the surface is from the flat cell [m]."""
        bends = [np.linalg.norm(np.diff(s, axis=c), axis=-1) for c, s in enumerate(self.slopes)]
        widths = np.diff(self.lines[0])[:, None], np.diff(self.lines[1])
        over = np.maximum(bends[0][:, :-1], bends[0][:, 1:]) * widths[0]
        across = np.maximum(bends[1][:-1], bends[1][1:]) * widths[1]
        c = self.corners
        twist = np.linalg.norm(c[:, 0] - c[:, 1] + c[:, 2] - c[:, 3], axis=-1)
        return BEYOND * ((over + across).ravel() / 8.0 + twist / 4.0)

    @cached_property
    def sizes(self) -> np.ndarray:
        """(n m,): the longer diagonal of each cell [m]."""
        c = self.corners
        return np.maximum(np.linalg.norm(c[:, 2] - c[:, 0], axis=-1), np.linalg.norm(c[:, 3] - c[:, 1], axis=-1))

    def centers(self, cells: np.ndarray) -> np.ndarray:
        """Parameters (…, 2) in the middle of cells."""
        i = np.stack(np.unravel_index(cells, self.shape))
        return np.stack([0.5 * (t[k] + t[k + 1]) for t, k in zip(self.lines, i, strict=True)], axis=-1)

    def apart(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """How many cells two cells are apart, the larger of both ways."""
        out = np.zeros(len(first), int)
        pairs = zip(np.unravel_index(first, self.shape), np.unravel_index(second, self.shape), strict=True)
        for (a, b), n, around in zip(pairs, self.shape, self.periodic, strict=True):
            way = np.abs(a - b)
            out = np.maximum(out, np.minimum(way, n - way) if around else way)
        return out


def cells_of(surface: Surface) -> Cells:
    """Cells about as long as wide, refined where the slopes turn or grow from one to the next."""
    counts = _counts(surface)
    most = [max(int(np.sqrt(ALL)), n) for n in counts]
    lines: tuple = tuple(_lines(b, n, m) for b, n, m in zip(surface.breaks, counts, most, strict=True))
    cells = _tabulated(surface, lines)
    for _ in range(ROUNDS):
        turned = _turned(cells)
        most = [min(FINEST, ALL // n) for n in cells.shape[::-1]]
        finer: tuple = tuple(_halved(t, r > STEP, m) for t, r, m in zip(lines, turned, most, strict=True))
        if all(len(a) == len(b) for a, b in zip(finer, lines, strict=True)):
            break
        lines, cells = finer, _tabulated(surface, finer)
    return cells


def _counts(surface: Surface) -> list[int]:
    """Cells each way, by the lengths of the surface."""
    n = round(np.sqrt(len(surface.samples)))
    p = surface.points(surface.samples).reshape(n, n, 3)
    ways = [float(np.linalg.norm(np.diff(p, axis=c), axis=-1).sum()) for c in (0, 1)]
    share = np.sqrt(ways[0] / ways[1])
    return [int(np.clip(CELLS * s, FEWEST, FINEST // 4)) for s in (share, 1.0 / share)]


def _lines(breaks: np.ndarray, count: int, most: int) -> np.ndarray:
    """About `count` parameters, breakpoints among them; of more than `most` breakpoints some."""
    spans = len(breaks) - 1
    if spans >= most:
        return breaks[np.round(np.linspace(0, spans, most + 1)).astype(int)]
    parts = np.maximum(np.ceil(count * np.diff(breaks) / (breaks[-1] - breaks[0])), 1).astype(int)
    return np.interp(np.linspace(0, parts.sum(), parts.sum() + 1), np.r_[0, np.cumsum(parts)], breaks)


def _halved(lines: np.ndarray, where: np.ndarray, most: int) -> np.ndarray:
    """A line more in the middle of marked spans, as long as there are at most `most`."""
    spans = np.flatnonzero(where)[: max(0, most + 1 - len(lines))]
    return np.sort(np.r_[lines, 0.5 * (lines[spans] + lines[spans + 1])])


def _tabulated(surface: Surface, lines: tuple[np.ndarray, np.ndarray]) -> Cells:
    q = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)
    flat, shape = q.reshape(-1, 2), (*q.shape[:2], 3)
    a, b = surface.slopes(flat)
    return Cells(lines, surface.periodic, surface.points(flat).reshape(shape), (a.reshape(shape), b.reshape(shape)))


def _turned(cells: Cells) -> list[np.ndarray]:
    """The largest |J⁺ ΔJ| from line to line, for the spans of both parameters; columns of J by their lengths."""
    J = np.stack(cells.slopes, axis=-1)
    J = J / np.maximum(np.sqrt((J * J).sum(axis=(0, 1, 2)) / J[..., 0, 0].size), 1e-300)
    G = np.swapaxes(J, -1, -2) @ J
    floor = 1e-12 * np.trace(G, axis1=-2, axis2=-1)[..., None, None] * np.eye(2) + 1e-300 * np.eye(2)
    inverse = np.linalg.inv(G + floor) @ np.swapaxes(J, -1, -2)
    out = []
    for c in (0, 1):
        change = np.take(inverse, range(J.shape[c] - 1), axis=c) @ np.diff(J, axis=c)
        out.append(np.sqrt((change**2).sum(axis=(-2, -1))).max(axis=1 - c))
    return out


def near_pairs(cells: Cells) -> np.ndarray:
    """Pairs (N, 2) of cells that are no neighbours and may touch: their boxes, then their slabs, overlap."""
    low = (cells.corners.min(axis=1) - cells.thickness[:, None]).reshape(*cells.shape, 3)
    high = (cells.corners.max(axis=1) + cells.thickness[:, None]).reshape(*cells.shape, 3)
    levels = [(low, high)]
    while max(levels[-1][0].shape[:2]) > 1:
        levels.append((_gathered(levels[-1][0], np.minimum), _gathered(levels[-1][1], np.maximum)))
    first = second = np.zeros(1, int)
    for depth in range(len(levels) - 1, 0, -1):
        first, second = _children(first, second, levels[depth][0].shape[:2], levels[depth - 1][0].shape[:2])
        if depth == 1:
            first, second = _kept(cells.apart(first, second) > NEAR, first, second)
        low, high = (x.reshape(-1, 3) for x in levels[depth - 1])
        overlap = ((low[first] <= high[second]) & (low[second] <= high[first])).all(axis=1)
        first, second = _kept(overlap, first, second)
        if len(first) > MANY // 16:
            some = np.linspace(0, len(first) - 1, MANY // 16).astype(int)
            first, second = first[some], second[some]
    pairs = np.stack([first, second], axis=1)
    return pairs[~_separated(cells, pairs)]


def _kept(mask: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return first[mask], second[mask]


def _gathered(table: np.ndarray, by: np.ufunc) -> np.ndarray:
    """Of two by two neighbours one."""
    for c in (0, 1):
        size = table.shape[c]
        even = np.take(table, range(0, size, 2), axis=c)
        odd = np.take(table, np.minimum(np.arange(1, size + 1, 2), size - 1), axis=c)
        table = by(even, odd)
    return table


def _children(first: np.ndarray, second: np.ndarray, shape, finer) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of the next finer boxes, each once."""
    parts = []
    for pair in (first, second):
        i, j = np.unravel_index(pair, shape)
        rows, columns = 2 * i[:, None] + [0, 0, 1, 1], 2 * j[:, None] + [0, 1, 0, 1]
        inside = (rows < finer[0]) & (columns < finer[1])
        parts.append(np.where(inside, rows * finer[1] + columns, -1))
    a, b = np.broadcast_arrays(parts[0][:, :, None], parts[1][:, None])
    good = (a >= 0) & (b >= 0) & ((first != second)[:, None, None] | (a <= b))
    return a[good], b[good]


def _separated(cells: Cells, pairs: np.ndarray) -> np.ndarray:
    """Whether a plane along a cell of a pair, or through one of its sides, keeps the two apart."""
    apart, slack = np.zeros(len(pairs), bool), cells.thickness[pairs].sum(axis=1)
    for k in (0, 1):
        p, other = cells.corners[pairs[:, k]], cells.corners[pairs[:, 1 - k]]
        u, v = p[:, 1] + p[:, 2] - p[:, 0] - p[:, 3], p[:, 2] + p[:, 3] - p[:, 0] - p[:, 1]
        n = np.cross(u, v)
        for axis in (n, np.cross(n, u), np.cross(n, v)):
            axis = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-300)
            a, b = (np.einsum("nci,ni->nc", x, axis) for x in (p, other))
            gap = np.maximum(a.min(axis=1) - b.max(axis=1), b.min(axis=1) - a.max(axis=1))
            apart |= gap > slack
    return apart
