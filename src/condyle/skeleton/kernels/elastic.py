"""Forces of springs between points and of springs and limits on hinges, added to what acts on the bodies."""

from __future__ import annotations

from ...forces.kernels.shared import beyond, direction, elastic_force, limit_force
from ...numeric import arctan, inlined, kernel, load, sincos, sqrt, store
from ...spatial.kernels.algebra import add3, cross, dot3, load3, load9, matvec, scale3, store3, sub3
from .joint_geometry import lever


@kernel
def add_elastic(z, w, o, plan, weight, x, f):
    """f += weight · (torque; force) of every spring and limit at the state x; R must be there."""
    for s in range(len(plan.springs)):
        add_spring(z, w, o, plan.springs, s, weight, x, f)
    for l in range(len(plan.limits)):
        add_limit(z, w, o, plan, l, weight, x, f)


@inlined
def spring_end(z, w, o, springs, s, side, x):
    """Lever, place and velocity of one end of a spring, world axes."""
    i, at = int(springs[s, side]), 2 + 3 * side
    R = load9(z, w, o.R + 9 * i)
    arm = matvec(R, (springs[s, at], springs[s, at + 1], springs[s, at + 2]))
    spin = matvec(R, load3(z, w, x + 13 * i + 10))
    return arm, add3(load3(z, w, x + 13 * i), arm), add3(load3(z, w, x + 13 * i + 7), cross(spin, arm))


@kernel
def add_spring(z, w, o, springs, s, weight, x, f):
    """Pull both ends together along the line between them."""
    r1, p1, v1 = spring_end(z, w, o, springs, s, 0, x)
    r2, p2, v2 = spring_end(z, w, o, springs, s, 1, x)
    n, length = direction(z, sub3(p2, p1))
    pull = elastic_force(springs[s, 8], length - springs[s, 9], springs[s, 10], dot3(n, sub3(v2, v1)))
    force = scale3(weight * pull, n)
    i, k = f + 6 * int(springs[s, 0]), f + 6 * int(springs[s, 1])
    store3(z, w, i, add3(load3(z, w, i), cross(r1, force)))
    store3(z, w, i + 3, add3(load3(z, w, i + 3), force))
    store3(z, w, k, sub3(load3(z, w, k), cross(r2, force)))
    store3(z, w, k + 3, sub3(load3(z, w, k + 3), force))


@kernel
def angle_of(z, w, o, plan, l):
    """The angle of limit l's hinge with its turns counted: of all it could be, the nearest to the one before."""
    j = int(plan.limits[l, 0])
    R1, R2 = load9(z, w, o.R + 9 * plan.links[j, 0]), load9(z, w, o.R + 9 * plan.links[j, 1])
    x1 = matvec(R1, lever(plan.joints, j, 6))
    u, v = dot3(x1, matvec(R2, lever(plan.joints, j, 15))), dot3(x1, matvec(R2, lever(plan.joints, j, 18)))
    before = load(z, w, o.angle + l)
    s, c = sincos(before)
    sine, cosine = c * v - s * u, c * u + s * v
    return before + 2.0 * arctan(sine / (sqrt(u * u + v * v) + cosine + 1e-300))


@kernel
def add_limit(z, w, o, plan, l, weight, x, f):
    """The torque of a limit: it pushes back and never pulls."""
    j, table = int(plan.limits[l, 0]), plan.limits
    i, k = plan.links[j, 0], plan.links[j, 1]
    R1, R2 = load9(z, w, o.R + 9 * i), load9(z, w, o.R + 9 * k)
    axis = matvec(R1, lever(plan.joints, j, 12))
    slip = sub3(matvec(R1, load3(z, w, x + 13 * i + 10)), matvec(R2, load3(z, w, x + 13 * k + 10)))
    past = beyond(z, angle_of(z, w, o, plan, l), table[l, 1], table[l, 2])
    e = scale3(-weight * limit_force(z, table[l, 3], past, table[l, 4], dot3(axis, slip)), axis)
    store3(z, w, f + 6 * i, add3(load3(z, w, f + 6 * i), e))
    store3(z, w, f + 6 * k, sub3(load3(z, w, f + 6 * k), e))


@kernel
def count_turns(z, w, o, plan):
    """Keep the angles of this moment; R must be there."""
    for l in range(len(plan.limits)):
        store(z, w, o.angle + l, angle_of(z, w, o, plan, l))


@kernel
def any_damper(plan):
    """Whether any spring or limit has a force that depends on velocities."""
    total = 0.0
    for s in range(len(plan.springs)):
        total += plan.springs[s, 10]
    for l in range(len(plan.limits)):
        total += plan.limits[l, 4]
    return total > 0.0
