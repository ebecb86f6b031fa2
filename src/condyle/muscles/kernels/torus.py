"""A way through a torus: round its tube, as round a cylinder that touches the torus' circle inside.

The circle lies in the plane z = 0 of the torus' frame. Of the cylinders along its tangents, that one counts which makes
the way shortest, so that the length is stationary and pulls on the body along the two lines alone.
"""

from ...numeric import kernel, less, sincos
from ...spatial.kernels.algebra import sub3
from .cylinder import wrap_cylinder
from .layout import WRAPPED
from .plane_angles import PI, norm3

FAR = 1e4  # half length of the cylinder [m]
SAMPLES, HALVINGS = 24, 60
RATIO = 0.6180339887498949


@kernel
def distance_at(p, q, R, u):
    """The squared distance of the line from p to q from the point of the circle at the angle u."""
    s, c = sincos(u)
    x = (R * c - p[0], R * s - p[1], -p[2])
    d = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    along = (x[0] * d[0] + x[1] * d[1] + x[2] * d[2]) / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    y = (x[0] - along * d[0], x[1] - along * d[1], x[2] - along * d[2])
    return y[0] * y[0] + y[1] * y[1] + y[2] * y[2]


@kernel
def into_tube(p, R, u):
    """A point in the frame of the cylinder at the angle u: x to the torus' centre, z along the circle's tangent."""
    s, c = sincos(u)
    return (R - c * p[0] - s * p[1], -p[2] + 0.0 * R, c * p[1] - s * p[0])


@kernel
def out_of_tube(y, R, u):
    """A point of the cylinder's frame in that of the torus."""
    s, c = sincos(u)
    x = R - y[0]
    return (c * x - s * y[2], s * x + c * y[2], -y[1])


@kernel
def tube_length(p, q, r, R, u):
    """The length of the way round the cylinder at the angle u; that of the line where it does not wrap."""
    a, b = into_tube(p, R, u), into_tube(q, R, u)
    result, x, y, arc = wrap_cylinder(a, b, r, FAR, 0, 1)
    if result < WRAPPED:
        x, y, arc = a, b, norm3(sub3(a, b))
    return norm3(sub3(a, x)) + arc + norm3(sub3(y, b))


@kernel
def nearest_angle(p, q, R):
    """The angle of the point of the circle that is nearest to the line from p to q, to about a degree."""
    best, least = 0.0, distance_at(p, q, R, 0.0)
    for k in range(1, SAMPLES):
        u = 2.0 * PI * k / SAMPLES
        d = distance_at(p, q, R, u)
        if less(d, least):
            best, least = u, d
    return best


@kernel
def stationary_angle(p, q, r, R, u):
    """The angle near u where the way is shortest, by sections in the golden ratio."""
    low, high = u - 2.0 * PI / SAMPLES, u + 2.0 * PI / SAMPLES
    a, b = high - RATIO * (high - low), low + RATIO * (high - low)
    fa, fb = tube_length(p, q, r, R, a), tube_length(p, q, r, R, b)
    for _ in range(HALVINGS):
        if less(fa, fb):
            high, b, fb = b, a, fa
            a = high - RATIO * (high - low)
            fa = tube_length(p, q, r, R, a)
        else:
            low, a, fa = a, b, fb
            b = low + RATIO * (high - low)
            fb = tube_length(p, q, r, R, b)
    return 0.5 * (low + high)


@kernel
def wrap_torus(p, q, r, R):
    """(result, tangent points of p and of q, length of the arc) in the torus' frame; never MANDATORY."""
    u = stationary_angle(p, q, r, R, nearest_angle(p, q, R))
    result, x, y, arc = wrap_cylinder(into_tube(p, R, u), into_tube(q, R, u), r, FAR, 0, 1)
    return min(result, WRAPPED), out_of_tube(x, R, u), out_of_tube(y, R, u), arc
