"""The curves of muscles: active and passive force over fibre length, tendon force over tendon length, force over speed.

All are normalised: by the optimal fibre length, the tendon's slack length, the largest isometric force and the largest
speed.
"""

from ...numeric import inlined, kernel, larger, less, select, sqrt
from ...spatial.kernels.transcendental import asinh, exp, sinh
from .bezier_curves import curve_at
from .law_layout import (
    ACTIVE_CORNERS,
    DE_GROOTE,
    MILLARD,
    PASSIVE_CORNERS,
    SCHUTTE,
    TENDON_CORNERS,
    THELEN,
    VELOCITY_CORNERS,
    D,
    M,
    S,
    T,
)
from .spline_curves import spline_at

B1 = (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465)
B2 = (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188)
B3 = (0.1, 1.0, 0.353553390593274, 0.0)
D1, D2, D3, D4 = -0.3211346127989808, -8.149, -0.374, 0.8825327733249912
E3 = 20.085536923187668  # e³
TOE_FORCE = 0.33
KV, SLOPE, EXCESS = 0.15, 0.13 * 0.15 / 1.15, 1.4  # of Schutte's force over speed: shortening, lengthening, its limit
E4 = 54.598150033144236  # e⁴


@inlined
def own(t, r, k):
    """Constant k of a law's own."""
    return t.numbers[r.at + M.own + k]


@kernel
def bell(z, b, x):
    """One of the three bells of De Groote and Fregly's active curve."""
    d = (x - b[1]) / (b[2] + b[3] * x)
    return b[0] * exp(z, -0.5 * d * d)


@kernel
def active_at(z, t, r, x):
    """Active force at a fibre length x."""
    if r.law == THELEN:
        d = x - 1.0
        return exp(z, -d * d / own(t, r, T.active_shape))
    if r.law == MILLARD:
        return curve_at(z, t, r.active, ACTIVE_CORNERS, x)[0]
    if r.law != DE_GROOTE:
        return larger(z, spline_at(t, r.active, x))
    y = (x - 1.0) / own(t, r, D.scale) + 1.0
    return bell(z, B1, y) + bell(z, B2, y) + bell(z, B3, y)


@kernel
def passive_at(z, t, r, x):
    """Passive force at a fibre length x."""
    if r.law == THELEN:
        k = own(t, r, T.passive_shape)
        f = (exp(z, k * (x - 1.0) / own(t, r, T.fiber_strain)) - 1.0) / (exp(z, z + k) - 1.0)
        return select(less(x, z + 1.0), z, f)
    if r.law == MILLARD:
        return curve_at(z, t, r.passive, PASSIVE_CORNERS, x)[0]
    if r.law == SCHUTTE:
        return exp(z, 8.0 * (x - 1.0)) / E4 if r.passive == 0 else spline_at(t, r.passive, x)
    if r.law != DE_GROOTE:
        return larger(z, spline_at(t, r.passive, x))
    e0 = own(t, r, D.strain)
    base = exp(z, z + 4.0 * (0.2 - 1.0) / e0)
    return own(t, r, D.passive) * (exp(z, 4.0 * (x - 1.0) / e0) - base) / (exp(z, z + 4.0) - base)


@kernel
def tendon_at(z, t, r, x):
    """Force of the tendon at a length x; De Groote and Fregly's is negative below 1."""
    if r.law == THELEN:
        e0 = own(t, r, T.tendon_strain)
        toe = 99.0 * e0 * E3 / (166.0 * E3 - 67.0)
        strain = x - 1.0
        curved = TOE_FORCE * (exp(z, 3.0 * strain / toe) - 1.0) / (E3 - 1.0)
        line = TOE_FORCE + (1.0 - TOE_FORCE) / (e0 - toe) * (strain - toe)
        return select(less(strain, z), z, select(less(strain, z + toe), curved, line))
    if r.law == MILLARD:
        return curve_at(z, t, r.tendon, TENDON_CORNERS, x)[0]
    if r.law != DE_GROOTE:
        return select(less(x, z + 1.0), z, spline_at(t, r.tendon, x - 1.0))
    return 0.2 * exp(z, own(t, r, D.tendon) * (x - 1.0)) - 0.2


@kernel
def thelen_force(z, t, r, a, A, v):
    """Thelen's active force at a speed v, where it is A at rest: the inverse of `thelen_speed`."""
    af, fl = own(t, r, T.shortening_shape), own(t, r, T.lengthening_force)
    k, B = 0.25 + 0.75 * a, (2.0 + 2.0 / af) / (fl - 1.0)
    edge = own(t, r, T.threshold) * fl * A  # force where the straight line begins
    gap = A * fl - edge
    v0 = k * (edge - A) / (B * gap)
    far = edge + (v - v0) * B * gap * gap / (k * A * (fl - 1.0))
    collapsed = A * (v + k) / (k * (1.0 + 1.0 / af))
    shortens = A * (k + v) / (k - v / af)
    lengthens = A * (k + v * B * fl) / (k + v * B)
    out = select(less(v, v0), lengthens, far)
    out = select(less(v, z), shortens, out)
    return select(less(v, -k), collapsed, out)


@kernel
def thelen_speed(z, t, r, a, A, force):
    """Thelen's speed at an active force."""
    af, fl = own(t, r, T.shortening_shape), own(t, r, T.lengthening_force)
    k, B = 0.25 + 0.75 * a, (2.0 + 2.0 / af) / (fl - 1.0)
    edge = own(t, r, T.threshold) * fl * A
    gap = A * fl - edge
    far = k * (edge - A) / (B * gap) + (force - edge) * k * A * (fl - 1.0) / (B * gap * gap)
    collapsed = -k + force * k * (1.0 + 1.0 / af) / A
    shortens = k * (force - A) / (A + force / af)
    lengthens = k * (force - A) / (B * (A * fl - force))
    out = select(less(force, edge), lengthens, far)
    out = select(less(force, A), shortens, out)
    return select(less(force, z), collapsed, out)


@kernel
def schutte_force(z, d, A, v):
    """Schutte's active force with damping d at a speed v, where it is A at rest: the inverse of `schutte_speed`."""
    back, on = select(less(v, z), v, z), larger(z, v)
    shortens = (KV * A + KV * back * (A + d) - d * back * back) / (KV - back)
    lengthens = (d * on * on + on * (EXCESS * A + SLOPE * d) + SLOPE * A) / (on + SLOPE)
    return select(less(v, z), shortens, lengthens)


@kernel
def schutte_speed(z, d, A, force):
    """Schutte's speed at an active force with damping d, which is not below zero."""
    F = larger(z, force)
    b, c = (F + KV * (A + d)) / d, KV * (F - A) / d
    shortens = 0.5 * (b - sqrt(b * b - 4.0 * select(less(F, A), c, z)))
    b, c = (F - EXCESS * A) / d - SLOPE, SLOPE * (F - A) / d
    lengthens = 0.5 * (b + sqrt(b * b + 4.0 * larger(z, c)))
    return select(less(F, A), shortens, lengthens)


@kernel
def active_force(z, t, r, a, shape, v):
    """Active force at an activation a, where the active curve is `shape`, and a speed v."""
    if r.law == THELEN:
        return thelen_force(z, t, r, a, a * shape, v)
    if r.law == MILLARD:
        return a * shape * curve_at(z, t, r.velocity, VELOCITY_CORNERS, v)[0]
    if r.law == SCHUTTE:
        return schutte_force(z, own(t, r, S.damping), a * shape, v)
    if r.law != DE_GROOTE:
        return a * shape * spline_at(t, r.velocity, v)
    return a * shape * (D1 * asinh(z, D2 * v + D3) + D4)


@kernel
def damped_speed(z, t, r, A, force, damping):
    """Millard's speed at which A f_v(v) + damping · v is a force: bracketed from −1 to 1, beyond on straight lines."""
    n, at = t.numbers, r.velocity
    first, last = A * n[at + 1] - damping, A * n[at + 4] + damping
    below, above = A * n[at + 2] + damping, A * n[at + 5] + damping
    low, high, v = z - 1.0, z + 1.0, z
    for _ in range(40):
        f, slope = curve_at(z, t, at, VELOCITY_CORNERS, v)
        rest = A * f + damping * v - force
        high = select(less(z, rest), v, high)
        low = select(less(z, rest), low, v)
        rate = A * slope + damping
        step = v - rest / select(less(rate, z + 1e-12), z + 1e-12, rate)
        good = select(less(step, low), z, select(less(high, step), z, z + 1.0))
        v = select(less(good, z + 0.5), 0.5 * (low + high), step)
    tiny = z + 1e-9
    v = select(less(force, first), -1.0 + (force - first) / select(less(below, tiny), tiny, below), v)
    return select(less(last, force), 1.0 + (force - last) / select(less(above, tiny), tiny, above), v)


@kernel
def fiber_speed(z, t, r, a, shape, force):
    """The speed at which active force and damping make up a force along the fibre."""
    if r.law == THELEN:
        return thelen_speed(z, t, r, a, a * shape, force)
    if r.law == MILLARD:
        return damped_speed(z, t, r, a * shape, force, t.numbers[r.at + M.damping])
    if r.law == SCHUTTE:
        return schutte_speed(z, own(t, r, S.damping), a * shape, force)
    f = force / (a * shape)
    return (sinh(z, (f - D4) / D1) - D3) / D2
