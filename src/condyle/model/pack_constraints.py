"""Constraints as records that kernels read; `layout` says what stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.tables import Tables, placed
from .bound import Coupling, Loop, Rolling, row_starts
from .inertial import seen_in_inertial_frame
from .kernels import layout as at

if TYPE_CHECKING:
    from .model import Model

__all__ = ["pack_constraints"]


def pack_constraints(tables: Tables, model: Model) -> None:
    """Append the records of all constraints, and say so in the header."""
    records: list[int] = []
    for i, (c, start) in enumerate(zip(model.constraints, row_starts(model), strict=True)):
        record = [c.kind, start, c.rows, i, *_RECORDS[type(c)](tables, model, c)]
        records += record + [0] * (at.CONSTRAINT_SIZE - len(record))
    codes = tables.codes
    codes[at.CONSTRAINTS], codes[at.FIRST_CONSTRAINT] = len(model.constraints), tables.integers(records)
    codes[at.CONSTRAINT_ROWS] = sum(c.rows for c in model.constraints)
    codes[at.POSITION_ROWS] = sum(c.rows for c in model.constraints if c.kind != at.ROLL)


def _loop(tables: Tables, model: Model, c: Loop) -> list[int]:
    frames = [seen_in_inertial_frame(model, b, T) for b, T in ((c.a, c.frame_a), (c.b, c.frame_b))]
    return [c.a + 1, c.b + 1, tables.floats([_twelve(T) for T in frames])]


def _twelve(T: np.ndarray) -> np.ndarray:
    return np.concatenate([T[:3, :3].ravel(), T[:3, 3]])


def _coupling(tables: Tables, model: Model, c: Coupling) -> list[int]:
    segments, (q0, v0) = c.slide.segments, np.min(c.others, axis=0)
    span = int(np.max(c.others, axis=0)[1] - v0) + 1
    tables.codes[at.WIDEST] = max(tables.codes[at.WIDEST], span)
    offsets = [(int(q - q0), int(v - v0)) for q, v in c.others]
    return [c.q, c.v, q0, v0, tables.joint(segments, offsets), len(segments), span]


def _rolling(tables: Tables, model: Model, c: Rolling) -> list[int]:
    segments = placed(c.contact.segments, _head(model, c.body), np.eye(4))
    body = tables.codes[at.FIRST_BODY] + c.body * at.BODY_SIZE
    return [body, tables.joint(segments, list(c.offsets)), len(segments), *c.tangents]


def _head(model: Model, body: int) -> np.ndarray:
    """What stands before a body's joint: its frame in the parent's inertial one."""
    return seen_in_inertial_frame(model, model.bodies[body].parent, model.bodies[body].placement)


_RECORDS = {Loop: _loop, Coupling: _coupling, Rolling: _rolling}
