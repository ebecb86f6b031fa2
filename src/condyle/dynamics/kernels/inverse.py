"""Inverse dynamics: the forces that give accelerations, in one outward and one inward pass.  [eqs. 14-16]"""

from ...model.kernels.layout import (
    BODIES,
    BODY_SIZE,
    COORDINATE_LOADS,
    FIRST_BODY,
    GRAVITY,
    MASS,
    NQ,
    NV,
    PARENT,
    SPRINGS,
    V0,
    WIDTH,
)
from ...numeric import entry, give_back, kernel, load, pack, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import add3, add6, cross, dot6, halves, load3, load6, load9, scale3, store6, times6
from .articulated_body import rigid_moments, symmetric_times
from .layout import AXIS, BIAS, COLUMN, FORCE, OFFSET, ROTATION, SLOT, TWIST
from .loads import apply_coordinate_loads, apply_springs, body_wrenches
from .outward_pass import place, shifted
from .scratch import COLUMNS, FORCES, LOCAL, SLOTS, SPARE, WRENCHES, memory

__all__ = ["accelerate_bodies", "inverse", "inverse_states"]


@kernel
def accelerate_bodies(z, codes, numbers, a, slots, columns):
    """Accelerations of all bodies, less gravity, to BIAS; V̇ = shifted V̇_λ + bias + S a."""
    g = codes[GRAVITY]
    store6(z, slots, BIAS, (z, z, z, z - numbers[g], z - numbers[g + 1], z - numbers[g + 2]))
    body = codes[FIRST_BODY]
    for i in range(codes[BODIES]):
        at = (i + 1) * SLOT
        A = shifted(load6(z, slots, codes[body + PARENT] * SLOT + BIAS), load3(z, slots, at + OFFSET))
        A = add6(A, load6(z, slots, at + BIAS))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            A = times6(A, load(z, a, k), load6(z, columns, k * COLUMN + AXIS))
        store6(z, slots, at + BIAS, A)
        body += BODY_SIZE


@kernel
def rigid_force(z, codes, numbers, body, slots, at):
    """f = J V̇ − ad_Vᵀ J V of a body about its centre of mass.  [LeeTerzopoulos2008, eq. 7]"""
    mass = codes[body + MASS]
    I = rigid_moments(load9(z, slots, at + ROTATION), (numbers[mass + 1], numbers[mass + 2], numbers[mass + 3]))
    w, v = halves(load6(z, slots, at + TWIST))
    alpha, a = halves(load6(z, slots, at + BIAS))
    moment = add3(symmetric_times(I, alpha), cross(w, symmetric_times(I, w)))
    force = scale3(numbers[mass], add3(a, cross(w, v)))
    return (moment[0], moment[1], moment[2], force[0], force[1], force[2])


@kernel
def gather_forces(z, codes, numbers, wrenches, pushed, slots, columns, tau):
    """Inward: τ_k += s_kᵀ f, f of the parent += f seen at its origin."""
    for i in range(codes[BODIES] + 1):
        store6(z, slots, i * SLOT + FORCE, (z, z, z, z, z, z))
    for i in range(codes[BODIES] - 1, -1, -1):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        f = add6(load6(z, slots, at + FORCE), rigid_force(z, codes, numbers, body, slots, at))
        if pushed:
            f = times6(f, -1.0, load6(z, wrenches, 6 * i))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            store(z, tau, k, load(z, tau, k) + dot6(load6(z, columns, k * COLUMN + AXIS), f))
        parent = codes[body + PARENT] * SLOT + FORCE
        m, l = halves(f)
        t = add3(m, cross(load3(z, slots, at + OFFSET), l))
        store6(z, slots, parent, add6(load6(z, slots, parent), (t[0], t[1], t[2], f[3], f[4], f[5])))


@kernel
def inverse(z, codes, numbers, q, v, a, given, has_given, tau, m):
    """The forces τ, on top of the model's loads, that give accelerations a."""
    slots, columns, forces, wrenches = m[SLOTS], m[COLUMNS], m[FORCES], m[WRENCHES]
    place(z, codes, numbers, q, v, slots, columns, m[LOCAL], m[SPARE])
    for k in range(codes[NV]):
        store(z, forces, k, z)
    if codes[COORDINATE_LOADS]:
        apply_coordinate_loads(z, codes, numbers, q, v, forces)
    for k in range(codes[NV]):
        store(z, tau, k, -load(z, forces, k))
    pushed = has_given or codes[SPRINGS] > 0
    if pushed:
        body_wrenches(z, codes, given, has_given, slots, wrenches)
        apply_springs(z, codes, numbers, slots, wrenches)
    accelerate_bodies(z, codes, numbers, a, slots, columns)
    gather_forces(z, codes, numbers, wrenches, pushed, slots, columns, tau)


@entry
def inverse_states(z, codes, numbers, Q, V, A, W, TAU, start, stop):
    """Forces TAU of the states Q, V with accelerations A under wrenches W (none if W has no rows)."""
    codes, numbers = tables(codes, numbers)
    m = memory(z, codes)
    q, v, a = scratch(z, codes[NQ]), scratch(z, codes[NV]), scratch(z, codes[NV])
    tau, w = scratch(z, codes[NV]), scratch(z, 6 * codes[BODIES])
    has_given = W.shape[0] > 0
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        if has_given:
            pack(z, W, first, stop, w)
        inverse(z, codes, numbers, q, v, a, w, has_given, tau, m)
        unpack(z, tau, TAU, first, stop)
    give_back(m, q, v, a, tau, w)
