"""How accelerations change with state and forces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...model import Model
from ...model.validate_model import require_model
from ...numeric import LANES, over_duals, over_lanes
from ...typing import ArrayLike
from ..arguments import States, prescribed_accelerations, states, wrench_rows
from ..failure_messages import raise_status, require_finite
from ..forward_inverse import forward_dynamics
from ..muscle_calls import muscle_function
from .inverse_derivatives import matrix_rows, new_matrices
from .stepped_states import COMPLEX, DUAL, slopes_of, stepped


class Linearization(NamedTuple):
    """∂a/∂q (along dv of `integrate`), ∂a/∂v and ∂a/∂τ, each (..., nv, nv): [..., i, j] = ∂a_i/∂·_j.

    Attributes
    ----------
    q : ndarray, shape (..., nv, nv)
        ∂a/∂q along the steps dv of `integrate`.
    v : ndarray, shape (..., nv, nv)
        ∂a/∂v.
    tau : ndarray, shape (..., nv, nv)
        ∂a/∂τ.
    """

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray


def linearize(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    *,
    t: float = 0.0,
    threads: int | None = None,
    out: Linearization | None = None,
    activation: ArrayLike | None = None,
    excitation: ArrayLike | None = None,
    fiber_length: ArrayLike | None = None,
) -> Linearization:
    """Derivatives of `forward_dynamics` by coordinates, velocities and forces, exact to round-off.

    They follow from those of inverse dynamics, ∂a/∂q = −M⁻¹ ∂τ/∂q, and ∂a/∂τ = M⁻¹. A column of ∂a/∂q is the derivative
    along a unit step of `integrate`: ∂/∂q_j for an ordinary coordinate, a turn about axis j of the child for a ball, a
    step along twist j of the body for a free joint. The rows of prescribed coordinates, whose accelerations are given,
    are zero. At a limit or a knot they are those of the side that the state is on.

    With followers the recursion runs on dual numbers instead, with constraints on complex ones, as exact.
    With constraints they are the derivatives of the accelerations that keep J v = const, also in directions that leave
    the constraints: moves that keep them are yours to choose (J dv = 0).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin; they turn with their bodies.
    t : float, optional
        Time [s], for what depends on it.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    out : Linearization, optional
        What an earlier call with as many states returned, to be written over: new memory for large batches costs about
        as much time as the derivatives.
    activation, excitation, fiber_length : array_like, shape (..., muscles), optional
        Of the model's muscles, as `condyle.muscles.linearize` takes them: without an activation they do not act.

    Returns
    -------
    Linearization
        ∂a/∂q, ∂a/∂v and ∂a/∂τ, each (..., nv, nv). With an activation a `condyle.muscles.MuscleLinearization`, which
        has the derivatives by the states of muscles, too.

    Raises
    ------
    RankLost
        A joint or the mass matrix loses rank, naming the body.
    NotFinite
        A derivative is too large for a number.
    InconsistentLoop
        A constraint is open by more than 1e-8.
    BadShape
        The arrays of `out` are not as those of a result.

    Warns
    -----
    IdleMuscles
        The model has muscles and no activation was given.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> slopes = cd.linearize(model, [0.0], [0.0])
    >>> slopes.q.round(6), slopes.tau.round(6)  # −g/l and 1/(m l²)
    (array([[-9.81]]), array([[0.5]]))
    """
    require_model(model)
    if model.muscles or activation is not None:
        told = {"activation": activation, "excitation": excitation, "fiber_length": fiber_length}
        pulled = muscle_function("linearize", model, told, out=out)
        if pulled is not None:
            return pulled(model, q, v, **told, tau=tau, wrenches=wrenches, t=t, threads=threads)
    s = states(model, q, v=v, tau=np.zeros(model.nv) if tau is None else tau, wrenches=wrenches)
    found = out or Linearization(*new_matrices(model, s))
    rows = matrix_rows(model, s, found)
    if not (model.constraints or model.followers):
        _analytic(model, s, t, threads, rows)
        return found
    bodies = model.without_muscles()
    forward_dynamics(bodies, q, v, tau, wrenches, t=t, threads=threads)  # a bad state gets its words here
    for x, slopes in zip(rows, _stepped(model, s, t, threads), strict=True):
        x[:] = slopes.reshape(x.shape)
    require_finite(model, s, "raise", "linearize: a derivative", *rows)
    return found


def _analytic(model: Model, s: States, t: float, threads: int | None, rows: list[np.ndarray]) -> None:
    """∂a/∂q, ∂a/∂v and ∂a/∂τ (count, nv²) from those of inverse dynamics, into rows."""
    from .kernels.forward_derivatives import forward_derivative_states

    fine, status = np.zeros((2, s.count, 1))
    a = prescribed_accelerations(model, s.count, t, None)
    given = s["q"], s["v"], s["tau"], wrench_rows(model, s), a, *rows, fine, status
    over_lanes(
        lambda z, start, stop: forward_derivative_states(z, LANES, model.tables, given, start, stop),
        s.count,
        s.single,
        threads,
    )
    raise_status(model, status, s, "raise")
    require_finite(model, s, "raise", "linearize: a derivative", fine)


def _stepped(model: Model, s: States, t: float, threads: int | None) -> list[np.ndarray]:
    """∂a/∂q, ∂a/∂v and ∂a/∂τ (count, nv, nv) by the recursion itself, for any model."""
    step = COMPLEX if model.constraints else DUAL
    given = stepped(model, s, "tau", step)
    rows = len(given[0])
    out, status = prescribed_accelerations(model, rows, t, None).astype(complex), np.zeros((rows, 1), dtype=complex)
    if model.constraints:
        constrained(model, (*given, out), status)
    else:
        from ..kernels.forward import forward_states

        arrays = (*given, out, status)
        over_duals(lambda z, i, j: forward_states(z, model.tables, arrays, i, j), rows, threads)
    return slopes_of(out, s.count, step)


def constrained(model: Model, given: tuple[np.ndarray, ...], status: np.ndarray) -> None:
    """Complex accelerations of a model with constraints, into the last of given = (q, v, tau, wrenches, a)."""
    from ..constraints.kernels.constrained_forward import constrained_states

    rows = len(status)
    multipliers = np.zeros((rows, sum(c.rows for c in model.constraints)), dtype=complex)
    ranks, gaps = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=complex)
    constrained_states(0j, model.tables, given, (multipliers, ranks, gaps, status), 0, rows)
