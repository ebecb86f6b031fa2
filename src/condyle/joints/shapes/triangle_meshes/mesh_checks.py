"""Where triangles are no surface: without area, a third one at an edge, turned over, hanging on a corner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....errors import BadValue, require

if TYPE_CHECKING:
    from .mesh import Mesh

FLAT = 1e-6  # of the longest side squared: triangles of less area are degenerate


def require_sound(mesh: Mesh, looked_at: np.ndarray, corners: np.ndarray | None = None) -> None:
    """Raise for the first triangle of those looked at (bool, for each) that is damaged, with its number and place.

    With vertices `corners`, only what hangs on one of these counts as hanging.
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
    lost = np.flatnonzero(hanging_triangles(mesh, corners))
    words = f"{mesh.title}: {_which(mesh, lost)} hangs on the others by a vertex only (non-manifold)"
    require(len(lost) == 0, f"{words}, {len(lost)} such in all. mesh.without_hanging() leaves them out", BadValue)


def flat_triangles(mesh: Mesh) -> np.ndarray:
    """Which triangles have no area: two corners at one place, or three in a row."""
    p = mesh.corners
    longest = np.linalg.norm(p - np.roll(p, 1, axis=1), axis=2).max(axis=1)
    return np.linalg.norm(mesh.area_vectors, axis=1) <= FLAT * longest**2


def hanging_triangles(mesh: Mesh, corners: np.ndarray | None = None) -> np.ndarray:
    """Which triangles are of pieces that touch a larger piece at vertices only; with `corners`, at one of these.

    A piece is what is connected through sides.
    """
    piece = pieces(mesh)
    size = np.bincount(piece)
    at, of = np.unique(np.stack([mesh.triangles.ravel(), np.repeat(piece, 3)], axis=1), axis=0).T
    order = np.lexsort((of, -size[of], at))  # at each vertex its largest piece first
    first = np.r_[True, np.diff(at[order]) > 0]
    lesser = order[~first]
    if corners is not None:
        lesser = lesser[np.isin(at[lesser], corners)]
    return np.isin(piece, of[lesser])


def pieces(mesh: Mesh) -> np.ndarray:
    """The number of each triangle's piece: what is connected through sides."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components  # slow to load

    _, side, _ = _sides(mesh)
    order = np.argsort(side, kind="stable")
    same = np.flatnonzero(np.diff(side[order]) == 0)
    links, n = (order[same] // 3, order[same + 1] // 3), len(mesh.triangles)
    return connected_components(coo_array((np.ones(len(same)), links), shape=(n, n)), directed=False)[1]


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
