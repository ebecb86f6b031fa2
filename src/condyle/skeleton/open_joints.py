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
    """What a body has of a joint: its location and the axes that the joint locks, k vectors."""

    body: int  # −1 is the world
    turns: np.ndarray  # (9, 3 k): what a rotation, row by row, makes of them
    fixed: np.ndarray  # (3 k,): what they are in a body that is not turned


class Watched(NamedTuple):
    """A joint by what its two bodies have of it, which should be in one place."""

    name: str
    sides: tuple[Side, ...]
    allowed: np.ndarray  # (k,) [m, rad, …], squared


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
    p, R = (x.reshape(-1, *x.shape[len(states.shape) :]) for x in (states.positions, states.rotations))
    blocks, found = [slice(i, i + BLOCK) for i in range(0, max(len(p), 1), BLOCK)], []
    for x in _watched(skeleton):
        squares = np.concatenate([_apart(x, p[k], R[k]) for k in blocks])
        if (squares > x.allowed).any():
            gaps = np.sqrt(squares / x.allowed).reshape(-1, len(times), len(x.allowed))
            found += _told(x, times, states.shape[:-1], gaps)
    return found


@once_per_model
def _watched(skeleton: Skeleton) -> list[Watched]:
    """All joints, with the axis of a hinge and the three of a weld."""
    allowed, kept = np.maximum(PART * joint_sizes(skeleton), 10.0 * CLOSED), []
    for j, locked in enumerate(skeleton.locked.tolist()):
        axes = skeleton.frames[j][..., {0: [], 2: [2], 3: [0, 1, 2]}[locked]]
        vectors = np.concatenate([skeleton.points[j][..., None], axes], axis=-1)
        sides = tuple(_side(body, x) for body, x in zip(skeleton.pairs[j].tolist(), vectors, strict=True))
        limits = np.array([allowed[j]] + [PART] * axes.shape[-1])
        kept.append(Watched(skeleton.joint_names[j], sides, limits**2))
    return kept


def _side(body: int, vectors: np.ndarray) -> Side:
    """That of a body with vectors (3, k)."""
    turns = np.zeros((3, 3, vectors.shape[1], 3))
    for a in range(3):
        turns[a, :, :, a] = vectors
    return Side(body, turns.reshape(9, -1), vectors.T.ravel())


def _apart(x: Watched, p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Squared distances (count, k) between what both bodies have of a joint in states (count, bodies, …)."""
    first, second = (_in_world(side, p, R) for side in x.sides)
    d = (first - second).reshape(len(p), -1, 3)
    return np.einsum("nka,nka->nk", d, d)


def _in_world(side: Side, p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(count, 3 k), or (3 k,) of the world: where a joint and its axes are."""
    if side.body < 0:
        return side.fixed
    found = R[:, side.body].reshape(-1, 9) @ side.turns
    found[:, :3] += p[:, side.body]
    return found


def _told(x: Watched, times: np.ndarray, batch: tuple[int, ...], gaps: np.ndarray) -> Iterator[OpenJoint]:
    """When and how far the location and the axes of a joint opened, if they did; gaps (count, T, k) over allowed."""
    for unit, some, scale in (("m", gaps[..., :1], float(np.sqrt(x.allowed[0]))), ("rad", gaps[..., 1:], PART)):
        most = np.fmax.reduce(some, axis=-1, initial=0.0)
        beyond = (most > 1.0).any(axis=0)
        if beyond.any():
            first = int(beyond.argmax())
            member = int(most[:, first].argmax())
            excess, index = float(most[member, first]), np.unravel_index(member, batch) if batch else ()
            where = tuple(int(i) for i in index)
            yield OpenJoint(x.name, unit, float(times[first]), where, scale * excess, excess, scale * float(most.max()))


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
