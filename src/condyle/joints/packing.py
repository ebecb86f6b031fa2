"""Packing segments into the two arrays that kernels read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod

import numpy as np

from ..numeric.number_types import bucket
from ..spatial import adjoint
from ..spatial.frozen import sealed
from ..spatial.so3 import cross_matrix
from ..spatial.twists import pose_inverse
from .canonical_form import pose_segment
from .kernels.layout import CENTERS, FACTOR_HEAD, FACTORS_AT, PLANE_FACTORS_AT, PLANE_HEAD, POSE
from .kernels.layout import Segment as SegmentRecord
from .segments import FACTORS, POLYNOMIAL, Grid, Segment, Term

BUCKETS = 4  # most of them for each breakpoint


@dataclass(frozen=True)
class RowForm:
    """Where factors begin, how long their heads are, and the numbers of poses (rows, k) and twists (rows, m, head)."""

    factors_at: int
    head: int
    poses: Callable[[np.ndarray], np.ndarray]
    twists: Callable[[np.ndarray], np.ndarray]


def split_twist(twist: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Unit axis n, rate w, linear part v and 1/w of twists (..., 6); n = w = 1/w = 0 for a translation."""
    omega, v = twist[..., :3], twist[..., 3:]
    w = np.linalg.norm(omega, axis=-1)
    tiny = w < 1e-290
    iw = np.where(tiny, 0.0, 1.0 / np.where(tiny, 1.0, w))
    return omega * iw[..., None], np.where(tiny, 0.0, w), v, iw


def _space_poses(poses: np.ndarray) -> np.ndarray:
    return np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], axis=1)


def _space_twists(twists: np.ndarray) -> np.ndarray:
    n, w, v, iw = split_twist(twists)
    return np.concatenate([n, w[..., None], v, iw[..., None]], axis=-1)


def _plane_poses(poses: np.ndarray) -> np.ndarray:
    return np.stack([poses[:, 0, 0], poses[:, 1, 0], poses[:, 0, 3], poses[:, 1, 3]], axis=1)


def _plane_twists(twists: np.ndarray) -> np.ndarray:
    n, w, v, iw = split_twist(twists)
    sign = n[..., 2]
    return np.stack([sign * w, v[..., 0], v[..., 1], sign * iw], axis=-1)


SPACE = RowForm(FACTORS_AT, FACTOR_HEAD, _space_poses, _space_twists)
PLANE = RowForm(PLANE_FACTORS_AT, PLANE_HEAD, _plane_poses, _plane_twists)


def placed(
    segments: tuple[Segment, ...], head: np.ndarray, tail: np.ndarray, into_tail: np.ndarray | None = None
) -> tuple[Segment, ...]:
    """The segments of head · G(q) · tail: the constant poses are folded into the rows.

    `into_tail` is Ad(tail⁻¹), for a caller that has it already.
    """
    into_tail = adjoint(pose_inverse(tail)) if into_tail is None else into_tail
    out = list(segments)
    if not out or out[0].kind != FACTORS:
        out.insert(0, pose_segment(np.eye(4)))
    first = out[0]
    out[0] = Segment(head @ first.poses, first.twists, first.terms, first.grid)
    if out[-1].kind != FACTORS:
        out.append(pose_segment(np.eye(4)))
    last = out[-1]
    out[-1] = Segment(last.poses @ tail, last.twists @ into_tail.T, last.terms, last.grid)
    return tuple(out)


def is_linear(segments: tuple[Segment, ...]) -> bool:
    """Whether a joint is one exponential of its own coordinate: the shape with the shortest kernel."""
    if len(segments) != 1 or segments[0].kind != FACTORS or segments[0].grid.breaks or len(segments[0].terms) != 1:
        return False
    term = segments[0].terms[0]
    return term.code == POLYNOMIAL and term.constants.tolist() == [[0.0, 1.0]]


def is_curve(segments: tuple[Segment, ...]) -> bool:
    """Whether a joint of one coordinate selects a row of three cubic factors, none of which is a translation."""
    if len(segments) != 1 or segments[0].kind != FACTORS or len(segments[0].grid.breaks) != 1:
        return False
    (segment,) = segments
    cubic = all(term.code == POLYNOMIAL and term.constants.shape[1:] == (4,) for term in segment.terms)
    return len(segment.terms) == 3 and cubic and bool(np.any(segment.twists[..., :3], axis=(0, 2)).all())


def linear_rows(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Constants (m, 46) of H exp(ĝ q) for poses H (m, 4, 4) and twists g (m, 6).

    M0 + sin θ M1 + (1 − cos θ) M2, P0 + q P1 + (1 − cos θ) P2 + (θ − sin θ) P3, g, w.
    """
    n, w, v, iw = split_twist(g)
    N, R, a = cross_matrix(n), H[:, :3, :3], np.cross(n, v)
    directions = np.stack([v, a * iw[:, None], np.cross(n, a) * iw[:, None]], axis=-1)
    P = np.concatenate([H[:, :3, 3:], R @ directions], axis=-1).swapaxes(-1, -2)  # P0 … P3, one after another
    parts = [R, R @ N, R @ N @ N, P, g, w]
    return np.concatenate([part.reshape(len(H), -1) for part in parts], axis=1)


class TableBuilder:
    """`codes` and `numbers` as they grow; `work` is the scratch that the largest term needs."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.numbers: list[np.ndarray] = []
        self.length = 0
        self.work = CENTERS
        self._shared: dict[int, tuple[int, Segment]] = {}
        self._lookups: dict[tuple[int, bool], tuple[np.ndarray, tuple[int, int, int, int]]] = {}

    def reserve(self, count: int) -> int:
        """Room for `count` integers; where it begins."""
        self.codes.extend([0] * count)
        return len(self.codes) - count

    def integers(self, values) -> int:
        """Append integers; where they begin."""
        self.codes.extend(int(value) for value in values)
        return len(self.codes) - len(values)

    def records(self, records) -> int:
        """Append records one after the other; where they begin."""
        return self.integers([value for record in records for value in record])

    def floats(self, values) -> int:
        """Append numbers; where they begin."""
        values = np.ravel(np.asarray(values, dtype=float))
        self.numbers.append(values)
        self.length += len(values)
        return self.length - len(values)

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """The finished arrays, read-only; a few spare numbers let kernels read four at a time."""
        return sealed((np.array(self.codes, dtype=np.int64), np.concatenate([*self.numbers, np.zeros(4)])))

    def joint(self, segments: tuple[Segment, ...], offsets: list[tuple[int, int]], form: RowForm = SPACE) -> int:
        """Append the records of a joint; `offsets[c]` are the (q, v) positions of its coordinate c."""
        records: list[int] = []
        for segment in segments:
            if segment.kind == FACTORS:
                records += self._factors(segment, offsets, form)
            else:
                q, v = offsets[segment.grid.coordinates[0]]
                records += SegmentRecord(segment.kind, quaternion_q=q, quaternion_v=v)
        return self.integers(records)

    def _factors(self, segment: Segment, offsets, form: RowForm) -> list[int]:
        rows, stride, starts = self._rows(segment, form)
        axes = [value for k in range(len(segment.grid.breaks)) for value in self._axis(segment.grid, k, offsets)]
        turns = np.any(segment.twists[..., :3], axis=(0, 2)).tolist()
        terms = [
            value
            for term, at, turn in zip(segment.terms, starts, turns, strict=True)
            for value in (*self._term(term, at, segment, offsets), int(turn))
        ]
        first_axis, first_term = self.integers(axes), self.integers(terms)
        grid = segment.grid
        return list(SegmentRecord(FACTORS, len(segment.terms), first_term, len(grid.breaks), first_axis, rows, stride))

    def rows(self, segments: Iterable[Segment]) -> None:
        """Append the rows of many segments without a grid, those of one shape together; `joint` will find them."""
        groups: dict[tuple, list[Segment]] = {}
        for segment in {id(s): s for s in segments if s.kind == FACTORS and not s.grid.breaks}.values():
            groups.setdefault(tuple(t.constants.shape[1:] for t in segment.terms), []).append(segment)
        for group in groups.values():
            columns = zip(*(s.terms for s in group), strict=True)
            terms = tuple(replace(c[0], constants=np.concatenate([t.constants for t in c])) for c in columns)
            twists = np.concatenate([s.twists for s in group])
            stride, starts = _row_places(terms, SPACE)
            poses = np.concatenate([s.poses for s in group])
            start = self.floats(_table(Segment(poses, twists, terms), SPACE, stride, starts))
            for k, segment in enumerate(group):
                self._shared[id(segment)] = (start + k * stride, segment)

    def _rows(self, segment: Segment, form: RowForm) -> tuple[int, int, list[int]]:
        """Append the rows of a segment (once for a segment that several joints share)."""
        stride, starts = _row_places(segment.terms, form)
        if id(segment) not in self._shared:
            start = self.floats(_table(segment, form, stride, starts))
            self._shared[id(segment)] = (start, segment)  # the segment is kept, so its id stays its own
        return self._shared[id(segment)][0], stride, starts

    def _axis(self, grid: Grid, k: int, offsets) -> list[int]:
        first, count, buckets, size = self.lookup(grid.breaks[k], grid.periodic[k])
        return [offsets[grid.coordinates[k]][0], first, count, buckets, size, int(grid.periodic[k])]

    def lookup(self, breaks: np.ndarray, periodic: bool = False) -> tuple[int, int, int, int]:
        """Append breakpoints and the buckets that find them: (first, count, first bucket, buckets).

        The last breakpoint is stored a little larger, because it belongs to the span before it. Joints that share
        breakpoints share their lookup.
        """
        key = (id(breaks), periodic)
        if key not in self._lookups:
            self._lookups[key] = (breaks, self._new_lookup(breaks, periodic))  # breaks are kept, so their id is theirs
        return self._lookups[key][1]

    def _new_lookup(self, breaks: np.ndarray, periodic: bool) -> tuple[int, int, int, int]:
        last = breaks[-1] if periodic else np.nextafter(breaks[-1], np.inf)
        stored = np.concatenate([breaks[:-1], [last]])
        size = _bucket_count(stored)
        at = [bucket(b, stored[0], stored[-1], size) for b in stored[:-1]]
        counts = np.concatenate([[0], np.cumsum(np.bincount(at, minlength=size))])
        return self.floats(stored), len(stored), self.integers(counts), size

    def _term(self, term: Term, at: int, segment: Segment, offsets) -> list[int]:
        axis_of = {c: k for k, c in enumerate(segment.grid.coordinates)}
        orders = term.constants.shape[1:]
        readers = [
            value
            for c, order in zip(term.coordinates, orders, strict=False)
            for value in (*offsets[c], axis_of.get(c, -1) if term.code == POLYNOMIAL else -1, order)
        ]
        first = self.integers(readers)
        n, c = len(term.coordinates), term.coordinates[0]
        self.work = max(self.work, CENTERS + 1 + n + n * n + 3 * int(sum(orders)))
        axis = axis_of.get(c, -1) if term.code == POLYNOMIAL else -1
        return [term.code, *offsets[c], axis, at, orders[0], n, first]


def _bucket_count(breaks: np.ndarray) -> int:
    """As many equal intervals as leave at most one breakpoint in each, if that is not over four times their number."""
    with np.errstate(all="ignore"):
        needed = (breaks[-1] - breaks[0]) / np.diff(breaks).min(initial=np.inf)
    return int(needed) + 1 if needed < BUCKETS * len(breaks) else len(breaks)


def _row_places(terms: tuple[Term, ...], form: RowForm) -> tuple[int, list[int]]:
    """How long a row is, and where in it each factor begins."""
    sizes = [form.head + -(-prod(term.constants.shape[1:]) // 4) * 4 for term in terms]
    *starts, stride = accumulate(sizes, initial=form.factors_at)
    return stride, starts


def _table(segment: Segment, form: RowForm, stride: int, starts: list[int]) -> np.ndarray:
    """The rows (count, stride): centres, pose, and each factor's twist and constants."""
    count, grid = len(segment.poses), segment.grid
    table = np.zeros((count, stride))
    centers = np.meshgrid(*(grid.centers(k) for k in range(len(grid.breaks))), indexing="ij")
    for k, center in enumerate(centers):
        table[:, k] = center.ravel()
    poses, heads = form.poses(segment.poses), form.twists(segment.twists)
    table[:, POSE : POSE + poses.shape[1]] = poses
    for k, (term, at) in enumerate(zip(segment.terms, starts, strict=True)):
        constants = np.broadcast_to(term.constants, (count, *term.constants.shape[1:])).reshape(count, -1)
        table[:, at : at + form.head] = heads[:, k]
        table[:, at + form.head : at + form.head + constants.shape[1]] = constants
    return table
