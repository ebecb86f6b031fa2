"""Derivatives of inverse dynamics by q, v and a for every joint, O(n · depth), in one outward and one inward pass.

With the sums over all that body i carries, 𝓘 (inertia), B x = 𝓘̇ x − ad_xᵀ 𝓘V (only ω of x matters) and F (force):

    ∂_j F = −ad_{s_j}ᵀ F + 𝓘 χ_j + B ψ_j        ∂F/∂v_j = B s_j + 𝓘 y_j        ∂F/∂a_j = 𝓘 s_j

are the same in the joint of i and in all above it; the columns k above i change the force on column j of i by
s_j · (𝓘 χ_k + B ψ_k), because what co-rotates with k cancels. ∂_j is along the step e_j of `integrate`, v and a held.
"""

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import body_at, header
from ....numeric import (
    as_scratch,
    entry,
    inlined,
    kernel,
    load,
    pack,
    part,
    pick,
    release,
    scratch,
    store,
    tables,
    unpack,
    width,
    write_run,
)
from ....spatial.kernels.algebra import add3, add6, cross, halves, load3, load6, scale3, sub3
from ....spatial.kernels.inertia import symmetric_times
from ...kernels.inverse import accelerate_bodies
from ...kernels.loads import external_wrenches
from ...kernels.outward_pass import place
from ...kernels.scratch import External, tree_scratch
from .derivative_scratch import ABOVE, BELOW, LUMP, MOVE, bend_place, derivative_scratch
from .load_derivatives import line_derivatives
from .mass_factor import even, stride
from .matrix_pairs import add_diagonals, pairs_of_column, turn_if_bent
from .matrix_rows import (
    BY_A,
    BY_Q,
    BY_V,
    Strip,
    after_strip,
    fill_strip,
    is_chain,
    mark_chain,
    place_column,
    place_loads,
    strip_at,
    whole_matrix,
)
from .moves import place_moves
from .pair_derivatives import pair_derivatives

NEAR = 48  # velocities up to which three matrices of a block of lanes stay near while pairs are put here and there


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
def by_rows(t):
    """Whether the matrices are made by rows, not by pairs."""
    return header(t).nv > NEAR


@kernel
def body_columns(z, t, i, d):
    """How the columns of body i change the forces on its joint and on those above, and others those on its own."""
    b, at = body_at(t, i), (i + 1) * LUMP.size
    J, B = load_inertia(z, d.lumps, at), load_spin(z, d.lumps, at)
    F = load6(z, d.lumps, at + LUMP.force)
    for j in range(b.v0, b.v0 + b.nv):
        k = j * MOVE.size
        s, psi = load6(z, d.moves, k + MOVE.s), load3(z, d.moves, k + MOVE.psi)
        chi, y = load6(z, d.moves, k + MOVE.chi), load6(z, d.moves, k + MOVE.y)
        by_q = add6(add6(inertia_of(J, chi), spin_of(B, psi)), turned_force(s, F))
        by_v = add6(spin_of(B, (s[0], s[1], s[2])), inertia_of(J, y))
        changes, turn = (by_q, by_v, inertia_of(J, s)), spin_transposed(B, s)
        if by_rows(t):
            place_column(z, t, j, changes, turn, d)
        else:
            pairs_of_column(z, t, i, j, changes, turn, d)


@kernel
def give_to_parent(z, lumps, at, to):
    """Add the lump at one place to that at another."""
    for k in range(LUMP.inertia, LUMP.size):
        store(z, lumps, to + k, load(z, lumps, to + k) + load(z, lumps, at + k))


@kernel
def gather_columns(z, t, d):
    """Inward: what every column has of the sums over all that its body carries: pairs, or what rows are made of."""
    for i in range(header(t).bodies - 1, -1, -1):
        b = body_at(t, i)
        body_columns(z, t, i, d)
        if not by_rows(t):
            turn_if_bent(z, t, i, d)
        if b.parent > 0:
            give_to_parent(z, d.lumps, (i + 1) * LUMP.size, b.parent * LUMP.size)


@kernel
def clear_matrices(z, t, d):
    """Zeros where nothing is put: padding, with a one on the diagonal of M, and pairs on different branches."""
    n = header(t).nv
    s, rows, full = stride(n), even(n), by_rows(t) and is_chain(t, d)
    for i in range(rows):
        for k in range(n if full and i < n else 0, s):
            store(z, d.by_q, i * s + k, z)
            store(z, d.by_v, i * s + k, z)
            store(z, d.mass, i * s + k, z)
    if rows > n:
        store(z, d.mass, n * s + n, z + 1.0)


@inlined
def sum_of_nothing(z, side, x, n, total):
    """Two sums of lanes, and NaN if one of the first n numbers is not finite; the tail is counted with what follows."""
    step = width(side) // width(z)
    for c in range(0, n // (2 * step) * 2, 2):
        total = total[0] + 0.0 * load(side, x, c), total[1] + 0.0 * load(side, x, c + 1)
    for c in range(n // (2 * step) * 2 * step, n):
        total = total[0] + 0.0 * load(z, x, c), total[1]
    return total


@inlined
def over_side(z, side, total, d):
    """The sum over all lanes that are columns of one state."""
    store(side, d.sums, 0, total[0] + total[1])
    out = z
    for k in range(width(side) // width(z)):
        out = out + load(z, d.sums, k)
    return out


@kernel
def write_row(z, x, n, factor, OUT, column, first, stop):
    """Copy n numbers times a factor into rows first, first + 1, … of OUT, from a column on; squares at a time."""
    w = width(z)
    rows = min(w, stop - first)
    whole = n // w * w if rows == w else 0
    for j in range(0, whole, w):
        write_run(z, x, j, factor, OUT, first, column + j)
    for l in range(rows):
        for j in range(whole, n):
            OUT[first + l, column + j] = factor * pick(z, x, j, l)


@kernel
def write_matrix(z, side, x, n, factor, OUT, place, d):
    """Copy a matrix times a factor into rows of OUT (count, n²), place: (first, stop); 0, or NaN if one is none."""
    s, total = stride(n), (side, side)
    for i in range(n):
        row = part(z, x, i * s)
        write_row(z, row, n, factor, OUT, i * n, place[0], place[1])
        total = sum_of_nothing(z, side, row, n, total)
    return over_side(z, side, total, d)


@kernel
def place_derivatives(z, t, q, v, external, m, d):
    """Matrices but for springs and diagonals, or what their rows are made of, at the state of the tree's slots."""
    if external.pushed:
        external_wrenches(z, t, external, m)
    place_moves(z, t, q, v, external.pushed, m, d)
    gather_columns(z, t, d)
    place_loads(z, t, q, v, d)


@kernel
def differentiate(z, side, t, q, v, external, m, d):
    """∂τ/∂q, ∂τ/∂v and ∂τ/∂a to d, which is clear, at the velocities and accelerations in the slots of the tree."""
    place_derivatives(z, t, q, v, external, m, d)
    if by_rows(t):
        n = stride(header(t).nv)
        whole_matrix(z, side, t, BY_Q, d, d.by_q, n)
        whole_matrix(z, side, t, BY_V, d, d.by_v, n)
        whole_matrix(z, side, t, BY_A, d, d.mass, n)
    else:
        add_diagonals(z, t, d)
    line_derivatives(z, t, m, d)
    pair_derivatives(z, t, m, d)


@kernel
def clear_rows(z, x, n):
    """Zeros in the first n numbers."""
    for k in range(n):
        store(z, x, k, z)


@kernel
def rows_in_place(z, side, t, kind, OUT, first, d):
    """One matrix of one state to where the caller wants it."""
    n = header(t).nv
    out = part(z, as_scratch(OUT), first * n * n)
    if not is_chain(t, d):
        clear_rows(z, out, n * n)
    whole_matrix(z, side, t, kind, d, out, n)


@kernel
def rows_from_lanes(z, side, t, kind, OUT, place, d):
    """One matrix, two rows at a time, each written as soon as it is made."""
    n, chain = header(t).nv, is_chain(t, d)
    rows = part(z, d.by_q, 0), part(z, d.by_q, n)
    i, r = after_strip(t, Strip(0, 0, 0, 0))
    while r < n:
        strip = strip_at(t, i, r)
        if not chain:
            clear_rows(z, d.by_q, 2 * n)
        fill_strip(z, side, t, strip, kind, d, rows)
        write_row(z, d.by_q, strip.rows * n, 1.0, OUT, r * n, place[0], place[1])
        i, r = after_strip(t, strip)


@kernel
def write_rows(z, side, t, outs, place, d):
    """Rows of the three matrices."""
    for kind in range(3):
        if width(z) == 1:
            rows_in_place(z, side, t, kind, outs[kind], place[0], d)
        else:
            rows_from_lanes(z, side, t, kind, outs[kind], place, d)


@inlined
def add_squares(z, x, n, total):
    """Add the squares of n numbers to two sums."""
    for k in range(0, n - 1, 2):
        a, b = load(z, x, k), load(z, x, k + 1)
        total = total[0] + a * a, total[1] + b * b
    if n % 2:
        total = total[0] + load(z, x, n - 1) * load(z, x, n - 1), total[1]
    return total


@kernel
def largest_entry(z, t, d):
    """More than any entry is, but for springs; not finite where squares of what they are made of are not."""
    h, total = header(t), (z, z)
    total = add_squares(z, d.below, BELOW.size * h.nv, total)
    total = add_squares(z, d.above, ABOVE.size * h.nv, total)
    total = add_squares(z, d.turns, 3 * h.nv, total)
    total = add_squares(z, d.loads, 2 * h.nv, total)
    for i in range(h.bodies):
        b = body_at(t, i)
        if b.shape != LINEAR:
            total = add_squares(z, part(z, d.lumps, (i + 1) * LUMP.size + LUMP.force), 6, total)
            for k in range(b.v0, b.v0 + b.nv):
                total = add_squares(z, part(z, d.bends, bend_place(t, k, 0)), 6 * b.nv, total)
    return 4.0 * (total[0] + total[1])


@kernel
def write_matrices(z, side, t, outs, place, d):
    """The three matrices of d; 0, or NaN if a number is none."""
    n = header(t).nv
    fine = write_matrix(z, side, d.by_q, n, 1.0, outs[0], place, d)
    fine = fine + write_matrix(z, side, d.by_v, n, 1.0, outs[1], place, d)
    return fine + write_matrix(z, side, d.mass, n, 1.0, outs[2], place, d)


@entry
def inverse_derivative_states(z, side, pair, states, start, stop):
    """BY_Q, BY_V and MASS (count, nv²) of states = (Q, V, A, W, BY_Q, BY_V, MASS, FINE); no wrenches if W has no rows.

    `side` is the zero of lanes, see `matrix_rows`. FINE (count, 1) is 0, or NaN if a number of the state's matrices is
    not finite or may be so.
    """
    t = tables(pair)
    Q, V, A, W, by_q, by_v, mass, FINE = states
    outs = by_q, by_v, mass
    h, m = header(t), tree_scratch(z, t)
    q, v, w, a = scratch(z, h.nq), scratch(z, h.nv), scratch(z, 6 * h.bodies), scratch(z, h.nv)
    d, f, external = derivative_scratch(z, t, a), scratch(z, 1), External(v, w, W.shape[0] > 0)
    mark_chain(t, d.marks)
    between = h.lines + h.pairs
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        if external.pushed:
            pack(z, W, first, stop, w)
        place(z, t, q, v, m)
        accelerate_bodies(z, t, a, m)
        if by_rows(t) and between == 0:
            place_derivatives(z, t, q, v, external, m, d)
            write_rows(z, side, t, outs, (first, stop), d)
            store(z, f, 0, 0.0 * largest_entry(z, t, d))
        else:
            if first == start or between > 0:  # they add to pairs on different branches, which nothing else writes
                clear_matrices(z, t, d)
            differentiate(z, side, t, q, v, external, m, d)
            store(z, f, 0, write_matrices(z, side, t, outs, (first, stop), d))
        unpack(z, f, FINE, first, stop)
    release(m, d, q, v, w, f)
