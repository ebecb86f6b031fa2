"""The compiled damped step inside limits: the least of ½ dvᵀH dv + gᵀdv with low ≤ dv ≤ high.

`w` has H, g, low and high, `fixed` where a coordinate may go no further, dv, which is found, and L for a factor of H.
"""

from ...numeric import (
    any_lane,
    cholesky,
    cholesky_backward,
    cholesky_forward,
    inlined,
    kernel,
    less,
    load,
    select,
    store,
)


@inlined
def flag(z, condition):
    """1 where a condition holds, else 0."""
    return select(condition, z + 1.0, z)


@inlined
def larger(a, b):
    """The larger of two numbers; a where b is NaN."""
    return select(less(a, b), b, a)


@inlined
def is_fixed(z, w, k):
    """Where a velocity direction may go no further."""
    return less(0.5, load(z, w.fixed, k))


@kernel
def take_out(z, nv, w, k):
    """Coordinate k leaves the packed system where it is fixed: its row and column become those of 1."""
    rest, here = nv * (nv + 1) // 2, is_fixed(z, w, k)
    x = select(here, load(z, w.dv, k), z)
    for i in range(nv):
        row, column = max(i, k), min(i, k)
        at = row * (row + 1) // 2 + column
        store(z, w.L, rest + i, load(z, w.L, rest + i) - load(z, w.H, row * nv + column) * x)
        store(z, w.L, at, select(here, z + (1.0 if i == k else 0.0), load(z, w.L, at)))


@kernel
def free_system(z, nv, w):
    """H without the rows and columns of fixed coordinates, packed, and after it −g less what those do."""
    rest = nv * (nv + 1) // 2
    for i in range(nv):
        store(z, w.L, rest + i, -load(z, w.g, i))
        for j in range(i + 1):
            store(z, w.L, i * (i + 1) // 2 + j, load(z, w.H, i * nv + j))
    for k in range(nv):
        if any_lane(is_fixed(z, w, k)):
            take_out(z, nv, w, k)
    for k in range(nv):
        store(z, w.L, rest + k, select(is_fixed(z, w, k), z, load(z, w.L, rest + k)))


@kernel
def solve_free(z, nv, w):
    """The minimiser of ½ dvᵀH dv + gᵀdv over the coordinates that are not fixed."""
    rest = nv * (nv + 1) // 2
    free_system(z, nv, w)
    cholesky(z, w.L, 0, nv)
    cholesky_forward(z, w.L, 0, nv, rest, 1, 1, 0)
    cholesky_backward(z, w.L, 0, nv, rest)
    for i in range(nv):
        store(z, w.dv, i, select(is_fixed(z, w, i), load(z, w.dv, i), load(z, w.L, rest + i)))


@kernel
def bounded_step(z, nv, w):
    """The damped step; coordinates that would leave their limits are set there and the others solved for again."""
    for _ in range(nv + 1):
        solve_free(z, nv, w)
        past = z
        for k in range(nv):
            x, low, high, fixed = load(z, w.dv, k), load(z, w.low, k), load(z, w.high, k), load(z, w.fixed, k)
            out = flag(z, less(x, low)) + flag(z, less(high, x))  # of a fixed one: 0
            past = past + out
            store(z, w.fixed, k, larger(fixed, out))
            store(z, w.dv, k, larger(low, select(less(high, x), high, x)))
        if not any_lane(less(0.5, past)):
            break
