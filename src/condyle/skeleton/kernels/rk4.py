"""The classical Runge-Kutta method on quaternions, normalised after each step: fourth order, joints drift slowly."""

from __future__ import annotations

from ...numeric import kernel, load, store
from ...spatial.kernels.algebra import load3, load4, load9, quaternion_product, store3, store4, transposed_matvec
from .accelerations import accelerate
from .algebra import unit
from .geometry import turn_bodies

__all__ = ["step_rk4"]


@kernel
def step_rk4(z, w, o, plan, rigid, h, loads, at, stride):
    """`at` and `stride`: where the loads of the step's start are, and how far on those of its middle."""
    n = 13 * len(plan.bodies)
    combine(z, w, n, o.x, 0.0, o.x, o.next)
    combine(z, w, n, o.x, 0.0, o.x, o.total)
    for stage in range(4):
        slopes(z, w, o, plan, rigid, h, o.next, loads, at + (stage + 1) // 2 * stride)
        combine(z, w, n, o.x, h if stage == 2 else 0.5 * h, o.slope, o.next)
        combine(z, w, n, o.total, h / 3.0 if stage in (1, 2) else h / 6.0, o.slope, o.total)
    combine(z, w, n, o.total, 0.0, o.total, o.x)
    for i in range(len(plan.bodies)):
        store4(z, w, o.x + 13 * i + 3, unit(load4(z, w, o.x + 13 * i + 3)))


@kernel
def combine(z, w, n, x, weight, slope, y):
    """y = x + weight · slope."""
    for k in range(n):
        store(z, w, y + k, load(z, w, x + k) + weight * load(z, w, slope + k))


@kernel
def slopes(z, w, o, plan, rigid, h, x, loads, at):
    """dx/dt of the state at x; the world stays."""
    turn_bodies(z, w, o, plan.bodies, x)
    accelerate(z, w, o, plan, rigid, 1.0, h, x, loads, at)
    for i in range(len(plan.bodies)):
        k, to, rate = x + 13 * i, o.slope + 13 * i, load3(z, w, x + 13 * i + 10)
        half = (z, 0.5 * rate[0], 0.5 * rate[1], 0.5 * rate[2])
        store3(z, w, to, load3(z, w, k + 7))
        store4(z, w, to + 3, quaternion_product(load4(z, w, k + 3), half))
        store3(z, w, to + 7, load3(z, w, o.f + 6 * i + 3))
        store3(z, w, to + 10, transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.f + 6 * i)))
