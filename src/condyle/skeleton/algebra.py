"""Vectors (3), rotations (9, by rows), symmetric matrices (6: xx, xy, yy, xz, yz, zz) and quaternions as tuples."""

from __future__ import annotations

from ..numeric import inlined, load, store

__all__ = [
    "add3",
    "congruence",
    "cross",
    "dot",
    "load3",
    "load4",
    "load9",
    "minus3",
    "quaternion_product",
    "rotation",
    "scale3",
    "store3",
    "store4",
    "store9",
    "symmetric_times",
    "turned",
    "turned_back",
]


@inlined
def load3(z, x, k):
    return load(z, x, k), load(z, x, k + 1), load(z, x, k + 2)


@inlined
def load4(z, x, k):
    return load(z, x, k), load(z, x, k + 1), load(z, x, k + 2), load(z, x, k + 3)


@inlined
def load9(z, x, k):
    a, b, c = load3(z, x, k), load3(z, x, k + 3), load3(z, x, k + 6)
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inlined
def store3(z, x, k, a):
    store(z, x, k, a[0])
    store(z, x, k + 1, a[1])
    store(z, x, k + 2, a[2])


@inlined
def store4(z, x, k, a):
    store3(z, x, k, (a[0], a[1], a[2]))
    store(z, x, k + 3, a[3])


@inlined
def store9(z, x, k, a):
    store3(z, x, k, (a[0], a[1], a[2]))
    store3(z, x, k + 3, (a[3], a[4], a[5]))
    store3(z, x, k + 6, (a[6], a[7], a[8]))


@inlined
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def minus3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def scale3(s, a):
    return s * a[0], s * a[1], s * a[2]


@inlined
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def turned(R, a):
    """R a."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@inlined
def turned_back(R, a):
    """Rᵀ a."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


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
    return dot(x, a), dot(x, b), dot(y, b), dot(x, c), dot(y, c), dot(w, c)


@inlined
def rotation(q):
    """The rotation of a unit quaternion wxyz."""
    w, x, y, u = q
    return (
        1.0 - 2.0 * (y * y + u * u),
        2.0 * (x * y - w * u),
        2.0 * (x * u + w * y),
        2.0 * (x * y + w * u),
        1.0 - 2.0 * (x * x + u * u),
        2.0 * (y * u - w * x),
        2.0 * (x * u - w * y),
        2.0 * (y * u + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@inlined
def quaternion_product(a, b):
    """First b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
