"""(n) Members with parameters of their own: over MuJoCo's rollout, over equal parameters, and what an ensemble adds."""

import copy
import tempfile
import time
from pathlib import Path

import mujoco
import mujoco.rollout
import numpy as np

import condyle as cd
from benchmarks.busy_member import ROUNDS, busy

from ..table import Row
from ..timing import Timed, compare

__all__ = ["measure"]

STEP = 1e-3
BODIES = ("thigh", "shank", "foot")
LENGTHS, MASSES = (0.42, 0.43, 0.2), (8.0, 3.5, 1.2)
SIZES = [cd.Inertia.capsule(m, 0.05, l).moment.diagonal() for m, l in zip(MASSES, LENGTHS, strict=True)]


def hinge_leg():
    """Thigh, shank and foot on hinges."""
    b = cd.ModelBuilder()
    for i, (name, mass) in enumerate(zip(BODIES, MASSES, strict=True)):
        place = (0, 0, -LENGTHS[i - 1]) if i else (0, 0, 0)
        inertia = cd.Inertia(mass, (0, 0, -0.5 * LENGTHS[i]), SIZES[i])
        b.add_body(name, parent=BODIES[i - 1] if i else None, joint=cd.joints.revolute("y"), inertia=inertia,
                   placement=cd.SE3.from_translation(place))  # fmt: skip
    return b.build()


def mujoco_leg():
    """The same, contacts off, semi-implicit Euler."""
    spec = mujoco.MjSpec()
    spec.option.gravity, spec.option.timestep = (0, 0, -9.81), STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    parent = spec.worldbody
    for i, mass in enumerate(MASSES):
        parent = parent.add_body(pos=(0, 0, -LENGTHS[i - 1]) if i else (0, 0, 0), mass=mass, inertia=SIZES[i],
                                 ipos=(0, 0, -0.5 * LENGTHS[i]), explicitinertial=True)  # fmt: skip
        parent.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 1, 0))
    return spec.compile()


def with_masses(model, masses):
    """A copy with other masses."""
    other = copy.copy(model)
    other.body_mass[1:] = masses
    return other


def over_rollout(count=2000, steps=200):
    """Legs whose bodies have masses of their own, recorded at every step in both."""
    rng = np.random.default_rng(0)
    masses, q = rng.uniform(0.7, 1.3, (count, 3)) * MASSES, rng.uniform(-0.5, 0.5, (count, 3))
    model, base = hinge_leg(), mujoco_leg()
    models, data = [with_masses(base, m) for m in masses], mujoco.MjData(base)
    start = np.zeros((count, mujoco.mj_stateSize(base, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 1:4] = q

    def ours():
        return cd.simulate(model, q, duration=steps * STEP, step=STEP, integrator="semi-implicit",
                           parameters={"bodies.mass": masses}).q  # fmt: skip

    def theirs():
        return mujoco.rollout.rollout(models, data, initial_state=start, nstep=steps)[0][:, :, 1:4]

    gap = float(np.abs(ours()[:, 1:] - theirs()).max())
    if not gap < 1e-7:
        raise cd.CondyleError(f"condyle's and MuJoCo's legs are {gap:.1e} apart")
    return compare(Timed(ours, count * steps), Timed(theirs, count * steps), repeats=5)


def spline_leg():
    """A hinge hip, a knee that rolls and glides in its plane, a hinge ankle, a spring at the heel."""
    angles = np.linspace(0.0, 2.2, 8)
    frames = np.stack([cd.SE3.exp([0, a, 0, 0.01 * np.cos(a), 0, 0.005 * a]).as_matrix() for a in angles])
    b = cd.ModelBuilder()
    joints = (cd.joints.revolute("y"), cd.joints.spline_curve(frames), cd.joints.revolute("y"))
    for i, (name, mass, joint) in enumerate(zip(BODIES, MASSES, joints, strict=True)):
        inertia = cd.Inertia(mass, (0, 0, -0.5 * LENGTHS[i]), SIZES[i])
        place = cd.SE3.from_translation((0, 0, -LENGTHS[i - 1] if i else 0))
        b.add_body(name, parent=BODIES[i - 1] if i else None, joint=joint, inertia=inertia, placement=place)
        b.add_damping(name, 2.0)
    return b.build(), frames


def population(count):
    """Masses, lengths and knees of so many legs."""
    rng = np.random.default_rng(1)
    _, frames = spline_leg()
    longer = rng.uniform(0.85, 1.15, (count, 3))
    places = np.tile(np.eye(4), (count, 2, 1, 1))
    places[:, :, 2, 3] = -longer[:, :2] * LENGTHS[:2]
    knees = np.tile(frames, (count, 1, 1, 1))
    knees[:, :, :3, 3] *= rng.uniform(0.5, 1.5, (count, 1, 1))
    com = np.zeros((count, 3, 3))
    com[:, :, 2] = -0.5 * longer * LENGTHS
    masses = rng.uniform(0.7, 1.3, (count, 3)) * MASSES
    lengths = {"bodies.com": com, "shank.placement": places[:, 0], "foot.placement": places[:, 1]}
    return {"bodies.mass": masses, **lengths, "shank.frames": knees}


def over_equal(count=10_000, duration=1.0, repeats=3, spread=0.3):
    """Legs with parameters of their own, and as many that are equal, from the same starts.

    Starts differ by `spread` [rad]; without it equal legs are one leg many times, whose lanes read the same rows.
    """
    model, parameters = spline_leg()[0], population(count)
    q = [0.3, 2.0, 0.1] + spread * np.random.default_rng(2).uniform(-1.0, 1.0, (count, 3))

    def run(given):
        return cd.simulate(model, q, duration=duration, step=STEP, record=duration, parameters=given)

    units = round(count * duration / STEP)
    return compare(Timed(lambda: run(None), units), Timed(lambda: run(parameters), units), repeats=repeats)


def walled(run):
    """Seconds on the clock."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def studied(members, folder, workers):
    """Seconds of a recorded ensemble of so many members."""
    design = cd.ensembles.samples({"rounds": np.full(members, ROUNDS)})
    return walled(lambda: cd.ensemble(busy, design, workers=workers, record_to=folder / f"{members}-{workers}"))


def layer(members=600):
    """Seconds of a plain loop over a function, and of a recorded ensemble of it."""
    busy({"rounds": ROUNDS})
    with tempfile.TemporaryDirectory() as scratch:
        plain = walled(lambda: [busy({"rounds": ROUNDS}) for _ in range(members)])
        return plain, studied(members, Path(scratch), 1)


def pair(members=1500):
    """Seconds of a recorded ensemble with one worker and with two, their start included."""
    with tempfile.TemporaryDirectory() as scratch:
        return tuple(studied(members, Path(scratch), workers) for workers in (1, 2))


def measure():
    pace = over_rollout()
    note = f"{pace.first * 1e6:.3g} µs against {pace.second * 1e6:.3g} µs a step of a leg"
    yield Row("n", "hinge legs with masses of their own over mujoco.rollout", pace.ratio, "x", 6.0, note=note)
    pace = over_equal()
    note = f"{pace.second * 1e6:.3g} µs against {pace.first * 1e6:.3g} µs a step of a leg"
    yield Row("n", "legs of their own over equal legs, 10,000 for 1 s", pace.ratio, "x", 1.3, at_most=True, note=note)
    plain, one = layer()
    yield Row("n", "recorded ensemble over a plain loop", one / plain, "x", 1.05, at_most=True, note=f"{plain:.1f} s")
    one, two = pair()
    yield Row("n", "two workers over one, on the clock", one / two, "x", 1.8, note=f"{one:.1f} s and {two:.1f} s")
