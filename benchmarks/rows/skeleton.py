"""(s) Skeletons in maximal coordinates: against the article's pseudo-inverse, against mj_step, and by size."""

import mujoco
import numpy as np

from condyle.skeleton import Skeleton, State, from_model, state_of

from ..engines import description, in_condyle, in_mujoco
from ..engines.pseudo_inverse import PseudoInverse
from ..table import Row
from ..timing import REPEATS, Timed, compare, seconds

__all__ = ["SIZES", "hinge_chain", "measure", "mujoco_seconds_per_step", "seconds_per_step"]

STEP, STEPS, BATCH = 1e-3, 200, 64
SIZES = (10, 30, 100, 300, 1000, 3000, 10_000)


def hinge_chain(count, seed=0):
    """Rods in a row, joined by hinges about random axes, falling and turning."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(count - 1, 1, 3))
    axes = np.repeat(axes / np.linalg.norm(axes, axis=-1, keepdims=True), 2, axis=1)
    skeleton = Skeleton.from_arrays(
        masses=np.ones(count),
        inertias=np.tile(np.diag([0.09, 0.09, 0.01]), (count, 1, 1)),
        pairs=[(i, i + 1) for i in range(count - 1)],
        locations=np.tile([[0, 0, -0.5], [0, 0, 0.5]], (count - 1, 1, 1)),
        axes=axes,
        positions=np.arange(count)[:, None] * [0, 0, -1.0],
        angular_velocities=rng.normal(size=(count, 3)),
        gravity=(0, 0, -9.81),
        check=False,  # the velocities are made consistent below
    )
    return skeleton.starting(skeleton.projected().state)


def hinge_chain_in_mujoco(chain):
    """The same chain for mj_step: the first body floats, every other hangs on the one before; no contacts."""
    spec = mujoco.MjSpec()
    spec.option.gravity, spec.option.timestep = chain.gravity, STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    parent, before = spec.worldbody, np.zeros(3)
    for i, place in enumerate(chain.initial.positions):
        inertial = {"mass": chain.masses[i], "ipos": (0, 0, 0), "inertia": np.diag(chain.inertias[i])}
        body = parent.add_body(pos=place - before, explicitinertial=True, **inertial)
        if i == 0:
            body.add_freejoint()
        else:
            hinge = chain.points[i - 1, 1], chain.axes[i - 1, 1]
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, pos=hinge[0], axis=hinge[1])
        parent, before = body, place
    return spec.compile()


def mujoco_seconds_per_step(count):
    """Processor seconds of one mj_step of the same chain."""
    model = hinge_chain_in_mujoco(hinge_chain(count))
    data, steps = mujoco.MjData(model), max(5, 20_000 // count)
    timed = Timed(lambda: mujoco.mj_step(model, data, steps), steps, lambda: mujoco.mj_resetData(model, data))
    seconds(timed)
    return float(np.median([seconds(timed) for _ in range(3)]))


def seconds_per_step(count, integrator="variational", steps=None):
    """Processor seconds of one step of one chain, the median of a few runs; what comes before is spread over many."""
    chain, steps = hinge_chain(count), steps or max(200, 20_000 // count)
    span = steps * STEP
    timed = Timed(lambda: chain.simulate(duration=span, step=STEP, integrator=integrator, record=span), steps)
    seconds(timed)
    return float(np.median([seconds(timed) for _ in range(3)]))


def against_the_pseudo_inverse():
    """One acceleration of 129 bodies, both for the same state; then a batch of states at once, per state."""
    chain = hinge_chain(129)
    dense, start = PseudoInverse(chain), chain.initial
    gap = np.abs(dense.accelerations()[:, :3] - chain.accelerations().linear).max()
    batch = State(*(np.repeat(x[None], BATCH, axis=0) for x in vars(start).values()))
    what = "skeleton accelerations over the pseudo-inverse, 129 bodies"
    for name, ours in (
        ("one state", Timed(lambda: [chain.accelerations() for _ in range(20)], 20)),
        (f"a batch of {BATCH}", Timed(lambda: chain.accelerations(batch, threads=1), BATCH)),
    ):
        pace = compare(ours, Timed(dense.accelerations, 1), repeats=3)
        note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e3:.3g} ms; they differ by {gap:.1e} m/s²"
        yield Row("s", f"{what}, {name}", pace.ratio, "x", 500.0, note=note)


def by_size():
    """The exponent of the cost from 10 to 10,000 bodies."""
    times = np.array([seconds_per_step(n) for n in SIZES])
    exponent = np.polyfit(np.log(SIZES), np.log(times), 1)[0]
    ends = (
        f"{times[0] / SIZES[0] * 1e6:.3g} µs per body at {SIZES[0]}, {times[-1] / SIZES[-1] * 1e6:.3g} at {SIZES[-1]}"
    )
    return Row("s", "skeleton step: cost grows with bodies to the power", exponent, "", 1.1, at_most=True, note=ends)


def beside_mujoco(count):
    """Batched default steps of the twin of a chain, beside mj_step of the chain."""
    mechanism = description.chain(count)
    theirs_model, model = in_mujoco.model(mechanism, STEP), in_condyle.model(mechanism)
    data = mujoco.MjData(theirs_model)
    q = mechanism.states(np.random.default_rng(count), BATCH)[0]
    skeleton, states = from_model(model), state_of(model, q, np.zeros(model.nv))

    def reset():
        mujoco.mj_resetData(theirs_model, data)
        data.qpos = q[0]

    span = STEPS * STEP
    ours = Timed(lambda: skeleton.simulate(states, duration=span, step=STEP, record=span), STEPS * len(q))
    theirs = Timed(lambda: mujoco.mj_step(theirs_model, data, STEPS), STEPS, reset)
    pace = compare(ours, theirs, REPEATS)
    note = f"{1 / pace.first:.3g} against {1 / pace.second:.3g} steps per second and core"
    return Row("s", f"batched skeleton steps over mujoco.mj_step, {count} bodies", pace.ratio, "x", 2.0, note=note)


def measure():
    yield from against_the_pseudo_inverse()
    yield by_size()
    for count in (8, 30, 100):
        yield beside_mujoco(count)
