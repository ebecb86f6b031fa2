"""The mechanisms of the gallery, run from their starts."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..gallery import SCENES
from ..gallery.scene import Scene
from ..simulation import Trajectory
from .outcome import Outcome, motion_files
from .registry import DEMOS

__all__ = ["run"]


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Simulate the scene of that name and draw it with its wires and surfaces."""
    scene = SCENES[name]()
    motion = scene.run(record=1.0 / 120.0, progress=progress)
    title = DEMOS[name].about
    return Outcome(told(scene, motion), motion_files(motion, folder, name, title, scene.seen(motion).drawn))


def told(scene: Scene, motion: Trajectory) -> str:
    """What happened: how long, what the energy did and why, and what went wrong, if anything."""
    (kinetic, _, energy), model = motion.energy(), scene.model
    change = energy[-1] - energy[0]
    damped = any(load.constants[-1] > 0.0 for load in model.coordinate_loads) or any(
        s.damping > 0 for s in model.springs
    )
    if model.prescribed:
        words = f"the prescribed motion gave {change:+.3g} J"
    elif damped:
        words = f"damping took {-change:.3g} J"
    else:
        words = f"energy kept to {np.ptp(energy):.1e} J, of which up to {kinetic.max():.3g} J were motion"
    bodies, coordinates = _counted(model.nbodies, "body", "bodies"), _counted(model.nv, "coordinate", "coordinates")
    lines = [f"{bodies}, {coordinates}, {motion.t[-1]:g} s: {words}."]
    lines += [str(motion.stopped)] if motion.stopped is not None else []
    return "\n".join([*lines, *map(str, motion.outside)])


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
