"""A model as the two arrays that kernels read.

Inside, every body's frame sits at its centre of mass along its principal axes (X_BC below): a rigid inertia is then
three moments and a mass. Joints absorb the change: X_PF G X_BM⁻¹ becomes X_PC_P⁻¹ X_PF G X_BM⁻¹ X_BC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.form import FACTORS, FREE
from ..joints.in_plane import in_plane
from ..joints.kernels.layout import Axis
from ..joints.rows import PLANE
from ..joints.tables import TableBuilder, is_linear, linear_row, placed
from .inertial import joint_ends, seen_in_inertial_frame
from .kernels import layout as at
from .pack_constraints import coupling_spans, pack_constraints

if TYPE_CHECKING:
    from ..joints import Joint
    from .model import Body, Model

__all__ = ["pack_model"]


def pack_model(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of a model."""
    tables = TableBuilder()
    tables.reserve(at.HEADER_SIZE)
    records = tables.reserve(at.BODY_SIZE * len(model.bodies))
    shared: dict = {}
    parents = {body.parent for body in model.bodies}
    last_child = {body.parent: i for i, body in enumerate(model.bodies)}
    for i, body in enumerate(model.bodies):
        among = {"children": int(i in parents), "starts": int(last_child[body.parent] == i)}
        record = _body(tables, model, i, body, shared)._replace(**among, freedom=_freedom(model, i))
        tables.codes[records + i * at.BODY_SIZE : records + (i + 1) * at.BODY_SIZE] = record
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


def _freedom(model: Model, i: int) -> int:
    """What can move body i without being prescribed."""
    above = model.bodies[i].parent
    while above >= 0:
        if _is_free(model, above):
            return at.SOMETHING_ABOVE
        above = model.bodies[above].parent
    return at.OWN_JOINT if _is_free(model, i) else at.NOTHING


def _is_free(model: Model, i: int) -> bool:
    """Whether the joint of body i has a coordinate that is not prescribed."""
    start = model.joint_starts[i][1]
    return any(k not in model.prescribed for k in range(start, start + model.bodies[i].joint.nv))


def _body(tables: TableBuilder, model: Model, i: int, body: Body, shared: dict) -> at.Body:
    joint, (q0, v0) = body.joint, model.joint_starts[i]
    moments, _ = body.inertia.principal()
    head, tail = joint_ends(model, body)
    key = (id(joint), head.tobytes(), tail.tobytes())  # equal joints equally placed share one table
    if key not in shared:
        shared[key] = placed(joint.segments, head, tail)
    segments = shared[key]
    record = at.Body(
        parent=body.parent + 1,
        mass=tables.floats([body.inertia.mass, *moments]),
        shape=at.GENERAL,
        q0=q0,
        v0=v0,
        nv=joint.nv,
        segment=tables.joint(segments, joint.offsets),
        segments=len(segments),
    )
    # the general form is for constraints and derivatives; a joint of one coordinate also gets a shorter one
    if is_linear(segments):
        return record._replace(shape=at.LINEAR, row=tables.floats(linear_row(segments[0])))
    return _in_plane(tables, record, joint, head, tail, shared) if joint.nv == 1 else record


def _in_plane(
    tables: TableBuilder, record: at.Body, joint: Joint, head: np.ndarray, tail: np.ndarray, shared: dict
) -> at.Body:
    """The record with the shorter form of a joint that moves in a plane."""
    if id(joint) not in shared:
        shared[id(joint)] = in_plane(joint.segments)
    if shared[id(joint)] is None:
        return record
    A, segments, B = shared[id(joint)]
    ends = [x for T in (head @ A, B @ tail) for x in (T[:3, :3].ravel(), T[:3, 3])]
    row, plane_segment = tables.floats(np.concatenate(ends)), tables.joint(segments, joint.offsets, PLANE)
    return record._replace(shape=at.PLANE, row=row, plane_segment=plane_segment)


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


def _in_inertial_frame(model: Model, body: int, point) -> np.ndarray:
    return (seen_in_inertial_frame(model, body, np.eye(4)) @ [*point, 1.0])[:3]


def _quaternions(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = []
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        for segment in body.joint.segments:
            if segment.kind != FACTORS:
                q, v = body.joint.offsets[segment.grid.coordinates[0]]
                records.append(at.Quaternion(q0 + q, v0 + v, int(segment.kind == FREE)))
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
