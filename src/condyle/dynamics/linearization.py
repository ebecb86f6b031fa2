"""How accelerations change with state and forces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model import Model
from ..typing import ArrayLike
from .arguments import prescribed_accelerations, states
from .coordinate_differences import coordinate_rates
from .forward_inverse import forward_dynamics
from .status import require_finite

STEP = 1e-30  # complex step: exact to round-off at any size this small


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
    model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *, t: float = 0.0
) -> Linearization:
    """Derivatives of `forward_dynamics` by complex step, exact to round-off: the recursion runs on complex numbers.

    At a limit or a knot they are those of the side that the state is on. With constraints they are those of the
    accelerations that keep J v = const, also in directions that leave the constraints: moves that keep them are yours
    to choose (J dv = 0).

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    tau : array_like, shape (..., nv), optional
        Generalised forces [N m, N]; zero if left out.
    t : float, optional
        Time [s], for what depends on it.

    Returns
    -------
    Linearization
        ∂a/∂q, ∂a/∂v and ∂a/∂τ, each (..., nv, nv).

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> slopes = cd.linearize(model, [0.0], [0.0])
    >>> slopes.q.round(6), slopes.tau.round(6)  # −g/l and 1/(m l²)
    (array([[-9.81]]), array([[0.5]]))
    """
    tau = np.zeros(model.nv) if tau is None else tau
    forward_dynamics(model, q, v, tau, t=t)  # a bad state gets its words here
    s = states(model, q, v=v, tau=tau)
    n = model.nv
    q, v, tau = (np.repeat(s[name][:, None, :], 3 * n, axis=1).astype(complex) for name in ("q", "v", "tau"))
    unit = np.eye(n) * 1j * STEP
    q[:, :n] += coordinate_rates(model, s["q"][:, None, :], np.eye(n)) * 1j * STEP
    v[:, n : 2 * n] += unit
    tau[:, 2 * n :] += unit
    rows = s.count * 3 * n
    out = prescribed_accelerations(model, rows, t, None).astype(complex)
    q, v, tau = (np.ascontiguousarray(x.reshape(rows, -1)) for x in (q, v, tau))
    _accelerate(model, q, v, tau, out)
    slopes = np.swapaxes(np.imag(out).reshape(s.count, 3, n, n) / STEP, -1, -2)
    require_finite(model, s, "raise", "linearize: a derivative", slopes)
    return Linearization(*(s.shaped(slopes[:, k], n, n) for k in range(3)))


def _accelerate(model: Model, q: np.ndarray, v: np.ndarray, tau: np.ndarray, out: np.ndarray) -> None:
    """Complex accelerations of complex states, into `out`."""
    rows = len(q)
    status, none = np.zeros((rows, 1), dtype=complex), np.empty((0, 6 * model.nbodies), dtype=complex)
    if not model.constraints:
        from .kernels.forward import forward_states

        forward_states(0j, model.tables, (q, v, tau, none, out, status), 0, rows)
        return
    from .kernels.constrained_forward import constrained_states

    multipliers = np.zeros((rows, sum(c.rows for c in model.constraints)), dtype=complex)
    ranks, gaps = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=complex)
    found = multipliers, ranks, gaps, status
    constrained_states(0j, model.tables, (q, v, tau, none, out), found, 0, rows)
