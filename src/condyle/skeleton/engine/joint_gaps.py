"""How far joints are from closed, in position and in velocity: equations (1) and (2) of the article."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import InconsistentLoop, NotFinite, require
from ..state import State

if TYPE_CHECKING:
    from ..skeleton import Skeleton


CLOSED = 1e-8  # [m, rad, m/s, rad/s]


@dataclass(frozen=True, eq=False)
class Residuals:
    """Distances between the two sides of every joint, each of shape (..., joints).

    Attributes
    ----------
    gap : ndarray
        Between the two locations [m].
    axis : ndarray
        Between the axes of a hinge or the frames of a weld [rad]; 0 for a ball.
    gap_rate : ndarray
        [m/s]
    axis_rate : ndarray
        [rad/s]
    """

    gap: np.ndarray  # [m], between the two locations
    axis: np.ndarray  # [rad], between the axes (hinge) or frames (weld); 0 for a ball
    gap_rate: np.ndarray  # [m/s]
    axis_rate: np.ndarray  # [rad/s]

    def worst(self) -> tuple[int, str, float]:
        """The joint that is furthest off, in what, and how far; of an empty batch none is."""
        parts = ("gap", "m"), ("axis", "rad"), ("gap_rate", "m/s"), ("axis_rate", "rad/s")
        table = np.stack([getattr(self, name) for name, _ in parts])
        if not table.size:
            return 0, "m", 0.0
        flat = np.nanmax(table.reshape(4, -1, table.shape[-1]), axis=1)
        kind, joint = np.unravel_index(np.argmax(flat), flat.shape)
        return int(joint), parts[int(kind)][1], float(flat[kind, joint])


class Side(NamedTuple):
    """One body's side of every joint, world axes."""

    point: np.ndarray
    frame: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray
    rotation: np.ndarray


def sides(skeleton: Skeleton, state: State) -> tuple[Side, Side]:
    """Where both bodies of every joint hold it, and how these places move."""
    return _side(skeleton, state, 0), _side(skeleton, state, 1)


def residuals(skeleton: Skeleton, state: State | None = None) -> Residuals:
    """Distances between the two sides of every joint.

    Parameters
    ----------
    state : State, optional
        The initial one by default.

    Returns
    -------
    Residuals
    """
    a, b = sides(skeleton, skeleton.checked_state(state))
    locked, spin, z = skeleton.locked, a.spin - b.spin, a.frame[..., 2]
    across = spin - (spin * z).sum(axis=-1, keepdims=True) * z
    axis_rate = np.where(locked == 3, _length(spin), np.where(locked == 2, _length(across), 0.0))
    axis = _angles(a.frame, b.frame, locked)
    return Residuals(_length(a.point - b.point), axis, _length(a.velocity - b.velocity), axis_rate)


def hinge_angles(skeleton: Skeleton, state: State, both: tuple[Side, Side]) -> np.ndarray:
    """(..., joints) [rad] of hinges, 0 for others: from the second body's frame to the first's, turns counted in."""
    x, frame = both[0].frame[..., 0], both[1].frame
    sine, cosine = (x * frame[..., 1]).sum(axis=-1), (x * frame[..., 0]).sum(axis=-1)
    turns = 2.0 * np.pi * state.turns if state.turns.shape[-1] else 0.0
    return np.where(skeleton.locked == 2, np.arctan2(sine, cosine) + turns, 0.0)


def place_of(state: State, bodies: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, ...]:
    """Where points (k, 3) of bodies (k,) are and how they move; the bodies' spins, rotations; −1 is the world."""
    world = (bodies < 0)[:, None]
    R = np.where(world[..., None], np.eye(3), state.rotations[..., bodies, :, :])
    p, v = (np.where(world, 0.0, a[..., bodies, :]) for a in (state.positions, state.velocities))
    w = np.where(world, 0.0, _times(R, state.angular_velocities[..., bodies, :]))
    r = _times(R, points)
    return p + r, v + np.cross(w, r), w, R


def _side(skeleton: Skeleton, state: State, side: int) -> Side:
    point, velocity, spin, R = place_of(state, skeleton.pairs[:, side], skeleton.points[:, side])
    return Side(point, R @ skeleton.frames[:, side], velocity, spin, R)


def _angles(F1: np.ndarray, F2: np.ndarray, locked: np.ndarray) -> np.ndarray:
    """Between z axes (hinge), between all axes (weld, the largest), or 0 (ball)."""
    if not (locked == 3).any():
        F1, F2 = F1[..., 2:], F2[..., 2:]
    sine, cosine = _length(np.cross(F1, F2, axisa=-2, axisb=-2, axisc=-2), -2), (F1 * F2).sum(axis=-2)
    angles = np.arctan2(sine, cosine)  # (..., joints, columns)
    return np.where(locked == 3, angles.max(axis=-1), np.where(locked == 2, angles[..., -1], 0.0))


def _times(R: np.ndarray, a: np.ndarray) -> np.ndarray:
    return (R @ a[..., None])[..., 0]


def _length(a: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.sqrt((a * a).sum(axis=axis))


def _require_numbers(skeleton: Skeleton, state: State) -> None:
    """Refuse a start with NaN or infinity: say which body, and of what."""
    for name, x in vars(state).items():
        bad = np.argwhere(~np.isfinite(x))
        if not len(bad):
            continue
        k = len(state.shape)
        owner = skeleton.joint_names if name == "turns" else skeleton.body_names
        member = f" of member {bad[0, :k].tolist()}" if k else ""
        words = f"the start{member}: {name} of {owner[bad[0, k]]!r} must be finite numbers"
        require(False, words, NotFinite, got=x[tuple(bad[0, : k + 1])].tolist())


def check_closed(skeleton: Skeleton, state: State) -> None:
    """Refuse a start whose joints gape or are being torn apart: say which, how far, and the way out."""
    _require_numbers(skeleton, state)
    if not len(skeleton.pairs):
        return
    joint, unit, value = residuals(skeleton, state).worst()
    if value <= CLOSED:
        return
    words = {
        "m": "its two locations are apart by",
        "rad": "its two axes differ by",
        "m/s": "its two locations separate at",
        "rad/s": "its two axes turn apart at",
    }
    raise InconsistentLoop(
        f"joint {skeleton.joint_names[joint]!r}: {words[unit]} {value:.6g} {unit} at the start; at most {CLOSED:g} is "
        "allowed. Correct the state, or take the nearest consistent one: skeleton.projected(state).state "
        "(Skeleton.from_arrays(…, check=False) makes a skeleton whose own start is open)."
    )
