"""Redundant loops: which rows the factorisation dropped, and the reactions of least norm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..numeric import entry, store
from .loads import clear
from .plan import part
from .rows import push
from .system import solve_all

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["IdleReactions", "dropped_rows", "least_norm"]

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


class IdleReactions(NamedTuple):
    """Where the states of a batch have reactions that push nothing: one for each dropped row, spanning them all."""

    skeleton: Skeleton
    dropped: np.ndarray
    works: np.ndarray
    lanes: int

    def of(self, state: int) -> np.ndarray:
        """(6 · joints, dropped rows) of one state: a unit reaction in a dropped row, and what all joints answer."""
        skeleton, o, columns = self.skeleton, self.skeleton.offsets, []
        w = self.works.reshape(len(self.works), -1, self.lanes)[state // self.lanes, :, state % self.lanes].copy()
        rigid = np.zeros(len(skeleton.pairs))
        for row in np.flatnonzero(self.dropped.reshape(-1, self.dropped.shape[-1])[state]).tolist():
            answer(0.0, w, o, skeleton.plan, rigid, int(skeleton.plan.core[row // 6]), row % 6)
            columns.append(part(w, o, "b").copy())
        return np.stack(columns, axis=1) if columns else np.zeros((6 * len(skeleton.pairs), 0))


def least_norm(b: np.ndarray, arm: np.ndarray, idle: IdleReactions) -> np.ndarray:
    """Forces and torques (..., joints, 6) on first bodies, of the reactions b without the part that pushes nothing."""
    out = np.array(b).reshape(-1, b.shape[-2] * 6)
    for s in range(len(out)):
        N = idle.of(s)
        out[s] -= N @ np.linalg.lstsq(N, out[s], rcond=None)[0]
    out = out.reshape(b.shape)
    return np.concatenate([out[..., :3], (out[..., 3:, None] * arm[..., 2:, :]).sum(axis=-2)], axis=-1)
