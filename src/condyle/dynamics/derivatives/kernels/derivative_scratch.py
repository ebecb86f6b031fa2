"""Scratch of derivatives, beside that of the tree: where quantities stand in it."""

from typing import Any, NamedTuple

from ....joints.kernels.column_rates import ColumnRates
from ....model.kernels.records import header
from ....numeric import inlined, kernel, scratch, width
from ....spatial.kernels.algebra import load6
from .mass_factor import even, stride, wide


class LumpLayout(NamedTuple):
    """Offsets in a lump, what a body and all that it carries amount to: world axes at the root's centre of mass."""

    position: int  # of the body's own centre of mass
    twist: int
    acceleration: int  # less gravity
    inertia: int  # of the lump: moments about the reference point, mass · centre, mass
    spin: int  # of the lump: rate of the moments, angular momentum, linear momentum
    force: int  # that the lump needs, less external wrenches
    size: int


class MoveLayout(NamedTuple):
    """Offsets in a move, a column of a joint with what it does to velocities and accelerations."""

    s: int
    psi: int  # ∂_j V = ad_s V + ψ of all bodies that column j carries
    chi: int  # ∂_j A = ad_s A + ad_ψ V + χ
    y: int  # ∂A/∂v_j = ad_s V + y
    size: int


class BelowLayout(NamedTuple):
    """Numbers of a column that the rows of its joint and those above read: ∂F by q, v and a."""

    by_q: int
    by_v: int
    by_a: int
    size: int


class AboveLayout(NamedTuple):
    """Numbers of a column that the rows below its joint read: (ψ, χ), (s, y) by angular parts of ψ and s, and s."""

    by_q: int
    by_v: int
    by_a: int
    size: int


BELOW = BelowLayout(0, 6, 12, 18)
ABOVE = AboveLayout(0, 9, 18, 24)
LUMP = LumpLayout(0, 3, 9, 15, 25, 37, 43)
MOVE = MoveLayout(0, 6, 12, 18, 24)
REACH = 8  # numbers of a column that a spring reads: velocity of its end, turn of its direction, ∂l and ∂l̇

FULL = 48  # velocities up to which the factor of the whole mass matrix is faster than passes over the tree
GIVE = 12  # numbers of a column that answer to forces: U and U/d, both zero for a prescribed one
SIDE = 8  # columns of one state that are one number of lanes
TILE = 24  # six numbers for each of four columns


class DerivativeScratch(NamedTuple):
    """Arrays of one block of states."""

    lumps: Any  # LUMP.size numbers per slot
    moves: Any  # MOVE.size numbers per velocity
    rates: Any  # of one joint
    bends: Any  # ∂_j s_k by the coordinates of its joint, if that is more than one exponential
    reach: Any  # of one spring
    by_q: Any  # ∂τ/∂q, by rows of stride(nv) numbers, as the other matrices
    by_v: Any
    mass: Any
    inverse: Any  # of the mass matrix
    diagonal: Any  # of its factor
    beside: Any  # of one state: right-hand sides beside each other
    gives: Any  # GIVE numbers per velocity
    pivots: Any  # 1/d of every column, zero for a prescribed one
    flows: Any  # TILE numbers per slot
    below: Any  # BELOW.size numbers per velocity, all first ones, all second ones and so on
    above: Any  # ABOVE.size numbers per velocity, in the same order
    turns: Any  # the angular part of Bᵀ s of every column
    loads: Any  # slopes of the coordinate loads of every velocity, by coordinate and velocity
    sums: Any  # SIDE numbers
    marks: Any  # integers: 1 for every body that one body carries, and if all hang on the one before


@kernel
def derivative_scratch(z, t, a):
    """Allocate the scratch of a model; the room `a` of its accelerations becomes a part of it."""
    h = header(t)
    n, w, matrix = h.nv, h.widest, stride(h.nv) * even(h.nv)
    beside = wide(n) * even(n) if width(z) == 1 and n <= FULL else 0
    rates = ColumnRates(
        first=scratch(z, 6 * w),
        second=scratch(z, 6 * w),
        third=scratch(z, 6 * w),
        turn=scratch(z, 6 * w),
        bend=scratch(z, 6 * w * w),
        slopes=scratch(z, 3 * w),
        powers=scratch(z, 2 * h.work),
        accelerations=a,
    )
    return DerivativeScratch(
        lumps=scratch(z, LUMP.size * (h.bodies + 1)),
        moves=scratch(z, MOVE.size * n),
        rates=rates,
        bends=scratch(z, 6 * n * w),
        reach=scratch(z, REACH * n),
        by_q=scratch(z, matrix),
        by_v=scratch(z, matrix),
        mass=scratch(z, matrix),
        inverse=scratch(z, matrix),
        diagonal=scratch(z, 2 * even(n)),
        beside=scratch(z, beside),
        gives=scratch(z, GIVE * n),
        pivots=scratch(z, n),
        flows=scratch(z, TILE * (h.bodies + 1)),
        below=scratch(z, BELOW.size * n),
        above=scratch(z, ABOVE.size * n),
        turns=scratch(z, 3 * n),
        loads=scratch(z, 2 * n),
        sums=scratch(z, SIDE),
        marks=scratch(0, h.bodies + 1),
    )


@inlined
def bend_place(t, k, j):
    """Where the derivative of column k by coordinate j of its joint stands."""
    return 6 * (k * header(t).widest + j)


@inlined
def column_bend(z, t, k, j, d):
    """∂_j s_k of column k by coordinate j of its joint."""
    return load6(z, d.bends, bend_place(t, k, j))
