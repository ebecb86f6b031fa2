"""(b) Forward dynamics one state at a time, looped over states in compiled code, over `pin.aba`."""

from unittest import mock

import pinocchio as pin

import condyle as cd
from condyle.dynamics import forward_inverse as api

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]


def one_by_one(model, q, v, tau):
    """The public call on a batch, but every state in float64 as a single state would be."""
    with mock.patch.object(api, "over_lanes", lambda call, count, single, threads: call(0.0, 0, count)):
        return cd.forward_dynamics(model, q, v, tau)


def measure():
    for count in (8, 30, 100):
        chain = Chain(count)
        chain.agree(one_by_one, pin.aba)
        pace = compare(chain.ours(one_by_one), chain.theirs(pin.aba))
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        yield Row("b", f"single forward dynamics over pin.aba, {count} bodies", pace.ratio, "x", 1.5, note=note)
