"""The parts of two bones that come near each other: compartments, as the inner and outer side of a knee."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadValue, require
from ...joints import Mesh

OPPOSED = -0.5  # cosine between normals of places that may touch
ADDED = 0.003  # [m] beyond the least distance: how near places come that count as articular
SMALL = 0.15  # of the largest compartment's area: less is no compartment
POSES = 25  # at most, that are looked at
FAR = 0.2  # of the larger bone: farther apart, they do not meet
FEW = 60  # triangles: a smaller part gives no smooth surface


class Near(NamedTuple):
    """For each vertex of two bones, how near it came to the other, and to which vertex of it."""

    distance: np.ndarray
    other: np.ndarray


def vertex_normals(mesh: Mesh) -> np.ndarray:
    """Unit normals (n, 3) at vertices: means of those of the triangles around, by area."""
    total = np.zeros_like(mesh.vertices)
    for corner in mesh.triangles.T:
        np.add.at(total, corner, mesh.area_vectors)
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)


def approaches(parent: Mesh, child: Mesh, poses: np.ndarray) -> tuple[Near, Near, np.ndarray]:
    """How near each vertex of both comes to the other over the poses, and the least distance at each [m]."""
    from scipy.spatial import KDTree  # slow to load

    tree, normals = KDTree(parent.vertices), (vertex_normals(parent), vertex_normals(child))
    found = [Near(np.full(len(m.vertices), np.inf), np.zeros(len(m.vertices), int)) for m in (parent, child)]
    least, bound = [], FAR * max(parent.size, child.size)
    for T in poses:
        moved, turned = child.vertices @ T[:3, :3].T + T[:3, 3], normals[1] @ T[:3, :3].T
        d, p = _nearest(tree, moved, bound)
        back, c = _nearest(KDTree(moved), parent.vertices, bound)
        facing = (normals[0][p] * turned).sum(axis=1) < OPPOSED, (normals[0] * turned[c]).sum(axis=1) < OPPOSED
        d, back = (np.where(f, x, np.inf) for f, x in zip(facing, (d, back), strict=True))
        least.append(float(d.min()))
        for near, x, other in ((found[0], back, c), (found[1], d, p)):
            closer = x < near.distance
            near.distance[closer], near.other[closer] = x[closer], other[closer]
    return found[0], found[1], np.array(least)


def _nearest(tree, points: np.ndarray, bound: float) -> tuple[np.ndarray, np.ndarray]:
    """Distances (N,) and numbers of the nearest points of a tree; infinitely far, and any number, beyond the bound."""
    d, k = tree.query(points, distance_upper_bound=bound)
    return np.asarray(d), np.where(np.isfinite(d), k, 0)


def pieces(mesh: Mesh, marked: np.ndarray) -> np.ndarray:
    """The number of the connected piece of triangles with three marked corners that each vertex is on; −1 for none."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    kept = mesh.triangles[marked[mesh.triangles].all(axis=1)]
    sides, n = np.concatenate([kept[:, [0, 1]], kept[:, [1, 2]]]), len(mesh.vertices)
    links = coo_array((np.ones(len(sides)), (sides[:, 0], sides[:, 1])), shape=(n, n))
    labels = connected_components(links, directed=False)[1]
    on = np.zeros(n, bool)
    on[kept.ravel()] = True
    return np.where(on, labels, -1)


def compartments(parent: Mesh, child: Mesh, poses: np.ndarray, reach: float | None) -> list[tuple[Mesh, Mesh]]:
    """Parts of both bones that come within `reach` [m] of each other and face each other, in pairs, the largest first.

    Raises
    ------
    BadValue
        If they never come near, with the least distance.
    """
    chosen = poses[np.unique(np.linspace(0, len(poses) - 1, min(POSES, len(poses))).astype(int))]
    on_parent, on_child, leasts = approaches(parent, child, chosen)
    size = max(parent.size, child.size)
    words = (
        f"joint_from_bones: {parent.title} and {child.title} do not face each other within {1e3 * FAR * size:.3g} mm"
    )
    where = (
        "; are meshes and poses in one unit, each bone in its own frame, the poses those of the child in the parent?"
    )
    bad = np.flatnonzero(np.isinf(leasts))
    _blame_meshes(parent, child, len(bad) > 0)
    require(len(bad) == 0, f"{words} at pose {bad[:1].tolist()} of {len(chosen)} that were looked at{where}", BadValue)
    least = float(leasts.max())
    words = f"joint_from_bones: {parent.title} and {child.title} are up to {1e3 * least:.1f} mm apart"
    within = least + ADDED if reach is None else reach
    require(within > least, f"{words}, more than reach", BadValue, reach_mm=1e3 * within)
    labels = [pieces(m, n.distance <= within) for m, n in ((parent, on_parent), (child, on_child))]
    found = _pairs(parent, child, labels, (on_parent.other, on_child.other))
    _blame_meshes(parent, child, not found)
    words = "joint_from_bones: no part of the bones that faces the other has triangles enough"
    require(bool(found), f"{words} ({FEW}) within reach; give finer meshes or a larger reach=", BadValue, reach=within)
    return found


def _blame_meshes(parent: Mesh, child: Mesh, failed: bool) -> None:
    """Where nothing was found, name what is wrong with a mesh first: triangles that are turned over face nothing."""
    if failed:
        parent.require_surface()
        child.require_surface()


def _pairs(parent: Mesh, child: Mesh, labels: list[np.ndarray], others: tuple) -> list[tuple[Mesh, Mesh]]:
    """Pieces of the two that face each other; a piece that faces two is divided between them."""
    mates = [np.where(a >= 0, b[o], -1) for a, b, o in zip(labels, labels[::-1], others, strict=True)]
    both = [np.stack([labels[0], mates[0]], axis=1), np.stack([mates[1], labels[1]], axis=1)]
    found = []
    for pair in {tuple(x) for x in both[0][both[0].min(axis=1) >= 0].tolist()}:
        chosen = [
            (b == pair).all(axis=1)[m.triangles].sum(axis=1) >= 2 for b, m in zip(both, (parent, child), strict=True)
        ]
        if min(c.sum() for c in chosen) >= FEW:
            for mesh, part in zip((parent, child), chosen, strict=True):
                mesh.require_surface(around=np.unique(mesh.triangles[part]))
                require_without_holes(mesh, part)
            found.append((parent.part(chosen[0]).without_hanging(), child.part(chosen[1]).without_hanging()))
    areas = [min(_area(a), _area(b)) for a, b in found]
    order = np.argsort(areas)[::-1]
    return [found[k] for k in order if areas[k] > SMALL * max(areas)]


def require_without_holes(mesh: Mesh, chosen: np.ndarray) -> None:
    """A part of a bone, by its triangles, has no hole of the bone in it; one that it has is named with its place.

    Raises
    ------
    BadValue
        With the middle and the width of the hole.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rim, n = _rim(mesh.triangles[chosen]), len(mesh.vertices)
    open_edges = {tuple(edge) for edge in _rim(mesh.triangles).tolist()}
    labels = connected_components(coo_array((np.ones(len(rim)), rim.T), shape=(n, n)), directed=False)[1][rim[:, 0]]
    loops = [rim[labels == k] for k in np.unique(labels)]
    widths = [float(np.ptp(mesh.vertices[np.unique(loop)], axis=0).max()) for loop in loops]
    for loop, width in zip(loops, widths, strict=True):
        if width < max(widths) and all(tuple(edge) in open_edges for edge in loop.tolist()):
            at = ", ".join(f"{x:.4g}" for x in mesh.vertices[np.unique(loop)].mean(axis=0))
            words = (
                f"joint_from_bones: {mesh.title} has a hole of {1e3 * width:.3g} mm in an articular part near ({at})"
            )
            raise BadValue(f"{words}; close it, or give a mesh without it (mesh.near, mesh.part)")


def _rim(triangles: np.ndarray) -> np.ndarray:
    """Edges (k, 2) of one triangle only, the smaller number first."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    found, counts = np.unique(edges, axis=0, return_counts=True)
    return found[counts == 1]


def _area(mesh: Mesh) -> float:
    return float(np.linalg.norm(mesh.area_vectors, axis=1).sum())
