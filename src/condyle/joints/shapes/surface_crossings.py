"""Where a surface meets itself: passes through itself, touches itself, or covers a part twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .surface_cells import cells_of, near_pairs

if TYPE_CHECKING:
    from .surface import Surface

MEETS = 1e-7  # of the size: nearer than this the surface meets itself
APART = 1e-4  # of the size: places nearer than this along the surface are one
MOST = 20_000  # pairs that are followed; of more, an even selection
ROUNDS = 30
LOOKED, SLOW = 5, 0.5  # pairs whose gap does not fall to this share in so many rounds come no nearer
ASTRAY = 8.0  # diagonals of a cell: pairs that move further are others' to find
EDGE = 1e-4  # gaps at a seam by the distance from it: above this the two sides only meet at the seam
LATTICE = 24  # of places that are told, each way


class SurfaceCrossing(NamedTuple):
    """Two pairs of parameters, the point [m] that they share, and the angle [rad] between the tangent planes there."""

    first: tuple[float, float]
    second: tuple[float, float]
    point: np.ndarray
    angle: float


def found_crossings(surface: Surface) -> list[SurfaceCrossing]:
    """Pairs of cells that are near in space but apart on the surface, each followed to where the surface meets itself.

    Sides that meet at edges of the rectangle (a seam, a pole) do not count, nor do both ends of a periodic parameter.
    """
    if surface.graph:
        return []
    cells = cells_of(surface)
    pairs = near_pairs(cells)
    pairs = pairs[np.linspace(0, len(pairs) - 1, min(len(pairs), MOST)).astype(int)]
    if not len(pairs):
        return []
    met = Meeting(surface)
    q = met.followed(cells.centers(pairs).reshape(-1, 4), cells.sizes[pairs].max(axis=1))
    return told(surface, q[met.counts(q)])


class Meeting:
    """Pairs of places q = (u₁, v₁, u₂, v₂) on a surface that move together until they are one point."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.low, self.high = (np.tile([b[k] for b in surface.breaks], 2) for k in (0, -1))
        self.around = np.tile(surface.periodic, 2)
        self.extent = self.high - self.low

    def points(self, q: np.ndarray) -> np.ndarray:
        """(N, 2, 3)"""
        return self.surface.points(q.reshape(-1, 2)).reshape(-1, 2, 3)

    def inside(self, q: np.ndarray) -> np.ndarray:
        """Within the rectangle: around it, or at its edge."""
        wrapped = self.low + (q - self.low) % self.extent
        return np.where(self.around, wrapped, np.clip(q, self.low, self.high))

    def between(self, q: np.ndarray) -> np.ndarray:
        """(N, 2): from the second place to the first, the shorter way around."""
        d = q[:, :2] - q[:, 2:]
        turns = np.where(self.around[:2], np.round(d / self.extent[:2]), 0.0)
        return d - turns * self.extent[:2]

    def slopes(self, q: np.ndarray) -> np.ndarray:
        """∂(p₁ − p₂)/∂q, (N, 3, 4)"""
        a, b = (x.reshape(-1, 2, 3) for x in self.surface.slopes(q.reshape(-1, 2)))
        return np.stack([a[:, 0], b[:, 0], -a[:, 1], -b[:, 1]], axis=-1)

    def followed(self, q: np.ndarray, reach: np.ndarray) -> np.ndarray:
        """Those pairs that meet, by damped Gauss-Newton steps of at most `reach` [m] that stop at the edges."""
        begun, out, size, last = q, [], self.surface.size, np.full(len(q), np.inf)
        for k in range(ROUNDS):
            gap = np.subtract(*np.swapaxes(self.points(q), 0, 1))
            J = self.slopes(q)
            lengths = np.maximum(np.linalg.norm(J, axis=1), 1e-300)
            far = np.linalg.norm((q - begun + self._turns(begun - q)) * lengths, axis=1) > ASTRAY * reach
            near = np.linalg.norm(np.einsum("nij,nj->ni", J[:, :, :2], self.between(q)), axis=1) < APART * size
            left = np.linalg.norm(gap, axis=1)
            there = left < 1e-14 * size
            out.append(q[there & ~far])
            on = ~(far | near | there)
            if k % LOOKED == 0:
                on, last = on & ((left < SLOW * last) | (left < MEETS * size)), left
            q, begun, reach, last, gap, J, lengths = (x[on] for x in (q, begun, reach, last, gap, J, lengths))
            if not len(q):
                break
            q = self._moved(q, gap, J / lengths[:, None], lengths, reach)
        return np.concatenate([*out, q])

    def _turns(self, d: np.ndarray) -> np.ndarray:
        return np.where(self.around, np.round(d / self.extent), 0.0) * self.extent

    def _moved(self, q: np.ndarray, gap: np.ndarray, J: np.ndarray, lengths: np.ndarray, reach) -> np.ndarray:
        damping = 0.25 * (np.linalg.norm(gap, axis=1) / reach) ** 2 + 1e-14
        step = _least(J, gap, damping)
        shut = ~self.around & (((q <= self.low) & (step < 0.0)) | ((q >= self.high) & (step > 0.0)))
        step = _least(np.where(shut[:, None], 0.0, J), gap, damping)
        return self.inside(q + step / lengths)

    def counts(self, q: np.ndarray) -> np.ndarray:
        """Which pairs are one point, apart on the surface, and not both at edges of the rectangle."""
        if not len(q):
            return np.zeros(0, bool)
        gaps = np.linalg.norm(np.subtract(*np.swapaxes(self.points(q), 0, 1)), axis=1)
        t = np.linspace(0.0, 1.0, 9)
        way = q[:, None, 2:] + t[:, None] * self.between(q)[:, None]
        p = self.surface.points(self.inside(np.tile(way, 2)).reshape(-1, 4)[:, :2]).reshape(len(q), 9, 3)
        length = np.linalg.norm(np.diff(p, axis=1), axis=2).sum(axis=1)
        size = self.surface.size
        inner = self._from_edges(q)
        seam = (inner <= MEETS * size) | (gaps > EDGE * inner)
        return (gaps < MEETS * size) & (length > APART * size) & ~seam

    def _from_edges(self, q: np.ndarray) -> np.ndarray:
        """How far [m] from the edges of the rectangle the one of two places is that is farther from them."""
        lengths = np.linalg.norm(self.slopes(q), axis=1)
        way = np.where(self.around, np.inf, np.minimum(q - self.low, self.high - q) * lengths)
        return way.reshape(-1, 2, 2).min(axis=2).max(axis=1)


def _least(J: np.ndarray, gap: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """The least step s with J s = −gap, damped."""
    square = J @ np.swapaxes(J, 1, 2) + damping[:, None, None] * np.eye(3)
    return -np.einsum("nij,ni->nj", J, np.linalg.solve(square, gap[..., None])[..., 0])


def told(surface: Surface, q: np.ndarray) -> list[SurfaceCrossing]:
    """One crossing for each place of a lattice of pairs, the lesser parameters first."""
    swap = (q[:, 0] > q[:, 2]) | ((q[:, 0] == q[:, 2]) & (q[:, 1] > q[:, 3]))
    q = np.where(swap[:, None], np.roll(q, 2, axis=1), q)
    low, high = (np.tile([b[k] for b in surface.breaks], 2) for k in (0, -1))
    q = q[np.unique(np.floor(LATTICE * (q - low) / (high - low)), axis=0, return_index=True)[1]]
    if not len(q):
        return []
    points, normals = surface.points(q[:, :2]), surface.normals(q.reshape(-1, 2)).reshape(-1, 2, 3)
    sines = np.linalg.norm(np.cross(normals[:, 0], normals[:, 1]), axis=1)
    angles = np.arctan2(sines, np.abs((normals[:, 0] * normals[:, 1]).sum(axis=1))).tolist()
    rows = zip(q.tolist(), points, angles, strict=True)
    return [SurfaceCrossing((r[0], r[1]), (r[2], r[3]), p, a) for r, p, a in rows]
