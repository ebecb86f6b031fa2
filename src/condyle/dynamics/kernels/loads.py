"""Forces that live in the model, each by its law: on coordinates, along lines between points, between frames."""

from ...forces.kernels.dispatch import coordinate_force, line_force
from ...forces.kernels.shared import direction
from ...model.kernels.records import coordinate_element_at, folding, follower_element_at, header, line_at
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
from .pair_forces import apply_pairs
from .push import push
from .scratch_layout import FOLLOWER, SLOT

LINE_CONSTANTS = 6  # numbers of the two points before the constants of the law


@seldom
def add_coordinate_forces(z, t, q, v, tau):
    """Add every force on a coordinate to the generalised forces."""
    for i in range(header(t).coordinate_elements):
        f = coordinate_element_at(t, i)
        push = coordinate_force(z, f.law, t.numbers, f.at, load(z, q, f.q), load(z, v, f.v))
        store(z, tau, f.v, load(z, tau, f.v) + push)


@kernel
def add_follower_loads(z, t, v, tau, m):
    """Add what the loads on followers do, G times each, to the generalised forces."""
    for i in range(folding(t).loads):
        f = follower_element_at(t, i)
        at = f.q * FOLLOWER.size
        slope = load(z, m.fold.followers, at + FOLLOWER.slope)
        x, speed = load(z, m.fold.followers, at + FOLLOWER.value), slope * load(z, v, f.v)
        store(z, tau, f.v, load(z, tau, f.v) + slope * coordinate_force(z, f.law, t.numbers, f.at, x, speed))


@inlined
def apply_follower_loads(z, t, v, tau, m, fold):
    """Add the loads on followers, if there are any, to the generalised forces."""
    if fold is not None:  # decided when compiling
        add_follower_loads(z, t, v, tau, m)


@inlined
def apply_coordinate_forces(z, t, q, v, tau, m):
    """Add every coordinate load, if there are any, to the generalised forces; m knows the followers at q."""
    if header(t).coordinate_elements:
        add_coordinate_forces(z, t, q, v, tau)
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
def line_state(z, t, line, slots):
    """Arms of both ends, unit direction from a to b, length and rate of a force between two points."""
    arm_a, x, v = point_state(z, t.numbers, line.at, slots, line.slot_a)
    arm_b, y, u = point_state(z, t.numbers, line.at + 3, slots, line.slot_b)
    n, length = direction(z, sub3(y, x))
    return arm_a, arm_b, n, length, dot3(n, sub3(u, v))


@seldom
def apply_lines(z, t, m):
    """Add every force between two points to m.wrenches, in world axes at the bodies' origins."""
    for i in range(header(t).lines):
        line = line_at(t, i)
        arm_a, arm_b, n, length, rate = line_state(z, t, line, m.slots)
        f = scale3(line_force(z, line.law, t.numbers, line.at + LINE_CONSTANTS, length, rate), n)
        push(z, m.wrenches, line.slot_a, arm_a, f)
        push(z, m.wrenches, line.slot_b, arm_b, scale3(-1.0, f))


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
    """External wrenches and forces between bodies, if there are any, to m.wrenches; whether there are."""
    pushed = external.pushed or header(t).lines > 0 or header(t).pairs > 0
    if pushed:
        external_wrenches(z, t, external, m)
        apply_lines(z, t, m)
        apply_pairs(z, t, m)
    return pushed
