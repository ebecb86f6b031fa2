"""Trials of OpenSim's own gait models, laid out as their setup files expect, and run by the wheel."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from support.laboratory import FOLDER

DATA = FOLDER / "opensim"
needs_trials = pytest.mark.skipif(
    not DATA.is_dir(), reason="no folder shared/data/opensim beside or above the repository"
)


def laid_out(folder, trial):
    """The files of a trial in a folder of its own; the folder."""
    place = Path(folder) / trial
    place.mkdir(parents=True, exist_ok=True)
    if trial == "gait2354":
        for path in (*(DATA / trial).iterdir(), DATA / "models" / "gait2354_simbody.osim"):
            shutil.copyfile(path, place / path.name)
        return place
    moved = {"walk_Setup_IK.xml": "IK", "walk_Setup_ID.xml": "ID", "subject01.osim": "."}
    for path in (DATA / trial).iterdir():
        target = place / moved.get(path.name, "ExperimentalData")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / path.name)
    return place


class In:
    """The working folder, as OpenSim's tools want it."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.before = Path.cwd()
        os.chdir(self.folder)

    def __exit__(self, *_):
        os.chdir(self.before)


def kinematics_by_opensim(osim, setup, accuracy=None, output="by_opensim.mot"):
    """Run inverse kinematics, at the accuracy of the file or another; the path of the motion."""
    with In(setup.parent):
        tool = osim.InverseKinematicsTool(setup.name)
        if accuracy is not None:
            tool.set_accuracy(accuracy)
        tool.set_results_directory(".")
        tool.setOutputMotionFileName(output)
        tool.run()
    return setup.parent / output


def dynamics_by_opensim(osim, setup, motion):
    """Run inverse dynamics of a motion; the table of forces."""
    with In(setup.parent):
        tool = osim.InverseDynamicsTool(setup.name)
        tool.setCoordinatesFileName(str(motion))
        tool.setResultsDir(".")
        tool.setOutputGenForceFileName("by_opensim.sto")
        tool.run()
    return cd.read_table(setup.parent / "by_opensim.sto")


def scaled_by_opensim(osim, setup):
    """Run the scale tool."""
    with In(setup.parent):
        assert osim.ScaleTool(setup.name).run()


def rms_ratio(found, reference):
    """How far generalised forces are from a table, in parts of it, by root mean squares."""
    columns = [np.interp(found.times, reference.times, reference[name]) for name in found.table().names[1:]]
    expected = np.stack(columns, axis=1)
    return np.sqrt(np.mean((found.forces - expected) ** 2) / np.mean(expected**2))


def degrees_apart(model, q, path):
    """The largest difference of an angle [deg] from a motion file."""
    other = cd.load(path, model=model)
    turning = [k for k, name in enumerate(model.coordinates) if model.motion_types[name] == "rotational"]
    return np.degrees(np.abs(q - other.q)[:, turning]).max()


def scaled_by_wheel(osim, path, factors, mass, target):
    """A model whose bodies OpenSim scales by factors, written to a file; False where OpenSim refuses to."""
    try:
        model = osim.Model(str(path))
        state = model.initSystem()
        scales = osim.ScaleSet()
        for name, values in factors.items():
            scale = osim.Scale()
            scale.setSegmentName(name)
            scale.setScaleFactors(osim.Vec3(*values))
            scale.setApply(True)
            scales.cloneAndAppend(scale)
        model.scale(state, scales, False, mass)
        return model.printToXML(str(target))
    except RuntimeError:
        return False


def sizes(model):
    """Every length of a model that scaling changes, by name: places of joints, markers, wraps and points of paths."""
    found = {f"body {b.name}": np.concatenate([b.inertia.com, np.asarray(b.placement)[:3, 3]]) for b in model.bodies}
    found |= {f"mass {b.name}": np.array([b.inertia.mass, *b.inertia.moment.ravel()]) for b in model.bodies}
    found |= {f"marker {m.name}": m.at for m in model.markers}
    for w in model.opensim.wraps:
        kept = [np.ravel(w.sizes[k]) for k in ("radius", "length", "dimensions") if k in w.sizes]
        found[f"wrap {w.name}"] = np.concatenate([w.pose[:3, 3], *kept])
    for force in model.opensim.forces:
        for k, p in enumerate(() if force.path is None else force.path.points):
            found[f"point {force.name} {k}"] = np.zeros(3) if p.functions else p.location
    return found
