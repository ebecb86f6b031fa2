"""Bodies as records that kernels read; `layout` says what stands where. What is the same for many is done at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.packing import TableBuilder, is_linear, linear_rows, placed
from ..joints.plane_motion import in_plane
from ..joints.row_formats import PLANE
from ..spatial import adjoint
from ..spatial.twists import pose_inverse
from .kernels import layout as at
from .principal_frames import joint_ends

if TYPE_CHECKING:
    from ..joints import Joint
    from ..joints.segments import Segment
    from .model import Model

__all__ = ["pack_bodies"]


def pack_bodies(tables: TableBuilder, model: Model) -> list[int]:
    """Append what the bodies' records point to; the records, one after another."""
    ends = joint_ends(model)
    joints = _placed(model, *ends)
    tables.rows(segment for segments in joints for segment in segments)
    masses = tables.floats(np.column_stack([[b.inertia.mass for b in model.bodies], model.principal_moments]))
    rows, shared = _linear_rows(tables, joints), {}
    parents = {body.parent for body in model.bodies}
    last_child = {body.parent: i for i, body in enumerate(model.bodies)}
    records: list[int] = []
    for i, (body, segments, freedom) in enumerate(zip(model.bodies, joints, _freedoms(model), strict=True)):
        q0, v0 = model.joint_starts[i]
        record = at.Body(
            parent=body.parent + 1,
            shape=at.LINEAR if i in rows else at.GENERAL,
            q0=q0,
            v0=v0,
            nv=body.joint.nv,
            segment=tables.joint(segments, body.joint.offsets),
            segments=len(segments),
            mass=masses + 4 * i,
            row=rows.get(i, 0),
            children=int(i in parents),
            starts=int(last_child[body.parent] == i),
            freedom=freedom,
        )
        # the general form is for constraints and derivatives; a joint of one coordinate also gets a shorter one
        if body.joint.nv == 1 and i not in rows:
            record = _in_plane(tables, record, body.joint, ends[0][i], ends[1][i], shared)
        records += record
    return records


def _placed(model: Model, heads: np.ndarray, tails: np.ndarray) -> list[tuple[Segment, ...]]:
    """The segments of every joint between inertial frames; equal joints equally placed share them and their rows."""
    shared: dict = {}
    into_tails, out = adjoint(pose_inverse(tails)), []
    for body, head, tail, into_tail in zip(model.bodies, heads, tails, into_tails, strict=True):
        key = (id(body.joint), head.tobytes(), tail.tobytes())
        if key not in shared:
            shared[key] = placed(body.joint.segments, head, tail, into_tail)
        out.append(shared[key])
    return out


def _linear_rows(tables: TableBuilder, joints: list[tuple[Segment, ...]]) -> dict[int, int]:
    """Append the rows of the joints that are one exponential: body → where its row begins."""
    linear = [i for i, segments in enumerate(joints) if is_linear(segments)]
    if not linear:
        return {}
    poses, twists = (np.concatenate([getattr(joints[i][0], name) for i in linear]) for name in ("poses", "twists"))
    rows = linear_rows(poses, twists[:, 0])
    start = tables.floats(rows)
    return {i: start + k * rows.shape[1] for k, i in enumerate(linear)}


def _freedoms(model: Model) -> list[int]:
    """What can move each body without being prescribed."""
    own = [
        any(k not in model.prescribed for k in range(v, v + body.joint.nv))
        for body, (_, v) in zip(model.bodies, model.joint_starts, strict=True)
    ]
    out: list[int] = []
    for body, free in zip(model.bodies, own, strict=True):
        above = body.parent >= 0 and (own[body.parent] or out[body.parent] == at.SOMETHING_ABOVE)
        out.append(at.SOMETHING_ABOVE if above else at.OWN_JOINT if free else at.NOTHING)
    return out


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
