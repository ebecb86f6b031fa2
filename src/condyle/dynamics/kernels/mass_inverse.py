"""M⁻¹ τ in O(n): one inward and one outward pass over the factors that `articulate` has left.

With M = Lᵀ D L as the articulated-body pass factors it, M⁻¹ τ takes the stored U = J̃ s and 1/d of every column: inward
u = τ_k + sᵀ F, F −= U u/d; outward a_k = (u − Uᵀ a)/d, a += s a_k. The same gives velocities from impulses.
[LeeTerzopoulos2008, appendix A]
"""

from ...model.kernels.records import body_at, header, is_prescribed
from ...numeric import inlined, kernel, load, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add_scaled6,
    cross,
    dot6,
    halves,
    load3,
    load6,
    shifted,
    store6,
    twist_zero,
)
from .scratch_layout import COLUMN, SLOT


@inlined
def absorb_column(z, k, force, F, columns):
    """The force F on a body less what its column k takes of it and of a force on its velocity; u/d of the column."""
    column = k * COLUMN.size
    u = force + dot6(load6(z, columns, column + COLUMN.axis), F)
    part = u * load(z, columns, column + COLUMN.inverse)
    store(z, columns, column + COLUMN.rest, u)
    return add_scaled6(F, -part, load6(z, columns, column + COLUMN.reaction)), u, part


@inlined
def absorb_into(z, t, tau, t0, pushed, m, into):
    """`absorb_tree`; into = (sums, size, place): a slot sums forces on bodies at `place` of its `size` numbers."""
    sums, size, place = into
    energy, slots, columns = z, m.slots, m.columns
    for i in range(header(t).bodies + 1):
        store6(z, sums, i * size + place, twist_zero(z))
    for i in range(header(t).bodies - 1, -1, -1):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        F = load6(z, sums, (i + 1) * size + place)
        if pushed:
            F = add6(F, load6(z, m.wrenches, 6 * i))
        for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
            if is_prescribed(t, k):
                continue
            F, u, part = absorb_column(z, k, load(z, tau, t0 + k), F, columns)
            energy = energy + u * part
        moment, f = halves(F)
        moment = add3(moment, cross(load3(z, slots, at + SLOT.offset), f))
        parent = b.parent * size + place
        carried = (moment[0], moment[1], moment[2], F[3], F[4], F[5])
        store6(z, sums, parent, add6(load6(z, sums, parent), carried))
    return energy


@kernel
def absorb_tree(z, t, tau, t0, pushed, m):
    """Inward: take the forces tau[t0 …] on coordinates and, if `pushed`, m.wrenches on bodies.

    Returns τᵀ M⁻¹ τ (for impulses, twice their energy); u stays in the columns for `respond`.
    """
    return absorb_into(z, t, tau, t0, pushed, m, (m.slots, SLOT.size, SLOT.force))


@kernel
def respond_tree(z, t, out, o0, m):
    """Outward: out[o0 …] = M⁻¹ τ of what was absorbed; prescribed coordinates do not respond."""
    slots, columns = m.slots, m.columns
    store6(z, slots, SLOT.acceleration, twist_zero(z))
    for i in range(header(t).bodies):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        a = shifted(load6(z, slots, b.parent * SLOT.size + SLOT.acceleration), load3(z, slots, at + SLOT.offset))
        for k in range(b.v0, b.v0 + b.nv):
            if is_prescribed(t, k):
                store(z, out, o0 + k, z)
                continue
            column = k * COLUMN.size
            u = load(z, columns, column + COLUMN.rest) - dot6(load6(z, columns, column + COLUMN.reaction), a)
            qdd = u * load(z, columns, column + COLUMN.inverse)
            store(z, out, o0 + k, qdd)
            a = add_scaled6(a, qdd, load6(z, columns, column + COLUMN.axis))
        store6(z, slots, at + SLOT.acceleration, a)
