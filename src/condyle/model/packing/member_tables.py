"""Tables of the members of a batch: codes that all share, and the numbers that differ from member to member.

They are computed for all members at once: packing a model of each by itself would take longer than most simulations.
What is computed here is compared with the packing of one member's model, and given up if it differs.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import CondyleError
from ...forces import BetweenFrames, Element
from ...joints.curve_members import CurveMembers, curve_members
from ...joints.kernels.layout import POSE, SEGMENT_SIZE, TERM_SIZE
from ...joints.kernels.layout import Segment as SegmentRecord
from ...joints.kernels.layout import Term as TermRecord
from ...joints.packing import PLANE as IN_PLANE
from ...joints.packing import SPACE, RowForm, linear_rows
from ...joints.plane_motion import in_plane
from ...joints.segments import FACTORS
from ...numeric import COMPILED, LANE_WIDTH, LANES, aligned_array, run_chunks
from ...spatial import adjoint
from ...spatial.second_moments import principal_moments
from ...spatial.twists import pose_inverse, pose_matrix
from ..kernels import layout as at
from ..parameters import CONSTANT
from ..resolved_constraints import Loop, Rolling
from .member_values import MemberValues
from .model_packing import pack_model

if TYPE_CHECKING:
    from ..model import Model
    from ..model_batch import ModelBatch

CLOSE = 1e-11  # relative; how near the numbers of a member are to those of its own model


class Rows(NamedTuple):
    """Poses (count or 1, rows, 4, 4) and twists (count or 1, rows, factors, 6) of a segment; those of 1 do not vary."""

    kind: int
    poses: np.ndarray
    twists: np.ndarray


class MemberTables:
    """Codes and numbers of one member, and what other members have in their place: (positions, (count, positions))."""

    def __init__(self, tables: tuple, count: int) -> None:
        self.codes, self.numbers, self.count = *tables, count
        self.changes: list[tuple[np.ndarray, np.ndarray]] = []
        self.frames = np.empty((count, 0, 4, 4))  # inertial frames of the bodies

    def change(self, places: Any, values: np.ndarray) -> None:
        """Other numbers (count, …) at places of one member's numbers; nothing if they do not vary."""
        if len(values) == self.count:
            self.changes.append((np.ravel(places), values.reshape(self.count, -1)))

    def member(self, i: int) -> np.ndarray:
        """The numbers of one member."""
        numbers = self.numbers.copy()
        for places, values in self.changes:
            numbers[places] = values[i]
        return numbers

    @property
    def varied(self) -> int:
        """How many numbers of a member are its own."""
        return sum(len(places) for places, _ in self.changes)

    def blocks(self, tables: tuple | None = None, *, together: bool = True) -> MemberBlocks:
        """For kernels; `tables` are those of the one member with what a caller appended.

        Members stand `together` in lanes, or each by itself for what lanes cannot do together.
        """
        codes, numbers = (self.codes, self.numbers) if tables is None else tables
        places = np.concatenate([np.empty(0, dtype=np.int64), *(places for places, _ in self.changes)])
        values = np.concatenate([np.empty((self.count, 0)), *(values for _, values in self.changes)], axis=1)
        return MemberBlocks(codes, numbers, places, values, LANE_WIDTH if COMPILED and together else 1)


class MemberBlocks(NamedTuple):
    """Tables of members in blocks of `width` side by side: `numbers` that all share, but for `values` at `places`."""

    codes: np.ndarray
    numbers: np.ndarray
    places: np.ndarray
    values: np.ndarray  # (members, places)
    width: int

    @property
    def blocks(self) -> int:
        """How many there are."""
        return -(-len(self.values) // self.width)

    def each(self, prepared: Callable[[tuple], Callable[[Any, int, int], object]], threads: int | None) -> None:
        """call(z, start, stop) for the members of every block, on several threads.

        `prepared(pair)` gives the call; `pair`, which an entry takes, has the tables of one block after the other.
        """
        z, width = LANES if self.width > 1 else 0.0, self.width

        def several(start: int, stop: int) -> None:
            room = self._room()
            call = prepared((self.codes, room))
            for first in range(start, stop, width):
                self._enter(room, first)
                call(z, first, min(first + width, stop))

        run_chunks(several, len(self.values), width, threads)

    def _room(self) -> np.ndarray:
        """For the tables of one block, with the numbers that all share: side by side, and lane by lane once more."""
        if self.width == 1:
            return self.numbers.copy()
        room = aligned_array((2, len(self.numbers), self.width))
        room[0] = self.numbers[:, None]
        room[1].reshape(self.width, -1)[:] = self.numbers
        return room

    def _enter(self, room: np.ndarray, first: int) -> None:
        """The numbers of the members from `first` on; the last one is repeated where lanes are left over."""
        own = self.values[first : first + self.width]
        if self.width == 1:
            room[self.places] = own[0]
            return
        if len(own) < self.width:
            own = self.values[np.minimum(np.arange(first, first + self.width), len(self.values) - 1)]
        room[0][self.places] = own.T
        room[1].reshape(self.width, -1)[:, self.places] = own


def pack_members(members: ModelBatch) -> MemberTables | None:
    """The tables of all members; None where they have to be packed one by one.

    That is for coordinates that follow others, and for members whose joints need codes of their own.
    A member that cannot be a model raises what its model raises.
    """
    model = members.base
    if model.followers or not members.count:
        return None
    values = MemberValues(members)
    curves = _curves(model, values)
    if curves is None:
        for i in range(members.count):  # the first that cannot be a model says why
            members.model(i)
        return None
    known = {i: curve for i, curve in curves.items() if curve is not None}
    return _checked(members, values, known) if len(known) == len(curves) else None


def _curves(model: Model, values: MemberValues) -> dict[int, CurveMembers | None] | None:
    """Spline curves whose frames vary, by body; None if some member cannot be a model, or not without a warning."""
    try:
        if not values.settled():
            return None
        return {i: curve_members(model.bodies[i].joint, x) for i, x in values.frames.items()}
    except CondyleError:
        return None


def _checked(members: ModelBatch, values: MemberValues, curves: dict[int, CurveMembers]) -> MemberTables | None:
    """The tables with the codes of one member, if they do for all and agree with another's own."""
    flat = np.array([curve.flat for curve in curves.values()], dtype=bool).reshape(len(curves), members.count)
    chosen = int(flat.sum(axis=0).argmin())
    if (flat.any(axis=1) & ~flat.all(axis=1) & flat[:, chosen]).any():
        return None
    found = _Packing(_unshared(members.model(chosen)), values, curves, chosen).packed()
    other = int(np.flatnonzero((flat == flat[:, chosen, None]).all(axis=0))[-1])
    own = pack_model(_unshared(members.model(other)))[1]
    mine = found.member(other)
    mine = np.where(np.isnan(mine), own, mine) if own.shape == mine.shape else mine  # what no kernel reads
    same = own.shape == mine.shape and np.allclose(mine, own, rtol=CLOSE, atol=CLOSE * np.abs(own).max())
    return found if same else None


def _unshared(model: Model) -> Model:
    """The same model whose joints have rows of their own, which members may vary."""
    return replace(model, bodies=tuple(replace(body, joint=copy(body.joint)) for body in model.bodies))


class _Packing:
    """Finds what varies in the tables of `model`, that of the member `chosen`."""

    def __init__(self, model: Model, values: MemberValues, curves: dict[int, CurveMembers], chosen: int) -> None:
        codes, numbers = pack_model(model)
        self.model, self.values, self.curves = model, values, curves
        self.tables = MemberTables((codes.copy(), numbers.copy()), values.count)
        self.header = at.Header(*codes[: at.HEADER_SIZE].tolist())
        self.chosen = slice(chosen, chosen + 1)
        moments, axes = principal_moments(values.bodies["moment"])
        self.moments = np.maximum(moments, 0.0)
        self.tables.frames = pose_matrix(axes, values.bodies["com"])
        self.moved = {i for field, i in values.touched if field in ("com", "moment")}  # bodies with frames of their own
        self.rolling = any(isinstance(c, Rolling) for c in model.constraints)

    def packed(self) -> MemberTables:
        """All of it."""
        self.tables.change(self.header.gravity + np.arange(3), self.values.gravity)
        heads, tails = self._ends()
        for i in range(self.model.nbodies):
            record = at.Body(*self._record(self.header.first_body + i * at.BODY_SIZE, at.BODY_SIZE))
            if {(field, i) for field in ("mass", "moment")} & self.values.touched:
                numbers = np.column_stack([self.values.bodies["mass"][:, i], self.moments[:, i]])
                self.tables.change(record.mass + np.arange(4), numbers)
            self._joint(
                i, record, self._part(heads, i, self._head_varies(i)), self._part(tails, i, self._tail_varies(i))
            )
        self._forces()
        for i, constraint in enumerate(self.model.constraints):
            self._constraint(constraint, self.header.first_constraint + i * at.CONSTRAINT_SIZE)
        self.tables.codes.flags.writeable = False
        return self.tables

    def _record(self, start: int, size: int) -> list[int]:
        return self.tables.codes[start : start + size].tolist()

    def _part(self, ends: np.ndarray, i: int, varies: bool) -> np.ndarray:
        """Those of body i: of all members, or of one where they are the same."""
        return ends[:, i] if varies else ends[self.chosen, i]

    def _head_varies(self, i: int) -> bool:
        return ("placement", i) in self.values.touched or self.model.bodies[i].parent in self.moved

    def _tail_varies(self, i: int) -> bool:
        return ("offset", i) in self.values.touched or i in self.moved

    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """What stands before and after each joint (count, bodies, 4, 4), as in `joint_ends`."""
        C, given = self.tables.frames, self.values.bodies
        world = np.broadcast_to(np.eye(4), (len(C), 1, 4, 4))
        before = pose_inverse(np.concatenate([C, world], axis=1)[:, [body.parent for body in self.model.bodies]])
        return before @ given["placement"], pose_inverse(given["offset"]) @ C

    def _joint(self, i: int, record: at.Body, head: np.ndarray, tail: np.ndarray) -> None:
        """Rows of a joint in the shorter form that it has, or in its general one.

        Kernels read the general form of the others only for bodies that roll; elsewhere it is no number, to be seen
        should a kernel read it.
        """
        curve = self.curves.get(i)
        if len(head) == len(tail) == 1 and curve is None and self.values.count > 1:
            return
        if record.shape == at.LINEAR:
            self._linear(record, _placed(self._segments(i, curve), head, tail)[0])
        elif record.shape == at.PLANE:
            self._plane(i, record, curve, head, tail)
        if record.shape in (at.LINEAR, at.PLANE) and not self.rolling:
            self._unread(record.segment, self._segments(i, curve)[0].poses.shape[1])
            return
        for k, rows in enumerate(_placed(self._segments(i, curve), head, tail)):
            if rows.kind == FACTORS:
                self._rows(record.segment + k * SEGMENT_SIZE, rows, SPACE)

    def _unread(self, segment: int, length: int) -> None:
        record = SegmentRecord(*self._record(segment, SEGMENT_SIZE))
        self.tables.numbers[record.rows : record.rows + record.stride * length] = np.nan

    def _linear(self, record: at.Body, rows: Rows) -> None:
        """The constants of one exponential."""
        H, g = rows.poses[:, 0], rows.twists[:, 0, 0]
        count = max(len(H), len(g))
        numbers = linear_rows(np.broadcast_to(H, (count, 4, 4)), np.broadcast_to(g, (count, 6)))
        self.tables.change(record.row + np.arange(numbers.shape[1]), numbers)

    def _segments(self, i: int, curve: CurveMembers | None) -> list[Rows]:
        if curve is not None:
            return [Rows(FACTORS, curve.poses, curve.twists)]
        return [Rows(s.kind, s.poses[None], s.twists[None]) for s in self.model.bodies[i].joint.segments]

    def _plane(self, i: int, record: at.Body, curve: CurveMembers | None, head: np.ndarray, tail: np.ndarray) -> None:
        """The form A · P(q) · B of a motion in a plane."""
        if curve is None:
            found = in_plane(self.model.bodies[i].joint.segments)
            assert found is not None
            A, _, B = found
        else:
            A, B = curve.before, curve.after
            self._rows(record.plane_segment, Rows(FACTORS, curve.plane_poses, curve.plane_twists), IN_PLANE)
        ends = [x for T in (head @ A, B @ tail) for x in (T[:, :3, :3].reshape(len(T), 9), T[:, :3, 3])]
        start = record.row
        for x in ends:
            self.tables.change(start + np.arange(x.shape[1]), x)
            start += x.shape[1]

    def _rows(self, segment: int, rows: Rows, form: RowForm) -> None:
        """Poses and twists of a segment's rows."""
        record = SegmentRecord(*self._record(segment, SEGMENT_SIZE))
        length = rows.poses.shape[1]
        starts = record.rows + record.stride * np.arange(length)[:, None]
        poses = form.poses(rows.poses.reshape(-1, 4, 4))
        self.tables.change(starts + POSE + np.arange(poses.shape[1]), poses.reshape(len(rows.poses), -1))
        if len(rows.twists) == 1 < self.values.count:
            return
        heads = form.twists(rows.twists)
        for k in range(record.terms):
            place = record.first_term + k * TERM_SIZE
            term = TermRecord(*self._record(place, TERM_SIZE))
            self.tables.change(starts + term.at + np.arange(form.head), heads[:, :, k])
            turns = int(rows.twists[:, :, k, :3].any())
            self.tables.codes[place + TermRecord._fields.index("turns")] = turns

    def _forces(self) -> None:
        """Places of forces, seen from the inertial frames of their bodies, and constants of their laws."""
        h = self.header
        seen = {number for number, _ in self.values.forces}
        numbered = [(i, f) for i, f in enumerate(self.model.forces) if i in seen or _bodies(f) & self.moved]
        ports = (
            (self.model.coordinate_forces, at.CoordinateElement, h.first_coordinate_element),
            (self.model.line_forces, at.LineElement, h.first_line),
            (self.model.pair_forces, at.PairElement, h.first_pair),
        )
        for forces, kind, first in ports:
            places = {id(f): first + k * len(kind._fields) for k, f in enumerate(forces)}
            for i, f in numbered:
                if id(f) in places:
                    record = kind(*self._record(places[id(f)], len(kind._fields)))
                    self._place(i, f, record)
                    self._constants(i, f, record)

    def _place(self, i: int, force: Element, record: Any) -> None:
        """Points, or frames, of a force between bodies that have inertial frames of their own or other points."""
        if isinstance(record, at.CoordinateElement):
            return
        place, given = force.at, self.values.forces
        ends = ((place.a, place.frame_a, "point_a"), (place.b, place.frame_b, "point_b"))
        if isinstance(record, at.PairElement):
            poses = [_pose_in(self.tables.frames, b, T) for b, T, _ in ends]
            parts = [x for T in poses for x in (T[:, :3, :3].reshape(len(T), 9), T[:, :3, 3])]
        else:
            count = self.values.count
            points = [given.get((i, field), np.broadcast_to(T[:3, 3], (count, 3))) for _, T, field in ends]
            parts = [_seen_in(self.tables.frames, b, p) for (b, _, _), p in zip(ends, points, strict=True)]
        numbers = np.concatenate(parts, axis=1)
        if _bodies(force) & self.moved or {(i, field) for _, _, field in ends} & given.keys():
            self.tables.change(record.at + np.arange(numbers.shape[1]), numbers)

    def _constants(self, i: int, force: Element, record: Any) -> None:
        start = record.constants if isinstance(record, at.PairElement) else record.at
        start += 6 if isinstance(record, at.LineElement) else 0
        for k, name in enumerate(force.declared.constants):
            if (i, CONSTANT + name) in self.values.forces:
                self.tables.change(start + np.arange(1) + k, self.values.forces[i, CONSTANT + name][:, None])

    def _constraint(self, c: Any, start: int) -> None:
        """What constraints hold together, seen from the inertial frames of their bodies; couplings see none."""
        if isinstance(c, Loop) and {c.a, c.b} & self.moved:
            record = at.Loop(*self._record(start, len(at.Loop._fields)))
            ends = [_pose_in(self.tables.frames, b, T) for b, T in ((c.a, c.frame_a), (c.b, c.frame_b))]
            numbers = [x for T in ends for x in (T[:, :3, :3].reshape(len(T), 9), T[:, :3, 3])]
            self.tables.change(record.frames + np.arange(24), np.concatenate(numbers, axis=1))
        elif isinstance(c, Rolling) and self._head_varies(c.body):
            record = at.Rolling(*self._record(start, len(at.Rolling._fields)))
            contact = [Rows(s.kind, s.poses[None], s.twists[None]) for s in c.contact.segments]
            for k, rows in enumerate(_placed(contact, self._ends()[0][:, c.body], np.eye(4)[None])):
                if rows.kind == FACTORS:
                    self._rows(record.contact + k * SEGMENT_SIZE, rows, SPACE)


def _bodies(force: Element) -> set[int]:
    """The bodies between whose frames a force acts."""
    return {force.at.a, force.at.b} if isinstance(force.at, BetweenFrames) else set()


def _pose_in(frames: np.ndarray, body: int, pose: np.ndarray) -> np.ndarray:
    """A pose of a body, or of the world, in the inertial frames of members."""
    return np.broadcast_to(pose, frames[:, 0].shape) if body < 0 else pose_inverse(frames[:, body]) @ pose


def _seen_in(frames: np.ndarray, body: int, points: np.ndarray) -> np.ndarray:
    """Points (count, 3) of a body in its inertial frame."""
    if body < 0:
        return points
    C = frames[:, body]
    return ((points - C[:, :3, 3])[:, None] @ C[:, :3, :3])[:, 0]


def _placed(segments: list[Rows], head: np.ndarray, tail: np.ndarray) -> list[Rows]:
    """The segments of head · G(q) · tail, as `joints.packing.placed` has those of one joint."""
    identity = Rows(FACTORS, np.eye(4)[None, None], np.zeros((1, 1, 0, 6)))
    out = segments if segments[0].kind == FACTORS else [identity, *segments]
    out[0] = out[0]._replace(poses=head[:, None] @ out[0].poses)
    if out[-1].kind != FACTORS:
        out.append(identity)
    into_tail = adjoint(pose_inverse(tail)).swapaxes(-1, -2)
    last = out[-1]
    out[-1] = Rows(FACTORS, last.poses @ tail[:, None], last.twists @ into_tail[:, None])
    return out
