"""(g) Bytes of scratch that forward dynamics needs for each state."""

from condyle.dynamics.batch import scratch_bytes

from ..table import Row
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (1, 8, 30, 100):
        yield Row("g", f"scratch per state, {count} bodies", scratch_bytes(Chain(count).model), "B")
