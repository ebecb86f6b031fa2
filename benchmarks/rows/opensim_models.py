"""Models of OpenSim in condyle and in the opensim wheel, per core: loading, dynamics, steps, legs with patellas."""

import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

import condyle as cd
from condyle.trial.inverse_kinematics import marker_places

from ..table import Row
from ..timing import Timed, compare, seconds
from ..whole_body import whole_body
from .trial import PLACES, solved

__all__ = ["measure"]

TREE, COUPLED, PATELLAS = "models/gait2354_simbody", "models/leg6dof9musc", "small/BothLegs22"
STATES, STEPS, STEP = 2000, 1000, 1e-3
RATE, FRAMES, MINUTE = 100, 201, 6001  # [1/s], frames of the comparison, frames of a minute
NOISE = 2e-3  # [m] of markers


def measure():
    """All rows; one that says why, without the files or OpenSim."""
    folder = next((place for place in PLACES if place.is_dir()), None)
    try:
        import opensim
    except ImportError:
        opensim = None
    if folder is None or opensim is None:
        yield Row("o", "models of OpenSim", float("nan"), "", note="needs the opensim wheel and shared/data/opensim")
        return
    opensim.Logger.setLevelString("off")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as scratch:
        warnings.simplefilter("ignore")
        for name in (TREE, COUPLED):
            yield from dynamics_rows(opensim, folder / f"{name}.osim", name.split("/")[1])
        body = Path(scratch) / "whole_body.osim"
        body.write_text(whole_body())
        yield from whole_body_rows(opensim, body, Path(scratch))
        yield from patella_rows(opensim, folder / f"{PATELLAS}.osim", Path(scratch))


def without_forces(opensim, path):
    """OpenSim's model with gravity alone."""
    model = opensim.Model(str(path))
    state = model.initSystem()
    for k in range(model.getForceSet().getSize()):
        model.getForceSet().get(k).setAppliesForce(state, False)
    return model, state


def dynamics_rows(opensim, path, name):
    """Loading, accelerations in batches and one at a time, and steps of a simulation."""
    model = cd.load(path)
    loading = compare(Timed(lambda: cd.load(path), 1), Timed(lambda: opensim.Model(str(path)).initSystem(), 1), 5)
    yield Row("o", f"load {name}", loading.first, "s", 0.5, True, f"{loading.ratio:.3g} x opensim")
    other, state = without_forces(opensim, path)
    rng = np.random.default_rng(0)
    q = model.neutral() + 0.1 * rng.normal(size=(STATES, model.nq))
    v = rng.normal(size=(STATES, model.nv))
    places = [opensim.Vector(state.getNQ(), float(x)) for x in 0.1 * rng.normal(size=50)]

    def theirs():
        for x in places:  # other places, so that nothing is remembered; with constraints they need not hold
            state.setQ(x)
            other.realizeAcceleration(state)

    batch = compare(Timed(lambda: cd.forward_dynamics(model, q, v), STATES), Timed(theirs, len(places)), 5)
    note = f"{batch.second * 1e6:.3g} us in opensim"
    yield Row("o", f"accelerations of {name}, batched", 1e6 * batch.first, "us", note=note)
    yield Row("o", "  times as fast as opensim", batch.ratio, "x", 50.0)

    def ours():
        for k in range(50):
            cd.forward_dynamics(model, q[k], v[k])

    single = compare(Timed(ours, 50), Timed(theirs, len(places)), 5)
    yield Row("o", f"accelerations of {name}, one call", 1e6 * single.first, "us")
    yield Row("o", "  times as fast as opensim", single.ratio, "x", 5.0)
    yield from step_rows(opensim, model, path, name)


def step_rows(opensim, model, path, name):
    """Steps of a millisecond: fourth order in both (four evaluations a step here, five in Merson's method there)."""
    start = model.neutral()

    def ours():
        cd.simulate(model, start, duration=STEPS * STEP, step=STEP, record=STEPS * STEP)

    def theirs():
        other, state = without_forces(opensim, path)
        manager = opensim.Manager(other)
        manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_RungeKuttaMerson)
        manager.setIntegratorAccuracy(0.5)
        manager.setIntegratorMaximumStepSize(STEP)
        manager.setRecordStatesTrajectory(False) if hasattr(manager, "setRecordStatesTrajectory") else None
        manager.initialize(state)
        theirs.start = process_time()
        manager.integrate(STEPS * STEP)
        return process_time() - theirs.start

    theirs()
    own = min(seconds(Timed(ours, STEPS)) for _ in range(5))
    other = min(theirs() for _ in range(3)) / STEPS
    yield Row("o", f"a step of {name}", 1e6 * own, "us", note=f"{1e6 * other:.3g} us in opensim")
    yield Row("o", "  times as fast as opensim", other / own, "x", 30.0)


def with_markers(path):
    """The model with three markers on each body, and a motion of it within its ranges, of a minute."""
    model, rng = cd.load(path), np.random.default_rng(0)
    marks = [cd.Marker(f"{body}_{k}", body, 0.1 * rng.normal(size=3)) for body in model.names for k in range(3)]
    model = replace(model, markers=marks)
    ends = np.clip([model.range_of(c) for c in model.coordinates], -1.0, 1.0)
    t, middle, size = np.arange(MINUTE) / RATE, ends.mean(axis=1), 0.4 * (ends[:, 1] - ends[:, 0])
    phases = 2 * np.pi * t[:, None] * rng.uniform(0.4, 0.9, model.nq) + rng.uniform(0, 6, model.nq)
    q = middle + size * np.sin(phases)
    seen = marker_places(model, q, marks)
    seen += NOISE * rng.normal(size=seen.shape)
    return model, cd.trial.Markers(tuple(m.name for m in marks), t, seen)


def tracking_rows(opensim, path, scratch, what, model, seen):
    """Inverse kinematics of the first frames, in both."""
    some = cd.trial.Markers(seen.names, seen.times[:FRAMES], seen.points[:FRAMES])
    cd.trial.write_markers(some, scratch / "some.trc")
    theirs, places = tracker(opensim, path, model, scratch / "some.trc", some)
    found = []

    def ours():
        found[:] = [cd.trial.inverse_kinematics(model, some)]

    pace = compare(Timed(ours, FRAMES), Timed(theirs, FRAMES), repeats=3)
    note = f"cost {cost(found[0]):.6g} against {other_cost(model, path, some, places):.6g}"
    yield Row("o", f"inverse kinematics {what}, a frame", 1e3 * pace.first, "ms", note=note)
    yield Row("o", "  times as fast as opensim's solver", pace.ratio, "x", 10.0)


def whole_body_rows(opensim, path, scratch):
    """Inverse kinematics of a body of 39 coordinates with patellas."""
    model, seen = with_markers(path)
    yield from tracking_rows(opensim, path, scratch, "of 39 coordinates", model, seen)


def patella_rows(opensim, path, scratch):
    """Inverse kinematics of a leg whose patellas follow its knees, and a whole minute with inverse dynamics."""
    model, seen = with_markers(path)
    yield from tracking_rows(opensim, path, scratch, "with patellas", model, seen)

    def minute():
        k = cd.trial.inverse_kinematics(model, seen)
        cd.trial.inverse_dynamics(model, k, cutoff=6.0)

    minute()
    yield Row("o", "a minute with patellas, angles and moments", seconds(Timed(minute, 1)), "s", 3.0, True)


def tracker(opensim, path, model, file, seen):
    """OpenSim's solver on the same markers."""
    other = opensim.Model(str(path))
    for m in model.markers:
        other.addMarker(opensim.Marker(m.name, other.getBodySet().get(m.body), opensim.Vec3(*m.at)))
    other.finalizeConnections()
    state = other.initSystem()
    weights = opensim.SetMarkerWeights()
    for name in seen.names:
        weights.cloneAndAppend(opensim.MarkerWeight(name, 1.0))
    markers = opensim.MarkersReference(str(file), weights, opensim.Units("m"))
    return solved(opensim, other, state, markers, opensim.SimTKArrayCoordinateReference(), seen.times.tolist())


def cost(found):
    """Mean over frames of what both minimise [m²]."""
    return float(0.5 * (found.errors**2).mean())


def other_cost(model, path, seen, places):
    """The same of OpenSim's coordinates, which hold couplers to its accuracy."""
    import opensim

    other, held = opensim.Model(str(path)), replace(cd.load(path, couplers="constraint"), markers=model.markers)
    names = [other.getCoordinateSet().get(k).getName() for k in range(other.getNumCoordinates())]
    q = np.tile(held.neutral(), (len(places), 1))
    for k, name in enumerate(names):
        if name in held.coordinates:
            q[:, held.q_index(name)] = np.array(places)[:, k]
    away = ((marker_places(held, q, list(model.markers)) - seen.points) ** 2).sum(axis=2)
    return float(0.5 * away.mean())
