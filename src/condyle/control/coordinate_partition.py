"""Coordinate partition by pivoting: G a = x solved for the columns that follow, in terms of those that lead."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RANK = 1e-10  # pivots of unit rows below this share of the first count as zero


class Partition(NamedTuple):
    """a = start + T y for any y: `states` that share a rank, T (states, n, n − rank), start (states, n)."""

    states: np.ndarray
    T: np.ndarray
    start: np.ndarray


def partitions(G: np.ndarray, x: np.ndarray) -> list[Partition]:
    """One partition for each rank that occurs in G (count, m, n) with right sides x (count, m)."""
    A, order, ranks = _reduced(G, x)
    return [_partition(A, order, np.flatnonzero(ranks == r), int(r)) for r in np.unique(ranks)]


def _reduced(G: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """[I R | x] by Gauss and Jordan with complete pivoting, the order of the columns, and the ranks, state by state."""
    count, m, n = G.shape
    size = np.linalg.norm(G, axis=2)
    A = np.concatenate([G, x[..., None]], axis=2) / np.where(size > 0, size, 1.0)[..., None]
    order, ranks, every = np.tile(np.arange(n), (count, 1)), np.zeros(count, dtype=int), np.arange(count)
    for k in range(min(m, n)):
        row, column = np.divmod(np.abs(A[:, k:, k:n]).reshape(count, -1).argmax(axis=1), n - k)
        _swap(A, every, k, k + row)
        _swap(np.swapaxes(A, 1, 2), every, k, k + column)
        _swap(order, every, k, k + column)
        pivot = A[:, k, k].copy()
        alive = np.abs(pivot) > RANK
        ranks += alive
        A[:, k] /= np.where(alive, pivot, 1.0)[:, None]
        others = A[:, :, k] * alive[:, None]
        others[:, k] = 0.0
        A -= others[..., None] * A[:, k, None]
    return A, order, ranks


def _swap(A: np.ndarray, every: np.ndarray, k: int, other: np.ndarray) -> None:
    """Rows k and other[s] of each state s."""
    kept = A[:, k].copy()
    A[:, k] = A[every, other]
    A[every, other] = kept


def _partition(A: np.ndarray, order: np.ndarray, states: np.ndarray, rank: int) -> Partition:
    n = order.shape[1]
    follow, lead = order[states, :rank], order[states, rank:]
    T, start, s = np.zeros((len(states), n, n - rank)), np.zeros((len(states), n)), np.arange(len(states))[:, None]
    T[s, lead, np.arange(n - rank)] = 1.0
    T[s, follow] = -A[states, :rank, rank:n]
    start[s, follow] = A[states, :rank, n]
    return Partition(states, T, start)
