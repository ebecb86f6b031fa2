"""Why a Jacobian lost rank at a place, in words that say what to change."""

from __future__ import annotations

import numpy as np

from .functions.values import rows_and_locals, term_values
from .joint import Joint
from .segments import FACTORS, Segment

SMALL = 1e-4  # of a scaled column, or of a right angle [rad]
ROUND_OFF = 1e-12  # a turn [rad] below this, or a slide below this share of the frames' distances, is none


def cause_of(joint: Joint, q: np.ndarray, scale: np.ndarray) -> str:
    """The first cause that fits: coinciding frames, a vanishing column, Euler angles, parallel columns."""
    S = joint.jacobian(q) / scale
    for segment in joint.segments:
        frames = coinciding_frames(segment, q, joint)
        if frames:
            return f"control frames {listed(frames)} coincide. Spread them or drop all but two."
    still = [joint.coordinates[c] for c, (_, v) in enumerate(joint.offsets) if np.linalg.norm(S[:, v]) < SMALL]
    if still:
        return (
            f"coordinate {still[0]!r} moves nothing there: the slopes of its functions vanish or cancel. "
            "Limit the joint to a domain without this place."
        )
    if any(is_euler_singular(s, q, joint) for s in joint.segments):
        return (
            "Euler singularity: the second rotation is a right angle, so the first and third axes coincide. "
            "Order the twists so that the second rotation stays small, or turn the base pose."
        )
    if joint.nv == 2 and len(joint.segments) > 1:
        return "both curves have equal curvature at the contact, so one motion undoes the other. Bend one of them."
    return "its columns are linearly dependent there. Drop a coordinate or change its functions."


def too_many(count: int) -> str:
    """More columns than the six dimensions of a twist."""
    return f"it has {count} freedoms, and two bodies move in six ways at most. Put a body with mass in between."


def coinciding_frames(segment: Segment, q: np.ndarray, joint: Joint) -> list[int]:
    """The control frames of a curve's span that lie on each other, if they are all that moves there."""
    if segment.kind != FACTORS or len(segment.grid.breaks) != 1 or len(segment.terms) < 3:
        return []
    row = int(rows_and_locals(segment.grid, segment.terms[0], local(segment, 0, q, joint))[0])
    zero, first = ~(turning(segment) | sliding(segment)), first_frames(segment)
    for near in (row, max(row - 1, 0)):  # at a knot the three frames may belong to the span before
        runs = np.flatnonzero(zero[near, :-1] & zero[near, 1:])
        if len(runs):
            return frames_around(int(first[near] + runs[0]), zero, first)
    return []


def frames_around(factor: int, zero: np.ndarray, first: np.ndarray) -> list[int]:
    """The whole run of frames on each other: factor k leads from frame k to the next, and `factor` begins two zeros."""
    spans = range(1, len(zero) - 1)  # the first and the last row hold beyond the domain
    still = {int(first[r] + i) for r in spans for i in np.flatnonzero(zero[r])}
    low, high = factor, factor + 2
    while low - 1 in still:
        low -= 1
    while high in still:
        high += 1
    return list(range(low, high + 1))


def turning(segment: Segment) -> np.ndarray:
    """Whether each factor of each row turns by more than round-off, (rows, m)."""
    return np.linalg.norm(segment.twists[..., :3], axis=-1) > ROUND_OFF


def sliding(segment: Segment) -> np.ndarray:
    """Whether each factor of each row slides by more than the round-off of its segment's frames, (rows, m)."""
    slides = np.linalg.norm(segment.twists[..., 3:], axis=-1)
    return slides > ROUND_OFF * max(np.abs(segment.poses[:, :3, 3]).max(), slides.max(initial=0.0))


def first_frames(segment: Segment) -> np.ndarray:
    """The number of the control frame that each row starts from: rows shift by the multiplicity of their knot."""
    count = len(segment.twists)
    steps = [shift(segment.twists[r], segment.twists[r + 1]) for r in range(1, count - 2)]
    first = np.concatenate([[0], np.cumsum([0, *steps])])
    return np.append(first, first[-1])


def shift(a: np.ndarray, b: np.ndarray) -> int:
    """By how many factors the next row has moved on."""
    return next((s for s in range(1, len(a)) if np.allclose(a[s:], b[: len(b) - s], atol=1e-14)), 1)


def is_euler_singular(segment: Segment, q: np.ndarray, joint: Joint) -> bool:
    """Three rotations in a row of which the second brings the third axis onto the first."""
    if segment.kind != FACTORS:
        return False
    values = [float(factor_value(segment, k, q, joint)) for k in range(len(segment.terms))]
    row = row_of(segment, q, joint)
    turns = np.flatnonzero(turning(segment)[row]).tolist()
    if len(turns) != 3:
        return False
    axes = [segment.twists[row, k, :3] / np.linalg.norm(segment.twists[row, k, :3]) for k in turns]
    if np.linalg.norm(np.cross(axes[0], axes[1])) < SMALL:
        return False
    angle = values[turns[1]] * float(np.linalg.norm(segment.twists[row, turns[1], :3]))
    return bool(np.linalg.norm(np.cross(axes[0], turned(axes[2], axes[1], angle))) < 100 * SMALL)


def turned(x: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """x turned about a unit axis."""
    along = axis * (axis @ x)
    return along + np.cos(angle) * (x - along) + np.sin(angle) * np.cross(axis, x)


def row_of(segment: Segment, q: np.ndarray, joint: Joint) -> int:
    """The row that holds at q."""
    if not segment.grid.breaks:
        return 0
    widest = max(range(len(segment.terms)), key=lambda k: len(segment.terms[k].coordinates))
    return int(rows_and_locals(segment.grid, segment.terms[widest], local(segment, widest, q, joint))[0])


def local(segment: Segment, k: int, q: np.ndarray, joint: Joint) -> np.ndarray:
    """The numbers that term k reads."""
    return np.array([q[joint.offsets[c][0]] for c in segment.terms[k].coordinates])


def factor_value(segment: Segment, k: int, q: np.ndarray, joint: Joint) -> np.ndarray:
    """φ_k at q."""
    return term_values(segment.grid, segment.terms[k], local(segment, k, q, joint))


def listed(numbers: list[int]) -> str:
    """'6, 7 and 8'."""
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
