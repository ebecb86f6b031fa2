"""(g) Bytes of scratch that forward dynamics needs for each state."""

from condyle.dynamics.memory import bytes_per_state

from ..table import Row
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (1, 8, 30, 100):
        codes, _ = Chain(count).model.tables
        yield Row("g", f"scratch per state, {count} bodies", bytes_per_state(codes), "B")
