"""The classical Runge-Kutta method on quaternions, normalised after each step: fourth order, joints drift slowly."""

from __future__ import annotations

from ...numeric import inlined, kernel, width
from ...simulation.kernels.runge_kutta import PARTS, TOTAL, WEIGHTS, combine, copy
from ...spatial.kernels.algebra import load3, load4, load9, quaternion_product, store3, store4, transposed_matvec
from .accelerations import Braking, accelerate
from .body_forces import Instant
from .joint_geometry import turn_bodies
from .rotations import unit


@kernel
def step_rk4(z, w, o, plan, rigid, h, instant, stride):
    """`instant` and `stride`: the loads of the step's start, and how far on those of its middle are."""
    n = 13 * len(plan.bodies)
    x, here, slope, total = part(z, w, o.x), part(z, w, o.next), part(z, w, o.slope), part(z, w, o.total)
    copy(z, n, x, here)
    copy(z, n, x, total)
    for k in range(4):
        now = Instant(instant.loads, instant.at + (k + 1) // 2 * stride)
        slopes(z, w, o, plan, Braking(rigid, 1.0, h), o.next, now)
        if k < 3:
            combine(z, n, x, PARTS[k + 1] * h, slope, here)
        combine(z, n, total, WEIGHTS[k] * (h / TOTAL), slope, total)
    copy(z, n, total, x)
    for i in range(len(plan.bodies)):
        store4(z, w, o.x + 13 * i + 3, unit(load4(z, w, o.x + 13 * i + 3)))


@inlined
def part(z, w, at):
    """The work array from number `at` on."""
    return w[at * width(z) :]


@kernel
def slopes(z, w, o, plan, braking, x, instant):
    """dx/dt of the state at x; the world stays."""
    turn_bodies(z, w, o, plan.bodies, x)
    accelerate(z, w, o, plan, braking, x, instant)
    for i in range(len(plan.bodies)):
        k, to, rate = x + 13 * i, o.slope + 13 * i, load3(z, w, x + 13 * i + 10)
        half = (z, 0.5 * rate[0], 0.5 * rate[1], 0.5 * rate[2])
        store3(z, w, to, load3(z, w, k + 7))
        store4(z, w, to + 3, quaternion_product(load4(z, w, k + 3), half))
        store3(z, w, to + 7, load3(z, w, o.f + 6 * i + 3))
        store3(z, w, to + 10, transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.f + 6 * i)))
