"""`export`: a model, a skeleton or a motion as HTML, glTF, PNG, GIF or MP4, by the name of the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, require, unknown_name
from ..formats.safe_files import as_path, require_writable, write_bytes
from ..formats.tables.marker_frames import Markers
from ..model import Model
from ..model.look.overlays import Drawn
from ..progress import Report, reporting
from ..simulation import Trajectory
from ..typing import PathLike, Progress
from .files.kept_pictures import Keeping
from .render_scene import Stage, stage_of
from .setting import Shot
from .side_by_side import side_by_side
from .skeleton_meshes import drawable

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..skeleton import Trajectory as SkeletonMotion


SUFFIXES = (".html", ".glb", ".png", ".gif", ".mp4")
FILMS = (".gif", ".mp4")


def export(
    thing: Model | Trajectory | Skeleton | SkeletonMotion,
    path: PathLike,
    *,
    member: int = 0,
    time: float | None = None,
    title: str | None = None,
    folder: Path | None = None,
    drawn: Sequence[Drawn] | None = None,
    markers: Markers | None = None,
    camera: tuple[float, float] | None = None,
    follow: str | None = None,
    labels: bool = False,
    beside: Model | Trajectory | Skeleton | SkeletonMotion | None = None,
    armature: bool = False,
    progress: Progress = False,
    record_to: PathLike | None = None,
    resume: bool = False,
) -> Path:
    """Write a picture, a film or a player, by the suffix of the file. No screen is needed.

    Parameters
    ----------
    thing : Model, Trajectory, Skeleton or its motion
        What to draw.
    path : path
        `.html` (one file, plays offline), `.glb` (animated glTF), `.png`, `.gif`, or `.mp4` (needs the program ffmpeg,
        or the extra `film`).
    member : int
        Which member of a batch.
    time : float, optional
        Time of a PNG after the start [s] (default: the end).
    title : str, optional
        Title of a player (default: the name of the file).
    folder : path, optional
        Where mesh files are looked for.
    drawn : sequence of Line, Sheet or Frames, optional
        What to show beside the bodies (default: the paths of the joints, the markers and the muscles).
    markers : Markers, optional
        Measured markers in the axes of the world, shown as crosses with lines to the model's markers of their names.
    camera : tuple of two floats, optional
        Height of the camera over the horizon and its direction around the vertical, from x [degrees].
    follow : str, optional
        A body that the camera goes along with (.html, .png, .gif, .mp4).
    labels : bool, optional
        Show the names of bodies (.html, .png, .gif, .mp4).
    beside : Model, Trajectory, Skeleton or its motion, optional
        A second motion, shown to the right of the first at the same time, its curves beside the first's; not for .glb.
    armature : bool, optional
        For .glb files: bodies are the joints of a skin, which animation programs show as bones.
    progress : bool or callable, optional
        For films: True shows a bar in a terminal; a function is called with (stage, done, total).
    record_to : str or Path, optional
        For films: a folder that keeps every picture as it is drawn, a .png file of its own.
    resume : bool, optional
        Go on with the film that was begun in `record_to`, if there is one: pictures that are there are not drawn again.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    UnknownName
        If no export has this suffix, or a body of `drawn` or `follow` does not exist.
    NotSupported
        If ffmpeg is needed and missing.
    BadFile
        If a mesh cannot be read or the file cannot be written, or if the folder has another film.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> run = cd.simulate(model, [0.5], duration=1.0, record=0.05)
    >>> cd.view.export(run, "pendulum.html").name
    'pendulum.html'
    """
    path = as_path(path)
    if path.suffix not in SUFFIXES:
        raise unknown_name("export", path.suffix, SUFFIXES, "condyle")
    require(not armature or path.suffix == ".glb", f"{path}: `armature` is for .glb files", BadValue, armature=armature)
    require_writable(path)
    shot, keeping = _shot(camera, follow, labels), Keeping(record_to, resume).checked(path.suffix in FILMS)
    shown, drawn = drawable(thing, drawn)
    stage = stage_of(shown, member=member, folder=folder, drawn=drawn, markers=markers)
    if beside is not None:
        require(path.suffix != ".glb", f"{path}: `beside` is for pictures, films and players", BadValue)
        other, others_drawn = drawable(beside, None)
        stage = side_by_side(stage, stage_of(other, folder=folder, drawn=others_drawn), shot)
    with reporting(progress) as report:
        if path.suffix in FILMS:
            data = _filmed(path.suffix, stage, shot, report, keeping)
        else:
            data = _armed(stage) if armature else _made(path.suffix, stage, title or path.stem, time, shot)
    write_bytes(path, lambda file: file.write(data))
    return path


def _shot(camera: tuple[float, float] | None, follow: str | None, labels: bool) -> Shot:
    """How it is taken, once the camera is known to be two angles."""
    good = camera is None or (np.shape(camera) == (2,) and bool(np.isfinite(camera).all()))
    require(good, "a camera is two angles: over the horizon and around the vertical [degrees]", BadValue, camera=camera)
    return Shot(None if camera is None else (float(camera[0]), float(camera[1])), follow, labels)


def _armed(stage: Stage) -> bytes:
    from .files import gltf

    return gltf.glb(stage, armature=True)


def _filmed(suffix: str, stage: Stage, shot: Shot, report: Report, keeping: Keeping) -> bytes:
    from .files import film
    from .files import still_pictures as pictures

    make = pictures.gif if suffix == ".gif" else film.mp4
    return make(stage, shot, report, keeping)


def _made(suffix: str, stage: Stage, title: str, time: float | None, shot: Shot) -> bytes:
    from .files import gltf
    from .files import html_player as html
    from .files import still_pictures as pictures

    if suffix == ".html":
        return html.html(stage, title, shot=shot).encode()
    return gltf.glb(stage) if suffix == ".glb" else pictures.png(stage, time, shot)
