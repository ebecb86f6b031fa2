"""Choosing the compiled loop of an integrator."""

# pyright: reportCallIssue=false
# (kernels are called with unpacked tables)

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model import Model
from .plan import Plan

__all__ = ["stepper"]


def stepper(model: Model, plan: Plan, integrator: str, tolerance: float, land: bool, count: int) -> Callable:
    """step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop): march members start … stop."""
    from .drive import driven_tables

    tables = driven_tables(model, plan.start, plan.start + plan.step * plan.steps)
    driven = bool(model.prescribed)
    if integrator == "adaptive":
        return _adaptive(tables, plan, tolerance, land, count, driven)
    if integrator == "variational":
        return _variational(tables, plan)
    return _fixed(tables, plan, integrator, driven)


def _variational(tables, plan: Plan) -> Callable:
    from .variational import variational_steps

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        arrays = (Q, V, TAU, W, QT, VT, STATUS, ENDED)
        variational_steps(z, *tables, plan.step, base, steps, plan.every, *arrays, start, stop)

    return step


def _fixed(tables, plan: Plan, integrator: str, driven: bool) -> Callable:
    from .fixed import EULER, RK4, SEMI_IMPLICIT, fixed_steps

    kind = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4}[integrator]
    times = (plan.start, plan.step)

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        arrays = (Q, V, TAU, W, QT, VT, STATUS, ENDED)
        fixed_steps(z, kind, *tables, *times, base, steps, plan.every, *arrays, driven, start, stop)

    return step


def _adaptive(tables, plan: Plan, tolerance: float, land: bool, count: int, driven: bool) -> Callable:
    from .adaptive import adaptive_steps

    clock = np.tile([plan.start, plan.step], (count, 1))  # each member's own time and next step

    def step(z, base, steps, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop):
        control = (tolerance, land)
        arrays = (Q, V, TAU, W, clock, QT, VT, STATUS, ENDED)
        adaptive_steps(
            z, *tables, plan.start, plan.step, base, steps, plan.every, *control, *arrays, driven, start, stop
        )

    return step
