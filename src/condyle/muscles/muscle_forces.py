"""`forces`: what muscles, ligaments and springs pull with, and the lengths and speeds of their fibres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics.arguments import States, states
from ..errors import Approximated, BadShape, BadValue, NotFinite, amount, require, warn
from ..model import Model
from ..model.validate_model import require_model
from ..numeric import over_lanes
from ..spatial.arrays import for_kernels, real_numbers
from ..typing import ArrayLike, OnFailure
from .kernels.law_layout import AT_LEAST_LENGTH, NO_EQUILIBRIUM, OUT, TOO_SHORT
from .law_packing import is_elastic, is_muscle, packed_laws
from .path_lengths import path_values

REASONS = {
    TOO_SHORT: "the path is too short for the slack tendon: no equilibrium, the fibre is at its least length",
    AT_LEAST_LENGTH: "the fibre is at its least length and would shorten further",
    NO_EQUILIBRIUM: "no fibre length at which fibre and tendon are in equilibrium was found",
}


@dataclass(frozen=True)
class MuscleForces:
    """Forces of all that runs along paths; arrays (..., muscles) in the order of `model.muscles`.

    Attributes
    ----------
    tendon_force : ndarray
        The tension of the path [N]: positive pulls its ends together.
    length, lengthening_speed : ndarray
        Of the path [m, m/s].
    fiber_length, fiber_velocity : ndarray
        Of the fibre [m, m/s]; 0 for what is no muscle.
    active_fiber_force, passive_fiber_force : ndarray
        Along the fibre [N]; damping of rigid tendons' muscles is part of the passive force.
    pennation_angle : ndarray
        Of the fibre to the tendon [rad].
    generalized_force : ndarray, shape (..., nv)
        What all tensions together do to the velocities [N m, N]: to be given as `tau` to `forward_dynamics`.
    status : ndarray of int
        0; 1 if the path is too short for its slack tendon; 2 if the fibre is at its least length and would shorten;
        3 if no equilibrium was found.
    """

    tendon_force: np.ndarray
    length: np.ndarray
    lengthening_speed: np.ndarray
    fiber_length: np.ndarray
    fiber_velocity: np.ndarray
    active_fiber_force: np.ndarray
    passive_fiber_force: np.ndarray
    pennation_angle: np.ndarray
    generalized_force: np.ndarray
    status: np.ndarray


def per_muscle(model: Model, s: States, values: ArrayLike, name: str) -> np.ndarray:
    """Numbers for all muscles in all states (count, muscles), from one number, one for each muscle, or all."""
    x, n = real_numbers(values, name), len(model.muscles)
    require(np.isfinite(x).all(), f"{name} must be finite", NotFinite)
    try:
        return for_kernels(np.broadcast_to(x, (*s.batch, n)).reshape(s.count, n))
    except ValueError:
        raise BadShape(f"{name} must have shape (..., {n}), one number for each muscle; got {x.shape}") from None


def checked_activation(model: Model, s: States, values: ArrayLike, name: str = "activation") -> np.ndarray:
    """Activations from 0 to 1; controls of what is no muscle may be any number."""
    a = per_muscle(model, s, values, name)
    muscles = np.array([is_muscle(m) for m in model.muscles])
    bad = ((a < 0) | (a > 1)) & muscles
    if bad.any():
        i, k = (int(x) for x in np.argwhere(bad)[0])
        raise BadValue(f"{name} of {model.muscles[k].name!r} must be from 0 to 1; got {a[i, k]:g}")
    return a


def given_fibers(model: Model, s: States, fiber_length: ArrayLike) -> np.ndarray:
    """Fibre lengths (count, muscles) [m] as the caller gave them; what has no fibre of its own may have any number."""
    fibers = per_muscle(model, s, fiber_length, "fiber_length")
    bad = ~(fibers > 0) & np.array([is_elastic(m) for m in model.muscles])
    if bad.any():
        i, k = (int(x) for x in np.argwhere(bad)[0])
        raise BadValue(f"fiber_length of {model.muscles[k].name!r} must be positive [m]; got {fibers[i, k]:g}")
    return fibers


def forces(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    activation: ArrayLike,
    *,
    fiber_length: ArrayLike | None = None,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
) -> MuscleForces:
    """Forces of all muscles, ligaments and springs of a model.

    A muscle with a rigid tendon (`ignore_tendon_compliance`) is given by the pose and its velocity. One with an elastic
    tendon has a fibre length of its own: give it, and the fibre's speed is that at which fibre and tendon pull alike;
    leave it out, and the fibre is where they pull alike at rest.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    activation : array_like, shape (..., muscles)
        From 0 to 1, or one number for all; the control of path actuators.
    fiber_length : array_like, shape (..., muscles), optional
        Of the muscles with elastic tendons [m]; others do not read theirs.
    on_failure : {"raise", "nan"}
        What becomes of a path that has no length in a state: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    MuscleForces

    Raises
    ------
    BadValue
        If an activation is not from 0 to 1, or a fibre length is not positive; as `lengths` does.

    Warns
    -----
    Approximated
        If fibres cannot reach equilibrium, naming the first; `status` says which.

    Examples
    --------
    A muscle of 1000 N at its optimal length, half active, with a rigid tendon:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> rigid = dict(ignore_tendon_compliance=1, tendon_slack_length=0.4)
    >>> b = b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))], **rigid)
    >>> cd.muscles.forces(b.build(), [0.0], [0.0], 0.5).tendon_force
    array([500.])
    """
    s = states(model, q, v=v)
    a = checked_activation(model, s, activation)
    paths = path_values(model, s, True, on_failure, threads)
    speeds = np.einsum("smk,sk->sm", paths.slopes, s["v"])
    known = fiber_length is not None
    fibers = np.zeros_like(paths.lengths) if fiber_length is None else given_fibers(model, s, fiber_length)
    w = law_values(model, paths.lengths, speeds, a, fibers, known, s.single, threads)
    warn_of_fibers(model, w[..., OUT.status], known)
    n = len(model.muscles)
    tension = w[..., OUT.tendon_force]
    angle = np.arccos(np.clip(w[..., OUT.cosine], -1.0, 1.0))
    force = -np.einsum("smk,sm->sk", paths.slopes, tension)
    return MuscleForces(
        tendon_force=s.shaped(tension, n),
        length=s.shaped(paths.lengths, n),
        lengthening_speed=s.shaped(speeds, n),
        fiber_length=s.shaped(w[..., OUT.fiber_length], n),
        fiber_velocity=s.shaped(w[..., OUT.fiber_speed], n),
        active_fiber_force=s.shaped(w[..., OUT.active_force], n),
        passive_fiber_force=s.shaped(w[..., OUT.passive_force], n),
        pennation_angle=s.shaped(angle, n),
        generalized_force=s.shaped(force, model.nv),
        status=s.shaped(w[..., OUT.status].astype(int), n),
    )


def law_values(
    model: Model, lengths, speeds, activation, fibers, known: bool, single: bool, threads: int | None = None
) -> np.ndarray:  # fmt: skip
    """What the laws give (count, muscles, OUT.size) at lengths, speeds, activations, fibre lengths (count, muscles)."""
    from .kernels.muscle_states import force_states

    count, n = lengths.shape
    out, pair = np.empty((count, n * OUT.size)), packed_laws(model)
    given = tuple(for_kernels(x) for x in (lengths, speeds, activation, fibers)) + (out,)
    over_lanes(lambda z, i, j: force_states(z, pair, given, known, i, j), count, single, threads)
    return out.reshape(count, n, OUT.size)


def warn_of_fibers(model: Model, status: np.ndarray, known: bool) -> None:
    """Name the first muscle out of equilibrium; a fibre that was given may be at its least length."""
    bad = (status > 0) & ~(known & (status == AT_LEAST_LENGTH))
    if bad.any():
        i, k = (int(x) for x in np.argwhere(bad)[0])
        names = {model.muscles[j].name for j in np.argwhere(bad)[:, 1]}
        more = f" ({amount(int(bad.sum()), 'state')} of {amount(len(names), 'muscle')} in all; `status` says which)"
        warn(f"muscle {model.muscles[k].name!r}, state {i}: {REASONS[int(status[i, k])]}{more}", Approximated)


def activation_rates(
    model: Model, activation: ArrayLike, excitation: ArrayLike, *, threads: int | None = None
) -> np.ndarray:
    """Rates of the activations of all muscles under excitations.

    Parameters
    ----------
    model : Model
    activation : array_like, shape (..., muscles)
        From 0 to 1.
    excitation : array_like, shape (..., muscles)
        From 0 to 1; batches broadcast.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., muscles)
        In 1/s; 0 for what is no muscle.

    Raises
    ------
    BadShape, BadValue
        If there is not one number from 0 to 1 for each muscle.
    """
    require_model(model)
    from .kernels.muscle_states import activation_states

    given = (real_numbers(activation, "activation"), real_numbers(excitation, "excitation"))
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in given))
    s = States(batch, int(np.prod(batch, dtype=int)), {})
    a = checked_activation(model, s, activation)
    u = checked_activation(model, s, excitation, "excitation")
    rates, pair = np.empty_like(a), packed_laws(model)
    over_lanes(lambda z, i, j: activation_states(z, pair, (a, u, rates), i, j), s.count, s.single, threads)
    return s.shaped(rates, len(model.muscles))
