"""The geodesic round an ellipsoid: two tangents and a curve ẍ = −n (ẋᵀBẋ)/(n·n), n = Bx, B = diag(1/a²).

Its start lies on the contour that p sees (a circle in y = x/a) at an angle ψ, it begins in the direction x − p, and it
ends after a length s where q − x is parallel to ẋ: two unknowns, two equations. Along each curve q comes out from
behind the surface once, or nearly does, and how far the curve then misses it sideways is a function of ψ all round the
contour. Its zeros are all geodesics: there are at least two, the shortest and one over the far side, where no string
would stay. That which is chosen is made exact by Newton's method.
"""

from ....numeric import kernel, less, magnitude, sincos, sqrt
from ....simulation.kernels.runge_kutta import TABLEAU
from ....spatial.kernels.algebra import add3, cross, dot3, scale3, sub3
from ...kernels.path_layout import INSIDE, MANDATORY, NONE
from .ellipsoid_planes import arc_point, chord_sum, scaled, section_tangents, seed_direction
from .plane_angles import PI, bounded, norm3, unit3
from .sphere import normal_of, pierces

STEPS, ROUNDS = 64, 30  # of the exact curve
STARTS, MARCH, LONGEST = 32, 24, 72  # curves that are tried, and their steps: of half a turn, and at most
BETWEEN = 2.0 * PI / STARTS  # [rad] from one start to the next
HALVINGS = 8  # of the step in which a curve ends
NEARLY = 1e-4  # by how much, as Σ(x/a)² − 1, an end may lie inside


@kernel
def curve_acceleration(B, x, u):
    """ẍ of a geodesic of unit speed."""
    n = scaled(B, x)
    return scale3(-dot3(u, scaled(B, u)) / dot3(n, n), n)


@kernel
def geodesic_step(B, x, u, h):
    """One step of RK4 along a geodesic, for the search."""
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
def carried(x, u, h, s, k):
    """Where stage s of the pair of Dormand and Prince stands, by the rates (ẋ, ẍ) before it; stage 6 is the end."""
    for r in range(s):
        part = h * TABLEAU[s, r]
        x, u = add3(x, scale3(part, k[r][0])), add3(u, scale3(part, k[r][1]))
    return x, u


@kernel
def exact_stage(B, x, u, h, s, k):
    """The rates at stage s."""
    x, u = carried(x, u, h, s, k)
    return u, curve_acceleration(B, x, u)


@kernel
def exact_step(B, x, u, h):
    """One step of order 5 along a geodesic."""
    k0 = u, curve_acceleration(B, x, u)
    k1 = exact_stage(B, x, u, h, 1, (k0,))
    k2 = exact_stage(B, x, u, h, 2, (k0, k1))
    k3 = exact_stage(B, x, u, h, 3, (k0, k1, k2))
    k4 = exact_stage(B, x, u, h, 4, (k0, k1, k2, k3))
    k5 = exact_stage(B, x, u, h, 5, (k0, k1, k2, k3, k4))
    return carried(x, u, h, 6, (k0, k1, k2, k3, k4, k5))


@kernel
def geodesic_end(B, x, u, s):
    """Place and direction after a length s."""
    h = s / STEPS
    for _ in range(STEPS):
        x, u = exact_step(B, x, u, h)
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
        beyond = dot3(sub3(x, q), u)
        if less(0.0, beyond):  # past q, where the line would run back to it; where it touches is as far before q
            s = s - 2.0 * beyond
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
def misfit_along_normal(B, q, x, u, order):
    """The component of q − x along the normal (order 0), or its derivative by the length of the curve (order 1)."""
    return misfit(B, q, x, u)[0] if order == 0 else misfit_rate(B, q, x, u)[0]


@kernel
def zero_step(B, q, x, u, order, reach, ends):
    """The part of a step of `reach` where the misfit along the normal, or its rate, changes sign.

    `ends` are its values at both ends. By the rule of false position: of an end that stays, half the value is taken.
    """
    low, high, step = 0.0 * reach, reach, reach
    first, last = ends
    sign = less(0.0, first)
    for _ in range(HALVINGS):
        step = low + (high - low) * first / (first - last)
        x1, u1 = geodesic_step(B, x, u, step)
        now = misfit_along_normal(B, q, x1, u1, order)
        if less(0.0, now) == sign:
            low, first, last = step, now, 0.5 * last
        else:
            high, last, first = step, now, 0.5 * first
    return step


@kernel
def end_of_passing(B, q, x, u, h):
    """(length, sideways misfit) of the curve from x along u where q comes out from behind the surface; steps of h.

    A curve that goes by too far from q, as most do if q is close to the surface, ends where q is abeam: where q is
    the least behind the surface. One end goes over into the other as curves come nearer, so the misfit is continuous.
    """
    s, r, rate, reach = 0.0 * h, misfit(B, q, x, u)[0], misfit_rate(B, q, x, u)[0], 0.0 * h
    for _ in range(LONGEST):
        x1, u1 = geodesic_step(B, x, u, h)
        r1, after = misfit(B, q, x1, u1)[0], misfit_rate(B, q, x1, u1)[0]
        comes_out, abeam = less(0.0, r1), less(0.0, rate) and not less(0.0, after)
        if abeam and not comes_out:
            reach = zero_step(B, q, x, u, 1, h, (rate, after))
            x1, u1 = geodesic_step(B, x, u, reach)
            r1 = misfit(B, q, x1, u1)[0]
            comes_out = less(0.0, r1)
        elif comes_out:
            reach = h
        if comes_out:
            reach = zero_step(B, q, x, u, 0, reach, (r, r1))
        if comes_out or abeam:
            break
        x, u, r, rate, s = x1, u1, r1, after, s + h
    x, u = geodesic_step(B, x, u, reach)
    return s + reach, misfit(B, q, x, u)[1]


@kernel
def missed(a, B, q, V, psi, h):
    """(length, sideways misfit) of the curve that begins at ψ; V is (p, P, e, f)."""
    x = contour_point(a, V[1], V[2], V[3], psi)
    return end_of_passing(B, q, x, unit3(sub3(x, V[0])), h)


@kernel
def zero_between(a, B, q, V, h, psi, low, high):
    """(ψ, length, misfit) where the sideways misfit is zero from ψ to the next start; `low` and `high` are its ends."""
    left, right, s, g, x = psi, psi + BETWEEN, 0.0 * low, low, psi
    for _ in range(12):
        x = left - low * (right - left) / (high - low)
        s, g = missed(a, B, q, V, x, h)
        if less(magnitude(g), 1e-5 * h.real):
            break
        if less(0.0, g * low):
            left, low, high = x, g, 0.5 * high
        else:
            right, high, low = x, g, 0.5 * low
    return x, s, g


@kernel
def way_length(a, B, q, V, psi, s):
    """About how long the whole way is, straight parts included, over the curve that begins at ψ and has length s."""
    first = contour_point(a, V[1], V[2], V[3], psi)
    end, _ = shot(a, B, V[0], V[1], V[2], V[3], psi, s)
    return (norm3(sub3(first, V[0])) + s + norm3(sub3(q, end))).real


@kernel
def chosen_start(a, B, q, V, active, near, follow):
    """(whether there is one, whether its middle is on the active side, ψ, length) of the geodesic to take.

    `active` is (axis, sign). It is the shortest taut one whose middle is on the active side; if there is none, the one
    whose middle is nearest to the point `near`. If `follow`, it is the one that begins nearest to that point. Curves
    that begin beside a taut one go by on the same side of q, as when a string is pulled tight: the misfit falls.
    """
    axis, sign = active
    h = 0.0 * q[0] + PI / MARCH * max(a[0], max(a[1], a[2]))
    best, length, least, liked, side = 0.0 * q[0], 0.0 * q[0], 1e300, False, False
    _, before = missed(a, B, q, V, 0.0 * q[0], h)
    for k in range(STARTS):
        _, after = missed(a, B, q, V, 0.0 * q[0] + (k + 1) * BETWEEN, h)
        if less(before * after, 0.0):
            psi, s, g = zero_between(a, B, q, V, h, 0.0 * q[0] + k * BETWEEN, before, after)
            if less(magnitude(g), 1e-3 * h.real) and less(0.0, s):
                x, _ = shot(a, B, V[0], V[1], V[2], V[3], psi, 0.5 * s)
                on_side = (x[axis] * sign).real >= 0.0
                good = on_side and less(after, before) and not follow
                size = norm3(sub3(contour_point(a, V[1], V[2], V[3], psi) if follow else x, near)).real
                if good:
                    size = way_length(a, B, q, V, psi, s)
                if (good and not liked) or (good == liked and size < least):
                    best, length, least, liked, side = psi, s, size, good, on_side
        before = after
    return least < 1e300, side, best, length


@kernel
def outside(P):
    """The point, moved to the surface of the unit sphere if it is a little inside."""
    P2 = dot3(P, P)
    return P if less(1.0, P2) else scale3((1.0 + 1e-12) / sqrt(P2), P)


@kernel
def wrap_ellipsoid(p, q, a, active, near, follow):
    """(result, tangent points of p and of q, length of the arc, whether it is as it should be) in its own frame.

    `active`, `near` and `follow` as `chosen_start` takes them.
    """
    nothing = scale3(0.0, p)
    inverse = (1.0 / a[0], 1.0 / a[1], 1.0 / a[2])
    P, Q = scaled(inverse, p), scaled(inverse, q)
    if less(dot3(P, P), 1.0 - NEARLY) or less(dot3(Q, Q), 1.0 - NEARLY):
        return INSIDE, nothing, nothing, nothing[0], True
    P, Q = outside(P), outside(Q)
    if not pierces(P, Q, 1.0):
        return NONE, nothing, nothing, nothing[0], True
    B = (inverse[0] * inverse[0], inverse[1] * inverse[1], inverse[2] * inverse[2])
    e = normal_of(P, scale3(0.0, P))
    V, end = (scaled(a, P), P, e, cross(unit3(P), e)), scaled(a, Q)
    d, h = seed_direction(a, P, Q, active[0], active[1])
    A, C = section_tangents(P, Q, d, h)
    if not follow:
        near = scaled(a, arc_point(A, C, cross(d, h), 0.5))
    there, right, psi, arc = chosen_start(a, B, end, V, active, near, follow)
    if there:
        found, first, last, length = geodesic(a, V[0], end, P, psi, arc)
        if found and less(0.0, length):
            return MANDATORY, first, last, length, right
    return MANDATORY, scaled(a, A), scaled(a, C), chord_sum(a, A, C, cross(d, h)), False
