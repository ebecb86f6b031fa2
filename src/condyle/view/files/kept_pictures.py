"""Pictures of a film in a folder as they are drawn, so that an export that was cut off does not draw them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadFile, BadValue, require
from ...formats.record_folder import RecordFolder, digest, versions, writing
from ...formats.safe_files import write_bytes
from ...typing import PathLike
from ..render_scene import Stage
from ..setting import Shot

PICTURE = "picture-{:06d}.png"


class Keeping(NamedTuple):
    """The folder of a film's pictures, if they are kept, and whether it may have some."""

    record_to: PathLike | None = None
    resume: bool = False

    def checked(self, film: bool) -> Keeping:
        """The same, if it means something."""
        kept = self.record_to is not None
        require(film or not kept, "record_to keeps the pictures of films: .gif and .mp4", BadValue, got=self.record_to)
        require(kept or not self.resume, "resume=True needs the folder to go on with (record_to=…)", BadValue)
        return self

    @contextmanager
    def pictures(self, stage: Stage, moments: np.ndarray, size: tuple[int, int], shot: Shot) -> Iterator[Pictures]:
        """Where the pictures of some records of a stage are kept."""
        if self.record_to is None:
            yield Pictures(None)
            return
        inputs = {"motion": digest(*_seen(stage, moments)), "view": digest(moments, size, repr(shot))}
        manifest = {"kind": "film", "versions": versions(), "inputs": inputs, "pictures": len(moments)}
        with writing(self.record_to, manifest, self.resume) as folder:
            yield Pictures(folder)


NOT_KEPT = Keeping()


class Pictures:
    """Pictures (height, width, 3) by their numbers, in a folder if there is one."""

    def __init__(self, folder: RecordFolder | None) -> None:
        self.folder = folder

    def drawn(self, number: int, draw: Callable[[], np.ndarray]) -> np.ndarray:
        """The picture that was kept, or one that is drawn now."""
        if self.folder is None:
            return draw()
        path = self.folder.path / PICTURE.format(number)
        if path.is_file():
            return self._read(number)
        from PIL import Image

        picture = draw()
        write_bytes(path, lambda file: Image.fromarray(picture).save(file, format="PNG", compress_level=1))
        return picture

    def _read(self, number: int) -> np.ndarray:
        from PIL import Image

        assert self.folder is not None
        path = self.folder.path / PICTURE.format(number)
        try:
            with Image.open(path) as found:
                return np.array(found.convert("RGB"))
        except (OSError, ValueError, SyntaxError) as error:
            raise BadFile(f"{path}: it is no picture any more ({error}); delete it to have it drawn again") from None


def _seen(stage: Stage, moments: np.ndarray) -> Iterator[Any]:
    """All that a picture may show, as arrays and texts."""
    lines, times = [(x.segments, x.color, x.colors) for x in stage.changing], stage.t[moments]
    yield from _parts((stage.up, stage.names, stage.meshes, stage.t, stage.wxyz, stage.xyz), times)
    yield from _parts((stage.strokes, stage.sheets, stage.ties, lines), times)


def _parts(x: Any, times: np.ndarray) -> Iterator[Any]:
    """Arrays and texts in records, lists and tuples; functions of time are asked at the times of the film."""
    if is_dataclass(x):
        x = [getattr(x, f.name) for f in fields(x)]
    if isinstance(x, list | tuple):
        yield len(x)
        for part in x:
            yield from _parts(part, times)
    elif callable(x):
        yield np.array([x(t) for t in times.tolist()])
    else:
        yield x
