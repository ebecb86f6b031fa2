"""Which of the many velocities that move the coordinates as asked: least weighted velocity, least torque, priorities.

[ParkFussellBrowne1992, section 4.5.3, corrected]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..dynamics import bias_forces, mass_matrix
from ..dynamics.arguments import States
from ..errors import BadShape, require
from ..typing import ArrayLike
from .animation_space import AnimationSpace, checked_states
from .coordinates.pose_jet import Posture
from .weighted_pseudoinverse import Inverse, factored, weight_roots


@dataclass(frozen=True)
class Resolution:
    """How redundancy is resolved.

    Parameters
    ----------
    weights : sequence of float, optional
        One for each velocity: a heavier joint moves less.
    damping : float, optional
        Bounded velocities near singular poses, at the price of an error, which is reported.
    secondary : callable, optional
        secondary(t, q): velocities wished for, followed where no coordinate moves.
    priorities : sequence of sequences of str, optional
        Coordinate names level by level, first the strictest; a level yields to those before it.
    """

    weights: Sequence[float] | None = None
    damping: float = 0.0
    secondary: Callable | None = None
    priorities: Sequence[Sequence[str]] | None = None

    def levels(self, space: AnimationSpace) -> list[np.ndarray]:
        """Row numbers of each level; coordinates not named come last.

        Parameters
        ----------
        space : AnimationSpace

        Returns
        -------
        list of ndarray of int

        Raises
        ------
        BadValue
            If a coordinate stands in two levels.
        """
        if self.priorities is None:
            return [np.arange(space.size)]
        named = [space.rows(level) for level in self.priorities]
        taken = np.concatenate(named) if named else np.zeros(0, dtype=int)
        require(len(set(taken)) == len(taken), "a coordinate stands in two priority levels", priorities=self.priorities)
        rest = np.setdiff1d(np.arange(space.size), taken)
        return named + ([rest] if len(rest) else [])


class Resolved(NamedTuple):
    """Velocities or accelerations (..., nv), and what is missing of the coordinates (..., size).

    Attributes
    ----------
    motion : ndarray, shape (..., nv)
        Velocities or accelerations.
    error : ndarray, shape (..., size)
        What is missing of the coordinates.
    """

    motion: np.ndarray
    error: np.ndarray


def resolve_velocity(
    space: AnimationSpace, q: ArrayLike, rate: ArrayLike, t: ArrayLike = 0.0, how: Resolution | None = None
) -> Resolved:
    """Velocities that give the coordinates the rates u̇ (..., size).  [eq. 21, with its time term]

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    rate : array_like, shape (..., m)
        Rates u̇ of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    how : Resolution, optional
        Weights, damping, priorities.

    Returns
    -------
    Resolved
        Velocities and what was not met.
    """
    how = Resolution() if how is None else how
    s, times, x = asked(space, q, t, rate)
    slope = space.jets(Posture(space.model, s["q"], times, single=s.single)).slope
    G, want = slope[..., :-1], x - slope[..., -1]
    v = velocities(space, how, s, times, G, want)
    return _resolved(s, space, v, want - np.einsum("smn,sn->sm", G, v))


def velocities(space: AnimationSpace, how: Resolution, s: States, times, G: np.ndarray, want: np.ndarray) -> np.ndarray:
    """The law itself on flat arrays."""
    roots = weight_roots(how.weights, space.model.nv)
    levels = how.levels(space)
    if len(levels) == 1:
        inverse = factored(G, roots, how.damping)
        inverse.check_rank(space.labels)
        v = inverse.velocity(want)
    else:
        v, inverse = by_priority(G, want, levels, roots, how.damping), factored(G, roots)
    if how.secondary is None:
        return v
    return v + inverse.idle(_wished(how, s, times, space.model.nv))


def _wished(how: Resolution, s: States, times: np.ndarray, nv: int) -> np.ndarray:
    t = times.reshape(s.batch) if s.batch else float(times[0])
    z = np.asarray(how.secondary(t, s.shaped(s["q"], s["q"].shape[-1])), dtype=float)  # type: ignore[misc]
    try:
        return np.broadcast_to(z, (*s.batch, nv)).reshape(s.count, nv)
    except ValueError:
        raise BadShape(f"secondary must return velocities (..., {nv}); got {z.shape}") from None


def by_priority(G, want, levels, roots, damping: float) -> np.ndarray:
    """Each level moves only what leaves the levels above it alone."""
    v = np.zeros((len(G), G.shape[-1]))
    left, done = G, np.zeros(0, dtype=int)
    for rows in levels:
        missing = want[:, rows] - np.einsum("smn,sn->sm", G[:, rows], v)
        v = v + _level(left[:, rows], G[:, rows], roots, damping).velocity(missing)
        done = np.concatenate([done, rows])
        left = factored(G[:, done], roots).idle_rows(G)
    return v


def _level(left: np.ndarray, whole: np.ndarray, roots: np.ndarray, damping: float) -> Inverse:
    """The inverse of projected rows; rows that have almost nothing left are dropped, not blown up."""
    gone = np.linalg.norm(left, axis=-1) < 1e-8 * np.linalg.norm(whole, axis=-1)
    return factored(np.where(gone[..., None], 0.0, left), roots, damping)


def resolve_acceleration(
    space: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    acceleration: ArrayLike,
    t: ArrayLike = 0.0,
    how: Resolution | None = None,
) -> Resolved:
    """Accelerations that give ü (..., size) from the state (q, v), of least weighted size.  [eq. 23]

    For a state whose velocity is itself the answer of `resolve_velocity`, the accelerations that keep it so are those
    of `consistent_acceleration`; the two differ where no coordinate moves.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    acceleration : array_like, shape (..., m)
        Accelerations ü of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    how : Resolution, optional
        Weights, damping, priorities.

    Returns
    -------
    Resolved
        Accelerations and what was not met.
    """
    how = Resolution() if how is None else how
    s, times, x = asked(space, q, t, acceleration, v=v)
    _, slope, _, bias = space.motion(s["q"], s["v"], times)
    G, want = slope[..., :-1], x - bias
    a = velocities(space, how, s, times, G, want)
    return _resolved(s, space, a, want - np.einsum("smn,sn->sm", G, a))


def consistent_acceleration(how: Resolution, G, G_rate, want, want_rate) -> np.ndarray:
    """d/dt of the velocity law along its own motion, exact; `want` is u̇ less ∂u/∂t, `want_rate` its time derivative.

    Flat arrays; for one level without secondary wishes.
    """
    inverse = factored(G, weight_roots(how.weights, G.shape[-1]), how.damping)
    return inverse.acceleration(want, want_rate, G_rate)


def resolve_torque(
    space: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    acceleration: ArrayLike,
    t: ArrayLike = 0.0,
    weights: ArrayLike | None = None,
) -> Resolved:
    """Accelerations that give ü (..., size) with the least weighted torque τᵀWτ.

    With τ = M a + h and A = M W M: a = a₀ + A⁻¹Gᵀ(G A⁻¹Gᵀ)⁻¹(b − G a₀), a₀ = −M⁻¹h.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    acceleration : array_like, shape (..., m)
        Accelerations ü of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    weights : array_like, shape (nv,), optional
        Weights of the squared torques.

    Returns
    -------
    Resolved
        Accelerations and what was not met.
    """
    s, times, x = asked(space, q, t, acceleration, v=v)
    _, slope, _, bias = space.motion(s["q"], s["v"], times)
    M, h = mass_matrix(space.model, s["q"]), bias_forces(space.model, s["q"], s["v"])
    roots = weight_roots(weights, space.model.nv)
    rest = -np.linalg.solve(M, h[..., None])[..., 0]
    C = np.linalg.inv(roots[:, None] * M)  # a − a₀ = C z, and |z|² is the weighted torque
    inverse = factored(slope[..., :-1] @ C, np.ones(space.model.nv))
    inverse.check_rank(space.labels)
    want = x - bias
    missing = want - np.einsum("smn,sn->sm", slope[..., :-1], rest)
    a = rest + np.einsum("sij,sj->si", C, inverse.velocity(missing))
    return _resolved(s, space, a, want - np.einsum("smn,sn->sm", slope[..., :-1], a))


def asked(space: AnimationSpace, q, t, x, **others) -> tuple[States, np.ndarray, np.ndarray]:
    """States that have the batch shape of what is asked, too."""
    x = np.asarray(x, dtype=float)
    require(x.ndim and x.shape[-1] == space.size, f"give {space.size} numbers: {', '.join(space.labels)}", BadShape)
    require(np.isfinite(x).all(), "what is asked of the coordinates must be finite")
    q = np.asarray(q, dtype=float)
    q = np.broadcast_to(q, (*np.broadcast_shapes(q.shape[:-1], x.shape[:-1]), q.shape[-1]))
    s, times = checked_states(space.model, q, t, **others)
    return s, times, np.broadcast_to(x, (*s.batch, space.size)).reshape(s.count, space.size)


def _resolved(s: States, space: AnimationSpace, motion: np.ndarray, error: np.ndarray) -> Resolved:
    return Resolved(s.shaped(motion, space.model.nv), s.shaped(error, space.size))
