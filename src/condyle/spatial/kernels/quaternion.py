"""Unit quaternions of rotations in kernels, on tuples of numbers of any type."""

from ...numeric import kernel, less, select, sqrt


@kernel
def rotation_quaternion(z, R):
    """The unit quaternion (w, x, y, z), w ≥ 0, of a rotation (nine numbers, by rows).

    4 q qᵀ is linear in R; its row with the largest diagonal entry is the quaternion times a number not near zero.
    """
    w, x, y, u = 1.0 + R[0] + R[4] + R[8], R[7] - R[5], R[2] - R[6], R[3] - R[1]
    best, q = w, (w, x, y, u)
    for row in (
        (1.0 + R[0] - R[4] - R[8], (x, 1.0 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6])),
        (1.0 - R[0] + R[4] - R[8], (y, R[1] + R[3], 1.0 - R[0] + R[4] - R[8], R[5] + R[7])),
        (1.0 - R[0] - R[4] + R[8], (u, R[2] + R[6], R[5] + R[7], 1.0 - R[0] - R[4] + R[8])),
    ):
        larger = less(best, row[0])
        best, q = select(larger, row[0], best), _chosen(larger, row[1], q)
    k = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    k = select(less(q[0], z), -k, k)
    return (k * q[0], k * q[1], k * q[2], k * q[3])


@kernel
def _chosen(condition, a, b):
    """a where the condition holds, else b: four numbers each."""
    return (
        select(condition, a[0], b[0]),
        select(condition, a[1], b[1]),
        select(condition, a[2], b[2]),
        select(condition, a[3], b[3]),
    )
