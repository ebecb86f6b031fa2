"""Choosing the compiled loop of an integrator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model import Model
from .plan import Plan

__all__ = ["stepper"]

Tables = tuple[np.ndarray, np.ndarray]  # codes and numbers


def stepper(model: Model, plan: Plan, integrator: str, tolerance: float, land: bool, count: int) -> Callable:
    """step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop): march members start … stop."""
    from .prescribed_motion import driven_tables

    tables = driven_tables(model, plan.start, plan.start + plan.step * plan.steps)
    driven = bool(model.prescribed)
    if integrator == "adaptive":
        return _adaptive(tables, plan, tolerance, land, count, driven, bool(model.constraints))
    if integrator == "variational":
        return _variational(tables, plan)
    return _fixed(tables, plan, integrator, driven, bool(model.constraints))


def _variational(tables: Tables, plan: Plan) -> Callable:
    from .kernels.variational import variational_steps

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        arrays = (Q, V, TAU, W, QT, VT, STATUS, ENDED)
        variational_steps(z, *tables, plan.step, base, steps, plan.every, *arrays, start, stop)

    return step


def _fixed(tables: Tables, plan: Plan, integrator: str, driven: bool, held: bool) -> Callable:
    from .kernels.fixed_step import EULER, RK4, SEMI_IMPLICIT, fixed_steps, held_fixed_steps

    kind = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4}[integrator]
    times, march = (plan.start, plan.step), held_fixed_steps if held else fixed_steps

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        arrays = (Q, V, TAU, W, QT, VT, STATUS, ENDED)
        march(z, kind, *tables, *times, base, steps, plan.every, *arrays, driven, start, stop)

    return step


def _adaptive(
    tables: Tables, plan: Plan, tolerance: float, land: bool, count: int, driven: bool, held: bool
) -> Callable:
    from .kernels.dormand_prince import adaptive_steps, held_adaptive_steps

    march = held_adaptive_steps if held else adaptive_steps
    clock = np.tile([plan.start, plan.step], (count, 1))  # each member's own time and next step

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        control = (tolerance, land)
        arrays = (Q, V, TAU, W, clock, QT, VT, STATUS, ENDED)
        march(z, *tables, plan.start, plan.step, base, steps, plan.every, *control, *arrays, driven, start, stop)

    return step
