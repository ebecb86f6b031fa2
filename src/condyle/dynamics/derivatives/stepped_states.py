"""Derivatives by recursions on dual or complex numbers, exact to round-off: for models without analytic ones.

Entries take both as complex numbers. Dual ones, value + derivative i, run in SIMD lanes; complex steps, i times next to
nothing, run where states are taken one by one.
"""

from __future__ import annotations

import numpy as np

from ...model import Model
from ..arguments import States, wrench_rows
from ..coordinate_differences import coordinate_rates

COMPLEX = 1e-30  # a complex step is exact to round-off at any size this small
DUAL = 1.0


def stepped(model: Model, s: States, last: str, step: float) -> list[np.ndarray]:
    """q, v, the argument named `last`, and wrenches of 3 nv rows for each state: a step along each of the first three.

    Steps of q are those of `integrate`.
    """
    n = model.nv
    q, v, x = (np.repeat(s[name][:, None, :], 3 * n, axis=1).astype(complex) for name in ("q", "v", last))
    q[:, :n] += 1j * step * coordinate_rates(model, s["q"][:, None, :], np.eye(n))
    for k, values in ((1, v), (2, x)):
        values[:, k * n : (k + 1) * n] += 1j * step * np.eye(n)
    wrenches = np.repeat(wrench_rows(model, s), 3 * n, axis=0).astype(complex)
    return [*(np.ascontiguousarray(y.reshape(s.count * 3 * n, -1)) for y in (q, v, x)), wrenches]


def slopes_of(out: np.ndarray, count: int, step: float) -> list[np.ndarray]:
    """Three matrices (count, nv, nv) from what rows of `stepped` gave (count · 3 nv, nv)."""
    n = out.shape[1]
    slopes = np.swapaxes(np.imag(out).reshape(count, 3, n, n) / step, -1, -2)
    return [slopes[:, k] for k in range(3)]
