"""Ways round an ellipsoid in one plane: where the search for the shortest one begins.

Divided by the radii, y = x/a, the ellipsoid is the unit sphere, a plane stays a plane and a tangent a tangent. The
planes that hold both ends of the way are turned about the line between them; in each, the sphere is a circle and the
way is two tangents and an arc on the side to which the plane is turned.
"""

from ....numeric import kernel, less, magnitude, sincos, sqrt
from ....spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from .plane_angles import PI, angle_between, norm3, unit3
from .sphere import normal_of

TURNS, CHORDS = 16, 8


@kernel
def scaled(a, y):
    """The point of the ellipsoid's space of a point of the sphere's."""
    return (a[0] * y[0], a[1] * y[1], a[2] * y[2])


@kernel
def section_tangents(P, Q, d, h):
    """Tangent points of P and Q on the circle in the plane of d (from P to Q) and h, over the side of h."""
    m = cross(d, h)
    height = dot3(P, m)
    center = scale3(height, m)
    radius = sqrt(magnitude(1.0 - height * height))
    return touch(sub3(P, center), m, radius, -1, center), touch(sub3(Q, center), m, radius, 1, center)


@kernel
def touch(p, m, radius, way, center):
    """The point of a circle where a line from p (seen from its centre) touches it, turned by `way` about m."""
    p2 = dot3(p, p)
    s = way * radius * sqrt(magnitude(p2 - radius * radius)) / p2
    return add3(center, add3(scale3(radius * radius / p2, p), scale3(s, cross(m, p))))


@kernel
def arc_point(A, B, m, share):
    """The point on the circle through A and B in a plane with normal m, at a share of the way from A to B."""
    height = dot3(A, m)
    center = scale3(height, m)
    u, w = sub3(A, center), sub3(B, center)
    theta = angle_between(norm3(cross(u, w)), dot3(u, w))
    n = unit3(cross(u, w))
    s, c = sincos(share * theta)
    return add3(center, add3(scale3(c, u), scale3(s, cross(n, u))))


@kernel
def chord_sum(a, A, B, m):
    """About the length of the arc from A to B on the ellipsoid."""
    total, last = 0.0 * A[0], scaled(a, A)
    for k in range(CHORDS):
        x = scaled(a, arc_point(A, B, m, (k + 1.0) / CHORDS))
        total += norm3(sub3(x, last))
        last = x
    return total


@kernel
def section_length(a, P, Q, d, h):
    """About the length of the way from P to Q in the plane of d and h."""
    A, B = section_tangents(P, Q, d, h)
    straight = norm3(scaled(a, sub3(A, P))) + norm3(scaled(a, sub3(Q, B)))
    return straight + chord_sum(a, A, B, cross(d, h))


@kernel
def turned(e, f, angle):
    """The direction at an angle from e towards f."""
    s, c = sincos(angle)
    return add3(scale3(c, e), scale3(s, f))


@kernel
def shortest_turn(a, P, Q, d, e, f):
    """The angle of the plane with about the shortest way: the best of a few, then the vertex of a parabola."""
    step = 2.0 * PI / TURNS
    best, least = 0.0, section_length(a, P, Q, d, e)
    for k in range(1, TURNS):
        length = section_length(a, P, Q, d, turned(e, f, k * step))
        if less(length, least):
            best, least = k * step, length
    before = section_length(a, P, Q, d, turned(e, f, best - step))
    after = section_length(a, P, Q, d, turned(e, f, best + step))
    bend = before - 2.0 * least + after
    if less(bend, 1e-12 * least):
        return best + 0.0 * least
    return best + 0.5 * step * (before - after) / bend


@kernel
def seed_direction(a, P, Q, axis, sign):
    """(d, h): the line from P to Q, and the direction of the plane to begin with, on the active side if any."""
    d = unit3(sub3(Q, P))
    e = normal_of(d, scale3(0.0, d))
    f = cross(d, e)
    h = turned(e, f, shortest_turn(a, P, Q, d, e, f))
    if sign == 0:
        return d, h
    A, B = section_tangents(P, Q, d, h)
    top = arc_point(A, B, cross(d, h), 0.5)
    if less(top[axis] * sign, 0.0):
        mirror = (1.0 - 2.0 * (axis == 0), 1.0 - 2.0 * (axis == 1), 1.0 - 2.0 * (axis == 2))
        away = sub3(scaled(mirror, top), P)
        h = unit3(sub3(away, scale3(dot3(away, d), d)))
    return d, h
