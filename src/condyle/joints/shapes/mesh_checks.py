"""Where triangles are no surface: without area, a third one at an edge, turned over, hanging on a corner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import BadValue, require

if TYPE_CHECKING:
    from .mesh import Mesh

FLAT = 1e-6  # of the longest side squared: triangles of less area are degenerate


def require_sound(mesh: Mesh, looked_at: np.ndarray, corners: np.ndarray | None = None) -> None:
    """Raise for the first triangle of those looked at (bool, for each) that is damaged, with its number and place.

    With vertices `corners`, the triangles around each of them must be one fan: connected through sides, not only
    through the vertex.
    """
    flat = np.flatnonzero(flat_triangles(mesh) & looked_at)
    words = f"{mesh.title}: {_which(mesh, flat)} has no area, {len(flat)} of {len(mesh.triangles)} in all"
    require(len(flat) == 0, f"{words}. mesh.cleaned() leaves such triangles out", BadValue)
    sides, side, count = _sides(mesh)
    many = _of_triangles(count[side] > 2, looked_at)
    words = f"{mesh.title}: an edge of {_which(mesh, many)} belongs to more than two triangles (non-manifold)"
    require(len(many) == 0, f"{words}. Take a part without it, or mesh.cleaned() if one occurs twice", BadValue)
    _, way, times = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    turned = _of_triangles(times[way.ravel()] > 1, looked_at)
    words = f"{mesh.title}: {_which(mesh, turned)} and its neighbour face opposite sides, {len(turned)} such in all"
    require(len(turned) == 0, f"{words}. Turn the corners of one of them around", BadValue)
    lost = np.zeros(0, int) if corners is None else hanging_triangles(mesh, corners)
    words = f"{mesh.title}: {_which(mesh, lost)} touches the others at one vertex only (non-manifold)"
    require(len(lost) == 0, f"{words}. Take a part without it (mesh.near, mesh.part)", BadValue)


def flat_triangles(mesh: Mesh) -> np.ndarray:
    """Which triangles have no area: two corners at one place, or three in a row."""
    p = mesh.corners
    longest = np.linalg.norm(p - np.roll(p, 1, axis=1), axis=2).max(axis=1)
    return np.linalg.norm(mesh.area_vectors, axis=1) <= FLAT * longest**2


def hanging_triangles(mesh: Mesh, corners: np.ndarray) -> np.ndarray:
    """A triangle of the smallest fan around each vertex of these numbers whose triangles are not one fan."""
    at, label = mesh.triangles.ravel(), _fans(mesh)
    fans, first, count = np.unique(np.stack([at, label], axis=1), axis=0, return_index=True, return_counts=True)
    several = np.flatnonzero(np.bincount(fans[:, 0]) > 1)
    out = [
        min((count[k], first[k] // 3) for k in np.flatnonzero(fans[:, 0] == v))
        for v in np.intersect1d(several, corners)
    ]
    return np.array([triangle for _, triangle in sorted(out)], int)


def _fans(mesh: Mesh) -> np.ndarray:
    """For each corner 3 t + k of a triangle the number of its fan: those at its vertex, connected through sides."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components  # slow to load

    _, side, count = _sides(mesh)
    order = np.argsort(side, kind="stable")
    paired = order[count[side[order]] == 2].reshape(-1, 2)
    at, start, end = mesh.triangles.ravel(), paired, 3 * (paired // 3) + (paired + 1) % 3
    alike = (at[start[:, 0]] == at[start[:, 1]])[:, None]
    mates = np.where(alike, np.stack([start[:, 1], end[:, 1]], 1), np.stack([end[:, 1], start[:, 1]], 1))
    links = np.stack([start[:, 0], end[:, 0]], 1).ravel(), mates.ravel()
    n = len(at)
    return connected_components(coo_array((np.ones(len(links[0])), links), shape=(n, n)), directed=False)[1]


def _sides(mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sides (3 m, 2), row 3 t + k from corner k of triangle t to the next; which edge each is, and edges' triangles."""
    sides = np.stack([mesh.triangles, np.roll(mesh.triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    _, side, count = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True, return_counts=True)
    return sides, side.ravel(), count


def _of_triangles(marked: np.ndarray, looked_at: np.ndarray) -> np.ndarray:
    """Numbers of the triangles looked at that have a marked side."""
    return np.flatnonzero(marked.reshape(-1, 3).any(axis=1) & looked_at)


def _which(mesh: Mesh, triangles: np.ndarray) -> str:
    """The first of some triangles and where it is, in words."""
    if not len(triangles):
        return ""
    place = ", ".join(f"{x:.4g}" for x in mesh.corners[triangles[0]].mean(axis=0))
    return f"triangle [{triangles[0]}] near ({place}) m"
