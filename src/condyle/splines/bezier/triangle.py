"""A Bézier triangle: control points b_ijk, i + j + k = n, over barycentric coordinates (u, v, w).

Nets are arrays (..., N, d) with N = (n + 1)(n + 2)/2 rows in the order of `multi_indices`. Everything follows from one
de Casteljau step. [TolaniBadlerGallier2000, appendix, loops corrected]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import factorial

import numpy as np

from ...errors import BadShape, require
from ...typing import ArrayLike


def net_size(degree: int) -> int:
    """How many control points a triangle of this degree has."""
    return (degree + 1) * (degree + 2) // 2


def degree_of(count: int) -> int:
    """The degree of a net with `count` control points."""
    degree = round((np.sqrt(8 * count + 1) - 3) / 2)
    require(net_size(degree) == count, "a Bézier triangle has (n + 1)(n + 2)/2 control points", BadShape, points=count)
    return degree


@lru_cache
def multi_indices(degree: int) -> np.ndarray:
    """All (i, j, k) with i + j + k = degree, i falling first, then j: the order of a net's control points.

    Parameters
    ----------
    degree : int

    Returns
    -------
    ndarray of int, shape (N, 3)
    """
    rows = [(i, j, degree - i - j) for i in range(degree, -1, -1) for j in range(degree - i, -1, -1)]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


@lru_cache
def index_rows(degree: int) -> dict[tuple[int, int, int], int]:
    """The row of each multi-index in a net of this degree."""
    return {tuple(row): at for at, row in enumerate(multi_indices(degree).tolist())}


@lru_cache
def _children(degree: int) -> np.ndarray:
    """Rows of the net of `degree` that one step combines into each row of degree − 1, (N', 3)."""
    at = index_rows(degree)
    lower = multi_indices(degree - 1).tolist()
    return np.array([[at[i + 1, j, k], at[i, j + 1, k], at[i, j, k + 1]] for i, j, k in lower])


def step(net: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """One de Casteljau step: the net of degree n − 1 of the blossom with one argument filled in."""
    net, weights = np.asarray(net, float), np.asarray(weights, float)
    triples = net[..., _children(degree_of(net.shape[-2])), :]
    return np.einsum("...ncd,...c->...nd", triples, weights)


def de_casteljau(net: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A point by repeated steps.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    at : ndarray, shape (3,)
        Barycentric coordinates.

    Returns
    -------
    ndarray, shape (..., d)
    """
    return blossom(net, [at] * degree_of(np.shape(net)[-2]))


def blossom(net: np.ndarray, arguments: Sequence[ArrayLike]) -> np.ndarray:
    """The polar form b(a_1, …, a_n): symmetric, affine in each argument, b(a, …, a) the surface point.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    arguments : sequence of array_like, shape (3,)
        As many barycentric points as the degree.

    Returns
    -------
    ndarray, shape (..., d)

    Raises
    ------
    BadValue
        If there are not as many arguments as the degree.
    """
    degree = degree_of(np.shape(net)[-2])
    require(
        len(arguments) == degree, "a blossom takes as many arguments as the degree", degree=degree, given=len(arguments)
    )
    for argument in arguments:
        net = step(net, np.asarray(argument, float))
    return np.asarray(net)[..., 0, :]


@lru_cache
def _multinomials(degree: int) -> np.ndarray:
    bottom = [factorial(i) * factorial(j) * factorial(k) for i, j, k in multi_indices(degree).tolist()]
    return factorial(degree) / np.array(bottom, float)


def bernstein(degree: int, at: np.ndarray) -> np.ndarray:
    """Bernstein polynomials n!/(i!j!k!) u^i v^j w^k at barycentric points (..., 3), shape (..., N)."""
    powers = np.asarray(at, float)[..., None, :] ** multi_indices(degree)
    return _multinomials(degree) * powers.prod(axis=-1)


def evaluate(net: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Points of a triangle.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    at : ndarray, shape (..., 3)
        Barycentric coordinates.

    Returns
    -------
    ndarray, shape (..., d)
    """
    return bernstein(degree_of(np.shape(net)[-2]), at) @ np.asarray(net, float)


def directional_derivative(net: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The net, one degree lower, of the derivative along a barycentric direction.

    Parameters
    ----------
    net : ndarray, shape (..., N, d)
        Control points in the order of `multi_indices`.
    direction : ndarray, shape (3,)
        Its components sum to 0.

    Returns
    -------
    ndarray, shape (..., N', d)
    """
    return degree_of(np.shape(net)[-2]) * step(net, direction)


@lru_cache
def mass_matrix(degree: int) -> np.ndarray:
    """∫ B_a B_b over a triangle of unit area, (N, N)."""
    rows, counts = multi_indices(degree), _multinomials(degree)
    both = _multinomials(2 * degree)
    at = index_rows(2 * degree)
    sums = (rows[:, None] + rows[None, :]).tolist()
    joint = np.array([[both[at[tuple(s)]] for s in line] for line in sums])
    return np.outer(counts, counts) / joint / net_size(2 * degree)
