"""A gait trial (gait2354, 73 frames) in condyle and in the opensim wheel, per core: inverse kinematics and dynamics."""

import contextlib
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np

import condyle as cd

from ..table import Row
from ..timing import Timed, compare

__all__ = ["measure"]

PLACES = [parent / "shared" / "data" / "opensim" for parent in Path(__file__).resolve().parents[2:]]
SPAN, CUTOFF = (0.4, 1.6), 6.0


def measure():
    """Rows of inverse kinematics per frame and of inverse dynamics of the trial; none without the files or OpenSim."""
    folder = next((place / "gait2354" for place in PLACES if (place / "gait2354").is_dir()), None)
    try:
        import opensim
    except ImportError:
        opensim = None
    if folder is None or opensim is None:
        yield Row("t", "trial of gait2354", float("nan"), "", note="needs the opensim wheel and shared/data/opensim")
        return
    opensim.Logger.setLevelString("off")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as scratch:
        warnings.simplefilter("ignore")
        yield from rows(opensim, folder, Path(scratch))


def rows(opensim, folder, scratch):
    """Both engines on the same files, in turn."""
    from condyle.trial.setup_files.opensim_setups import read_setup

    model = cd.load(folder / "reference_subject01_simbody.osim")
    tasks = read_setup(folder / "subject01_Setup_IK.xml").tasks
    kept = {name: cd.trial.CoordinateTask(*pair) for name, pair in tasks.coordinates.items()}
    seen = cd.trial.read_markers(folder / "subject01_walk1.trc")

    def ours():
        return cd.trial.inverse_kinematics(model, seen, weights=tasks.weights, coordinates=kept, span=SPAN)

    frames = len(ours().times)
    theirs, places = tracker(opensim, folder, tasks)
    pace = compare(Timed(ours, frames), Timed(theirs, frames), repeats=5)
    costs = [cost(model, q, seen, tasks) for q in (ours().q, np.array(places)[:, order(opensim, folder, model)])]
    note = f"cost {costs[0]:.6g} against {costs[1]:.6g}"
    yield Row("t", "inverse kinematics of gait2354, a frame", 1e3 * pace.first, "ms", note=note)
    yield Row("t", "  times as fast as opensim's solver", pace.ratio, "x", 20.0)
    yield from dynamics_rows(opensim, folder, model, scratch)


def tracker(opensim, folder, tasks):
    """A function that tracks all frames with OpenSim's solver, at its default accuracy, and where its results go."""
    model = opensim.Model(str(folder / "reference_subject01_simbody.osim"))
    state = model.initSystem()
    weights = opensim.SetMarkerWeights()
    for name, weight in tasks.weights.items():
        weights.cloneAndAppend(opensim.MarkerWeight(name, weight))
    markers = opensim.MarkersReference(str(folder / "subject01_walk1.trc"), weights, opensim.Units("m"))
    coordinates = opensim.SimTKArrayCoordinateReference()
    for name, (weight, _) in tasks.coordinates.items():
        value = model.getCoordinateSet().get(name).getDefaultValue()
        reference = opensim.CoordinateReference(name, opensim.Constant(value))
        reference.setWeight(weight)
        coordinates.push_back(reference)
    t = cd.trial.read_markers(folder / "subject01_walk1.trc").times
    times = t[(t >= SPAN[0] - 1e-6) & (t <= SPAN[1] + 1e-6)].tolist()
    return solved(opensim, model, state, markers, coordinates, times)


def solved(opensim, model, state, markers, coordinates, times):
    """A function that tracks markers at some times with OpenSim's solver, and where its results go."""
    solver = opensim.InverseKinematicsSolver(model, markers, coordinates)
    solver.setAccuracy(1e-5)
    places = []
    names = [model.getCoordinateSet().get(k) for k in range(model.getNumCoordinates())]

    def track():
        places.clear()
        state.setTime(times[0])
        solver.assemble(state)
        places.append([c.getValue(state) for c in names])
        for time in times[1:]:
            state.setTime(time)
            solver.track(state)
            places.append([c.getValue(state) for c in names])

    track.kept = (model, markers, coordinates)  # the solver does not keep them alive
    return track, places


def order(opensim, folder, model):
    """Where each coordinate of condyle stands among OpenSim's."""
    other = opensim.Model(str(folder / "reference_subject01_simbody.osim"))
    names = [other.getCoordinateSet().get(k).getName() for k in range(other.getNumCoordinates())]
    return [names.index(name) for name in model.coordinates]


def cost(model, q, seen, tasks):
    """Mean over frames of what both minimise."""
    from condyle.trial.inverse_kinematics import marker_places

    inside = (seen.times >= SPAN[0] - 1e-6) & (seen.times <= SPAN[1] + 1e-6)
    own = [m for m in model.markers if m.name in tasks.weights and m.name in seen.names]
    weight = np.array([tasks.weights[m.name] for m in own])
    away = ((marker_places(model, q, own) - seen.pick([m.name for m in own])[inside]) ** 2).sum(axis=2)
    held = sum(w * (q[:, model.q_index(n)] - model.neutral()[model.q_index(n)]) ** 2
               for n, (w, _) in tasks.coordinates.items())  # fmt: skip
    return float((0.5 * away @ weight / weight.sum() + 0.5 * held).mean())


def dynamics_rows(opensim, folder, model, scratch):
    """Inverse dynamics of the trial, files read by both."""
    motion, loads = folder / "reference_subject01_walk1_ik.mot", folder / "subject01_walk1_grf.xml"
    other = opensim.Model(str(folder / "reference_subject01_simbody.osim"))
    other.initSystem()

    def ours():
        read = cd.trial.read_external_loads(loads)
        return cd.trial.inverse_dynamics(model, motion, loads=read, cutoff=CUTOFF)

    def theirs():
        with contextlib.chdir(scratch):
            tool = opensim.InverseDynamicsTool()
            tool.setModel(other)
            tool.setCoordinatesFileName(str(motion))
            tool.setExternalLoadsFileName(str(loads))
            tool.setLowpassCutoffFrequency(CUTOFF)
            tool.setStartTime(SPAN[0])
            tool.setEndTime(SPAN[1])
            tool.setExcludedForces(opensim.ArrayStr("Muscles", 1))
            tool.setOutputGenForceFileName(os.devnull)
            tool.run()

    read = cd.trial.read_external_loads(loads)
    sampled = cd.load(motion, model=model)

    def ours_alone():
        return cd.trial.inverse_dynamics(model, sampled, loads=read, cutoff=CUTOFF)

    pace = compare(Timed(ours, 1), Timed(theirs, 1), repeats=5)
    alone = compare(Timed(ours_alone, 1), Timed(theirs, 1), repeats=5)
    yield Row("t", "inverse dynamics of gait2354, files read", 1e3 * pace.first, "ms")
    yield Row("t", "  times as fast as opensim's tool", pace.ratio, "x")
    yield Row("t", "inverse dynamics of gait2354, from arrays", 1e3 * alone.first, "ms")
    yield Row("t", "  times as fast as opensim's tool", alone.ratio, "x", 50.0)
