"""(a) Forward dynamics of a batch over `pin.aba`, revolute chains."""

import pinocchio as pin

import condyle as cd

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]

TARGETS = {1: None, 8: 10.0, 30: 10.0, 100: 10.0}


def measure():
    for count, target in TARGETS.items():
        chain = Chain(count)
        chain.agree(cd.forward_dynamics, pin.aba)
        pace = compare(chain.ours(cd.forward_dynamics), chain.theirs(pin.aba))
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        if count == 1:
            note += " (most of it the cost of calling pin from Python)"
        yield Row("a", f"batched forward dynamics over pin.aba, {count} bodies", pace.ratio, "x", target, note=note)
