"""Lengths of all paths of a model, how fast they lengthen, and their derivatives by all velocities."""

from ...dynamics.kernels.followers import body_column, body_columns
from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.scratch import tree_scratch
from ...dynamics.kernels.scratch_layout import COLUMN, SLOT
from ...model.kernels.records import body_at, header
from ...numeric import (
    any_lane,
    entry,
    kernel,
    less,
    load,
    pack,
    release,
    scratch,
    select,
    sqrt,
    store,
    tables,
    unpack,
    width,
)
from ...spatial.kernels.algebra import (
    add3,
    add6,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    scale3,
    store3,
    store6,
    sub3,
    twist_zero,
)
from ..wraps.kernels.wrapping import Lane, wrapped_length
from .path_layout import MOVING, NO_POINTS
from .path_placement import fixed_place, place_points, place_wraps, slope_of
from .path_records import PathScratch, path_at, paths_header, point_at, wrap_at


@kernel
def path_scratch(z, t, bodies):
    """Allocate what one path at a time needs."""
    h = paths_header(t)
    return PathScratch(
        scratch(z, 3 * h.vertices + 3),
        scratch(z, h.vertices + 1),
        scratch(z, 3 * h.vertices + 3),
        scratch(z, 12 * h.wraps + 1),
        scratch(z, h.vertices + 1),
        scratch(z, h.wraps + 1),
        scratch(z, h.wraps + 1),
        scratch(z, 1),
        scratch(z, 3 * h.vertices + 3),
        scratch(z, 6 * (bodies + 1)),
        scratch(z, 1),
        scratch(z, 1),
        scratch(z, h.work),
    )


@kernel
def polyline_length(z, t, path, tree, m):
    """The length of a path of fixed points without wraps, and nothing else."""
    point = point_at(t, path, 0)
    length, last, slot = z + t.numbers[path.constant], fixed_place(z, t, point, tree), point.slot
    for k in range(1, path.points):
        point = point_at(t, path, k)
        x = fixed_place(z, t, point, tree)
        if point.slot != slot:
            d = sub3(x, last)
            length = length + sqrt(dot3(d, d))
        last, slot = x, point.slot
    store(z, m.failed, 0, z)
    return length


@kernel
def polyline_pulls(z, t, path, tree, m):
    """The length of a path of fixed points without wraps; what each point does to it goes to m.pull."""
    point = point_at(t, path, 0)
    length, last, slot, before = z + t.numbers[path.constant], fixed_place(z, t, point, tree), point.slot, (z, z, z)
    store3(z, m.x, 0, last)
    for k in range(1, path.points):
        point = point_at(t, path, k)
        x = fixed_place(z, t, point, tree)
        u = (z, z, z)
        if point.slot != slot:
            d = sub3(x, last)
            d2 = dot3(d, d)
            n, none = sqrt(d2), less(d2, z + 1e-300)
            u = scale3(select(none, z, 1.0 / select(none, z + 1.0, n)), d)
            length = length + n
        store3(z, m.x, 3 * k, x)
        store3(z, m.pull, 3 * k - 3, sub3(before, u))
        last, slot, before = x, point.slot, u
    store3(z, m.pull, 3 * path.points - 3, before)
    store(z, m.failed, 0, z)
    return length


@kernel
def counted_length(z, t, path, m):
    """The length of a path without wraps of which points may not count, and nothing else."""
    length, many, last = z + t.numbers[path.constant], z + path.left_out, load3(z, m.x, 0)
    seen = z
    for k in range(path.points):
        on, x = load(z, m.on, k), load3(z, m.x, 3 * k)
        d = sub3(x, last)
        length = length + on * seen * sqrt(dot3(d, d))
        is_on = less(z + 0.5, on)
        last = (select(is_on, x[0], last[0]), select(is_on, x[1], last[1]), select(is_on, x[2], last[2]))
        seen = select(is_on, z + 1.0, seen)
        many = many + on
    store(z, m.failed, 0, select(less(many, z + 1.5), z + NO_POINTS, z))
    return length


@kernel
def straight_length(z, t, path, m):
    """The length of a path without wraps of which points may not count; what each point does to it goes to m.pull.

    A point that does not count is passed over: the last one that did is carried along in each lane.
    """
    length, seen, last = z + t.numbers[path.constant], z, load3(z, m.x, 0)
    for k in range(path.points):
        on, x = load(z, m.on, k), load3(z, m.x, 3 * k)
        d = sub3(x, last)
        d2 = dot3(d, d)
        n = sqrt(d2)
        counts = on * seen
        length = length + counts * n
        inverse = select(less(d2, z + 1e-300), z, counts / select(less(d2, z + 1e-300), z + 1.0, n))
        store3(z, m.pull, 3 * k, scale3(inverse, d))
        is_on = less(z + 0.5, on)
        last = (select(is_on, x[0], last[0]), select(is_on, x[1], last[1]), select(is_on, x[2], last[2]))
        seen = select(is_on, z + 1.0, seen)
    following, many = (z, z, z), z + path.left_out
    for back in range(path.points):
        k = path.points - 1 - back
        u, on = load3(z, m.pull, 3 * k), load(z, m.on, k)
        many = many + on
        store3(z, m.pull, 3 * k, scale3(on, sub3(u, following)))
        is_on = less(z + 0.5, on)
        following = (
            select(is_on, u[0], following[0]),
            select(is_on, u[1], following[1]),
            select(is_on, u[2], following[2]),
        )
    store(z, m.failed, 0, select(less(many, z + 1.5), z + NO_POINTS, z))
    return length


@kernel
def wrap_lanes(z, t, path, m):
    """Length and status of a path with wraps, lane by lane."""
    w = width(z)
    for l in range(w):
        length, failed = wrapped_length(t, path, m, Lane(w, l))
        m.length[l] = length
        m.failed[l] = failed + 0.0


@kernel
def path_length(z, t, path, q, tree, m, pulled):
    """The length of a path; what each vertex does to it is wanted if `pulled`."""
    if path.wraps == 0 and path.changing == 0:
        return polyline_pulls(z, t, path, tree, m) if pulled else polyline_length(z, t, path, tree, m)
    place_points(z, t, path, q, tree, m)
    if path.wraps == 0:
        return straight_length(z, t, path, m) if pulled else counted_length(z, t, path, m)
    place_wraps(z, t, path, tree, m)
    wrap_lanes(z, t, path, m)
    return load(z, m.length, 0)


@kernel
def add_pull(z, slot, k, tree, m):
    """Add what vertex k does to the length to the wrench on its slot, at the slot's origin."""
    g = load3(z, m.pull, 3 * k)
    arm = sub3(load3(z, m.x, 3 * k), load3(z, tree.slots, slot * SLOT.size + SLOT.position))
    c = cross(arm, g)
    store6(z, m.wrenches, 6 * slot, add6(load6(z, m.wrenches, 6 * slot), (c[0], c[1], c[2], g[0], g[1], g[2])))


@kernel
def gather_pulls(z, t, path, tree, m):
    """Wrenches on the slots that the path depends on."""
    for n in range(path.bodies):
        store6(z, m.wrenches, 6 * (t.codes[path.first_body + 2 * n] + 1), twist_zero(z))
    for k in range(path.points):
        add_pull(z, point_at(t, path, k).slot, k, tree, m)
    for k in range(path.wraps):
        slot = wrap_at(t, path, k).slot
        add_pull(z, slot, path.points + 2 * k, tree, m)
        add_pull(z, slot, path.points + 2 * k + 1, tree, m)


@kernel
def path_slopes(z, ts, path, tree, m, J, row):
    """Derivatives of a path's length by all velocities, to J from `row` on; `ts` are the tables of model and paths."""
    t, tp = ts
    for k in range(header(t).nv):
        store(z, J, row + k, z)
    gather_pulls(z, tp, path, tree, m)
    for n in range(path.bodies):
        i, inner = tp.codes[path.first_body + 2 * n], tp.codes[path.first_body + 2 * n + 1]
        body, wrench = body_at(t, i), load6(z, m.wrenches, 6 * i + 6)
        for c in range(body_columns(t, body, i, tree.fold)):
            column, velocity = body_column(t, body, i, c, tree.fold)
            s = load6(z, tree.columns, column * COLUMN.size + COLUMN.axis)
            store(z, J, row + velocity, load(z, J, row + velocity) + dot6(s, wrench))
        if inner:
            pass_on(z, body.parent, i + 1, wrench, tree, m)
    for k in range(path.points):
        point = point_at(tp, path, k)
        if point.kind == MOVING:
            own = dot3(load3(z, m.pull, 3 * k), load3(z, m.slopes, 3 * k))
            at = row + point.velocity
            store(z, J, at, load(z, J, at) + own * slope_of(z, point.coordinate, tree, tree.fold))


@kernel
def pass_on(z, parent, slot, wrench, tree, m):
    """Add a wrench at the origin of a slot to that of its parent."""
    f = halves(wrench)[1]
    r = sub3(
        load3(z, tree.slots, slot * SLOT.size + SLOT.position), load3(z, tree.slots, parent * SLOT.size + SLOT.position)
    )
    c = add3(halves(wrench)[0], cross(r, f))
    store6(z, m.wrenches, 6 * parent, add6(load6(z, m.wrenches, 6 * parent), (c[0], c[1], c[2], f[0], f[1], f[2])))


@entry
def path_states(z, pair, path_pair, states, start, stop):
    """LENGTHS (count, paths), SLOPES ∂L/∂v (count, paths · nv; no columns: not wanted) and STATUS (count, paths).

    `states` is (Q, LENGTHS, SLOPES, STATUS, FAILED). STATUS is written only where FAILED (count, 1) is not 0.
    """
    t, tp = tables(pair[:2]), tables(path_pair)
    Q, LENGTHS, SLOPES, STATUS, FAILED = states
    h, tree = header(t), tree_scratch(z, t, *pair[2:])
    paths, sloped = paths_header(tp).paths, SLOPES.shape[1] > 0
    q, v, m = scratch(z, h.nq), scratch(z, h.nv), path_scratch(z, tp, h.bodies)
    lengths, failed, J, all_failed = scratch(z, paths), scratch(z, paths), scratch(z, SLOPES.shape[1]), scratch(z, 1)
    for k in range(h.nv):
        store(z, v, k, z)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        place(z, t, q, v, tree)
        bad = z
        for i in range(paths):
            path = path_at(tp, i)
            store(z, lengths, i, path_length(z, tp, path, q, tree, m, sloped))
            store(z, failed, i, load(z, m.failed, 0))
            bad = bad + load(z, m.failed, 0)
            if sloped:
                path_slopes(z, (t, tp), path, tree, m, J, i * h.nv)
        unpack(z, lengths, LENGTHS, first, stop)
        store(z, all_failed, 0, bad)
        unpack(z, all_failed, FAILED, first, stop)
        if any_lane(less(z + 0.5, bad)):
            unpack(z, failed, STATUS, first, stop)
        if sloped:
            unpack(z, J, SLOPES, first, stop)
    release(tree, q, v, m, lengths, failed, J, all_failed)
