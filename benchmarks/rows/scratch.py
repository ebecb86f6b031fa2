"""(g) Bytes of scratch that forward dynamics needs for each state."""

from condyle.dynamics.kernels.scratch_layout import COLUMN, SLOT
from condyle.model.kernels.layout import HEADER_SIZE, Header

from ..table import Row
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (1, 8, 30, 100):
        codes, _ = Chain(count).model.tables
        yield Row("g", f"scratch per state, {count} bodies", bytes_per_state(codes), "B")


def bytes_per_state(codes) -> int:
    """Bytes of scratch that one state needs: slots, columns, one joint's work, generalised forces, wrenches."""
    h = Header(*codes[:HEADER_SIZE].tolist())
    return 8 * (SLOT.size * (h.bodies + 1) + COLUMN.size * h.nv + 6 * h.widest + h.work + h.nv + 6 * h.bodies)
