"""Cholesky factors of small matrices in kernels: in place and packed, or with pivots for matrices that lose rank.

Without pivots, a symmetric block of size n is packed by rows of its lower half at a position of a work array w; its
factor replaces it, with the *inverse* of each diagonal entry. With pivots, a full matrix is factored in place.
"""

from .compiler import inlined, kernel
from .number_types import less, load, sqrt, store


@kernel
def cholesky(z, w, at, n):
    """A = L Lᵀ. A block that is not positive definite becomes NaN."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        for j in range(i + 1):
            other = at + j * (j + 1) // 2
            s = load(z, w, row + j)
            for k in range(j):
                s = s - load(z, w, row + k) * load(z, w, other + k)
            store(z, w, row + j, 1.0 / sqrt(s) if i == j else s * load(z, w, other + j))


@kernel
def cholesky_forward(z, w, at, n, bt, columns, down, across):
    """B ↦ L⁻¹ B; element (i, c) of B is at bt + i·down + c·across."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        d = load(z, w, row + i)
        for c in range(columns):
            here = bt + c * across
            s = load(z, w, here + i * down)
            for k in range(i):
                s = s - load(z, w, row + k) * load(z, w, here + k * down)
            store(z, w, here + i * down, s * d)


@kernel
def cholesky_backward(z, w, at, n, xt):
    """x ↦ L⁻ᵀ x."""
    for i in range(n - 1, -1, -1):
        s = load(z, w, xt + i)
        for k in range(i + 1, n):
            s = s - load(z, w, at + k * (k + 1) // 2 + i) * load(z, w, xt + k)
        store(z, w, xt + i, s * load(z, w, at + i * (i + 1) // 2 + i))


@inlined
def largest(z, A, n, order, k):
    """Which of the positions k … n − 1 has the largest diagonal entry."""
    best = k
    for i in range(k + 1, n):
        if less(load(z, A, order[best] * (n + 1)), load(z, A, order[i] * (n + 1))):
            best = i
    return best


@kernel
def pivoted_cholesky(z, A, n, order, tolerance):
    """L Lᵀ = A with rows in `order`, L[i, j] at A[order[i] n + order[j]]; returns how many pivots exceed tolerance."""
    for i in range(n):
        order[i] = i
    for k in range(n):
        best = largest(z, A, n, order, k)
        order[k], order[best] = order[best], order[k]
        at = order[k]
        pivot = load(z, A, at * (n + 1))
        if not less(tolerance, pivot):
            return k
        root = sqrt(pivot)
        store(z, A, at * (n + 1), root)
        for i in range(k + 1, n):
            store(z, A, order[i] * n + at, load(z, A, order[i] * n + at) / root)
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                spot = order[i] * n + order[j]
                less_by = load(z, A, order[i] * n + at) * load(z, A, order[j] * n + at)
                store(z, A, spot, load(z, A, spot) - less_by)
    return n


@kernel
def pivoted_forward(z, A, n, order, rank, x):
    """L⁻¹ x for the independent rows, in place; the others are left with what their rows do not explain."""
    for i in range(n):
        s = load(z, x, order[i])
        for j in range(min(i, rank)):
            s = s - load(z, A, order[i] * n + order[j]) * load(z, x, order[j])
        store(z, x, order[i], s / load(z, A, order[i] * (n + 1)) if i < rank else s)


@kernel
def pivoted_backward(z, A, n, order, rank, x):
    """L⁻ᵀ x of the independent rows, in place."""
    for i in range(rank - 1, -1, -1):
        s = load(z, x, order[i])
        for j in range(i + 1, rank):
            s = s - load(z, A, order[j] * n + order[i]) * load(z, x, order[j])
        store(z, x, order[i], s / load(z, A, order[i] * (n + 1)))
