"""Cholesky of the small blocks, in place in the interleaved work array w.

A symmetric block of size n is packed by rows of its lower half at `at`; its factor replaces it, with the *inverse* of
each diagonal entry. Element (i, c) of a rectangular block is at `bt + i·down + c·across`, so rows and columns need one
code.
"""

from __future__ import annotations

from ..numeric import kernel, load, sqrt, store

__all__ = ["add_gram", "add_product", "backward", "factor", "forward"]


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
def forward(z, w, at, n, bt, down, columns, across):
    """B ↦ L⁻¹ B."""
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
def add_gram(z, w, bt, down, inner, across, at, n):
    """A += Bᵀ B for the n columns of B; the sum runs over `inner` rows."""
    for i in range(n):
        row = at + i * (i + 1) // 2
        for j in range(i + 1):
            s = load(z, w, row + j)
            for k in range(inner):
                s = s + load(z, w, bt + k * down + i * across) * load(z, w, bt + k * down + j * across)
            store(z, w, row + j, s)


@kernel
def add_product(z, w, sign, bt, down, rows, across, columns, xt, yt):
    """y += sign · B x for a block with `rows` rows and `columns` columns."""
    for i in range(rows):
        s = z
        for k in range(columns):
            s = s + load(z, w, bt + i * down + k * across) * load(z, w, xt + k)
        store(z, w, yt + i, load(z, w, yt + i) + sign * s)
