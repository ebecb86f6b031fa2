"""Validate user-supplied coordinates: shape, finiteness, unit quaternions, domain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadQuaternion, BadShape, NotFinite, OutsideDomain, require
from ..spatial.arrays import ready, real_numbers
from .segments import FACTORS

if TYPE_CHECKING:
    from .joint import Joint

UNIT = 1e-6  # quaternions this close to unit norm are normalised


def quaternion_positions(joint: Joint) -> list[int]:
    """Where the joint's quaternions begin in its q."""
    return [joint.offsets[s.grid.coordinates[0]][0] for s in joint.segments if s.kind != FACTORS]


def checked_quaternions(q: np.ndarray, positions, who) -> np.ndarray:
    """q with its quaternions normalised; those further than 1e-6 from unit norm are refused."""
    if not len(positions):
        return q
    q = q.copy()
    for at in positions:
        norm = np.linalg.norm(q[..., at : at + 4], axis=-1)
        off = np.abs(norm - 1.0)
        if np.any(off > UNIT):
            index = np.unravel_index(np.argmax(off), off.shape)
            raise BadQuaternion(
                f"{who(at)}: a quaternion (w, x, y, z) must have unit norm within {UNIT:g}, got norm "
                f"{norm[index]:.6g}{f' in state {index}' if index else ''}; normalise it, or start from (1, 0, 0, 0)"
            )
        q[..., at : at + 4] /= norm[..., None]
    return q


def checked_coordinates(joint: Joint, q) -> tuple[np.ndarray, tuple[int, ...]]:
    """q as (count, nq) and its batch shape. A joint with one coordinate takes plain numbers too."""
    if joint.takes_any_q and ready(q, joint.nq):
        return q[None], ()
    return _looked_at(joint, q)


def _looked_at(joint: Joint, q) -> tuple[np.ndarray, tuple[int, ...]]:
    q = real_numbers(q, "q")
    if joint.nq == 1 and (q.ndim == 0 or q.shape[-1] != 1):
        q = q[..., None]
    names = ", ".join(joint.coordinates) or "none"
    if q.ndim == 0 or q.shape[-1] != joint.nq:
        raise BadShape(f"joint with coordinates ({names}): expected q of shape (..., {joint.nq}), got {q.shape}")
    if not np.isfinite(q).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(q))[0])
        raise NotFinite(f"joint with coordinates ({names}): q{list(index)} is {q[index]}; coordinates must be finite")
    q = checked_quaternions(q, quaternion_positions(joint), lambda at: f"joint with coordinates ({names})")
    if joint.outside == "error":
        check_domain(joint, q)
    return np.ascontiguousarray(q.reshape(math.prod(q.shape[:-1]), joint.nq)), q.shape[:-1]


def check_domain(joint: Joint, q: np.ndarray) -> None:
    """Refuse coordinates outside the domain; periodic ones wrap and are never outside."""
    for c, (low, high) in enumerate(joint.domain):
        if joint.periodic[c]:
            continue
        x = q[..., joint.offsets[c][0]]
        require(
            np.all((x >= low) & (x <= high)),
            f"coordinate {joint.coordinates[c]!r} must stay in [{low:g}, {high:g}] (outside='error')",
            OutsideDomain,
            lowest=float(x.min()),
            highest=float(x.max()),
        )
