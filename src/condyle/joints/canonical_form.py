"""The normal form of a joint's segments: what can be folded is folded before a kernel sees it.

Constant functions become poses, linear ones become φ = q with a scaled twist, zero twists go, and neighbours that read
the same grid become one segment: E₁ · H₂ E₂ = H₂ · (H₂⁻¹ E₁ H₂) · E₂, the middle an exponential of Ad(H₂⁻¹) g.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

import numpy as np

from ..spatial import adjoint, exp_se3
from ..spatial.twists import pose_inverse
from .functions import Function
from .segments import FACTORS, POLYNOMIAL, Grid, Segment, Term


def pose_segment(pose: np.ndarray) -> Segment:
    """A constant pose and no factor."""
    return Segment(poses=pose[None], twists=np.zeros((1, 0, 6)), terms=())


def factor_segment(twist: np.ndarray, function: Function) -> Segment:
    """exp(ĝ φ) as a segment; a constant or linear φ is folded into pose and twist."""
    g, grid, term = twist * function.weight, function.grid, function.term
    if not g.any():
        return pose_segment(np.eye(4))
    if term.code == POLYNOMIAL and not grid.breaks:
        return polynomial_factor(g, term)
    poses = np.tile(np.eye(4), (grid.rows, 1, 1))
    return Segment(poses, np.tile(g, (grid.rows, 1, 1)), (term,), grid)


def polynomial_factor(g: np.ndarray, term: Term) -> Segment:
    """exp(ĝ (c0 + c1 q)) = exp(ĝ c0) exp((c1 g)^ q); what is not linear keeps its polynomial."""
    c = trimmed(term.constants[0])
    if c.size == 1:
        return pose_segment(exp_se3(g * c.item()))
    if c.shape != (2,):
        return Segment(np.eye(4)[None], g[None, None], (replace(term, constants=c[None]),))
    linear = Term(POLYNOMIAL, term.coordinates, np.array([[0.0, 1.0]]))
    start = exp_se3(g * c[0]) if c[0] else np.eye(4)
    return Segment(start[None], (g * c[1])[None, None], (linear,))


def trimmed(c: np.ndarray) -> np.ndarray:
    """Coefficients without the highest powers that do not occur; at least the constant stays."""
    for axis in range(c.ndim):
        if c.take(-1, axis).any():
            continue
        used = np.flatnonzero(np.moveaxis(c, axis, 0).reshape(c.shape[axis], -1).any(axis=1))
        c = np.take(c, np.arange(used[-1] + 1 if len(used) else 1), axis=axis)
    return c


def normalized(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The same motion in as few segments as possible; never none."""
    useful = [s for s in map(without_zero_twists, segments) if s.kind != FACTORS or s.terms or not is_identity(s)]
    return reduce(appended, useful, ()) or (pose_segment(np.eye(4)),)


def without_zero_twists(segment: Segment) -> Segment:
    """Factors whose twist is zero in every row do nothing."""
    keep = np.any(segment.twists, axis=(0, 2)) if segment.kind == FACTORS else np.ones(len(segment.terms), bool)
    if keep.all():
        return segment
    terms = tuple(t for t, k in zip(segment.terms, keep.tolist(), strict=True) if k)
    return one_row(replace(segment, twists=segment.twists[:, keep], terms=terms))


def one_row(segment: Segment) -> Segment:
    """A grid that selects between equal poses and no factors is not needed."""
    same = not segment.terms and (segment.poses == segment.poses[0]).all()
    return pose_segment(segment.poses[0]) if same else segment


def is_identity(segment: Segment) -> bool:
    """A pose segment that does nothing."""
    return len(segment.poses) == 1 and np.array_equal(segment.poses[0], np.eye(4))


def appended(done: tuple[Segment, ...], segment: Segment) -> tuple[Segment, ...]:
    """One more segment, merged into the last one where their rows are the same or one is a mere pose."""
    if not done or not mergeable(done[-1], segment):
        return (*done, segment)
    return (*done[:-1], merged(done[-1], segment))


def mergeable(a: Segment, b: Segment) -> bool:
    """Both are factors, and they share a grid or one of them is constant."""
    if a.kind != FACTORS or b.kind != FACTORS:
        return False
    return is_pose(a) or is_pose(b) or same_grid(a.grid, b.grid)


def is_pose(segment: Segment) -> bool:
    """One row without factors."""
    return not segment.terms and len(segment.poses) == 1


def same_grid(a: Grid, b: Grid) -> bool:
    """The same rows for the same coordinates."""
    same = a.coordinates == b.coordinates and a.periodic == b.periodic
    return same and all(np.array_equal(x, y) for x, y in zip(a.breaks, b.breaks, strict=True))


def merged(a: Segment, b: Segment) -> Segment:
    """a · b as one segment, by moving the poses of b in front of the factors of a."""
    moved = np.einsum("rij,rmj->rmi", adjoint(pose_inverse(b.poses)), np.broadcast_to(a.twists, twists_shape(a, b)))
    after = np.broadcast_to(b.twists, twists_shape(b, a))
    grid = b.grid if is_pose(a) else a.grid
    return Segment(a.poses @ b.poses, np.concatenate([moved, after], axis=1), a.terms + b.terms, grid)


def twists_shape(a: Segment, b: Segment) -> tuple[int, int, int]:
    """The twists of a repeated for every row of the two."""
    return max(len(a.poses), len(b.poses)), len(a.terms), 6


def inverted(segment: Segment) -> Segment:
    """(H Π exp(ĝ_k φ_k))⁻¹ = H⁻¹ Π_reversed exp(−(Ad_H g_k)^ φ_k), row by row."""
    twists = -np.einsum("rij,rmj->rmi", adjoint(segment.poses), segment.twists)
    return replace(segment, poses=pose_inverse(segment.poses), twists=twists[:, ::-1], terms=segment.terms[::-1])


def shifted(segment: Segment, by: int) -> Segment:
    """The same segment reading coordinates `by` places further on."""
    terms = tuple(replace(t, coordinates=tuple(c + by for c in t.coordinates)) for t in segment.terms)
    grid = replace(segment.grid, coordinates=tuple(c + by for c in segment.grid.coordinates))
    return replace(segment, terms=terms, grid=grid)
