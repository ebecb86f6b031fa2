"""The part of an arm's surface that samples cover: triangles between neighbouring samples, and distances from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial import Delaunay, KDTree, QhullError

from ..errors import BadShape, BadValue, require

LONGEST = 2.6  # sides of a triangle, in sampling distances: a longer one spans a gap
MARGIN = 0.2  # of a sampling distance: how far the workspace is taken to go on beyond the outermost samples
RASTER = 128  # points a side
ALONG = 64  # points of an edge of the rim


@dataclass(frozen=True, eq=False, repr=False)
class MeasuredRegion:
    """Where on the surface's domain there are samples: triangles between neighbours, and a fifth of a side beyond.

    Attributes
    ----------
    places : ndarray, shape (n, 2)
        Domain points of the samples.
    triangles : ndarray of int, shape (m, 3)
        Their numbers.
    spacing : float
        The sampling distance [m]: the side of a triangle if the samples were spread evenly.
    """

    places: np.ndarray
    triangles: np.ndarray
    spacing: float

    def __repr__(self) -> str:
        return f"<MeasuredRegion: {len(self.places)} places, {100.0 * self.spacing:.1f} cm apart>"

    def __post_init__(self):
        places, triangles = np.asarray(self.places, float), np.asarray(self.triangles, np.int64)
        good = places.ndim == 2 and places.shape[1:] == (2,) and triangles.ndim == 2 and triangles.shape[1:] == (3,)
        require(good, "a measured region has places (n, 2) and triangles (m, 3)", BadShape, places=places.shape)
        inside = len(triangles) > 0 and triangles.min() >= 0 and triangles.max() < len(places)
        require(inside, "triangles of a measured region are numbers of its places", BadValue, places=len(places))
        require(np.isfinite(self.spacing) and self.spacing > 0, "the sampling distance is positive", BadValue,
                spacing=self.spacing)  # fmt: skip
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "triangles", triangles)

    def covers(self, at: np.ndarray) -> np.ndarray:
        """Whether domain points are in one of the triangles.

        Parameters
        ----------
        at : ndarray, shape (n, 2)

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        covered = np.zeros(len(at), bool)
        for a, b, c in self.places[self.triangles]:
            covered |= (_turn(a, b, at) >= 0) & (_turn(b, c, at) >= 0) & (_turn(c, a, at) >= 0)
        return covered

    def rim(self) -> np.ndarray:
        """Domain points along the sides that only one triangle has."""
        sides = np.sort(np.stack([self.triangles, np.roll(self.triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
        once, count = np.unique(sides, axis=0, return_counts=True)
        ends = self.places[once[count == 1]]
        share = np.linspace(0, 1, ALONG, endpoint=False)[None, :, None]
        return ((1 - share) * ends[:, :1] + share * ends[:, 1:]).reshape(-1, 2)


def _turn(a, b, at):
    """Twice the signed area of (a, b, point)."""
    return (b[0] - a[0]) * (at[:, 1] - a[1]) - (b[1] - a[1]) * (at[:, 0] - a[0])


def region_between(places: np.ndarray, elbows: np.ndarray) -> MeasuredRegion | None:
    """The region of samples at domain `places` (n, 2) with elbows (n, 3); None if they span no area."""
    try:
        triangles = Delaunay(places).simplices
    except QhullError:
        return None
    a, b, c = np.moveaxis(elbows[triangles], 1, 0)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    spacing = float(np.sqrt(2 * area.sum() / (np.sqrt(3) * len(places))))
    sides = np.max([np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    kept = triangles[sides <= LONGEST * spacing]
    if not len(kept):
        return None
    turned = np.array([_turn(places[i], places[j], places[[k]])[0] < 0 for i, j, k in kept])
    return MeasuredRegion(places, np.where(turned[:, None], kept[:, ::-1], kept), spacing)


def rim_raster(
    region: MeasuredRegion | None, vertices: np.ndarray, elbow: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, tuple[float, float, float]]:
    """Signed distances [m] from a region on a raster over the domain, and the raster's corner and points a unit.

    `elbow` maps domain points to elbows [m]. Without a region everything is inside.
    """
    if region is None:
        return -np.ones((2, 2)), (0.0, 0.0, 1.0)
    low, size = vertices.min(axis=0) - 0.05, float(np.ptp(vertices, axis=0).max()) + 0.1
    ticks = np.linspace(0, size, RASTER)
    at = low + np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)
    distance = KDTree(elbow(region.rim())).query(elbow(at))[0]
    signed = np.where(region.covers(at), -distance, distance).reshape(RASTER, RASTER) - MARGIN * region.spacing
    return np.ascontiguousarray(signed), (float(low[0]), float(low[1]), (RASTER - 1) / size)
