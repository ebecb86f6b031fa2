"""Forward dynamics of one block of states, and its entry point."""

from ...model.kernels.records import header
from ...numeric import ahead, entry, kernel, load, pack, release, scratch, store, tables, unpack, width
from .any_tree import accelerate_tree, articulate_tree
from .loads import apply_coordinate_forces, body_wrenches
from .outward_pass import place
from .scratch import External, tree_scratch


@kernel
def forward(z, t, q, v, a, external, m):
    """Accelerations a (in place; prescribed ones are given) and the status of one block."""
    place(z, t, q, v, m)
    for k in range(header(t).nv):
        store(z, m.forces, k, load(z, external.tau, k))
    apply_coordinate_forces(z, t, q, v, m.forces, m)
    pushed = body_wrenches(z, t, external, m)
    status = articulate_tree(z, t, m.forces, a, pushed, m)
    return accelerate_tree(z, t, a, m, status)


@kernel
def joint_part(z, pair):
    """What entries of forward dynamics spend half of the compiler's time on: joints of every kind."""
    t = tables(pair[:2])
    m, q = tree_scratch(z, t, *pair[2:]), scratch(z, 1)
    place(z, t, q, q, m)
    release(m, q)


@kernel
def inward_part(z, pair):
    """What they spend the other half on: loads and articulated inertias."""
    t = tables(pair[:2])
    m, q = tree_scratch(z, t, *pair[2:]), scratch(z, 1)
    apply_coordinate_forces(z, t, q, q, m.forces, m)
    pushed = body_wrenches(z, t, External(q, q, header(t).nv < 0), m)
    status = articulate_tree(z, t, m.forces, q, pushed, m)
    accelerate_tree(z, t, q, m, status)
    release(m, q)


@ahead(joint_part, inward_part)
@entry
def forward_states(z, pair, states, start, stop):
    """Accelerations A of states = (Q, V, TAU, W, A, STATUS) under forces TAU and wrenches W (none if W has no rows)."""
    t = tables(pair[:2])
    Q, V, TAU, W, A, STATUS = states
    h, m = header(t), tree_scratch(z, t, *pair[2:])
    q, v, tau = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv)
    a, w, s = scratch(z, h.nv), scratch(z, 6 * h.bodies), scratch(z, 1)
    external = External(tau, w, W.shape[0] > 0)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, TAU, first, stop, tau)
        if h.driven:
            pack(z, A, first, stop, a)
        if external.pushed:
            pack(z, W, first, stop, w)
        store(z, s, 0, forward(z, t, q, v, a, external, m))
        unpack(z, a, A, first, stop)
        unpack(z, s, STATUS, first, stop)
    release(m, q, v, tau, a, w, s)
