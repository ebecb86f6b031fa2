"""Where the points of a path and the frames of its wraps are in the world, and which points count."""

from ...dynamics.kernels.scratch_layout import FOLLOWER, SLOT
from ...joints.kernels.layout import FACTOR_HEAD, TERM_SIZE
from ...joints.kernels.product_form import (
    gather_factor,
    gather_pose,
    local_variable,
    look_up,
    scalar_function,
    subtract_centers,
)
from ...joints.kernels.records import JointState, segment_at, term_at
from ...numeric import inlined, kernel, less, load, select, store
from ...spatial.kernels.algebra import add3, load3, load9, matvec, multiply, scale3, store3, store9
from .path_layout import CONDITION_SLACK, CONDITIONAL, MOVING
from .path_records import point_at, wrap_at


@inlined
def value_of(z, q, at, tree, fold):
    """The coordinate at a position of q, or the follower −1 − at."""
    if fold is None:  # decided when compiling
        return load(z, q, at)
    return load(z, q, at) if at >= 0 else load(z, tree.fold.followers, (-1 - at) * FOLLOWER.size + FOLLOWER.value)


@inlined
def slope_of(z, at, tree, fold):
    """How fast the coordinate at a position of q, or the follower −1 − at, moves with its velocity."""
    if fold is None:  # decided when compiling
        return z + 1.0
    return z + 1.0 if at >= 0 else load(z, tree.fold.followers, (-1 - at) * FOLLOWER.size + FOLLOWER.slope)


@inlined
def numbers3(t, at):
    return t.numbers[at], t.numbers[at + 1], t.numbers[at + 2]


@inlined
def numbers9(t, at):
    a, b, c = numbers3(t, at), numbers3(t, at + 3), numbers3(t, at + 6)
    return (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])


@inlined
def slot_pose(z, slots, slot):
    """Rotation and position of a slot."""
    return load9(z, slots, slot * SLOT.size + SLOT.rotation), load3(z, slots, slot * SLOT.size + SLOT.position)


@kernel
def condition(z, t, point, x):
    """1 where a conditional point counts, else 0."""
    low, high = t.numbers[point.at + 3] - CONDITION_SLACK, t.numbers[point.at + 4] + CONDITION_SLACK
    return select(less(x, z + low), z, select(less(z + high, x), z, z + 1.0))


@inlined
def slide_row(z, t, segment, row, state, p, d):
    """Add what one row of a way of slides does to a place p and its derivative d."""
    p = add3(p, gather_pose(t.numbers, row)[1])
    for n in range(segment.terms):
        term = term_at(t, segment.first_term + n * TERM_SIZE)
        along = gather_factor(t.numbers, row, term.at)[2]
        x = local_variable(z, term, state)
        f, slope, _ = scalar_function(t.numbers, row, term.at + FACTOR_HEAD, term.code, term.order, x)
        p, d = add3(p, scale3(f, along)), add3(d, scale3(slope, along))
    return p, d


@kernel
def slide(z, t, point, m):
    """Place on a way of slides at the coordinate m.q[0], and its derivative."""
    p, d, state = (z, z, z), (z, z, z), JointState(m.q, 0, m.q, 0, m.q, m.work)
    for k in range(point.segments):
        segment = segment_at(t, point.segment, k)
        if segment.axes == 0:
            p, d = slide_row(z, t, segment, segment.rows, state, p, d)
        else:
            row = look_up(z, t, point.segment, k, state)
            subtract_centers(z, t, segment.axes, row, m.work)
            p, d = slide_row(z, t, segment, row, state, p, d)
    return p, d


@kernel
def moving_place(z, t, point, x, m):
    """Place of a moving point in its body's frame, and its derivative by the coordinate, 0 beyond the range."""
    low, high = z + t.numbers[point.at + 12], z + t.numbers[point.at + 13]
    store(z, m.q, 0, select(less(x, low), low, select(less(high, x), high, x)))
    p, d = slide(z, t, point, m)
    free = select(less(x, low), z, select(less(high, x), z, z + 1.0))
    R = numbers9(t, point.at)
    return add3(matvec(R, p), numbers3(t, point.at + 9)), matvec(R, scale3(free, d))


@inlined
def fixed_place(z, t, point, tree):
    """Where a point is that its body carries."""
    R, p = slot_pose(z, tree.slots, point.slot)
    return add3(p, matvec(R, numbers3(t, point.at)))


@kernel
def place_points(z, t, path, q, tree, m):
    """Places of all points of a path, which of them count, and slopes of those that move."""
    for k in range(path.points):
        point = point_at(t, path, k)
        on = z + 1.0
        if point.kind == MOVING:
            R, p = slot_pose(z, tree.slots, point.slot)
            local, slope = moving_place(z, t, point, value_of(z, q, point.coordinate, tree, tree.fold), m)
            store3(z, m.slopes, 3 * k, matvec(R, slope))
            store3(z, m.x, 3 * k, add3(p, matvec(R, local)))
        else:
            store3(z, m.x, 3 * k, fixed_place(z, t, point, tree))
        if point.kind == CONDITIONAL:
            on = condition(z, t, point, value_of(z, q, point.coordinate, tree, tree.fold))
        store(z, m.on, k, on)


@kernel
def place_wraps(z, t, path, tree, m):
    """Frames of all wraps of a path; their vertices are at the origin of the frame until the path touches them."""
    for k in range(path.wraps):
        wrap = wrap_at(t, path, k)
        R, p = slot_pose(z, tree.slots, wrap.slot)
        S, o = multiply(R, p, numbers9(t, wrap.at), numbers3(t, wrap.at + 9))
        store9(z, m.frames, 12 * k, S)
        store3(z, m.frames, 12 * k + 9, o)
        store3(z, m.x, 3 * (path.points + 2 * k), o)
        store3(z, m.x, 3 * (path.points + 2 * k + 1), o)
