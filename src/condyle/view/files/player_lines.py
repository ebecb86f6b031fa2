"""Lines and surfaces of a player's page: strokes, muscles as tubes, sheets; −1 is the world, −2 the second motion's."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...model.look.overlays import Sheet
from ..geometry import typical_length
from ..muscle_lines import Ties, straight_lines
from ..render_scene import ChangingLines, Stage
from .player_numbers import floats, text_of, whole_numbers

SHEET_RATE = 20.0  # grids a second of a sheet that changes; the player blends between them
RADIUS = 0.02  # of a tube as a part of the typical distance between joints


def lines_of(stage: Stage) -> dict[str, Any]:
    """Everything beside the bodies."""
    start = stage.second
    sheets = [_sheet(stage, *x) | _owner(x[0], start and k >= start.sheets) for k, x in enumerate(stage.sheets)]
    strokes = [
        {"s": floats(s.segments), "c": list(s.color)} | _owner(s.body, start and k >= start.strokes)
        for k, s in enumerate(stage.strokes)
    ]
    ties = [_tie(x, start and k >= start.ties) for k, x in enumerate(stage.ties)]
    changing = [(x, _owner(-1, start and k >= start.changing)) for k, x in enumerate(stage.changing)]
    return {
        "strokes": strokes + [_changing(x) | owner for x, owner in changing if not x.counts],
        "ties": ties,
        "chains": [_chain(x) | owner for x, owner in changing if x.counts],
        "straight": [_tie(x) for x in straight_lines(stage.model)] if len(stage.t) == 1 else [],
        "radius": RADIUS * typical_length(stage.model),
        "sheets": sheets,
    }


def _owner(body: int, second: object = False) -> dict[str, int]:
    return {"body": -2 if body < 0 and second else body}


def _tie(tie: Ties, second: object = False) -> dict[str, Any]:
    end = _owner(tie.other, second)["body"]
    return {"end": end, "s": floats(tie.segments), "c": list(tie.color)} | _owner(tie.body, second)


def _changing(lines: ChangingLines) -> dict[str, Any]:
    """Lines that are new at every record."""
    return {"s": floats(lines.segments), "c": list(lines.color), "steps": len(lines.segments)}


def _chain(lines: ChangingLines) -> dict[str, Any]:
    """Muscles whose points are new at every record; of each its points in a row, and its colour in three bytes."""
    starts = np.cumsum([0, *lines.counts])
    parts = []
    for a, b in pairwise(starts):
        parts += [lines.segments[:, a:b, 0], lines.segments[:, b - 1 : b, 1]]
    places, ends = whole_numbers(np.concatenate(parts, axis=1))
    colors = None if lines.colors is None else np.round(255 * lines.colors[:, starts[:-1]]).astype("u1")
    paint = {} if colors is None else {"paint": text_of(np.ascontiguousarray(colors))}
    return {"counts": list(lines.counts), "v": places, "c": list(lines.color), **ends, **paint}


def _sheet(stage: Stage, body: int, sheet: Sheet) -> dict[str, Any]:
    """Grids at some times."""
    moments = stage.moments(SHEET_RATE) if sheet.changes else np.zeros(1, dtype=int)
    grids = np.array([sheet.at(float(stage.t[k])) for k in moments])
    places, ends = whole_numbers(grids)
    return {
        "rows": grids.shape[1], "columns": grids.shape[2], "t": (stage.t[moments] - stage.t[0]).tolist(),
        "g": places, "c": list(sheet.color), "a": sheet.opacity, "lines": sheet.grid, **ends,
    }  # fmt: skip
