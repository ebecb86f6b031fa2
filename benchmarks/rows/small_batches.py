"""(q) Small batches: 8 and 64 states of seven hinges for each call (rows p: one), and 100 steps of 1, 8 and 64.

Ours is one call from Python; no pool of threads is started for so few states. Theirs is a loop in Python over as many
calls of Pinocchio's, with `data` kept and rows unpacked beforehand; of steps, semi-implicit Euler by hand.
"""

import numpy as np
import pinocchio as pin

import condyle as cd

from ..engines import description, in_condyle, in_pinocchio
from ..table import Row
from ..timing import Timed, compare

__all__ = ["SIZES", "measure"]

SIZES = (1, 8, 64)
STEPS, STEP = 100, 1e-3
CALLS = 256  # states for each timed run


def repeated(call, count):
    """A call for `count` states, several times."""
    times = max(1, CALLS // count)

    def run():
        for _ in range(times):
            call()

    return Timed(run, times * count)


def looped(call, model, *arrays):
    """A loop over Pinocchio's calls."""
    data, rows = model.createData(), [tuple(x.copy() for x in row) for row in zip(*arrays, strict=True)]

    def run():
        for row in rows:
            call(model, data, *row)

    return run


def stepped(model, Q, V):
    """Semi-implicit Euler over Pinocchio's forward dynamics."""
    data, none = model.createData(), np.zeros(model.nv)

    def run():
        for q, v in zip(Q.copy(), V.copy(), strict=True):
            for _ in range(STEPS):
                v += STEP * pin.aba(model, data, q, v, none)
                q += STEP * v

    return run


def pairs(mechanism, count):
    """For each function: ours and theirs."""
    model, other = in_condyle.model(mechanism), in_pinocchio.model(mechanism)[0]
    Q, V = (np.ascontiguousarray(x) for x in mechanism.states(np.random.default_rng(0), count))
    q, v = (Q[0], V[0]) if count == 1 else (Q, V)
    options = {"duration": STEPS * STEP, "step": STEP, "integrator": "semi-implicit", "record": STEPS * STEP}
    if count > 1:
        yield "forward dynamics", lambda: cd.forward_dynamics(model, q, v, v), looped(pin.aba, other, Q, V, V)
        yield "inverse dynamics", lambda: cd.inverse_dynamics(model, q, v, v), looped(pin.rnea, other, Q, V, V)
        yield "poses", lambda: cd.forward_kinematics(model, q), looped(pin.forwardKinematics, other, Q)
    yield f"{STEPS} steps", lambda: cd.simulate(model, q, v, **options), stepped(other, Q, V)


def measure():
    arm = description.chain(7)
    for count in SIZES:
        for name, ours, theirs in pairs(arm, count):
            pace = compare(repeated(ours, count), repeated(theirs, count))
            note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs for each state"
            what = f"{name}, 7 hinges, states in a call: {count}, over a loop of Pinocchio's calls"
            yield Row("q", what, pace.ratio, "x", note=note)
