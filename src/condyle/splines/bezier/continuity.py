"""When patches that share an edge join smoothly, for neighbouring triangles of any shape.

With q = u p + v r + w s across the edge rs, the C1 conditions are, for k = 0 … n − 1,
b_B(q, r^k, s^{n−1−k}) = u b_A(p, r^k, s^{n−1−k}) + v b(r^{k+1}, s^{n−1−k}) + w b(r^k, s^{n−k}).
[TolaniBadlerGallier2000, appendix, corrected]
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from ...typing import ArrayLike
from .domain_complex import DomainComplex
from .subdivision import split_in_four
from .triangle import degree_of, index_rows, multi_indices, net_size


def _row_of(degree: int, corners: dict[int, int]) -> int:
    """The net row with the given count on each corner number."""
    return index_rows(degree)[corners.get(0, 0), corners.get(1, 0), corners.get(2, 0)]


def edge_rows(
    degree: int, triangle_a: np.ndarray, triangle_b: np.ndarray, corner_a: int, corner_b: int
) -> tuple[np.ndarray, np.ndarray]:
    """The C1 conditions between two triangles that share an edge.

    Parameters
    ----------
    degree : int
    triangle_a, triangle_b : ndarray, shape (3, 2)
        Corners in the plane.
    corner_a, corner_b : int
        The corner of each opposite to the edge.

    Returns
    -------
    on_a, on_b : ndarray, shape (degree, N)
        on_a @ net_a + on_b @ net_b is zero where the patches join smoothly.
    """
    r, s = (c for c in range(3) if c != corner_a)
    near = {c: int(np.argmin(np.linalg.norm(triangle_b - triangle_a[c], axis=1))) for c in (r, s)}
    lifted = np.vstack([triangle_a.T, np.ones(3)])
    weights = np.linalg.solve(lifted, [*triangle_b[corner_b], 1.0])
    on_a, on_b = np.zeros((2, degree, net_size(degree)))
    for k in range(degree):
        m = degree - 1 - k
        on_b[k, _row_of(degree, {corner_b: 1, near[r]: k, near[s]: m})] = 1.0
        on_a[k, _row_of(degree, {corner_a: 1, r: k, s: m})] -= weights[corner_a]
        on_a[k, _row_of(degree, {r: k + 1, s: m})] -= weights[r]
        on_a[k, _row_of(degree, {r: k, s: m + 1})] -= weights[s]
    return on_a, on_b


def _interior_edges(complex: DomainComplex):
    """(triangle A, its corner, triangle B, its corner) for every shared edge, once."""
    for a, row in enumerate(complex.neighbors.tolist()):
        for corner, b in enumerate(row):
            if b > a:
                yield a, corner, b, complex.neighbors[b].tolist().index(a)


def continuity_matrix(complex: DomainComplex) -> np.ndarray:
    """The C1 conditions on the shared control points. For a hexagon 6n rows of rank 6n − 2.

    Parameters
    ----------
    complex : DomainComplex

    Returns
    -------
    ndarray, shape (n · edges, P)
        Its product with the control points is zero for a C1 surface.
    """
    places, n = complex.vertices[complex.triangles], complex.degree
    blocks = []
    for a, corner_a, b, corner_b in _interior_edges(complex):
        block = np.zeros((n, len(complex.points)))
        on_a, on_b = edge_rows(n, places[a], places[b], corner_a, corner_b)
        block[:, complex.nets[a]] += on_a
        block[:, complex.nets[b]] += on_b
        blocks.append(block)
    return np.vstack(blocks) if blocks else np.zeros((0, len(complex.points)))


def smooth_basis(complex: DomainComplex) -> np.ndarray:
    """An orthonormal basis of all control points that make a C1 surface.

    Parameters
    ----------
    complex : DomainComplex

    Returns
    -------
    ndarray, shape (P, dimension)
    """
    return null_space(np.vstack([continuity_matrix(complex), whole_matrix(complex)]), rcond=1e-10)


def whole_matrix(complex: DomainComplex) -> np.ndarray:
    """Conditions on the shared control points that make the four parts of an unsplit patch one polynomial."""
    size = net_size(complex.degree)
    split = np.vstack(split_in_four(np.eye(size)))  # from a net to those of its parts
    apart = np.eye(4 * size) - split @ np.linalg.pinv(split)
    blocks = [np.zeros((0, len(complex.points)))]
    for group in complex.wholes:
        block = np.zeros((4 * size, len(complex.points)))
        np.add.at(block.T, complex.nets[list(group)].ravel(), apart.T)
        blocks.append(block)
    return np.vstack(blocks)


def c0_gap(net_a: np.ndarray, net_b: np.ndarray, triangle_a: ArrayLike, triangle_b: ArrayLike) -> float:
    """The largest distance between control points that should coincide on the common edge.

    Parameters
    ----------
    net_a, net_b : ndarray, shape (N, d)
    triangle_a, triangle_b : array_like, shape (3, 2)
        Corners in the plane.

    Returns
    -------
    float
    """
    degree = degree_of(np.shape(net_a)[-2])
    a, b = (multi_indices(degree) / degree @ np.asarray(t, float) for t in (triangle_a, triangle_b))
    i, j = np.nonzero(np.linalg.norm(a[:, None] - b[None], axis=-1) < 1e-9)
    return float(np.abs(np.asarray(net_a)[i] - np.asarray(net_b)[j]).max())


def c1_gap(complex: DomainComplex, control: np.ndarray) -> float:
    """The largest residual of the C1 conditions.

    Parameters
    ----------
    complex : DomainComplex
    control : ndarray, shape (P, d)

    Returns
    -------
    float
    """
    matrix = continuity_matrix(complex)
    return float(np.abs(matrix @ control).max()) if len(matrix) else 0.0
