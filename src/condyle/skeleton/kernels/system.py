"""The whole constrained system: branches inward, core, branches outward."""

from __future__ import annotations

from ...numeric import kernel
from ...spatial.kernels.algebra import store6
from .elimination import factor_tree, solve_inward, solve_outward
from .loop_solver import factor_core, solve_core


@kernel
def factor_all(z, w, o, plan, drag):
    """Factor the inertias and joints placed in the work array; `drag` is zero but for implicit friction."""
    factor_tree(z, w, o, plan, drag)
    factor_core(z, w, o, plan, drag)


@kernel
def solve_all(z, w, o, plan, drag, rounds, f, b):
    """Forces f become accelerations, right-hand sides b become reactions; loops are solved in `rounds`."""
    solve_inward(z, w, o, plan, drag, f, b)
    store6(z, w, f + 6 * (len(plan.bodies) - 1), (z, z, z, z, z, z))
    solve_core(z, w, o, plan, drag, rounds, f, b)
    solve_outward(z, w, o, plan, drag, f, b)
