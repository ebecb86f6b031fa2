"""Choosing the compiled loop of an integrator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model import Model
from .schedule import Plan

Tables = tuple[np.ndarray, np.ndarray]  # codes and numbers
FIXED = ("euler", "semi-implicit", "rk4")  # of equal steps


def stepper(
    model: Model,
    plan: Plan,
    integrator: str,
    tolerance: float,
    land: bool,
    clocks: np.ndarray,
    tables: tuple | None = None,
) -> Callable:
    """step(z, base, steps, origin, arrays, start, stop): march members start … stop; `arrays` are those of a Batch.

    The first record of the arrays is that after `origin` steps. `clocks` (count, 2) are the members' times and next
    steps with error control. `tables` are those of members, with their motions; by default those of the model.
    """
    from .kernels.batch_block import Batch, Clock
    from .prescribed_motion import driven_tables

    if tables is None:
        tables = driven_tables(model, plan.start, plan.end)
    held = bool(model.constraints)
    if integrator == "adaptive":
        march = _adaptive(tables, tolerance, land, clocks, held)
    else:
        march = _variational(tables) if integrator == "variational" else _fixed(tables, integrator, held)

    def step(z, base: int, steps: int, origin: int, arrays: tuple[np.ndarray, ...], start: int, stop: int) -> None:
        clock = Clock(float(plan.time(origin)), float(plan.step), base - origin, steps, plan.every)
        march(z, clock, Batch(*arrays), start, stop)

    return step


def _variational(tables: Tables) -> Callable:
    from .kernels.variational import variational_steps

    return lambda z, clock, batch, start, stop: variational_steps(z, tables, clock, batch, start, stop)


def _fixed(tables: Tables, integrator: str, held: bool) -> Callable:
    from .kernels.fixed_step import (
        EULER,
        RK4,
        SEMI_IMPLICIT,
        constrained_fixed_steps,
        constrained_lane_steps,
        fixed_steps,
    )

    kind = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4}[integrator]
    one, several = (constrained_fixed_steps, constrained_lane_steps) if held else (fixed_steps, fixed_steps)

    def march(z, clock, batch, start: int, stop: int) -> None:
        (one if isinstance(z, float) else several)(z, kind, tables, clock, batch, start, stop)

    return march


def _adaptive(tables: Tables, tolerance: float, land: bool, clocks: np.ndarray, held: bool) -> Callable:
    from .kernels.dormand_prince import Control, adaptive_steps, constrained_adaptive_steps

    march = constrained_adaptive_steps if held else adaptive_steps
    control = Control(float(tolerance), bool(land), clocks)
    return lambda z, clock, batch, start, stop: march(z, tables, clock, control, batch, start, stop)
