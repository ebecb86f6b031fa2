"""Derivatives by complex step: the recursions of condyle on complex numbers, which know no formula of a derivative.

A step of 1e-30 in the imaginary part is exact to round-off. Coordinates step along `integrate`: δq = N(q) e_j.
"""

import numpy as np

from condyle.dynamics.arguments import states, wrench_rows
from condyle.dynamics.coordinate_differences import coordinate_rates
from condyle.dynamics.derivatives.linearization import complex_step
from condyle.dynamics.kernels.inverse import inverse_states

__all__ = ["of_forward_dynamics", "of_inverse_dynamics"]

STEP = 1e-30


def of_forward_dynamics(model, q, v, tau, wrenches=None, t=0.0):
    """∂a/∂q, ∂a/∂v and ∂a/∂τ of a batch (count, …)."""
    return complex_step(model, states(model, q, v=v, tau=tau, wrenches=wrenches), t)


def of_inverse_dynamics(model, q, v, a, wrenches=None):
    """∂τ/∂q, ∂τ/∂v and ∂τ/∂a of a batch (count, …)."""
    s, n = states(model, q, v=v, a=a, wrenches=wrenches), model.nv
    given = {name: np.repeat(s[name][:, None], 3 * n, axis=1).astype(complex) for name in "qva"}
    steps = 1j * STEP * np.eye(n)
    given["q"][:, :n] += coordinate_rates(model, s["q"][:, None], np.eye(n)) * 1j * STEP
    given["v"][:, n : 2 * n] += steps
    given["a"][:, 2 * n :] += steps
    rows = 3 * n * s.count
    arrays = [np.ascontiguousarray(x.reshape(rows, -1)) for x in given.values()]
    out = np.zeros((rows, n), dtype=complex)
    pushes = np.repeat(wrench_rows(model, s), 3 * n, axis=0).astype(complex)
    inverse_states(0j, model.tables, (*arrays, pushes, out), 0, rows)
    slopes = np.swapaxes(out.imag.reshape(s.count, 3, n, n) / STEP, -1, -2)
    return [slopes[:, k] for k in range(3)]
