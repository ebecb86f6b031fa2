"""Derivatives by complex step: the recursions of condyle on complex numbers, which know no formula of a derivative.

A step of 1e-30 in the imaginary part is exact to round-off. Coordinates step along `integrate`: δq = N(q) e_j.
"""

import numpy as np

from condyle.dynamics.arguments import prescribed_accelerations, states, wrench_rows
from condyle.dynamics.constraints.kernels.constrained_forward import constrained_states
from condyle.dynamics.coordinate_differences import coordinate_rates
from condyle.dynamics.kernels.forward import forward_states
from condyle.dynamics.kernels.inverse import inverse_states

__all__ = ["of_forward_dynamics", "of_inverse_dynamics"]

STEP = 1e-30


def of_forward_dynamics(model, q, v, tau, wrenches=None, t=0.0):
    """∂a/∂q, ∂a/∂v and ∂a/∂τ of a batch (count, …)."""
    s = states(model, q, v=v, tau=tau, wrenches=wrenches)
    arrays = stepped(model, s, ("q", "v", "tau"))
    out = prescribed_accelerations(model, len(arrays[0]), t, None).astype(complex)
    status = np.zeros((len(out), 1), dtype=complex)
    if not model.constraints:
        forward_states(0j, model.tables, (*arrays, out, status), 0, len(out))
        return slopes(out, s.count)
    multipliers = np.zeros((len(out), sum(c.rows for c in model.constraints)), dtype=complex)
    found = multipliers, np.zeros(len(out), dtype=np.int64), np.zeros(len(out), dtype=complex), status
    constrained_states(0j, model.tables, (*arrays, out), found, 0, len(out))
    return slopes(out, s.count)


def of_inverse_dynamics(model, q, v, a, wrenches=None):
    """∂τ/∂q, ∂τ/∂v and ∂τ/∂a of a batch (count, …)."""
    s = states(model, q, v=v, a=a, wrenches=wrenches)
    arrays = stepped(model, s, ("q", "v", "a"))
    out = np.zeros((len(arrays[0]), model.nv), dtype=complex)
    inverse_states(0j, model.tables, (*arrays, out), 0, len(out))
    return slopes(out, s.count)


def stepped(model, s, names):
    """Arguments and wrenches of 3 nv rows for each state, a step along each of the three arguments."""
    n = model.nv
    given = {name: np.repeat(s[name][:, None], 3 * n, axis=1).astype(complex) for name in names}
    given["q"][:, :n] += coordinate_rates(model, s["q"][:, None], np.eye(n)) * 1j * STEP
    for k in (1, 2):
        given[names[k]][:, k * n : (k + 1) * n] += 1j * STEP * np.eye(n)
    pushes = np.repeat(wrench_rows(model, s), 3 * n, axis=0).astype(complex)
    return [*(np.ascontiguousarray(x.reshape(3 * n * s.count, -1)) for x in given.values()), pushes]


def slopes(out, count):
    """Three matrices of each state."""
    n = out.shape[1]
    found = np.swapaxes(out.imag.reshape(count, 3, n, n) / STEP, -1, -2)
    return [found[:, k] for k in range(3)]
