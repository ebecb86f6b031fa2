"""What forces along the rows of constraints do: J M⁻¹ Jᵀ, and M⁻¹ Jᵀ λ.

With M = Lᵀ D L as `articulate` factors it, an inward pass over a row j leaves u = L⁻ᵀ j in the columns; then
j M⁻¹ kᵀ = Σ u_j u_k / d, and one outward pass over Σ λ u gives M⁻¹ Jᵀ λ. Clusters of velocities with followers are
eliminated together, in another form: for them M⁻¹ Jᵀ is kept row by row. Which it is, is decided when compiling.
"""

from ....model.kernels.records import header, is_prescribed
from ....numeric import inlined, kernel, load, store
from ...kernels.cluster_responses import absorb_clusters, spread
from ...kernels.mass_inverse import absorb_tree, respond_tree
from ...kernels.scratch_layout import COLUMN


@inlined
def respond_rows(z, t, n, m, c):
    """J M⁻¹ Jᵀ of the first n rows to c.gram; what `correct` needs to c.response."""
    if_folded_respond(z, t, n, m, c, m.fold)


@inlined
def if_folded_respond(z, t, n, m, c, fold):
    """In the form of trees, or in that of clusters."""
    if fold is None:
        respond_by_factors(z, t, n, m, c)
    else:
        respond_by_rows(z, t, n, m, c)


@kernel
def respond_by_factors(z, t, n, m, c):
    """u of every row."""
    nv = header(t).nv
    for i in range(n):
        absorb_tree(z, t, c.jacobian, i * nv, False, m)
        for k in range(nv):
            column = k * COLUMN.size
            u = z if is_prescribed(t, k) else load(z, m.columns, column + COLUMN.rest)
            store(z, c.response, i * nv + k, u)
            store(z, c.move, k, z if is_prescribed(t, k) else u * load(z, m.columns, column + COLUMN.inverse))
        put_products(z, n, nv, i, c.response, c.move, 0, c.gram)


@kernel
def respond_by_rows(z, t, n, m, c):
    """M⁻¹ Jᵀ."""
    nv = header(t).nv
    for i in range(n):
        absorb_clusters(z, t, c.jacobian, i * nv, False, m)
        spread(z, t, c.response, i * nv, False, m, z)
        put_products(z, n, nv, i, c.jacobian, c.response, i * nv, c.gram)


@kernel
def put_products(z, n, nv, i, rows, y, at, A):
    """Row and column i of A up to its diagonal: products of the first rows with y[at …]."""
    for j in range(i + 1):
        s = z
        for k in range(nv):
            s = s + load(z, rows, j * nv + k) * load(z, y, at + k)
        store(z, A, i * n + j, s)
        store(z, A, j * n + i, s)


@kernel
def put_sums(z, n, nv, c):
    """Σ over rows of λ times what is in c.response, to c.move."""
    for k in range(nv):
        store(z, c.move, k, z)
    for i in range(n):
        force = load(z, c.multipliers, i)
        for k in range(nv):
            store(z, c.move, k, load(z, c.move, k) + force * load(z, c.response, i * nv + k))


@kernel
def correct(z, t, n, x, m, c):
    """x −= M⁻¹ Jᵀ λ."""
    nv = header(t).nv
    put_sums(z, n, nv, c)
    outward(z, t, m, c, m.fold)
    for k in range(nv):
        store(z, x, k, load(z, x, k) - load(z, c.move, k))


@inlined
def outward(z, t, m, c, fold):
    """M⁻¹ Jᵀ λ to c.move, from Σ λ u there; with clusters it is there."""
    if fold is None:
        for k in range(header(t).nv):
            store(z, m.columns, k * COLUMN.size + COLUMN.rest, load(z, c.move, k))
        respond_tree(z, t, c.move, 0, m)
