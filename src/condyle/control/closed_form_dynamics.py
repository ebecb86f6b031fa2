"""The closed form of the dynamics, for looking at: τ = [I*] a + v'[P*]v − weight − loads.

[ParkFussellBrowne1992, eqs. 26-30] O(n³) and more; `cd.inverse_dynamics` gives the same numbers in O(n).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..dynamics import bias_forces
from ..dynamics.arguments import states
from ..dynamics.energy import principal_inertias
from ..model import Model
from ..typing import ArrayLike
from .coordinates.jets import Jet, concatenate
from .coordinates.pose_jet import Posture, second_derivatives


def no_loads(v: ArrayLike) -> np.ndarray:
    """The forces of a model without loads."""
    return np.zeros(np.asarray(v, dtype=float).shape)


@dataclass(frozen=True)
class TensorForm:
    """The dynamics as tensors: τ = inertia a + v'coriolis v − weight − loads(v).  [eq. 26]

    Attributes
    ----------
    inertia : ndarray, shape (..., n, n)
        [I*]
    coriolis : ndarray, shape (..., n, n, n)
        [P*], with the force first.
    weight : ndarray, shape (..., n)
        Of gravity.
    loads : callable
        loads(v) gives the forces (..., n) of the model's springs, dampers, limits and constant forces at velocities v.
    """

    inertia: np.ndarray
    coriolis: np.ndarray
    weight: np.ndarray
    loads: Callable[[ArrayLike], np.ndarray] = no_loads

    def inverse(self, v: ArrayLike, a: ArrayLike) -> np.ndarray:
        """Forces for accelerations a, under gravity and the model's loads.  [eq. 26]

        Parameters
        ----------
        v : array_like, shape (..., n)
        a : array_like, shape (..., n)

        Returns
        -------
        ndarray, shape (..., n)
        """
        moved = np.einsum("...ij,...j->...i", self.inertia, np.asarray(a))
        return moved + self.velocity_forces(v) - self.weight - self.loads(v)

    def velocity_forces(self, v: ArrayLike) -> np.ndarray:
        """v'[P*]v, (..., n).

        Parameters
        ----------
        v : array_like, shape (..., n)

        Returns
        -------
        ndarray, shape (..., n)
        """
        v = np.asarray(v)
        return np.einsum("...ijk,...j,...k->...i", self.coriolis, v, v)

    def forward(self, v: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """Accelerations under forces tau, gravity and the model's loads.  [eq. 30]

        Parameters
        ----------
        v : array_like, shape (..., n)
        tau : array_like, shape (..., n)

        Returns
        -------
        ndarray, shape (..., n)
        """
        rest = np.asarray(tau) - self.velocity_forces(v) + self.weight + self.loads(v)
        return np.linalg.solve(self.inertia, rest[..., None])[..., 0]


def tensor_form(model: Model, q: ArrayLike) -> TensorForm:
    """[I*] and [P*] of a model from gradients and Hessians of every centre of mass and every spin.  [eqs. 27-29]

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].

    Returns
    -------
    TensorForm
    """
    s = states(model, q)
    n, bodies = model.nv, model.nbodies
    _, G, H = second_derivatives(model, _centers_and_spins, s["q"], np.zeros(s.count))
    G, H = G.reshape(s.count, 2, bodies, 3, n), H.reshape(s.count, 2, bodies, 3, n, n)
    (Gc, Gs), (Hc, Hs) = (np.moveaxis(x, 1, 0) for x in (G, H))
    masses, II = principal_inertias(model)[0], _world_inertias(model, s["q"])
    inertia = np.einsum("b,sbxi,sbxj->sij", masses, Gc, Gc) + np.einsum("sbxi,sbxy,sbyj->sij", Gs, II, Gs)
    P = np.einsum("b,sbxi,sbxjk->sijk", masses, Gc, Hc, optimize=True)
    P += np.einsum("sbxi,sbxy,sbyjk->sijk", Gs, II, Hs, optimize=True)
    turning = np.cross(Gs[..., :, None], np.einsum("sbxy,sbyk->sbxk", II, Gs)[..., None, :], axis=2)
    P += np.einsum("sbxi,sbxjk->sijk", Gs, turning, optimize=True)  # s_i · (ω × II ω)
    weight = np.einsum("b,sbxi,x->si", masses, Gc, model.gravity)
    return TensorForm(s.shaped(inertia, n, n), s.shaped(P, n, n, n), s.shaped(weight, n), loads_at(model, q))


def loads_at(model: Model, q: ArrayLike) -> Callable[[ArrayLike], np.ndarray]:
    """Forces of springs, dampers, limits and constant forces at a pose, as a function of the velocities."""
    if not model.forces:
        return no_loads
    bare = replace(model, forces=())
    return lambda v: bias_forces(bare, q, v) - bias_forces(model, q, v)


def _centers_and_spins(posture: Posture) -> Jet:
    """Rows: centres of mass of all bodies, then their spins (rates only)."""
    bodies = posture.model.bodies
    centers = [posture.point(b.name, b.inertia.com) for b in bodies]
    spins = [posture.rates_only(posture.spin_columns(b.name)) for b in bodies]
    return concatenate([*centers, *spins], axis=1)


def _world_inertias(model: Model, q: np.ndarray) -> np.ndarray:
    """[II] = R I Rᵀ of every body.  [eq. 28]"""
    posture = Posture(model, q, np.zeros(len(q)))
    R = np.stack([posture.rotation(b.name).value for b in model.bodies], axis=1)
    local = np.array([b.inertia.moment for b in model.bodies])
    return R @ local @ np.swapaxes(R, -1, -2)
