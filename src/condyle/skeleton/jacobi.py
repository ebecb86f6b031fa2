"""Eigenvalues of a small symmetric matrix by Jacobi's rotations: only arithmetic, so every lane can do it at once."""

from __future__ import annotations

from ..numeric import kernel, less, load, magnitude, select, sqrt, store

__all__ = ["SWEEPS", "diagonalise"]

SWEEPS = 10  # convergence is quadratic: 6 or 7 reach round-off for matrices of a few dozen rows


@kernel
def diagonalise(z, w, A, V, n):
    """A (n × n) becomes diagonal, V its eigenvectors in columns: A_old = V A Vᵀ."""
    for k in range(n * n):
        store(z, w, V + k, z)
    for k in range(n):
        store(z, w, V + k * n + k, z + 1.0)
    for _ in range(SWEEPS):
        for p in range(n - 1):
            for q in range(p + 1, n):
                c, s = rotation_for(z, load(z, w, A + p * n + p), load(z, w, A + q * n + q), load(z, w, A + p * n + q))
                rotate(z, w, A, n, p, q, n, 1, c, s)
                rotate(z, w, A, n, p, q, 1, n, c, s)
                rotate(z, w, V, n, p, q, 1, n, c, s)


@kernel
def rotation_for(z, app, aqq, apq):
    """Cosine and sine of the smaller rotation that makes a_pq zero."""
    none = less(magnitude(apq), 1e-30 * (magnitude(app) + magnitude(aqq)) + 1e-300)
    theta = 0.5 * (aqq - app) / select(none, z + 1.0, apq)
    t = 1.0 / (magnitude(theta) + sqrt(theta * theta + 1.0))
    t = select(less(theta, z), -t, t)
    t = select(none, z, t)
    c = 1.0 / sqrt(t * t + 1.0)
    return c, t * c


@kernel
def rotate(z, w, A, n, p, q, across, along, c, s):
    """Lines p and q of A (columns if across = 1) turn in their plane."""
    for k in range(n):
        i, j = A + p * across + k * along, A + q * across + k * along
        a, b = load(z, w, i), load(z, w, j)
        store(z, w, i, c * a - s * b)
        store(z, w, j, s * a + c * b)
