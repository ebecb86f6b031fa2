"""Redundant loops: reactions that push nothing, and those of least norm.

Rows whose pivots in the factor of the core are small may depend on others; of a redundant loop there are about as many
as it is redundant. With C the sound rows and D the doubtful ones, reactions that push nothing have the form
(−A_CC⁻¹ A_CD y, y): only the doubtful part of the system is decided by eigenvalues, the rest by a sparse factorisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import eigh, solve
from scipy.sparse import coo_array, csc_array
from scipy.sparse.linalg import splu

if TYPE_CHECKING:
    from ..skeleton import Skeleton


DOUBTFUL = 2e-4  # a pivot below this part of its row's compliance may mean redundancy: then the least is below √ε
REDUNDANT = 1e-9  # an eigenvalue of the core's system, its diagonal scaled to 1, that counts as zero
SYMMETRIC = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
DIAGONAL = np.array([0, 2, 5, 9, 14, 20])  # of a packed lower half


def idle_reactions(skeleton: Skeleton, Y: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    """(6 · joints, k): a basis of the reactions that push nothing in one state.

    Y (core joints, sides, rows, 6) and pivots (core joints, 21) are what the factorisation of the core left.
    """
    core, links = skeleton.plan.core, skeleton.plan.links
    used = np.arange(6) < 3 + skeleton.locked[core, None]
    places, rows = np.nonzero(used)
    own = (Y**2).sum(axis=(1, 3))[used]  # the diagonal of A
    doubtful = pivots[:, DIAGONAL][used] ** -2.0 < DOUBTFUL * own
    if not doubtful.any():
        return np.zeros((6 * len(links), 0))
    ends, world = links[core[places], :2], len(skeleton.masses)
    G = _rows(Y[places, :, rows] / np.sqrt(own)[:, None, None], ends, world)
    idle = _null(csc_array(G @ G.T), doubtful) / np.sqrt(own)[:, None]
    out = np.zeros((6 * len(links), idle.shape[1]))
    out[6 * core[places] + rows] = idle
    return out


def _rows(Y: np.ndarray, ends: np.ndarray, world: int) -> csc_array:
    """Rows (rows, 6 · bodies) of both sides Y (rows, 2, 6) of joints between bodies `ends` (rows, 2); not the world."""
    row, side = np.nonzero(ends != world)
    columns = 6 * ends[row, side][:, None] + np.arange(6)
    at = np.repeat(row, 6), columns.reshape(-1)
    return csc_array(coo_array((Y[row, side].reshape(-1), at), shape=(len(ends), 6 * world)))


def _null(A: csc_array, doubtful: np.ndarray) -> np.ndarray:
    """(rows, k): vectors x whose xᵀAx / xᵀx is below REDUNDANT, given rows without which A is regular."""
    sound = ~doubtful
    W = np.zeros((int(sound.sum()), int(doubtful.sum())))
    A_CD, S = A[sound][:, doubtful].toarray(), A[doubtful][:, doubtful].toarray()
    if len(W):
        W = splu(csc_array(A[sound][:, sound]), permc_spec="MMD_AT_PLUS_A", **SYMMETRIC).solve(A_CD)
        S = S - A_CD.T @ W
    values, y = eigh(0.5 * (S + S.T), np.eye(len(S)) + W.T @ W)
    y = y[:, values < REDUNDANT]
    x = np.zeros((len(doubtful), y.shape[1]))
    x[sound], x[doubtful] = -W @ y, y
    return x


def without(idle: np.ndarray, reactions: np.ndarray) -> np.ndarray:
    """Reactions (6 · joints,) less their part that pushes nothing: those of least norm."""
    return reactions - idle @ solve(idle.T @ idle, idle.T @ reactions, assume_a="pos")
