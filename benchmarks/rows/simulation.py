"""(d) Batched simulation steps over `mujoco.mj_step`, contacts off, semi-implicit Euler in both."""

import mujoco
import numpy as np

import condyle as cd

from ..engines import in_mujoco
from ..table import Row
from ..timing import Timed, compare, seconds
from .chains import Chain

__all__ = ["measure"]

STEP, STEPS = 1e-3, 50


def simulated(chain, q):
    """The end of a run from rest; only the end is recorded, as MuJoCo records nothing."""
    T = STEPS * STEP
    return cd.simulate(chain.model, q, 0 * q, duration=T, step=STEP, record=T, integrator="semi-implicit").q[..., -1, :]


def ours(chain):
    q = chain.states[0]
    return Timed(lambda: simulated(chain, q), STEPS * len(q))


def theirs(chain, data, model, steps=10 * STEPS):
    def reset():
        mujoco.mj_resetData(model, data)
        data.qpos = chain.states[0][0]

    return Timed(lambda: mujoco.mj_step(model, data, steps), steps, reset)


def agree(chain, data, model, tolerance=1e-7):
    """Refuse to time two programs that end in different places."""
    seconds(theirs(chain, data, model, STEPS))
    gap = np.abs(simulated(chain, chain.states[0][:1])[0] - data.qpos).max()
    if not gap < tolerance:
        raise cd.CondyleError(f"chain of {chain.count}: condyle and MuJoCo end {gap:.1e} apart")


def measure():
    for count in (8, 30, 100):
        chain = Chain(count, work=10_000)
        model = in_mujoco.model(chain.mechanism, STEP)
        data = mujoco.MjData(model)
        agree(chain, data, model)
        pace = compare(ours(chain), theirs(chain, data, model))
        warned = sum(w.number for w in data.warning)
        note = "void: MuJoCo warned" if warned else f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        ratio = float("nan") if warned else pace.ratio
        yield Row("d", f"batched steps over mujoco.mj_step, {count} bodies", ratio, "x", 4.0, note=note)
