"""A model as the two arrays that kernels read.

Inside, every body's frame sits at its centre of mass along its principal axes (X_BC below): a rigid inertia is then
three moments and a mass. Joints absorb the change: X_PF G X_BM⁻¹ becomes X_PC_P⁻¹ X_PF G X_BM⁻¹ X_BC.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...joints.kernels.layout import Axis
from ...joints.packing import PLANE, TableBuilder, is_curve, is_linear, linear_rows, placed
from ...joints.plane_motion import in_plane
from ...spatial import adjoint
from ...spatial.twists import pose_inverse
from ..kernels import layout as at
from ..resolved_constraints import Coupling, Loop, Rolling, row_starts
from .body_paths import common_carrier
from .constraint_groups import pack_grouping
from .element_packing import pack_elements, twelve
from .folding_packing import pack_folding
from .principal_frames import joint_ends, seen_in_inertial_frame

if TYPE_CHECKING:
    from ...joints import Joint
    from ...joints.segments import Segment
    from ..model import Model
    from ..names import Place


def pack_model(model: Model) -> tuple:
    """The arrays `codes` and `numbers` of a model; with followers, True after them."""
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
        armature=tables.floats(model.armature),
        **pack_elements(tables, model),
        **_quaternions(tables, model),
        **pack_constraints(tables, model),
        **_plain(tables, model),
        **_knotted(tables, model),
        **pack_folding(tables, model),
        **pack_grouping(tables, model),
        work=tables.work,
    )
    tables.codes[: at.HEADER_SIZE] = header
    return (*tables.arrays(), True) if model.followers else tables.arrays()


def _sizes(model: Model) -> dict[str, int]:
    widths = [body.joint.nv for body in model.bodies] + coupling_spans(model)
    sizes = {"bodies": len(model.bodies), "nq": model.nq, "nv": model.nv}
    return {**sizes, "driven": int(bool(model.prescribed)), "widest": max(widths, default=0)}


def _quaternions(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = [at.Quaternion(q, v, int(q in model.free_quaternions)) for q, v, _ in model.quaternions]
    return {"quaternions": len(records), "first_quaternion": tables.records(records)}


def _plain(tables: TableBuilder, model: Model) -> dict[str, int]:
    records = [at.Plain(int(q), int(v)) for q, v in zip(*model.plain_places, strict=True)]
    return {"plain": len(records), "first_plain": tables.records(records)}


def _knotted(tables: TableBuilder, model: Model) -> dict[str, int]:
    """Coordinates with breakpoints, for integrators that land on them."""
    records = []
    for joint, places in _readers(model):
        for segment in joint.segments:
            for c, breaks, periodic in zip(
                segment.grid.coordinates, segment.grid.breaks, segment.grid.periodic, strict=False
            ):
                if c in places:
                    axis = tables.integers(Axis(joint.offsets[c][0], *tables.lookup(breaks, periodic), int(periodic)))
                    records.append(at.Knotted(places[c].q, places[c].v, axis))
    return {"knotted": len(records), "first_knotted": tables.records(records)}


def _readers(model: Model) -> Iterator[tuple[Joint, dict[int, Place]]]:
    """What reads coordinates, with their places: joints, and functions that followers are of them."""
    owned: list[dict[int, Place]] = [{} for _ in model.bodies]
    for place in model.coordinate_places:
        owned[place.body][place.coordinate] = place
    yield from zip((body.joint for body in model.bodies), owned, strict=True)
    for f in model.followers:
        body, c = f.driver_place
        yield f.slide, {0: owned[body][c]} if c in owned[body] else {}


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
            shape=at.FOLLOWING if model.follower_numbers[i] else at.LINEAR if i in rows else at.GENERAL,
            q0=q0,
            v0=v0,
            nv=model.freedoms[i],
            segment=tables.joint(segments, body.joint.offsets),
            segments=len(segments),
            mass=masses + 4 * i,
            row=rows.get(i, 0),
            children=int(i in parents),
            starts=int(last_child[body.parent] == i),
            freedom=freedom,
        )
        # the general form is for constraints and derivatives; a joint of one coordinate also gets a shorter one
        if body.joint.nv == 1 and i not in rows and not model.follower_numbers[i]:
            record = _in_plane(tables, record, body.joint, ends[0][i], ends[1][i], shared)
            if record.shape == at.GENERAL and is_curve(segments):
                record = record._replace(shape=at.CURVE)
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
        any(k not in model.prescribed for k in range(v, v + nv))
        for nv, (_, v) in zip(model.freedoms, model.joint_starts, strict=True)
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


Head = tuple[int, int, int, int]  # kind, first row, rows, index


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
    numbers = np.concatenate([*(twelve(T) for T in frames), [c.length]])
    root = common_carrier([body.parent for body in model.bodies], c.a, c.b)
    return at.Loop(*head, c.a + 1, c.b + 1, tables.floats(numbers), root + 1)


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
