"""Joints as OpenSim's CustomJoint has them: shifts along three axes, then turns about three axes through one point."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ....joints import Joint
from ....joints.functions import Function
from ....joints.segments import FACTORS
from ....spatial import adjoint
from .written_functions import Written, constant, scaled, written

NEAR = 1e-12  # of unit vectors: parallel; of lengths, relative to the largest: at one place


@dataclass
class Axis:
    """A unit axis, through a point if it turns, and the functions whose sum moves along or about it."""

    direction: np.ndarray
    parts: list[Function]
    point: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass
class Axes:
    """G = head · shifts · turns · tail; each axis with its function in OpenSim's words."""

    head: np.ndarray
    turns: list[tuple[np.ndarray, Written]]
    shifts: list[tuple[np.ndarray, Written]]
    tail: np.ndarray

    def slots(self) -> list[tuple[str, np.ndarray, Written]]:
        """All six axes; those that do nothing are not parallel to others."""
        out = []
        for kind, found in (("rotation", self.turns), ("translation", self.shifts)):
            filled = list(found)
            while len(filled) < 3:
                filled.append((_other([d for d, _ in filled]), constant(0.0)))
            out += [(f"{kind}{k + 1}", d, f) for k, (d, f) in enumerate(filled)]
        return out

    def turned_by(self, coordinate: int) -> bool:
        """Whether OpenSim will call a coordinate rotational: the last axis that goes by it alone decides."""
        plain = [slot for slot, _, f in self.slots() if f.plain and f.coordinates == (coordinate,)]
        return bool(plain) and plain[-1].startswith("rotation")


def _other(directions: list[np.ndarray]) -> np.ndarray:
    """The axis x, y or z that is furthest from all given ones."""
    alike = [max((abs(float(e @ d)) for d in directions), default=0.0) for e in np.eye(3)]
    return np.eye(3)[int(np.argmin(alike))]


def custom_axes(joint: Joint) -> Axes | None:
    """The axes of a joint that is a CustomJoint exactly; None if it is not."""
    found = _factors(joint)
    if found is None:
        return None
    factors, tail = found
    turns: list[Axis] = []
    shifts: list[Axis] = []
    for twist, function in factors:
        if not _take(twist, function, turns, shifts):
            return None
    if len(turns) > 3 or len(shifts) > 3 or _parallel_pairs(turns) or _parallel_pairs(shifts):
        return None
    center = _common_point(turns)
    functions = [[(axis.direction, written(axis.parts)) for axis in axes] for axes in (turns, shifts)]
    if center is None or any(f is None for axes in functions for _, f in axes):
        return None
    there, back = np.eye(4), np.eye(4)
    there[:3, 3], back[:3, 3] = center, -center
    kept = [[(d, f) for d, f in axes if f is not None] for axes in functions]
    return Axes(there, kept[0], kept[1], back @ tail)


def _factors(joint: Joint) -> tuple[list[tuple[np.ndarray, Function]], np.ndarray] | None:
    """G = Π exp(ĝ φ) · tail, with all twists in the parent's frame; None if poses or twists change from row to row."""
    pose, out = np.eye(4), []
    for s in joint.segments:
        same = s.kind == FACTORS and np.ptp(s.poses, axis=0).max() == 0.0 and not np.ptp(s.twists, axis=0).any()
        if not same:
            return None
        pose = pose @ s.poses[0]
        out += [(adjoint(pose) @ g, Function(s.grid, t, "")) for g, t in zip(s.twists[0], s.terms, strict=True)]
    return out, pose


def _take(twist: np.ndarray, function: Function, turns: list[Axis], shifts: list[Axis]) -> bool:
    """Add a factor to the axes; False if its shift would have to pass a turn that changes it."""
    w, v = twist[:3], twist[3:]
    rate, size = float(np.linalg.norm(w)), float(np.linalg.norm(v))
    if rate == 0.0:
        return _add_shift(v / size, scaled(function, size), turns, shifts)
    n = w / rate
    along = float(n @ v)
    if abs(along) > NEAR * max(size, rate) and not _add_shift(n, scaled(function, along), turns, shifts):
        return False
    point, last = np.cross(n, v) / rate, turns[-1] if turns else None
    if last is not None and _parallel(last.direction, n) and _on_line(point, last):
        last.parts.append(scaled(function, rate * float(np.sign(last.direction @ n))))
    else:
        turns.append(Axis(n, [scaled(function, rate)], point))
    return True


def _add_shift(u: np.ndarray, function: Function, turns: list[Axis], shifts: list[Axis]) -> bool:
    if not all(_parallel(turn.direction, u) for turn in turns):
        return False
    for shift in shifts:
        if _parallel(shift.direction, u):
            shift.parts.append(scaled(function, float(np.sign(shift.direction @ u))))
            return True
    shifts.append(Axis(u, [function]))
    return True


def _parallel(a: np.ndarray, b: np.ndarray) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < NEAR


def _parallel_pairs(axes: list[Axis]) -> bool:
    """Whether OpenSim would refuse the axes: two of them nearly parallel."""
    pairs = [(a.direction, b.direction) for i, a in enumerate(axes) for b in axes[:i]]
    return any(float(np.linalg.norm(np.cross(a, b))) < 1e-5 for a, b in pairs)


def _on_line(point: np.ndarray, axis: Axis) -> bool:
    gap = np.cross(axis.direction, point - axis.point)
    return float(np.linalg.norm(gap)) <= NEAR * (1.0 + float(np.linalg.norm(point)))


def _common_point(turns: list[Axis]) -> np.ndarray | None:
    """A point on all axes; None if there is none."""
    if not turns:
        return np.zeros(3)
    across = [np.eye(3) - np.outer(a.direction, a.direction) for a in turns]
    rows, right = np.concatenate(across), np.concatenate([P @ a.point for P, a in zip(across, turns, strict=True)])
    center = np.linalg.lstsq(rows, right, rcond=None)[0]
    return center if all(_on_line(center, axis) for axis in turns) else None
