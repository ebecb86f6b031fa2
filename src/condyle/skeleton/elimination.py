"""The constrained system [M −Gᵀ; G Σ] [a; λ] = [f; b] on a tree, in time linear in the bodies.

Leaves first, each child body and then its joint is eliminated: M̃ = L Lᵀ, Y = L⁻¹ G_cᵀ, K = YᵀY + Σ is the joint's own
block of 5 (hinge), 3 (ball) or 6 (weld) unknowns, and the parent gains G_pᵀ K⁻¹ G_p. Nothing grows beyond 6 × 6,
whatever the branching.  [Baraff1996]  Σ is zero but for rows of implicit friction.
"""

from __future__ import annotations

from ..numeric import kernel, store
from .dense import add_gram, add_product, backward, factor, forward
from .rows import fill_rows

__all__ = ["factor_tree", "solve_tree"]


@kernel
def factor_tree(z, w, o, plan, rows, soft):
    """Factor the inertias and joints placed in `work`; `soft[j]` is Σ of the rows of j beyond the locked ones."""
    world = len(plan.bodies) - 1
    for s in range(len(plan.order)):
        j, c, p = plan.order[s, 0], plan.order[s, 1], plan.order[s, 2]
        used = rows[j]
        factor(z, w, o.M + 21 * c, 6)
        fill_rows(z, w, o.arm, j, plan.links[j, 0] == c, used, o.Y + 36 * j)
        forward(z, w, o.M + 21 * c, 6, o.Y + 36 * j, 1, used, 6)
        start_block(z, w, o.K + 21 * j, used, 3 + plan.links[j, 2], soft[j])
        add_gram(z, w, o.Y + 36 * j, 1, 6, 6, o.K + 21 * j, used)
        factor(z, w, o.K + 21 * j, used)
        if p != world:
            fill_rows(z, w, o.arm, j, plan.links[j, 0] == p, used, o.W + 36 * j)
            forward(z, w, o.K + 21 * j, used, o.W + 36 * j, 6, 6, 1)
            add_gram(z, w, o.W + 36 * j, 6, used, 1, o.M + 21 * p, 6)
    if plan.root != world:
        factor(z, w, o.M + 21 * plan.root, 6)


@kernel
def start_block(z, w, at, used, locked, soft):
    """Zero, with `soft` on the diagonal of the rows that are not locked."""
    for i in range(used):
        for k in range(i + 1):
            store(z, w, at + i * (i + 1) // 2 + k, z + soft if i == k and i >= locked else z)


@kernel
def solve_tree(z, w, o, plan, rows, f, b):
    """Forces f become accelerations and right-hand sides b become reactions, for the joints of the tree."""
    world = len(plan.bodies) - 1
    for s in range(len(plan.order)):
        j, c, p = plan.order[s, 0], plan.order[s, 1], plan.order[s, 2]
        used = rows[j]
        forward(z, w, o.M + 21 * c, 6, f + 6 * c, 1, 1, 0)
        add_product(z, w, -1.0, o.Y + 36 * j, 6, used, 1, 6, f + 6 * c, b + 6 * j)
        forward(z, w, o.K + 21 * j, used, b + 6 * j, 1, 1, 0)
        if p != world:
            add_product(z, w, 1.0, o.W + 36 * j, 1, 6, 6, used, b + 6 * j, f + 6 * p)
    for k in range(6):
        store(z, w, f + 6 * world + k, z)
    if plan.root != world:
        forward(z, w, o.M + 21 * plan.root, 6, f + 6 * plan.root, 1, 1, 0)
        backward(z, w, o.M + 21 * plan.root, 6, f + 6 * plan.root)
    for s in range(len(plan.order) - 1, -1, -1):
        j, c, p = plan.order[s, 0], plan.order[s, 1], plan.order[s, 2]
        used = rows[j]
        if p != world:
            add_product(z, w, -1.0, o.W + 36 * j, 6, used, 1, 6, f + 6 * p, b + 6 * j)
        backward(z, w, o.K + 21 * j, used, b + 6 * j)
        add_product(z, w, 1.0, o.Y + 36 * j, 1, 6, 6, used, b + 6 * j, f + 6 * c)
        backward(z, w, o.M + 21 * c, 6, f + 6 * c)
    clear_unused(z, w, rows, b)


@kernel
def clear_unused(z, w, rows, b):
    """Rows that a joint does not have carry no reaction."""
    for j in range(len(rows)):
        for i in range(rows[j], 6):
            store(z, w, b + 6 * j + i, z)
