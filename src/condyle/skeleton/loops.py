"""Loops: joints outside the spanning tree, through their own small system.

Each unit reaction of a loop joint moves the tree (linear time); how that opens the loop joints is a symmetric positive
semidefinite matrix C with as many rows as the loop joints lock. Its eigenvalues, with rows scaled to unit diagonal of
the bodies' own compliance, decide the rank: a loop may be redundant (a planar ring of hinges is, three times over).
"""

from __future__ import annotations

from ..numeric import kernel, less, load, select, sqrt, store
from .elimination import factor_tree, solve_tree
from .jacobi import diagonalise
from .rows import openings, push

__all__ = ["REDUNDANT", "factor_all", "solve_all"]

REDUNDANT = 1e-9  # an eigenvalue of the scaled system below this carries no reaction


@kernel
def factor_all(z, w, o, plan, rows, soft):
    """The tree, then the loops."""
    factor_tree(z, w, o, plan, rows, soft)
    if len(plan.loops) > 0:
        respond(z, w, o, plan, rows)
        assemble(z, w, o, plan, rows, soft)
        invert(z, w, o, loop_rows(plan, rows))


@kernel
def solve_all(z, w, o, plan, rows, f, b):
    """Forces f become accelerations, right-hand sides b become reactions."""
    solve_tree(z, w, o, plan, rows, f, b)
    if len(plan.loops) > 0:
        close_loops(z, w, o, plan, rows, f, b)


@kernel
def loop_rows(plan, rows):
    """How many unknowns the loops have."""
    total = 0
    for l in range(len(plan.loops)):
        total += rows[plan.loops[l]]
    return total


@kernel
def respond(z, w, o, plan, rows):
    """What a unit reaction in each loop row does to the tree."""
    n, joints, line = 6 * len(plan.bodies), 6 * len(plan.links), 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        for i in range(rows[j]):
            f, b = o.response + n * line, o.reaction + joints * line
            for k in range(n):
                store(z, w, f + k, z)
            for k in range(joints):
                store(z, w, b + k, z)
            store(z, w, b + 6 * j + i, z + 1.0)
            push(z, w, plan.links, o.arm, j, b, f)
            solve_tree(z, w, o, plan, rows, f, b)
            line += 1


@kernel
def assemble(z, w, o, plan, rows, soft):
    """C = G_l (response) + Σ, and the scale of each row: the compliance of its joint's bodies alone."""
    size, n = loop_rows(plan, rows), 6 * len(plan.bodies)
    for column in range(size):
        line = 0
        for l in range(len(plan.loops)):
            j = plan.loops[l]
            g = openings(z, w, plan.links, o.arm, j, o.response + n * column)
            for i in range(rows[j]):
                value = g[i] + (soft[j] if i >= 3 + plan.links[j, 2] and line == column else 0.0)
                store(z, w, o.C + line * size + column, value)
                line += 1
    line = 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        for i in range(rows[j]):
            light = own_compliance(plan, j, i)
            store(z, w, o.E + size + line, z + 1.0 / sqrt(light))
            line += 1


@kernel
def own_compliance(plan, j, i):
    """1/m (point rows) or 1/I (turning rows) of the bodies of joint j, the world not counted."""
    world, total = len(plan.bodies) - 1, 0.0
    for side in range(2):
        k = plan.links[j, side]
        if k != world:
            total += 1.0 / plan.bodies[k, 0] if i < 3 else plan.bodies[k, 7] + plan.bodies[k, 9] + plan.bodies[k, 12]
    return total


@kernel
def invert(z, w, o, n):
    """The pseudo-inverse P of C; eigenvalues that count as zero are stored as zero."""
    C, V, E, P = o.C, o.V, o.E, o.P
    for i in range(n):
        for k in range(i + 1):
            scale = load(z, w, E + n + i) * load(z, w, E + n + k)
            value = 0.5 * scale * (load(z, w, C + i * n + k) + load(z, w, C + k * n + i))
            store(z, w, C + i * n + k, value)
            store(z, w, C + k * n + i, value)
    diagonalise(z, w, C, V, n)
    for i in range(n):
        value = load(z, w, C + i * n + i)
        store(z, w, E + i, select(less(value, REDUNDANT), z, value))
    for i in range(n):
        for k in range(n):
            s = z
            for m in range(n):
                value = load(z, w, E + m)
                gone = less(value, REDUNDANT)
                inverse = select(gone, z, 1.0 / select(gone, z + 1.0, value))
                s = s + load(z, w, V + i * n + m) * load(z, w, V + k * n + m) * inverse
            store(z, w, P + i * n + k, s * load(z, w, E + n + i) * load(z, w, E + n + k))


@kernel
def close_loops(z, w, o, plan, rows, f, b):
    """λ = P (b − G a) in the loops, and what it adds to the accelerations and to the tree's reactions."""
    size, n, joints, line = loop_rows(plan, rows), 6 * len(plan.bodies), 6 * len(plan.links), 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        g = openings(z, w, plan.links, o.arm, j, f)
        for i in range(rows[j]):
            store(z, w, o.E + 2 * size + line, load(z, w, b + 6 * j + i) - g[i])
            store(z, w, b + 6 * j + i, z)
            line += 1
    for line in range(size):
        s = z
        for k in range(size):
            s = s + load(z, w, o.P + line * size + k) * load(z, w, o.E + 2 * size + k)
        for k in range(n):
            store(z, w, f + k, load(z, w, f + k) + s * load(z, w, o.response + n * line + k))
        for k in range(joints):
            store(z, w, b + k, load(z, w, b + k) + s * load(z, w, o.reaction + joints * line + k))
