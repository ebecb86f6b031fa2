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
def factor_all(z, plan, rows, soft, work):
    """The tree, then the loops."""
    factor_tree(z, plan, rows, soft, work)
    if len(plan.loops) > 0:
        respond(z, plan, rows, work)
        assemble(z, plan, rows, soft, work)
        invert(z, work, loop_rows(plan, rows))


@kernel
def solve_all(z, plan, rows, work, f, b):
    """Forces f become accelerations, right-hand sides b become reactions."""
    solve_tree(z, plan, rows, work, f, 0, b, 0)
    if len(plan.loops) > 0:
        close_loops(z, plan, rows, work, f, b)


@kernel
def loop_rows(plan, rows):
    """How many unknowns the loops have."""
    total = 0
    for l in range(len(plan.loops)):
        total += rows[plan.loops[l]]
    return total


@kernel
def respond(z, plan, rows, work):
    """What a unit reaction in each loop row does to the tree."""
    n, joints, line = 6 * len(plan.bodies), 6 * len(plan.links), 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        for i in range(rows[j]):
            ft, bt = n * line, joints * line
            for k in range(n):
                store(z, work.response, ft + k, z)
            for k in range(joints):
                store(z, work.reaction, bt + k, z)
            store(z, work.reaction, bt + 6 * j + i, z + 1.0)
            push(z, plan.links, work.arm, j, work.reaction, bt, work.response, ft)
            solve_tree(z, plan, rows, work, work.response, ft, work.reaction, bt)
            line += 1


@kernel
def assemble(z, plan, rows, soft, work):
    """C = G_l (response) + Σ, and the scale of each row: the compliance of its joint's bodies alone."""
    size, n = loop_rows(plan, rows), 6 * len(plan.bodies)
    for column in range(size):
        line = 0
        for l in range(len(plan.loops)):
            j = plan.loops[l]
            g = openings(z, plan.links, work.arm, j, work.response, n * column)
            for i in range(rows[j]):
                value = g[i] + (soft[j] if i >= 3 + plan.links[j, 2] and line == column else 0.0)
                store(z, work.C, line * size + column, value)
                line += 1
    line = 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        for i in range(rows[j]):
            light = own_compliance(plan, j, i)
            store(z, work.E, size + line, z + 1.0 / sqrt(light))
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
def invert(z, work, n):
    """The pseudo-inverse P of C; eigenvalues that count as zero are stored as zero."""
    C, V, E, P = work.C, work.V, work.E, work.P
    for i in range(n):
        for k in range(i + 1):
            scale = load(z, E, n + i) * load(z, E, n + k)
            value = 0.5 * scale * (load(z, C, i * n + k) + load(z, C, k * n + i))
            store(z, C, i * n + k, value)
            store(z, C, k * n + i, value)
    diagonalise(z, C, V, n)
    for i in range(n):
        value = load(z, C, i * n + i)
        store(z, E, i, select(less(value, REDUNDANT), z, value))
    for i in range(n):
        for k in range(n):
            s = z
            for m in range(n):
                value = load(z, E, m)
                gone = less(value, REDUNDANT)
                inverse = select(gone, z, 1.0 / select(gone, z + 1.0, value))
                s = s + load(z, V, i * n + m) * load(z, V, k * n + m) * inverse
            store(z, P, i * n + k, s * load(z, E, n + i) * load(z, E, n + k))


@kernel
def close_loops(z, plan, rows, work, f, b):
    """λ = P (b − G a) in the loops, and what it adds to the accelerations and to the tree's reactions."""
    size, n, joints, line = loop_rows(plan, rows), 6 * len(plan.bodies), 6 * len(plan.links), 0
    for l in range(len(plan.loops)):
        j = plan.loops[l]
        g = openings(z, plan.links, work.arm, j, f, 0)
        for i in range(rows[j]):
            store(z, work.E, 2 * size + line, load(z, b, 6 * j + i) - g[i])
            store(z, b, 6 * j + i, z)
            line += 1
    for line in range(size):
        s = z
        for k in range(size):
            s = s + load(z, work.P, line * size + k) * load(z, work.E, 2 * size + k)
        for k in range(n):
            store(z, f, k, load(z, f, k) + s * load(z, work.response, n * line + k))
        for k in range(joints):
            store(z, b, k, load(z, b, k) + s * load(z, work.reaction, joints * line + k))
