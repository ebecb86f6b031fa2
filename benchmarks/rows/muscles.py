"""Muscles in condyle and in the opensim wheel, per core: lengths, moment arms, driven motion, static optimisation."""

import tempfile
import warnings
from pathlib import Path
from time import process_time

import numpy as np

import condyle as cd

from ..engines.tendons import chain, mjcf, poses
from ..table import Row
from ..timing import Timed, compare, seconds
from .trial import PLACES

__all__ = ["measure"]

MODEL, TRIAL = "models/gait2392_thelen2003muscle.osim", "gait2354"
STATES, STEPS, STEP = 800, 50, 1e-3
LINKS = 10  # of the chain with two ropes over each joint
SPAN, RESERVE = (0.6, 1.2), 10.0
ACTIVATION = 0.3


def measure():
    """All rows; one that says why, without the files or OpenSim."""
    yield from tendon_rows()
    folder = next((place for place in PLACES if place.is_dir()), None)
    try:
        import opensim
    except ImportError:
        opensim = None
    if folder is None or opensim is None:
        yield Row("u", "muscles", float("nan"), "", note="needs the opensim wheel and shared/data/opensim")
        return
    opensim.Logger.setLevelString("off")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as scratch:
        warnings.simplefilter("ignore")
        here, there = cd.load(folder / MODEL), Other(opensim, folder / MODEL)
        yield from path_rows(here, there)
        yield from driven_rows(here, there)
        yield from step_rows(here, there)
        yield from effort_rows(opensim, folder / TRIAL, Path(scratch))


class Other:
    """The model in OpenSim, with all muscles on and equally active."""

    def __init__(self, opensim, path):
        self.opensim = opensim
        self.model = opensim.Model(str(path))
        self.state = self.model.initSystem()
        self.muscles = [self.model.getMuscles().get(k) for k in range(self.model.getMuscles().getSize())]
        self.coordinates = [self.model.getCoordinateSet().get(k) for k in range(self.model.getNumCoordinates())]
        rng = np.random.default_rng(0)
        self.places = [opensim.Vector(self.state.getNQ(), float(x)) for x in 0.1 * rng.normal(size=20)]
        self.still = opensim.Vector(self.state.getNU(), 0.0)
        for muscle in self.muscles:
            muscle.setActivation(self.state, ACTIVATION)
        self.model.equilibrateMuscles(self.state)
        self.fibers = {m.getName(): m.getFiberLength(self.state) for m in self.muscles}

    def everywhere(self, work):
        """Bring the model to all places, and work there."""
        for x in self.places:
            self.state.setQ(x)
            self.state.setU(self.still)
            work()

    def lengths(self):
        """Lengths of all paths in all places."""

        def work():
            self.model.realizePosition(self.state)
            for muscle in self.muscles:
                muscle.getLength(self.state)

        self.everywhere(work)

    def moment_arms(self):
        """Moment arms of all paths about all coordinates, in one place."""
        self.state.setQ(self.places[0])
        self.model.realizePosition(self.state)
        for muscle in self.muscles:
            for coordinate in self.coordinates:
                muscle.computeMomentArm(self.state, coordinate)

    def accelerations(self):
        """Accelerations in all places."""
        self.everywhere(lambda: self.model.realizeAcceleration(self.state))


def states(model):
    """Random states near the neutral one."""
    rng = np.random.default_rng(0)
    return model.neutral() + 0.1 * rng.normal(size=(STATES, model.nq)), rng.normal(size=(STATES, model.nv))


def path_rows(model, other):
    """Lengths and moment arms of all paths."""
    q, _ = states(model)
    pace = compare(Timed(lambda: cd.muscles.lengths(model, q), STATES), Timed(other.lengths, len(other.places)), 5)
    note = f"{pace.second * 1e6:.4g} us in opensim"
    yield Row("u", f"lengths of {len(model.muscles)} paths", 1e6 * pace.first, "us", note=note)
    yield Row("u", "  times as fast as opensim", pace.ratio, "x", 100.0)
    pace = compare(Timed(lambda: cd.muscles.moment_arms(model, q), STATES), Timed(other.moment_arms, 1), 3)
    yield Row("u", "a matrix of moment arms", 1e6 * pace.first, "us", note=f"{pace.second:.3g} s in opensim")
    yield Row("u", "  times as fast as opensim", pace.ratio, "x", 1000.0)


def tendon_rows():
    """Lengths and moment arms of ropes over balls and drums, which MuJoCo has too."""
    try:
        import mujoco
    except ImportError:
        return
    model, theirs = chain(LINKS), mujoco.MjModel.from_xml_string(mjcf(LINKS))
    data, q = mujoco.MjData(theirs), poses(LINKS, STATES)

    def tendons():
        for x in q:
            data.qpos[:] = x
            mujoco.mj_kinematics(theirs, data)
            mujoco.mj_comPos(theirs, data)
            mujoco.mj_tendon(theirs, data)

    pace = compare(Timed(lambda: cd.muscles.moment_arms(model, q), STATES), Timed(tendons, STATES), 5)
    note = f"{pace.second * 1e6:.4g} us in mujoco"
    yield Row("u", f"moment arms of {len(model.muscles)} ropes over wraps", 1e6 * pace.first, "us", note=note)
    yield Row("u", "  times as fast as mujoco", pace.ratio, "x")


def fibers_of(model, other):
    """OpenSim's fibre lengths in equilibrium, in the order of condyle's muscles."""
    return np.array([other.fibers[m.name] for m in model.muscles])


def driven_rows(model, other):
    """Accelerations under all muscles."""
    (q, v), fibers = states(model), fibers_of(model, other)

    def ours():
        cd.muscles.forward_dynamics(model, q, v, ACTIVATION, fiber_length=fibers)

    pace = compare(Timed(ours, STATES), Timed(other.accelerations, len(other.places)), 5)
    note = f"{pace.second * 1e6:.4g} us in opensim"
    yield Row("u", "accelerations under all muscles, batched", 1e6 * pace.first, "us", note=note)
    yield Row("u", "  times as fast as opensim", pace.ratio, "x", 80.0)


def step_rows(model, other):
    """Steps of a millisecond of one state: of order 4, four evaluations here and five in Merson's method there."""
    fibers = fibers_of(model, other)
    start = {"activation": ACTIVATION, "fiber_length": fibers, "excitations": ACTIVATION}

    def ours():
        run = cd.muscles.simulate(
            model, model.neutral(), duration=STEPS * STEP, step=STEP, record=STEPS * STEP, **start
        )
        assert run.stopped is None, run.stopped

    def theirs():
        model = other.opensim.Model(other.model)
        state = model.initSystem()
        for k in range(len(other.muscles)):
            model.getMuscles().get(k).setActivation(state, ACTIVATION)
        model.equilibrateMuscles(state)
        manager = other.opensim.Manager(model)
        manager.setIntegratorMethod(other.opensim.Manager.IntegratorMethod_RungeKuttaMerson)
        manager.setIntegratorAccuracy(0.5)
        manager.setIntegratorMaximumStepSize(STEP)
        manager.initialize(state)
        began = process_time()
        manager.integrate(STEPS * STEP)
        taken = process_time() - began
        return taken / max(STEPS, manager.getStatesTable().getNumRows() - 1)

    ours()
    own, there = min(seconds(Timed(ours, STEPS)) for _ in range(5)), min(theirs() for _ in range(3))
    yield Row("u", "a step under all muscles", 1e6 * own, "us", note=f"{1e6 * there:.4g} us in opensim")
    yield Row("u", "  times as fast as opensim", there / own, "x", 10.0)


def effort_rows(opensim, folder, scratch):
    """Static optimisation of a part of a trial with 54 muscles and reserves."""
    file, motion = folder / "reference_subject01_simbody.osim", folder / "reference_subject01_walk1_ik.mot"
    model = cd.load(file)
    found = cd.trial.inverse_dynamics(model, motion, cutoff=6.0, span=SPAN)
    frames = len(found.times)

    def ours():
        moments = cd.trial.inverse_dynamics(model, motion, cutoff=6.0, span=SPAN)
        cd.muscles.static_optimization(model, moments.q, moments.v, moments.forces, reserves=RESERVE)

    tool = analysis(opensim, file, motion, scratch)
    pace = compare(Timed(ours, frames), Timed(tool.run, frames), 1)
    note = f"{pace.second:.3g} s in opensim"
    yield Row("u", "static optimisation of a trial, a frame", 1e3 * pace.first, "ms", note=note)
    yield Row("u", "  times as fast as opensim", pace.ratio, "x", 50.0)


def analysis(opensim, file, motion, scratch):
    """OpenSim's tool of static optimisation, with reserves on all coordinates."""
    model = opensim.Model(str(file))
    for k in range(model.getMuscles().getSize()):
        model.getMuscles().get(k).setMinControl(0.01)
    for k in range(model.getNumCoordinates()):
        name = model.getCoordinateSet().get(k).getName()
        reserve = opensim.CoordinateActuator(name)
        reserve.setName(f"{name}_reserve")
        reserve.setOptimalForce(RESERVE)
        reserve.setMinControl(-1000.0)
        reserve.setMaxControl(1000.0)
        model.addForce(reserve)
    model.printToXML(str(scratch / "reserved.osim"))
    (scratch / "setup.xml").write_text(SETUP.format(motion=motion, folder=scratch, start=SPAN[0], end=SPAN[1]))
    return opensim.AnalyzeTool(str(scratch / "setup.xml"))


SETUP = """<?xml version="1.0"?><OpenSimDocument Version="40000"><AnalyzeTool name="effort">
<model_file>{folder}/reserved.osim</model_file><replace_force_set>false</replace_force_set>
<results_directory>{folder}/results</results_directory><initial_time>{start}</initial_time><final_time>{end}</final_time>
<solve_for_equilibrium_for_auxiliary_states>false</solve_for_equilibrium_for_auxiliary_states>
<AnalysisSet><objects><StaticOptimization name="StaticOptimization"><on>true</on><start_time>{start}</start_time>
<end_time>{end}</end_time><step_interval>1</step_interval><use_model_force_set>true</use_model_force_set>
<activation_exponent>2</activation_exponent><use_muscle_physiology>true</use_muscle_physiology></StaticOptimization></objects>
</AnalysisSet><coordinates_file>{motion}</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates></AnalyzeTool></OpenSimDocument>
"""
