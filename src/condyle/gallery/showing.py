"""`show`: run a scene by its name and leave files to open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadFile, NotSupported, unknown_name
from ..io import save
from ..model import Model
from ..view import export
from .catalogue import SCENES
from .scene import Scene

EVERY = 1.0 / 120.0  # [s] between the records of a run that is shown


@dataclass(frozen=True)
class Outcome:
    """What a scene that was shown leaves.

    Attributes
    ----------
    summary : str
        What happened, to print.
    files : tuple of Path
        What was written; the first is to be opened.
    """

    summary: str
    files: tuple[Path, ...]


def show(name: str, folder: str | Path, *, progress: bool = False) -> Outcome:
    """Run the scene of that name and write its player, pictures, motion and model: what `condyle demo NAME` does.

    Parameters
    ----------
    name : str
        A key of `SCENES`.
    folder : path
        Where the files go; made if it is not there.
    progress : bool, optional
        Whether a simulation shows a progress bar.

    Returns
    -------
    Outcome
        What happened in words, and the files.

    Raises
    ------
    UnknownName
        If there is no such scene; the nearest name is told.
    BadFile
        If the folder cannot be made or a file not be written.
    """
    if name not in SCENES:
        raise unknown_name("demo", name, SCENES, "condyle")
    folder = _made(Path(folder))
    scene = SCENES[name]()
    run = scene.run(record=EVERY, progress=progress) if scene.motion is None else scene.run()
    return Outcome(scene.told(run), tuple(_written(scene, run, folder)))


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{folder}: the folder cannot be made: {error.strerror}") from None
    return folder


def _written(scene: Scene, run, folder: Path) -> Iterator[Path]:
    """The player, a picture, glTF, the motion, the model unless it holds Python functions, and the scene's own."""
    drawn = scene.seen(run).drawn or None
    shot = {"title": scene.about, "camera": scene.camera, "follow": scene.follow}
    for suffix in (".html", ".png", ".glb"):
        yield export(run, folder / f"{scene.name}{suffix}", drawn=drawn, **shot)
    yield save(run, folder / f"{scene.name}.npz")
    if isinstance(scene.model, Model) and f"{scene.name}.toml" not in scene.extras:
        with suppress(NotSupported):  # a coordinate that a Python function moves has no form in a file
            yield save(scene.model, folder / f"{scene.name}.toml")
    for name, write in scene.extras.items():
        write(run, folder / name)
        yield folder / name
