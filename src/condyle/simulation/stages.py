"""A Runge-Kutta step whose forces come from Python at every stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..dynamics import forward_dynamics
from ..dynamics.coordinates import coordinate_rates
from ..dynamics.kernels.layout import NOT_FINITE

if TYPE_CHECKING:
    from .run import Run

__all__ = ["rk4_stages"]


def rk4_stages(run: Run, control: Callable, t: float, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(q, v, status) after one step from the run's states."""
    model, q, v = run.model, run.q, run.v
    total_q, total_v = np.zeros_like(q), np.zeros_like(v)
    x, y, dq, a = q, v, np.zeros_like(q), np.zeros_like(v)
    for part, weight in ((0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)):
        if part:
            x, y = unit(model, q + part * h * dq), v + part * h * a
        if model.prescribed:
            from .run import put_prescribed

            put_prescribed(model, t + part * h, x, y)
        tau = run.controlled(control, t + part * h, x, y)
        given = run.s["wrenches"].reshape(-1, model.nbodies, 6) if len(run.W) else None
        a = forward_dynamics(model, x, y, tau, given, t=t + part * h, errors="nan", threads=run.threads)
        dq = coordinate_rates(model, x, y)
        total_q, total_v = total_q + weight * dq, total_v + weight * a
    q, v = unit(model, q + h / 6 * total_q), v + h / 6 * total_v
    bad = ~(np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1))
    return q, v, np.where(bad, float(NOT_FINITE), 0.0)


def unit(model, q: np.ndarray) -> np.ndarray:
    """q with its quaternions brought back to unit norm."""
    for at, _, _ in model.quaternions:
        q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
    return q
