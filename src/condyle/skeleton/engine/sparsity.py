"""The block pattern of the core's Cholesky factor, in an order that fills little: found once for a skeleton."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csc_array, diags_array
from scipy.sparse.linalg import splu


class Pattern(NamedTuple):
    """Lower triangle by columns: the blocks of column i are `first[i]` to `first[i + 1]`, the diagonal one first."""

    order: np.ndarray  # (joints,): the joint in each place
    first: np.ndarray  # (joints + 1,)
    below: np.ndarray  # (blocks,): the row of each block, a place, ascending in a column
    shared: np.ndarray  # (pairs, 5): block, then place and side of two joints of one body, the later place first


def pattern_of(joints: np.ndarray, links: np.ndarray, world: int) -> Pattern:
    """The pattern for these joints; two of them meet where they share a body that is not the world."""
    sides = [(k, s, int(links[j, s])) for k, j in enumerate(joints) for s in (0, 1) if links[j, s] != world]
    meetings = _meetings(sides)
    order = _order(meetings, len(joints))
    place = np.argsort(order)
    first, below = _columns(place[meetings[:, [0, 2]]], len(joints))
    shared = _shared(meetings, place, first, below)
    return Pattern(joints[order], first, below, shared)


def _meetings(sides: list[tuple[int, int, int]]) -> np.ndarray:
    """(pairs, 4): joint and side of two joints that share a body."""
    at: dict[int, list[tuple[int, int]]] = {}
    for k, s, body in sides:
        at.setdefault(body, []).append((k, s))
    pairs = [(*a, *b) for here in at.values() for n, a in enumerate(here) for b in here[:n]]
    return np.array(pairs, dtype=np.int64).reshape(-1, 4)


def _laplacian(edges: np.ndarray, n: int) -> csc_array:
    """A matrix of this pattern whose factor has no zero by chance; nearly singular, so that no entry underflows."""
    data = np.ones(len(edges))
    upper = coo_array((data, (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsc()
    both = upper + upper.T
    return csc_array(diags_array(both.sum(axis=0) + 1e-8) - both)


def _order(meetings: np.ndarray, n: int) -> np.ndarray:
    """Minimum degree, as SuperLU finds it."""
    if n < 2:
        return np.arange(n)
    lu = splu(_laplacian(meetings[:, [0, 2]], n), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    return np.argsort(lu.perm_c)


def _columns(edges: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The filled lower triangle of a graph whose nodes are eliminated in their order."""
    if n < 2:
        return np.arange(n + 1), np.zeros(n, np.int64)
    options = {"SymmetricMode": True}
    L = splu(_laplacian(edges, n), permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options).L.tocsc()
    L.sort_indices()
    return L.indptr.astype(np.int64), L.indices.astype(np.int64)


def _shared(meetings: np.ndarray, place: np.ndarray, first: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Where the product of each meeting's rows goes."""
    rows = []
    for a, s, b, t in meetings.tolist():
        i, k = int(place[a]), int(place[b])
        if i < k:
            i, s, k, t = k, t, i, s
        block = first[k] + np.searchsorted(below[first[k] : first[k + 1]], i)
        rows.append((block, i, s, k, t))
    return np.array(rows, dtype=np.int64).reshape(-1, 5)
