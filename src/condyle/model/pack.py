"""A model as the two arrays that kernels read.

Inside, every body's frame sits at its centre of mass along its principal axes (X_BC below): a rigid inertia is then
three moments and a mass. Joints absorb the change: X_PF G X_BM⁻¹ becomes X_PC_P⁻¹ X_PF G X_BM⁻¹ X_BC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.form import FACTORS, FREE
from ..joints.in_plane import in_plane
from ..joints.rows import PLANE
from ..joints.tables import Tables, is_linear, linear_row, placed
from .inertial import joint_ends, seen_in_inertial_frame
from .kernels import layout as at
from .pack_constraints import pack_constraints

if TYPE_CHECKING:
    from ..joints import Joint
    from .model import Body, Model

__all__ = ["pack_model"]


def pack_model(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of a model."""
    tables = Tables()
    tables.reserve(at.HEADER_SIZE)
    records = tables.reserve(at.BODY_SIZE * len(model.bodies))
    shared: dict = {}
    parents = {body.parent for body in model.bodies}
    last_child = {body.parent: i for i, body in enumerate(model.bodies)}
    for i, body in enumerate(model.bodies):
        record = _body(tables, model, i, body, shared)
        record[at.CHILDREN], record[at.STARTS] = int(i in parents), int(last_child[body.parent] == i)
        record[at.FREEDOM] = _freedom(model, i)
        tables.codes[records + i * at.BODY_SIZE : records + (i + 1) * at.BODY_SIZE] = record
    codes = tables.codes
    codes[at.BODIES], codes[at.NQ], codes[at.NV] = len(model.bodies), model.nq, model.nv
    codes[at.FIRST_BODY] = records
    codes[at.PRESCRIBED] = tables.integers([int(k in model.prescribed_columns) for k in range(model.nv)])
    codes[at.GRAVITY] = tables.floats(model.gravity)
    codes[at.WIDEST] = max((body.joint.nv for body in model.bodies), default=0)
    _coordinate_loads(tables, model)
    _springs(tables, model)
    _quaternions(tables, model)
    pack_constraints(tables, model)
    _plain(tables, model)
    _knotted(tables, model)
    codes[at.WORK] = tables.work
    return tables.arrays()


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


def _body(tables: Tables, model: Model, i: int, body: Body, shared: dict) -> list[int]:
    record, joint = [0] * at.BODY_SIZE, body.joint
    moments, _ = body.inertia.principal()
    head, tail = joint_ends(model, body)
    key = (id(joint), head.tobytes(), tail.tobytes())  # equal joints equally placed share one table
    if key not in shared:
        shared[key] = placed(joint.segments, head, tail)
    segments = shared[key]
    record[at.PARENT], record[at.MASS] = body.parent + 1, tables.floats([body.inertia.mass, *moments])
    record[at.Q0], record[at.V0] = model.joint_starts[i]
    record[at.WIDTH], record[at.SEGMENTS] = joint.nv, len(segments)
    record[at.SEGMENT] = tables.joint(segments, joint.offsets)
    if is_linear(segments):
        record[at.SHAPE], record[at.ROW] = at.LINEAR, tables.floats(linear_row(segments[0]))
    elif joint.nv == 1:
        _in_plane(tables, record, joint, head, tail, shared)
    return record


def _in_plane(
    tables: Tables, record: list[int], joint: Joint, head: np.ndarray, tail: np.ndarray, shared: dict
) -> None:
    """Give a joint that moves in a plane the shorter form."""
    if id(joint) not in shared:
        shared[id(joint)] = in_plane(joint.segments)
    if shared[id(joint)] is None:
        return
    A, segments, B = shared[id(joint)]
    ends = [x for T in (head @ A, B @ tail) for x in (T[:3, :3].ravel(), T[:3, 3])]
    record[at.SHAPE], record[at.ROW] = at.PLANE, tables.floats(np.concatenate(ends))
    record[at.IN_PLANE] = tables.joint(segments, joint.offsets, PLANE)


def _coordinate_loads(tables: Tables, model: Model) -> None:
    records = [
        value for load in model.coordinate_loads for value in (load.kind, load.q, load.v, tables.floats(load.constants))
    ]
    tables.codes[at.COORDINATE_LOADS] = len(model.coordinate_loads)
    tables.codes[at.FIRST_COORDINATE_LOAD] = tables.integers(records)


def _springs(tables: Tables, model: Model) -> None:
    records: list[int] = []
    for spring in model.springs:
        points = [_in_inertial_frame(model, b, p) for b, p in ((spring.a, spring.point_a), (spring.b, spring.point_b))]
        start = tables.floats([*points[0], *points[1], spring.stiffness, spring.damping, spring.length])
        records += [spring.a + 1, spring.b + 1, start, 0]
    tables.codes[at.SPRINGS] = len(model.springs)
    tables.codes[at.FIRST_SPRING] = tables.integers(records)


def _in_inertial_frame(model: Model, body: int, point) -> np.ndarray:
    return (seen_in_inertial_frame(model, body, np.eye(4)) @ [*point, 1.0])[:3]


def _quaternions(tables: Tables, model: Model) -> None:
    records: list[int] = []
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        for segment in body.joint.segments:
            if segment.kind != FACTORS:
                q, v = body.joint.offsets[segment.grid.coordinates[0]]
                records += [q0 + q, v0 + v, int(segment.kind == FREE), 0]
    tables.codes[at.QUATERNIONS] = len(records) // at.QUATERNION_SIZE
    tables.codes[at.FIRST_QUATERNION] = tables.integers(records)


def _plain(tables: Tables, model: Model) -> None:
    pairs = [int(x) for pair in zip(*model.plain_places, strict=True) for x in pair]
    tables.codes[at.PLAIN] = len(pairs) // 2
    tables.codes[at.FIRST_PLAIN] = tables.integers(pairs)


def _knotted(tables: Tables, model: Model) -> None:
    """Coordinates with breakpoints, for integrators that land on them."""
    records: list[int] = []
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        for segment in body.joint.segments:
            for c, breaks, periodic in zip(
                segment.grid.coordinates, segment.grid.breaks, segment.grid.periodic, strict=False
            ):
                q, v = body.joint.offsets[c]
                axis = tables.integers([q, *tables.lookup(breaks, periodic), int(periodic)])
                records += [q0 + q, v0 + v, axis]
    tables.codes[at.KNOTTED] = len(records) // 3
    tables.codes[at.FIRST_KNOTTED] = tables.integers(records)
