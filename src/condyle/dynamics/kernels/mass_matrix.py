"""The mass matrix from composite inertias: what each joint carries, felt by the joints above it."""

from ...model.kernels.records import armature, body_at, header, mass_and_moments
from ...numeric import as_scratch, entry, inlined, kernel, pack, release, scratch, store, tables, width
from ...spatial.kernels.algebra import add3, add6, add9, cross, dot6, halves, load3, load6, load9, store6, store9
from ...spatial.kernels.inertia import inertia_times, rigid_moments, transported
from .followers import body_column, body_columns
from .outward_pass import place
from .scratch import tree_scratch
from .scratch_layout import COLUMN, SLOT


@inlined
def store_inertia(z, slots, at, A, B, C):
    """Put an inertia into a slot."""
    store6(z, slots, at + SLOT.A, A)
    store9(z, slots, at + SLOT.B, B)
    store6(z, slots, at + SLOT.C, C)


@inlined
def load_inertia(z, slots, at):
    """The inertia of a slot."""
    return load6(z, slots, at + SLOT.A), load9(z, slots, at + SLOT.B), load6(z, slots, at + SLOT.C)


@kernel
def put_rigid_inertias(z, t, slots):
    """The inertia of every body alone, in its slot."""
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        m, moments = mass_and_moments(t, body_at(t, i))
        A = rigid_moments(load9(z, slots, at + SLOT.rotation), moments)
        store_inertia(z, slots, at, A, (z, z, z, z, z, z, z, z, z), (z + m, z, z, z + m, z, z + m))


@kernel
def give_to_parent(z, t, i, slots):
    """Add the inertia of body i and all that it carries to that of its parent."""
    at, parent = (i + 1) * SLOT.size, body_at(t, i).parent * SLOT.size
    A, B, C = load_inertia(z, slots, at)
    A, B, C = transported(A, B, C, load3(z, slots, at + SLOT.offset))
    D, E, F = load_inertia(z, slots, parent)
    store_inertia(z, slots, parent, add6(A, D), add9(B, E), add6(C, F))


@inlined
def put(z, value, room, M, span, place, same, fold):
    """An entry and its mirror image, for the states of a block; `place` is (row, column), `same` that of one column.

    Where velocities have guests, each pair of columns adds its part, and a column with itself only once.
    """
    first, stop, nv = span
    store(z, room, 0, value)
    for l in range(min(width(z), stop - first)):
        at = (first + l) * nv * nv
        here, mirrored = at + place[0] * nv + place[1], at + place[1] * nv + place[0]
        if fold is None:  # decided when compiling
            M[here] = room[l]
            M[mirrored] = room[l]
        else:
            M[here] += room[l]
            M[mirrored] += 0.0 if same else room[l]


@inlined
def clear(z, M, span, fold):
    """Zero for the states of a block, where entries are sums."""
    first, stop, nv = span
    if fold is not None:  # decided when compiling
        for k in range(first * nv * nv, min(first + width(z), stop) * nv * nv):
            M[k] = 0.0


@kernel
def put_column(z, t, i, j, m, room, M, span):
    """The entries of column j of body i with those before it in that body and in all above."""
    A, B, C = load_inertia(z, m.slots, (i + 1) * SLOT.size)
    b, end = body_at(t, i), j + 1
    column, k = body_column(t, b, i, j, m.fold)
    f = inertia_times(A, B, C, load6(z, m.columns, column * COLUMN.size + COLUMN.axis))
    while True:
        for n in range(end):
            other, l = body_column(t, b, i, n, m.fold)
            s = load6(z, m.columns, other * COLUMN.size + COLUMN.axis)
            put(z, dot6(s, f), room, M, span, (k, l), other == column, m.fold)
        if b.parent == 0:
            return
        moment, force = halves(f)
        moment = add3(moment, cross(load3(z, m.slots, (i + 1) * SLOT.size + SLOT.offset), force))
        f = (moment[0], moment[1], moment[2], f[3], f[4], f[5])
        i = b.parent - 1
        b = body_at(t, i)
        end = body_columns(t, b, i, m.fold)


@kernel
def put_mass_matrix(z, t, q, v, m, room, M, span):
    """The mass matrices of the states of a block, row after row, at rest (v is zero); `span` is (first, stop, nv)."""
    place(z, t, q, v, m)
    clear(z, M, span, m.fold)
    put_rigid_inertias(z, t, m.slots)
    for i in range(header(t).bodies - 1, -1, -1):
        b = body_at(t, i)
        for j in range(body_columns(t, b, i, m.fold)):
            put_column(z, t, i, j, m, room, M, span)
        if b.parent > 0:
            give_to_parent(z, t, i, m.slots)
    first, stop, nv = span
    for k in range(nv):
        for l in range(first, min(first + width(z), stop)):
            M[(l * nv + k) * nv + k] += armature(t, k)


@kernel
def at_rest(z, t):
    """Velocities of zero, in scratch."""
    v = scratch(z, header(t).nv)
    for k in range(header(t).nv):
        store(z, v, k, z)
    return v


@entry
def mass_matrices(z, pair, states, start, stop):
    """M (count, nv, nv), given as zeros, of states = (Q, M)."""
    t = tables(pair[:2])
    Q, M = states
    h, m = header(t), tree_scratch(z, t, *pair[2:])
    q, v, room = scratch(z, h.nq), at_rest(z, t), scratch(z, 1)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        put_mass_matrix(z, t, q, v, m, room, as_scratch(M), (first, stop, h.nv))
    release(m, q, v, room)
