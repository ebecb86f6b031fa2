"""Closed loops: extended coordinates, soft springs, joints eliminated; and how many freedoms are left.

A loop is closed by coordinates whose motion is given: a point that stays, a body welded to another. `held` below is an
AnimationSpace of these; that of a model's own constraints is `closing(model)`. The hard method with multipliers is the
engine's: `cd.constraints`. [ParkFussellBrowne1992, section 4.5, corrected]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..dynamics import bias_forces, constraint_forces, mass_matrix
from ..dynamics.arguments import States
from ..errors import RankLost, require
from ..model import Model
from ..typing import ArrayLike
from .animation_dynamics import inverse_gradient, require_square
from .animation_space import AnimationSpace, require_free, require_space, space_states
from .coordinate_partition import RANK, partitions
from .coordinates import perfect_powers
from .coordinates.pose_jet import Posture
from .resolution import asked
from .weighted_pseudoinverse import weight_roots


class Constrained(NamedTuple):
    """Accelerations (..., nv) and the reactions (..., size of `held`) along the held coordinates.

    Attributes
    ----------
    a : ndarray, shape (..., nv)
        Accelerations.
    reactions : ndarray, shape (..., size of `held`)
        Along the held coordinates.
    """

    a: np.ndarray
    reactions: np.ndarray


class Mobility(NamedTuple):
    """Freedoms that are left when coordinates are held.

    Attributes
    ----------
    counted : int
        By Grübler: one less for each row.
    true : int
        By rank, at a pose.
    """

    counted: int
    true: int


def mobility(held: AnimationSpace | Model, q: ArrayLike, t: float = 0.0) -> Mobility:
    """How many freedoms a closed mechanism has at a pose.  [eq. 41, and N − rank(G) which is right]

    `held` are the coordinates that close it, or a model with constraints, whose rank the engine says.

    Parameters
    ----------
    held : AnimationSpace or Model
        The coordinates that close it, or a model with constraints.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    t : float, optional
        Time [s], for what depends on it.

    Returns
    -------
    Mobility
    """
    if isinstance(held, Model):
        found = constraint_forces(held, q, np.zeros(held.nv), t=t)
        return Mobility(held.nv - found.rows, held.nv - int(found.rank))
    require_space(held)
    G = perfect_powers.held(held).gradient(q, t)
    size = np.linalg.norm(G, axis=1, keepdims=True)
    S = np.linalg.svd(G / np.where(size > 0, size, 1.0), compute_uv=False)
    rank = int(np.sum(RANK * 1e2 * S[0] < S))
    return Mobility(held.model.nv - held.size, held.model.nv - rank)


class _Loop(NamedTuple):
    """What all methods need, flat: M a = rest + Gᵀ λ and G a = want."""

    s: States
    M: np.ndarray
    rest: np.ndarray
    G: np.ndarray
    want: np.ndarray


def _loop(held: AnimationSpace, q, v, tau, t, acceleration, stabilise: float, wrenches) -> _Loop:
    require_space(held)
    model = held.model
    require_free(model, "a held loop")
    given = np.zeros(held.size) if acceleration is None else acceleration
    tau = np.zeros(model.nv) if tau is None else tau
    s, times, x = asked(held, q, t, given, v=v, tau=tau, wrenches=wrenches)
    u, slope, _, bias = perfect_powers.held(held, np.all(x == 0.0, axis=0)).motion(s["q"], s["v"], times)
    if stabilise:
        rate = np.einsum("smk,sk->sm", slope[..., :-1], s["v"]) + slope[..., -1]
        x = x - 2.0 * stabilise * rate - stabilise**2 * np.where(held.has_value, u, 0.0)
    W = s["wrenches"].reshape(-1, model.nbodies, 6) if wrenches is not None else None
    rest = s["tau"] - bias_forces(model, s["q"], s["v"], W)
    return _Loop(s, mass_matrix(model, s["q"]), rest, slope[..., :-1], x - bias)


def partitioned_acceleration(
    held: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    t: ArrayLike = 0.0,
    *,
    acceleration: ArrayLike | None = None,
    stabilise: float = 0.0,
    wrenches: ArrayLike | None = None,
) -> Constrained:
    """Accelerations with the held coordinates at ü = `acceleration` (default 0); joints that follow are eliminated.

    Which joints follow is chosen by pivoting, state by state. `stabilise` [1/s] pulls held coordinates whose target is
    zero back to it (Baumgarte). Redundant rows share the reaction with the least size. This holds any coordinate; the
    points and frames that `cd.constraints` names the engine holds itself, by multipliers.

    Parameters
    ----------
    held : AnimationSpace
        Coordinates that are held at zero.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    t : float, optional
        Time [s], for what depends on it.
    acceleration : array_like, shape (..., m), optional
        Accelerations ü of the coordinates; zero if left out.
    stabilise : float, optional
        Pull of the held coordinates back to zero [1/s].
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.

    Returns
    -------
    Constrained
        Accelerations and reactions.
    """
    x = _loop(held, q, v, tau, t, acceleration, stabilise, wrenches)
    a = np.zeros_like(x.rest)
    for states, T, start in partitions(x.G, x.want):
        M = x.M[states]
        A = np.swapaxes(T, 1, 2) @ M @ T
        force = np.einsum("sni,sn->si", T, x.rest[states] - np.einsum("sij,sj->si", M, start))
        a[states] = start + np.einsum("sni,si->sn", T, np.linalg.solve(A, force[..., None])[..., 0])
    _require_possible(held, x.want - np.einsum("smn,sn->sm", x.G, a), x.want)
    left = np.einsum("sij,sj->si", x.M, a) - x.rest  # Gᵀ λ
    y = np.einsum("snm,sn->sm", np.linalg.pinv(x.G, rcond=RANK), left)
    return Constrained(x.s.shaped(a, held.model.nv), x.s.shaped(y, held.size))


def _require_possible(held: AnimationSpace, missing: np.ndarray, want: np.ndarray) -> None:
    worst = np.abs(missing).max(axis=0)
    require(
        worst.max() <= 1e-6 * max(1.0, np.abs(want).max()),
        f"coordinate {held.labels[int(np.argmax(worst))]!r} cannot be held: it contradicts the others",
        RankLost,
        missing=float(worst.max()),
    )


def extended_acceleration(
    space: AnimationSpace,
    held: str | list[str],
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    t: ArrayLike = 0.0,
    *,
    acceleration: ArrayLike | None = None,
) -> Constrained:
    """The same in animation space: `held` names coordinates of a square space; the others move freely.  [eqs. 31-36]

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    held : str or list of str
        Names of the coordinates that are held.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    t : float, optional
        Time [s], for what depends on it.
    acceleration : array_like, shape (..., m), optional
        Accelerations ü of the coordinates; zero if left out.

    Returns
    -------
    Constrained
        Accelerations and reactions.
    """
    require_square(space)
    rows = space.rows(held)
    given = np.zeros(space.size)
    given[rows] = 0.0 if acceleration is None else acceleration
    x = _loop(space, q, v, tau, t, given, 0.0, None)
    Gu = inverse_gradient(space, x.G)
    inertia = np.einsum("sji,sjk,skl->sil", Gu, x.M, Gu)
    others = np.setdiff1d(np.arange(space.size), rows)
    u = x.want.copy()  # ü less the bias, so that a = G_u u
    force = np.einsum("sji,sj->si", Gu, x.rest)
    known = np.einsum("sij,sj->si", inertia[:, others][:, :, rows], u[:, rows])
    A = inertia[:, others][:, :, others]
    u[:, others] = np.linalg.solve(A, (force[:, others] - known)[..., None])[..., 0]
    reaction = np.einsum("sij,sj->si", inertia[:, rows], u) - force[:, rows]
    a = np.einsum("sij,sj->si", Gu, u)
    return Constrained(x.s.shaped(a, space.model.nv), x.s.shaped(reaction, len(rows)))


def soft_forces(
    held: AnimationSpace, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, *, stiffness: float, damping: float
) -> np.ndarray:
    """Joint forces (..., nv) of springs and dampers that pull the held coordinates to zero: −Gᵀ(k u + c u̇).

    [eq. 26, its last lines corrected]

    Parameters
    ----------
    held : AnimationSpace
        Coordinates that are held at zero.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    t : float, optional
        Time [s], for what depends on it.
    stiffness : float
        Stiffness [N/m, N m/rad] of each coordinate.
    damping : float
        Damping [N s/m, N m s/rad] of each coordinate.

    Returns
    -------
    ndarray, shape (..., nv)
    """
    s, times = space_states(held, q, t, v=v)
    u = held.jets(Posture(held.model, s["q"], times, single=s.single))
    G = u.slope[..., :-1]
    rate = np.einsum("smk,sk->sm", G, s["v"]) + u.slope[..., -1]
    return s.shaped(-np.einsum("smn,sm->sn", G, stiffness * u.value + damping * rate), held.model.nv)


def stiffness_matrix(held: AnimationSpace, q: ArrayLike, t: ArrayLike = 0.0, *, stiffness: float) -> np.ndarray:
    """How spring forces change with the pose, k GᵀG + Σ k u_i H_i, (..., nv, nv).  [eq. 26, the stiffness in braces]

    Parameters
    ----------
    held : AnimationSpace
        Coordinates that are held at zero.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    t : float, optional
        Time [s], for what depends on it.
    stiffness : float
        Stiffness [N/m, N m/rad] of each coordinate.

    Returns
    -------
    ndarray, shape (..., nv, nv)
    """
    require_space(held)
    G, H, u = held.gradient(q, t), held.hessian(q, t), held.value(q, t)
    return stiffness * (np.swapaxes(G, -1, -2) @ G + np.einsum("...i,...ijk->...jk", u, H))


class Shared(NamedTuple):
    """Joint forces (..., nv) and the reactions (..., size of `held`) that share a motion's load with them.

    Attributes
    ----------
    tau : ndarray, shape (..., nv)
        Joint forces.
    reactions : ndarray, shape (..., size of `held`)
        Along the held coordinates.
    """

    tau: np.ndarray
    reactions: np.ndarray


def shared_forces(
    held: AnimationSpace, q: ArrayLike, tau: ArrayLike, t: Any = 0.0, *, weights: ArrayLike | None = None
) -> Shared:
    """The least weighted joint forces for a motion of a closed mechanism: τ − Gᵀλ, with the reactions λ doing the rest.

    `tau` are the forces of inverse dynamics on the open tree.

    Parameters
    ----------
    held : AnimationSpace
        Coordinates that are held at zero.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    tau : array_like, shape (..., nv)
        Forces of inverse dynamics on the open tree.
    t : float, optional
        Time [s], for what depends on it.
    weights : array_like, shape (nv,), optional
        Weights of the squared joint forces.

    Returns
    -------
    Shared
    """
    s, times = space_states(held, q, t, tau=tau)
    G = perfect_powers.held(held).jets(Posture(held.model, s["q"], times)).slope[..., :-1]
    roots = weight_roots(weights, held.model.nv)
    A = np.swapaxes(G, -1, -2) * roots[:, None]
    reactions = np.einsum("smn,sn->sm", np.linalg.pinv(A), s["tau"] * roots)
    left = s["tau"] - np.einsum("smn,sm->sn", G, reactions)
    return Shared(s.shaped(left, held.model.nv), s.shaped(reactions, held.size))
