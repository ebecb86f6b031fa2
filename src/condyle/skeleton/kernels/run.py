"""The time loops, compiled: many steps of one block of states, recorded every so often."""

from __future__ import annotations

import math

from ...numeric import entry, kernel, load, store, width
from ...spatial.kernels.algebra import load4, quaternion_rotation, store9
from .accelerations import settle
from .elastic import count_turns
from .geometry import gaps, turn_bodies
from .hakenberg_step import step_printed
from .rk4 import step_rk4
from .variational import step_variational

__all__ = ["GOING", "NOT_CONVERGED", "NOT_FINITE", "run_printed", "run_rk4", "run_variational"]

GOING, NOT_CONVERGED, NOT_FINITE = 0, 1, 2

# Every loop advances the state at o.x by `steps` and writes every `every`-th state to `out`. `loads` holds one instant
# for all time (size 0), or `size` numbers for each step (RK4: for each half). `status` (3 × lanes) tells why a lane
# stopped, after how many steps and which joint gapes most; such a lane is NaN from there on.


@entry
def run_variational(z, w, o, plan, drags, share, h, steps, every, loads, size, out, status):
    """`drags` (2, joints): without implicit friction (zeros), and with it."""
    start(z, w, o, plan)
    settle(z, w, o, plan, drags[0], o.x)
    for k in range(steps):
        step_variational(z, w, o, plan, drags[0], drags[1], share, h, loads, k * size, size)
        if not judge(z, w, o, plan, k + 1, every, out, status):
            return


@entry
def run_rk4(z, w, o, plan, drags, share, h, steps, every, loads, size, out, status):
    start(z, w, o, plan)
    for k in range(steps):
        step_rk4(z, w, o, plan, drags[0], h, loads, 2 * k * size, size)
        if not judge(z, w, o, plan, k + 1, every, out, status):
            return


@entry
def run_printed(z, w, o, plan, drags, share, h, steps, every, loads, size, out, status):
    start(z, w, o, plan)
    for k in range(steps):
        step_printed(z, w, o, plan, drags[1], 1.0 - share, h, loads, k * size)
        if not judge(z, w, o, plan, k + 1, every, out, status):
            return


@kernel
def start(z, w, o, plan):
    """The world's part of the scratch states."""
    world = len(plan.bodies) - 1
    for k in range(13 * world, 13 * world + 13):
        store(z, w, o.next + k, load(z, w, o.x + k))
    store9(z, w, o.R_next + 9 * world, quaternion_rotation(*load4(z, w, o.x + 13 * world + 3)))
    store(z, w, o.flag, z)


@kernel
def judge(z, w, o, plan, step, every, out, status):
    """Note lanes that failed in this step and make them NaN; record the state; whether any lane goes on."""
    lanes, numbers, any_going = width(z), o.R - o.x, False
    if len(plan.limits) > 0:
        turn_bodies(z, w, o, plan.bodies, o.x)
        count_turns(z, w, o, plan)
    for l in range(lanes):
        if status[l] == GOING:
            if w[o.flag * lanes + l].real > 0.5:
                status[l], status[lanes + l], status[2 * lanes + l] = NOT_CONVERGED, step, worst(z, w, o, plan, l)
            elif not lane_is_finite(w, o.x, numbers, lanes, l):
                status[l], status[lanes + l] = NOT_FINITE, step
            else:
                any_going = True
                continue
            for k in range(o.x, o.x + numbers):
                w[k * lanes + l] = math.nan
    if step % every == 0:
        for k in range(numbers):
            store(z, out, (step // every - 1) * numbers + k, load(z, w, o.x + k))
    return any_going


@kernel
def worst(z, w, o, plan, l):
    """The joint of lane l that gapes most at the end of the step."""
    gaps(z, w, plan.links, plan.joints, o.next, o.R_next, 1.0, o.b)
    found, most = 0, 0.0
    for j in range(len(plan.links)):
        total = 0.0
        for k in range(6 * j, 6 * j + 6):
            total += abs(w[(o.b + k) * width(z) + l])
        if total > most:
            found, most = j, total
    return found


@kernel
def lane_is_finite(w, x, n, lanes, l):
    """No NaN or infinity among the n numbers at x of lane l."""
    total = 0.0
    for k in range(x, x + n):
        total += abs(w[k * lanes + l])
    return total < 1e150
