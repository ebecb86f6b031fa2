"""Vector algebra of kernels, on tuples of numbers of any type.

Vector (x, y, z); rotation by rows (xx, xy, xz, yx, …); symmetric (xx, xy, xz, yy, yz, zz); twist and wrench as six
numbers, angular part first.
"""

from ...numeric import inlined, load, sincos, store


@inlined
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inlined
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def add3(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inlined
def sub3(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inlined
def scale3(k, a):
    return (k * a[0], k * a[1], k * a[2])


@inlined
def matvec(R, a):
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@inlined
def transposed_matvec(R, a):
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@inlined
def matmul(R, Q):
    a, b, c = matvec(R, (Q[0], Q[3], Q[6])), matvec(R, (Q[1], Q[4], Q[7])), matvec(R, (Q[2], Q[5], Q[8]))
    return (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])


@inlined
def halves(a):
    """The angular and the linear part of a twist or wrench."""
    return (a[0], a[1], a[2]), (a[3], a[4], a[5])


@inlined
def add6(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@inlined
def add9(a, b):
    return (
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
        a[6] + b[6],
        a[7] + b[7],
        a[8] + b[8],
    )


@inlined
def scale6(k, a):
    return (k * a[0], k * a[1], k * a[2], k * a[3], k * a[4], k * a[5])


@inlined
def add_scaled6(a, k, b):
    """a + k b."""
    return (a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2], a[3] + k * b[3], a[4] + k * b[4], a[5] + k * b[5])


@inlined
def dot6(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@inlined
def ad(a, b):
    """ad_a b: the bracket of two twists, (ω_a × ω_b, v_a × ω_b + ω_a × v_b).  [LeeTerzopoulos2008, eq. 4]"""
    w, v = halves(a)
    x, y = halves(b)
    m, f = cross(w, x), add3(cross(v, x), cross(w, y))
    return (m[0], m[1], m[2], f[0], f[1], f[2])


@inlined
def twist_zero(z):
    return (z, z, z, z, z, z)


@inlined
def identity_pose(z):
    one = z + 1.0
    return (one, z, z, z, one, z, z, z, one), (z, z, z)


@inlined
def multiply(R, p, Q, t):
    """The pose (R, p) · (Q, t)."""
    return matmul(R, Q), add3(p, matvec(R, t))


@inlined
def exponential(n, w, v, iw, phi):
    """exp(ĝ φ) of a twist g = (w n, v) with a unit axis n; iw = 1/w, and w = iw = 0, n = 0 for a translation.

    R = I + sin θ N + (1 − cos θ) N², p = φ v + (1 − cos θ)/w n×v + (θ − sin θ)/w n×(n×v), θ = w φ, written with the
    half angle because 1 − cos θ loses half the digits when w is small.
    """
    t = w * phi
    s, c = sincos(0.5 * t)
    sn, cs = 2.0 * s * c, 2.0 * s * s
    x, y, u = n
    cx, cy, cu = cs * x, cs * y, cs * u
    rest = 1.0 - cs
    R = (
        cx * x + rest,
        cx * y - sn * u,
        cx * u + sn * y,
        cx * y + sn * u,
        cy * y + rest,
        cy * u - sn * x,
        cx * u - sn * y,
        cy * u + sn * x,
        cu * u + rest,
    )
    a = cross(n, v)
    b = cross(n, a)
    k, m = cs * iw, (t - sn) * iw
    p = (
        phi * v[0] + k * a[0] + m * b[0],
        phi * v[1] + k * a[1] + m * b[1],
        phi * v[2] + k * a[2] + m * b[2],
    )
    return R, p


@inlined
def quaternion_product(a, b):
    """First b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inlined
def quaternion_rotation(w, x, y, u):
    """The rotation of a quaternion of any length but zero."""
    k = 2.0 / (w * w + x * x + y * y + u * u)
    return (
        1.0 - k * (y * y + u * u),
        k * (x * y - w * u),
        k * (x * u + w * y),
        k * (x * y + w * u),
        1.0 - k * (x * x + u * u),
        k * (y * u - w * x),
        k * (x * u - w * y),
        k * (y * u + w * x),
        1.0 - k * (x * x + y * y),
    )


@inlined
def shifted(V, r):
    """A twist seen at a point r further."""
    w, v = halves(V)
    t = add3(v, cross(w, r))
    return (V[0], V[1], V[2], t[0], t[1], t[2])


@inlined
def load3(z, x, k):
    return load(z, x, k), load(z, x, k + 1), load(z, x, k + 2)


@inlined
def load4(z, x, k):
    return load(z, x, k), load(z, x, k + 1), load(z, x, k + 2), load(z, x, k + 3)


@inlined
def load6(z, x, k):
    return (
        load(z, x, k),
        load(z, x, k + 1),
        load(z, x, k + 2),
        load(z, x, k + 3),
        load(z, x, k + 4),
        load(z, x, k + 5),
    )


@inlined
def load9(z, x, k):
    return (
        load(z, x, k),
        load(z, x, k + 1),
        load(z, x, k + 2),
        load(z, x, k + 3),
        load(z, x, k + 4),
        load(z, x, k + 5),
        load(z, x, k + 6),
        load(z, x, k + 7),
        load(z, x, k + 8),
    )


@inlined
def store3(z, x, k, a):
    store(z, x, k, a[0])
    store(z, x, k + 1, a[1])
    store(z, x, k + 2, a[2])


@inlined
def store4(z, x, k, a):
    store(z, x, k, a[0])
    store(z, x, k + 1, a[1])
    store(z, x, k + 2, a[2])
    store(z, x, k + 3, a[3])


@inlined
def store6(z, x, k, a):
    store(z, x, k, a[0])
    store(z, x, k + 1, a[1])
    store(z, x, k + 2, a[2])
    store(z, x, k + 3, a[3])
    store(z, x, k + 4, a[4])
    store(z, x, k + 5, a[5])


@inlined
def store9(z, x, k, a):
    store3(z, x, k, (a[0], a[1], a[2]))
    store3(z, x, k + 3, (a[3], a[4], a[5]))
    store3(z, x, k + 6, (a[6], a[7], a[8]))
