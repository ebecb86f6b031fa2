"""The consistent state nearest to a given one, in the metric of the masses: momentum is not changed by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import NotConverged, require
from ...numeric import aligned_zeros, interleaved, lanes_for, over_blocks, separated
from ..kernels.projection import CLOSED, ITERATIONS, close_state
from ..state import State
from .kernel_tables import part
from .lane_blocks import packed, unpacked

if TYPE_CHECKING:
    from ..skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Projection:
    """A consistent state, and how far it is from the one given: the largest over bodies, shape (...).

    Attributes
    ----------
    state : State
    moved : ndarray
        [m]
    turned : ndarray
        [rad]
    velocity_change : ndarray
        [m/s]
    angular_velocity_change : ndarray
        [rad/s]
    """

    state: State
    moved: np.ndarray  # (...,) [m]
    turned: np.ndarray  # (...,) [rad]
    velocity_change: np.ndarray  # (...,) [m/s]
    angular_velocity_change: np.ndarray  # (...,) [rad/s]


def projected(skeleton: Skeleton, state: State | None = None, *, threads: int | None = None) -> Projection:
    """Close the joints in position, then in velocity.

    Parameters
    ----------
    state : State, optional
        The initial one by default.
    threads : int, optional

    Returns
    -------
    Projection

    Raises
    ------
    NotConverged
        If the joints cannot be closed from there.
    """
    state = skeleton.checked_state(state)
    z, lanes = lanes_for(state.shape)
    blocks = interleaved(packed(skeleton, state, state.shape), 1, lanes)
    o, rigid = skeleton.offsets, np.zeros(len(skeleton.pairs))
    left = np.zeros(len(blocks))

    def block(k: int) -> None:
        w, x = aligned_zeros((o.end * lanes,)), blocks[k]
        w[: len(x)] = x
        close_state(z, w, o, skeleton.plan, rigid)
        x[:] = w[: len(x)]
        left[k] = part(w, o, "flag")[lanes:].max()

    over_blocks(len(blocks), block, threads)
    most = left.max(initial=0.0)
    require(
        most <= (len(skeleton.pairs) + 1) * CLOSED**2,
        f"the joints of this state do not close within {ITERATIONS} iterations "
        f"(gaps of {most**0.5:.3g} are left); start nearer to a closed one, or check that the loops can close",
        NotConverged,
    )
    new = unpacked(skeleton, separated(blocks, state.shape, (blocks.shape[1] // lanes,), lanes))
    return Projection(new, *_distances(state, new))


def _distances(old: State, new: State) -> tuple[np.ndarray, ...]:
    """Largest changes over the bodies."""

    def largest(a: np.ndarray) -> np.ndarray:
        return np.sqrt((a * a).sum(axis=-1)).max(axis=-1)

    turn = np.swapaxes(old.rotations, -1, -2) @ new.rotations
    sine = np.stack(
        [turn[..., 2, 1] - turn[..., 1, 2], turn[..., 0, 2] - turn[..., 2, 0], turn[..., 1, 0] - turn[..., 0, 1]]
    )
    angle = np.arctan2(np.sqrt((sine * sine).sum(axis=0)), np.trace(turn, axis1=-2, axis2=-1) - 1.0)
    return (
        largest(new.positions - old.positions),
        angle.max(axis=-1),
        largest(new.velocities - old.velocities),
        largest(new.angular_velocities - old.angular_velocities),
    )
