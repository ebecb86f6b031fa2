"""Pairs of columns of ∂τ/∂q, ∂τ/∂v and ∂τ/∂a, one above the other or in one joint: for matrices that stay near.

Larger ones are made by rows, see `matrix_rows`.
"""

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import armature, body_at, header
from ....numeric import inlined, kernel, load, store
from ....spatial.kernels.algebra import dot3, dot6, load3, load6
from .derivative_scratch import LUMP, MOVE, column_bend
from .mass_factor import stride


@inlined
def own_joint(z, t, b, j, changes, d):
    """Rows of the joint itself in column j, as if its own columns stood still; changes: (∂F/∂q, ∂F/∂v, ∂F/∂a)."""
    by_q, by_v, by_a = changes
    n = stride(header(t).nv)
    for k in range(b.v0, b.v0 + b.nv):
        s = load6(z, d.moves, k * MOVE.size + MOVE.s)
        store(z, d.by_q, k * n + j, dot6(s, by_q))
        store(z, d.by_v, k * n + j, dot6(s, by_v))
        store(z, d.mass, k * n + j, dot6(s, by_a))


@inlined
def joints_above(z, t, b, j, changes, Bs, d):
    """Rows above in column j, and columns above in row j: Bs is the angular part of Bᵀ s_j."""
    by_q, by_v, by_a = changes
    n, slot = stride(header(t).nv), b.parent
    while slot > 0:
        above = body_at(t, slot - 1)
        for k in range(above.v0, above.v0 + above.nv):
            at = k * MOVE.size
            s, y = load6(z, d.moves, at + MOVE.s), load6(z, d.moves, at + MOVE.y)
            psi, chi = load3(z, d.moves, at + MOVE.psi), load6(z, d.moves, at + MOVE.chi)
            mass = dot6(s, by_a)
            store(z, d.by_q, k * n + j, dot6(s, by_q))
            store(z, d.by_v, k * n + j, dot6(s, by_v))
            store(z, d.mass, k * n + j, mass)
            store(z, d.mass, j * n + k, mass)
            store(z, d.by_q, j * n + k, dot6(by_a, chi) + dot3(Bs, psi))
            store(z, d.by_v, j * n + k, dot6(by_a, y) + dot3(Bs, (s[0], s[1], s[2])))
        slot = above.parent


@kernel
def turn_of_columns(z, t, i, d):
    """Add ∂_j s_k · F within the joint of body i."""
    b, n = body_at(t, i), stride(header(t).nv)
    F = load6(z, d.lumps, (i + 1) * LUMP.size + LUMP.force)
    for k in range(b.nv):
        for j in range(b.nv):
            at = (b.v0 + k) * n + b.v0 + j
            turn = dot6(column_bend(z, t, b.v0 + k, j, d), F)
            store(z, d.by_q, at, load(z, d.by_q, at) + turn)


@kernel
def add_diagonals(z, t, d):
    """Add the slopes of coordinate loads, and what rotors have of inertia."""
    s = stride(header(t).nv) + 1
    for k in range(header(t).nv):
        store(z, d.by_q, k * s, load(z, d.by_q, k * s) + load(z, d.loads, 2 * k))
        store(z, d.by_v, k * s, load(z, d.by_v, k * s) + load(z, d.loads, 2 * k + 1))
        store(z, d.mass, k * s, load(z, d.mass, k * s) + armature(t, k))


@inlined
def pairs_of_column(z, t, i, j, changes, turn, d):
    """All pairs of column j of body i; changes: (∂F/∂q, ∂F/∂v, ∂F/∂a), turn: the angular part of Bᵀ s_j."""
    own_joint(z, t, body_at(t, i), j, changes, d)
    joints_above(z, t, body_at(t, i), j, changes, turn, d)


@inlined
def turn_if_bent(z, t, i, d):
    """What the columns of body i do by turning with the joint's coordinates."""
    if body_at(t, i).shape != LINEAR:
        turn_of_columns(z, t, i, d)
