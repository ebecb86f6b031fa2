"""The consistent state nearest to a given one, in the metric of the masses: momentum is not changed by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotConverged, require
from ..numeric import entry, kernel, less, load, select, store
from ..spatial.algebra import add3, load3, load9, store3, transposed_matvec
from .accelerations import place_and_factor
from .algebra import half_turn, load4, quaternion_product, store4, unit
from .blocks import interleaved, lanes_for, over_blocks, separated, with_world
from .friction import rows_for
from .geometry import gaps
from .loads import clear, world_rates
from .loops import solve_all
from .plan import part, work_for
from .rows import openings
from .state import State, as_numbers, from_numbers

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["Projection", "projected"]

ITERATIONS = 60
CLOSED = 1e-13


@dataclass(frozen=True, eq=False)
class Projection:
    """A consistent state and how far it is from the one given (largest over bodies)."""

    state: State
    moved: np.ndarray  # (...,) [m]
    turned: np.ndarray  # (...,) [rad]
    velocity_change: np.ndarray  # (...,) [m/s]
    angular_velocity_change: np.ndarray  # (...,) [rad/s]


def projected(skeleton: Skeleton, state: State | None = None, *, threads: int | None = None) -> Projection:
    """Close the joints in position, then in velocity."""
    state = state or skeleton.initial
    x = as_numbers(state)
    z, lanes = lanes_for(state.shape)
    rows = rows_for(skeleton, "explicit", "printed", 1.0)
    blocks = interleaved(with_world(x), 2, lanes)
    pairs = [work_for(skeleton.plan, rows.rigid, lanes) for _ in blocks]

    def block(k: int) -> None:
        w, o = pairs[k]
        part(w, o, "x")[:] = blocks[k]
        close_state(z, w, o, skeleton.plan, rows.rigid, rows.soft)
        blocks[k] = part(w, o, "x")

    over_blocks(len(blocks), block, threads)
    left = max(float(part(w, o, "flag")[lanes:].max()) for w, o in pairs)
    require(
        left <= (len(skeleton.pairs) + 1) * CLOSED**2,
        f"the joints of this state do not close within {ITERATIONS} iterations (gaps of {left**0.5:.3g} are left); "
        "start nearer to a closed one, or check that the loops can close",
        NotConverged,
    )
    new = from_numbers(separated(blocks, state.shape, (len(skeleton.masses) + 1, 13), lanes)[..., :-1, :])
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


@entry
def close_state(z, w, o, plan, rigid, soft):
    """Newton's corrections M⁻¹Gᵀλ of the poses until the gaps vanish, then one of the velocities."""
    for _ in range(ITERATIONS):
        place_and_factor(z, w, o, plan, rigid, soft, o.x)
        total = gaps(z, w, plan.links, plan.joints, o.x, o.R, -1.0, o.b)
        store(z, w, o.flag + 1, total)
        going = less(CLOSED * CLOSED * 1e-2, total)
        clear(z, w, o.f, 6 * len(plan.bodies))
        solve_all(z, w, o, plan, rigid, o.f, o.b)
        for k in range(o.f, o.f + 6 * len(plan.bodies)):
            store(z, w, k, select(going, load(z, w, k), z))
        displace(z, w, o, plan)
    close_rates(z, w, o, plan, rigid)


@kernel
def displace(z, w, o, plan):
    """Move by the displacements (rotation vector, translation; world axes) in f."""
    for i in range(len(plan.bodies) - 1):
        k, a = o.x + 13 * i, load3(z, w, o.f + 6 * i)
        turn = half_turn(z, (0.5 * a[0], 0.5 * a[1], 0.5 * a[2]))
        store3(z, w, k, add3(load3(z, w, k), load3(z, w, o.f + 6 * i + 3)))
        store4(z, w, k + 3, unit(quaternion_product(turn, load4(z, w, k + 3))))


@kernel
def close_rates(z, w, o, plan, rigid):
    """Velocities made consistent with the joints by impulses."""
    world_rates(z, w, o, plan, o.x, o.momentum)
    for j in range(len(plan.links)):
        g = openings(z, w, plan.links, o.arm, j, o.momentum)
        for i in range(rigid[j]):
            store(z, w, o.b + 6 * j + i, -g[i])
    clear(z, w, o.f, 6 * len(plan.bodies))
    solve_all(z, w, o, plan, rigid, o.f, o.b)
    for i in range(len(plan.bodies) - 1):
        k, R = o.x + 13 * i, load9(z, w, o.R + 9 * i)
        store3(z, w, k + 7, add3(load3(z, w, k + 7), load3(z, w, o.f + 6 * i + 3)))
        store3(z, w, k + 10, add3(load3(z, w, k + 10), transposed_matvec(R, load3(z, w, o.f + 6 * i))))
