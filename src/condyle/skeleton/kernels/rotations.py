"""What skeletons need beyond `spatial.algebra`: rotations of a vector, unit length, a basis and its dual."""

from __future__ import annotations

from ...numeric import inlined, kernel, less, select, sincos, sqrt
from ...spatial.kernels.algebra import cross, dot3, scale3
from ...spatial.kernels.inertia import symmetric_times


@inlined
def congruence(R, S):
    """R S Rᵀ of a symmetric S (xx, xy, xz, yy, yz, zz)."""
    x, y, w = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    a, b, c = symmetric_times(S, x), symmetric_times(S, y), symmetric_times(S, w)
    return dot3(x, a), dot3(x, b), dot3(x, c), dot3(y, b), dot3(y, c), dot3(w, c)


@inlined
def dual_basis(a, b, c):
    """The three vectors whose products with a, b, c are 1 with their own and 0 with the others."""
    n = cross(b, c)
    k = 1.0 / dot3(a, n)
    return scale3(k, n), scale3(k, cross(c, a)), scale3(k, cross(a, b))


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
