"""Momenta of the bodies over a step, and the impulses of all forces in half of it.

A body whose centre of mass goes from p to p' and whose principal axes turn from R to R' = R exp(hω) has the discrete
Lagrangian h/2 (m |(p' − p)/h|² + ωᵀIω). Its momentum is m (p' − p)/h; its spin is Jl⁻ᵀ(hω) I ω in its own axes at the
start of the step and Jr⁻ᵀ(hω) I ω at the end: in world axes these are one vector, because Jr⁻ᵀ = exp(hω)ᵀ Jl⁻ᵀ.
Turning and moving are apart (rather than in one logarithm of the pose) so that the common centre of mass of a free
tree moves exactly uniformly; only then is the angular momentum about it constant too.
"""

from ...dynamics.kernels.followers import body_column, body_columns
from ...dynamics.kernels.loads import apply_coordinate_forces, apply_lines, external_wrenches
from ...dynamics.kernels.pair_forces import apply_pairs
from ...dynamics.kernels.scratch_layout import COLUMN, SLOT
from ...model.kernels.records import body_at, header, mass_and_moments, plain_at
from ...numeric import inlined, kernel, load, magnitude, store
from ...spatial.kernels.algebra import (
    add6,
    add_scaled6,
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
    shifted,
    store6,
    sub3,
)
from ...spatial.kernels.inertia import rigid_moments, symmetric_times
from ...spatial.kernels.logarithm import left_inverse_transposed, rotation_log

ROUND_OFF = 1e-15  # relative, of a pose


@inlined
def transposed(R):
    """Rᵀ."""
    return (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])


@kernel
def body_momenta(z, t, slots, field, out):
    """Momenta J V of the bodies in world axes, of the twists V in a field of their slots."""
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        mass, moments = mass_and_moments(t, body_at(t, i))
        w, v = halves(load6(z, slots, at + field))
        a = symmetric_times(rigid_moments(load9(z, slots, at + SLOT.rotation), moments), w)
        store6(z, out, 6 * i, (a[0], a[1], a[2], mass * v[0], mass * v[1], mass * v[2]))


@inlined
def spin(z, moments, R, S, h):
    """Angular momentum, in world axes, of a body that turns from R to S in h; and twice its energy."""
    x = rotation_log(z, matmul(transposed(R), S))
    k = 1.0 / h
    y = (k * moments[0] * x[0], k * moments[1] * x[1], k * moments[2] * x[2])
    return matvec(R, left_inverse_transposed(z, x, y)), k * dot3(x, y)


@kernel
def step_momenta(z, t, h, slots, later, out):
    """Momenta of a step from `slots` to `later` in world axes; returns twice its kinetic energy."""
    energy = z
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        mass, moments = mass_and_moments(t, body_at(t, i))
        s, twice = spin(z, moments, load9(z, slots, at + SLOT.rotation), load9(z, later, at + SLOT.rotation), h)
        u = scale3(1.0 / h, sub3(load3(z, later, at + SLOT.position), load3(z, slots, at + SLOT.position)))
        store6(z, out, 6 * i, (s[0], s[1], s[2], mass * u[0], mass * u[1], mass * u[2]))
        energy = energy + twice + mass * dot3(u, u)
    return energy


@kernel
def twists(z, t, v, m):
    """Twists of the bodies at velocities v, where they stand."""
    for i in range(header(t).bodies):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        V = shifted(load6(z, m.slots, b.parent * SLOT.size + SLOT.twist), load3(z, m.slots, at + SLOT.offset))
        for j in range(body_columns(t, b, i, m.fold)):
            column, k = body_column(t, b, i, j, m.fold)
            V = add_scaled6(V, load(z, v, k), load6(z, m.columns, column * COLUMN.size + COLUMN.axis))
        store6(z, m.slots, at + SLOT.twist, V)


@kernel
def unresolved_energy(z, t, h, q, v, m, momenta):
    """Twice the kinetic energy of a step that coordinates and poses, rounded to doubles, do not show; v is scratch."""
    for k in range(header(t).nv):
        store(z, v, k, z)
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, v, c.v, magnitude(load(z, q, c.q)))
    twists(z, t, v, m)
    body_momenta(z, t, m.slots, SLOT.twist, momenta)
    total = z
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        mass, moments = mass_and_moments(t, body_at(t, i))
        p = load3(z, m.slots, at + SLOT.position)
        total = total + mass * dot3(p, p) + (moments[0] + moments[1] + moments[2])
        total = total + dot6(load6(z, m.slots, at + SLOT.twist), load6(z, momenta, 6 * i))
    return total * (ROUND_OFF / h) * (ROUND_OFF / h)


@kernel
def impulses(z, t, q, v, external, half, m):
    """Impulses of all forces in a time `half`: on coordinates to m.forces, on bodies in world axes to m.wrenches."""
    for k in range(header(t).nv):
        store(z, m.forces, k, load(z, external.tau, k))
    apply_coordinate_forces(z, t, q, v, m.forces, m)
    for k in range(header(t).nv):
        store(z, m.forces, k, half * load(z, m.forces, k))
    external_wrenches(z, t, external, m)
    if header(t).lines or header(t).pairs:
        twists(z, t, v, m)
        apply_lines(z, t, m)
        apply_pairs(z, t, m)
    g = header(t).gravity
    for i in range(header(t).bodies):
        mass = t.numbers[body_at(t, i).mass]
        weight = (z, z, z, z + mass * t.numbers[g], z + mass * t.numbers[g + 1], z + mass * t.numbers[g + 2])
        store6(z, m.wrenches, 6 * i, scale6(half, add6(load6(z, m.wrenches, 6 * i), weight)))


@kernel
def add_momenta(z, t, sign, momenta, wrenches):
    """Add momenta, times a sign, to the bodies' impulses."""
    for i in range(header(t).bodies):
        store6(z, wrenches, 6 * i, add_scaled6(load6(z, wrenches, 6 * i), sign, load6(z, momenta, 6 * i)))
