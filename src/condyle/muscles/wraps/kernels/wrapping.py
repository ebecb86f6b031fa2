"""Which segments of a path wrap over which objects: the search of one state, in one lane.

For each wrap in turn its two tangent points leave the path, and the segments in its range are tried. One that must
wrap is taken at once, else the one whose length grows least. With several wraps on a path this is repeated, each wrap
seeing the present tangent points of the others, until no point moves any more. A wrap stays between the two points of
the path between which it first touched it, so that none jumps to the other end of a muscle.
"""

from typing import Any, NamedTuple

from ....numeric import inlined, kernel, less, magnitude
from ....spatial.kernels.algebra import add3, matvec, sub3, transposed_matvec
from ...kernels.path_layout import (
    CYLINDER,
    INSIDE,
    MANDATORY,
    NO_GEODESIC,
    NO_POINTS,
    NONE,
    NOT_SETTLED,
    SPHERE,
    TORUS,
    WRAPPED,
)
from ...kernels.path_records import wrap_at
from .cylinder import wrap_cylinder
from .ellipsoid import wrap_ellipsoid
from .plane_angles import norm3, unit3
from .sphere import wrap_sphere
from .torus import wrap_torus

SWEEPS, CHOOSING = 200, 1  # at most; an ellipsoid's side is chosen in the first, then kept
SETTLED = 1e-13  # of the path's extent: tangent points that move less are at rest


class Lane(NamedTuple):
    """One lane of interleaved arrays: number k stands at k · width + lane."""

    width: int
    number: int


class Touch(NamedTuple):
    """How a segment wraps: the result, the tangent points in the world, the arc between them, and its status."""

    result: int
    a: Any
    b: Any
    arc: Any
    failed: int


@inlined
def get(x, k, lane):
    """Number k of a lane."""
    return x[k * lane.width + lane.number]


@inlined
def put(x, k, lane, value):
    """Set number k of a lane."""
    x[k * lane.width + lane.number] = value


@inlined
def get3(x, k, lane):
    """The vector that begins at number k of a lane."""
    return get(x, k, lane), get(x, k + 1, lane), get(x, k + 2, lane)


@inlined
def put3(x, k, lane, a):
    """Set the vector that begins at number k of a lane."""
    put(x, k, lane, a[0])
    put(x, k + 1, lane, a[1])
    put(x, k + 2, lane, a[2])


@inlined
def vertex(m, k, lane):
    """The number of the vertex that the path meets as its k-th."""
    return int(get(m.order, k, lane).real)


@inlined
def turned_by(x, k, lane):
    """The rotation that begins at number k of a lane."""
    a, b, c = get3(x, k, lane), get3(x, k + 3, lane), get3(x, k + 6, lane)
    return (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])


@kernel
def try_surface(t, wrap, p, q, near, follow):
    """(result, tangent points, arc, status) of a segment in the frame of a wrap; as near to `near` as can be, if so."""
    at, failed = wrap.at + 12, 0
    sizes = t.numbers[at], t.numbers[at + 1], t.numbers[at + 2]
    if wrap.kind == CYLINDER:
        result, a, b, arc = wrap_cylinder(p, q, sizes[0], sizes[1], wrap.axis, wrap.sign)
    elif wrap.kind == SPHERE:
        result, a, b, arc = wrap_sphere(p, q, sizes[0], wrap.axis, wrap.sign)
    elif wrap.kind == TORUS:
        result, a, b, arc = wrap_torus(p, q, sizes[0], sizes[1])
    else:
        result, a, b, arc, exact = wrap_ellipsoid(p, q, sizes, (wrap.axis, wrap.sign), near, follow)
        failed = 0 if exact else NO_GEODESIC
    return result, a, b, arc, failed


@kernel
def try_segment(t, path, wrap, k, i, m, lane, follow):
    """How the segment after the i-th vertex wraps over wrap k."""
    p, q = get3(m.x, 3 * vertex(m, i, lane), lane), get3(m.x, 3 * vertex(m, i + 1, lane), lane)
    R, o = turned_by(m.frames, 12 * k, lane), get3(m.frames, 12 * k + 9, lane)
    was = get3(m.x, 3 * (path.points + 2 * k), lane)
    ends = transposed_matvec(R, sub3(p, o)), transposed_matvec(R, sub3(q, o))
    result, a, b, arc, failed = try_surface(t, wrap, ends[0], ends[1], transposed_matvec(R, sub3(was, o)), follow)
    return Touch(result, add3(o, matvec(R, a)), add3(o, matvec(R, b)), arc, failed)


@kernel
def growth(touch, p, q):
    """How much longer the path gets by wrapping between p and q."""
    return norm3(sub3(touch.a, p)) + touch.arc + norm3(sub3(q, touch.b)) - norm3(sub3(q, p))


@kernel
def begin_order(path, m, lane):
    """The points that count, in their order; how many there are."""
    count = 0
    for k in range(path.points):
        if less(0.5, get(m.on, k, lane)):
            put(m.order, count, lane, k + 0.0)
            count += 1
    return count


@kernel
def without(first, count, m, lane):
    """Take the vertices `first` and the next out of the order; how many are left."""
    left = 0
    for k in range(count):
        v = vertex(m, k, lane)
        if v != first and v != first + 1:
            put(m.order, left, lane, v + 0.0)
            left += 1
    return left


@kernel
def insert(first, after, count, m, lane):
    """Put the vertices `first` and the next into the order after a place; how many there are now."""
    for k in range(count - 1, after, -1):
        put(m.order, k + 2, lane, get(m.order, k, lane))
    put(m.order, after + 1, lane, first + 0.0)
    put(m.order, after + 2, lane, first + 1.0)
    return count + 2


@kernel
def ends_of_range(path, wrap, count, m, lane):
    """The places in the order of the first and the last point between which segments may wrap."""
    low, high = count, -1
    for k in range(count):
        v = vertex(m, k, lane)
        if v < path.points and v >= wrap.first and v <= wrap.last:
            low, high = min(low, k), max(high, k)
    return low, high


@kernel
def ends_of_home(path, home, count, m, lane):
    """The places in the order of the point after which a wrap first touched the path, and of the next point."""
    low, high = count, -1
    for k in range(count):
        v = vertex(m, k, lane)
        if v == home:
            low = k
        elif low < k and v < path.points:
            high = k
            break
    return low, high


@kernel
def home_of(path, after, m, lane):
    """The point of the path that its vertex at a place follows, or is."""
    for back in range(after + 1):
        v = vertex(m, after - back, lane)
        if v < path.points:
            return v
    return -1


@kernel
def is_arc(path, a, b):
    """Whether two vertices are the tangent points of one wrap."""
    return a >= path.points and b == a + 1 and (a - path.points) % 2 == 0


@kernel
def search(t, path, wrap, k, count, m, lane, follow):
    """(place after which the path wraps, how); the place is −1 if it does not."""
    home = int(get(m.homes, k, lane).real)
    low, high = ends_of_range(path, wrap, count, m, lane) if home < 0 else ends_of_home(path, home, count, m, lane)
    p = get3(m.x, 0, lane)
    best, where, least = Touch(NONE, p, p, 0.0 * p[0], 0), -1, 1e300
    for i in range(low, high):
        a, b = vertex(m, i, lane), vertex(m, i + 1, lane)
        if is_arc(path, a, b):
            continue
        touch = try_segment(t, path, wrap, k, i, m, lane, follow)
        if touch.result == MANDATORY:
            return i, touch
        if touch.result == WRAPPED:
            more = growth(touch, get3(m.x, 3 * a, lane), get3(m.x, 3 * b, lane)).real
            if more < least:
                best, where, least = touch, i, more
        elif touch.result == INSIDE and where < 0:
            best = touch
    return where, best


@kernel
def moved(touch, first, m, lane):
    """Move the tangent points of a wrap; by how much they moved."""
    was, is_now = get3(m.x, 3 * first, lane), get3(m.x, 3 * first + 3, lane)
    put3(m.x, 3 * first, lane, touch.a)
    put3(m.x, 3 * first + 3, lane, touch.b)
    return (norm3(sub3(was, touch.a)) + norm3(sub3(is_now, touch.b))).real


@kernel
def rewrap(t, path, k, count, m, lane, follow):
    """Take wrap k out of the path and search again: (how many vertices, how far its points moved, result, status)."""
    first = path.points + 2 * k
    left = without(first, count, m, lane)
    where, touch = search(t, path, wrap_at(t, path, k), k, left, m, lane, follow and left < count)
    if where < 0:
        shift = 0.0 if left == count else 1e300
        return left, shift, touch.result, 0
    shift = moved(touch, first, m, lane)
    put(m.arcs, k, lane, touch.arc)
    put(m.homes, k, lane, home_of(path, where, m, lane) + 0.0)
    return insert(first, where, left, m, lane), shift if left < count else 1e300, touch.result, touch.failed


@kernel
def extent(path, count, m, lane):
    """About how long the path is."""
    total = 1e-12
    for i in range(count - 1):
        a, b = vertex(m, i, lane), vertex(m, i + 1, lane)
        total += norm3(sub3(get3(m.x, 3 * a, lane), get3(m.x, 3 * b, lane))).real
    return total


@kernel
def settle(t, path, count, m, lane):
    """Sweep over the wraps until the path is at rest: (how many vertices, status)."""
    size, swapped, failed = extent(path, count, m, lane), False, 0
    for k in range(path.wraps):
        put(m.homes, k, lane, -1.0)
    for sweep in range(SWEEPS):
        shift, first, second, failed = 0.0, NONE, NONE, 0
        for n in range(path.wraps):
            k = 1 - n if swapped and n < 2 else n
            count, by, result, bad = rewrap(t, path, k, count, m, lane, sweep >= CHOOSING)
            shift, failed = max(shift, by), max(failed, bad)
            if n == 0:
                first = result
            if n == 1:
                second = result
        if path.wraps == 1 or (sweep > 0 and shift < SETTLED * size):
            return count, failed
        swapped = swapped or (sweep == 0 and first == NONE and second == INSIDE)
    return count, NOT_SETTLED


@kernel
def measure(path, count, m, lane):
    """The length of the path in one lane; what each vertex does to it goes to m.pull."""
    for k in range(3 * (path.points + 2 * path.wraps)):
        put(m.pull, k, lane, 0.0)
    length = 0.0 * get(m.x, 0, lane)
    for i in range(count - 1):
        a, b = vertex(m, i, lane), vertex(m, i + 1, lane)
        if is_arc(path, a, b):
            length += get(m.arcs, (a - path.points) // 2, lane)
            continue
        d = sub3(get3(m.x, 3 * b, lane), get3(m.x, 3 * a, lane))
        u = unit3(d)
        length += norm3(d)
        put3(m.pull, 3 * b, lane, add3(get3(m.pull, 3 * b, lane), u))
        put3(m.pull, 3 * a, lane, sub3(get3(m.pull, 3 * a, lane), u))
    return length


@kernel
def wrapped_length(t, path, m, lane):
    """(length, status) of a path with wraps in one lane; the order of its vertices ends with −1."""
    count = begin_order(path, m, lane)
    put(m.order, count, lane, -1.0)
    if count < 2:
        measure(path, 0, m, lane)
        return 0.0 * magnitude(get(m.x, 0, lane)), NO_POINTS
    count, failed = settle(t, path, count, m, lane)
    put(m.order, count, lane, -1.0)
    return measure(path, count, m, lane), failed
