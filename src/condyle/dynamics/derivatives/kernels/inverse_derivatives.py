"""Derivatives of inverse dynamics by q, v and a for every joint, O(n · depth), in one outward and one inward pass.

With the sums over all that body i carries, 𝓘 (inertia), B x = 𝓘̇ x − ad_xᵀ 𝓘V (only ω of x matters) and F (force):

    ∂_j F = −ad_{s_j}ᵀ F + 𝓘 χ_j + B ψ_j        ∂F/∂v_j = B s_j + 𝓘 y_j        ∂F/∂a_j = 𝓘 s_j

are the same in the joint of i and in all above it; the columns k above i change the force on column j of i by
s_j · (𝓘 χ_k + B ψ_k), because what co-rotates with k cancels. ∂_j is along the step e_j of `integrate`, v and a held.
"""

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import armature, body_at, header
from ....numeric import (
    entry,
    inlined,
    kernel,
    load,
    pack,
    pick,
    release,
    scratch,
    store,
    tables,
    unpack,
    width,
    write_run,
)
from ....spatial.kernels.algebra import add3, add6, cross, dot3, dot6, halves, load3, load4, load6, scale3, sub3
from ....spatial.kernels.inertia import symmetric_times
from ...kernels.inverse import accelerate_bodies
from ...kernels.loads import external_wrenches
from ...kernels.outward_pass import place
from ...kernels.scratch import External, tree_scratch
from .derivative_scratch import LUMP, MOVE, column_bend, derivative_scratch
from .load_derivatives import coordinate_load_derivatives, spring_derivatives
from .mass_factor import even, stride, subtract4
from .moves import place_moves


@inlined
def load_inertia(z, lumps, at):
    """Moments, mass · centre and mass."""
    k = at + LUMP.inertia
    return load6(z, lumps, k), load3(z, lumps, k + 6), load(z, lumps, k + 9)


@inlined
def load_spin(z, lumps, at):
    """Rate of the moments, angular and linear momentum."""
    k = at + LUMP.spin
    return load6(z, lumps, k), load3(z, lumps, k + 6), load3(z, lumps, k + 9)


@inlined
def six(a, b):
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@inlined
def inertia_of(J, x):
    """𝓘 x = (I ω + c × v, m v − c × ω)."""
    w, v = halves(x)
    I, c, m = J
    return six(add3(symmetric_times(I, w), cross(c, v)), sub3(scale3(m, v), cross(c, w)))


@inlined
def spin_of(B, w):
    """B x = (İ ω − L × ω, −2 P × ω), of a twist's angular part."""
    D, L, P = B
    return six(sub3(symmetric_times(D, w), cross(L, w)), scale3(-2.0, cross(P, w)))


@inlined
def spin_transposed(B, s):
    """The angular part of Bᵀ s = (İ ω + L × ω + 2 P × v, 0)."""
    w, v = halves(s)
    D, L, P = B
    return add3(add3(symmetric_times(D, w), cross(L, w)), scale3(2.0, cross(P, v)))


@inlined
def turned_force(s, F):
    """−ad_sᵀ F = (ω × m + v × f, ω × f)."""
    w, v = halves(s)
    m, f = halves(F)
    return six(add3(cross(w, m), cross(v, f)), cross(w, f))


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
def body_derivatives(z, t, i, d):
    """Derivatives of the forces on the joint of body i and on those above by the columns of i, and the other way."""
    b, at = body_at(t, i), (i + 1) * LUMP.size
    J, B = load_inertia(z, d.lumps, at), load_spin(z, d.lumps, at)
    F = load6(z, d.lumps, at + LUMP.force)
    for j in range(b.v0, b.v0 + b.nv):
        k = j * MOVE.size
        s, psi = load6(z, d.moves, k + MOVE.s), load3(z, d.moves, k + MOVE.psi)
        chi, y = load6(z, d.moves, k + MOVE.chi), load6(z, d.moves, k + MOVE.y)
        by_q = add6(add6(inertia_of(J, chi), spin_of(B, psi)), turned_force(s, F))
        by_v = add6(spin_of(B, (s[0], s[1], s[2])), inertia_of(J, y))
        changes = by_q, by_v, inertia_of(J, s)
        own_joint(z, t, b, j, changes, d)
        joints_above(z, t, b, j, changes, spin_transposed(B, s), d)


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
def give_to_parent(z, lumps, at, to):
    """Add the lump at one place to that at another."""
    for k in range(LUMP.inertia, LUMP.size):
        store(z, lumps, to + k, load(z, lumps, to + k) + load(z, lumps, at + k))


@kernel
def gather_derivatives(z, t, d):
    """Inward: every block of the three matrices that one joint above the other, or one joint, gives."""
    for i in range(header(t).bodies - 1, -1, -1):
        b = body_at(t, i)
        body_derivatives(z, t, i, d)
        if b.shape != LINEAR:
            turn_of_columns(z, t, i, d)
        if b.parent > 0:
            give_to_parent(z, d.lumps, (i + 1) * LUMP.size, b.parent * LUMP.size)


@kernel
def clear_matrices(z, t, d):
    """Zeros: pairs of columns on different branches stay so; and the padding of the mass matrix."""
    n = header(t).nv
    s, rows = stride(n), even(n)
    for k in range(s * rows):
        store(z, d.by_q, k, z)
        store(z, d.by_v, k, z)
        store(z, d.mass, k, z)
    if rows > n:
        store(z, d.mass, n * s + n, z + 1.0)


@inlined
def sum_of_nothing(z, x, at, n, total):
    """A sum of four numbers, and NaN if one of the n numbers from `at` on, a multiple of four, is not finite."""
    for k in range(at, at + n, 4):
        total = subtract4(total, 0.0, load4(z, x, k))
    return total


@kernel
def write_matrix(z, x, n, factor, OUT, first, stop):
    """Copy a matrix times a factor into rows first, first + 1, … of OUT (count, n²); 0, or NaN if a number is none.

    By rows, and squares of as many numbers as there are lanes: what is read is still near when it is read again.
    """
    w, s = width(z), stride(n)
    rows = min(w, stop - first)
    whole, total = n // w * w if rows == w else 0, (z, z, z, z)
    for i in range(n):
        for j in range(0, whole, w):
            write_run(z, x, i * s + j, factor, OUT, first, i * n + j)
        for l in range(rows):
            for j in range(whole, n):
                OUT[first + l, i * n + j] = factor * pick(z, x, i * s + j, l)
        total = sum_of_nothing(z, x, i * s, s, total)
    return total[0] + total[1] + total[2] + total[3]


@kernel
def differentiate(z, t, q, v, external, m, d):
    """∂τ/∂q, ∂τ/∂v and ∂τ/∂a to d, at the velocities and accelerations that stand in the slots of the tree."""
    if external.pushed:
        external_wrenches(z, t, external, m)
    place_moves(z, t, q, v, external.pushed, m, d)
    gather_derivatives(z, t, d)
    s = stride(header(t).nv)
    for k in range(header(t).nv):
        store(z, d.mass, k * (s + 1), load(z, d.mass, k * (s + 1)) + armature(t, k))
    coordinate_load_derivatives(z, t, q, v, d)
    spring_derivatives(z, t, m, d)


@entry
def inverse_derivative_states(z, pair, states, start, stop):
    """BY_Q, BY_V and MASS (count, nv²) of states = (Q, V, A, W, BY_Q, BY_V, MASS, FINE); no wrenches if W has no rows.

    FINE (count, 1) is 0, or NaN if a number of the state's matrices is not finite.
    """
    t = tables(pair)
    Q, V, A, W, BY_Q, BY_V, MASS, FINE = states
    h, m = header(t), tree_scratch(z, t)
    q, v, w, a = scratch(z, h.nq), scratch(z, h.nv), scratch(z, 6 * h.bodies), scratch(z, h.nv)
    d, f, external = derivative_scratch(z, t, a), scratch(z, 1), External(v, w, W.shape[0] > 0)
    for first in range(start, stop, width(z)):
        if first == start or h.springs > 0:  # springs add to pairs on different branches, which nothing else writes
            clear_matrices(z, t, d)
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        if external.pushed:
            pack(z, W, first, stop, w)
        place(z, t, q, v, m)
        accelerate_bodies(z, t, a, m)
        differentiate(z, t, q, v, external, m, d)
        fine = write_matrix(z, d.by_q, h.nv, 1.0, BY_Q, first, stop)
        fine = fine + write_matrix(z, d.by_v, h.nv, 1.0, BY_V, first, stop)
        store(z, f, 0, fine + write_matrix(z, d.mass, h.nv, 1.0, MASS, first, stop))
        unpack(z, f, FINE, first, stop)
    release(m, d, q, v, w, f)
