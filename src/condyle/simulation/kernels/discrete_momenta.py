"""What the bodies' momenta are over a step, and what forces do to them in half of it.

A body whose centre of mass goes from p to p' and whose principal axes turn from R to R' = R exp(hω) has the discrete
Lagrangian h/2 (m |(p' − p)/h|² + ωᵀIω). Its momentum is m (p' − p)/h; its spin is Jl⁻ᵀ(hω) I ω in its own axes at the
start of the step and Jr⁻ᵀ(hω) I ω at the end: in world axes these are one vector, because Jr⁻ᵀ = exp(hω)ᵀ Jl⁻ᵀ.
Turning and moving are apart (rather than in one logarithm of the pose) so that the common centre of mass of a free
tree moves exactly uniformly; only then is the angular momentum about it constant too.
"""

from ...dynamics.kernels.articulated_body import rigid_moments, symmetric_times
from ...dynamics.kernels.layout import AXIS, COLUMN, OFFSET, POSITION, ROTATION, SLOT, TWIST
from ...dynamics.kernels.loads import apply_coordinate_loads, apply_springs, body_wrenches
from ...dynamics.kernels.outward_pass import shifted
from ...dynamics.kernels.scratch import COLUMNS, FORCES, SLOTS, WRENCHES
from ...model.kernels.layout import (
    BODIES,
    BODY_SIZE,
    COORDINATE_LOADS,
    FIRST_BODY,
    FIRST_PLAIN,
    GRAVITY,
    MASS,
    NV,
    PARENT,
    PLAIN,
    SPRINGS,
    V0,
    WIDTH,
)
from ...numeric import inlined, kernel, load, magnitude, store
from ...spatial.kernels.algebra import (
    add6,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    scale6,
    store6,
    sub3,
    times6,
)
from ...spatial.kernels.logarithm import left_inverse_transposed, rotation_log

__all__ = ["add_momenta", "body_momenta", "doubtful", "forces", "step_momenta"]

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
def body_momenta(z, codes, numbers, slots, field, out):
    """Momenta J V of the bodies in world axes, of the twists V in a field of their slots."""
    for i in range(codes[BODIES]):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        mass, moments = constants(codes, numbers, body)
        w, v = halves(load6(z, slots, at + field))
        a = symmetric_times(rigid_moments(load9(z, slots, at + ROTATION), moments), w)
        store6(z, out, 6 * i, (a[0], a[1], a[2], mass * v[0], mass * v[1], mass * v[2]))


@inlined
def spin(z, moments, R, S, h):
    """Angular momentum, in world axes, of a body that turns from R to S in h; and twice its energy."""
    x = rotation_log(z, matmul(transposed(R), S))
    k = 1.0 / h
    y = (k * moments[0] * x[0], k * moments[1] * x[1], k * moments[2] * x[2])
    return matvec(R, left_inverse_transposed(z, x, y)), k * dot3(x, y)


@kernel
def step_momenta(z, codes, numbers, h, slots, later, out):
    """Momenta of a step from `slots` to `later` in world axes; returns twice its kinetic energy."""
    energy = z
    for i in range(codes[BODIES]):
        at = (i + 1) * SLOT
        mass, moments = constants(codes, numbers, codes[FIRST_BODY] + i * BODY_SIZE)
        s, twice = spin(z, moments, load9(z, slots, at + ROTATION), load9(z, later, at + ROTATION), h)
        u = scale3(1.0 / h, sub3(load3(z, later, at + POSITION), load3(z, slots, at + POSITION)))
        store6(z, out, 6 * i, (s[0], s[1], s[2], mass * u[0], mass * u[1], mass * u[2]))
        energy = energy + twice + mass * dot3(u, u)
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
def doubtful(z, codes, numbers, h, q, v, slots, columns, momenta):
    """Twice the kinetic energy of a step that coordinates and poses, rounded to doubles, do not show."""
    for k in range(codes[NV]):
        store(z, v, k, z)
    for i in range(codes[PLAIN]):
        pair = codes[FIRST_PLAIN] + 2 * i
        store(z, v, codes[pair + 1], magnitude(load(z, q, codes[pair])))
    twists(z, codes, v, slots, columns)
    body_momenta(z, codes, numbers, slots, TWIST, momenta)
    total = z
    for i in range(codes[BODIES]):
        at = (i + 1) * SLOT
        mass, moments = constants(codes, numbers, codes[FIRST_BODY] + i * BODY_SIZE)
        p = load3(z, slots, at + POSITION)
        total = total + mass * dot3(p, p) + (moments[0] + moments[1] + moments[2])
        total = total + dot6(load6(z, slots, at + TWIST), load6(z, momenta, 6 * i))
    return total * (ROUND_OFF / h) * (ROUND_OFF / h)


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
def add_momenta(z, codes, sign, momenta, wrenches):
    """Add momenta, times a sign, to the bodies' impulses."""
    for i in range(codes[BODIES]):
        store6(z, wrenches, 6 * i, times6(load6(z, wrenches, 6 * i), sign, load6(z, momenta, 6 * i)))
