"""A Runge-Kutta step whose forces come from Python at every stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..dynamics import forward_dynamics
from ..dynamics.coordinate_differences import coordinate_rates
from ..model import Model
from ..model.kernels.status import BLOWN_UP, FASTEST, KINDS, NOT_FINITE
from .domain_exits import domain_status
from .kernels.runge_kutta import classical_step
from .prescribed_motion import put_prescribed
from .stop_reasons import body_of

if TYPE_CHECKING:
    from .tree_engine import TreeEngine


def rk4_stages(engine: TreeEngine, control: Callable, t: float, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(q, v, status) after one step from the engine's states."""
    model, start = engine.model.without_muscles(), (engine.q, engine.v)
    left = np.zeros(len(engine.q))
    given = engine.s["wrenches"].reshape(-1, model.nbodies, 6) if len(engine.W) else None

    def at(part: float, by: float, slopes) -> tuple[np.ndarray, np.ndarray]:
        dq, a = (slopes[:, : model.nq], slopes[:, model.nq :]) if by else (0.0, 0.0)
        return moved(model, t + part * h, *start, by, dq, a)

    def slope(part: float, state: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        x, y = state
        note_exits(engine.domains, x, left)
        bad = ~finite(x, y) | (left > 0)
        x[bad], y[bad] = engine.q[bad], engine.v[bad]  # a member that fails here has its NaN in the slopes
        tau = engine.controlled(control, t + part * h, x, y)
        a = forward_dynamics(model, x, y, tau, given, t=t + part * h, on_failure="nan", threads=engine.method.threads)
        return np.concatenate([coordinate_rates(model, x, y), np.where(bad[:, None], np.nan, a)], axis=1)

    q, v = classical_step(slope, at, h)
    note_exits(engine.domains, q, left)
    return q, v, np.where(left > 0, left, step_status(model, q, v))


def note_exits(domains: np.ndarray, q: np.ndarray, left: np.ndarray) -> None:
    """Put the status of states that are outside a domain that refuses it into `left` (count,), unless it has one."""
    left[:] = np.where(left > 0, left, domain_status(domains, q))


@np.errstate(over="ignore", invalid="ignore")
def moved(
    model: Model, t: float, q: np.ndarray, v: np.ndarray, h: float, dq: np.ndarray | float, a: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) moved by h along slopes, with unit quaternions; prescribed coordinates are where they must be at t."""
    x, y = unit(model, q + h * dq), v + h * a
    put_prescribed(model, t, x, y)
    return x, y


def finite(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Which states are finite, (count,)."""
    return np.isfinite(np.concatenate([q, v], axis=1)).all(axis=1)  # type: ignore[return-value]


def step_status(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """0 where a state is finite and slow enough, else a status that names the body that is fastest."""
    out = np.zeros(len(q))
    slow = np.abs(v) < FASTEST  # False for NaN
    for i in np.flatnonzero(~(slow.all(axis=1) & finite(q, v))):
        size = np.where(slow[i], 0.0, np.nan_to_num(np.abs(v[i]), nan=np.inf))
        k = int(np.argmax(size))  # 0 if all are slow: then a quaternion or a position is at fault
        kind = BLOWN_UP if np.isfinite(v[i, k]) and np.isfinite(q[i]).all() else NOT_FINITE
        out[i] = kind + KINDS * body_of(model, k)
    return out


def unit(model: Model, q: np.ndarray) -> np.ndarray:
    """q with its quaternions brought back to unit norm."""
    for at, _, _ in model.quaternions:
        q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
    return q
