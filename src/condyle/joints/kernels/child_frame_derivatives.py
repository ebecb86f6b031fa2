"""The joint Jacobian and Hessian in the child's frame, as the paper's appendix B computes them.

For each factor k: ∂_j s_i = g φ_ij + Ad⁻¹(∂_j s_i + ad_{s_i} g φ_j), then s_i = g φ_i + Ad⁻¹ s_i, where Ad⁻¹ is that of
exp(ĝ φ); the constant pose of a row moves both by Ad⁻¹ of that pose.  [LeeTerzopoulos2008, eqs. 28-31, appendix B]
"""

from ...numeric import inlined, kernel, load, store
from ...spatial.kernels.algebra import (
    ad,
    cross,
    exponential,
    halves,
    load6,
    quaternion_rotation,
    store6,
    sub3,
    times6,
    transposed_matvec,
)
from .layout import (
    AT,
    AXES,
    BASE,
    CENTERS,
    CODE,
    DIMENSIONS,
    FACTOR_HEAD,
    FACTORS,
    FIRST_READER,
    FIRST_TERM,
    FREE,
    KIND,
    ORDER,
    READ_V,
    READER_SIZE,
    ROWS,
    SEGMENT_SIZE,
    SPLIT,
    TERM_SIZE,
    TERMS,
    V_INDEX,
)
from .product_form import centred, gather_factor, gather_pose, local_variable, look_up, scalar_function, term_jet

__all__ = ["jacobian_and_hessian"]


@inlined
def carried(R, p, s):
    """Ad⁻¹ of the pose (R, p) on a twist."""
    w, v = halves(s)
    a, b = transposed_matvec(R, w), transposed_matvec(R, sub3(v, cross(p, w)))
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@kernel
def carry_all(z, R, p, nv, S, H):
    """Move every column and derivative through a constant pose."""
    for i in range(nv):
        store6(z, S, 6 * i, carried(R, p, load6(z, S, 6 * i)))
        for j in range(nv):
            at = 6 * (i * nv + j)
            store6(z, H, at, carried(R, p, load6(z, H, at)))


@kernel
def carry_through(z, g, R, p, nv, S, H, phi_v):
    """Lines 3 and 4 of appendix B without the new factor's own terms; phi_v[j] = φ_j at velocity j."""
    for i in range(nv):
        s = load6(z, S, 6 * i)
        bracket = ad(s, g)
        for j in range(nv):
            at = 6 * (i * nv + j)
            store6(z, H, at, carried(R, p, times6(load6(z, H, at), load(z, phi_v, j), bracket)))
        store6(z, S, 6 * i, carried(R, p, s))


@inlined
def add_to(z, x, k, factor, g):
    store6(z, x, k, times6(load6(z, x, k), factor, g))


@kernel
def own_terms(z, codes, term, g, nv, S, H, phi_v, work):
    """Add g φ_i and g φ_ij; the jet of φ stands at work[CENTERS]."""
    n, readers = codes[term + DIMENSIONS], codes[term + FIRST_READER]
    for a in range(n):
        i = codes[readers + a * READER_SIZE + READ_V]
        add_to(z, S, 6 * i, load(z, phi_v, i), g)
        for b in range(n):
            j = codes[readers + b * READER_SIZE + READ_V]
            add_to(z, H, 6 * (i * nv + j), load(z, work, CENTERS + 1 + n + a * n + b), g)


@kernel
def evaluate_term(z, codes, numbers, row, term, q, nv, phi_v, work):
    """The jet of φ at work[CENTERS] and its slopes by velocity in phi_v."""
    n, readers = codes[term + DIMENSIONS], codes[term + FIRST_READER]
    for j in range(nv):
        store(z, phi_v, j, z)
    if n == 1:
        x = local_variable(z, codes, term, q, 0, work)
        at = codes[term + AT] + FACTOR_HEAD
        phi, slope, bend = scalar_function(numbers, row, at, codes[term + CODE], codes[term + ORDER], x)
        store(z, work, CENTERS, phi)
        store(z, work, CENTERS + 1, slope)
        store(z, work, CENTERS + 2, bend)
        store(z, phi_v, codes[term + V_INDEX], slope)
    else:
        term_jet(z, codes, numbers, row, term, q, 0, work, CENTERS)
        for a in range(n):
            store(z, phi_v, codes[readers + a * READER_SIZE + READ_V], load(z, work, CENTERS + 1 + a))


@kernel
def row_derivatives(z, codes, numbers, segment, row, q, nv, S, H, phi_v, work):
    """Carry S and H through one row."""
    Q, t = gather_pose(numbers, row)
    carry_all(z, Q, t, nv, S, H)
    term = codes[segment + FIRST_TERM]
    for _ in range(codes[segment + TERMS]):
        n, w, v, iw = gather_factor(numbers, row, codes[term + AT])
        g = (w * n[0], w * n[1], w * n[2], v[0], v[1], v[2])
        evaluate_term(z, codes, numbers, row, term, q, nv, phi_v, work)
        R, p = exponential(n, w, v, iw, load(z, work, CENTERS))
        carry_through(z, g, R, p, nv, S, H, phi_v)
        own_terms(z, codes, term, g, nv, S, H, phi_v, work)
        term += TERM_SIZE


@kernel
def quaternion_derivatives(z, codes, segment, q, nv, S, H):
    """Through a quaternion: its columns are unit twists; ∂_j along its own v_j turns the columns before it."""
    base = codes[segment + BASE]
    q0, v0 = base // SPLIT, base % SPLIT
    free = codes[segment + KIND] == FREE
    p = (z, z, z)
    if free:
        p = (load(z, q, q0 + 4), load(z, q, q0 + 5), load(z, q, q0 + 6))
    R = quaternion_rotation(load(z, q, q0), load(z, q, q0 + 1), load(z, q, q0 + 2), load(z, q, q0 + 3))
    carry_all(z, R, p, nv, S, H)
    count = 6 if free else 3
    for i in range(nv):
        s = load6(z, S, 6 * i)
        for k in range(count):
            store6(z, H, 6 * (i * nv + v0 + k), ad(s, unit_twist(z, k)))
    for k in range(count):
        store6(z, S, 6 * (v0 + k), unit_twist(z, k))


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
def jacobian_and_hessian(z, codes, numbers, segment, segments, nv, q, S, H, phi_v, work):
    """S (column i at 6 i) and ∂_j s_i (at 6 (i nv + j)) of a joint, in the child's frame."""
    for k in range(6 * nv):
        store(z, S, k, z)
    for k in range(6 * nv * nv):
        store(z, H, k, z)
    for _ in range(segments):
        if codes[segment + KIND] != FACTORS:
            quaternion_derivatives(z, codes, segment, q, nv, S, H)
        elif codes[segment + AXES] == 0:
            row_derivatives(z, codes, numbers, segment, codes[segment + ROWS], q, nv, S, H, phi_v, work)
        else:
            row = look_up(z, codes, numbers, segment, q, 0, work)
            centred(z, codes, numbers, segment, row, work)
            row_derivatives(z, codes, numbers, segment, row, q, nv, S, H, phi_v, work)
        segment += SEGMENT_SIZE
