"""(k) Derivatives of inverse and forward dynamics over Pinocchio's, revolute chains: batched, and one by one."""

from itertools import product
from unittest import mock

import numpy as np
import pinocchio as pin

import condyle as cd
from condyle.dynamics.derivatives import inverse_derivatives as derivatives
from condyle.dynamics.derivatives import linearization

from ..table import Row
from ..timing import compare
from .chains import Chain

__all__ = ["measure"]

TARGETS = {8: 5.0, 30: 3.0, 100: 3.0}
SINGLE = 1.5


def into_kept(function, slopes):
    """One matrix of `function`, whose results are kept and written over, as Pinocchio's data are."""
    kept = {}

    def call(model, q, v, x):
        kept[q.shape] = function(model, q, v, x, out=kept.get(q.shape))
        return getattr(kept[q.shape], slopes)

    return call


def of_inverse():
    """∂τ/∂q."""
    return into_kept(cd.inverse_dynamics_derivatives, "dq")


def of_forward():
    """∂a/∂q."""
    return into_kept(cd.linearize, "q")


def pin_of_inverse(model, data, q, v, a):
    """∂τ/∂q; the two other matrices stay in `data`."""
    pin.computeRNEADerivatives(model, data, q, v, a)
    return data.dtau_dq


def pin_of_forward(model, data, q, v, tau):
    """∂a/∂q; the two other matrices stay in `data`."""
    pin.computeABADerivatives(model, data, q, v, tau)
    return data.ddq_dq


def one_by_one(function):
    """The public call on a batch, but every state in float64 as a single state would be.

    Runs of states whose results fill about a megabyte are written over, as Pinocchio's data are.
    """

    def call(model, q, v, x):
        def in_turn(run, count, single, threads):
            run(0.0, 0, count)

        run = max(8, 2**20 // (24 * model.nv**2))
        replaced = [mock.patch.object(module, "over_lanes", in_turn) for module in (derivatives, linearization)]
        with replaced[0], replaced[1]:
            for k in range(0, len(q) - run, run):
                function(model, q[k : k + run], v[k : k + run], x[k : k + run])
            return function(model, q[-run:], v[-run:], x[-run:])

    return call


PAIRS = {
    "inverse dynamics over pin.computeRNEADerivatives": (of_inverse, pin_of_inverse),
    "forward dynamics over pin.computeABADerivatives": (of_forward, pin_of_forward),
}


def measure():
    for what, (ours, theirs) in PAIRS.items():
        for count, target in TARGETS.items():
            chain = Chain(count, work=20_000)
            yield _row(chain, ours(), theirs, f"batched derivatives of {what}, {count} bodies", target)
            yield _row(chain, one_by_one(ours()), theirs, f"single derivatives of {what}, {count} bodies", SINGLE)
    for count in TARGETS:
        yield from _backwards(Chain(count, work=20_000), count)
    for count in (8, 30):
        yield from _through_time(Chain(count, work=2_000), count)


ALL_PARAMETERS = ("gravity", *(f"bodies.{field}" for field in ("mass", "com", "moment", "placement", "offset")))
BY = {"start and forces": (), "these and all parameters of bodies": ALL_PARAMETERS}


def _backwards(chain, count):
    """Gradients backwards against forward dynamics of the same batch."""
    for what, names in {"q, v, τ and wrenches": (), "these and all parameters of bodies": ALL_PARAMETERS}.items():

        def vjp(model, q, v, tau, names=names):
            return cd.forward_dynamics_vjp(model, q, v, tau, cotangent=v, parameters=names)

        pace = compare(chain.ours(cd.forward_dynamics), chain.ours(vjp))
        note = f"{pace.second * 1e6:.3g} µs against {pace.first * 1e6:.3g} µs"
        title = f"batched gradient by {what} over forward dynamics, {count} bodies"
        yield Row("k", title, pace.ratio, "x", 3.0, at_most=True, note=note)


def _through_time(chain, count):
    """Gradients of 50 steps, by all parameters too, against the steps themselves, all recorded."""
    for integrator, (what, names) in product(("rk4", "semi-implicit", "variational"), BY.items()):
        run = {"duration": 0.05, "step": 1e-3, "integrator": integrator}

        def forwards(model, q, v, tau, run=run):
            return cd.simulate(model, q, v, control=tau, **run)

        def backwards(model, q, v, tau, run=run, names=names):
            return cd.simulate_vjp(model, q, v, control=tau, cotangent=_ends, parameters=names, **run)

        pace = compare(chain.ours(forwards), chain.ours(backwards))
        note = f"{pace.second * 1e6:.3g} µs against {pace.first * 1e6:.3g} µs"
        title = f"batched gradient of 50 {integrator} steps by {what} over the steps, {count} bodies"
        yield Row("k", title, pace.ratio, "x", 4.0, at_most=True, note=note)


def _ends(run):
    """The gradient of ½ |v(T)|² by all records."""
    by_v = np.zeros_like(run.v)
    by_v[..., -1, :] = run.v[..., -1, :]
    return np.zeros_like(by_v), by_v


def _row(chain, ours, theirs, title, target):
    chain.agree(ours, theirs)
    pace = compare(chain.ours(ours), chain.theirs(theirs))
    note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
    return Row("k", title, pace.ratio, "x", target, note=note)
