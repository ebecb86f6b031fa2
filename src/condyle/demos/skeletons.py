"""Skeletons in maximal coordinates, and what their motion kept."""

from __future__ import annotations

from pathlib import Path

from ..gallery import hanging_chain, humanoid, kaleidocycle, tensegrity, three_bodies, tucking, turning
from ..io import save
from ..skeleton import Trajectory
from ..view import export
from .outcome import Outcome

__all__ = ["run"]

MOTIONS = {
    "skeleton": lambda: three_bodies().simulate(duration=8.0, step=0.01),
    "humanoid": lambda: humanoid().simulate(duration=1.0, step=0.005, motors=tucking),
    "ring": lambda: kaleidocycle().simulate(duration=6.0, step=0.01, motors=turning),
    "hanging-chain": lambda: hanging_chain().simulate(duration=10.0, step=0.01, friction="implicit", record=0.02),
    "tensegrity": lambda: tensegrity().simulate(duration=6.0, step=0.005, record=0.01),
}


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Simulate the skeleton of that name; the report of what it kept is printed and drawn."""
    motion = MOTIONS[name]()
    return Outcome(f"{motion!r}\n{motion.report()}", files_of(motion, folder, name))


def files_of(motion: Trajectory, folder: Path, name: str) -> tuple[Path, ...]:
    """The player, a picture, glTF, the motion itself, and figures of the motion and of what it kept."""
    shown = [export(motion, folder / f"{name}{end}", title=name) for end in (".html", ".png", ".glb")]
    strip, kept = folder / f"{name}-strip.png", folder / f"{name}-report.png"
    motion.draw_strip(strip)
    motion.report().figure(kept, title=name)
    return (*shown, strip, kept, save(motion, folder / f"{name}.npz"))
