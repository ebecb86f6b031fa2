"""Motions of many kinds, and glTF files of them, for programs that read such files."""

import warnings

import numpy as np

import condyle as cd
from condyle.gallery import SCENES, leg
from support.bvh_person import person
from support.mjcf_files import EVERYTHING
from support.robot import ROBOT


def swing(model, frames=31, rate=60, size=0.4):
    """A motion in which every coordinate swings in its own rhythm."""
    t = np.arange(frames) / rate
    away = size * np.sin(np.outer(t, 2.0 + np.arange(model.nv)))
    q = cd.integrate(model, np.broadcast_to(model.neutral(), (frames, model.nq)), away)
    return cd.Trajectory(model, t, q, 0.0 * away)


def _model(folder, name, text):
    (folder / name).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cd.load(folder / name)


def armatures(folder):
    """{name: motion} of a leg, a robot of URDF, one of MJCF and a character of BVH."""
    (folder / "person.bvh").write_text(person())
    return {
        "leg": swing(leg()),
        "urdf": swing(_model(folder, "robot.urdf", ROBOT)),
        "mjcf": swing(_model(folder, "small.xml", EVERYTHING)),
        "bvh": swing(cd.read_character(folder / "person.bvh", unit="cm").model),
    }


def eight_files(folder):
    """Paths of eight .glb files: four motions as armatures, and four scenes with lines, sheets and moving surfaces."""
    motions = armatures(folder)
    files = [cd.view.export(m, folder / f"{name}.glb", armature=True) for name, m in motions.items()]
    for name in ("globe", "humanoid", "deforming", "beads"):
        scene = SCENES[name]()
        run = scene.run(0.2, record=0.05) if scene.motion is None else scene.run()
        files.append(cd.view.export(run, folder / f"{name}.glb", drawn=scene.seen(run).drawn or None))
    return files
