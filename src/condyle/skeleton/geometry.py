"""Where bodies and joints are: rotations, inertias in world axes, levers, turning axes, and how far joints gape."""

from __future__ import annotations

from ..numeric import inlined, kernel, store
from ..spatial.algebra import add3, cross, dot3, load3, load9, matvec, quaternion_rotation, store3, store9, sub3
from .algebra import congruence, load4

__all__ = ["gaps", "lever", "own_inertia", "place_bodies", "place_joints"]


@inlined
def lever(joints, j, k):
    """Three constants of joint j."""
    return joints[j, k], joints[j, k + 1], joints[j, k + 2]


@inlined
def own_inertia(bodies, i, k):
    """The moment of inertia (k = 1) of body i, or its inverse (k = 7)."""
    return bodies[i, k], bodies[i, k + 1], bodies[i, k + 2], bodies[i, k + 3], bodies[i, k + 4], bodies[i, k + 5]


@kernel
def place_bodies(z, w, o, bodies, x):
    """Rotations, and the inertia [R I Rᵀ, 0; 0, m] of every body in world axes."""
    for i in range(len(bodies)):
        turn = quaternion_rotation(*load4(z, w, x + 13 * i + 3))
        store9(z, w, o.R + 9 * i, turn)
        S = congruence(turn, own_inertia(bodies, i, 1))
        at = o.M + 21 * i
        store3(z, w, at, (S[0], S[1], S[2]))
        store3(z, w, at + 3, (S[3], S[4], S[5]))
        for k in range(6, 21):
            store(z, w, at + k, z)
        for k in (9, 14, 20):
            store(z, w, at + k, z + bodies[i, 0])


@kernel
def place_joints(z, w, o, links, joints):
    """Levers R l of both bodies and the axes n of the turning rows: the rates of `gaps` are n · (ω₁ − ω₂)."""
    for j in range(len(links)):
        R1, R2 = load9(z, w, o.R + 9 * links[j, 0]), load9(z, w, o.R + 9 * links[j, 1])
        at = o.arm + 15 * j
        store3(z, w, at, matvec(R1, lever(joints, j, 0)))
        store3(z, w, at + 3, matvec(R2, lever(joints, j, 3)))
        n0, n1, n2 = matvec(R1, lever(joints, j, 6)), matvec(R1, lever(joints, j, 9)), matvec(R1, lever(joints, j, 12))
        locked = links[j, 2]
        if locked > 0:
            axis = matvec(R2, lever(joints, j, 21))
            if locked > 2:
                n2 = cross(n0, matvec(R2, lever(joints, j, 18)))
            n0, n1 = cross(n0, axis), cross(n1, axis)
        store3(z, w, at + 6, n0)
        store3(z, w, at + 9, n1)
        store3(z, w, at + 12, n2)


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
