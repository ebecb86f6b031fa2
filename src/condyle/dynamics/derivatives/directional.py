"""The derivative of accelerations along one direction, forwards: one run of forward dynamics on dual numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...model import Model
from ...model.validate_model import require_model
from ...numeric import over_duals
from ...typing import ArrayLike
from ..arguments import States, prescribed_accelerations, states, wrench_rows
from ..coordinate_differences import coordinate_rates
from ..failure_messages import require_finite
from ..forward_inverse import forward_dynamics
from .linearization import constrained
from .stepped_states import COMPLEX, DUAL


class AccelerationAlong(NamedTuple):
    """Accelerations and their derivative along a direction.

    Attributes
    ----------
    a, change : ndarray, shape (..., nv)
    """

    a: np.ndarray
    change: np.ndarray


def forward_dynamics_jvp(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    wrenches: ArrayLike | None = None,
    *,
    dq: ArrayLike | None = None,
    dv: ArrayLike | None = None,
    dtau: ArrayLike | None = None,
    t: float = 0.0,
    threads: int | None = None,
) -> AccelerationAlong:
    """Accelerations, and their derivative along a direction of coordinates, velocities and forces, in one run.

    It costs two to three calls of `forward_dynamics` where `linearize` needs all columns, and holds for every model:
    the recursion itself runs on dual numbers (with constraints on complex ones).

    Parameters
    ----------
    model : Model
        Muscles do not act.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    wrenches : array_like, shape (..., nbodies, 6), optional
        [moment; force] on each body [N m, N], in body axes at the body origin.
    dq, dv, dtau : array_like, shape (..., nv), optional
        The direction: of coordinates along the steps dv of `integrate`, of velocities and of forces; zero if left out.
    t : float, optional
        Time [s] of the prescribed motion.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    AccelerationAlong
        a and change, each (..., nv).

    Raises
    ------
    RankLost
        A joint or the mass matrix loses rank, naming the body.
    InconsistentLoop
        A constraint is open by more than 1e-8.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> cd.forward_dynamics_jvp(model, [0.0], [0.0], dq=[2.0]).change.round(6)  # −2 g/l
    array([-19.62])
    """
    require_model(model)
    zero, bodies = np.zeros(model.nv), model.without_muscles()
    directions: dict[str, Any] = {
        name: zero if x is None else x for name, x in (("dq", dq), ("dv", dv), ("dtau", dtau))
    }
    s = states(bodies, q, v=v, tau=zero if tau is None else tau, wrenches=wrenches, **directions)
    pushes = s["wrenches"].reshape(s.count, model.nbodies, 6) if "wrenches" in s.arrays else None
    a = forward_dynamics(bodies, s["q"], s["v"], s["tau"], pushes, t=t, threads=threads)  # a bad state: words
    change = _along(bodies, s, t, threads)
    require_finite(bodies, s, "raise", "forward_dynamics_jvp: a derivative", change)
    return AccelerationAlong(s.shaped(a, model.nv), s.shaped(change, model.nv))


def _along(model: Model, s: States, t: float, threads: int | None) -> np.ndarray:
    """Derivatives of accelerations (count, nv) along the directions of states."""
    from ..kernels.forward import forward_states

    step = COMPLEX if model.constraints else DUAL
    q = s["q"] + 1j * step * coordinate_rates(model, s["q"], s["dq"])
    v, tau = (s[name] + 1j * step * s[f"d{name}"] for name in ("v", "tau"))
    out = prescribed_accelerations(model, s.count, t, None).astype(complex)
    status = np.zeros((s.count, 1), dtype=complex)
    given = tuple(np.ascontiguousarray(x) for x in (q, v, tau, wrench_rows(model, s).astype(complex)))
    if model.constraints:
        constrained(model, (*given, out), status)
    else:
        arrays = (*given, out, status)
        over_duals(lambda z, i, j: forward_states(z, model.tables, arrays, i, j), s.count, threads)
    return np.imag(out) / step
