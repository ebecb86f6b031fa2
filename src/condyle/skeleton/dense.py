"""Cholesky of the small blocks, in place in interleaved arrays.

A symmetric block of size n is packed by rows of its lower half at `at`; its factor replaces it, with the *inverse* of
each diagonal entry. Element (i, c) of a rectangular block is at `bt + i·down + c·across`, so rows and columns need one
code.
"""

from __future__ import annotations

from ..numeric import kernel, load, sqrt, store

__all__ = ["add_gram", "add_product", "backward", "factor", "forward"]


@kernel
def factor(z, A, at, n):
    """A = L Lᵀ. A block that is not positive definite becomes NaN."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        for j in range(i + 1):
            other = at + j * (j + 1) // 2
            s = load(z, A, row + j)
            for k in range(j):
                s = s - load(z, A, row + k) * load(z, A, other + k)
            store(z, A, row + j, 1.0 / sqrt(s) if i == j else s * load(z, A, other + j))


@kernel
def forward(z, L, at, n, B, bt, down, columns, across):
    """B ↦ L⁻¹ B."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        d = load(z, L, row + i)
        for c in range(columns):
            here = bt + c * across
            s = load(z, B, here + i * down)
            for k in range(i):
                s = s - load(z, L, row + k) * load(z, B, here + k * down)
            store(z, B, here + i * down, s * d)


@kernel
def backward(z, L, at, n, x, xt):
    """x ↦ L⁻ᵀ x."""
    for i in range(n - 1, -1, -1):
        s = load(z, x, xt + i)
        for k in range(i + 1, n):
            s = s - load(z, L, at + k * (k + 1) // 2 + i) * load(z, x, xt + k)
        store(z, x, xt + i, s * load(z, L, at + i * (i + 1) // 2 + i))


@kernel
def add_gram(z, B, bt, down, inner, across, A, at, n):
    """A += Bᵀ B for the n columns of B; the sum runs over `inner` rows."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        for j in range(i + 1):
            s = load(z, A, row + j)
            for k in range(inner):
                s = s + load(z, B, bt + k * down + i * across) * load(z, B, bt + k * down + j * across)
            store(z, A, row + j, s)


@kernel
def add_product(z, sign, B, bt, down, rows, across, columns, x, xt, y, yt):
    """y += sign · B x for a block with `rows` rows and `columns` columns."""
    for i in range(rows):
        s = z
        for k in range(columns):
            s = s + load(z, B, bt + i * down + k * across) * load(z, x, xt + k)
        store(z, y, yt + i, load(z, y, yt + i) + sign * s)
