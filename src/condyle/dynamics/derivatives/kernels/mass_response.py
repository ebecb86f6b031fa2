"""M⁻¹ B of many columns, from the factors that `articulate` has left: 24 multiplications per number, whatever the size.

What `mass_inverse` does for one column, here for four side by side and at one point for a whole tree, so that nothing
is shifted from body to body. Inward x_k ← (x_k + s_kᵀ F)/d, F −= U_k x_k; outward x_k ← x_k − U_kᵀ A/d, A += s_k x_k.
F and A of a body whose only child is the next body stay in registers; those of others go by way of memory.
"""

from ....model.kernels.records import body_at, header, is_prescribed
from ....numeric import inlined, kernel, load, store
from ....spatial.kernels.algebra import load3, load4, load6, scale6, store4, store6, twist_zero
from ...kernels.scratch_layout import COLUMN
from .derivative_scratch import GIVE, LUMP, MOVE, TILE
from .mass_factor import even, stride
from .moves import wrench_at_root


@kernel
def place_gives(z, t, m, d):
    """U, U/d and 1/d of all columns at the root's centre of mass, from what `articulate` has left."""
    for i in range(header(t).bodies):
        b, p = body_at(t, i), load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
        for k in range(b.v0, b.v0 + b.nv):
            U, inverse = twist_zero(z), z
            if not is_prescribed(t, k):
                U = wrench_at_root(load6(z, m.columns, k * COLUMN.size + COLUMN.reaction), p)
                inverse = load(z, m.columns, k * COLUMN.size + COLUMN.inverse)
            store6(z, d.gives, k * GIVE, U)
            store6(z, d.gives, k * GIVE + 6, scale6(inverse, U))
            store(z, d.pivots, k, inverse)


@inlined
def add4(a, k, b):
    """a + k b."""
    return (a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2], a[3] + k * b[3])


@inlined
def add_product(x, s, F):
    """x + sᵀ F in four columns."""
    return add4(add4(add4(add4(add4(add4(x, s[0], F[0]), s[1], F[1]), s[2], F[2]), s[3], F[3]), s[4], F[4]), s[5], F[5])


@inlined
def add_outer(F, s, x):
    """F + s x in four columns."""
    return (
        add4(F[0], s[0], x),
        add4(F[1], s[1], x),
        add4(F[2], s[2], x),
        add4(F[3], s[3], x),
        add4(F[4], s[4], x),
        add4(F[5], s[5], x),
    )


@inlined
def zero_tile(z):
    n = (z, z, z, z)
    return (n, n, n, n, n, n)


@inlined
def load_tile(z, x, k):
    return (
        load4(z, x, k),
        load4(z, x, k + 4),
        load4(z, x, k + 8),
        load4(z, x, k + 12),
        load4(z, x, k + 16),
        load4(z, x, k + 20),
    )


@inlined
def is_next(t, i):
    """Whether body i is the only child of the body before it."""
    return i > 0 and body_at(t, i).parent == i and body_at(t, i).starts != 0


@inlined
def passes_memory(t, i, bodies):
    """Whether body i has children that are not simply the next body."""
    return body_at(t, i).children != 0 and not (i + 1 < bodies and is_next(t, i + 1))


@kernel
def give_inward(z, t, X, c, bodies, d):
    """Inward over the first `bodies` bodies, four columns of X from c on."""
    s = stride(header(t).nv)
    for i in range(bodies):
        if passes_memory(t, i, bodies):
            for k in range(TILE):
                store(z, d.flows, (i + 1) * TILE + k, z)
    F = zero_tile(z)
    for i in range(bodies - 1, -1, -1):
        b = body_at(t, i)
        if passes_memory(t, i, bodies):
            F = load_tile(z, d.flows, (i + 1) * TILE)
        elif not (i + 1 < bodies and is_next(t, i + 1)):
            F = zero_tile(z)
        for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
            x = add_product(load4(z, X, k * s + c), load6(z, d.moves, k * MOVE.size + MOVE.s), F)
            e, U = load(z, d.pivots, k), load6(z, d.gives, k * GIVE)
            x = (e * x[0], e * x[1], e * x[2], e * x[3])
            store4(z, X, k * s + c, x)
            F = add_outer(F, U, (-x[0], -x[1], -x[2], -x[3]))
        if b.parent > 0 and not is_next(t, i):
            add_to_flow(z, d.flows, b.parent * TILE, F)


@inlined
def add_to_flow(z, flows, at, F):
    """Add a tile to one in memory."""
    for k in range(6):
        G = load4(z, flows, at + 4 * k)
        store4(z, flows, at + 4 * k, add4(G, 1.0, F[k]))


@kernel
def take_outward(z, t, X, c, bodies, d):
    """Outward over the first `bodies` bodies, four columns of X from c on."""
    s = stride(header(t).nv)
    A = zero_tile(z)
    for i in range(bodies):
        b = body_at(t, i)
        if b.parent == 0:
            A = zero_tile(z)
        elif not is_next(t, i):
            A = load_tile(z, d.flows, b.parent * TILE)
        for k in range(b.v0, b.v0 + b.nv):
            x, W = load4(z, X, k * s + c), load6(z, d.gives, k * GIVE + 6)
            x = add_product(x, (-W[0], -W[1], -W[2], -W[3], -W[4], -W[5]), A)
            store4(z, X, k * s + c, x)
            A = add_outer(A, load6(z, d.moves, k * MOVE.size + MOVE.s), x)
        if passes_memory(t, i, bodies):
            put_flow(z, d.flows, (i + 1) * TILE, A)


@inlined
def put_flow(z, flows, at, A):
    """Store a tile."""
    for k in range(6):
        store4(z, flows, at + 4 * k, A[k])


@kernel
def respond_columns(z, t, X, d):
    """X ↦ M⁻¹ X in place; rows of prescribed coordinates become zero."""
    for c in range(0, stride(header(t).nv), 4):
        give_inward(z, t, X, c, header(t).bodies, d)
        take_outward(z, t, X, c, header(t).bodies, d)


@kernel
def bodies_until(t, column):
    """How many bodies come before the first whose columns all are after a column."""
    for i in range(header(t).bodies):
        if body_at(t, i).v0 > column:
            return i
    return header(t).bodies


@kernel
def respond_units(z, t, X, d):
    """X = M⁻¹: the upper half as answers to unit forces, the lower one is its mirror."""
    n = header(t).nv
    s = stride(n)
    for i in range(even(n)):
        for c in range(s):
            store(z, X, i * s + c, z + (1.0 if i == c else 0.0))
    for c in range(0, s, 4):
        count = bodies_until(t, c + 3)
        give_inward(z, t, X, c, count, d)
        take_outward(z, t, X, c, count, d)
    for i in range(n):
        for j in range(i):
            store(z, X, i * s + j, load(z, X, j * s + i))
