"""Derivatives of forces between two frames, added to those of inverse dynamics.

W is what the law does to body b, as a wrench at a reference point near both; column k takes −σ_k s_k · W of it, with
σ = 1 for columns that carry b and −1 for those that carry a; columns that carry both take none. Its derivative by
column j is −σ_k (s_k · ∂_j W + ∂_j s_k · W). ∂_j W is exact: the law runs on numbers with a slope, seeded by what
column j does to the frame of its side and to its velocities, ∂_j V = ad_s V + ψ. ∂_j s_k is ad_{s_j} s_k where j
carries k, the bend of the joint where both are of one joint, and else nothing. Columns are stored at their roots'
centres of mass, which differ between trees on the world; here they are seen at the reference point, the origin of
frame b.
"""

from typing import Any, NamedTuple

from ....model.kernels.layout import FRAME_SIZE, LINEAR
from ....model.kernels.records import body_at, header, pair_at
from ....numeric import inlined, kernel, load, slope_part, store, with_slope
from ....spatial.kernels.algebra import ad, add3, cross, dot6, load3, load6, sub3
from ...kernels.pair_forces import Frame, frame_state, pair_wrench
from ...kernels.scratch_layout import SLOT
from .derivative_scratch import LUMP, MOVE, column_bend
from .load_derivatives import point_velocity, step_inward
from .mass_factor import stride


class Side(NamedTuple):
    """A body's side of an element: its slot, σ, and the reference point from the centre of mass of its root."""

    slot: int
    sign: float
    lever: Any


class Pair(NamedTuple):
    """An element with its frames, whose places are from the reference point, and the levers of both sides."""

    element: Any
    A: Any
    B: Any
    lever_a: Any
    lever_b: Any


@inlined
def from_reference(f, reference):
    """A frame with places from a point."""
    return Frame(f.R, sub3(f.x, reference), sub3(f.home, reference), f.w, f.v)


@inlined
def lever_of(z, slot, reference, m, d):
    """The reference point from the centre of mass of a body's root."""
    home = load3(z, m.slots, slot * SLOT.size + SLOT.position)
    return add3(sub3(reference, home), load3(z, d.lumps, slot * LUMP.size + LUMP.position))


@inlined
def pair_at_reference(z, t, element, m, d):
    """The element as it is."""
    A = frame_state(z, t.numbers, element.at, m.slots, element.slot_a)
    B = frame_state(z, t.numbers, element.at + FRAME_SIZE, m.slots, element.slot_b)
    levers = lever_of(z, element.slot_a, B.x, m, d), lever_of(z, element.slot_b, B.x, m, d)
    return Pair(element, from_reference(A, B.x), from_reference(B, B.x), levers[0], levers[1])


@inlined
def next_side(pair, a, b):
    """The side of the later of two slots."""
    if a > b:
        return Side(a, -1.0, pair.lever_a)
    return Side(b, 1.0, pair.lever_b)


@inlined
def at_reference(s, lever):
    """A twist at the root's centre of mass, seen at the reference point."""
    v = add3((s[3], s[4], s[5]), cross((s[0], s[1], s[2]), lever))
    return s[0], s[1], s[2], v[0], v[1], v[2]


@inlined
def with_slopes3(x, y):
    """Three numbers with their slopes."""
    return with_slope(x[0], y[0]), with_slope(x[1], y[1]), with_slope(x[2], y[2])


@inlined
def turned3(w, x):
    """Three numbers, the slopes those of what turns with w."""
    return with_slopes3(x, cross(w, x))


@inlined
def moved_frame(z, f, s, psi):
    """A frame that moves with the twist s, its velocity changing by ad_s V + ψ."""
    w = (s[0], s[1], s[2])
    i, j, k = (f.R[0], f.R[3], f.R[6]), (f.R[1], f.R[4], f.R[7]), (f.R[2], f.R[5], f.R[8])
    i, j, k = turned3(w, i), turned3(w, j), turned3(w, k)
    R = (i[0], j[0], k[0], i[1], j[1], k[1], i[2], j[2], k[2])
    spin = add3(cross(w, f.w), (psi[0], psi[1], psi[2]))
    speed = add3(cross(w, f.v), point_velocity(psi, f.home))
    x, home = with_slopes3(f.x, point_velocity(s, f.x)), with_slopes3(f.home, point_velocity(s, f.home))
    return Frame(R, x, home, with_slopes3(f.w, spin), with_slopes3(f.v, speed))


@inlined
def pushed_frame(z, f, s):
    """A frame whose velocity changes by the twist s."""
    zero = (z, z, z)
    i = with_slopes3((f.R[0], f.R[1], f.R[2]), zero)
    j = with_slopes3((f.R[3], f.R[4], f.R[5]), zero)
    k = with_slopes3((f.R[6], f.R[7], f.R[8]), zero)
    R = (i[0], i[1], i[2], j[0], j[1], j[2], k[0], k[1], k[2])
    v = with_slopes3(f.v, point_velocity(s, f.home))
    return Frame(R, with_slopes3(f.x, zero), with_slopes3(f.home, zero), with_slopes3(f.w, (s[0], s[1], s[2])), v)


@inlined
def whole_wrench(w):
    """A wrench at the reference point: moment, then force."""
    m = add3(w.moment, cross(w.place, w.force))
    return m[0], m[1], m[2], w.force[0], w.force[1], w.force[2]


@inlined
def slopes6(w):
    """The slopes of six numbers."""
    return (slope_part(w[0]), slope_part(w[1]), slope_part(w[2]), slope_part(w[3]), slope_part(w[4]), slope_part(w[5]))


@inlined
def scaled(x, factor):
    """Six numbers times a factor."""
    return x[0] * factor, x[1] * factor, x[2] * factor, x[3] * factor, x[4] * factor, x[5] * factor


@kernel
def wrench_slopes(z, t, element, A, B):
    """The slopes of W; compiled once for both ways in which a column changes frames."""
    return slopes6(whole_wrench(pair_wrench(with_slope(z, z), t, element, A, B)))


@inlined
def wrench_by_twist(z, t, pair, sign, s, psi):
    """∂W as a column moves the frame of its side by s and changes its velocities by ad_s V + ψ."""
    on_a, on_b = 0.5 - 0.5 * sign, 0.5 + 0.5 * sign
    A = moved_frame(z, pair.A, scaled(s, on_a), scaled(psi, on_a))
    B = moved_frame(z, pair.B, scaled(s, on_b), scaled(psi, on_b))
    return wrench_slopes(z, t, pair.element, A, B)


@inlined
def wrench_by_rate(z, t, pair, sign, s):
    """∂W as a column adds s to the velocities of its side."""
    A, B = pushed_frame(z, pair.A, scaled(s, 0.5 - 0.5 * sign)), pushed_frame(z, pair.B, scaled(s, 0.5 + 0.5 * sign))
    return wrench_slopes(z, t, pair.element, A, B)


@inlined
def column_change(z, t, row, column, k, j, d):
    """∂_j s_k at the root, of column k of the side `row` and column j of the side `column`."""
    out = (z, z, z, z, z, z)
    if row.sign == column.sign:
        if column.slot < row.slot:  # j carries k
            out = ad(load6(z, d.moves, j * MOVE.size + MOVE.s), load6(z, d.moves, k * MOVE.size + MOVE.s))
        elif column.slot == row.slot:
            body = body_at(t, row.slot - 1)
            if body.shape != LINEAR:
                out = column_bend(z, t, k, j - body.v0, d)
    return out


@kernel
def add_rows_of_body(z, t, row, column, j, changes, d):
    """Add to the rows of a body the derivatives by column j; `changes`: W and its derivatives by q and v of j."""
    width, body = stride(header(t).nv), body_at(t, row.slot - 1)
    W, by_q, by_v = changes
    for k in range(body.v0, body.v0 + body.nv):
        s, at = at_reference(load6(z, d.moves, k * MOVE.size + MOVE.s), row.lever), k * width + j
        turned = at_reference(column_change(z, t, row, column, k, j, d), row.lever)
        store(z, d.by_q, at, load(z, d.by_q, at) - row.sign * (dot6(s, by_q) + dot6(turned, W)))
        store(z, d.by_v, at, load(z, d.by_v, at) - row.sign * dot6(s, by_v))


@kernel
def columns_of_body(z, t, pair, column, W, d):
    """Add the derivatives by the columns of one body to the rows of all bodies between the frames."""
    body = body_at(t, column.slot - 1)
    for j in range(body.v0, body.v0 + body.nv):
        s = at_reference(load6(z, d.moves, j * MOVE.size + MOVE.s), column.lever)
        psi = at_reference(load6(z, d.moves, j * MOVE.size + MOVE.psi), column.lever)
        by_q = wrench_by_twist(z, t, pair, column.sign, s, psi)
        by_v = wrench_by_rate(z, t, pair, column.sign, s)
        a, b = pair.element.slot_a, pair.element.slot_b
        while a != b:
            add_rows_of_body(z, t, next_side(pair, a, b), column, j, (W, by_q, by_v), d)
            a, b = step_inward(t, a, b)


@kernel
def pair_derivatives(z, t, m, d):
    """Add the derivatives of all forces between two frames."""
    for i in range(header(t).pairs):
        pair = pair_at_reference(z, t, pair_at(t, i), m, d)
        W = whole_wrench(pair_wrench(z, t, pair.element, pair.A, pair.B))
        a, b = pair.element.slot_a, pair.element.slot_b
        while a != b:
            columns_of_body(z, t, pair, next_side(pair, a, b), W, d)
            a, b = step_inward(t, a, b)
