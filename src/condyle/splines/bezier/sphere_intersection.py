"""Where a surface meets a sphere: marching over a lattice of small triangles, every crossing refined on its edge."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, require
from ...typing import ArrayLike
from .bezier_surface import BezierSurface
from .triangle import multi_indices

HALVINGS = 60


class SphereCurve(NamedTuple):
    """One curve in which a surface meets a sphere.

    Attributes
    ----------
    at : ndarray, shape (n, 2)
        Domain points, in order.
    points : ndarray, shape (n, 3)
        The surface there.
    closed : bool
        Whether the last point is followed by the first.
    """

    at: np.ndarray
    points: np.ndarray
    closed: bool


def sphere_intersection(
    surface: BezierSurface, center: ArrayLike, radius: float, *, side: int = 24
) -> list[SphereCurve]:
    """The curves in which a surface in space meets a sphere.

    Parts of a curve smaller than a triangle of the lattice may be missed; what is found is on the sphere to rounding.

    Parameters
    ----------
    surface : BezierSurface
        With three channels.
    center : array_like, shape (3,)
    radius : float
    side : int, optional
        Steps of the lattice along an edge of a patch.

    Returns
    -------
    list of SphereCurve
        Empty if they do not meet.

    Raises
    ------
    BadShape
        If the surface has not three channels, or the centre is not (3,).
    BadValue
        If radius or side is not positive.
    """
    channels, center = surface.control.shape[1], np.asarray(center, float)
    require(channels == 3, "a sphere meets a surface of three channels", BadShape, channels=channels)
    require(center.shape == (3,), "the centre of a sphere is (3,)", BadShape, shape=center.shape)
    require(radius > 0 and side > 0, "radius and side are positive", BadValue, radius=radius, side=side)
    places, triangles = _lattice(surface, side)
    gap = ((surface.evaluate(places) - center) ** 2).sum(axis=1) - radius**2
    edges, of_triangle = _edges(triangles)
    crossed = np.flatnonzero((gap[edges[:, 0]] < 0) != (gap[edges[:, 1]] < 0))
    at = _refined(surface, places[edges[crossed]], gap[edges[crossed, 0]] < 0, center, radius)
    number = np.full(len(edges), -1)
    number[crossed] = np.arange(len(crossed))
    chains = _chains(number[of_triangle], len(crossed))
    return [SphereCurve(at[chain], surface.evaluate(at[chain]), closed) for chain, closed in chains]


def _lattice(surface: BezierSurface, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Domain points, each once, and small triangles between them."""
    rows = multi_indices(side)
    at = {(i, j): n for n, (i, j, _) in enumerate(rows.tolist())}
    up = [(at[i + 1, j], at[i, j + 1], at[i, j]) for i, j in at if i + j < side]
    down = [(at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]) for i, j in at if i + j < side - 1]
    small = np.array(up + down)
    corners = surface.complex.vertices[surface.complex.triangles]
    places = np.einsum("nc,tcx->tnx", rows / side, corners).reshape(-1, 2)
    keys = np.round(places / 1e-9).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    every = (small[None] + len(rows) * np.arange(len(corners))[:, None, None]).reshape(-1, 3)
    return places[first], inverse.ravel()[every]


def _edges(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every edge once, and the three of each triangle."""
    pairs = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    edges, inverse = np.unique(pairs, axis=0, return_inverse=True)
    return edges, inverse.reshape(-1, 3)


def _refined(surface, ends: np.ndarray, inside: np.ndarray, center, radius) -> np.ndarray:
    """The crossing between the ends (n, 2, 2) of each edge, whose first end is inside the sphere or not; bisection."""
    low, high = np.where(inside[:, None, None], ends, ends[:, ::-1]).transpose(1, 0, 2)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        within = (((surface.evaluate(middle) - center) ** 2).sum(axis=1) < radius**2)[:, None]
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    return (low + high) / 2


def _chains(of_triangle: np.ndarray, count: int) -> list[tuple[list[int], bool]]:
    """Crossings in order along each curve, and whether it is closed; a triangle has two crossings or none."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for a, b in np.sort(of_triangle, axis=1)[(of_triangle >= 0).sum(axis=1) == 2][:, 1:].tolist():
        beside[a].append(b)
        beside[b].append(a)
    seen, out = np.zeros(count, bool), []
    for start in sorted(range(count), key=lambda n: len(beside[n])):  # open curves begin at their ends
        if not seen[start]:
            chain = _walk(start, beside, seen)
            out.append((chain, len(chain) > 2 and start in beside[chain[-1]]))
    return out


def _walk(start: int, beside: list[list[int]], seen: np.ndarray) -> list[int]:
    chain = [start]
    seen[start] = True
    while True:
        following = [n for n in beside[chain[-1]] if not seen[n]]
        if not following:
            return chain
        chain.append(following[0])
        seen[following[0]] = True
