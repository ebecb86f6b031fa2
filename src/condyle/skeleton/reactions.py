"""Accelerations and reactions of states.  [Hakenberg, eqs. 3-6, with as many unknowns as the joints lock]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotFinite, require
from .accelerations import accelerations as kernel
from .blocks import interleaved, lanes_for, over_blocks, separated, with_world
from .friction import Rows, rows_for
from .inputs import instant
from .plan import Offsets, part, work_for
from .state import State, as_numbers

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["Accelerations", "accelerations"]


@dataclass(frozen=True, eq=False)
class Accelerations:
    """How the bodies speed up, and what the joints do to them."""

    linear: np.ndarray  # (..., bodies, 3) [m/s²], world axes
    angular: np.ndarray  # (..., bodies, 3) [rad/s²], body axes
    point_forces: np.ndarray  # (..., joints, 3) [N], world axes, on the first body: c of the article
    turning_torques: np.ndarray  # (..., joints, 3) [N m], world axes, on the first body: z × d of the article
    unique: np.ndarray  # (...,): False where loops are redundant; then the reactions are those of least norm


def accelerations(
    skeleton: Skeleton, state: State | None = None, *, motors=None, forces=None, torques=None, threads=None
) -> Accelerations:
    """Accelerations and reactions with friction as printed, motors, gravity and external loads (world axes)."""
    state = skeleton.given(state)
    loads = instant(skeleton, motors, forces, torques)
    batch = np.broadcast_shapes(state.shape, loads.shape[:-1])
    x = np.broadcast_to(as_numbers(state), (*batch, len(skeleton.masses), 13))
    rows = rows_for(skeleton, "explicit", "printed", 1.0)
    z, lanes = lanes_for(batch)
    blocks = interleaved(with_world(x), 2, lanes)
    inputs = interleaved(np.broadcast_to(loads, (*batch, loads.shape[-1])), 1, lanes)
    _, o = work_for(skeleton.plan, rows.all, lanes)
    works = [np.zeros(o.end * lanes) for _ in blocks]

    def block(k: int) -> None:
        part(works[k], o, "x")[:] = blocks[k]
        kernel(z, works[k], o, skeleton.plan, rows.all, rows.soft, 1.0, 1.0, inputs[k])

    over_blocks(len(blocks), block, threads)
    return _collected(skeleton, rows, works, o, batch, lanes)


def _collected(skeleton, rows: Rows, works: list[np.ndarray], o: Offsets, batch, lanes: int) -> Accelerations:
    """The kernels' numbers as arrays of the batch shape."""
    n, m = len(skeleton.masses), len(skeleton.pairs)

    def gathered(name: str, *shape: int) -> np.ndarray:
        return separated(np.stack([part(w, o, name) for w in works]), batch, shape, lanes)

    a, b, arm = gathered("f", n + 1, 6)[..., :n, :], gathered("b", m, 6), gathered("arm", m, 5, 3)
    require(
        np.isfinite(a).all(), "the accelerations are not finite; are two bodies' inertias very different?", NotFinite
    )
    unique = np.ones(batch, bool)
    if len(skeleton.plan.loops):
        size = int(rows.all[skeleton.plan.loops].sum())
        E, V = gathered("E", 3, size), gathered("V", size, size)
        b = least_norm(b, E, V, gathered("reaction", size, m, 6), rows.all, skeleton.plan.loops)
        unique = np.asarray((E[..., 0, :] > 0).all(axis=-1))
    turning = (b[..., 3:, None] * arm[..., 2:, :]).sum(axis=-2)
    return Accelerations(a[..., 3:], a[..., :3], b[..., :3], turning, unique)


def least_norm(b, E, V, reaction, rows, loops) -> np.ndarray:
    """Reactions without the part that pushes nothing: redundant loops leave a space of such reactions.

    An eigenvector u of the scaled loop system with eigenvalue zero is the loop part s·u of one; its tree part is what
    the tree answers, so the whole is a sum of the stored unit answers.
    """
    out = np.array(b)
    for index in np.ndindex(*b.shape[:-2]):
        null = E[index][0] == 0.0
        if null.any():
            u = E[index][1][:, None] * V[index][:, null]  # (loop rows, null space)
            N = np.einsum("lk,ljr->jrk", u, reaction[index]).reshape(-1, null.sum())
            flat = out[index].reshape(-1)
            out[index] = (flat - N @ np.linalg.lstsq(N, flat, rcond=None)[0]).reshape(out[index].shape)
    return out
