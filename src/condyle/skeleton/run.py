"""The time loop, compiled: many steps of one block of states, recorded every so often."""

from __future__ import annotations

import math

from ..numeric import entry, kernel, load, store, width
from .accelerations import place_and_factor
from .algebra import load4, rotation, store9
from .printed import step_printed
from .rk4 import step_rk4
from .variational import step_variational

__all__ = ["GOING", "NOT_CONVERGED", "NOT_FINITE", "PRINTED", "RK4", "VARIATIONAL", "run"]

VARIATIONAL, RK4, PRINTED = 0, 1, 2
GOING, NOT_CONVERGED, NOT_FINITE = 0, 1, 2


@entry
def run(z, method, plan, rigid, rows, soft, share, h, steps, every, x, loads, size, out, status, work):
    """Advance x by `steps`, writing every `every`-th state to `out`.

    `loads` holds one instant of `size` numbers for all time (size 0: constant), or one per step and stage.
    `status` (2 × lanes): why a lane stopped, and after how many steps.
    """
    start(z, plan, x, work)
    if method == VARIATIONAL:
        place_and_factor(z, plan, rigid, soft, x, work)
    numbers, record = 13 * (len(plan.bodies) - 1), 0
    for k in range(steps):
        store(z, work.flag, 0, z)
        if method == VARIATIONAL:
            step_variational(z, plan, rigid, rows, soft, share, h, x, loads, k * size, size, work)
        elif method == RK4:
            step_rk4(z, plan, rows, soft, 1.0 - share, h, x, loads, 2 * k * size, size, work)
        else:
            step_printed(z, plan, rows, soft, 1.0 - share, h, x, loads, k * size, work)
        if not judge(z, plan, x, k + 1, work.flag, status):
            return
        if (k + 1) % every == 0:
            for i in range(numbers):
                store(z, out, record * numbers + i, load(z, x, i))
            record += 1


@kernel
def start(z, plan, x, work):
    """The world's part of the scratch states."""
    world = len(plan.bodies) - 1
    for k in range(13 * world, 13 * world + 13):
        store(z, work.next, k, load(z, x, k))
    store9(z, work.R_next, 9 * world, rotation(load4(z, x, 13 * world + 3)))


@kernel
def judge(z, plan, x, step, flag, status):
    """Note lanes that failed in this step and make them NaN; whether any lane goes on."""
    lanes, any_going = width(z), False
    for l in range(lanes):
        if status[l] == GOING:
            if flag[l].real > 0.5:
                status[l], status[lanes + l] = NOT_CONVERGED, step
            elif not lane_is_finite(x, 13 * (len(plan.bodies) - 1), lanes, l):
                status[l], status[lanes + l] = NOT_FINITE, step
            else:
                any_going = True
                continue
            for k in range(13 * (len(plan.bodies) - 1)):
                x[k * lanes + l] = math.nan
    return any_going


@kernel
def lane_is_finite(x, n, lanes, l):
    """No NaN or infinity among the n numbers of lane l."""
    total = 0.0
    for k in range(n):
        total += abs(x[k * lanes + l])
    return total < 1e150
