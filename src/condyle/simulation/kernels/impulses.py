"""Velocities from impulses in one inward and one outward pass over factors that `articulate` has left.

With M = Lᵀ D L as the articulated-body pass factors it, M⁻¹ p takes the stored U = J̃ s and 1/d of every column:
inward u = p_k + sᵀ F, F −= U u/d; outward v_k = (u − Uᵀ V)/d, V += s v_k.  [LeeTerzopoulos2008, appendix A]
"""

from ...dynamics.kernels.layout import AXIS, COLUMN, FORCE, INVERSE, OFFSET, REACTION, REST, SLOT
from ...dynamics.kernels.outward_pass import shifted
from ...model.kernels.layout import BODIES, BODY_SIZE, FIRST_BODY, PARENT, V0, WIDTH
from ...numeric import kernel, load, store
from ...spatial.kernels.algebra import add3, add6, cross, dot6, halves, load3, load6, store6, times6, twist_zero

__all__ = ["absorb", "respond"]


@kernel
def absorb(z, codes, impulses, body_impulses, slots, columns):
    """Inward: take impulses on coordinates and (in world axes) on bodies; returns pᵀ M⁻¹ p, twice their energy."""
    energy = z
    for i in range(codes[BODIES] + 1):
        store6(z, slots, i * SLOT + FORCE, twist_zero(z))
    for i in range(codes[BODIES] - 1, -1, -1):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        F = add6(load6(z, slots, at + FORCE), load6(z, body_impulses, 6 * i))
        for k in range(codes[body + V0] + codes[body + WIDTH] - 1, codes[body + V0] - 1, -1):
            column = k * COLUMN
            u = load(z, impulses, k) + dot6(load6(z, columns, column + AXIS), F)
            part = u * load(z, columns, column + INVERSE)
            F = times6(F, -part, load6(z, columns, column + REACTION))
            store(z, columns, column + REST, u)
            energy = energy + u * part
        m, f = halves(F)
        t = add3(m, cross(load3(z, slots, at + OFFSET), f))
        parent = codes[body + PARENT] * SLOT + FORCE
        store6(z, slots, parent, add6(load6(z, slots, parent), (t[0], t[1], t[2], F[3], F[4], F[5])))
    return energy


@kernel
def respond(z, codes, slots, columns, v):
    """Outward: the velocities that the absorbed impulses give to a system at rest."""
    store6(z, slots, FORCE, twist_zero(z))
    for i in range(codes[BODIES]):
        body, at = codes[FIRST_BODY] + i * BODY_SIZE, (i + 1) * SLOT
        V = shifted(load6(z, slots, codes[body + PARENT] * SLOT + FORCE), load3(z, slots, at + OFFSET))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            column = k * COLUMN
            u = load(z, columns, column + REST) - dot6(load6(z, columns, column + REACTION), V)
            speed = u * load(z, columns, column + INVERSE)
            store(z, v, k, speed)
            V = times6(V, speed, load6(z, columns, column + AXIS))
        store6(z, slots, at + FORCE, V)
