"""Joints as hinges and sliders about fixed axes of their body: exactly where they are that, else as near as can be.

A body's pose is B · Π exp(η_i x_i), with constant twists η_i that turn about a line or slide along a direction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from ....errors import NotSupported, require
from ....joints.evaluate import pose_matrices
from ....joints.joint import Joint
from ....model import Body, Model
from ....spatial import exp_se3, log_se3
from ....spatial.twists import adjoint, pose_inverse
from ...opensim.writing.approximation import Approximation, pose_errors
from ...opensim.writing.xml_elements import angles

SAME = 1e-11  # [m, rad]: what is nearer is the same
PLACES = 200  # of a coordinate at which an approximation is fitted; between them errors are looked for
ORDER = 4  # of polynomials in MJCF


@dataclass(frozen=True, eq=False)
class Move:
    """A hinge or slider in the frame of its body: `axis` (3,), `at` (3,) [m] for a hinge, and what it belongs to.

    `follows` are coefficients (5,) of a polynomial of the driver's value, for a move that is no coordinate of its own.
    """

    name: str
    hinge: bool
    axis: np.ndarray
    at: np.ndarray
    range: tuple[float, float] | None = None
    follows: tuple[str, np.ndarray] | None = None


@dataclass(frozen=True, eq=False)
class Moves:
    """A body's pose in its parent where all moves are zero, its moves in order, and how far they are off."""

    base: np.ndarray
    moves: tuple[Move, ...]
    approximation: Approximation | None = None


def exact_moves(model: Model, body: Body, own: list[str]) -> Moves | None:
    """The moves of a joint that is a product of exponentials of its twists at zero; None if it is not."""
    zero = np.zeros((1, body.joint.nq))
    first = pose_matrices(body.joint, zero)[0]
    tail = pose_inverse(body.offset.as_matrix())
    twists = (adjoint(body.offset.as_matrix()) @ body.joint.jacobian(zero)[0]).T
    moves = [_move(model, name, twist) for name, twist in zip(own, twists, strict=True)]
    base = body.placement.as_matrix() @ first @ tail
    if any(m is None for m in moves) or not _same(body, base, moves):
        return None
    return Moves(base, tuple(m for m in moves if m is not None))


def _move(model: Model, name: str, twist: np.ndarray) -> Move | None:
    """A hinge about a line, or a slider; None for a screw and for other scales than one."""
    turn, shift = twist[:3], twist[3:]
    low, high = model.ranges.get(name, (-np.inf, np.inf))
    ends = (float(low), float(high)) if np.isfinite([low, high]).all() else None
    if np.linalg.norm(turn) < SAME:
        return Move(name, False, shift, np.zeros(3), ends) if abs(np.linalg.norm(shift) - 1.0) < SAME else None
    if abs(np.linalg.norm(turn) - 1.0) > SAME or abs(turn @ shift) > SAME:
        return None
    return Move(name, True, turn, np.cross(turn, shift), ends)


def placed(base: np.ndarray, moves: tuple[Move, ...] | list, x: np.ndarray) -> np.ndarray:
    """Poses (n, 4, 4) of the body for values (n, moves), of which there may be none."""
    pose = np.broadcast_to(base, (len(x), 4, 4))
    for move, value in zip(moves, x.T, strict=True):
        twist = np.concatenate([move.axis, np.cross(move.at, move.axis)]) if move.hinge else [0, 0, 0, *move.axis]
        pose = pose @ exp_se3(value[:, None] * np.asarray(twist))
    return pose


def _same(body: Body, base: np.ndarray, moves: list) -> bool:
    q = _places(body.joint, len(moves))
    tail = pose_inverse(body.offset.as_matrix())
    true = body.placement.as_matrix() @ pose_matrices(body.joint, q) @ tail
    return bool(np.abs(placed(base, moves, q) - true).max() < 1e-9 * max(1.0, np.abs(q).max(initial=0.0)))


def _places(joint: Joint, count: int) -> np.ndarray:
    """Values (n, count) all over the domain of a joint, some of them in every piece of its functions."""
    rng, columns = np.random.default_rng(0), []
    for c in range(count):
        low, high = (end if np.isfinite(end) else far for end, far in zip(joint.domain[c], (-4.0, 4.0), strict=True))
        cuts = [b for s in joint.segments for k, b in zip(s.grid.coordinates, s.grid.breaks, strict=True) if k == c]
        ends = np.unique(np.concatenate([[low, high], *cuts]).clip(low, high))
        columns.append(np.concatenate([0.5 * (ends[1:] + ends[:-1]), ends]))
    n = max((len(x) for x in columns), default=0)
    rows = [rng.permutation(np.resize(x, 2 * n)) for x in columns]
    mixed = [rng.uniform(x.min(), x.max(), 16) for x in columns]
    return np.concatenate([np.reshape(part, (count, -1)).T for part in (rows, mixed)]) if count else np.zeros((1, 0))


def _span(model: Model, body: Body, name: str) -> np.ndarray:
    """Values of a coordinate over its range inside the joint's domain."""
    low, high = (f(a, b) for f, a, b in zip((max, min), model.range_of(name), body.joint.domain[0], strict=True))
    good = np.isfinite([low, high]).all() and low < high
    words = f"joint {body.joint_name!r}: to be approximated, its coordinate needs a range; give one with set_range"
    require(good, words, NotSupported, low=low, high=high)
    return np.linspace(low, high, PLACES)


def fitted_move(model: Model, body: Body, name: str) -> Moves:
    """The hinge about a fixed line, or for a body that never turns the slider, nearest to a joint of one coordinate."""
    q = _span(model, body, name)
    tail = pose_inverse(body.offset.as_matrix())
    true = body.placement.as_matrix() @ pose_matrices(body.joint, q[:, None]) @ tail
    turns = log_se3(pose_inverse(true[0]) @ true)
    if np.abs(turns[:, :3]).max() < 1e-9:
        return _fitted_slider(body, name, q, true)
    ends = turns[-1] if np.abs(turns[-1, :3]).max() > 1e-6 else turns[np.linalg.norm(turns[:, :3], axis=1).argmax()]
    return _fitted_hinge(body, name, q, true, ends[:3] / np.linalg.norm(ends[:3]))


def _fitted_slider(body: Body, name: str, q: np.ndarray, true: np.ndarray) -> Moves:
    """The slider along a line that comes nearest to poses (n, 4, 4) without turns at values q (least squares)."""
    at = true[:, :3, 3]
    along = (q - q.mean()) @ (at - at.mean(axis=0))  # of all unit vectors its own is nearest
    size = float(np.linalg.norm(along))
    axis = along / size if size > 0.0 else np.eye(3)[0]
    base = true[0].copy()
    base[:3, 3] = at.mean(axis=0) - q.mean() * axis
    move = Move(name, False, base[:3, :3].T @ axis, np.zeros(3), (float(q[0]), float(q[-1])))
    return Moves(base, (move,), _compared(body, name, q, true, placed(base, [move], q[:, None]), "a slider"))


def _fitted_hinge(body: Body, name: str, q: np.ndarray, true: np.ndarray, sense: np.ndarray) -> Moves:
    """The hinge about a fixed line that comes nearest to poses (n, 4, 4) at values q (least squares)."""
    size = max(float(np.linalg.norm(body.inertia.com)), 0.05)
    start = true[len(q) // 2]

    def moved(x: np.ndarray) -> tuple[np.ndarray, Move]:
        axis = (sense + x[6:9]) / np.linalg.norm(sense + x[6:9])
        return start @ exp_se3(x[:6]), Move(name, True, axis, x[9:12], (float(q[0]), float(q[-1])))

    def residual(x: np.ndarray) -> np.ndarray:
        base, move = moved(x)
        gap = log_se3(pose_inverse(true) @ placed(base, [move], q[:, None]))
        return (gap * [size, size, size, 1.0, 1.0, 1.0]).ravel()

    found = least_squares(residual, np.zeros(12), x_scale="jac")
    base, move = moved(found.x)
    return Moves(base, (move,), _compared(body, name, q, true, placed(base, [move], q[:, None]), "a hinge"))


def coupled_moves(model: Model, body: Body, name: str) -> Moves:
    """Three sliders and three hinges, all polynomials of one of them, near to a joint of one coordinate (for MJCF)."""
    q = _span(model, body, name)
    poses = pose_matrices(body.joint, q[:, None])
    first = pose_matrices(body.joint, np.zeros((1, 1)))[0]
    local = pose_inverse(first) @ poses
    values = np.concatenate([local[:, :3, 3], np.unwrap(angles(local[:, :3, :3]), axis=0)], axis=1)
    driver, scale = _driver(q, values, body)
    offset = body.offset.as_matrix()
    moves, kept = [], []
    for k in range(6):
        if k != driver and np.abs(values[:, k]).max() < 1e-9:
            continue
        found = _part(name, k, driver, scale, q, values[:, k], offset)
        moves.append(found)
        kept.append(q if found.follows is None else np.polynomial.polynomial.polyval(q, found.follows[1]))
    ends = body.placement.as_matrix(), pose_inverse(offset)
    base, true = ends[0] @ first @ ends[1], ends[0] @ poses @ ends[1]
    there = placed(base, moves, np.stack(kept, axis=1))
    form = f"{len(moves)} joints coupled by polynomials"
    return Moves(base, tuple(moves), _compared(body, name, q, true, there, form))


def _part(name: str, k: int, driver: int, scale: float, q: np.ndarray, values: np.ndarray, offset: np.ndarray) -> Move:
    """One of three sliders and three hinges: the coordinate itself, or a polynomial of it."""
    axis, at = offset[:3, k % 3], offset[:3, 3]
    if k == driver:
        return Move(name, k > 2, scale * axis, at, (float(q[0]), float(q[-1])))
    poly = np.polynomial.polynomial.polyfit(q, values, ORDER)
    return Move(f"{name}_{'xyz'[k % 3]}{'_turn' if k > 2 else ''}", k > 2, axis, at, None, (name, poly))


def _compared(body: Body, name: str, q: np.ndarray, true: np.ndarray, there: np.ndarray, form: str) -> Approximation:
    """How far poses (n, 4, 4) at values q are off, and their slopes by differences."""
    rates = np.gradient(log_se3(pose_inverse(true) @ there), q, axis=0)
    errors = pose_errors(true, there, rates)
    return Approximation(body.joint_name, name, (float(q[0]), float(q[-1])), len(q), *errors, form=form)


def _driver(q: np.ndarray, values: np.ndarray, body: Body) -> tuple[int, float]:
    """The part of the motion that is the coordinate itself, up to a constant and its sign; refused if none is."""
    slopes = np.gradient(values, q, axis=0)
    for k in (5, 4, 3, 2, 1, 0):
        if np.abs(np.abs(slopes[:, k]) - 1.0).max() < 1e-6:
            return k, float(np.sign(slopes[0, k]))
    raise NotSupported(
        f"joint {body.joint_name!r} is none that MJCF can express, and no angle or shift of it is its coordinate"
    )
