"""Redundant loops: reactions that push nothing, and those of least norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["idle_reactions", "without"]

DOUBTFUL = (
    1e-3  # a pivot above this part of its row's compliance is no sign of redundancy: the least of all is below √ε
)
REDUNDANT = 1e-9  # an eigenvalue of the core's system, its diagonal scaled to 1, that counts as zero
DIAGONAL = np.array([0, 2, 5, 9, 14, 20])  # of a packed lower half


def idle_reactions(skeleton: Skeleton, Y: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    """(6 · joints, k): a basis of the reactions that push nothing in one state.

    Y (core joints, sides, rows, 6) and pivots (core joints, 21) are what the factorisation of the core left.
    """
    core, links = skeleton.plan.core, skeleton.plan.links
    used = np.arange(6) < 3 + skeleton.locked[core, None]
    places, rows = np.nonzero(used)
    own = (Y**2).sum(axis=(1, 3))[used]  # the diagonal of A
    if not (pivots[:, DIAGONAL][used] ** -2.0 < DOUBTFUL * own).any():
        return np.zeros((6 * len(links), 0))
    G = np.zeros((len(places), len(skeleton.masses) + 1, 6))
    for side in (0, 1):
        G[np.arange(len(places)), links[core[places], side]] = Y[places, side, rows]
    G = G[:, :-1].reshape(len(places), -1) / np.sqrt(own)[:, None]
    values, vectors = np.linalg.eigh(G @ G.T)
    idle = vectors[:, values < REDUNDANT] / np.sqrt(own)[:, None]
    out = np.zeros((6 * len(links), idle.shape[1]))
    out[6 * core[places] + rows] = idle
    return out


def without(idle: np.ndarray, reactions: np.ndarray) -> np.ndarray:
    """Reactions (6 · joints,) less their part that pushes nothing: those of least norm."""
    return reactions - idle @ np.linalg.lstsq(idle, reactions, rcond=None)[0]
