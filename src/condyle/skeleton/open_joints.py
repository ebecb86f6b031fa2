"""Joints that came apart in a run: which, when, by how much; for integrators that do not close them at every step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import amount, warn
from ..model.memo import once_per_model
from .engine.joint_gaps import CLOSED
from .state import State

if TYPE_CHECKING:
    from .skeleton import Skeleton

DRIFTING = ("rk4", "printed")  # "variational", and all steps of a `HeldModel`, close joints or stop
PART = 1e-3  # of the size of what a joint joins: a gap that is told; an error of an axis [rad]
BLOCK = 4096  # states that are looked at together, so that what is computed of them stays in the cache


class OpenJoint(NamedTuple):
    """A joint that came apart: its first record beyond what is allowed, and the farthest of all."""

    joint: str
    unit: str  # m of its locations, rad of its axes
    time: float  # [s]
    member: tuple[int, ...]
    value: float  # at that time, of that member
    excess: float  # value over what is allowed
    largest: float


class Side(NamedTuple):
    """What one body of each joint has of it: its location and the axes that the joint locks, k vectors."""

    bodies: np.ndarray  # (joints,), −1 is the world
    turns: np.ndarray  # (joints, 9, 3 k): what a rotation, row by row, makes of them
    fixed: np.ndarray  # (joints, 1, 3 k): what they are in a body that is not turned


class Watched(NamedTuple):
    """Joints of one kind by what their two bodies have of them, which should be in one place."""

    names: tuple[str, ...]
    sides: tuple[Side, ...]
    allowed: np.ndarray  # (joints, 1, k) [m, rad, …], squared


def joint_sizes(skeleton: Skeleton) -> np.ndarray:
    """The size of what each joint joins (joints,) [m]: of the larger of its two bodies; the world has none.

    A body reaches from its centre of mass to its farthest joint, at least as far as its radius of gyration. Where
    both bodies are tiny, as those between the hinges of one hip, a tenth of the median over all joints counts.
    """
    turning = np.trace(skeleton.inertias, axis1=-2, axis2=-1) / 2.0
    reach = np.append(np.sqrt(turning / skeleton.masses), 0.0)  # −1 is the world
    np.maximum.at(reach, skeleton.pairs, np.linalg.norm(skeleton.points, axis=-1))
    reach[-1] = 0.0
    larger = reach[skeleton.pairs].max(axis=-1)
    return np.maximum(larger, 0.1 * np.median(larger)) if len(larger) else larger


def open_joints(skeleton: Skeleton, times: np.ndarray, states: State) -> list[OpenJoint]:
    """The joints that are open by more than `PART` in records (..., T); NaN, after a member's end, is not looked at."""
    n, found = len(skeleton.masses), []
    p, R = states.positions.reshape(-1, n, 3).swapaxes(0, 1), states.rotations.reshape(-1, n, 9).swapaxes(0, 1)
    for x in _watched(skeleton):
        some = max(1, BLOCK // len(x.names))
        blocks = [slice(i, i + some) for i in range(0, max(p.shape[1], 1), some)]
        squares = np.concatenate([_apart(x, p[:, k], R[:, k]) for k in blocks], axis=1)
        beyond = squares > x.allowed
        for j in np.flatnonzero(beyond.any(axis=(1, 2))).tolist() if beyond.any() else ():
            allowed = np.sqrt(x.allowed[j, 0])
            gaps = (np.sqrt(squares[j]) / allowed).reshape(-1, len(times), len(allowed))
            found += _told(x.names[j], times, states.shape[:-1], gaps, float(allowed[0]))
    return found


@once_per_model
def _watched(skeleton: Skeleton) -> list[Watched]:
    """All joints, with the axis of a hinge and the three of a weld."""
    sizes, kept = np.maximum(PART * joint_sizes(skeleton), 10.0 * CLOSED), []
    for locked, axes in {0: [], 2: [2], 3: [0, 1, 2]}.items():
        of = np.flatnonzero(skeleton.locked == locked)
        vectors = np.concatenate([skeleton.points[of, :, :, None], skeleton.frames[of][..., axes]], axis=-1)
        allowed = np.full((len(of), 1, vectors.shape[-1]), PART)
        allowed[:, 0, 0] = sizes[of]
        sides = tuple(_side(skeleton.pairs[of, k], vectors[:, k]) for k in (0, 1))
        kept.append(Watched(tuple(skeleton.joint_names[j] for j in of), sides, allowed**2))
    return [x for x in kept if x.names]


def _side(bodies: np.ndarray, vectors: np.ndarray) -> Side:
    """That of bodies with vectors (joints, 3, k)."""
    count, _, k = vectors.shape
    turns = np.zeros((count, 3, 3, k, 3))
    for a in range(3):
        turns[:, a, :, :, a] = vectors
    return Side(bodies, turns.reshape(count, 9, 3 * k), vectors.swapaxes(1, 2).reshape(count, 1, 3 * k))


def _apart(x: Watched, p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Squared distances (joints, count, k) between what both bodies have of joints in states (bodies, count, …)."""
    first, second = (_in_world(side, p, R) for side in x.sides)
    d = (first - second).reshape(*first.shape[:2], x.allowed.shape[-1], 3)
    d *= d
    return d[..., 0] + d[..., 1] + d[..., 2]


def _in_world(side: Side, p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(joints, count, 3 k): where joints and their axes are."""
    found, world = R[side.bodies] @ side.turns, side.bodies < 0
    found[..., :3] += p[side.bodies]
    if world.any():
        found[world] = side.fixed[world]
    return found


def _told(
    joint: str, times: np.ndarray, batch: tuple[int, ...], gaps: np.ndarray, allowed: float
) -> Iterator[OpenJoint]:
    """When and how far the location and the axes of a joint opened, if they did; gaps (count, T, k) over allowed."""
    for unit, some, scale in (("m", gaps[..., :1], allowed), ("rad", gaps[..., 1:], PART)):
        most = np.fmax.reduce(some, axis=-1, initial=0.0)
        beyond = (most > 1.0).any(axis=0)
        if beyond.any():
            first = int(beyond.argmax())
            member = int(most[:, first].argmax())
            excess, index = float(most[member, first]), np.unravel_index(member, batch) if batch else ()
            where = tuple(int(i) for i in index)
            yield OpenJoint(joint, unit, float(times[first]), where, scale * excess, excess, scale * float(most.max()))


def merged(before: Iterable[OpenJoint], after: Iterable[OpenJoint]) -> list[OpenJoint]:
    """What is known of each joint after further records."""
    known = {(x.joint, x.unit): x for x in before}
    for x in after:
        old = known.get((x.joint, x.unit), x)
        known[x.joint, x.unit] = old._replace(largest=max(old.largest, x.largest))
    return list(known.values())


def warn_of_open_joints(found: list[OpenJoint], integrator: str) -> None:
    """Warn of the joint that came apart first, and farthest at that time."""
    if not found:
        return
    x = min(found, key=lambda x: (x.time, -x.excess))
    whose = f" of member {list(x.member)}" if x.member else ""
    others = len({y.joint for y in found}) - 1
    more = f"; so did {amount(others, 'other joint')}" if others else ""
    what = "its two locations are" if x.unit == "m" else "its two axes are"
    warn(
        f"joint {x.joint!r}{whose} came apart: {what} {x.value:.3g} {x.unit} apart at t = {x.time:.6g} s, and up to "
        f"{x.largest:.3g} {x.unit} in this run{more}. integrator={integrator!r} does not close joints again: take a "
        'smaller step, softer motors or control, or integrator="variational", which keeps joints closed or stops '
        "(motion.report().gap has the gaps over time)"
    )
