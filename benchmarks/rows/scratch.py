"""(g) Bytes of scratch that forward dynamics needs for each state."""

from condyle.dynamics.kernels.layout import COLUMN, SLOT
from condyle.model.kernels.layout import BODIES, NV, WIDEST, WORK

from ..table import Row
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (1, 8, 30, 100):
        codes, _ = Chain(count).model.tables
        yield Row("g", f"scratch per state, {count} bodies", bytes_per_state(codes), "B")


def bytes_per_state(codes) -> int:
    """Bytes of scratch that one state needs: slots, columns, one joint's work, generalised forces, wrenches."""
    n, nv = int(codes[BODIES]), int(codes[NV])
    return 8 * (SLOT * (n + 1) + COLUMN * nv + 6 * int(codes[WIDEST]) + int(codes[WORK]) + nv + 6 * n)
