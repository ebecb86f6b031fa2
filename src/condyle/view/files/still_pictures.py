"""PNG and GIF, and pictures for films and figures."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...model import Model
from ...model.look.overlays import Drawn
from ...progress import Report, counted, silent
from ...simulation import Trajectory
from ..render_scene import Stage, stage_of
from ..setting import Shot, setting_of
from .kept_pictures import NOT_KEPT, Keeping
from .rendering import Renderer

INCH = 160  # pixels
ROOM = 1.16  # of a moment among others for what is seen in it
COLORS = 255  # of a GIF
GIF_RATE, GIF_SIZE = 20.0, (480, 400)  # pictures a second, pixels


def png(stage: Stage, time: float | None, shot: Shot, size: tuple[int, int] = (960, 800)) -> bytes:
    """The stage at a time [s] (default: the end); the camera frames that moment."""
    from PIL import Image

    k = stage.record_at(time)
    renderer = Renderer(stage, setting_of(stage, shot, np.array([k])), size, shot.labels)
    out = io.BytesIO()
    Image.fromarray(renderer.picture(k)).save(out, format="PNG")
    return out.getvalue()


def frames(
    stage: Stage, moments: np.ndarray, size: tuple[int, int], shot: Shot, keeping: Keeping = NOT_KEPT
) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) of some records of the motion, which the camera frames as a whole."""
    renderer = Renderer(stage, setting_of(stage, shot), size, shot.labels)
    with keeping.pictures(stage, moments, size, shot) as pictures:
        for number, k in enumerate(moments.tolist()):
            yield pictures.drawn(number, lambda now=k: renderer.picture(now))


def gif(stage: Stage, shot: Shot, report: Report = silent, keeping: Keeping = NOT_KEPT) -> bytes:
    """The motion, some pictures a second, in colours that all pictures share."""
    from PIL import Image

    moments = stage.moments(GIF_RATE)
    drawn = counted(frames(stage, moments, GIF_SIZE, shot, keeping), "drawing", len(moments), report)
    return animated([Image.fromarray(x) for x in drawn], GIF_RATE)


def animated(pictures: Sequence[Any], rate: float) -> bytes:
    """A GIF of Pillow's images, `rate` a second."""
    from PIL import Image

    shared = _side_by_side(pictures[:: max(1, len(pictures) // 4)]).quantize(COLORS)
    images: list[Any] = [x.quantize(palette=shared, dither=Image.Dither.NONE) for x in pictures]
    out = io.BytesIO()
    options = {"save_all": True, "append_images": images[1:], "duration": int(1000 / rate), "loop": 0}
    images[0].save(out, format="GIF", **options)
    return out.getvalue()


def _side_by_side(pictures: Sequence[Any]) -> Any:
    from PIL import Image

    return Image.fromarray(np.concatenate([np.asarray(x) for x in pictures], axis=1))


def moments_of(
    thing: Model | Trajectory, drawn: Sequence[Drawn] | None, shot: Shot, moments: int | Sequence[float], width: float
) -> tuple[Stage, list[tuple[float, np.ndarray]]]:
    """The stage of a motion, and pictures, `width` inches wide, of some moments (how many, or times [s])."""
    stage = stage_of(thing, drawn=drawn)
    if isinstance(moments, int):
        records = np.linspace(0, len(stage.t) - 1, moments).astype(int)
    else:
        records = np.array([stage.record_at(t) for t in moments])
    setting = replace(setting_of(stage, shot, records), margin=ROOM)
    size = int(INCH * width), int(INCH * width * min(1.2, max(0.6, setting.proportion())))
    renderer = Renderer(stage, setting, size, fine=True)
    return stage, [(float(stage.t[k]), renderer.picture(int(k))) for k in records]
