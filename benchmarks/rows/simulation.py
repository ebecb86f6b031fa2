"""(d) Batched simulation steps over `mujoco.mj_step`, contacts off, semi-implicit Euler in both."""

import mujoco

import condyle as cd

from ..engines import in_mujoco
from ..table import Row
from ..timing import Timed, compare
from .chains import Chain

__all__ = ["measure"]

STEP, STEPS = 1e-3, 50


def ours(chain):
    q, v, _ = chain.states

    def run():
        cd.simulate(chain.model, q, 0 * v, duration=STEPS * STEP, step=STEP, integrator="semi-implicit")

    return Timed(run, STEPS * len(q))


def theirs(chain, data, model):
    start = chain.states[0][0]

    def reset():
        mujoco.mj_resetData(model, data)
        data.qpos = start

    return Timed(lambda: mujoco.mj_step(model, data, 10 * STEPS), 10 * STEPS, reset)


def measure():
    for count in (8, 30, 100):
        chain = Chain(count, work=10_000)
        model = in_mujoco.model(chain.mechanism, STEP)
        data = mujoco.MjData(model)
        pace = compare(ours(chain), theirs(chain, data, model))
        warned = sum(w.number for w in data.warning)
        note = "void: MuJoCo warned" if warned else f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs"
        ratio = float("nan") if warned else pace.ratio
        yield Row("d", f"batched steps over mujoco.mj_step, {count} bodies", ratio, "x", 4.0, note=note)
