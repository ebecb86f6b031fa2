"""Derivatives of motion that muscles drive: of accelerations, fibre velocities and activation rates, both ways.

A tension T(L, L̇, a, ℓ) of each path gives τ = −Jᵀ T, where J = ∂L/∂v and L̇ = J v. The partial derivatives of the laws
come from their kernels on dual numbers, the second derivatives of the lengths from a complex step (wraps take states
one by one), those of the bodies from `condyle.linearize` and `condyle.forward_dynamics_vjp`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import dynamics
from ..dynamics.arguments import States, states
from ..dynamics.coordinate_differences import coordinate_rates
from ..errors import BadShape, require
from ..model import Model
from ..model.validate_model import require_model
from ..numeric import over_duals
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .driven_states import resting_fibers
from .kernels.law_layout import OUT
from .law_packing import packed_laws
from .muscle_forces import checked_activation, given_fibers
from .path_lengths import path_values
from .path_packing import packed_paths

STEP = 1e-30  # complex step: exact to round-off at any size this small
SOME = 64  # states whose second derivatives are computed together


class MuscleLinearization(NamedTuple):
    """Derivatives of the rates of a driven model's state; columns of q are steps of `condyle.integrate`.

    A fibre's velocity and an activation's rate depend on the states of their own muscle alone.

    Attributes
    ----------
    q, v, tau : ndarray, shape (..., nv, nv)
        Of accelerations by coordinates, velocities and forces beside the muscles.
    activation, fiber_length : ndarray, shape (..., nv, muscles)
        Of accelerations by activations (controls of what is no muscle) and fibre lengths [m].
    fiber_velocity_q, fiber_velocity_v : ndarray, shape (..., muscles, nv)
        Of fibre velocities [m/s].
    fiber_velocity_activation, fiber_velocity_fiber_length : ndarray, shape (..., muscles)
    rate_activation, rate_excitation : ndarray, shape (..., muscles)
        Of activation rates [1/s].
    """

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    activation: np.ndarray
    fiber_length: np.ndarray
    fiber_velocity_q: np.ndarray
    fiber_velocity_v: np.ndarray
    fiber_velocity_activation: np.ndarray
    fiber_velocity_fiber_length: np.ndarray
    rate_activation: np.ndarray
    rate_excitation: np.ndarray


class MuscleCotangents(NamedTuple):
    """Gradients of a scalar of the rates of a driven model's state.

    Attributes
    ----------
    q, v, tau : ndarray, shape (..., nv)
        By coordinates (along steps of `condyle.integrate`), velocities and forces beside the muscles.
    activation, excitation, fiber_length : ndarray, shape (..., muscles)
    """

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    activation: np.ndarray
    excitation: np.ndarray
    fiber_length: np.ndarray


class _Laws(NamedTuple):
    """Tensions and fibre velocities (count, muscles), and their partial derivatives (4, count, muscles).

    The four are by length and speed of the path, activation and fibre length.
    """

    tension: np.ndarray
    tensions: np.ndarray
    fibers: np.ndarray


class _Driven(NamedTuple):
    """Checked states with all that derivatives are made of."""

    s: States
    activation: np.ndarray
    excitation: np.ndarray
    J: np.ndarray  # (count, muscles, nv)
    laws: _Laws
    tau: np.ndarray  # of all that acts (count, nv)


def length_hessians(model: Model, q: ArrayLike, *, threads: int | None = None) -> np.ndarray:
    """Second derivatives of the lengths of all paths: how fast ∂L/∂q_j changes along each degree of freedom k.

    Exact to rounding, by the kernels on complex numbers. They are symmetric but for the three turns of a ball and the
    turns of a free joint, which do not commute.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    threads : int, optional
        For the check of the states; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    ndarray, shape (..., muscles, nv, nv)
        Number [j, k] is ∂/∂q_k ∂L/∂q_j; a moment arm is −∂L/∂q_j.

    Raises
    ------
    BadValue
        As `lengths` does.

    Examples
    --------
    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> b = b.add_path("rope", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))])
    >>> cd.muscles.length_hessians(b.build(), [0.0]).round(4)  # of √(0.25 − 0.24 sin q)
    array([[[-0.1152]]])
    """
    s = states(model, q)
    path_values(model, s, False, threads=threads)  # a path without a length gets its words here
    return s.shaped(_hessians(model, s["q"]), len(model.muscles), model.nv, model.nv)


def _along(model: Model, q: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Derivatives of ∂L/∂v (rows, muscles, nv) along steps (rows, nv) from coordinates q (rows, nq)."""
    from .kernels.path_lengths import path_states

    rows, n = len(q), len(model.muscles)
    z = np.ascontiguousarray(q + 1j * STEP * np.einsum("rij,rj->ri", _rate_matrices(model, q), steps))
    lengths, status, failed = (np.zeros((rows, k), dtype=complex) for k in (n, n, 1))
    slopes = np.zeros((rows, n * model.nv), dtype=complex)
    path_states(0j, model.tables, tuple(packed_paths(model)), (z, lengths, slopes, status, failed), 0, rows)
    return np.imag(slopes).reshape(rows, n, model.nv) / STEP


def _rate_matrices(model: Model, q: np.ndarray) -> np.ndarray:
    """How coordinates (rows, nq) change with velocities (rows, nq, nv)."""
    return np.swapaxes(coordinate_rates(model, q[:, None, :], np.eye(model.nv)), -1, -2)


def _hessians(model: Model, q: np.ndarray) -> np.ndarray:
    """Second derivatives of lengths (count, muscles, nv, nv)."""
    nv = model.nv
    out = np.empty((len(q), len(model.muscles), nv, nv))
    for start in range(0, len(q), SOME):
        some = q[start : start + SOME]
        found = _along(model, np.repeat(some, nv, axis=0), np.tile(np.eye(nv), (len(some), 1)))
        out[start : start + SOME] = np.moveaxis(found.reshape(len(some), nv, -1, nv), 1, -1)
    return out


def _law_partials(model: Model, lengths, speeds, activation, fibers) -> _Laws:
    """Tensions, fibre velocities and their derivatives, along each of four arguments."""
    from .kernels.muscle_states import force_states

    count, n = lengths.shape
    given = [np.tile(x, (4, 1)).astype(complex) for x in (lengths, speeds, activation, fibers)]
    for k, x in enumerate(given):
        x[k * count : (k + 1) * count] += 1j
    out = np.zeros((4 * count, n * OUT.size), dtype=complex)
    laws, arrays = packed_laws(model), (*given, out)
    over_duals(lambda z, i, j: force_states(z, laws, arrays, True, i, j), 4 * count)
    w = out.reshape(4, count, n, OUT.size)
    slopes = np.imag(w)
    return _Laws(np.real(w[0, ..., OUT.tendon_force]), slopes[..., OUT.tendon_force], slopes[..., OUT.fiber_speed])


def _rate_partials(model: Model, a: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of activation rates (count, muscles) by activations and excitations."""
    from .kernels.muscle_states import activation_states

    count = len(a)
    given = [np.tile(x, (2, 1)).astype(complex) for x in (a, u)]
    given[0][:count] += 1j
    given[1][count:] += 1j
    out = np.zeros((2 * count, a.shape[1]), dtype=complex)
    laws, arrays = packed_laws(model), (*given, out)
    over_duals(lambda z, i, j: activation_states(z, laws, arrays, i, j), 2 * count)
    slopes = np.imag(out).reshape(2, count, -1)
    return slopes[0], slopes[1]


def _driven(model: Model, q, v, activation, excitation, fiber_length, tau, threads: int | None) -> _Driven:
    """Check the states and find all that derivatives are made of."""
    s = states(model, q, v=v, tau=np.zeros(model.nv) if tau is None else tau)
    a = checked_activation(model, s, activation)
    u = a if excitation is None else checked_activation(model, s, excitation, "excitation")
    paths = path_values(model, s, True, threads=threads)
    fibers = resting_fibers(model, s, a, threads) if fiber_length is None else given_fibers(model, s, fiber_length)
    speeds = np.einsum("smk,sk->sm", paths.slopes, s["v"])
    laws = _law_partials(model, paths.lengths, speeds, a, fibers)
    pull = -np.einsum("smk,sm->sk", paths.slopes, laws.tension)
    return _Driven(s, a, u, paths.slopes, laws, s["tau"] + pull)


def linearize(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    activation: ArrayLike,
    *,
    excitation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    t: float = 0.0,
    threads: int | None = None,
) -> MuscleLinearization:
    """Derivatives of motion that muscles drive by all states and excitations, exact to round-off.

    Those of the accelerations of `condyle.muscles.forward_dynamics`, of fibre velocities and of activation rates. Where
    a law, a path or a joint has a kink, they are those of the side that the state is on.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    activation : array_like, shape (..., muscles)
        From 0 to 1, or one number for all; the control of path actuators.
    excitation : array_like, shape (..., muscles), optional
        From 0 to 1; by default the activation.
    fiber_length : array_like, shape (..., muscles), optional
        Of the muscles with elastic tendons [m]; by default where fibre and tendon pull alike at rest. It is a state of
        its own: the derivatives by q leave it as it is.
    tau : array_like, shape (..., nv), optional
        Generalised forces beside the muscles [N m, N].
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    t : float, optional
        Time [s] of the prescribed motion.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    MuscleLinearization

    Raises
    ------
    BadValue
        As `condyle.muscles.forward_dynamics` does.
    RankLost, NotFinite, InconsistentLoop
        As `condyle.linearize` does.

    Examples
    --------
    A muscle of 1000 N at its optimal length, 0.24 m from the hinge of a rod:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder(gravity=(0, 0, 0))
    >>> b = b.add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0, (0, 0, 1.0)))
    >>> rigid = dict(ignore_tendon_compliance=1, tendon_slack_length=0.4)
    >>> b = b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))], **rigid)
    >>> cd.muscles.linearize(b.build(), [0.0], [0.0], 0.5).activation.round(9)
    array([[240.]])
    """
    require_model(model)
    d = _driven(model, q, v, activation, excitation, fiber_length, tau, threads)
    s, n, nv = d.s, len(model.muscles), model.nv
    q, v, pull = (s.shaped(x, k) for x, k in ((s["q"], model.nq), (s["v"], nv), (d.tau, nv)))
    body = dynamics.linearize(model.without_muscles(), q, v, pull, wrenches, t=t, threads=threads)
    aq, av, atau = (x.reshape(s.count, nv, nv) for x in body)
    H = _hessians(model, s["q"])
    L_q, L_v, by_a, by_l = d.laws.tensions[..., None]
    swing = np.einsum("smjk,sj->smk", H, s["v"])  # ∂L̇/∂q
    tension_q, tension_v = L_q * d.J + L_v * swing, L_v * d.J
    tau_q = -np.einsum("smj,smk->sjk", d.J, tension_q) - np.einsum("sm,smjk->sjk", d.laws.tension, H)
    tau_v = -np.einsum("smj,smk->sjk", d.J, tension_v)
    arms = -np.swapaxes(d.J, -1, -2)  # (count, nv, muscles)
    f_q, f_v, f_a, f_l = d.laws.fibers
    rates = _rate_partials(model, d.activation, d.excitation)
    by_activation, by_fiber = (atau @ (arms * np.swapaxes(x, -1, -2)) for x in (by_a, by_l))
    square, wide, tall, plain = (nv, nv), (nv, n), (n, nv), (n,)
    return MuscleLinearization(
        s.shaped(aq + atau @ tau_q, *square),
        s.shaped(av + atau @ tau_v, *square),
        s.shaped(atau, *square),
        s.shaped(by_activation, *wide),
        s.shaped(by_fiber, *wide),
        s.shaped(f_q[..., None] * d.J + f_v[..., None] * swing, *tall),
        s.shaped(f_v[..., None] * d.J, *tall),
        *(s.shaped(x, *plain) for x in (f_a, f_l, *rates)),
    )


def forward_dynamics_vjp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    activation: ArrayLike,
    *,
    cotangent: ArrayLike,
    fiber_velocity_cotangent: ArrayLike = 0.0,
    activation_rate_cotangent: ArrayLike = 0.0,
    excitation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    t: float = 0.0,
    threads: int | None = None,
) -> MuscleCotangents:
    """What cotangents of accelerations, fibre velocities and activation rates say of all that they depend on.

    The product of the cotangents with the matrices of `linearize`, without making these: one pass of the recursions and
    one evaluation of the paths on complex numbers, whatever the number of muscles. It is the step of the adjoint of a
    simulation: λ̇ = −(∂f/∂x)ᵀ λ.

    Parameters
    ----------
    model : Model
        With constraints, followers or bushings the matrices of the bodies are made and multiplied.
    q, v, activation, excitation, fiber_length, tau, wrenches, t, threads
        As `linearize` takes them.
    cotangent : array_like, shape (..., nv)
        Of the accelerations.
    fiber_velocity_cotangent, activation_rate_cotangent : array_like, shape (..., muscles), optional
        Of the fibre velocities [s/m] and activation rates [s], or one number for all.

    Returns
    -------
    MuscleCotangents

    Raises
    ------
    BadValue
        As `condyle.muscles.forward_dynamics` and `condyle.forward_dynamics_vjp` do.
    BadShape
        If a cotangent has another shape.
    """
    require_model(model)
    d = _driven(model, q, v, activation, excitation, fiber_length, tau, threads)
    s, n, nv = d.s, len(model.muscles), model.nv
    of_fibers, of_rates = (_cotangent(s, x, n) for x in (fiber_velocity_cotangent, activation_rate_cotangent))
    q, v, pull = (s.shaped(x, k) for x, k in ((s["q"], model.nq), (s["v"], nv), (d.tau, nv)))
    bodies = model.without_muscles()
    body = dynamics.forward_dynamics_vjp(bodies, q, v, pull, wrenches, cotangent=cotangent, t=t, threads=threads)
    of_q, of_v, w = (x.reshape(s.count, nv) for x in (body.q, body.v, body.tau))
    of_tension = -np.einsum("smj,sj->sm", d.J, w)
    by = d.laws.tensions * of_tension + d.laws.fibers * of_fibers  # by length, speed, activation, fibre length
    of_v = of_v + np.einsum("sm,smk->sk", by[1], d.J)
    turn = _turning(model, s, w, d.laws.tension, by[1])
    of_q = of_q + np.einsum("sm,smk->sk", by[0], d.J) + turn
    rate_a, rate_u = _rate_partials(model, d.activation, d.excitation)
    return MuscleCotangents(
        *(s.shaped(x, nv) for x in (of_q, of_v, w)),
        *(s.shaped(x, n) for x in (by[2] + rate_a * of_rates, rate_u * of_rates, by[3])),
    )


def _cotangent(s: States, x: ArrayLike, n: int) -> np.ndarray:
    values = real_numbers(x, "cotangent")
    good = values.ndim == 0 or values.shape[-1] == n
    require(good, f"a cotangent must have shape (..., {n}), one number for each muscle", BadShape, got=values.shape)
    return np.broadcast_to(values, (*s.batch, n)).reshape(s.count, n)


def _turning(model: Model, s: States, w, tension, of_speed) -> np.ndarray:
    """∂/∂q of Σ (−T J w + λ J v) with T, w, λ and v fixed (count, nv)."""
    if any(model.quaternions):  # turns do not commute, so the order of the two derivatives counts
        H = _hessians(model, s["q"])
        return np.einsum("smjk,sm,sj->sk", H, -tension, w) + np.einsum("smjk,sm,sj->sk", H, of_speed, s["v"])
    turned, swung = (_along(model, s["q"], x) for x in (w, s["v"]))
    return np.einsum("smk,sm->sk", turned, -tension) + np.einsum("smk,sm->sk", swung, of_speed)
