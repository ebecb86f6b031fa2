"""Derivatives backwards: from a cotangent of accelerations or forces to those of all that they depend on, in O(n).

The gradient of the virtual power P = λᵀ ID is that of inverse dynamics with the cotangent λ; forward dynamics solves
ID = τ, so the cotangent ā of its accelerations gives τ̄ = λ = M⁻¹ ā and x̄ = −∂P/∂x for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...model import Model
from ...model.validate_model import require_model
from ...numeric import aligned_array, over_lanes
from ...typing import ArrayLike
from ..arguments import States, prescribed_accelerations, states, wrench_rows
from ..failure_messages import raise_status, require_finite
from ..forward_inverse import forward_dynamics
from ..muscle_calls import SLOPES, muscle_function, warn_once_of_idle_muscles
from .frame_gradients import frame_cotangents
from .inverse_derivatives import inverse_dynamics_derivatives
from .kernels.cotangent_layout import SPRING
from .linearization import linearize
from .matrix_adjoint import needs_matrices, require_still, tree_alone
from .parameter_gradients import Cotangents, Parameter, body_numbers, cotangent_of, named_parameters


@cache
def _cotangent_states() -> Callable:
    from .kernels.cotangents import cotangent_states  # loads the compiler, so only when needed

    return cotangent_states


class ForwardCotangents(NamedTuple):
    """Cotangents of what `forward_dynamics` depends on.

    Attributes
    ----------
    q, v, tau : ndarray, shape (..., nv)
        Of coordinates (along the steps dv of `integrate`), velocities and generalised forces.
    wrenches : ndarray, shape (..., nbodies, 6)
        Of wrenches on the bodies, in body axes at the body origin.
    parameters : dict of str to ndarray
        Of the parameters that were asked for, (..., shape of the parameter).
    """

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    parameters: dict[str, np.ndarray]


class InverseCotangents(NamedTuple):
    """Cotangents of what `inverse_dynamics` depends on.

    Attributes
    ----------
    q, v, a : ndarray, shape (..., nv)
        Of coordinates (along the steps dv of `integrate`), velocities and accelerations.
    wrenches : ndarray, shape (..., nbodies, 6)
        Of wrenches on the bodies, in body axes at the body origin.
    parameters : dict of str to ndarray
        Of the parameters that were asked for, (..., shape of the parameter).
    """

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    wrenches: np.ndarray
    parameters: dict[str, np.ndarray]


def forward_dynamics_vjp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    *,
    cotangent: ArrayLike,
    parameters: Iterable[str] = (),
    t: float = 0.0,
    threads: int | None = None,
    activation: ArrayLike | None = None,
    excitation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
) -> ForwardCotangents:
    """What a cotangent of the accelerations of `forward_dynamics` says of all that they depend on, in one pass.

    For a scalar f(a) with the gradient `cotangent` the results are the gradients of f by q, v, tau, wrenches and the
    model's parameters, at the cost of two calls of `forward_dynamics`, two and a half with parameters, whatever their
    number. Gradients of a batch are per member: add them up for a parameter that all members share.

    Parameters
    ----------
    model : Model
        With constraints, followers or bushings, gradients by states are transposed matrices of `linearize`, and take
        as long as these.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    cotangent : array_like, shape (..., nv)
        Of the accelerations. What is given for prescribed coordinates, which keep theirs, has no effect.
    parameters : iterable of str, optional
        "gravity"; "shank.mass", "shank.com", "shank.moment", "shank.placement" and "shank.offset" of a body;
        "bodies.mass" and so on of all bodies at once, (..., nbodies, shape of the parameter);
        "springs[0].stiffness", ".damping", ".length", ".point_a" and ".point_b" of a point spring, numbered in the
        order of adding; "knee.frames" of a joint that is a spline curve, (..., frames, 6). A moment's cotangent is the
        symmetric matrix whose product with a symmetric change, entry by
        entry, is the change of f; that of a pose X, or of a control frame, is along twists x of
        X · exp(x).
    t : float, optional
        Time [s] of the prescribed motion.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    activation, excitation, fiber_length : array_like, shape (..., muscles), optional
        Of the model's muscles, as `condyle.muscles.forward_dynamics_vjp` takes them: without an activation they do not
        act.

    Returns
    -------
    ForwardCotangents
        q (along the steps dv of `integrate`), v, tau, wrenches, parameters. With an activation
        `condyle.muscles.MuscleCotangents`, which has those of the states of muscles and no wrenches and parameters.

    Raises
    ------
    UnknownName
        A parameter that the model does not have.
    NotSupported
        A placement, an offset or control frames in a model with constraints or bushings; parameters beside an
        activation.
    InconsistentLoop
        A constraint is open by more than 1e-8.
    RankLost
        A joint or the mass matrix loses rank, naming the body.

    Warns
    -----
    IdleMuscles
        The model has muscles and no activation was given.

    Examples
    --------
    How the fall of a pendulum changes with its mass (not at all) and with gravity:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> found = cd.forward_dynamics_vjp(model, [0.5], [0.0], cotangent=[1.0], parameters=["bob.mass", "gravity"])
    >>> abs(found.parameters["bob.mass"]) < 1e-12, found.parameters["gravity"][2].round(6) == np.sin(0.5).round(6)
    (np.True_, np.True_)
    """
    require_model(model)
    if model.muscles or activation is not None:
        told = {"activation": activation, "excitation": excitation, "fiber_length": fiber_length}
        parameters = tuple(parameters)
        pulled = muscle_function("forward_dynamics_vjp", model, told, parameters=parameters or None)
        if pulled is not None:
            return pulled(model, q, v, **told, cotangent=cotangent, tau=tau, wrenches=wrenches, t=t, threads=threads)
    s = states(model, q, v=v, tau=np.zeros(model.nv) if tau is None else tau, wrenches=wrenches, cotangent=cotangent)
    if needs_matrices(model):
        return _forward_by_matrices(model, s, parameters, t, threads)
    wanted = named_parameters(model, parameters)
    given = prescribed_accelerations(model, s.count if model.prescribed else 0, t, None)
    found = _cotangents(model, s, given, np.zeros((s.count, 1)), body_numbers(wanted), threads)
    a = given
    if any(p.field == "frames" for p in wanted):
        a = forward_dynamics(model, s["q"], s["v"], s["tau"], _pushes(model, s), t=t, threads=threads)
    q, v, tau = (s.shaped(x, model.nv) for x in (found.q, found.v, found.weights))
    return ForwardCotangents(q, v, tau, *_others(model, s, found, wanted, a))


def inverse_dynamics_vjp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    wrenches: ArrayLike | None = None,
    *,
    cotangent: ArrayLike,
    parameters: Iterable[str] = (),
    threads: int | None = None,
) -> InverseCotangents:
    """What a cotangent of the forces of `inverse_dynamics` says of all that they depend on, in one pass.

    For a scalar f(τ) with the gradient `cotangent` the results are the gradients of f by q, v, a, wrenches and the
    model's parameters. Gradients of a batch are per member.

    Parameters
    ----------
    model : Model
        Constraints play no role, as in `inverse_dynamics`.
    q, v, a : array_like, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and accelerations; batches broadcast.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    cotangent : array_like, shape (..., nv)
        Of the forces.
    parameters : iterable of str, optional
        As of `forward_dynamics_vjp`.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    InverseCotangents
        q (along the steps dv of `integrate`), v, a, wrenches, parameters.

    Raises
    ------
    UnknownName
        A parameter that the model does not have.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths, whose slopes are not in it; once for each model.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> found = cd.inverse_dynamics_vjp(model, [np.pi / 2], [0.0], [0.0], cotangent=[1.0], parameters=["bob.mass"])
    >>> found.parameters["bob.mass"].round(6)  # τ = m g l
    np.float64(9.81)
    """
    s = states(model, q, v=v, a=a, wrenches=wrenches, cotangent=cotangent)
    if model.muscles:
        warn_once_of_idle_muscles("inverse_dynamics_vjp", model, SLOPES)
        model = model.without_muscles()
    if model.followers or model.pair_forces:
        return _inverse_by_matrices(model, s, parameters, threads)
    wanted = named_parameters(model, parameters)
    found = _cotangents(model, s, s["a"], np.zeros((0, 1)), body_numbers(wanted), threads)
    q, v, by_a = (s.shaped(x, model.nv) for x in (found.q, found.v, found.a))
    return InverseCotangents(q, v, by_a, *_others(model, s, found, wanted, s["a"]))


def _forward_by_matrices(
    model: Model, s: States, parameters: Iterable[str], t: float, threads: int | None
) -> ForwardCotangents:
    """Cotangents of accelerations that constraints, followers or bushings have a part in."""
    require_still(model, parameters := list(parameters), "forward_dynamics_vjp")
    given = s["q"], s["v"], s["tau"], _pushes(model, s)
    slopes = linearize(model, *given, t=t, threads=threads)
    q, v, tau = (np.einsum("sij,si->sj", x, s["cotangent"]) for x in slopes)
    a = forward_dynamics(model, *given, t=t, threads=threads)
    return ForwardCotangents(*_by_weights(model, s, (q, v, tau), a, -1.0, parameters, threads))


def _inverse_by_matrices(model: Model, s: States, parameters: Iterable[str], threads: int | None) -> InverseCotangents:
    """Cotangents of forces of models with followers or bushings."""
    require_still(model, parameters := list(parameters), "inverse_dynamics_vjp")
    given = s["q"], s["v"], s["a"], _pushes(model, s)
    slopes = inverse_dynamics_derivatives(model, *given, threads=threads)
    found = tuple(np.einsum("sij,si->sj", x, s["cotangent"]) for x in slopes)
    return InverseCotangents(*_by_weights(model, s, found, s["a"], 1.0, parameters, threads))


def _pushes(model: Model, s: States) -> np.ndarray | None:
    """Wrenches (count, nbodies, 6), if any were given."""
    return s["wrenches"].reshape(s.count, model.nbodies, 6) if "wrenches" in s.arrays else None


def _by_weights(model: Model, s: States, found, a: np.ndarray, sign: float, names: list[str], threads) -> tuple:
    """Cotangents `found` of states in the caller's shape, with those of wrenches and parameters: ±∂P."""
    weights = found[2] if sign < 0 else s["cotangent"]
    at = s["q"], s["v"], a
    pushed, by_name = _parameter_cotangents(model, at, _pushes(model, s), weights, names, threads)
    values = {name: s.shaped(sign * x, *x.shape[1:]) for name, x in by_name.items()}
    return *(s.shaped(x, model.nv) for x in found), s.shaped(sign * pushed, model.nbodies, 6), values


def _parameter_cotangents(
    model: Model,
    states: tuple[np.ndarray, np.ndarray, np.ndarray],
    wrenches: ArrayLike | None,
    weights: np.ndarray,
    names: Iterable[str],
    threads: int | None,
) -> tuple[np.ndarray, dict[str, Any]]:
    """∂P of wrenches and of parameters by name, at states (q, v, a) with λ = `weights`."""
    tree, lifted = tree_alone(model)
    q, v, a = lifted(*states)
    cotangent = lifted(states[0], np.zeros_like(weights), weights)[2]
    found = inverse_dynamics_vjp(tree, q, v, a, wrenches, cotangent=cotangent, parameters=names, threads=threads)
    return found.wrenches, found.parameters


def _cotangents(
    model: Model, s: States, a: np.ndarray, status: np.ndarray, each: int, threads: int | None
) -> Cotangents:
    """Cotangents of all states; `status` has no rows where the accelerations `a` are given.

    Of every body they are the first `each` numbers.
    """
    kernel, n, springs = _cotangent_states(), model.nv, len(model.line_forces)
    q, v, weights, *by_a = aligned_array((3 if len(status) else 4, s.count, n))
    by_a, bodies = by_a[0] if by_a else np.empty((0, n)), aligned_array((s.count, each * model.nbodies))
    pulls, gravity, fine = (np.empty((s.count, size)) for size in (SPRING * springs, 3, 1))
    out = q, v, by_a, bodies, pulls, gravity, weights, fine, status
    forces = s["tau"] if "tau" in s.arrays else a
    given = s["q"], s["v"], forces, wrench_rows(model, s), a, s["cotangent"]
    pair, frames = model.tables, model.parameter_frames
    over_lanes(lambda z, start, stop: kernel(z, pair, frames, given, out, start, stop), s.count, s.single, threads)
    raise_status(model, status, s, "raise")
    require_finite(model, s, "raise", "a cotangent", fine)
    bodies, pulls = bodies.reshape(s.count, model.nbodies, each), pulls.reshape(s.count, springs, SPRING)
    return Cotangents(q, v, by_a, bodies, pulls, gravity, weights)


def _others(
    model: Model, s: States, found: Cotangents, wanted: list[Parameter], a: np.ndarray
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Cotangents of wrenches, and of parameters by name; `a` are the accelerations (count, nv)."""
    values = {}
    for p in wanted:
        if p.field == "frames":
            q, v = model.joint_starts[p.number]
            at = s["q"][:, q], s["v"][:, v], a[:, v], found.weights[:, v]
            values[p.name] = frame_cotangents(model, p.number, found.bodies, at)
        else:
            values[p.name] = cotangent_of(model, found, p)
    wrenches = s.shaped(found.bodies[:, :, :6], model.nbodies, 6)
    return wrenches, {name: s.shaped(x, *x.shape[1:]) for name, x in values.items()}
