"""What a demonstration leaves, and the files that every motion leaves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import NotSupported
from ..io import save
from ..simulation import Trajectory
from ..view import export
from ..view.overlays import Drawn

__all__ = ["Outcome", "motion_files"]


@dataclass(frozen=True)
class Outcome:
    """Words to print, and the files written: the first is the one to open."""

    summary: str
    files: tuple[Path, ...]


def motion_files(
    run: Trajectory, folder: Path, name: str, title: str, drawn: Sequence[Drawn] | None = None
) -> tuple[Path, ...]:
    """The player, a picture, glTF, the trajectory and, unless it holds Python functions, the model."""
    shown = [export(run, folder / f"{name}{end}", title=title, drawn=drawn) for end in (".html", ".png", ".glb")]
    files = [*shown, save(run, folder / f"{name}.npz")]
    with suppress(NotSupported):  # a coordinate that a Python function moves has no form in a file
        files.append(save(run.model, folder / f"{name}.toml"))
    return tuple(files)
