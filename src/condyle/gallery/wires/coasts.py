"""Coasts of the continents, drawn by hand with some dozens of corners each.

They look like the world and are no map: islands, lakes and most bays are left out.
"""

from __future__ import annotations

import numpy as np

from ..outlines import evenly_spaced, smoothed

# Longitude and latitude [degrees] of corners.
CONTINENTS = {
    "Africa": (
        "-17 15, -16 21, -10 29, -6 35.5, 3 37, 10 37, 11 33.5, 20 31, 25 31.7, 32 31, 34 27, 37 21, 39 15, 43 11.5, "
        "51 12, 48 5, 42 -2, 39 -7, 40.5 -15, 35 -20, 35 -24, 32 -28, 27 -33.5, 20 -34.8, 18 -32, 15 -27, 12 -18, "
        "13.5 -11, 12 -5, 9 -1, 9.5 4, 5 6, -4 5, -8 4.4, -13 9"
    ),
    "South America": (
        "-77 8, -75.5 10.5, -72 12, -71 11, -67 10.6, -62 10.5, -60 8.5, -57 6, -52 5, -50 1, -48.5 -1, -44 -2.5, "
        "-40 -3, -37 -4.8, -35 -6, -35 -9, -37 -11.5, -39 -14, -39 -18, -41 -22, -45 -23.5, -48.5 -26, -49 -29, "
        "-52 -33, -54 -34.5, -58 -34.3, -57 -37, -62 -39, -65 -41, -64 -43, -67 -46, -66 -48, -69 -51, -68 -53, "
        "-66 -54.8, -70 -55, -74 -52.5, -75.5 -48, -73.5 -42, -73.5 -37, -71.5 -32, -70.5 -25, -70.2 -18.5, -74 -16, "
        "-76.3 -13.5, -79 -8, -81.2 -5, -80 -3, -80.8 -1, -79 1.5, -77.3 4"
    ),
    "North America": (
        "-168 66, -162 70.5, -130 70, -115 68.5, -95 71.5, -82 68, -93 62, -94 58, -82 55, -79 51.5, -78 58, -77 62.5, "
        "-70 61, -64 58.5, -56 53, -65 49, -60 46, -70 43.5, -74 40.5, -76 35.5, -81 31, -80 25.5, -83 29.5, -90 29.5, "
        "-97 27, -97.5 22, -94 18, -90.5 20.8, -87 21, -88 16, -83.5 15, -83 10, -79 9, -86 11, -94 15.5, -105 20, "
        "-111 27, -114 31.5, -113 28, -110 23, -115 28, -117 33, -122 37, -124 43, -124 48, -130 54, -137 59, "
        "-146 60.5, -152 59, -163 55, -157 59, -165 61"
    ),
    "Eurasia": (
        "-9 37, -9 43, -2 43.5, -1.5 46.5, -4.5 48.5, 2 51, 8 54, 8.5 57, 10.5 57.5, 11 54.5, 14 54, 20 55, 23.5 58, "
        "29 60, 22 60, 21.5 63, 25 65.5, 22 65.7, 17.5 61.5, 18 59.5, 16 56.5, 13 55.5, 11 59, 7 58, 5 61, 13 66.5, "
        "20 70, 28 71, 40 67.5, 33 66.5, 38 64.5, 44 66, 45 68.5, 60 69, 68 68.5, 72 72.5, 80 73, 100 76.5, 113 74, "
        "130 71.5, 150 71.5, 170 69.5, 180 68, 177 64.5, 171 60.5, 163 59.5, 162 56, 156.5 51.5, 156 57, 155 59.3, "
        "143 59.3, 136 54.5, 140 51, 139 47.5, 132 43, 128 40, 129 36, 126.5 34.5, 126 38, 121.5 39.5, 118 39, 122 37, "
        "119.5 35, 121.8 31, 120 26.5, 114 22.3, 108.5 21.5, 106 18.5, 109 13, 106 9.5, 101 13, 99.5 9.5, 103.5 1.8, "
        "98.3 8, 98 15, 94.5 16, 92 21.5, 88 21.7, 82.5 17, 80 13, 78 8, 74.5 14, 72.8 20, 69 22.3, 66.5 25.2, "
        "57.5 25.7, 52 27.5, 48.5 30, 51.5 25, 56.2 26, 59.8 22.5, 55 17.5, 45 13, 42.8 16, 39 21.5, 35.5 28, "
        "34.5 31.5, 36 36.5, 30.5 36.5, 27 37.5, 26.5 40, 32 41.8, 41 41.5, 38 44.5, 39 47, 33.5 46, 30.5 46.3, "
        "28 43, 28.5 41.2, 23.5 40.5, 23.5 37, 21.5 37.5, 19.3 41.5, 14 45, 12.5 44.5, 16 41.5, 18.3 40, "
        "16.5 38.5, 15.8 40, 10.5 43.5, 7 43.5, 3.2 43, 0 39.5, -2 36.8, -5.5 36.2"
    ),
    "Australia": (
        "114 -22, 122 -18, 129 -15, 136.5 -12, 135.7 -15, 140 -17.5, 142 -11, 146 -19, 153 -26, 153 -31, 150 -37.5, "
        "144 -38.5, 139 -36.5, 135.5 -34.8, 131 -31.5, 124 -33.5, 118 -35, 115 -34, 115.5 -31.5, 113.5 -26"
    ),
    "Greenland": "-55 82, -30 83.3, -18 80, -20 73, -30 68, -43 60, -51 64, -54 70, -68 76",
}
ANTARCTICA = (0.36, ((1, 0.12, 2.2), (2, 0.08, 0.5), (3, 0.06, 1.3), (5, 0.04, 0.2)))  # [rad] from the pole, waves
SHELF, RISE, PLAIN = 0.06, 0.15, 0.010  # [rad] of sea that is looked at, slope at the coast, height of the land


def corners(name: str) -> np.ndarray:
    """Longitude and latitude (N, 2) [rad] of a continent's corners."""
    return np.radians([[float(x) for x in pair.split()] for pair in CONTINENTS[name].split(",")])


def directions(lonlat: np.ndarray) -> np.ndarray:
    """Unit vectors (..., 3) at longitudes and latitudes (..., 2) [rad]."""
    (a, b) = np.moveaxis(lonlat, -1, 0)
    return np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=-1)


def rounded_coast(name: str, count: int, width: float = 0.045) -> np.ndarray:
    """Evenly spaced directions (count, 3) along a coast whose corners are rounded by a width [rad]."""
    points = evenly_spaced(directions(corners(name)), 1200)
    around = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    round_ = smoothed(points, width * 1200 / around)
    even = evenly_spaced(round_, count)
    return even / np.linalg.norm(even, axis=1, keepdims=True)


def wavy(angle: np.ndarray, size: float, waves) -> np.ndarray:
    """The angular distance [rad] of a coast from its middle: a mean, and waves (number, share of it, phase)."""
    return size * (1.0 + sum((share * np.cos(n * angle + phase) for n, share, phase in waves), 0.0 * angle))


def _places(rows: int) -> np.ndarray:
    """Longitudes and latitudes (rows, 2 rows, 2) [rad] over the globe."""
    b, a = np.meshgrid(np.linspace(-0.5, 0.5, rows) * np.pi, np.linspace(-1.0, 1.0, 2 * rows) * np.pi, indexing="ij")
    return np.stack([a, b], axis=-1)


def sea_grid(radius: float, rows: int = 91) -> np.ndarray:
    """A grid (rows, 2 rows, 3) of a sphere [m], fine enough for coasts."""
    return radius * directions(_places(rows))


def land_grid(radius: float, rows: int = 181) -> np.ndarray:
    """A grid (rows, 2 rows, 3) [m] over the whole globe: above the radius on land, below it at sea.

    Heights follow the distance from the nearest coast, so that the grid cuts a sphere of the radius along the coasts.
    """
    from scipy.spatial import KDTree  # slow to load

    lonlat = _places(rows)
    outlines = [evenly_spaced(corners(name), 1500) for name in CONTINENTS]
    away = np.asarray(KDTree(np.concatenate([directions(o) for o in outlines])).query(directions(lonlat))[0])
    inside = np.any([_inside(lonlat, corners(name)) for name in CONTINENTS], axis=0)
    south = wavy(0.5 * np.pi - lonlat[..., 0], *ANTARCTICA) - (lonlat[..., 1] + 0.5 * np.pi)
    signed = np.maximum(np.where(inside, away, -away), south)
    height = np.clip(RISE * signed, -RISE * SHELF, PLAIN)
    return radius * (1.0 + height)[..., None] * directions(lonlat)


def _inside(places: np.ndarray, outline: np.ndarray) -> np.ndarray:
    """Which places (..., 2) are within a closed outline (N, 2), by counting its sides to the east."""
    x, y = np.moveaxis(places, -1, 0)
    odd = np.zeros(x.shape, bool)
    for (p, q), (r, s) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if q != s:
            odd ^= ((q > y) != (s > y)) & (x < p + (y - q) * (r - p) / (s - q))
    return odd
