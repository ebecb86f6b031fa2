"""Bringing a pose to given values of coordinates: closing loops, starting on target, taking out drift."""

from __future__ import annotations

import numpy as np

from ..dynamics import forward_dynamics, integrate, mass_matrix
from ..errors import BadShape, InconsistentLoop, require
from ..typing import ArrayLike
from .animation_space import AnimationSpace, space_states
from .coordinates.perfect_powers import held
from .coordinates.pose_jet import Posture
from .weighted_pseudoinverse import factored

STEPS = 60
LONGEST = 0.5  # [rad or m] of one step


def assembled(
    space: AnimationSpace,
    q: ArrayLike,
    target: ArrayLike | None = None,
    t: ArrayLike = 0.0,
    *,
    tolerance: float = 1e-11,
) -> np.ndarray:
    """The pose near q where the coordinates have the values `target` (default 0); InconsistentLoop says the gap.

    Newton's method with least joint motion in the mass metric, shortened and damped where it does not help.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    target : array_like, shape (..., m), optional
        Values of the coordinates; zero if left out.
    t : float, optional
        Time [s], for what depends on it.
    tolerance : float, optional
        Largest gap that is left.

    Returns
    -------
    ndarray, shape (..., nq)

    Raises
    ------
    InconsistentLoop
        No such pose was found; the gap is said.
    RankLost
        If a joint moves nothing that has inertia.
    """
    s, times = space_states(space, q, t)
    goal = np.zeros(space.size) if target is None else np.asarray(target, dtype=float)
    require(goal.shape[-1:] == (space.size,), f"give {space.size} target values", BadShape, shape=goal.shape)
    goal = np.broadcast_to(goal, (*s.batch, space.size)).reshape(s.count, space.size)
    space = held(space, (goal == 0.0).all(axis=0))
    q, gap, damping = s["q"], np.full(s.count, np.inf), 0.0
    for _ in range(STEPS):
        u = space.jets(Posture(space.model, q, times))
        miss = np.where(space.has_value, goal - u.value, 0.0)
        here = np.abs(miss).max(axis=1)
        if here.max() <= tolerance:
            return s.shaped(q, space.model.nq)
        damping = 0.0 if here.max() < 0.5 * gap.max() else max(1e-3, damping) * 1.5
        gap = here
        dq = _least_motion(space, q, u.slope[..., :-1], miss, damping)
        longest = np.maximum(np.abs(dq).max(axis=1, keepdims=True), 1e-300)
        q = integrate(space.model, q, dq * np.minimum(1.0, LONGEST / longest))
    raise InconsistentLoop(_gap(space, goal - space.jets(Posture(space.model, q, times)).value, tolerance))


def _least_motion(space: AnimationSpace, q: np.ndarray, G: np.ndarray, x: np.ndarray, damping=0.0) -> np.ndarray:
    """Velocities with G v = x of least kinetic energy: v = L⁻ᵀ z with M = L Lᵀ and |z| least."""
    M = mass_matrix(space.model, q)
    try:
        L = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        forward_dynamics(space.model, q, np.zeros((len(q), space.model.nv)))  # names what has no inertia
        raise
    B = np.swapaxes(np.linalg.solve(L, np.swapaxes(G, -1, -2)), -1, -2)  # G L⁻ᵀ
    z = factored(B, np.ones(space.model.nv), damping).velocity(x)
    return np.linalg.solve(np.swapaxes(L, -1, -2), z[..., None])[..., 0]


def _gap(space: AnimationSpace, miss: np.ndarray, tolerance: float) -> str:
    worst = int(np.argmax(np.abs(miss).max(axis=1)))
    row = int(np.argmax(np.abs(miss[worst])))
    where = f" in state {worst}" if len(miss) > 1 else ""
    return (
        f"the coordinates cannot reach their values{where}: {space.labels[row]!r} stays "
        f"{abs(miss[worst, row]):.6g} away (asked: {tolerance:g}). Move the target within reach or start nearer"
    )


def projected_velocity(
    space: AnimationSpace, q: ArrayLike, v: ArrayLike, rate: ArrayLike | None = None, t: ArrayLike = 0.0
) -> np.ndarray:
    """The velocity nearest to v in the mass metric whose coordinates have the rates `rate` (default 0).

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    rate : array_like, shape (..., m), optional
        Rates of the coordinates; zero if left out.
    t : float, optional
        Time [s], for what depends on it.

    Returns
    -------
    ndarray, shape (..., nv)
    """
    s, times = space_states(space, q, t, v=v)
    rate = np.zeros((1, space.size)) if rate is None else np.asarray(rate, dtype=float).reshape(-1, space.size)
    slope = held(space, np.all(rate == 0.0, axis=0)).jets(Posture(space.model, s["q"], times)).slope
    want = rate - slope[..., -1]
    G = slope[..., :-1]
    missing = want - np.einsum("smn,sn->sm", G, s["v"])
    return s.shaped(s["v"] + _least_motion(space, s["q"], G, missing), space.model.nv)
