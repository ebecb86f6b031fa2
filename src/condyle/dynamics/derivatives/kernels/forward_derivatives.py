"""Derivatives of forward dynamics: ∂a = −M⁻¹ ∂ID at the accelerations that the forces give, and ∂a/∂τ = M⁻¹.

Prescribed coordinates p keep their accelerations: their rows are zero, and the others answer with M_ff⁻¹ alone.
"""

from ....model.kernels.records import header, is_prescribed
from ....numeric import entry, kernel, pack, release, scratch, store, tables, unpack, width
from ...kernels.forward import forward
from ...kernels.scratch import External, tree_scratch
from .derivative_scratch import FULL, derivative_scratch
from .inverse_derivatives import clear_matrices, differentiate, write_matrix
from .mass_factor import factorize, invert, solve_beside, solve_columns, stride
from .mass_response import place_gives, respond_columns, respond_units
from .matrix_rows import mark_chain


@kernel
def hold_prescribed(z, t, d):
    """No row and no column of M, and no row of ∂ID, for prescribed coordinates."""
    n = header(t).nv
    s = stride(n)
    for p in range(n):
        if is_prescribed(t, p):
            for k in range(n):
                store(z, d.mass, p * s + k, z)
                store(z, d.mass, k * s + p, z)
                store(z, d.by_q, p * s + k, z)
                store(z, d.by_v, p * s + k, z)
            store(z, d.mass, p * (s + 1), z + 1.0)


@kernel
def release_prescribed(z, t, d):
    """Forces on prescribed coordinates move nothing."""
    for p in range(header(t).nv):
        if is_prescribed(t, p):
            store(z, d.inverse, p * (stride(header(t).nv) + 1), z)


@kernel
def solve_full(z, side, t, d):
    """With the factor of the whole mass matrix."""
    driven, n = header(t).driven, header(t).nv
    if driven:
        hold_prescribed(z, t, d)
    factorize(z, d.mass, d.diagonal, n)
    if width(side) > width(z):
        solve_beside(z, side, d.mass, d.by_q, d.by_v, d.inverse, (d.diagonal, d.beside), n)
    else:
        solve_columns(z, d.mass, d.by_q, d.diagonal, n)
        solve_columns(z, d.mass, d.by_v, d.diagonal, n)
        invert(z, d.mass, d.inverse, d.diagonal, n)
    if driven:
        release_prescribed(z, t, d)


@kernel
def solve_along_tree(z, t, m, d):
    """With the factors that forward dynamics has left."""
    place_gives(z, t, m, d)
    respond_columns(z, t, d.by_q, d)
    respond_columns(z, t, d.by_v, d)
    respond_units(z, t, d.inverse, d)


@kernel
def forward_derivatives(z, side, t, q, v, external, m, d):
    """−∂a/∂q to d.by_q, −∂a/∂v to d.by_v, ∂a/∂τ to d.inverse; a to their place in d; the status as `forward` gives."""
    status = forward(z, t, q, v, d.rates.accelerations, external, m)
    clear_matrices(z, t, d)
    differentiate(z, side, t, q, v, external, m, d)
    if header(t).nv > FULL:
        solve_along_tree(z, t, m, d)
    else:
        solve_full(z, side, t, d)
    return status


@entry
def forward_derivative_states(z, side, pair, states, start, stop):
    """BY_Q, BY_V and BY_TAU (count, nv²), A, STATUS of states = (Q, V, TAU, W, A, BY_Q, BY_V, BY_TAU, FINE, STATUS).

    `side` is the zero of lanes, see `matrix_rows`. FINE (count, 1) is 0, or NaN if a number of the state's matrices is
    not finite.
    """
    t = tables(pair)
    Q, V, TAU, W, A, BY_Q, BY_V, BY_TAU, FINE, STATUS = states
    h, m = header(t), tree_scratch(z, t)
    q, v, tau, a = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv)
    w, s, d = scratch(z, 6 * h.bodies), scratch(z, 1), derivative_scratch(z, t, a)
    external = External(tau, w, W.shape[0] > 0)
    mark_chain(t, d.marks)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, TAU, first, stop, tau)
        if h.driven:
            pack(z, A, first, stop, a)
        if external.pushed:
            pack(z, W, first, stop, w)
        store(z, s, 0, forward_derivatives(z, side, t, q, v, external, m, d))
        unpack(z, a, A, first, stop)
        unpack(z, s, STATUS, first, stop)
        fine = write_matrix(z, side, d.by_q, h.nv, -1.0, BY_Q, (first, stop), d)
        fine = fine + write_matrix(z, side, d.by_v, h.nv, -1.0, BY_V, (first, stop), d)
        store(z, s, 0, fine + write_matrix(z, side, d.inverse, h.nv, 1.0, BY_TAU, (first, stop), d))
        unpack(z, s, FINE, first, stop)
    release(m, d, q, v, tau, w, s)
