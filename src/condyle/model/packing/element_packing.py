"""Forces of a model as records and numbers: places seen from the bodies' inertial frames, then constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...forces import BetweenFrames
from ...forces.registry import CODES
from ...joints.packing import TableBuilder
from ..kernels import layout as at
from .principal_frames import seen_in_inertial_frame

if TYPE_CHECKING:
    from ..model import Model


def pack_elements(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Append the forces of a model; how many there are of each port, and where their records begin."""
    out = {}
    for name, first, records in (
        ("coordinate_elements", "first_coordinate_element", _coordinate_records(tables, model)),
        ("lines", "first_line", _line_records(tables, model)),
        ("pairs", "first_pair", _pair_records(tables, model)),
    ):
        out |= {name: len(records), first: tables.records(records)}
    return out


def _coordinate_records(tables: TableBuilder, model: Model) -> list[at.CoordinateElement]:
    own = [f for f in model.coordinate_forces if f.at.q < model.nq]  # those of followers are with the folding
    return [at.CoordinateElement(CODES[f.law], f.at.q, f.at.v, tables.floats(f.constants)) for f in own]


def _line_records(tables: TableBuilder, model: Model) -> list[at.LineElement]:
    records = []
    for force in model.line_forces:
        place = force.at
        ends = ((place.a, place.frame_a), (place.b, place.frame_b))
        points = [_in_inertial_frame(model, body, frame[:3, 3]) for body, frame in ends]
        start = tables.floats([*points[0], *points[1], *force.constants])
        records.append(at.LineElement(CODES[force.law], place.a + 1, place.b + 1, start))
    return records


def _pair_records(tables: TableBuilder, model: Model) -> list[at.PairElement]:
    records = []
    for force in model.pair_forces:
        place = force.at
        ends = ((place.a, place.frame_a), (place.b, place.frame_b))
        frames = [twelve(seen_in_inertial_frame(model, body, frame)) for body, frame in ends]
        reading, gap = gap_numbers(place)
        start = tables.floats(np.concatenate([*frames, gap, force.constants]))
        constants = start + 2 * at.FRAME_SIZE + len(gap)
        records.append(at.PairElement(CODES[force.law], place.a + 1, place.b + 1, start, reading, constants))
    return records


def gap_numbers(place: BetweenFrames) -> tuple[int, list[float]]:
    """How a pair of frames is read, and the numbers of the gap between its surfaces."""
    a, b = place.surface_a, place.surface_b
    if a is None or b is None:
        return at.TURNS, []
    reading = at.PLANE_GAP if a.kind == "half_space" else at.SPHERE_GAP
    return reading, [a.radius, b.radius, place.radius, place.share]


def twelve(T: np.ndarray) -> np.ndarray:
    """Rotation, then position."""
    return np.concatenate([T[:3, :3].ravel(), T[:3, 3]])


def _in_inertial_frame(model: Model, body: int, point: np.ndarray) -> np.ndarray:
    C = model.inertial_frames[body]
    return point if body < 0 else (point - C[:3, 3]) @ C[:3, :3]
