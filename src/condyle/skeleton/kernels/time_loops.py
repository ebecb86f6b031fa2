"""The time loops, compiled: many steps of one block of states, recorded every so often."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...model.kernels.status import BLOWN_UP, FASTEST, KINDS, NOT_SOLVED
from ...numeric import any_lane, entry, kernel, less, load, magnitude, seldom, select, store, width
from ...simulation.kernels.step_checks import largest
from ...spatial.kernels.algebra import load4, quaternion_rotation, store9
from .accelerations import Braking, settle
from .body_forces import Instant
from .elastic import count_turns
from .hakenberg_step import step_printed
from .joint_geometry import gaps, turn_bodies
from .rk4 import step_rk4
from .variational import copy, step_variational

VELOCITIES, STATE = 7, 13  # where the velocities of a body begin in its state, and how many numbers that has


class Tally(NamedTuple):
    """What becomes of a block's lanes."""

    records: Any  # (records, numbers · lanes)
    status: Any  # (lanes,): 0 while a lane goes on, else a kind + KINDS · joint
    ended: Any  # (lanes,): good steps


# Every loop advances the state at o.x by the steps of a `Clock` and records every so often. `brake` is the implicit
# friction of the joints (2, joints), without (zeros) and with it, and its share. `inputs` are loads and their size: one
# instant for all time (size 0), or `size` numbers for each step (RK4: for each half). A lane that fails, or has been
# stopped, is NaN from there on; its last good state stays at o.good.


@entry
def run_variational(z, w, o, plan, brake, clock, inputs, tally):
    drags, share = brake
    loads, size = inputs
    block = Tally(tally[0], tally[1], tally[2])
    start(z, w, o, plan)
    settle(z, w, o, plan, drags[0], o.x)
    for k in range(clock.steps):
        step_variational(z, w, o, plan, ((drags[0], drags[1]), share), clock.step, Instant(loads, k * size), size)
        if not judge(z, w, o, plan, clock.base + k + 1, clock.every, block):
            return


@entry
def run_rk4(z, w, o, plan, brake, clock, inputs, tally):
    drags, _ = brake
    loads, size = inputs
    block = Tally(tally[0], tally[1], tally[2])
    start(z, w, o, plan)
    for k in range(clock.steps):
        step_rk4(z, w, o, plan, drags[0], clock.step, Instant(loads, 2 * k * size), size)
        if not judge(z, w, o, plan, clock.base + k + 1, clock.every, block):
            return


@entry
def run_printed(z, w, o, plan, brake, clock, inputs, tally):
    drags, share = brake
    loads, size = inputs
    block = Tally(tally[0], tally[1], tally[2])
    start(z, w, o, plan)
    for k in range(clock.steps):
        step_printed(z, w, o, plan, Braking(drags[1], 1.0 - share, clock.step), Instant(loads, k * size))
        if not judge(z, w, o, plan, clock.base + k + 1, clock.every, block):
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
def judge(z, w, o, plan, done, every, tally):
    """Note lanes that failed in this step, keep the state of the others, record it; whether any lane goes on."""
    if len(plan.limits) > 0:
        turn_bodies(z, w, o, plan.bodies, o.x)
        count_turns(z, w, o, plan)
    any_going = find_failures(z, w, o, plan, tally.status)
    if any_lane(less(0.5, load(z, tally.status, 0))):
        keep_good(z, w, o, less(load(z, tally.status, 0), 0.5))
    else:
        copy(z, w, o.R - o.x, o.x, o.good)
    if done % every == 0:
        for k in range(o.R - o.x):
            store(z, tally.records[done // every], k, load(z, w, o.x + k))
    for l in range(width(z)):  # last: an interruption reads the records that it counts
        if tally.status[l] == 0.0:
            tally.ended[l] += 1.0
    return any_going


@kernel
def find_failures(z, w, o, plan, status):
    """The status of lanes that did not converge, or have a body that is too fast; whether any lane goes on."""
    lanes, any_going = width(z), False
    store(z, w, o.flag + 1, z)
    if not all_slow(z, w, o.x, len(plan.bodies) - 1):
        store(z, w, o.flag + 1, name_fastest(z, w, o.x, len(plan.bodies) - 1))
    for l in range(lanes):
        if status[l] == 0.0:
            if w[o.flag * lanes + l].real > 0.5:
                status[l] = NOT_SOLVED + KINDS * worst(z, w, o, plan, l)
            elif w[(o.flag + 1) * lanes + l].real > 0.5:
                status[l] = w[(o.flag + 1) * lanes + l].real
            else:
                any_going = True
    return any_going


@kernel
def all_slow(z, w, x, bodies):
    """Whether the sum of all velocities is credible in every lane, and all poses are finite: then nothing failed."""
    speeds, places = z, z
    for i in range(bodies):
        at = x + STATE * i
        for k in range(VELOCITIES):
            places = places + magnitude(load(z, w, at + k))
        for k in range(VELOCITIES, STATE):
            speeds = speeds + magnitude(load(z, w, at + k))
    slow = less(speeds + 0.0 * places, FASTEST)  # NaN where a place is not finite
    return not any_lane(less(0.5, select(slow, z, z + 1.0)))


@seldom
def name_fastest(z, w, x, bodies):
    """The status of the body with the largest velocity, if that is no longer credible; 0 if all are slow enough."""
    most, found = z, z
    for i in range(bodies):
        for k in range(x + STATE * i, x + STATE * (i + 1)):
            weight = 1.0 if k - x - STATE * i >= VELOCITIES else 0.0  # of a pose only: is it finite?
            most, found = largest(z, weight * magnitude(load(z, w, k)), BLOWN_UP + KINDS * i, most, found)
    return select(less(most, FASTEST), z, found)


@kernel
def keep_good(z, w, o, good):
    """Keep the state of lanes that are well; others become NaN."""
    for k in range(o.R - o.x):
        x = load(z, w, o.x + k)
        store(z, w, o.good + k, select(good, x, load(z, w, o.good + k)))
        store(z, w, o.x + k, select(good, x, z + math.nan))


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
