"""The joint Jacobian and Hessian in the child's frame, as the paper's appendix B computes them.

For each factor k: ∂_j s_i = g φ_ij + Ad⁻¹(∂_j s_i + ad_{s_i} g φ_j), then s_i = g φ_i + Ad⁻¹ s_i, where Ad⁻¹ is that of
exp(ĝ φ); the constant pose of a row moves both by Ad⁻¹ of that pose.  [LeeTerzopoulos2008, eqs. 28-31, appendix B]
"""

from typing import Any, NamedTuple

from ...numeric import inlined, kernel, load, store
from ...spatial.kernels.algebra import (
    ad,
    add_scaled6,
    cross,
    exponential,
    halves,
    load6,
    quaternion_rotation,
    store6,
    sub3,
    transposed_matvec,
)
from .layout import CENTERS, FACTOR_HEAD, FACTORS, FREE, TERM_SIZE
from .product_form import (
    gather_factor,
    gather_pose,
    local_variable,
    look_up,
    scalar_function,
    subtract_centers,
    term_jet,
)
from .records import reader_at, segment_at, term_at


class Derivatives(NamedTuple):
    """Column s_i at S[6 i], ∂_j s_i at H[6 (i nv + j)], and the slopes φ_j of one factor, by velocity."""

    S: Any
    H: Any
    phi_v: Any
    nv: int


@inlined
def carried(R, p, s):
    """Ad⁻¹ of the pose (R, p) on a twist."""
    w, v = halves(s)
    a, b = transposed_matvec(R, w), transposed_matvec(R, sub3(v, cross(p, w)))
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@kernel
def carry_all(z, R, p, d):
    """Move every column and derivative through a constant pose."""
    for i in range(d.nv):
        store6(z, d.S, 6 * i, carried(R, p, load6(z, d.S, 6 * i)))
        for j in range(d.nv):
            at = 6 * (i * d.nv + j)
            store6(z, d.H, at, carried(R, p, load6(z, d.H, at)))


@kernel
def carry_through(z, g, R, p, d):
    """Lines 3 and 4 of appendix B without the new factor's own terms."""
    for i in range(d.nv):
        s = load6(z, d.S, 6 * i)
        bracket = ad(s, g)
        for j in range(d.nv):
            at = 6 * (i * d.nv + j)
            store6(z, d.H, at, carried(R, p, add_scaled6(load6(z, d.H, at), load(z, d.phi_v, j), bracket)))
        store6(z, d.S, 6 * i, carried(R, p, s))


@inlined
def add_to(z, x, k, factor, g):
    """Add a multiple of a twist to the one at x[k]."""
    store6(z, x, k, add_scaled6(load6(z, x, k), factor, g))


@kernel
def own_terms(z, t, at, g, work, d):
    """Add g φ_i and g φ_ij; the jet of φ stands at work[CENTERS]."""
    term = term_at(t, at)
    n, readers = term.dimensions, term.first_reader
    for a in range(n):
        i = reader_at(t, readers, a).v
        add_to(z, d.S, 6 * i, load(z, d.phi_v, i), g)
        for b in range(n):
            j = reader_at(t, readers, b).v
            add_to(z, d.H, 6 * (i * d.nv + j), load(z, work, CENTERS + 1 + n + a * n + b), g)


@kernel
def evaluate_term(z, t, at, row, s, d):
    """The jet of φ at work[CENTERS] and its slopes by velocity in phi_v."""
    term = term_at(t, at)
    for j in range(d.nv):
        store(z, d.phi_v, j, z)
    if term.dimensions == 1:
        x = local_variable(z, term, s)
        phi, slope, bend = scalar_function(t.numbers, row, term.at + FACTOR_HEAD, term.code, term.order, x)
        store(z, s.work, CENTERS, phi)
        store(z, s.work, CENTERS + 1, slope)
        store(z, s.work, CENTERS + 2, bend)
        store(z, d.phi_v, term.v, slope)
    else:
        term_jet(z, t, at, row, s, CENTERS)
        for a in range(term.dimensions):
            store(z, d.phi_v, reader_at(t, term.first_reader, a).v, load(z, s.work, CENTERS + 1 + a))


@kernel
def row_derivatives(z, t, terms, row, s, d):
    """Carry S and H through one row; `terms` is (position of the first, count)."""
    Q, p = gather_pose(t.numbers, row)
    carry_all(z, Q, p, d)
    at, count = terms
    for _ in range(count):
        n, w, v, iw = gather_factor(t.numbers, row, term_at(t, at).at)
        g = (w * n[0], w * n[1], w * n[2], v[0], v[1], v[2])
        evaluate_term(z, t, at, row, s, d)
        R, p = exponential(n, w, v, iw, load(z, s.work, CENTERS))
        carry_through(z, g, R, p, d)
        own_terms(z, t, at, g, s.work, d)
        at += TERM_SIZE


@kernel
def quaternion_derivatives(z, segment, q, d):
    """Through a quaternion: its columns are unit twists; ∂_j along its own v_j turns the columns before it."""
    q0, v0, free = segment.quaternion_q, segment.quaternion_v, segment.kind == FREE
    p = (z, z, z)
    if free:
        p = (load(z, q, q0 + 4), load(z, q, q0 + 5), load(z, q, q0 + 6))
    R = quaternion_rotation(load(z, q, q0), load(z, q, q0 + 1), load(z, q, q0 + 2), load(z, q, q0 + 3))
    carry_all(z, R, p, d)
    count = 6 if free else 3
    for i in range(d.nv):
        s = load6(z, d.S, 6 * i)
        for k in range(count):
            store6(z, d.H, 6 * (i * d.nv + v0 + k), ad(s, unit_twist(z, k)))
    for k in range(count):
        store6(z, d.S, 6 * (v0 + k), unit_twist(z, k))


@inlined
def unit_twist(z, k):
    return (
        z + (1.0 if k == 0 else 0.0),
        z + (1.0 if k == 1 else 0.0),
        z + (1.0 if k == 2 else 0.0),
        z + (1.0 if k == 3 else 0.0),
        z + (1.0 if k == 4 else 0.0),
        z + (1.0 if k == 5 else 0.0),
    )


@kernel
def jacobian_and_hessian(z, t, joint, s, d):
    """S and ∂_j s_i of a joint, in the child's frame, to d.S and d.H."""
    for k in range(6 * d.nv):
        store(z, d.S, k, z)
    for k in range(6 * d.nv * d.nv):
        store(z, d.H, k, z)
    for k in range(joint.segments):
        segment = segment_at(t, joint.first, k)
        terms = segment.first_term, segment.terms
        if segment.kind != FACTORS:
            quaternion_derivatives(z, segment, s.q, d)
        elif segment.axes == 0:
            row_derivatives(z, t, terms, segment.rows, s, d)
        else:
            row = look_up(z, t, joint.first, k, s)
            subtract_centers(z, t, segment.axes, row, s.work)
            row_derivatives(z, t, terms, row, s, d)
