"""Scratch of one block of states; it stays hidden from callers."""

from ..model.layout import BODIES, NV, WIDEST, WORK
from ..numeric import kernel, scratch
from .layout import COLUMN, SLOT

__all__ = ["COLUMNS", "FORCES", "LOCAL", "SLOTS", "SPARE", "WRENCHES", "bytes_per_state", "memory"]

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


def bytes_per_state(codes) -> int:
    """Bytes of scratch that one state needs."""
    n, nv = int(codes[BODIES]), int(codes[NV])
    return 8 * (SLOT * (n + 1) + COLUMN * nv + 6 * int(codes[WIDEST]) + int(codes[WORK]) + nv + 6 * n)
