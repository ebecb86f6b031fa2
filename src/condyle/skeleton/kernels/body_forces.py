"""Forces on bodies: gravity, external loads, motors and friction in joints, and what turning bodies do to themselves.

Loads of one instant are numbers in a row: a motor torque (3) per joint in the axes of its first body, then for each
body a force (3) at the centre of mass and a torque (3), both in world axes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numeric import any_lane, inlined, kernel, less, magnitude, select, store
from ...spatial.kernels.algebra import add3, cross, dot3, load3, load9, matvec, scale3, store3, sub3
from ...spatial.kernels.inertia import symmetric_times
from .joint_geometry import lever, own_inertia


class Instant(NamedTuple):
    """Loads of one instant: numbers of `loads` from `at` on."""

    loads: Any
    at: int


@kernel
def clear(z, w, f, n):
    """n zeros."""
    for k in range(n):
        store(z, w, f + k, z)


@kernel
def add_body_loads(z, w, plan, weight, instant, f):
    """f += weight · (external torque; external force + m g)."""
    loads, start, g = instant.loads, instant.at + 3 * len(plan.links), plan.gravity
    for i in range(len(plan.bodies) - 1):
        m, k = plan.bodies[i, 0], start + 6 * i
        pull = add3(load3(z, loads, k), (m * g[0], m * g[1], m * g[2]))
        store3(z, w, f + 6 * i, add3(load3(z, w, f + 6 * i), scale3(weight, load3(z, loads, k + 3))))
        store3(z, w, f + 6 * i + 3, add3(load3(z, w, f + 6 * i + 3), scale3(weight, pull)))


@inlined
def driven(z, instant, j):
    """Whether the motor of joint j has a torque in any lane, NaN included."""
    a, b, c = load3(z, instant.loads, instant.at + 3 * j)
    still = less(magnitude(a) + magnitude(b) + magnitude(c), 5e-324)
    return any_lane(less(0.5, select(still, z, z + 1.0)))


@kernel
def add_joint_torques(z, w, o, plan, shares, x, instant, f):
    """f += ±e with e = motor · (motor torque) − friction · μ (ω₁ − ω₂), plus on the first body, for those two `shares`.

    [Hakenberg, e_j]
    """
    motor, friction = shares
    for j in range(len(plan.links)):
        i, k, mu = plan.links[j, 0], plan.links[j, 1], friction * plan.joints[j, 24]
        if mu == 0.0 and not driven(z, instant, j):
            continue
        R1, R2 = load9(z, w, o.R + 9 * i), load9(z, w, o.R + 9 * k)
        slip = sub3(matvec(R1, load3(z, w, x + 13 * i + 10)), matvec(R2, load3(z, w, x + 13 * k + 10)))
        e = sub3(scale3(motor, matvec(R1, load3(z, instant.loads, instant.at + 3 * j))), scale3(mu, slip))
        store3(z, w, f + 6 * i, add3(load3(z, w, f + 6 * i), e))
        store3(z, w, f + 6 * k, sub3(load3(z, w, f + 6 * k), e))


@kernel
def gyroscopic(z, w, o, plan, x, f):
    """f −= ω × I ω, in world axes."""
    for i in range(len(plan.bodies) - 1):
        rate = load3(z, w, x + 13 * i + 10)
        bias = matvec(load9(z, w, o.R + 9 * i), cross(rate, symmetric_times(own_inertia(plan.bodies, i, 1), rate)))
        store3(z, w, f + 6 * i, sub3(load3(z, w, f + 6 * i), bias))


@kernel
def world_rates(z, w, o, plan, x, u):
    """Angular velocities in world axes and velocities, 6 numbers per body."""
    for i in range(len(plan.bodies)):
        store3(z, w, u + 6 * i, matvec(load9(z, w, o.R + 9 * i), load3(z, w, x + 13 * i + 10)))
        store3(z, w, u + 6 * i + 3, load3(z, w, x + 13 * i + 7))


@kernel
def biases(z, w, o, plan, u, step):
    """Right-hand sides of the rows: minus what the velocities u add to the second derivative of the gaps.

    [Hakenberg, eq. 3]; the rows of implicit friction, n·(α₁ − α₂) + λ/(h μ) = −n·(ω₁ − ω₂)/h, are filled for all
    joints and used by those that have them.
    """
    for j in range(len(plan.links)):
        i, k, locked = plan.links[j, 0], plan.links[j, 1], plan.links[j, 2]
        w1, w2 = load3(z, w, u + 6 * i), load3(z, w, u + 6 * k)
        a1 = cross(w1, cross(w1, load3(z, w, o.arm + 15 * j)))
        a2 = cross(w2, cross(w2, load3(z, w, o.arm + 15 * j + 3)))
        store3(z, w, o.b + 6 * j, sub3(a2, a1))
        R1, R2 = load9(z, w, o.R + 9 * i), load9(z, w, o.R + 9 * k)
        for m in range(3):
            if m < locked:
                store(z, w, o.b + 6 * j + 3 + m, turning_bias(plan.joints, j, m, R1, R2, w1, w2))
            else:
                slip = dot3(load3(z, w, o.arm + 15 * j + 6 + 3 * m), sub3(w1, w2))
                store(z, w, o.b + 6 * j + 3 + m, -slip / step)


@kernel
def turning_bias(joints, j, row, R1, R2, w1, w2):
    """−d(p × q)/dt · (ω₁ − ω₂) for the row p·q, with p of the first body and q of the second."""
    p = matvec(R1, lever(joints, j, 6 if row == 2 else 6 + 3 * row))
    q = matvec(R2, lever(joints, j, 18 if row == 2 else 21))
    change = add3(cross(cross(w1, p), q), cross(p, cross(w2, q)))
    return dot3(change, sub3(w2, w1))
