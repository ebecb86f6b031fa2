"""The great circle round a sphere about the origin of its own frame."""

from ....numeric import kernel, less, magnitude, sqrt
from ....spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from ...kernels.path_layout import INSIDE, MANDATORY, NONE
from .plane_angles import PI, angle_between, norm3, side, unit3


@kernel
def pierces(p, q, r2):
    """Whether the line from p to q, both outside, goes through the ball of squared radius r2."""
    d = sub3(q, p)
    d2 = dot3(d, d)
    t = -dot3(p, d)  # of the nearest point, times d2
    if not (less(0.0, t) and less(t, d2)):
        return False
    return less(0.0, t * t - d2 * (dot3(p, p) - r2))


@kernel
def normal_of(p, q):
    """The unit normal of the plane of p, q and the centre; any fixed one if they are on a line."""
    n = cross(p, q)
    if less(1e-20 * dot3(p, p) * dot3(q, q), dot3(n, n)):
        return unit3(n)
    u = unit3(p)
    least = (0.0, 0.0, 1.0)
    if less(magnitude(u[0]), 0.6):
        least = (1.0, 0.0, 0.0)
    elif less(magnitude(u[1]), 0.6):
        least = (0.0, 1.0, 0.0)
    return unit3(cross(u, least))


@kernel
def touching(p, n, r, way):
    """The point of the sphere where a line from p in the plane with normal n touches it, on the side of way · n×p."""
    p2 = dot3(p, p)
    s = way * r * sqrt(magnitude(p2 - r * r)) / p2
    return add3(scale3(r * r / p2, p), scale3(s, cross(n, p)))


@kernel
def sphere_way(p, q, n, r, axis, sign):
    """1 for the short way from p to q, −1 for the way round the back."""
    if sign == 0 or (side(p[axis]) == sign and side(q[axis]) == sign):
        return 1
    a, b = touching(p, n, r, -1), touching(q, n, r, 1)
    out = a[axis] - p[axis] + b[axis] - q[axis]
    return 1 if side(out) != sign else -1


@kernel
def wrap_sphere(p, q, r, axis, sign):
    """(result, tangent points of p and of q, length of the arc) in the sphere's frame."""
    nothing = scale3(0.0, p)
    if less(dot3(p, p), r * r) or less(dot3(q, q), r * r):
        return INSIDE, nothing, nothing, nothing[0]
    if not pierces(p, q, r * r):
        return NONE, nothing, nothing, nothing[0]
    n = normal_of(p, q)
    way = sphere_way(p, q, n, r, axis, sign)
    a, b = touching(p, n, r, way), touching(q, n, r, -way)
    theta = angle_between(norm3(cross(a, b)), dot3(a, b))
    if less(dot3(add3(a, b), add3(sub3(a, p), sub3(b, q))), 0.0):
        theta = 2.0 * PI - theta
    return MANDATORY, a, b, r * theta
