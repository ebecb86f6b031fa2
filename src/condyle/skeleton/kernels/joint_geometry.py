"""Where bodies and joints are: rotations, inertias in world axes, levers, turning axes, and how far joints gape."""

from __future__ import annotations

from ...numeric import inlined, kernel
from ...spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    load3,
    load4,
    load9,
    matvec,
    quaternion_rotation,
    store3,
    store6,
    store9,
    sub3,
)
from .rotations import congruence, dual_basis


@inlined
def lever(joints, j, k):
    """Three constants of joint j."""
    return joints[j, k], joints[j, k + 1], joints[j, k + 2]


@inlined
def own_inertia(bodies, i, k):
    """The moment of inertia (k = 1) of body i, or its inverse (k = 7)."""
    return bodies[i, k], bodies[i, k + 1], bodies[i, k + 2], bodies[i, k + 3], bodies[i, k + 4], bodies[i, k + 5]


@kernel
def turn_bodies(z, w, o, bodies, x):
    """The rotations of the state at x."""
    for i in range(len(bodies)):
        store9(z, w, o.R + 9 * i, quaternion_rotation(*load4(z, w, x + 13 * i + 3)))


@kernel
def place_bodies(z, w, o, bodies):
    """The inertia [A B; Bᵀ C] = [R I Rᵀ, 0; 0, m] of every body in world axes: A (6), B (9), C (6)."""
    for i in range(len(bodies)):
        at, m = o.M + 21 * i, z + bodies[i, 0]
        store6(z, w, at, congruence(load9(z, w, o.R + 9 * i), own_inertia(bodies, i, 1)))
        store9(z, w, at + 6, (z, z, z, z, z, z, z, z, z))
        store6(z, w, at + 15, (m, z, z, m, z, m))


@kernel
def place_joints(z, w, o, links, joints):
    """Levers R l of both bodies and the axes n of the turning rows: the rates of `gaps` are n · (ω₁ − ω₂).

    The axes that are not locked are those that the locked ones leave free: z₂ for a hinge, the frame for a ball. Then
    the basis dual to the axes.
    """
    for j in range(len(links)):
        R1, R2 = load9(z, w, o.R + 9 * links[j, 0]), load9(z, w, o.R + 9 * links[j, 1])
        at = o.arm + 15 * j
        store3(z, w, at, matvec(R1, lever(joints, j, 0)))
        store3(z, w, at + 3, matvec(R2, lever(joints, j, 3)))
        n0, n1 = matvec(R1, lever(joints, j, 6)), matvec(R1, lever(joints, j, 9))
        locked = links[j, 2]
        if locked == 0:
            n2 = matvec(R1, lever(joints, j, 12))
        else:
            n2 = matvec(R2, lever(joints, j, 21))
            first, n0, n1 = n0, cross(n0, n2), cross(n1, n2)
            if locked > 2:
                n2 = cross(first, matvec(R2, lever(joints, j, 18)))
        store3(z, w, at + 6, n0)
        store3(z, w, at + 9, n1)
        store3(z, w, at + 12, n2)
        m0, m1, m2 = dual_basis(n0, n1, n2)
        store3(z, w, o.dual + 9 * j, m0)
        store3(z, w, o.dual + 9 * j + 3, m1)
        store3(z, w, o.dual + 9 * j + 6, m2)


@kernel
def gaps(z, w, links, joints, x, R, factor, b):
    """b = factor · g for every joint, and Σ g² in units of each joint's distance from the origin.

    g is the point gap of equation (1), then x₁·z₂ and y₁·z₂ (hinge, weld) and x₁·y₂ (weld): as many rows as the joint
    locks, invariant under rigid motions, zero where the axes agree.  [Hakenberg, eq. 1]
    """
    total = z
    for j in range(len(links)):
        i, k, locked = links[j, 0], links[j, 1], links[j, 2]
        R1, R2 = load9(z, w, R + 9 * i), load9(z, w, R + 9 * k)
        p1, p2 = load3(z, w, x + 13 * i), load3(z, w, x + 13 * k)
        g = sub3(
            add3(p1, matvec(R1, lever(joints, j, 0))),
            add3(p2, matvec(R2, lever(joints, j, 3))),
        )
        store3(z, w, b + 6 * j, (factor * g[0], factor * g[1], factor * g[2]))
        total = total + dot3(g, g) / (1.0 + dot3(p1, p1))
        if locked > 0:
            axis, first = matvec(R2, lever(joints, j, 21)), matvec(R1, lever(joints, j, 6))
            u, v = dot3(first, axis), dot3(matvec(R1, lever(joints, j, 9)), axis)
            t = dot3(first, matvec(R2, lever(joints, j, 18))) if locked > 2 else z
            store3(z, w, b + 6 * j + 3, (factor * u, factor * v, factor * t))
            total = total + u * u + v * v + t * t
        else:
            store3(z, w, b + 6 * j + 3, (z, z, z))
    return total
