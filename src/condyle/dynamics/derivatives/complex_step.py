"""Derivatives by recursions on complex numbers, exact to round-off: for models that the analytic ones leave out."""

from __future__ import annotations

import numpy as np

from ...model import Model
from ..arguments import States, wrench_rows
from ..coordinate_differences import coordinate_rates

STEP = 1e-30  # complex step: exact to round-off at any size this small


def stepped(model: Model, s: States, last: str) -> list[np.ndarray]:
    """q, v, the argument named `last`, and wrenches of 3 nv rows for each state: a step along each of the first three.

    Steps of q are those of `integrate`.
    """
    n = model.nv
    q, v, x = (np.repeat(s[name][:, None, :], 3 * n, axis=1).astype(complex) for name in ("q", "v", last))
    q[:, :n] += coordinate_rates(model, s["q"][:, None, :], np.eye(n)) * 1j * STEP
    for k, values in ((1, v), (2, x)):
        values[:, k * n : (k + 1) * n] += np.eye(n) * 1j * STEP
    wrenches = np.repeat(wrench_rows(model, s), 3 * n, axis=0).astype(complex)
    return [*(np.ascontiguousarray(y.reshape(s.count * 3 * n, -1)) for y in (q, v, x)), wrenches]


def slopes_of(out: np.ndarray, count: int) -> list[np.ndarray]:
    """Three matrices (count, nv, nv) from what rows of `stepped` gave (count · 3 nv, nv)."""
    n = out.shape[1]
    slopes = np.swapaxes(np.imag(out).reshape(count, 3, n, n) / STEP, -1, -2)
    return [slopes[:, k] for k in range(3)]
