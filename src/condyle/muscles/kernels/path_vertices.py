"""Where the vertices of all paths are, in the order in which each path meets them."""

from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.scratch import tree_scratch
from ...model.kernels.records import header
from ...numeric import entry, kernel, pack, release, scratch, store, tables
from ..wraps.kernels.wrapping import Lane, begin_order
from .path_lengths import path_scratch, wrap_lanes
from .path_placement import place_points, place_wraps
from .path_records import path_at, paths_header


@kernel
def meet_vertices(z, t, path, q, tree, m):
    """Places of the vertices of a path, and their order, which ends with −1."""
    place_points(z, t, path, q, tree, m)
    if path.wraps > 0:
        place_wraps(z, t, path, tree, m)
        wrap_lanes(z, t, path, m)
    else:
        m.order[begin_order(path, m, Lane(1, 0))] = -1.0


@kernel
def write_vertices(path, m, row, at, wrap):
    """Write the vertices of a path from `at` on, and its wraps from `wrap` on; `row` are the rows of one state."""
    X, ORDER, ARCS, FRAMES = row
    vertices = path.points + 2 * path.wraps
    for k in range(3 * vertices):
        X[3 * at + k] = m.x[k].real
    for k in range(vertices):
        ORDER[at + k] = -1.0
    for k in range(vertices):
        if m.order[k].real < -0.5:
            break
        ORDER[at + k] = m.order[k].real
    for k in range(path.wraps):
        ARCS[wrap + k] = m.arcs[k].real
    for k in range(12 * path.wraps):
        FRAMES[12 * wrap + k] = m.frames[k].real


@entry
def vertex_states(z, pair, path_pair, states, start, stop):
    """Vertices of all paths, one state after the other: states = (Q, X, ORDER, ARCS, FRAMES).

    X (count, 3 vertices) has their places, ORDER (count, vertices) for each path the numbers of its vertices in the
    order in which it meets them, then −1; ARCS (count, wraps) the length on each wrap, FRAMES (count, 12 wraps) where
    it is.
    """
    t, tp = tables(pair[:2]), tables(path_pair)
    Q, X, ORDER, ARCS, FRAMES = states
    h, tree = header(t), tree_scratch(z, t, *pair[2:])
    q, v, m = scratch(z, h.nq), scratch(z, h.nv), path_scratch(z, tp, h.bodies)
    for k in range(h.nv):
        store(z, v, k, z)
    for s in range(start, stop):
        pack(z, Q, s, stop, q)
        place(z, t, q, v, tree)
        at, wrap = 0, 0
        for i in range(paths_header(tp).paths):
            path = path_at(tp, i)
            meet_vertices(z, tp, path, q, tree, m)
            write_vertices(path, m, (X[s], ORDER[s], ARCS[s], FRAMES[s]), at, wrap)
            at += path.points + 2 * path.wraps
            wrap += path.wraps
    release(tree, q, v, m)
