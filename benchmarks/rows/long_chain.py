"""(e) Time per body at 1,000 bodies against that at 30."""

import condyle as cd

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]


def measure():
    short, long = Chain(30), Chain(1000)
    pace = compare(short.ours(cd.forward_dynamics), long.ours(cd.forward_dynamics))
    note = f"{pace.first / 30 * 1e9:.3g} ns and {pace.second / 1000 * 1e9:.3g} ns per body"
    yield Row("e", "time per body, 1,000 over 30 bodies", pace.ratio * 30 / 1000, "x", 1.4, at_most=True, note=note)
