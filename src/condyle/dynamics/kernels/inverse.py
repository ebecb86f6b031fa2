"""Inverse dynamics: the forces that give accelerations, in one outward and one inward pass.  [eqs. 14-16]"""

from ...model.kernels.records import armature, body_at, header, mass_and_moments
from ...numeric import entry, kernel, load, pack, release, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add_scaled6,
    cross,
    dot6,
    halves,
    load3,
    load6,
    load9,
    scale3,
    shifted,
    store6,
    twist_zero,
)
from ...spatial.kernels.inertia import rigid_moments, symmetric_times
from .articulated_body import gravity_twist
from .followers import body_column, body_columns
from .loads import apply_coordinate_forces, body_wrenches
from .outward_pass import place
from .scratch import External, tree_scratch
from .scratch_layout import COLUMN, SLOT


@kernel
def accelerate_bodies(z, t, a, m):
    """Accelerations of all bodies, less gravity; V̇ = shifted V̇_λ + bias + S a."""
    slots = m.slots
    store6(z, slots, SLOT.acceleration, gravity_twist(z, t))
    for i in range(header(t).bodies):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        parent = load6(z, slots, b.parent * SLOT.size + SLOT.acceleration)
        A = add6(shifted(parent, load3(z, slots, at + SLOT.offset)), load6(z, slots, at + SLOT.bias))
        for j in range(body_columns(t, b, i, m.fold)):
            column, k = body_column(t, b, i, j, m.fold)
            A = add_scaled6(A, load(z, a, k), load6(z, m.columns, column * COLUMN.size + COLUMN.axis))
        store6(z, slots, at + SLOT.acceleration, A)


@kernel
def rigid_force(z, t, i, slots):
    """f = J V̇ − ad_Vᵀ J V of body i about its centre of mass.  [LeeTerzopoulos2008, eq. 7]"""
    at = (i + 1) * SLOT.size
    mass, moments = mass_and_moments(t, body_at(t, i))
    I = rigid_moments(load9(z, slots, at + SLOT.rotation), moments)
    w, v = halves(load6(z, slots, at + SLOT.twist))
    alpha, a = halves(load6(z, slots, at + SLOT.acceleration))
    moment = add3(symmetric_times(I, alpha), cross(w, symmetric_times(I, w)))
    force = scale3(mass, add3(a, cross(w, v)))
    return (moment[0], moment[1], moment[2], force[0], force[1], force[2])


@kernel
def gather_forces(z, t, tau, pushed, m):
    """Inward: τ_k += s_kᵀ f, f of the parent += f seen at its origin; m.wrenches act if `pushed`."""
    slots = m.slots
    for i in range(header(t).bodies + 1):
        store6(z, slots, i * SLOT.size + SLOT.net_force, twist_zero(z))
    for i in range(header(t).bodies - 1, -1, -1):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        f = add6(load6(z, slots, at + SLOT.net_force), rigid_force(z, t, i, slots))
        if pushed:
            f = add_scaled6(f, -1.0, load6(z, m.wrenches, 6 * i))
        for j in range(body_columns(t, b, i, m.fold)):
            column, k = body_column(t, b, i, j, m.fold)
            store(z, tau, k, load(z, tau, k) + dot6(load6(z, m.columns, column * COLUMN.size + COLUMN.axis), f))
        parent = b.parent * SLOT.size + SLOT.net_force
        moment, force = halves(f)
        moment = add3(moment, cross(load3(z, slots, at + SLOT.offset), force))
        carried = (moment[0], moment[1], moment[2], f[3], f[4], f[5])
        store6(z, slots, parent, add6(load6(z, slots, parent), carried))


@kernel
def inverse(z, t, q, v, a, external, m):
    """The forces τ, on top of the model's loads and external.tau, that give accelerations a: to m.forces."""
    place(z, t, q, v, m)
    for k in range(header(t).nv):
        store(z, m.forces, k, load(z, external.tau, k))
    apply_coordinate_forces(z, t, q, v, m.forces, m)
    for k in range(header(t).nv):
        store(z, m.forces, k, armature(t, k) * load(z, a, k) - load(z, m.forces, k))
    pushed = body_wrenches(z, t, external, m)
    accelerate_bodies(z, t, a, m)
    gather_forces(z, t, m.forces, pushed, m)


@entry
def inverse_states(z, pair, states, start, stop):
    """Forces TAU of states = (Q, V, A, W, TAU) with accelerations A under wrenches W (none if W has no rows)."""
    t = tables(pair[:2])
    Q, V, A, W, TAU = states
    h, m = header(t), tree_scratch(z, t, *pair[2:])
    q, v, a = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv)
    none, w = scratch(z, h.nv), scratch(z, 6 * h.bodies)
    external = External(none, w, W.shape[0] > 0)
    for k in range(h.nv):
        store(z, none, k, z)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        if external.pushed:
            pack(z, W, first, stop, w)
        inverse(z, t, q, v, a, external, m)
        unpack(z, m.forces, TAU, first, stop)
    release(m, q, v, a, none, w)
