"""A model as the two arrays that kernels read.

Inside, every body's frame sits at its centre of mass along its principal axes (X_BC below): a rigid inertia is then
three moments and a mass. Joints absorb the change: X_PF G X_BM⁻¹ becomes X_PC_P⁻¹ X_PF G X_BM⁻¹ X_BC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.kernels.layout import Axis
from ..joints.packing import TableBuilder
from .body_packing import pack_bodies
from .constraint_packing import coupling_spans, pack_constraints
from .kernels import layout as at

if TYPE_CHECKING:
    from .model import Model

__all__ = ["pack_model"]


def pack_model(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of a model."""
    tables = TableBuilder()
    tables.reserve(at.HEADER_SIZE)
    records = tables.reserve(at.BODY_SIZE * len(model.bodies))
    packed = pack_bodies(tables, model)
    tables.codes[records : records + len(packed)] = packed
    header = at.Header(
        **_sizes(model),
        first_body=records,
        prescribed=tables.integers([int(k in model.prescribed_columns) for k in range(model.nv)]),
        gravity=tables.floats(model.gravity),
        **_coordinate_loads(tables, model),
        **_springs(tables, model),
        **_quaternions(tables, model),
        **pack_constraints(tables, model),
        **_plain(tables, model),
        **_knotted(tables, model),
        work=tables.work,
    )
    tables.codes[: at.HEADER_SIZE] = header
    return tables.arrays()


def _sizes(model: Model) -> dict[str, int]:
    widths = [body.joint.nv for body in model.bodies] + coupling_spans(model)
    sizes = {"bodies": len(model.bodies), "nq": model.nq, "nv": model.nv}
    return {**sizes, "driven": int(bool(model.prescribed)), "widest": max(widths, default=0)}


def _coordinate_loads(tables: TableBuilder, model: Model) -> dict[str, int]:
    loads = model.coordinate_loads
    records = [at.CoordinateLoad(load.kind, load.q, load.v, tables.floats(load.constants)) for load in loads]
    return {"coordinate_loads": len(records), "first_coordinate_load": tables.records(records)}


def _springs(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = []
    for spring in model.springs:
        points = [_in_inertial_frame(model, b, p) for b, p in ((spring.a, spring.point_a), (spring.b, spring.point_b))]
        start = tables.floats([*points[0], *points[1], spring.stiffness, spring.damping, spring.length])
        records.append(at.Spring(spring.a + 1, spring.b + 1, start))
    return {"springs": len(records), "first_spring": tables.records(records)}


def _in_inertial_frame(model: Model, body: int, point: np.ndarray) -> np.ndarray:
    C = model.inertial_frames[body]
    return point if body < 0 else (point - C[:3, 3]) @ C[:3, :3]


def _quaternions(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = [at.Quaternion(q, v, int(q in model.free_quaternions)) for q, v, _ in model.quaternions]
    return {"quaternions": len(records), "first_quaternion": tables.records(records)}


def _plain(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = [at.Plain(int(q), int(v)) for q, v in zip(*model.plain_places, strict=True)]
    return {"plain": len(records), "first_plain": tables.records(records)}


def _knotted(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Coordinates with breakpoints, for integrators that land on them."""
    records = []
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        for segment in body.joint.segments:
            for c, breaks, periodic in zip(
                segment.grid.coordinates, segment.grid.breaks, segment.grid.periodic, strict=False
            ):
                q, v = body.joint.offsets[c]
                axis = tables.integers(Axis(q, *tables.lookup(breaks, periodic), int(periodic)))
                records.append(at.Knotted(q0 + q, v0 + v, axis))
    return {"knotted": len(records), "first_knotted": tables.records(records)}
