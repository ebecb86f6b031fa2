"""Accelerations and reactions of states.  [Hakenberg, eqs. 3-6, with as many unknowns as the joints lock]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import NotFinite, require
from ...numeric import aligned_zeros, interleaved, lanes_for, over_blocks, separated
from ..kernels.accelerations import accelerations as kernel
from ..state import State
from .kernel_tables import part
from .lane_blocks import packed
from .redundant_loops import idle_reactions, without
from .sampled_loads import instant, steady

if TYPE_CHECKING:
    from ..skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Accelerations:
    """How the bodies speed up, and what the joints do to them.

    Attributes
    ----------
    linear : ndarray, shape (..., bodies, 3)
        World axes [m/s²].
    angular : ndarray, shape (..., bodies, 3)
        Body axes [rad/s²].
    point_forces : ndarray, shape (..., joints, 3)
        On the first body, world axes [N]: c of the article.
    turning_torques : ndarray, shape (..., joints, 3)
        On the first body, world axes [N m]: z × d of the article.
    unique : ndarray of bool, shape (...)
        False where loops are redundant; then the reactions are those of least norm.
    """

    linear: np.ndarray  # (..., bodies, 3) [m/s²], world axes
    angular: np.ndarray  # (..., bodies, 3) [rad/s²], body axes
    point_forces: np.ndarray  # (..., joints, 3) [N], world axes, on the first body: c of the article
    turning_torques: np.ndarray  # (..., joints, 3) [N m], world axes, on the first body: z × d of the article
    unique: np.ndarray  # (...,): False where loops are redundant; then the reactions are those of least norm


def accelerations(
    skeleton: Skeleton,
    state: State | None = None,
    *,
    motors: Mapping[str, Any] | None = None,
    forces: Mapping[str, Any] | None = None,
    torques: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> Accelerations:
    """Accelerations and reactions with friction as printed, springs, motors, gravity, external loads (world axes).

    Parameters
    ----------
    state : State, optional
        The initial one by default.
    motors : mapping of str to array_like, optional
        Torques of hinges by name [N m].
    forces, torques : mapping of str to array_like, optional
        On bodies by name, world axes at the centre of mass [N, N m].
    threads : int, optional

    Returns
    -------
    Accelerations
    """
    state = skeleton.checked_state(state)
    loads = steady(skeleton) + instant(skeleton, motors, forces, torques)
    batch = np.broadcast_shapes(state.shape, loads.shape[:-1])
    z, lanes = lanes_for(batch)
    plan, o, rigid = skeleton.plan, skeleton.offsets, np.zeros(len(skeleton.pairs))
    given = interleaved(_given(skeleton, state, batch), 1, lanes)
    inputs = interleaved(np.broadcast_to(loads, (*batch, loads.shape[-1])), 1, lanes)
    works = aligned_zeros((len(given), o.end * lanes))

    def block(k: int) -> None:
        works[k, : given.shape[1]] = given[k]
        kernel(z, works[k], o, plan, rigid, inputs[k], 0)

    over_blocks(len(works), block, threads)
    return _collected(skeleton, works, batch, lanes)


def _given(skeleton: Skeleton, state: State, batch: tuple[int, ...]) -> np.ndarray:
    """What the kernel reads, (..., numbers): the state, then R as it is given; the world is the last body."""
    R = np.zeros((*batch, len(skeleton.masses) + 1, 9))
    R[..., :-1, :], R[..., -1, :] = state.rotations.reshape(*state.shape, R.shape[-2] - 1, 9), np.eye(3).reshape(9)
    return np.concatenate([packed(skeleton, state, batch, turned=False), R.reshape(*batch, 9 * R.shape[-2])], axis=-1)


def _collected(skeleton: Skeleton, works: np.ndarray, batch: tuple[int, ...], lanes: int) -> Accelerations:
    """The kernels' numbers as arrays of the batch shape."""
    n, m, o = len(skeleton.masses), len(skeleton.pairs), skeleton.offsets

    def gathered(name: str, *shape: int) -> np.ndarray:
        return separated(part(works, o, name), batch, shape, lanes)

    a, wrench = gathered("f", n + 1, 6)[..., :n, :], gathered("guess", m, 6)
    require(
        np.isfinite(a).all(), "the accelerations are not finite; are two bodies' inertias very different?", NotFinite
    )
    if not len(skeleton.plan.core):
        return Accelerations(a[..., 3:], a[..., :3], wrench[..., :3], wrench[..., 3:], np.ones(batch, bool)[()])
    left = len(skeleton.plan.core)
    core = gathered("Y", left, 2, 6, 6), gathered("pivot", left, 21), gathered("b", m, 6), gathered("arm", m, 5, 3)
    wrench, unique = np.array(wrench), np.ones(batch, bool)
    for index in np.ndindex(*batch):
        Y, pivots, b, arm = (x[index] for x in core)
        idle = idle_reactions(skeleton, Y, pivots)
        unique[index] = idle.shape[1] == 0
        if not unique[index]:
            wrench[index] = _wrenches(without(idle, b.reshape(-1)).reshape(m, 6), arm)
    return Accelerations(a[..., 3:], a[..., :3], wrench[..., :3], wrench[..., 3:], unique[()])


def _wrenches(b: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(joints, 6): force and torque on first bodies of the reactions b."""
    return np.concatenate([b[:, :3], (b[:, 3:, None] * arm[:, 2:]).sum(axis=1)], axis=1)
