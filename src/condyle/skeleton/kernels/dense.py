"""Cholesky of small blocks, in place in the interleaved work array w.

A symmetric block of size n is packed by rows of its lower half at `at`; its factor replaces it, with the *inverse* of
each diagonal entry. A rectangular block has 6 numbers per row, used or not.
"""

from __future__ import annotations

from ...numeric import kernel, load, sqrt, store

__all__ = ["backward", "factor", "forward", "product_transposed", "subtract_product", "subtract_transposed"]


@kernel
def factor(z, w, at, n):
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
def forward(z, w, at, n, bt, columns, down, across):
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
def backward(z, w, at, n, xt):
    """x ↦ L⁻ᵀ x."""
    for i in range(n - 1, -1, -1):
        s = load(z, w, xt + i)
        for k in range(i + 1, n):
            s = s - load(z, w, at + k * (k + 1) // 2 + i) * load(z, w, xt + k)
        store(z, w, xt + i, s * load(z, w, at + i * (i + 1) // 2 + i))


@kernel
def product_transposed(z, w, sign, at, rows, bt, columns, inner, to):
    """T += sign · A Bᵀ."""
    for i in range(rows):
        for k in range(columns):
            s = z
            for m in range(inner):
                s = s + load(z, w, at + 6 * i + m) * load(z, w, bt + 6 * k + m)
            here = to + 6 * i + k
            store(z, w, here, load(z, w, here) + sign * s)


@kernel
def subtract_product(z, w, at, rows, inner, xt, yt):
    """y −= A x."""
    for i in range(rows):
        s = load(z, w, yt + i)
        for k in range(inner):
            s = s - load(z, w, at + 6 * i + k) * load(z, w, xt + k)
        store(z, w, yt + i, s)


@kernel
def subtract_transposed(z, w, sign, at, rows, inner, xt, yt):
    """y −= sign · Aᵀ x."""
    for k in range(inner):
        s = z
        for i in range(rows):
            s = s + load(z, w, at + 6 * i + k) * load(z, w, xt + i)
        store(z, w, yt + k, load(z, w, yt + k) - sign * s)
