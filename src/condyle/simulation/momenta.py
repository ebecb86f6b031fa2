"""What the bodies' momenta are over a step, and what forces do to them in half of it.

A body that goes from T to T' = T exp(hξ) has the discrete Lagrangian h/2 ξᵀJξ. Its momentum at the start of the step
is Jl⁻ᵀ(hξ) J ξ and at the end Jr⁻ᵀ(hξ) J ξ, in the body's frame there; seen from the world both are the same, because
Jr⁻ᵀ = Ad_{exp(hξ)}ᵀ Jl⁻ᵀ. So one is computed, and carried to the other end by a shift of its point.
"""

from ..dynamics.articulated import rigid_moments, symmetric_times
from ..dynamics.kinematics import shifted
from ..dynamics.layout import AXIS, COLUMN, OFFSET, POSITION, ROTATION, SLOT, TWIST
from ..dynamics.loads import apply_coordinate_loads, apply_springs, body_wrenches
from ..dynamics.memory import COLUMNS, FORCES, SLOTS, WRENCHES
from ..model.layout import (
    BODIES,
    BODY_SIZE,
    COORDINATE_LOADS,
    FIRST_BODY,
    GRAVITY,
    MASS,
    NV,
    PARENT,
    SPRINGS,
    V0,
    WIDTH,
)
from ..numeric import inlined, kernel, load, store
from ..spatial.algebra import (
    add6,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale6,
    store6,
    sub3,
    times6,
    transposed_matvec,
)
from ..spatial.logarithm import left_inverse_transposed, pose_log

__all__ = ["ending", "forces", "lacking", "present", "step_momenta", "twists"]

ROUND_OFF = 1e-15  # relative, of a pose


@inlined
def constants(codes, numbers, body):
    """Mass and principal moments of a body."""
    at = codes[body + MASS]
    return numbers[at], (numbers[at + 1], numbers[at + 2], numbers[at + 3])


@inlined
def transposed(R):
    return (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])


@kernel
def present(z, codes, numbers, h, slots, out):
    """Momenta J V of the bodies in world axes; returns the energy that poses rounded to doubles cannot resolve."""
    doubt = z
    for i in range(codes[BODIES]):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        mass, moments = constants(codes, numbers, body)
        w, v = halves(load6(z, slots, at + TWIST))
        a = symmetric_times(rigid_moments(load9(z, slots, at + ROTATION), moments), w)
        store6(z, out, 6 * i, (a[0], a[1], a[2], mass * v[0], mass * v[1], mass * v[2]))
        p = load3(z, slots, at + POSITION)
        doubt = doubt + mass * dot3(p, p) + (moments[0] + moments[1] + moments[2])
    return doubt * (ROUND_OFF / h) * (ROUND_OFF / h)


@inlined
def body_momentum(z, mass, moments, R, S, dp, h):
    """Momentum, in world axes at the start, of a body going from (R, p) to (S, p + dp) in h; and twice its energy."""
    x = pose_log(z, matmul(transposed(R), S), transposed_matvec(R, dp))
    k = 1.0 / h
    y = (
        k * moments[0] * x[0],
        k * moments[1] * x[1],
        k * moments[2] * x[2],
        k * mass * x[3],
        k * mass * x[4],
        k * mass * x[5],
    )
    m, f = halves(left_inverse_transposed(z, x, y))
    a, b = matvec(R, m), matvec(R, f)
    return (a[0], a[1], a[2], b[0], b[1], b[2]), k * dot6(x, y)


@kernel
def step_momenta(z, codes, numbers, h, slots, later, out):
    """Momenta of a step from `slots` to `later`, at its start in world axes; returns twice its kinetic energy."""
    energy = z
    for i in range(codes[BODIES]):
        at = (i + 1) * SLOT
        mass, moments = constants(codes, numbers, codes[FIRST_BODY] + i * BODY_SIZE)
        R, S = load9(z, slots, at + ROTATION), load9(z, later, at + ROTATION)
        dp = sub3(load3(z, later, at + POSITION), load3(z, slots, at + POSITION))
        momentum, twice = body_momentum(z, mass, moments, R, S, dp, h)
        store6(z, out, 6 * i, momentum)
        energy = energy + twice
    return energy


@kernel
def twists(z, codes, v, slots, columns):
    """Twists of the bodies at velocities v, where they stand."""
    for i in range(codes[BODIES]):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        V = shifted(load6(z, slots, codes[body + PARENT] * SLOT + TWIST), load3(z, slots, at + OFFSET))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            V = times6(V, load(z, v, k), load6(z, columns, k * COLUMN + AXIS))
        store6(z, slots, at + TWIST, V)


@kernel
def forces(z, codes, numbers, q, v, tau, given, has_given, half, m):
    """Impulses of all forces in a time `half`: on coordinates to FORCES, on bodies in world axes to WRENCHES."""
    out, slots, wrenches = m[FORCES], m[SLOTS], m[WRENCHES]
    for k in range(codes[NV]):
        store(z, out, k, load(z, tau, k))
    if codes[COORDINATE_LOADS]:
        apply_coordinate_loads(z, codes, numbers, q, v, out)
    for k in range(codes[NV]):
        store(z, out, k, half * load(z, out, k))
    body_wrenches(z, codes, given, has_given, slots, wrenches)
    if codes[SPRINGS]:
        twists(z, codes, v, slots, m[COLUMNS])
        apply_springs(z, codes, numbers, slots, wrenches)
    g = codes[GRAVITY]
    for i in range(codes[BODIES]):
        mass = numbers[codes[codes[FIRST_BODY] + i * BODY_SIZE + MASS]]
        weight = (z, z, z, z + mass * numbers[g], z + mass * numbers[g + 1], z + mass * numbers[g + 2])
        store6(z, wrenches, 6 * i, scale6(half, add6(load6(z, wrenches, 6 * i), weight)))


@kernel
def lacking(z, codes, start, moved, wrenches):
    """Add to the bodies' impulses what they have at the start, less what their step takes."""
    for i in range(codes[BODIES]):
        F = add6(load6(z, wrenches, 6 * i), load6(z, start, 6 * i))
        store6(z, wrenches, 6 * i, times6(F, -1.0, load6(z, moved, 6 * i)))


@kernel
def ending(z, codes, moved, slots, later, wrenches):
    """Add to the bodies' impulses the momenta of their step, at its end."""
    for i in range(codes[BODIES]):
        at = (i + 1) * SLOT
        back = sub3(load3(z, slots, at + POSITION), load3(z, later, at + POSITION))
        m, f = halves(load6(z, moved, 6 * i))
        t = cross(back, f)
        P = (m[0] + t[0], m[1] + t[1], m[2] + t[2], f[0], f[1], f[2])
        store6(z, wrenches, 6 * i, add6(load6(z, wrenches, 6 * i), P))
