"""`export`: a model, a skeleton or a motion as HTML, glTF, PNG or GIF, by the name of the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import unknown_name
from ..formats.files import write_bytes
from ..model import Model
from ..simulation import Trajectory
from .drawn import Drawn
from .skeletons import drawable
from .stage import stage_of

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from ..skeleton import Trajectory as SkeletonMotion

__all__ = ["SUFFIXES", "export"]

SUFFIXES = (".html", ".glb", ".png", ".gif")


def export(
    thing: Model | Trajectory | Skeleton | SkeletonMotion, path, *, member: int = 0, time: float | None = None,
    title: str | None = None, folder: Path | None = None, drawn: Sequence[Drawn] = (), progress=None,
) -> Path:  # fmt: skip
    """Write a picture or a player: `.html` (one file, plays offline), `.glb` (animated glTF), `.png`, `.gif`.

    `member` of a batch; `time` [s] of a PNG (default: the end); `folder` is where mesh files are looked for;
    `drawn` are lines, sheets and frames to show beside the bodies.
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise unknown_name("export", path.suffix, SUFFIXES, "condyle")
    thing, drawn = drawable(thing, drawn)
    stage = stage_of(thing, member=member, folder=folder, drawn=drawn)
    data = _made(path.suffix, stage, title or path.stem, time, progress)
    write_bytes(path, lambda file: file.write(data))
    return path


def _made(suffix: str, stage, title: str, time: float | None, progress) -> bytes:
    if suffix == ".html":
        from .html import html

        return html(stage, title).encode()
    if suffix == ".glb":
        from .gltf import glb

        return glb(stage)
    from .picture import gif, png

    return png(stage, time) if suffix == ".png" else gif(stage, progress=progress)
