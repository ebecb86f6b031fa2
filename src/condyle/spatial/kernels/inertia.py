"""Inertias of rigid and articulated bodies in kernels, J̃ = [[A, B], [Bᵀ, C]] with A and C symmetric.

A symmetric matrix is (xx, xy, xz, yy, yz, zz); B is by rows.
"""

from ...numeric import inlined
from .algebra import add9, cross, dot3, halves


@inlined
def symmetric_times(A, x):
    """A x for a symmetric A."""
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
