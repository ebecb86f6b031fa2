"""What constraints ask of positions: gaps, their exact Jacobian, and coordinates brought onto them inside limits.

Rolling asks nothing here: it holds velocities, and a wheel can be brought to any place that its joint allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..dynamics.kinematics import Moved, moved_bodies, path_to
from ..errors import InconsistentLoop
from ..joints.evaluate import pose_matrices
from ..model import Model
from ..model.kernels.layout import POINT
from ..model.resolved_constraints import Coupling, Loop, Rolling
from .bounded_least_squares import least_step
from .rotation_log import turn_and_jacobian

if TYPE_CHECKING:
    from .problem import Problem

__all__ = ["CLOSED", "closed", "gaps", "held", "require_closed"]

CLOSED = 1e-11  # [m or rad]: an order below what is promised
ROUNDS = 30
LONGEST = 0.5  # [rad or m] of one step: further away the Jacobian says little


def held(model: Model) -> tuple[Loop | Coupling, ...]:
    """The constraints that hold positions."""
    return tuple(c for c in model.constraints if not isinstance(c, Rolling))


def gaps(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far constraints are from holding (count, rows) and the Jacobian of that (count, rows, nv)."""
    constraints, nobody = held(model), np.zeros((2, len(q), 3, model.nv))
    bodies = sorted({b for c in constraints if isinstance(c, Loop) for b in (c.a, c.b) if b >= 0})
    ends = dict(zip(bodies, moved_bodies(model, q, [path_to(model, b) for b in bodies]), strict=True))
    ends[-1] = Moved(np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3)), *nobody)
    parts = [_loop(c, ends) if isinstance(c, Loop) else _coupling(c, q, model.nv) for c in constraints]
    return np.concatenate([gap for gap, _ in parts], axis=1), np.concatenate([C for _, C in parts], axis=1)


def _loop(loop: Loop, ends: dict[int, Moved]) -> tuple[np.ndarray, np.ndarray]:
    """The place of frame a less that of frame b in world axes, and for a weld the turn from b to a in a's axes."""
    a, b = ends[loop.a], ends[loop.b]
    x, y = a.p + a.R @ loop.frame_a[:3, 3], b.p + b.R @ loop.frame_b[:3, 3]
    gap, C = x - y, a.at(x) - b.at(y)
    if loop.kind == POINT:
        return gap, C
    A, B = a.R @ loop.frame_a[:3, :3], b.R @ loop.frame_b[:3, :3]
    turn, rate = turn_and_jacobian(np.swapaxes(B, 1, 2) @ A)
    spin = np.swapaxes(A, 1, 2) @ (a.turning - b.turning)
    return np.concatenate([turn, gap], axis=1), np.concatenate([rate @ spin, C], axis=1)


def _coupling(coupling: Coupling, q: np.ndarray, nv: int) -> tuple[np.ndarray, np.ndarray]:
    """A coordinate less a function of others, the place of a slide along x."""
    at_q, at_v = np.array(coupling.read, dtype=int).reshape(-1, 2).T
    C = np.zeros((len(q), 1, nv))
    C[:, 0, at_v] = -coupling.slide.jacobian(q[:, at_q])[:, 3]
    C[:, 0, coupling.v] = 1.0
    return q[:, coupling.q, None] - pose_matrices(coupling.slide, q[:, at_q])[:, :1, 3], C


def closed(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, largest gap) brought onto the constraints by shortest steps inside the limits."""
    q, largest, live = q.copy(), np.full(len(q), np.inf), np.arange(len(q))
    for _ in range(ROUNDS):
        gap, C = gaps(problem.model, q[live])
        largest[live] = np.abs(gap).max(axis=1)
        open_ = largest[live] > CLOSED
        if not open_.any():
            break
        live, gap, C = live[open_], gap[open_], C[open_]
        dv = least_step(C, -gap, *problem.room(q[live]))
        dv *= np.minimum(1.0, LONGEST / np.maximum(np.abs(dv).max(axis=1, keepdims=True), 1e-300))
        q[live] = problem.shifted(q[live], dv)
    return q, largest


def require_closed(problem: Problem, q: np.ndarray) -> np.ndarray:
    """q on the constraints, or the words of the first that cannot be closed."""
    q, largest = closed(problem, q)
    if (largest <= CLOSED).all():
        return q
    gap = gaps(problem.model, q)[0]
    member = int(np.argmax(largest))
    ends = np.cumsum([c.rows for c in held(problem.model)])
    worst = held(problem.model)[int(np.searchsorted(ends, np.argmax(np.abs(gap[member])), side="right"))]
    raise InconsistentLoop(
        f"inverse kinematics: the {worst.label} cannot be closed from q0 inside the ranges of the coordinates: a gap "
        f"of {largest[member]:.3g} {worst.unit} is left. Start nearer, widen the ranges, or leave them: limits=False."
    )
