"""Redundant loops: which rows the factorisation dropped, and the reactions of least norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..numeric import entry, store
from .loads import clear
from .rows import push
from .system import solve_all

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["dropped_rows", "least_norm"]

DIAGONAL = np.array([0, 2, 5, 9, 14, 20])  # of a packed lower half


def dropped_rows(skeleton: Skeleton, pivots: np.ndarray) -> np.ndarray:
    """(..., 6 · joints of the core): rows without a pivot; a joint's unused rows are not dropped, they are none."""
    inverse = pivots[..., DIAGONAL]
    used = np.arange(6) < 3 + skeleton.locked[skeleton.plan.core, None]
    gone = used & (inverse == 0.0)
    return gone.reshape(*gone.shape[:-2], -1)


@entry
def answer(z, w, o, plan, rigid, j, i):
    """Reactions of all joints, in b, when row i of joint j, which is redundant, has a reaction of 1 and no load acts."""
    clear(z, w, o.f, 6 * len(plan.bodies))
    clear(z, w, o.b, 6 * len(plan.links))
    store(z, w, o.b + 6 * j + i, z + 1.0)
    push(z, w, plan.links, o.arm, j, o.b, o.f)
    store(z, w, o.b + 6 * j + i, z)
    solve_all(z, w, o, plan, rigid, o.f, o.b)
    store(z, w, o.b + 6 * j + i, z + 1.0)


def least_norm(skeleton: Skeleton, b, dropped: np.ndarray, works: np.ndarray, lanes: int) -> np.ndarray:
    """Reactions without the part that pushes nothing: redundant loops leave a space of such reactions.

    A unit reaction in a dropped row, with what the other joints answer, is one of them; together they span the space.
    """
    out, o = np.array(b), skeleton.offsets
    flat = out.reshape(-1, b.shape[-2] * 6)
    for s, rows in enumerate(dropped.reshape(len(flat), -1)):
        if rows.any():
            w = works.reshape(len(works), -1, lanes)[s // lanes, :, s % lanes].copy()
            N = _idle_reactions(skeleton, w, np.flatnonzero(rows))
            flat[s] -= N @ np.linalg.lstsq(N, flat[s], rcond=None)[0]
    return out


def _idle_reactions(skeleton: Skeleton, w: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(6 · joints, rows): reactions that push nothing, one for each dropped row of the factored state in w."""
    o, rigid, columns = skeleton.offsets, np.zeros(len(skeleton.pairs)), []
    for row in rows.tolist():
        answer(0.0, w, o, skeleton.plan, rigid, int(skeleton.plan.core[row // 6]), row % 6)
        columns.append(w[o.b : o.b + 6 * len(skeleton.pairs)].copy())
    return np.stack(columns, axis=1)
