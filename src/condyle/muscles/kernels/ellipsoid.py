"""The geodesic round an ellipsoid: two tangents and a curve ẍ = −n (ẋᵀBẋ)/(n·n), n = Bx, B = diag(1/a²).

Its start lies on the contour that p sees (a circle in y = x/a) at an angle ψ, it begins in the direction x − p, and it
ends after a length s where q − x is parallel to ẋ: two unknowns, two equations, solved by Newton's method from the way
in a plane.
"""

from ...numeric import kernel, less, magnitude, sincos, sqrt
from ...spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from .ellipsoid_planes import chord_sum, scaled, section_tangents, seed_direction
from .layout import INSIDE, MANDATORY, NONE
from .plane_angles import angle_between, bounded, norm3, unit3
from .sphere import normal_of, pierces

STEPS, ROUNDS = 48, 30
NEARLY = 1e-4  # by how much, as Σ(x/a)² − 1, an end may lie inside


@kernel
def curve_acceleration(B, x, u):
    """ẍ of a geodesic of unit speed."""
    n = scaled(B, x)
    return scale3(-dot3(u, scaled(B, u)) / dot3(n, n), n)


@kernel
def geodesic_step(B, x, u, h):
    """One step of RK4 along a geodesic."""
    a1 = curve_acceleration(B, x, u)
    u2 = add3(u, scale3(0.5 * h, a1))
    a2 = curve_acceleration(B, add3(x, scale3(0.5 * h, u)), u2)
    u3 = add3(u, scale3(0.5 * h, a2))
    a3 = curve_acceleration(B, add3(x, scale3(0.5 * h, u2)), u3)
    u4 = add3(u, scale3(h, a3))
    a4 = curve_acceleration(B, add3(x, scale3(h, u3)), u4)
    k = h / 6.0
    x = add3(x, scale3(k, add3(add3(u, u4), scale3(2.0, add3(u2, u3)))))
    return x, add3(u, scale3(k, add3(add3(a1, a4), scale3(2.0, add3(a2, a3)))))


@kernel
def geodesic_end(B, x, u, s):
    """Place and direction after a length s."""
    h = s / STEPS
    for _ in range(STEPS):
        x, u = geodesic_step(B, x, u, h)
    return x, u


@kernel
def contour_point(a, P, e, f, psi):
    """The point of the ellipsoid at the angle ψ of the contour that p = a P sees; e, f are normal to P."""
    P2 = dot3(P, P)
    s, c = sincos(psi)
    k = sqrt(magnitude(1.0 - 1.0 / P2))
    return scaled(a, add3(scale3(1.0 / P2, P), add3(scale3(k * c, e), scale3(k * s, f))))


@kernel
def misfit(B, q, x, u):
    """The components of q − x across ẋ: along the normal, and along the surface."""
    n = unit3(scaled(B, x))
    d = sub3(q, x)
    return dot3(d, n), dot3(d, cross(n, u))


@kernel
def misfit_rate(B, q, x, u):
    """The derivative of the misfit by the length of the curve."""
    n, turn = scaled(B, x), scaled(B, u)
    size = norm3(n)
    n = scale3(1.0 / size, n)
    turn = scale3(1.0 / size, sub3(turn, scale3(dot3(n, turn), n)))
    d = sub3(q, x)
    return dot3(d, turn), dot3(d, cross(turn, u))


@kernel
def shot(a, B, p, P, e, f, psi, s):
    """Place and direction at the end of the curve that begins at ψ and has length s."""
    x = contour_point(a, P, e, f, psi)
    return geodesic_end(B, x, unit3(sub3(x, p)), s)


@kernel
def geodesic(a, p, q, P, psi, s):
    """(found, first point, last point, length) of the geodesic near a start ψ and a length s."""
    B = (1.0 / (a[0] * a[0]), 1.0 / (a[1] * a[1]), 1.0 / (a[2] * a[2]))
    e = normal_of(P, scale3(0.0, P))
    f = cross(unit3(P), e)
    scale = norm3(sub3(q, p))
    found, h = False, 1e-6
    last = 1e300
    for _ in range(ROUNDS):
        x, u = shot(a, B, p, P, e, f, psi, s)
        r = misfit(B, q, x, u)
        size = magnitude(r[0]) + magnitude(r[1])
        found = less(size, 1e-9 * scale)
        if less(size, 1e-15 * scale) or (found and not less(size, 0.5 * last)):
            break
        last = size.real
        x1, u1 = shot(a, B, p, P, e, f, psi + h, s)
        x0, u0 = shot(a, B, p, P, e, f, psi - h, s)
        r1, r0 = misfit(B, q, x1, u1), misfit(B, q, x0, u0)
        A, C = (r1[0] - r0[0]) / (2.0 * h), (r1[1] - r0[1]) / (2.0 * h)
        b, d = misfit_rate(B, q, x, u)
        det = A * d - b * C
        if less(magnitude(det), 1e-300):
            break
        psi = psi - bounded((d * r[0] - b * r[1]) / det, 0.3)
        s = s - bounded((A * r[1] - C * r[0]) / det, 0.5 * s.real)
    x, u = shot(a, B, p, P, e, f, psi, s)
    return found, contour_point(a, P, e, f, psi), x, s


@kernel
def contour_angle(P, A):
    """The angle ψ of a point A of the contour that P sees."""
    e = normal_of(P, scale3(0.0, P))
    f = cross(unit3(P), e)
    c, s = dot3(A, e), dot3(A, f)
    angle = angle_between(magnitude(s), c)
    return -angle if less(s, 0.0) else angle


@kernel
def outside(P):
    """The point, moved to the surface of the unit sphere if it is a little inside."""
    P2 = dot3(P, P)
    return P if less(1.0, P2) else scale3((1.0 + 1e-12) / sqrt(P2), P)


@kernel
def wrap_ellipsoid(p, q, a, axis, sign):
    """(result, tangent points of p and of q, length of the arc, whether it is a geodesic) in the ellipsoid's frame."""
    nothing = scale3(0.0, p)
    inverse = (1.0 / a[0], 1.0 / a[1], 1.0 / a[2])
    P, Q = scaled(inverse, p), scaled(inverse, q)
    if less(dot3(P, P), 1.0 - NEARLY) or less(dot3(Q, Q), 1.0 - NEARLY):
        return INSIDE, nothing, nothing, nothing[0], True
    P, Q = outside(P), outside(Q)
    if not pierces(P, Q, 1.0):
        return NONE, nothing, nothing, nothing[0], True
    d, h = seed_direction(a, P, Q, axis, sign)
    A, C = section_tangents(P, Q, d, h)
    arc = chord_sum(a, A, C, cross(d, h))
    found, first, last, length = geodesic(a, scaled(a, P), scaled(a, Q), P, contour_angle(P, A), arc)
    if found and less(0.0, length):
        return MANDATORY, first, last, length, True
    return MANDATORY, scaled(a, A), scaled(a, C), arc, False
