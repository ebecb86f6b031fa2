"""What a simulation is asked to do, checked: times, steps, forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics.states import States
from ..errors import BadShape, BadValue, NotFinite, NotSupported, require, unknown_name
from ..model import Model

__all__ = ["INTEGRATORS", "Plan", "forces", "make_plan"]

INTEGRATORS = ("euler", "semi-implicit", "rk4", "adaptive", "variational")


@dataclass(frozen=True)
class Plan:
    """Equal intervals `step` from `start`; every `every`-th is recorded."""

    start: float
    step: float
    steps: int
    every: int

    @property
    def times(self) -> np.ndarray:
        """Times of the records."""
        return self.start + self.step * np.arange(0, self.steps + 1, self.every)

    @property
    def records(self) -> int:
        """How many records, the start included."""
        return self.steps // self.every + 1


def positive(value, name: str, unit: str = "s") -> float:
    """A positive finite number."""
    good = np.isscalar(value) and np.isreal(value) and np.isfinite(value) and value > 0  # type: ignore[arg-type, operator]
    require(good, f"{name} must be a positive number [{unit}]", BadValue, **{name: value})
    return float(value)  # type: ignore[arg-type]


def make_plan(start: float, duration, step, record) -> Plan:
    """Whole steps of at most `step` that make up `duration`, recorded about every `record` seconds."""
    duration, step = positive(duration, "duration"), positive(step, "step")
    require(step <= duration * (1 + 1e-9), "step must not be longer than duration", step=step, duration=duration)
    require(np.isfinite(start), "t0 must be finite", NotFinite, t0=start)
    every = 1 if record is None else max(1, round(positive(record, "record") / step))
    steps = int(np.ceil(duration / step / every - 1e-9)) * every
    return Plan(float(start), duration / steps, steps, every)


def check_integrator(model: Model, integrator: str) -> None:
    """An integrator that exists and suits the model."""
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS, "condyle")
    require(
        integrator != "variational" or not (model.constraints or model.prescribed),
        "the variational integrator does not take constraints or prescribed motion; use rk4 or adaptive",
        NotSupported,
    )


def forces(model: Model, s: States, control, plan: Plan) -> np.ndarray:
    """Generalised forces (count, 1 or steps, nv): none, or given as an array over steps."""
    if control is None or callable(control):
        return np.zeros((s.count, 1, model.nv))
    x = np.asarray(control, dtype=float)
    expected = f"control must be a function (t, q, v), or an array (..., nv) or (..., {plan.steps}, nv)"
    require(x.ndim >= 1 and x.shape[-1] == model.nv, expected + f", nv = {model.nv}", BadShape, shape=x.shape)
    require(np.isfinite(x).all(), "control must be finite", NotFinite)
    if x.ndim == 1 or (x.ndim == len(s.batch) + 1 and x.shape[-2] != plan.steps):
        x = x[..., None, :]
    require(x.shape[-2] in (1, plan.steps), expected, BadShape, shape=x.shape)
    x = np.broadcast_to(x, (*s.batch, *x.shape[-2:]))
    return np.ascontiguousarray(x.reshape(s.count, *x.shape[-2:]))
