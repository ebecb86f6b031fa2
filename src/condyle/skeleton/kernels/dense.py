"""Products of small rectangular blocks in the interleaved work array w; a block has 6 numbers per row, used or not."""

from __future__ import annotations

from ...numeric import kernel, load, store


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
