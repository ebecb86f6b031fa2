"""M⁻¹ τ in O(n): one inward pass of forces and one outward pass, with the columns that `forward` has left."""

from ...model.kernels.layout import BODIES, BODY_SIZE, FIRST_BODY, PARENT, PRESCRIBED, V0, WIDTH
from ...numeric import kernel, load, store
from ...spatial.kernels.algebra import add3, add6, cross, dot6, halves, load3, load6, store6, times6, twist_zero
from .layout import AXIS, COLUMN, INVERSE, OFFSET, REACTION, SLOT
from .outward_pass import shifted

__all__ = ["respond"]


@kernel
def push_inward(z, codes, tau, t0, out, o0, slots, columns, pull):
    """u = τ_k − s_kᵀ p̃ for every free column (to `out`), p̃ += U u/d, and p̃ to the parent."""
    for i in range(codes[BODIES] + 1):
        store6(z, pull, 6 * i, twist_zero(z))
    for i in range(codes[BODIES] - 1, -1, -1):
        body = codes[FIRST_BODY] + i * BODY_SIZE
        P = load6(z, pull, 6 * (i + 1))
        for k in range(codes[body + V0] + codes[body + WIDTH] - 1, codes[body + V0] - 1, -1):
            if codes[codes[PRESCRIBED] + k]:
                continue
            u = load(z, tau, t0 + k) - dot6(load6(z, columns, k * COLUMN + AXIS), P)
            store(z, out, o0 + k, u)
            P = times6(P, u * load(z, columns, k * COLUMN + INVERSE), load6(z, columns, k * COLUMN + REACTION))
        m, f = halves(P)
        t = add3(m, cross(load3(z, slots, (i + 1) * SLOT + OFFSET), f))
        parent = 6 * codes[body + PARENT]
        store6(z, pull, parent, add6(load6(z, pull, parent), (t[0], t[1], t[2], P[3], P[4], P[5])))


@kernel
def respond(z, codes, tau, t0, out, o0, slots, columns, pull):
    """out[o0 …] = M⁻¹ tau[t0 …]; prescribed coordinates do not respond."""
    push_inward(z, codes, tau, t0, out, o0, slots, columns, pull)
    store6(z, pull, 0, twist_zero(z))
    for i in range(codes[BODIES]):
        body = codes[FIRST_BODY] + i * BODY_SIZE
        a = shifted(load6(z, pull, 6 * codes[body + PARENT]), load3(z, slots, (i + 1) * SLOT + OFFSET))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            if codes[codes[PRESCRIBED] + k]:
                store(z, out, o0 + k, z)
                continue
            u = load(z, out, o0 + k) - dot6(load6(z, columns, k * COLUMN + REACTION), a)
            qdd = u * load(z, columns, k * COLUMN + INVERSE)
            store(z, out, o0 + k, qdd)
            a = times6(a, qdd, load6(z, columns, k * COLUMN + AXIS))
        store6(z, pull, 6 * (i + 1), a)
