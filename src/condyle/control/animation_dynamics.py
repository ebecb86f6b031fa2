"""Dynamics written in animation space, and the reactions of coordinates that are held.

[ParkFussellBrowne1992, eqs. 34-38]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..dynamics import inverse_dynamics, mass_matrix
from ..errors import NotSupported, require
from ..typing import ArrayLike
from .animation_space import AnimationSpace, require_space
from .closed_form_dynamics import no_loads, tensor_form
from .resolution import asked
from .weighted_pseudoinverse import factored


class AnimationForm(NamedTuple):
    """The dynamics in animation space: τ_u = inertia ü + u̇'coriolis u̇ − weight − loads(u̇).  [eq. 35]

    Attributes
    ----------
    inertia : ndarray, shape (..., m, m)
    coriolis : ndarray, shape (..., m, m, m)
    weight : ndarray, shape (..., m)
    loads : callable
        loads(u̇) gives the forces (..., m) of the model's springs, dampers, limits and constant forces.
    """

    inertia: np.ndarray
    coriolis: np.ndarray
    weight: np.ndarray
    loads: Callable[[np.ndarray], np.ndarray] = no_loads

    def forces(self, rate: ArrayLike, acceleration: ArrayLike) -> np.ndarray:
        """τ_u for rates u̇ and accelerations ü.  [eq. 35]

        Parameters
        ----------
        rate : array_like, shape (..., m)
            u̇.
        acceleration : array_like, shape (..., m)
            ü.

        Returns
        -------
        ndarray, shape (..., m)
        """
        rate, acceleration = np.asarray(rate), np.asarray(acceleration)
        turned = np.einsum("...ijk,...j,...k->...i", self.coriolis, rate, rate)
        return np.einsum("...ij,...j->...i", self.inertia, acceleration) + turned - self.weight - self.loads(rate)


def require_square(space: AnimationSpace) -> None:
    require_space(space)
    require(
        space.size == space.model.nv,
        f"dynamics in animation space needs as many coordinates as freedoms ({space.model.nv}); with fewer use "
        "effective_inertia, or resolve the redundancy first",
        NotSupported,
        coordinates=space.size,
    )


def inverse_gradient(space: AnimationSpace, G: np.ndarray) -> np.ndarray:
    """[G_u] = [G]⁻¹, (..., n, n); dependent coordinates raise with their names.  [eq. 36]"""
    factored(G.reshape(-1, *G.shape[-2:]), np.ones(space.model.nv)).check_rank(space.labels)
    return np.linalg.inv(G)


def animation_form(space: AnimationSpace, q: ArrayLike) -> AnimationForm:
    """The closed form in coordinates u that do not depend on time.  [eqs. 34, 38]

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].

    Returns
    -------
    AnimationForm
    """
    require_square(space)
    form, H = tensor_form(space.model, q), space.hessian(q)
    Gu = inverse_gradient(space, space.gradient(q))
    inertia = np.einsum("...ji,...jk,...kl->...il", Gu, form.inertia, Gu)
    inner = np.einsum("...ji,...jkl->...ikl", Gu, form.coriolis) - np.einsum("...ic,...ckl->...ikl", inertia, H)
    coriolis = np.einsum("...ikl,...ka,...lb->...iab", inner, Gu, Gu)
    weight = np.einsum("...ji,...j->...i", Gu, form.weight)

    def loads(rate: np.ndarray) -> np.ndarray:
        joints = form.loads(np.einsum("...ij,...j->...i", Gu, rate))
        return np.einsum("...ji,...j->...i", Gu, joints)

    return AnimationForm(inertia, coriolis, weight, loads)


def animation_forces(
    space: AnimationSpace, q: ArrayLike, v: ArrayLike, acceleration: ArrayLike, t: ArrayLike = 0.0
) -> np.ndarray:
    """τ_u (..., m) that gives ü, fast: G_uᵀ times inverse dynamics.

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

    Returns
    -------
    ndarray, shape (..., m)
        Forces along the coordinates.
    """
    require_square(space)
    s, times, x = asked(space, q, t, acceleration, v=v)
    _, slope, _, bias = space.motion(s["q"], s["v"], times)
    Gu = inverse_gradient(space, slope[..., :-1])
    a = np.einsum("sij,sj->si", Gu, x - bias)
    tau = inverse_dynamics(space.model, s["q"], s["v"], a)
    return s.shaped(np.einsum("sji,sj->si", Gu, tau), space.size)


def reactions(
    space: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    acceleration: ArrayLike,
    tau: ArrayLike | None = None,
    t: Any = 0.0,
) -> np.ndarray:
    """Forces (..., m) along each coordinate beyond the joint forces `tau`: required τ_u − G_uᵀ τ.

    For a held point these are the force of the hold on it.

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
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    t : float, optional
        Time [s], for what depends on it.

    Returns
    -------
    ndarray, shape (..., m)
    """
    required = animation_forces(space, q, v, acceleration, t)
    if tau is None:
        return required
    Gu = inverse_gradient(space, space.gradient(q, t))
    return required - np.einsum("...ji,...j->...i", Gu, np.asarray(tau, dtype=float))


def effective_inertia(space: AnimationSpace, q: ArrayLike, t: ArrayLike = 0.0) -> np.ndarray:
    """The inertia (..., m, m) felt at the coordinates, (G M⁻¹ Gᵀ)⁻¹; with as many coordinates as freedoms eq. 34.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    t : float, optional
        Time [s], for what depends on it.

    Returns
    -------
    ndarray, shape (..., m, m)
    """
    require_space(space)
    G, M = space.gradient(q, t), mass_matrix(space.model, q)
    return np.linalg.inv(G @ np.linalg.solve(M, np.swapaxes(G, -1, -2)))
