"""Energy, momentum and the centre of mass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..deprecation import renamed_arguments
from ..errors import BadInertia, require
from ..model import Model
from ..typing import ArrayLike, OnFailure
from .arguments import states
from .failure_messages import require_finite
from .kinematics import Motion, checked_motion
from .muscle_calls import warn_once_of_idle_muscles
from .stored_energy import stored_energies


class Energy(NamedTuple):
    """Energies [J].

    Attributes
    ----------
    kinetic : ndarray, shape (...)
    potential : ndarray, shape (...)
        Of gravity, springs and limits.
    total : ndarray, shape (...)
        Their sum.
    """

    kinetic: np.ndarray
    potential: np.ndarray
    total: np.ndarray


class Momentum(NamedTuple):
    """Linear momentum [N s] and angular momentum about the centre of mass [N m s], in world axes.

    Attributes
    ----------
    linear : ndarray, shape (..., 3)
        [N s]
    angular : ndarray, shape (..., 3)
        About the centre of mass [N m s].
    """

    linear: np.ndarray
    angular: np.ndarray


def principal_inertias(model: Model) -> tuple[np.ndarray, np.ndarray]:
    return np.array([b.inertia.mass for b in model.bodies]), model.principal_moments


@renamed_arguments(errors="on_failure")
def center_of_mass(
    model: Model, q: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> np.ndarray:
    """The centre of mass of all bodies, in the world (..., 3) [m]; on_failure="nan" gives NaN where numbers overflow.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., 3)
        World axes [m].

    Raises
    ------
    BadInertia
        If no body has a mass.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.center_of_mass(model, [np.pi / 2]).round(6) + 0.0
    array([-1.,  0.,  0.])
    """
    s = states(model, q, on_failure=on_failure)
    _require_mass(model, "center_of_mass")
    m, _ = principal_inertias(model)
    with np.errstate(over="ignore", invalid="ignore"):
        center = np.einsum("b,sbi->si", m, checked_motion(model, s, on_failure, threads=threads).p) / m.sum()
    require_finite(model, s, on_failure, "center_of_mass: a position", center)
    return s.shaped(center, 3)


@renamed_arguments(errors="on_failure")
def momentum(
    model: Model, q: ArrayLike, v: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> Momentum:
    """Total linear momentum, and angular momentum about the centre of mass, each (..., 3).

    A state whose numbers overflow raises NotFinite, or with on_failure="nan" gives NaN.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    Momentum
        `linear` [N s] and `angular` [N m s], each (..., 3).

    Raises
    ------
    BadInertia
        If no body has a mass.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.momentum(model, [0.0], [3.0]).linear.round(6) + 0.0
    array([-6.,  0.,  0.])
    """
    s = states(model, q, on_failure=on_failure, v=v)
    _require_mass(model, "momentum")
    with np.errstate(over="ignore", invalid="ignore"):
        linear, angular = _momenta(model, checked_motion(model, s, on_failure, threads=threads))
    require_finite(model, s, on_failure, "momentum: a component", linear, angular)
    return Momentum(s.shaped(linear, 3), s.shaped(angular, 3))


def _require_mass(model: Model, what: str) -> None:
    """A centre of mass needs a mass."""
    some = any(b.inertia.mass > 0.0 for b in model.bodies)
    words = f"{what}: no body has a mass, so that there is no centre of mass; give one by the `inertia` of"
    require(some, f"{words} {model.bodies[0].name!r}" if model.bodies else words, BadInertia)


def _momenta(model: Model, x: Motion) -> tuple[np.ndarray, np.ndarray]:
    m, moments = principal_inertias(model)
    velocity = np.einsum("sbij,sbj->sbi", x.R, x.twist[..., 3:])
    spin = np.einsum("sbij,sbj->sbi", x.R, moments * x.twist[..., :3])
    linear = np.einsum("b,sbi->si", m, velocity)
    center = np.einsum("b,sbi->si", m, x.p) / m.sum()
    orbital = np.cross(x.p - center[:, None], m[:, None] * velocity)
    return linear, (spin + orbital).sum(axis=1)


@renamed_arguments(errors="on_failure")
def energy(
    model: Model, q: ArrayLike, v: ArrayLike, *, on_failure: OnFailure = "raise", threads: int | None = None
) -> Energy:
    """(kinetic, potential, total) energy of each state [J]; gravity, springs, stiffness and limits are potential.

    A state whose energy is too large for a number raises NotFinite, or with on_failure="nan" gives NaN.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    Energy
        `kinetic`, `potential` and `total` [J], each (...).

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths, whose energy is not in it; once for each model.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> energy = cd.energy(model, [0.0], [3.0])
    >>> energy.kinetic.round(6), energy.potential.round(6)
    (np.float64(9.0), np.float64(-19.62))
    """
    s = states(model, q, on_failure=on_failure, v=v)
    if model.muscles:
        warn_once_of_idle_muscles("energy", model, "what they store is in cd.muscles.elastic_energy")
    with np.errstate(over="ignore", invalid="ignore"):
        x = checked_motion(model, s, on_failure, threads=threads)
        kinetic = _kinetic_energy(model, x) + 0.5 * s["v"] ** 2 @ model.armature
        gravity = -np.einsum("b,sbi,i->s", principal_inertias(model)[0], x.p, model.gravity)
        potential = gravity + stored_energies(model, s["q"], x).sum(axis=1)
        total = kinetic + potential
    require_finite(model, s, on_failure, "energy: an energy", kinetic, potential, total)
    return Energy(*(s.shaped(e) for e in (kinetic, potential, total)))


def _kinetic_energy(model: Model, x: Motion) -> np.ndarray:
    m, moments = principal_inertias(model)
    v, w = x.twist[..., 3:], x.twist[..., :3]
    return 0.5 * (np.einsum("b,sbi,sbi->s", m, v, v) + np.einsum("bi,sbi,sbi->s", moments, w, w))
