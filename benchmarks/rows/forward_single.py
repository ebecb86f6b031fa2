"""(b) Forward dynamics one state at a time, looped over states in compiled code, over `pin.aba`."""

import pinocchio as pin
from condyle.dynamics.batch import run_scalar

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (8, 30, 100):
        chain = Chain(count)
        chain.agree(run_scalar, pin.aba)
        pace = compare(chain.ours(run_scalar), chain.theirs(pin.aba))
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        yield Row("b", f"single forward dynamics over pin.aba, {count} bodies", pace.ratio, "x", 1.5, note=note)
