"""Accelerations and reactions of one state: equation (6) with exactly as many unknowns as the joints lock."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...numeric import entry, kernel
from ...spatial.kernels.algebra import load3, load9, store3, transposed_matvec
from .body_forces import Instant, add_body_loads, add_joint_torques, biases, clear, gyroscopic, world_rates
from .constraint_jacobian import torque
from .elastic import add_elastic
from .joint_geometry import place_bodies, place_joints, turn_bodies
from .loop_solver import ROUNDS
from .system import factor_all, solve_all


class Braking(NamedTuple):
    """Friction of joints: 1 where it acts as printed, 0 where it is implicit over `step`; then `drag` carries it."""

    drag: Any
    friction: float
    step: float


@kernel
def place_and_factor(z, w, o, plan, drag):
    """Everything that depends on the rotations alone."""
    place_bodies(z, w, o, plan.bodies)
    place_joints(z, w, o, plan.links, plan.joints)
    factor_all(z, w, o, plan, drag)


@kernel
def settle(z, w, o, plan, drag, x):
    """Everything that depends on the poses of the state at x."""
    turn_bodies(z, w, o, plan.bodies, x)
    place_and_factor(z, w, o, plan, drag)


@kernel
def accelerate(z, w, o, plan, braking, x, instant):
    """Accelerations (angular, linear; world axes) of the state at x go to f, reactions to b; R must be there."""
    drag, friction, step = braking
    place_and_factor(z, w, o, plan, drag)
    world_rates(z, w, o, plan, x, o.momentum)
    biases(z, w, o, plan, o.momentum, step)
    clear(z, w, o.f, 6 * len(plan.bodies))
    add_body_loads(z, w, plan, 1.0, instant, o.f)
    add_joint_torques(z, w, o, plan, (1.0, friction), x, instant, o.f)
    add_elastic(z, w, o, plan, 1.0, x, o.f)
    gyroscopic(z, w, o, plan, x, o.f)
    solve_all(z, w, o, plan, drag, ROUNDS, o.f, o.b)


@entry
def accelerations(z, w, o, plan, drag, loads, at):
    """`accelerate` for one block of states with friction as printed; `at` is given, not 0, to compile it but once.

    Angular accelerations end in body axes; each joint's force and torque on its first body, world axes, in `guess`.
    """
    accelerate(z, w, o, plan, Braking(drag, 1.0, 1.0), o.x, Instant(loads, at))
    for j in range(len(plan.links)):
        store3(z, w, o.guess + 6 * j, load3(z, w, o.b + 6 * j))
        store3(z, w, o.guess + 6 * j + 3, torque(z, w, o.arm, j, o.b))
    for i in range(len(plan.bodies)):
        # dω/dt in body axes is Rᵀ times the angular acceleration: ω × ω vanishes
        store3(z, w, o.f + 6 * i, transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.f + 6 * i)))
