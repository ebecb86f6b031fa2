"""Constraints as records that kernels read; `layout` says what stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.packing import TableBuilder, placed
from .kernels import layout as at
from .principal_frames import seen_in_inertial_frame
from .resolved_constraints import Coupling, Loop, Rolling, row_starts

if TYPE_CHECKING:
    from .model import Model

Head = tuple[int, int, int, int]  # kind, first row, rows, index

__all__ = ["coupling_spans", "pack_constraints"]


def pack_constraints(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Append the records of all constraints; what the header says of them."""
    records: list[int] = []
    for i, (c, start) in enumerate(zip(model.constraints, row_starts(model), strict=True)):
        record = _RECORDS[type(c)](tables, model, c, (c.kind, start, c.rows, i))
        records += [*record, *[0] * (at.CONSTRAINT_SIZE - len(record))]
    return {
        "constraints": len(model.constraints),
        "first_constraint": tables.integers(records),
        "constraint_rows": sum(c.rows for c in model.constraints),
        "position_rows": sum(c.rows for c in model.constraints if c.kind != at.ROLL),
    }


def coupling_spans(model: Model) -> list[int]:
    """How many velocities the function of each coupling spans."""
    return [_span(c) for c in model.constraints if isinstance(c, Coupling)]


def _span(c: Coupling) -> int:
    velocities = [v for _, v in c.others]
    return int(max(velocities) - min(velocities)) + 1


def _loop(tables: TableBuilder, model: Model, c: Loop, head: Head) -> at.Loop:
    frames = [seen_in_inertial_frame(model, b, T) for b, T in ((c.a, c.frame_a), (c.b, c.frame_b))]
    return at.Loop(*head, c.a + 1, c.b + 1, tables.floats([_twelve(T) for T in frames]))


def _twelve(T: np.ndarray) -> np.ndarray:
    return np.concatenate([T[:3, :3].ravel(), T[:3, 3]])


def _coupling(tables: TableBuilder, model: Model, c: Coupling, head: Head) -> at.Coupling:
    segments, (q0, v0) = c.slide.segments, np.min(c.others, axis=0)
    offsets = [(int(q - q0), int(v - v0)) for q, v in c.others]
    return at.Coupling(*head, c.q, c.v, q0, v0, tables.joint(segments, offsets), len(segments), _span(c))


def _rolling(tables: TableBuilder, model: Model, c: Rolling, head: Head) -> at.Rolling:
    segments = placed(c.contact.segments, _head(model, c.body), np.eye(4))
    contact, tangents = tables.joint(segments, list(c.offsets)), tables.integers(c.tangents)
    return at.Rolling(*head, c.body, contact, len(segments), tangents)


def _head(model: Model, body: int) -> np.ndarray:
    """What stands before a body's joint: its frame in the parent's inertial one."""
    return seen_in_inertial_frame(model, model.bodies[body].parent, model.bodies[body].placement.as_matrix())


_RECORDS = {Loop: _loop, Coupling: _coupling, Rolling: _rolling}
