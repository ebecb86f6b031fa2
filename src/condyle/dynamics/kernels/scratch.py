"""Scratch of one block of states; it stays hidden from callers."""

from ...model.kernels.layout import BODIES, NV, WIDEST, WORK
from ...numeric import kernel, scratch
from .layout import COLUMN, SLOT

SLOTS, COLUMNS, LOCAL, SPARE, FORCES, WRENCHES = range(6)


@kernel
def memory(z, codes):
    """(slots, columns, columns of one joint, work of one joint, generalised forces, wrenches)."""
    n, nv = codes[BODIES], codes[NV]
    return (
        scratch(z, SLOT * (n + 1)),
        scratch(z, COLUMN * nv),
        scratch(z, 6 * codes[WIDEST]),
        scratch(z, codes[WORK]),
        scratch(z, nv),
        scratch(z, 6 * n),
    )
