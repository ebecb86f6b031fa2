"""Directions across and along the columns of a joint, by Householder's reflections."""

from ....numeric import kernel, less, load, magnitude, select, sqrt, store

LOST = 1e-9  # the least diagonal of the triangle, by the largest, with which a joint still has its coordinates


@kernel
def reflect(z, x, first, count, k, w):
    """Reflect `count` vectors of six numbers of x, from `first` on, by the unit vector w (k … 5)."""
    for j in range(first, first + count):
        s = z
        for i in range(k, 6):
            s = s + load(z, w, i) * load(z, x, 6 * j + i)
        for i in range(k, 6):
            store(z, x, 6 * j + i, load(z, x, 6 * j + i) - 2.0 * s * load(z, w, i))


@kernel
def reflection(z, W, k, w):
    """In w the unit vector whose reflection leaves column k of W its first k + 1 numbers."""
    square = z
    for i in range(k, 6):
        square = square + load(z, W, 6 * k + i) * load(z, W, 6 * k + i)
    x = load(z, W, 7 * k)
    grown = magnitude(x) + sqrt(square)
    size = square - x * x + grown * grown
    good = less(0.0, size)
    scale = select(good, 1.0 / sqrt(select(good, size, z + 1.0)), z)
    for i in range(k + 1, 6):
        store(z, w, i, scale * load(z, W, 6 * k + i))
    store(z, w, k, scale * select(less(x, 0.0), -grown, grown))


@kernel
def split(z, nv, m):
    """m.Q from the columns m.S, across from number nv on, m.back along them; returns 1 where S has full rank."""
    for k in range(36):
        store(z, m.Q, k, z + (1.0 if k % 7 == 0 else 0.0))
    for k in range(6 * nv):
        store(z, m.W, k, load(z, m.S, k))
    low, high = z + 1e300, z
    for k in range(nv):
        reflection(z, m.W, k, m.w)
        reflect(z, m.W, k, nv - k, k, m.w)
        reflect(z, m.Q, 0, 6, k, m.w)  # Q ← Q (1 − 2 w wᵀ)
        size = magnitude(load(z, m.W, 7 * k))
        low, high = select(less(size, low), size, low), select(less(high, size), size, high)
    full = select(less(LOST * high, low), z + 1.0, z)
    for i in range(6):  # back substitution of R back = Q₁ᵀ
        for j in range(nv):
            k = nv - 1 - j
            s = load(z, m.Q, 6 * i + k)
            for l in range(k + 1, nv):
                s = s - load(z, m.W, 6 * l + k) * load(z, m.back, 6 * l + i)
            pivot = load(z, m.W, 7 * k)
            store(z, m.back, 6 * k + i, s / select(less(0.5, full), pivot, z + 1.0))
    return full
