"""The classical Runge-Kutta method on quaternions, normalised after each step: fourth order, joints drift slowly."""

from __future__ import annotations

from ..numeric import kernel, load, store
from .accelerations import accelerate
from .algebra import load3, load4, load9, quaternion_product, store3, store4, turned_back
from .printed import unit

__all__ = ["step_rk4"]


@kernel
def step_rk4(z, plan, rows, soft, friction, h, x, loads, at, stride, work):
    """`at` and `stride`: where the loads of the step's start are, and how far those of its middle."""
    n = 13 * len(plan.bodies)
    y, total = work.next, work.total
    slopes(z, plan, rows, soft, friction, h, x, loads, at, work)
    combine(z, n, x, 0.5 * h, work.slope, y)
    combine(z, n, x, h / 6.0, work.slope, total)
    slopes(z, plan, rows, soft, friction, h, y, loads, at + stride, work)
    combine(z, n, x, 0.5 * h, work.slope, y)
    combine(z, n, total, h / 3.0, work.slope, total)
    slopes(z, plan, rows, soft, friction, h, y, loads, at + stride, work)
    combine(z, n, x, h, work.slope, y)
    combine(z, n, total, h / 3.0, work.slope, total)
    slopes(z, plan, rows, soft, friction, h, y, loads, at + 2 * stride, work)
    combine(z, n, total, h / 6.0, work.slope, x)
    for i in range(len(plan.bodies)):
        store4(z, x, 13 * i + 3, unit(load4(z, x, 13 * i + 3)))


@kernel
def combine(z, n, x, weight, slope, y):
    """y = x + weight · slope."""
    for k in range(n):
        store(z, y, k, load(z, x, k) + weight * load(z, slope, k))


@kernel
def slopes(z, plan, rows, soft, friction, h, x, loads, at, work):
    """dx/dt of a state; the world stays."""
    accelerate(z, plan, rows, soft, friction, h, x, loads, at, work)
    for i in range(len(plan.bodies)):
        k, w = 13 * i, load3(z, x, 13 * i + 10)
        store3(z, work.slope, k, load3(z, x, k + 7))
        half = (z, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2])
        store4(z, work.slope, k + 3, quaternion_product(load4(z, x, k + 3), half))
        store3(z, work.slope, k + 7, load3(z, work.f, 6 * i + 3))
        store3(z, work.slope, k + 10, turned_back(load9(z, work.R, 9 * i), load3(z, work.f, 6 * i)))
