"""Muscles as loads: what they do to the bodies in a state, and how fast their own states change.

A state of a driven model is (q, y): y has the nv velocities, then for all laws the activations, the fibre lengths by
the optimal ones, and the work done on the bodies [J].
"""

from typing import Any, NamedTuple

from ...dynamics.kernels.manifold_steps import rates
from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.push import push
from ...dynamics.kernels.scratch import External, tree_scratch
from ...dynamics.kernels.scratch_layout import SLOT
from ...model.kernels.records import header
from ...model.kernels.status import KINDS, NO_PATH
from ...numeric import kernel, less, load, scratch, select, store
from ...simulation.kernels.fixed_step import accelerations
from ...spatial.kernels.algebra import (
    add3,
    add6,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    scale3,
    store6,
    sub3,
    transposed_matvec,
    twist_zero,
)
from .law_layout import OUT, PATH, M
from .muscle_states import activation_rate, is_muscle, law_at, muscle, muscle_number, other_force
from .path_layout import MOVING, NO_POINTS
from .path_lengths import path_length, path_scratch
from .path_placement import slope_of
from .path_records import path_at, paths_header, point_at, wrap_at


class Muscles(NamedTuple):
    """What gives the rates of a driven model's state: tables of model, paths and laws, forces given, and scratch."""

    t: Any
    paths: Any
    laws: Any
    given: Any  # External: what acts beside the muscles
    u: Any  # excitations
    all: Any  # External: all that acts
    m: Any  # TreeScratch
    c: Any  # of constraints, or None
    p: Any  # PathScratch
    out: Any  # OUT.size numbers of one muscle
    domains: Any
    known: bool  # whether fibre lengths are read; else they are found in equilibrium at rest


@kernel
def muscle_scratch(z, ts, given, u, room, c, domains, known):
    """Allocate what the rates of a driven model need; `ts` are its three tables, `room` as `tree_scratch` takes it."""
    t, paths, laws = ts
    h = header(t)
    everything = External(scratch(z, h.nv), scratch(z, 6 * h.bodies), True)
    m, p, out = tree_scratch(z, t, *room), path_scratch(z, paths, h.bodies), scratch(z, OUT.size)
    return Muscles(t, paths, laws, given, u, everything, m, c, p, out, domains, known)


@kernel
def vertex_state(z, slot, k, e):
    """Arm of vertex k from the origin of its slot, and its velocity as a point of that body."""
    at = slot * SLOT.size
    arm = sub3(load3(z, e.p.x, 3 * k), load3(z, e.m.slots, at + SLOT.position))
    w, v = halves(load6(z, e.m.slots, at + SLOT.twist))
    return arm, add3(v, cross(w, arm))


@kernel
def vertex_slot(e, path, k):
    """The slot that carries vertex k of a path."""
    if k < path.points:
        return point_at(e.paths, path, k).slot
    return wrap_at(e.paths, path, (k - path.points) // 2).slot


@kernel
def path_speed(z, e, path, y):
    """How fast a path lengthens."""
    speed = z
    for k in range(path.points + 2 * path.wraps):
        _, v = vertex_state(z, vertex_slot(e, path, k), k, e)
        speed = speed + dot3(load3(z, e.p.pull, 3 * k), v)
    for k in range(path.points):
        point = point_at(e.paths, path, k)
        if point.kind == MOVING:
            own = dot3(load3(z, e.p.pull, 3 * k), load3(z, e.p.slopes, 3 * k))
            speed = speed + own * slope_of(z, point.coordinate, e.m, e.m.fold) * load(z, y, point.velocity)
    return speed


@kernel
def pull_bodies(z, e, path, tension):
    """Add what a path's tension does to the forces, and to the wrenches in world axes."""
    for k in range(path.points + 2 * path.wraps):
        slot = vertex_slot(e, path, k)
        arm, _ = vertex_state(z, slot, k, e)
        push(z, e.all.wrenches, slot, arm, scale3(-tension, load3(z, e.p.pull, 3 * k)))
    for k in range(path.points):
        point = point_at(e.paths, path, k)
        if point.kind == MOVING:
            own = dot3(load3(z, e.p.pull, 3 * k), load3(z, e.p.slopes, 3 * k))
            force = tension * own * slope_of(z, point.coordinate, e.m, e.m.fold)
            store(z, e.all.tau, point.velocity, load(z, e.all.tau, point.velocity) - force)


@kernel
def muscle_rates(z, e, r, i, at, path, y, dy):
    """The tension of law i along a path whose length is at `at`; the rates of its states go to dy."""
    length, speed, nv, n = at, path_speed(z, e, path, y), header(e.t).nv, paths_header(e.paths).paths
    a, u = load(z, y, nv + i), load(z, e.u, i)
    tension = z
    if is_muscle(r):
        l0 = muscle_number(e.laws, r, M.fiber)
        a = u if r.direct == 1 else a
        muscle(z, e.laws, r, (length, speed, a, l0 * load(z, y, nv + n + i), e.known), e.out, 0)
        tension = load(z, e.out, OUT.tendon_force)
        store(z, dy, nv + i, z if r.direct == 1 else activation_rate(z, e.laws, r, a, u))
        store(z, dy, nv + n + i, z if r.rigid == 1 else load(z, e.out, OUT.fiber_speed) / l0)
    else:
        tension = other_force(z, e.laws, r, length, speed, u)
        store(z, dy, nv + i, z)
        store(z, dy, nv + n + i, z)
    store(z, dy, nv + 2 * n + i, -tension * speed)
    return tension


@kernel
def clear_loads(z, e, dy):
    """The forces given, no wrenches, and no rates of what has no law."""
    h, n = header(e.t), paths_header(e.paths).paths
    for k in range(h.nv):
        store(z, e.all.tau, k, load(z, e.given.tau, k))
    for i in range(h.bodies):
        store6(z, e.all.wrenches, 6 * i, twist_zero(z))
    for k in range(3 * n):
        store(z, dy, h.nv + k, z)


@kernel
def into_bodies(z, e):
    """Turn the wrenches into the axes of their bodies, and add those given."""
    for i in range(header(e.t).bodies):
        R = load9(z, e.m.slots, (i + 1) * SLOT.size + SLOT.rotation)
        moment, force = halves(load6(z, e.all.wrenches, 6 * i))
        a, b = transposed_matvec(R, moment), transposed_matvec(R, force)
        w = (a[0], a[1], a[2], b[0], b[1], b[2])
        if e.given.pushed:
            w = add6(w, load6(z, e.given.wrenches, 6 * i))
        store6(z, e.all.wrenches, 6 * i, w)


@kernel
def pull_all(z, e, q, y, dy):
    """What all muscles do in a state, in e.all, and the rates of their own states. Returns the status."""
    place(z, e.t, q, y, e.m)
    clear_loads(z, e, dy)
    status = z
    for i in range(paths_header(e.paths).paths):
        r = law_at(e.laws, i)
        if r.law != PATH:
            path = path_at(e.paths, i)
            length = path_length(z, e.paths, path, q, e.m, e.p, True)
            pull_bodies(z, e, path, muscle_rates(z, e, r, i, length, path, y, dy))
            lost = less(z + (NO_POINTS - 0.5), load(z, e.p.failed, 0))
            now = select(lost, z + (NO_PATH + KINDS * i), z)
            status = select(less(status, 0.5), now, status)
    into_bodies(z, e)
    return status


@kernel
def driven_slopes(z, e, q, y, dy, dq):
    """Rates (dq, dy) of a driven model's state. Returns the status."""
    pulled = pull_all(z, e, q, y, dy)
    status = accelerations(z, e.t, q, y, dy, e.all, e.m, e.c)
    rates(z, e.t, q, y, dq)
    return select(less(pulled, 0.5), status, pulled)
