"""The shortest way round a cylinder: axis z, through the origin of its own frame.

Unrolled, the cylinder is a plane, so the length is √(S² + Δ²) with S the length of the projected way (two tangents
and an arc) and Δ the rise; the tangent points divide the rise as they divide S. Which way round and whether at all is
decided as OpenSim does.
"""

from ....numeric import kernel, less, magnitude, sqrt
from ....spatial.kernels.algebra import scale3
from ...kernels.path_layout import INSIDE, MANDATORY, NONE, WRAPPED
from .plane_angles import PI, angle_between, side


@kernel
def cylinder_result(p, q, r, axis, sign):
    """Whether the line from p to q wraps: NONE, INSIDE, WRAPPED or MANDATORY."""
    if less(p[0] * p[0] + p[1] * p[1], r * r) or less(q[0] * q[0] + q[1] * q[1], r * r):
        return INSIDE
    dx, dy = q[0] - p[0], q[1] - p[1]
    d2 = dx * dx + dy * dy
    hit, nearest = False, p
    if less(0.0, d2):
        t = -(p[0] * dx + p[1] * dy) / d2
        nearest = (p[0] + t * dx, p[1] + t * dy, p[2] + t * (q[2] - p[2]))
        near = less(nearest[0] * nearest[0] + nearest[1] * nearest[1], r * r)
        hit = near and less(0.0, t) and less(t, 1.0)
    if sign == 0:
        return MANDATORY if hit else NONE
    a, b = side(p[axis]), side(q[axis])
    if a != sign and b != sign:
        return WRAPPED
    if hit:
        return MANDATORY
    return WRAPPED if a != b and side(nearest[axis]) != sign else NONE


@kernel
def tangent(p, r, way):
    """The point of the circle where a line from p touches it, to the left of p's direction (way 1) or right (−1)."""
    rho2 = p[0] * p[0] + p[1] * p[1]
    c = r * r / rho2
    s = way * r * sqrt(magnitude(rho2 - r * r)) / rho2
    return c * p[0] - s * p[1], c * p[1] + s * p[0]


@kernel
def cosine(p, q, r, way):
    """The cosine, times r², between the tangent points of p (way) and of q (the other way)."""
    a, b = tangent(p, r, way), tangent(q, r, -way)
    return a[0] * b[0] + a[1] * b[1]


@kernel
def on_side(a, axis, sign):
    """Whether a point of the plane is on the active side."""
    return side(a[axis]) == sign


@kernel
def chosen_way(p, q, r, axis, sign):
    """On which side the path goes round: 1 if it leaves p to the left, else −1."""
    shorter = -1 if less(cosine(p, q, r, 1), cosine(p, q, r, -1)) else 1
    if sign == 0 or axis == 2:
        return shorter
    left, right = on_side(tangent(p, r, 1), axis, sign), on_side(tangent(p, r, -1), axis, sign)
    if left != right:
        return 1 if left else -1
    if on_side(tangent(q, r, 1), axis, sign):
        return -1
    if left or on_side(tangent(q, r, -1), axis, sign):
        return 1
    return -shorter


@kernel
def wrap_cylinder(p, q, r, half, axis, sign):
    """(result, tangent points of p and of q, length of the arc) in the cylinder's frame."""
    nothing = scale3(0.0, p)
    result = cylinder_result(p, q, r, axis, sign)
    if result < WRAPPED:
        return result, nothing, nothing, nothing[0]
    way = chosen_way(p, q, r, axis, sign)
    a, b = tangent(p, r, way), tangent(q, r, -way)
    theta = angle_between(magnitude(a[0] * b[1] - a[1] * b[0]), a[0] * b[0] + a[1] * b[1])
    out = (a[0] + b[0]) * (a[0] - p[0] + b[0] - q[0]) + (a[1] + b[1]) * (a[1] - p[1] + b[1] - q[1])
    if less(out, 0.0):
        theta = 2.0 * PI - theta
    tp = sqrt(magnitude(p[0] * p[0] + p[1] * p[1] - r * r))
    tq = sqrt(magnitude(q[0] * q[0] + q[1] * q[1] - r * r))
    across = tp + r * theta + tq
    rise = q[2] - p[2]
    za, zb = p[2] + rise * tp / across, q[2] - rise * tq / across
    if less(half, magnitude(za)) and less(half, magnitude(zb)):
        return NONE, nothing, nothing, nothing[0]
    arc = r * theta * sqrt(1.0 + (rise / across) * (rise / across))
    return result, (a[0], a[1], za), (b[0], b[1], zb), arc
