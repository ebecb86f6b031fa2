"""The names of the demonstrations; a module is loaded only when its demonstration runs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from ..errors import BadFile, unknown_name
from .outcome import Outcome

__all__ = ["DEMOS", "Demo", "run"]


@dataclass(frozen=True)
class Demo:
    """What is to be seen, and the module of this package that shows it."""

    about: str
    module: str


DEMOS = {
    "leg": Demo("A leg whose knee rolls and glides, swinging from a fixed hip.", "leg"),
    "elliptic": Demo("A skate that slides along an ellipse, always tangent.", "mechanisms"),
    "beads": Demo("Three beads on a flower-shaped wire that spins.", "mechanisms"),
    "beads-spinning": Demo("The same beads, free to spin about the wire.", "mechanisms"),
    "globe": Demo("Aeroplanes that follow closed coastlines on a turning globe.", "mechanisms"),
    "letters": Demo("The word SIGGRAPH as a chain of letters, each sliding on its parent's outline.", "mechanisms"),
    "letters-2": Demo("The same word, neighbours touching along both outlines.", "touching"),
    "knees": Demo("Two legs let go: a knee as near to noisy poses as it gets, and the smoothed one.", "smoothing"),
    "foot": Demo("A foot that follows a moving target, by inverse kinematics.", "foot"),
    "stone": Demo("A stone that rolls in a dish: two spline surfaces in contact.", "mechanisms"),
    "elastic": Demo("A ball on an elastic surface whose control points are bodies.", "mechanisms"),
    "deforming": Demo("A ball on a surface that deforms.", "mechanisms"),
    "corner": Demo("Beads on a wire with a sharp corner, which takes energy, and with a round bend.", "corner"),
    "rolling": Demo("A ball that rolls on a ball without slipping.", "mechanisms"),
    "disc": Demo("A disc that rolls on a plane without slipping.", "mechanisms"),
    "scapula": Demo("A shoulder blade on the rib cage, with collar bone and arm.", "mechanisms"),
    "wrist": Demo("A condyloid wrist.", "mechanisms"),
    "arm": Demo("A person's reach fitted to samples: every way to hold the wrist where it is.", "arm"),
    "thumb": Demo("The saddle joint of a thumb.", "mechanisms"),
    "three-links": Demo("Three links whose end goes straight while one joint is held.", "directing"),
    "reaching": Demo("A chain of ten freedoms reaches for a goal.", "directing"),
    "reaching-fixed": Demo("It reaches with its first segment fixed.", "directing"),
    "reaching-far": Demo("It reaches for a goal out of reach.", "directing"),
    "reaching-yields": Demo("It reaches where the fixed segment must yield.", "directing"),
    "sitting": Demo("A person rocks on a chair: a closed loop, three ways.", "directing"),
    "dropping-chain": Demo("A chain pinned at one end and dropped.", "directing"),
    "inchworm": Demo("An inchworm crawls: grip, reach, grip, pull.", "directing"),
    "inchworm-race": Demo("Two inchworms race.", "directing"),
    "squat": Demo("A squat on two real knees, feet planted, balance kept.", "directing"),
    "spacetime": Demo("The same reach directed and by spacetime constraints.", "directing"),
    "skeleton": Demo("Three bodies, a hinge and a ball, tumble and keep their momentum.", "skeletons"),
    "humanoid": Demo(
        "A humanoid leaps: joints with friction and limits, knees and elbows driven by motors.", "skeletons"
    ),
    "ring": Demo("Six bars in a ring that turns inside out.", "skeletons"),
    "hanging-chain": Demo("A chain of forty links, held at both ends, comes to rest.", "skeletons"),
    "tensegrity": Demo("Three struts that touch nowhere, held by nine springs, tumble and settle.", "skeletons"),
}


def run(name: str, folder, *, progress: bool = False) -> Outcome:
    """Run the demonstration and write its files into `folder`, made if it is not there."""
    if name not in DEMOS:
        raise unknown_name("demo", name, DEMOS, "condyle")
    module = import_module(f"condyle.demos.{DEMOS[name].module}")
    return module.run(name, _made(Path(folder)), progress)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{folder}: the folder cannot be made: {error.strerror}") from None
    return folder
