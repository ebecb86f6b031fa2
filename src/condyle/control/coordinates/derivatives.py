"""Value, gradient and Hessian tensor of a formula on postures, from one run on complex numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...dynamics.kinematics import STEP
from ...model import Model
from .pose_jet import Posture

__all__ = ["second_derivatives"]


def second_derivatives(model: Model, formula: Callable, q: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, ...]:
    """u (count, m), G (count, m, nv) and H (count, m, nv, nv), H[…, j, k] = ∂G_j along velocity k, of flat states."""
    n, count = model.nv, len(q)
    along = (np.tile(np.eye(n), (count, 1)), np.zeros(count * n))
    u = formula(Posture(model, np.repeat(q, n, axis=0), np.repeat(t, n), along))
    value = np.real(u.value).reshape(count, n, -1)[:, 0]
    slope = u.slope[..., :-1].reshape(count, n, -1, n)
    return value, np.real(slope[:, 0]), np.moveaxis(np.imag(slope), 1, -1) / STEP
