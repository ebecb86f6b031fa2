"""(c) Inverse dynamics of a batch over `pin.rnea`, revolute chains."""

import pinocchio as pin

import condyle as cd

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]


def measure():
    for count in (8, 30, 100):
        chain = Chain(count)
        chain.agree(cd.inverse_dynamics, pin.rnea)
        pace = compare(chain.ours(cd.inverse_dynamics), chain.theirs(pin.rnea))
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        yield Row("c", f"batched inverse dynamics over pin.rnea, {count} bodies", pace.ratio, "x", 5.0, note=note)
