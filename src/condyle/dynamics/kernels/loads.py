"""Forces that live in the model: springs, dampers and limits on coordinates, damped springs between points."""

from ...model.kernels.layout import (
    BODIES,
    CONSTANT,
    COORDINATE_LOADS,
    DAMPER,
    FIRST_COORDINATE_LOAD,
    FIRST_SPRING,
    LIMIT,
    LOAD_AT,
    LOAD_KIND,
    LOAD_Q,
    LOAD_SIZE,
    LOAD_V,
    SPRING_A,
    SPRING_AT,
    SPRING_B,
    SPRING_SIZE,
    SPRINGS,
)
from ...numeric import inlined, kernel, less, load, select, sqrt, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
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
from .layout import POSITION, ROTATION, SLOT, TWIST

__all__ = ["apply_coordinate_loads", "apply_springs", "body_wrenches", "coordinate_force", "spring_state"]


@inlined
def beyond(z, x, low, high):
    """How far x is past its limits: positive above the upper one, negative below the lower one."""
    return select(less(high, x), x - high, select(less(x, low), x - low, z))


@inlined
def coordinate_force(z, codes, numbers, record, q, v):
    """The generalised force of one load on its coordinate."""
    kind, at, speed = codes[record + LOAD_KIND], codes[record + LOAD_AT], load(z, v, codes[record + LOAD_V])
    if kind == DAMPER:
        return -numbers[at] * speed
    if kind == CONSTANT:
        return z + numbers[at]
    x = load(z, q, codes[record + LOAD_Q])
    if kind == LIMIT:
        past = beyond(z, x, numbers[at], numbers[at + 1])
        push = numbers[at + 2] * past + numbers[at + 3] * speed
        # a limit only pushes back: never pulls towards itself while the coordinate leaves it
        up, down = select(less(push, 0.0), z, push), select(less(0.0, push), z, push)
        return -select(less(0.0, past), up, select(less(past, 0.0), down, z))
    return -numbers[at] * (x - numbers[at + 1]) - numbers[at + 2] * speed


@kernel
def apply_coordinate_loads(z, codes, numbers, q, v, tau):
    """Add every coordinate load to the generalised forces."""
    record = codes[FIRST_COORDINATE_LOAD]
    for _ in range(codes[COORDINATE_LOADS]):
        k = codes[record + LOAD_V]
        store(z, tau, k, load(z, tau, k) + coordinate_force(z, codes, numbers, record, q, v))
        record += LOAD_SIZE


@inlined
def point_state(z, numbers, at, slots, slot):
    """Arm from the body's origin, position and velocity of a point of a body, in world axes."""
    R = load9(z, slots, slot * SLOT + ROTATION)
    arm = matvec(R, (numbers[at], numbers[at + 1], numbers[at + 2]))
    w, v = halves(load6(z, slots, slot * SLOT + TWIST))
    return arm, add3(load3(z, slots, slot * SLOT + POSITION), arm), add3(v, cross(w, arm))


@inlined
def spring_state(z, codes, numbers, record, slots):
    """Arms of both ends, unit direction from a to b, length and rate of a spring."""
    at = codes[record + SPRING_AT]
    arm_a, x, v = point_state(z, numbers, at, slots, codes[record + SPRING_A])
    arm_b, y, u = point_state(z, numbers, at + 3, slots, codes[record + SPRING_B])
    d = sub3(y, x)
    length = sqrt(dot3(d, d))
    n = scale3(1.0 / select(less(0.0, length), length, z + 1.0), d)  # no direction, no force, at zero length
    return arm_a, arm_b, n, length, dot3(n, sub3(u, v))


@inlined
def push(z, wrenches, slot, arm, f):
    """Add a force at a point of a body; no effect for the world (slot 0)."""
    if slot > 0:
        m = cross(arm, f)
        k = 6 * (slot - 1)
        store6(z, wrenches, k, add6(load6(z, wrenches, k), (m[0], m[1], m[2], f[0], f[1], f[2])))


@kernel
def apply_springs(z, codes, numbers, slots, wrenches):
    """Add every point spring to the wrenches, in world axes at the bodies' origins."""
    record = codes[FIRST_SPRING]
    for _ in range(codes[SPRINGS]):
        at = codes[record + SPRING_AT] + 6
        arm_a, arm_b, n, length, rate = spring_state(z, codes, numbers, record, slots)
        f = scale3(numbers[at] * (length - numbers[at + 2]) + numbers[at + 1] * rate, n)
        push(z, wrenches, codes[record + SPRING_A], arm_a, f)
        push(z, wrenches, codes[record + SPRING_B], arm_b, scale3(-1.0, f))
        record += SPRING_SIZE


@kernel
def body_wrenches(z, codes, given, has_given, slots, wrenches):
    """Wrenches in the bodies' axes, or none, turned into world axes."""
    for i in range(codes[BODIES]):
        if has_given:
            R = load9(z, slots, (i + 1) * SLOT + ROTATION)
            m, f = halves(load6(z, given, 6 * i))
            a, b = matvec(R, m), matvec(R, f)
            store6(z, wrenches, 6 * i, (a[0], a[1], a[2], b[0], b[1], b[2]))
        else:
            store6(z, wrenches, 6 * i, twist_zero(z))
