"""How the forces of inverse dynamics change with state and accelerations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadShape, NotSupported, require
from ...model import Model
from ...numeric import LANES, aligned_array, over_duals, over_lanes
from ...typing import ArrayLike, OnFailure
from ..arguments import States, states, wrench_rows
from ..failure_messages import require_finite
from ..muscle_calls import SLOPES, warn_once_of_idle_muscles
from .stepped_states import DUAL, slopes_of, stepped


class InverseDerivatives(NamedTuple):
    """∂τ/∂q (along dv of `integrate`), ∂τ/∂v and ∂τ/∂a, each (..., nv, nv): [..., i, j] = ∂τ_i/∂·_j.

    Attributes
    ----------
    dq : ndarray, shape (..., nv, nv)
        ∂τ/∂q along the steps dv of `integrate`, v and a held.
    dv : ndarray, shape (..., nv, nv)
        ∂τ/∂v.
    da : ndarray, shape (..., nv, nv)
        ∂τ/∂a: the mass matrix.
    """

    dq: np.ndarray
    dv: np.ndarray
    da: np.ndarray


def inverse_dynamics_derivatives(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    wrenches: ArrayLike | None = None,
    *,
    on_failure: OnFailure = "raise",
    threads: int | None = None,
    out: InverseDerivatives | None = None,
) -> InverseDerivatives:
    """Derivatives of `inverse_dynamics` by coordinates, velocities and accelerations, exact to round-off.

    One outward and one inward pass give all three, for every joint. A column of ∂τ/∂q is the derivative along a unit
    step of `integrate`: ∂/∂q_j for an ordinary coordinate, a turn about axis j of the child for a ball, a step along
    twist j of the body for a free joint; v, a and `wrenches`, which turn with their bodies, are held. At a limit or a
    knot they are those of the side that the state is on. With followers the recursion runs on dual
    numbers instead, as exact.

    Parameters
    ----------
    model : Model
        Prescribed coordinates are like all others here; constraints play no role, as in `inverse_dynamics`.
    q, v, a : array_like, shapes (..., nq), (..., nv), (..., nv)
        Coordinates, velocities and accelerations; batches broadcast.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    on_failure : {"raise", "nan"}
        What becomes of a state that fails: an error that names it, or NaN.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.
    out : InverseDerivatives, optional
        What an earlier call with as many states returned, to be written over: new memory for large batches costs about
        as much time as the derivatives.

    Returns
    -------
    InverseDerivatives
        dq, dv and da, the last of which is the mass matrix.

    Raises
    ------
    NotFinite
        With on_failure="raise", naming the first such state and the largest number it was given.
    BadShape
        The arrays of `out` are not as those of a result.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths, whose slopes are not in it; once for each model.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> slopes = cd.inverse_dynamics_derivatives(model, [0.0], [0.0], [0.0])
    >>> slopes.dq.round(6), slopes.da.round(6)  # m g l and m l²
    (array([[19.62]]), array([[2.]]))
    """
    from .kernels.inverse_derivatives import inverse_derivative_states

    s = states(model, q, on_failure=on_failure, v=v, a=a, wrenches=wrenches)
    if model.muscles:
        warn_once_of_idle_muscles("inverse_dynamics_derivatives", model, SLOPES)
    found = out or InverseDerivatives(*new_matrices(model, s))
    rows, fine = matrix_rows(model, s, found), np.zeros((s.count, 1))
    if model.followers:
        _by_duals(model, s, on_failure, rows, threads)
        return found
    given = s["q"], s["v"], s["a"], wrench_rows(model, s), *rows, fine
    over_lanes(
        lambda z, start, stop: inverse_derivative_states(z, LANES, model.tables, given, start, stop),
        s.count,
        s.single,
        threads,
    )
    for k in np.flatnonzero(np.isnan(fine)):  # what is large may be finite
        fine[k] = 0.0 if all(np.isfinite(x[k]).all() for x in rows) else np.nan
    require_finite(model, s, on_failure, "inverse_dynamics_derivatives: a derivative", fine)
    for x in rows:
        x[np.isnan(fine[:, 0])] = np.nan
    return found


def _by_duals(model: Model, s: States, on_failure: OnFailure, rows: list[np.ndarray], threads: int | None) -> None:
    """Derivatives (count, nv²) by inverse dynamics of dual numbers, into rows."""
    from ..kernels.inverse import inverse_states

    given = stepped(model, s, "a", DUAL)
    out = np.zeros((len(given[0]), model.nv), dtype=complex)
    over_duals(lambda z, i, j: inverse_states(z, model.tables, (*given, out), i, j), len(out), threads)
    for x, slopes in zip(rows, slopes_of(out, s.count, DUAL), strict=True):
        x[:] = slopes.reshape(x.shape)
    require_finite(model, s, on_failure, "inverse_dynamics_derivatives: a derivative", *rows)


def require_no_followers(model: Model, function: str) -> None:
    """Refuse models with folded couplers or with forces between frames, for which a derivative is not written."""
    names = [f.name for f in model.followers]
    way_out = "`linearize` and `inverse_dynamics_derivatives` have the derivatives of such models"
    require(not names, f"{function} does not take models with followers; {way_out}", NotSupported, followers=names)
    words = "`linearize` and `inverse_dynamics_derivatives` have their derivatives"
    pairs = [repr(f.name) for f in model.pair_forces]
    require(not pairs, f"{function} does not take models with bushings or contacts; {words}", NotSupported, got=pairs)


def new_matrices(model: Model, s: States) -> list[np.ndarray]:
    """Room for three matrices of every state."""
    return [aligned_array((*s.batch, model.nv, model.nv)) for _ in range(3)]


def matrix_rows(model: Model, s: States, matrices: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    """Matrices (..., nv, nv) as rows (count, nv²) of the same memory."""
    shape = (*s.batch, model.nv, model.nv)
    for x in matrices:
        good = isinstance(x, np.ndarray) and x.shape == shape and x.dtype == float and x.flags.carray
        require(good, f"out must have three contiguous arrays of float64 of shape {shape}", BadShape, got=np.shape(x))
    return [x.reshape(s.count, model.nv**2) for x in matrices]
