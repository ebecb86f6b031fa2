"""Two motions in one picture, the second beside the first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model.look.overlays import Sheet
from .muscle_lines import Ties
from .render_scene import Second, Stage
from .setting import Shot, setting_of

APART = 1.15  # as a part of the width of both
MARK = " (2)"  # of what belongs to the second


def side_by_side(first: Stage, second: Stage, shot: Shot) -> Stage:
    """Both stages over the longer of their times, the second to the right of the first as the camera sees them."""
    t = first.t if len(first.t) and first.t[-1] - first.t[0] >= second.t[-1] - second.t[0] else second.t
    t = t - t[0]
    way, outline = _way(first, second, shot), np.concatenate([first.everything, second.everything])
    first, second = _retimed(first, t), _moved(_retimed(second, t), way)
    n = len(first.names)
    counts = (n, len(first.strokes), len(first.sheets), len(first.ties), len(first.changing))
    return replace(
        first,
        meshes=[*first.meshes, *second.meshes],
        wxyz=np.concatenate([first.wxyz, second.wxyz], axis=1),
        xyz=np.concatenate([first.xyz, second.xyz], axis=1),
        strokes=(*first.strokes, *(replace(s, body=_after(s.body, n)) for s in second.strokes)),
        sheets=(*first.sheets, *((_after(body, n), sheet) for body, sheet in second.sheets)),
        ties=(*first.ties, *(replace(x, body=_after(x.body, n), other=_after(x.other, n)) for x in second.ties)),
        changing=(*first.changing, *second.changing),
        names=(*first.names, *(name + MARK for name in second.names)),
        coordinates=_paired(first.coordinates, second.coordinates),
        energy=_paired(first.energy, second.energy),
        activation=_paired(first.activation, second.activation),
        units=first.units | {name + MARK: unit for name, unit in second.units.items()},
        second=Second(*counts, way, outline),
    )


def _after(body: int, count: int) -> int:
    return body if body < 0 else body + count


def _paired(first: dict[str, np.ndarray], second: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Curves of both, each beside its counterpart."""
    both = {}
    for name in dict.fromkeys([*first, *second]):
        both |= {name: first[name]} if name in first else {}
        both |= {name + MARK: second[name]} if name in second else {}
    return both


def _way(first: Stage, second: Stage, shot: Shot) -> np.ndarray:
    """How far the second is moved [m], so that what is seen of both is apart."""
    settings = [setting_of(stage, replace(shot, follow=None)) for stage in (first, second)]
    right = settings[0].axes[0]
    widths = [np.ptp(s.outline @ right) for s in settings]
    gap = settings[0].center - settings[1].center
    return (gap @ right + 0.5 * APART * sum(widths)) * right


def _retimed(stage: Stage, t: np.ndarray) -> Stage:
    """At other times after the start: the record at or before each; the last one stays."""
    rows = np.clip(np.searchsorted(stage.t - stage.t[0], t + 1e-9, side="right") - 1, 0, len(stage.t) - 1)
    start = stage.t[0]
    kinds = ("energy", "coordinates", "activation")
    curves = {name: {key: x[rows] for key, x in getattr(stage, name).items()} for name in kinds}
    sheets = tuple((body, _since(sheet, start)) for body, sheet in stage.sheets)
    changing = tuple(x.at_records(rows) for x in stage.changing)
    poses = {name: getattr(stage, name)[rows] for name in ("q", "wxyz", "xyz")}
    return replace(stage, t=t, sheets=sheets, changing=changing, **poses, **curves)


def _since(sheet: Sheet, start: float) -> Sheet:
    """A sheet whose time begins at zero."""
    return replace(sheet, points=lambda t: sheet.at(t + start)) if sheet.changes else sheet


def _moved(stage: Stage, by: np.ndarray) -> Stage:
    """All of a stage moved [m]."""
    return replace(
        stage,
        xyz=stage.xyz + by,
        strokes=tuple(s if s.body >= 0 else replace(s, segments=s.segments + by) for s in stage.strokes),
        sheets=tuple((b, s if b >= 0 else _sheet_moved(s, by)) for b, s in stage.sheets),
        ties=tuple(_tie_moved(x, by) for x in stage.ties),
        changing=tuple(replace(x, segments=x.segments + by) for x in stage.changing),
    )


def _sheet_moved(sheet: Sheet, by: np.ndarray) -> Sheet:
    return replace(sheet, points=(lambda t: sheet.at(t) + by) if sheet.changes else sheet.points + by)


def _tie_moved(tie: Ties, by: np.ndarray) -> Ties:
    """Ends that are fixed to the world move; those on bodies go with them."""
    ends = np.stack([by if body < 0 else 0.0 * by for body in (tie.body, tie.other)])
    return replace(tie, segments=tie.segments + ends)
