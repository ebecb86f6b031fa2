"""A way through a torus: round its tube, as round a cylinder that touches the torus' circle inside.

The circle lies in the plane z = 0 of the torus' frame. Of the cylinders along its tangents that one counts, near the
point of the circle nearest to the line, for which the length is stationary: then the way pulls along its two lines
alone.
"""

from ....numeric import kernel, less, magnitude, sincos
from ....spatial.kernels.algebra import sub3
from ...kernels.path_layout import WRAPPED
from .cylinder import wrap_cylinder
from .plane_angles import PI, bounded, unit3

FAR = 1e4  # half length of the cylinder [m]
SAMPLES, ROUNDS = 24, 40
NEAR = 0.5  # how far the stationary angle may be from that of the nearest point [rad]


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
def wrap_tube(p, q, r, R, u):
    """(result, tangent points, arc) round the cylinder at the angle u, in the torus' frame."""
    result, x, y, arc = wrap_cylinder(into_tube(p, R, u), into_tube(q, R, u), r, FAR, 0, 1)
    return result, out_of_tube(x, R, u), out_of_tube(y, R, u), arc


@kernel
def turning(p, q, r, R, u):
    """(whether it wraps, derivative of the length by the angle u): the moment of both lines about the torus' axis."""
    result, x, y, _ = wrap_tube(p, q, r, R, u)
    a, b = unit3(sub3(x, p)), unit3(sub3(q, y))
    return result >= WRAPPED, x[0] * a[1] - x[1] * a[0] - y[0] * b[1] + y[1] * b[0]


@kernel
def nearest_angle(p, q, R):
    """The angle of the point of the circle that is nearest to the line from p to q."""
    best, least = 0.0 * R, distance_at(p, q, R, 0.0)
    for k in range(1, SAMPLES):
        u = 2.0 * PI * k / SAMPLES
        d = distance_at(p, q, R, u)
        if less(d, least):
            best, least = u, d
    h = 1e-4
    for _ in range(4):
        before, after = distance_at(p, q, R, best - h), distance_at(p, q, R, best + h)
        bend = (before - 2.0 * distance_at(p, q, R, best) + after) / (h * h)
        if less(1e-12 * R * R, bend):
            best = best - bounded((after - before) / (2.0 * h * bend), 0.1)
    return best


@kernel
def stationary_angle(p, q, r, R, start):
    """The angle near a start where the length is stationary, by the secant method; the start if there is none near."""
    u0, u1 = start - 1e-3, start + 1e-3
    wraps0, f0 = turning(p, q, r, R, u0)
    wraps1, f1 = turning(p, q, r, R, u1)
    for _ in range(ROUNDS):
        if not (wraps0 and wraps1) or not less(0.0, magnitude(f1 - f0)):
            break
        u2 = u1 - bounded(f1 * (u1 - u0) / (f1 - f0), 0.1)
        u0, f0, wraps0 = u1, f1, wraps1
        u1 = u2
        wraps1, f1 = turning(p, q, r, R, u1)
        if less(magnitude(u1 - u0), 1e-14):
            break
    return u1 if wraps1 and less(magnitude(f1), 1e-9 * R) and less(magnitude(u1 - start), NEAR) else start


@kernel
def wrap_torus(p, q, r, R):
    """(result, tangent points of p and of q, length of the arc) in the torus' frame; never MANDATORY."""
    u = stationary_angle(p, q, r, R, nearest_angle(p, q, R))
    result, x, y, arc = wrap_tube(p, q, r, R, u)
    return min(result, WRAPPED), x, y, arc
