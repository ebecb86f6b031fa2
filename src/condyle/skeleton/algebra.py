"""What skeletons need beyond `spatial.algebra`: quaternions (wxyz) and symmetric matrices in packed order.

A symmetric matrix is (xx, xy, yy, xz, yz, zz): the lower half by rows, as the Cholesky factors in `dense` are.
"""

from __future__ import annotations

from ..numeric import inlined, kernel, less, load, select, sincos, sqrt, store
from ..spatial.algebra import dot3

__all__ = ["congruence", "half_turn", "load4", "quaternion_product", "store4", "symmetric_times", "unit"]


@inlined
def load4(z, x, k):
    return load(z, x, k), load(z, x, k + 1), load(z, x, k + 2), load(z, x, k + 3)


@inlined
def store4(z, x, k, a):
    for i in range(4):
        store(z, x, k + i, a[i])


@inlined
def symmetric_times(S, a):
    """S a."""
    return (
        S[0] * a[0] + S[1] * a[1] + S[3] * a[2],
        S[1] * a[0] + S[2] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[4] * a[1] + S[5] * a[2],
    )


@inlined
def congruence(R, S):
    """R S Rᵀ."""
    a = symmetric_times(S, (R[0], R[1], R[2]))
    b = symmetric_times(S, (R[3], R[4], R[5]))
    c = symmetric_times(S, (R[6], R[7], R[8]))
    x, y, w = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    return dot3(x, a), dot3(x, b), dot3(y, b), dot3(x, c), dot3(y, c), dot3(w, c)


@inlined
def quaternion_product(a, b):
    """First b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def half_turn(z, a):
    """The unit quaternion of the rotation vector 2a."""
    square = dot3(a, a)
    near = less(square, 1e-8)
    angle = sqrt(select(near, z + 1.0, square))
    s, c = sincos(angle)
    ratio = select(near, 1.0 - square * (1.0 / 6.0) * (1.0 - square * 0.05), s / angle)
    return select(near, 1.0 - 0.5 * square * (1.0 - square / 12.0), c), ratio * a[0], ratio * a[1], ratio * a[2]


@kernel
def unit(q):
    """q over its length."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]
