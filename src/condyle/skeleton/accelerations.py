"""Accelerations and reactions of one state: equation (6) with exactly as many unknowns as the joints lock."""

from __future__ import annotations

from ..numeric import entry, kernel
from .algebra import load3, load9, store3, turned_back
from .geometry import place_bodies, place_joints
from .loads import add_body_loads, add_joint_torques, biases, clear, gyroscopic, world_rates
from .loops import factor_all, solve_all

__all__ = ["accelerate", "accelerations", "place_and_factor"]


@kernel
def place_and_factor(z, plan, rows, soft, x, work):
    """Everything that depends on the poses alone."""
    place_bodies(z, plan.bodies, x, work.R, work.M)
    place_joints(z, plan.links, plan.joints, work.R, work.arm)
    factor_all(z, plan, rows, soft, work)


@kernel
def accelerate(z, plan, rows, soft, friction, step, x, loads, at, work):
    """Accelerations (angular, linear; world axes) in work.f, reactions in work.b.

    `friction` is 1 where it acts as printed and 0 where it is implicit over `step`: then the rows beyond the locked
    ones carry it.
    """
    place_and_factor(z, plan, rows, soft, x, work)
    world_rates(z, plan, x, work.R, work.momentum)
    biases(z, plan, work.momentum, work.arm, work.R, step, work.b)
    clear(z, work.f, 6 * len(plan.bodies))
    add_body_loads(z, plan, 1.0, loads, at, work.f)
    add_joint_torques(z, plan, 1.0, friction, x, work.R, loads, at, work.f)
    gyroscopic(z, plan, x, work.R, work.f)
    solve_all(z, plan, rows, work, work.f, work.b)


@entry
def accelerations(z, plan, rows, soft, friction, step, x, loads, work):
    """`accelerate` for one block of states; angular accelerations end in body axes."""
    accelerate(z, plan, rows, soft, friction, step, x, loads, 0, work)
    for i in range(len(plan.bodies)):
        to_body_axes(z, work.R, work.f, i)


@kernel
def to_body_axes(z, R, f, i):
    """dω/dt in body axes is Rᵀ times the angular acceleration: ω × ω vanishes."""
    a = turned_back(load9(z, R, 9 * i), load3(z, f, 6 * i))
    store3(z, f, 6 * i, a)
