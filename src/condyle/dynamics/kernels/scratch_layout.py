"""Where quantities stand in the scratch of the recursions.

Scratch has SLOT.size numbers per slot (0 the world, i + 1 body i), COLUMN.size per velocity (and per guest column) and
FOLLOWER.size per follower.
"""

from typing import NamedTuple


class SlotLayout(NamedTuple):
    """Offsets in a slot; all in world axes at the body's origin."""

    rotation: int
    position: int
    offset: int  # from the parent's origin
    twist: int
    bias: int  # velocity-dependent acceleration
    A: int  # articulated inertia [[A, B], [Bᵀ, C]]
    B: int
    C: int
    force: int  # inward passes: articulated bias force, or force to give to the parent
    acceleration: int  # outward passes, in the place of `force`, which they no longer need; less gravity
    net_force: int  # of inverse dynamics, in the place of the articulated inertia, which it does not need
    size: int


class ColumnLayout(NamedTuple):
    """Offsets in a column: s, U = J̃ s, 1/d of d = sᵀ U, and u = τ − sᵀ p̃."""

    axis: int
    reaction: int
    inverse: int
    rest: int
    size: int


class FollowerLayout(NamedTuple):
    """Offsets in what is known of a follower: its value, and its rate, G and g of q̇ = G v, q̈ = G v̇ + g."""

    value: int
    rate: int
    slope: int
    bend: int
    size: int


SLOT = SlotLayout(0, 9, 12, 15, 21, A=27, B=33, C=42, force=48, acceleration=48, net_force=27, size=54)
COLUMN = ColumnLayout(axis=0, reaction=6, inverse=12, rest=13, size=14)
FOLLOWER = FollowerLayout(value=0, rate=1, slope=2, bend=3, size=4)
