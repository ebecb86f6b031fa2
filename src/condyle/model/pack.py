"""A model as the two arrays that kernels read.

Inside, every body's frame sits at its centre of mass along its principal axes (X_BC below): a rigid inertia is then
three moments and a mass. Joints absorb the change: X_PF G X_BM⁻¹ becomes X_PC_P⁻¹ X_PF G X_BM⁻¹ X_BC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.tables import Tables
from .kernels import layout as at
from .pack_bodies import pack_bodies
from .pack_constraints import pack_constraints

if TYPE_CHECKING:
    from .model import Model

__all__ = ["pack_model"]


def pack_model(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The arrays `codes` and `numbers` of a model."""
    tables = Tables()
    tables.reserve(at.HEADER_SIZE)
    records = tables.reserve(at.BODY_SIZE * len(model.bodies))
    codes = tables.codes
    packed = pack_bodies(tables, model)
    codes[records : records + len(packed)] = packed
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


def _in_inertial_frame(model: Model, body: int, point: np.ndarray) -> np.ndarray:
    C = model.inertial_frames[body]
    return point if body < 0 else (point - C[:3, 3]) @ C[:3, :3]


def _quaternions(tables: Tables, model: Model) -> None:
    free = model.free_quaternions
    records = [value for q, v, _ in model.quaternions for value in (q, v, int(q in free), 0)]
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
