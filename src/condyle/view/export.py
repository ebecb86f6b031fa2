"""`export`: a model, a skeleton or a motion as HTML, glTF, PNG, GIF or MP4, by the name of the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadValue, NotSupported, require, unknown_name
from ..formats.markers import Markers
from ..formats.safe_files import write_bytes
from ..model import Model
from ..model.overlays import Drawn
from ..progress import Report, reporting
from ..simulation import Trajectory
from ..typing import PathLike, Progress
from .files.pyvista_render import WAY_OUT, available
from .render_scene import Stage, stage_of
from .skeleton_meshes import drawable

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..skeleton import Trajectory as SkeletonMotion


SUFFIXES = (".html", ".glb", ".png", ".gif", ".mp4")
PAINTERS = ("pyvista", "matplotlib")


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
    by: str | None = None,
    progress: Progress = False,
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
    by : str, optional
        "pyvista" (default if it is installed) or "matplotlib", which draws a PNG or MP4.
    progress : bool or callable, optional
        For films: True shows a bar in a terminal; a function is called with (stage, done, total).

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    UnknownName
        If no export has this suffix, or a body of `drawn` does not exist.
    NotSupported
        If pyvista or ffmpeg is needed and missing.
    BadFile
        If a mesh cannot be read or the file cannot be written.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> run = cd.simulate(model, [0.5], duration=1.0, record=0.05)
    >>> cd.view.export(run, "pendulum.html").name
    'pendulum.html'
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise unknown_name("export", path.suffix, SUFFIXES, "condyle")
    painter = _painter(by)
    shown, drawn = drawable(thing, drawn)
    stage = stage_of(shown, member=member, folder=folder, drawn=drawn, markers=markers)
    with reporting(progress) as report:
        data = _made(path.suffix, stage, title or path.stem, time, painter, report)
    write_bytes(path, lambda file: file.write(data))
    return path


def _painter(by: str | None) -> str:
    require(by in (None, *PAINTERS), f"pictures are drawn by {' or '.join(PAINTERS)}", BadValue, by=by)
    if by == "pyvista" and not available():
        raise NotSupported(f"pictures by pyvista need it: {WAY_OUT}")
    return by or ("pyvista" if available() else "matplotlib")


def _made(suffix: str, stage: Stage, title: str, time: float | None, painter: str, report: Report) -> bytes:
    from .files import film, gltf
    from .files import html_player as html
    from .files import polygon_picture as picture
    from .files import pyvista_render as render

    if suffix == ".html":
        return html.html(stage, title).encode()
    if suffix == ".glb":
        return gltf.glb(stage)
    if suffix == ".gif":
        return picture.gif(stage, report=report)
    if suffix == ".mp4":
        return film.mp4(stage, painter, report=report)
    return render.png(stage, time) if painter == "pyvista" else picture.png(stage, time)
