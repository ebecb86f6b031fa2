"""Scratch of constrained motion, beside that of `memory`; it stays hidden from callers."""

from ...model.kernels.layout import BODIES, CONSTRAINT_ROWS, NV
from ...numeric import kernel, scratch, store

__all__ = [
    "FORCES_OF",
    "FREE",
    "GAP",
    "GRAM",
    "JACOBIAN",
    "NORMS",
    "ORDER",
    "PULL",
    "RANK",
    "RATE",
    "RESPONSE",
    "SCALE",
    "SECOND",
    "STEP",
    "STILL",
    "TIED",
    "TIES",
    "constraint_memory",
]

(
    JACOBIAN,  # rows × nv
    RESPONSE,  # M⁻¹ Jᵀ by rows, rows × nv
    GRAM,  # J M⁻¹ Jᵀ, then its factor
    TIES,  # dependent rows in terms of the others
    NORMS,  # what the shortest multipliers need
    SCALE,
    GAP,
    RATE,
    SECOND,
    FORCES_OF,  # multipliers λ
    PULL,  # a force, then an acceleration for every slot
    STEP,
    STILL,
    FREE,
    ORDER,  # rows by decreasing pivot, integers
    TIED,  # the same for NORMS
    RANK,  # one integer
) = range(17)


@kernel
def constraint_memory(z, codes):
    """Arrays of numbers, in the order of the names above."""
    m, nv = codes[CONSTRAINT_ROWS], codes[NV]
    still = scratch(z, nv)
    for k in range(nv):
        store(z, still, k, z)
    return (
        scratch(z, m * nv),
        scratch(z, m * nv),
        scratch(z, m * m),
        scratch(z, m * m),
        scratch(z, m * m),
        scratch(z, m),
        scratch(z, m),
        scratch(z, m),
        scratch(z, m),
        scratch(z, m),
        scratch(z, 6 * (codes[BODIES] + 1)),
        scratch(z, nv),
        still,
        scratch(z, nv),
        scratch(0, m),
        scratch(0, m),
        scratch(0, 1),
    )
