"""Forces that live in the model: springs, dampers and limits on coordinates, damped springs between points."""

from ...model.kernels.layout import CONSTANT, DAMPER, GRADUAL_LIMIT, LIMIT, SOFT_LIMIT
from ...model.kernels.records import coordinate_load_at, folding, follower_load_at, header, spring_at
from ...numeric import inlined, kernel, load, seldom, store
from ...spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matvec,
    scale3,
    store6,
    sub3,
    twist_zero,
)
from .bushings import apply_bushings
from .laws import beyond, damper_force, direction, elastic_force, gradual_limit_force, limit_force, soft_limit_force
from .push import push
from .scratch_layout import FOLLOWER, SLOT


@inlined
def soft_limit_constants(numbers, at):
    """Low, high, stiffness below and above, damping, transition."""
    return numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], numbers[at + 5]


@inlined
def gradual_limit_constants(numbers, at):
    """Low, high, stiffness, damping, depth."""
    return numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4]


@inlined
def coordinate_force(z, t, law, x, speed):
    """The generalised force of one load on its coordinate x."""
    kind, at, numbers = law.kind, law.at, t.numbers
    if kind == DAMPER:
        return -damper_force(numbers[at], speed)
    if kind == CONSTANT:
        return z + numbers[at]
    if kind == LIMIT:
        past = beyond(z, x, numbers[at], numbers[at + 1])
        return -limit_force(z, numbers[at + 2], past, numbers[at + 3], speed)
    if kind == SOFT_LIMIT:
        force, _, _ = soft_limit_force(z, soft_limit_constants(numbers, at), x, speed)
        return -force
    if kind == GRADUAL_LIMIT:
        force, _, _ = gradual_limit_force(z, gradual_limit_constants(numbers, at), x, speed)
        return -force
    return -elastic_force(numbers[at], x - numbers[at + 1], numbers[at + 2], speed)


@seldom
def add_coordinate_loads(z, t, q, v, tau):
    """Add every coordinate load to the generalised forces."""
    for i in range(header(t).coordinate_loads):
        f = coordinate_load_at(t, i)
        store(z, tau, f.v, load(z, tau, f.v) + coordinate_force(z, t, f, load(z, q, f.q), load(z, v, f.v)))


@kernel
def add_follower_loads(z, t, v, tau, m):
    """Add what the loads on followers do, G times each, to the generalised forces."""
    for i in range(folding(t).loads):
        f = follower_load_at(t, i)
        at = f.q * FOLLOWER.size
        slope = load(z, m.fold.followers, at + FOLLOWER.slope)
        x, speed = load(z, m.fold.followers, at + FOLLOWER.value), slope * load(z, v, f.v)
        store(z, tau, f.v, load(z, tau, f.v) + slope * coordinate_force(z, t, f, x, speed))


@inlined
def apply_follower_loads(z, t, v, tau, m, fold):
    """Add the loads on followers, if there are any, to the generalised forces."""
    if fold is not None:  # decided when compiling
        add_follower_loads(z, t, v, tau, m)


@inlined
def apply_coordinate_loads(z, t, q, v, tau, m):
    """Add every coordinate load, if there are any, to the generalised forces; m knows the followers at q."""
    if header(t).coordinate_loads:
        add_coordinate_loads(z, t, q, v, tau)
    apply_follower_loads(z, t, v, tau, m, m.fold)


@inlined
def point_state(z, numbers, at, slots, slot):
    """Arm from the body's origin, position and velocity of a point of a body, in world axes."""
    base = slot * SLOT.size
    R = load9(z, slots, base + SLOT.rotation)
    arm = matvec(R, (numbers[at], numbers[at + 1], numbers[at + 2]))
    w, v = halves(load6(z, slots, base + SLOT.twist))
    return arm, add3(load3(z, slots, base + SLOT.position), arm), add3(v, cross(w, arm))


@inlined
def spring_state(z, t, spring, slots):
    """Arms of both ends, unit direction from a to b, length and rate of a spring."""
    arm_a, x, v = point_state(z, t.numbers, spring.at, slots, spring.slot_a)
    arm_b, y, u = point_state(z, t.numbers, spring.at + 3, slots, spring.slot_b)
    n, length = direction(z, sub3(y, x))
    return arm_a, arm_b, n, length, dot3(n, sub3(u, v))


@seldom
def apply_springs(z, t, m):
    """Add every point spring to m.wrenches, in world axes at the bodies' origins."""
    for i in range(header(t).springs):
        spring = spring_at(t, i)
        at = spring.at + 6
        arm_a, arm_b, n, length, rate = spring_state(z, t, spring, m.slots)
        f = scale3(elastic_force(t.numbers[at], length - t.numbers[at + 2], t.numbers[at + 1], rate), n)
        push(z, m.wrenches, spring.slot_a, arm_a, f)
        push(z, m.wrenches, spring.slot_b, arm_b, scale3(-1.0, f))


@kernel
def external_wrenches(z, t, external, m):
    """Wrenches in the bodies' axes, or none, turned into world axes: to m.wrenches."""
    for i in range(header(t).bodies):
        if external.pushed:
            R = load9(z, m.slots, (i + 1) * SLOT.size + SLOT.rotation)
            moment, f = halves(load6(z, external.wrenches, 6 * i))
            a, b = matvec(R, moment), matvec(R, f)
            store6(z, m.wrenches, 6 * i, (a[0], a[1], a[2], b[0], b[1], b[2]))
        else:
            store6(z, m.wrenches, 6 * i, twist_zero(z))


@inlined
def body_wrenches(z, t, external, m):
    """External wrenches, springs and bushings, if there are any, to m.wrenches; whether there are."""
    pushed = external.pushed or header(t).springs > 0 or header(t).bushings > 0
    if pushed:
        external_wrenches(z, t, external, m)
        apply_springs(z, t, m)
        apply_bushings(z, t, m)
    return pushed
