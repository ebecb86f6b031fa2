"""Second-order kinematics: how Jacobians, momenta and the gradient of energy change with the coordinates.

Everything is the derivative of a first derivative, which is known in closed form, along the steps of `integrate`, by
dual numbers. Entry [..., j, k] is ∂_k of entry j. Ordinary coordinates give symmetric matrices. The columns of `ball`
and `free` turn with the child, so their steps do not commute: entry [j, k] less [k, j] is the derivative along the
bracket of their columns, and the symmetric part is the second derivative along `integrate`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...model import Model
from ...model.validate_model import require_model
from ...numeric import over_duals
from ...spatial.arrays import finite_vector, for_kernels
from ...typing import ArrayLike
from ..arguments import States, states, wrench_rows
from ..body_jacobians import motion_jacobian, motion_point_jacobian, world_jacobian
from ..coordinate_differences import coordinate_rates
from ..energy import principal_inertias
from ..failure_messages import require_finite
from ..forward_inverse import mass_matrix
from ..kinematics import STEP, Motion, checked_motion, motion, stepped
from ..muscle_calls import SLOPES, warn_once_of_idle_muscles
from .inverse_derivatives import inverse_dynamics_derivatives, require_no_followers


class MomentumDerivatives(NamedTuple):
    """Derivatives of [angular; linear] momentum, angular about the centre of mass, in world axes.

    Attributes
    ----------
    q, v : ndarray, shape (..., 6, nv)
        By coordinates, along the steps dv of `integrate` with v held, and by velocities.
    vq : ndarray, shape (..., 6, nv, nv)
        Of `v` by coordinates: [..., j, k] is ∂_k ∂/∂v_j.
    """

    q: np.ndarray
    v: np.ndarray
    vq: np.ndarray


class EnergyHessian(NamedTuple):
    """Second derivatives of the total energy.

    Attributes
    ----------
    q : ndarray, shape (..., nv, nv)
        By coordinates twice: [..., j, k] is ∂_k ∂_j, along the steps dv of `integrate` with v held.
    vq : ndarray, shape (..., nv, nv)
        Of ∂/∂v_j = (M v)_j by coordinates.
    v : ndarray, shape (..., nv, nv)
        By velocities twice: the mass matrix.
    """

    q: np.ndarray
    vq: np.ndarray
    v: np.ndarray


def body_hessian(model: Model, q: ArrayLike, body: str | int, *, threads: int | None = None) -> np.ndarray:
    """Derivatives (..., 6, nv, nv) of `body_jacobian`: second derivatives of a body's pose, in body axes.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    body : str or int
        Name or number of the body.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 6, nv, nv)
        [..., j, k] is the derivative of column j along a unit step dv_k of `integrate`.

    Examples
    --------
    The second of two hinges turns the column of the first:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> model = b.add_body("hand", "arm", cd.joints.revolute("x"), cd.Inertia.point(1.0)).build()
    >>> cd.body_hessian(model, [0.0, 0.0], "hand")[:, 0, 1].round(6) + 0.0
    array([ 0.,  0., -1.,  0.,  0.,  0.])
    """
    s, index = states(model, q), model.body_index(body)
    return _hessian(model, s, 6, "body_hessian", threads, lambda m: motion_jacobian(model, m, index))


def point_hessian(
    model: Model, q: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0), *, threads: int | None = None
) -> np.ndarray:
    """Second derivatives (..., 3, nv, nv) of the position, in world axes, of a point given in body axes [m].

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    body : str or int
        Name or number of the body.
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 3, nv, nv)
        [..., j, k] is the derivative of column j of `point_jacobian` along a unit step dv_k of `integrate`.

    Examples
    --------
    >>> import condyle as cd
    >>> model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0)).build()
    >>> cd.point_hessian(model, [0.0], "rod", (0, 0, -1))[:, 0, 0].round(6) + 0.0  # towards the axis
    array([0., 0., 1.])
    """
    s, index, at = states(model, q), model.body_index(body), finite_vector(point, 3, "a point of a body [m]")
    return _hessian(model, s, 3, "point_hessian", threads, lambda m: motion_point_jacobian(model, m, index, at))


def center_of_mass_jacobian(model: Model, q: ArrayLike, *, threads: int | None = None) -> np.ndarray:
    """The Jacobian (..., 3, nv) of the velocity of the centre of mass of all bodies, in world axes.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 3, nv)

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.center_of_mass_jacobian(model, [0.0])[:, 0].round(6) + 0.0
    array([-1.,  0.,  0.])
    """
    s = states(model, q)
    return s.shaped(_center_jacobian(model, checked_motion(model, s, threads=threads)), 3, model.nv)


def center_of_mass_hessian(model: Model, q: ArrayLike, *, threads: int | None = None) -> np.ndarray:
    """Second derivatives (..., 3, nv, nv) of the position of the centre of mass of all bodies, in world axes.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 3, nv, nv)
        [..., j, k] is the derivative of column j of `center_of_mass_jacobian` along a unit step dv_k of `integrate`.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.center_of_mass_hessian(model, [0.0])[:, 0, 0].round(6) + 0.0
    array([0., 0., 1.])
    """
    return _hessian(model, states(model, q), 3, "center_of_mass_hessian", threads, lambda m: _center_jacobian(model, m))


def momentum_derivatives(
    model: Model, q: ArrayLike, v: ArrayLike, *, threads: int | None = None
) -> MomentumDerivatives:
    """Derivatives of `momentum` by coordinates and velocities, and of the matrix that velocities give it with.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    MomentumDerivatives
        q and v (..., 6, nv), rows [angular; linear], and vq (..., 6, nv, nv).

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> found = cd.momentum_derivatives(model, [0.0], [3.0])
    >>> found.v[3:, 0].round(6) + 0.0, found.q[3:, 0].round(6) + 0.0
    (array([-2.,  0.,  0.]), array([0., 0., 6.]))
    """
    s = states(model, q, v=v)
    A = _momentum_matrix(model, checked_motion(model, s, threads=threads))
    vq = _hessian(model, s, 6, "momentum_derivatives", threads, lambda m: _momentum_matrix(model, m))
    by_q = np.einsum("sijk,sj->sik", vq.reshape(s.count, 6, model.nv, model.nv), s["v"])
    return MomentumDerivatives(s.shaped(by_q, 6, model.nv), s.shaped(A, 6, model.nv), vq)


def energy_hessian(
    model: Model, q: ArrayLike, v: ArrayLike | None = None, *, threads: int | None = None
) -> EnergyHessian:
    """Second derivatives of the total energy, kinetic and potential, by coordinates and velocities.

    Parameters
    ----------
    model : Model
        Without followers; of limits they are those of the side that the state is on.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv), optional
        Velocities [rad/s, m/s]; at rest if left out, where `q` is the stiffness of the model.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    EnergyHessian
        q, vq and v, each (..., nv, nv).

    Raises
    ------
    NotSupported
        A model with followers.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths, whose stiffness is not in it; once for each model.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.energy_hessian(model, [0.0]).q.round(6)  # m g l
    array([[19.62]])
    """
    require_model(model)
    require_no_followers(model.without_loads(), "energy_hessian")
    if model.muscles:
        warn_once_of_idle_muscles("energy_hessian", model, SLOPES)
        model = model.without_muscles()
    s = states(model, q, v=np.zeros(model.nv) if v is None else v)
    still = np.zeros_like(s["v"])
    stiffness = inverse_dynamics_derivatives(model, s["q"], still, still, threads=threads).dq
    by_q, by_v = _kinetic(model.unloaded, s, threads)
    n = model.nv
    require_finite(model, s, "raise", "energy_hessian: an entry", by_q, by_v)
    mass = mass_matrix(model, s["q"], threads=threads)
    return EnergyHessian(*(s.shaped(x, n, n) for x in (stiffness + 0.5 * by_q, by_v, mass)))


def _hessian(
    model: Model, s: States, rows: int, words: str, threads: int | None, of: Callable[[Motion], np.ndarray]
) -> np.ndarray:
    """Derivatives (..., rows, nv, nv) of a Jacobian `of` the motion, along every step of `integrate`."""
    n = model.nv
    q = np.repeat(s["q"], n, axis=0)
    along = np.tile(np.eye(n), (s.count, 1))
    found = np.imag(of(motion(model, stepped(model, q, along), threads=threads))) / STEP
    out = np.moveaxis(found.reshape(s.count, n, rows, n), 1, -1)
    require_finite(model, s, "raise", f"{words}: an entry", out)
    return s.shaped(np.ascontiguousarray(out), rows, n, n)


def _momentum_matrix(model: Model, m: Motion) -> np.ndarray:
    """How velocities give [angular; linear] momentum, angular about the centre of mass (count, 6, nv)."""
    masses, moments = principal_inertias(model)
    center = np.einsum("b,sbi->si", masses, m.p) / masses.sum()
    out = np.zeros((len(m.p), 6, model.nv), dtype=m.p.dtype)
    for b, (mass, own) in enumerate(zip(masses, moments, strict=True)):
        J = world_jacobian(model, m, b, m.p[:, b])
        R = m.R[:, b]
        linear = mass * J[:, 3:]
        turned = (R * own) @ (np.swapaxes(R, -1, -2) @ J[:, :3])
        out[:, :3] += turned + np.cross((m.p[:, b] - center)[:, :, None], linear, axis=1)
        out[:, 3:] += linear
    return out


def _center_jacobian(model: Model, m: Motion) -> np.ndarray:
    """How velocities move the centre of mass (count, 3, nv)."""
    return _momentum_matrix(model, m)[:, 3:] / principal_inertias(model)[0].sum()


def _kinetic(model: Model, s: States, threads: int | None) -> tuple[np.ndarray, np.ndarray]:
    """∂_k ∂_j of vᵀ M v, and ∂_k of (M v)_j (count, nv, nv): derivatives of the gradient of a virtual power."""
    from .kernels.cotangents import cotangent_states

    n = model.nv
    rows = s.count * n
    q, v = (np.repeat(s[name], n, axis=0) for name in ("q", "v"))
    q = for_kernels(q + 1j * coordinate_rates(model, q, np.tile(np.eye(n), (s.count, 1))), complex)
    v, rest = for_kernels(v, complex), np.zeros((rows, n), dtype=complex)
    pushes = wrench_rows(model, s)[:0].astype(complex)
    sizes = n, n, n, 6 * model.nbodies, 0, 3, n, 1
    out = tuple(np.zeros((rows, size), dtype=complex) for size in sizes)
    given = q, rest, rest, pushes, v, v
    pair, frames, none = model.tables, model.parameter_frames, np.zeros((0, 1), dtype=complex)
    over_duals(lambda z, i, j: cotangent_states(z, pair, frames, given, (*out, none), i, j), rows, threads)
    return tuple(np.swapaxes(np.imag(x).reshape(s.count, n, n), -1, -2) for x in (out[0], out[2]))  # type: ignore[return-value]
