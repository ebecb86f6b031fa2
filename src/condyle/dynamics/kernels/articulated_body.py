"""Accelerations from forces in one inward and one outward pass.  [LeeTerzopoulos2008, appendix A, eqs. 43-44]

A joint with several freedoms is eliminated one column at a time: for k = n … 1: U = J̃ s_k, d = s_kᵀ U,
u = τ_k − s_kᵀ p̃, J̃ −= U Uᵀ/d, p̃ += U u/d; outward for k = 1 … n: q̈_k = (u − Uᵀ a)/d, a += s_k q̈_k. Prescribed
columns are skipped and s_k q̈_k joins the bias.
"""

from ...model.kernels.layout import (
    BODIES,
    BODY_SIZE,
    CHILDREN,
    FIRST_BODY,
    FREEDOM,
    GRAVITY,
    MASS,
    NOTHING,
    PARENT,
    PRESCRIBED,
    SOMETHING_ABOVE,
    STARTS,
    V0,
    WIDTH,
)
from ...numeric import finite, inlined, kernel, less, load, select, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add9,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    store6,
    store9,
    times6,
)
from .layout import (
    AA,
    AXIS,
    BB,
    BIAS,
    CC,
    COLUMN,
    FORCE,
    INVERSE,
    KINDS,
    NOT_FINITE,
    OFFSET,
    RANK_LOST,
    REACTION,
    REST,
    ROTATION,
    SLOT,
    TWIST,
)
from .outward_pass import shifted

__all__ = [
    "accelerate",
    "articulate",
    "inertia_times",
    "reduced",
    "rigid_moments",
    "symmetric_times",
    "transported",
]

SMALL = 1e-12
NOTHING_LEFT = 1e-14  # of a body's largest inertia: what round-off leaves of a rod's moment about itself


@inlined
def symmetric_times(A, x):
    return (
        A[0] * x[0] + A[1] * x[1] + A[2] * x[2],
        A[1] * x[0] + A[3] * x[1] + A[4] * x[2],
        A[2] * x[0] + A[4] * x[1] + A[5] * x[2],
    )


@inlined
def rigid_moments(R, d):
    """R diag(d) Rᵀ."""
    a, b, c = (R[0] * d[0], R[1] * d[1], R[2] * d[2]), (R[3] * d[0], R[4] * d[1], R[5] * d[2]), (R[6], R[7], R[8])
    x, y = (R[0], R[1], R[2]), (R[3], R[4], R[5])
    return dot3(a, x), dot3(a, y), dot3(a, c), dot3(b, y), dot3(b, c), dot3((c[0] * d[0], c[1] * d[1], c[2] * d[2]), c)


@inlined
def inertia_times(A, B, C, s):
    """J̃ s for J̃ = [[A, B], [Bᵀ, C]]."""
    w, v = halves(s)
    a, c = symmetric_times(A, w), symmetric_times(C, v)
    return (
        a[0] + B[0] * v[0] + B[1] * v[1] + B[2] * v[2],
        a[1] + B[3] * v[0] + B[4] * v[1] + B[5] * v[2],
        a[2] + B[6] * v[0] + B[7] * v[1] + B[8] * v[2],
        c[0] + B[0] * w[0] + B[3] * w[1] + B[6] * w[2],
        c[1] + B[1] * w[0] + B[4] * w[1] + B[7] * w[2],
        c[2] + B[2] * w[0] + B[5] * w[1] + B[8] * w[2],
    )


@inlined
def reduced(A, B, C, U, k):
    """J̃ − k U Uᵀ."""
    m, f = halves(U)
    a, c = (k * m[0], k * m[1], k * m[2]), (k * f[0], k * f[1], k * f[2])
    A = (
        A[0] - a[0] * m[0],
        A[1] - a[0] * m[1],
        A[2] - a[0] * m[2],
        A[3] - a[1] * m[1],
        A[4] - a[1] * m[2],
        A[5] - a[2] * m[2],
    )
    B = (
        B[0] - a[0] * f[0],
        B[1] - a[0] * f[1],
        B[2] - a[0] * f[2],
        B[3] - a[1] * f[0],
        B[4] - a[1] * f[1],
        B[5] - a[1] * f[2],
        B[6] - a[2] * f[0],
        B[7] - a[2] * f[1],
        B[8] - a[2] * f[2],
    )
    C = (
        C[0] - c[0] * f[0],
        C[1] - c[0] * f[1],
        C[2] - c[0] * f[2],
        C[3] - c[1] * f[1],
        C[4] - c[1] * f[2],
        C[5] - c[2] * f[2],
    )
    return A, B, C


@inlined
def transported(A, B, C, r):
    """J̃ of a body seen at its parent's origin, r before it: B' = B + [r] C, A' = A − B' [r] − (B [r])ᵀ."""
    x, y, t = cross(r, (C[0], C[1], C[2])), cross(r, (C[1], C[3], C[4])), cross(r, (C[2], C[4], C[5]))
    D = add9(B, (x[0], y[0], t[0], x[1], y[1], t[1], x[2], y[2], t[2]))
    m0, m1, m2 = cross((D[0], D[1], D[2]), r), cross((D[3], D[4], D[5]), r), cross((D[6], D[7], D[8]), r)
    n0, n1, n2 = cross((B[0], B[1], B[2]), r), cross((B[3], B[4], B[5]), r), cross((B[6], B[7], B[8]), r)
    A = (
        A[0] - m0[0] - n0[0],
        A[1] - m0[1] - n1[0],
        A[2] - m0[2] - n2[0],
        A[3] - m1[1] - n1[1],
        A[4] - m1[2] - n2[1],
        A[5] - m2[2] - n2[2],
    )
    return A, D, C


@inlined
def rigid(z, codes, numbers, body, slots, at):
    """Rigid inertia in world axes, and the bias force (ω × Iω, m ω × v).  [LeeTerzopoulos2008, eqs. 7, 8]"""
    mass = codes[body + MASS]
    m = numbers[mass]
    A = rigid_moments(load9(z, slots, at + ROTATION), (numbers[mass + 1], numbers[mass + 2], numbers[mass + 3]))
    w, v = halves(load6(z, slots, at + TWIST))
    a, b = cross(w, symmetric_times(A, w)), cross(w, v)
    B = (z, z, z, z, z, z, z, z, z)
    C = (z + m, z, z, z + m, z, z + m)
    return A, B, C, (a[0], a[1], a[2], m * b[0], m * b[1], m * b[2])


@inlined
def add_children(z, slots, at, A, B, C, P):
    """Add what the children have left in a body's slot."""
    return (
        add6(A, load6(z, slots, at + AA)),
        load9(z, slots, at + BB),  # a rigid body's own B is zero
        add6(C, load6(z, slots, at + CC)),
        add6(P, load6(z, slots, at + FORCE)),
    )


@inlined
def leave(z, slots, at, A, B, C, P, starts):
    """Add a child's inertia and force to the slot of its parent; the first child to come stores."""
    if not starts:
        A, C = add6(A, load6(z, slots, at + AA)), add6(C, load6(z, slots, at + CC))
        P, B = add6(P, load6(z, slots, at + FORCE)), add9(B, load9(z, slots, at + BB))
    store6(z, slots, at + AA, A)
    store9(z, slots, at + BB, B)
    store6(z, slots, at + CC, C)
    store6(z, slots, at + FORCE, P)


@inlined
def noted(z, status, good, d, i):
    """The status with the first joint whose d = sᵀ J̃ s is not good."""
    now = select(good, z, select(finite(d), z + (RANK_LOST + KINDS * i), z + (NOT_FINITE + KINDS * i)))
    return select(less(status, 0.5), now, status)


@inlined
def bound(A, C, s):
    """More than sᵀ J̃ s can be, up to a small factor: traces times squared lengths."""
    w, v = halves(s)
    return (A[0] + A[3] + A[5]) * dot3(w, w) + (C[0] + C[3] + C[5]) * dot3(v, v)


@kernel
def eliminate_many(z, codes, body, A, B, C, P, tau, columns, status, i):
    """Eliminate the free columns of a joint, last to first."""
    v0, nv = codes[body + V0], codes[body + WIDTH]
    for k in range(v0, v0 + nv):  # what each column has before any is eliminated, to know when rank is lost
        s = load6(z, columns, k * COLUMN + AXIS)
        least = SMALL * dot6(s, inertia_times(A, B, C, s)) + NOTHING_LEFT * bound(A, C, s)
        store(z, columns, k * COLUMN + INVERSE, least)
    for k in range(v0 + nv - 1, v0 - 1, -1):
        if codes[codes[PRESCRIBED] + k]:
            continue
        s = load6(z, columns, k * COLUMN + AXIS)
        U = inertia_times(A, B, C, s)
        d = dot6(s, U)
        status = noted(z, status, less(load(z, columns, k * COLUMN + INVERSE), d), d, i)
        u, inverse = load(z, tau, k) - dot6(s, P), 1.0 / d
        A, B, C = reduced(A, B, C, U, inverse)
        P = times6(P, u * inverse, U)
        store6(z, columns, k * COLUMN + REACTION, U)
        store(z, columns, k * COLUMN + INVERSE, inverse)
        store(z, columns, k * COLUMN + REST, u)
    return A, B, C, P, status


@inlined
def eliminate_one(z, k, A, B, C, P, tau, columns, status, i):
    """Eliminate the one column of a joint."""
    s = load6(z, columns, k * COLUMN + AXIS)
    U = inertia_times(A, B, C, s)
    d = dot6(s, U)
    status = noted(z, status, less(NOTHING_LEFT * bound(A, C, s), d), d, i)
    u, inverse = load(z, tau, k) - dot6(s, P), 1.0 / d
    A, B, C = reduced(A, B, C, U, inverse)
    store6(z, columns, k * COLUMN + REACTION, U)
    store(z, columns, k * COLUMN + INVERSE, inverse)
    store(z, columns, k * COLUMN + REST, u)
    return A, B, C, times6(P, u * inverse, U), status


@inlined
def with_prescribed(z, codes, body, c, acceleration, columns):
    """The bias with the prescribed accelerations of this joint."""
    for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
        if codes[codes[PRESCRIBED] + k]:
            c = times6(c, load(z, acceleration, k), load6(z, columns, k * COLUMN + AXIS))
    return c


@kernel
def articulate(z, codes, numbers, tau, acceleration, wrenches, slots, columns, driven, pushed):
    """Inward: articulated inertias and forces. `wrenches` (if `pushed`) are in world axes; returns the status."""
    status = z
    n = codes[BODIES]
    for i in range(n - 1, -1, -1):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        if codes[body + FREEDOM] == NOTHING:
            c = with_prescribed(z, codes, body, load6(z, slots, at + BIAS), acceleration, columns)
            store6(z, slots, at + BIAS, c)
            continue
        A, B, C, P = rigid(z, codes, numbers, body, slots, at)
        if pushed:
            P = times6(P, -1.0, load6(z, wrenches, 6 * i))
        if codes[body + CHILDREN]:
            A, B, C, P = add_children(z, slots, at, A, B, C, P)
        c = load6(z, slots, at + BIAS)
        k = codes[body + V0]
        if codes[body + WIDTH] == 1 and not (driven and codes[codes[PRESCRIBED] + k]):
            A, B, C, P, status = eliminate_one(z, k, A, B, C, P, tau, columns, status, i)
        else:
            c = with_prescribed(z, codes, body, c, acceleration, columns)
            store6(z, slots, at + BIAS, c)
            A, B, C, P, status = eliminate_many(z, codes, body, A, B, C, P, tau, columns, status, i)
        if codes[body + FREEDOM] == SOMETHING_ABOVE:
            P = add6(P, inertia_times(A, B, C, c))
            r = load3(z, slots, at + OFFSET)
            m, f = halves(P)
            t = add3(m, cross(r, f))
            A, B, C = transported(A, B, C, r)
            parent = codes[body + PARENT] * SLOT
            leave(z, slots, parent, A, B, C, (t[0], t[1], t[2], P[3], P[4], P[5]), codes[body + STARTS])
    return status


@kernel
def accelerate(z, codes, numbers, acceleration, slots, columns, status):
    """Outward: accelerations of the free coordinates (prescribed ones are left as given); the status, updated."""
    g = codes[GRAVITY]
    store6(z, slots, FORCE, (z, z, z, z - numbers[g], z - numbers[g + 1], z - numbers[g + 2]))
    for i in range(codes[BODIES]):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        a = load6(z, slots, codes[body + PARENT] * SLOT + FORCE)
        a = add6(shifted(a, load3(z, slots, at + OFFSET)), load6(z, slots, at + BIAS))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            if codes[codes[PRESCRIBED] + k]:
                continue
            column = k * COLUMN
            u = load(z, columns, column + REST) - dot6(load6(z, columns, column + REACTION), a)
            qdd = u * load(z, columns, column + INVERSE)
            status = select(less(status, 0.5), select(finite(qdd), status, z + (NOT_FINITE + KINDS * i)), status)
            store(z, acceleration, k, qdd)
            a = times6(a, qdd, load6(z, columns, column + AXIS))
        store6(z, slots, at + FORCE, a)
    return status
