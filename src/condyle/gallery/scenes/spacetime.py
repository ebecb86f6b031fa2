"""The same reach by directing, moment by moment, and by spacetime constraints, all of the motion at once.

Spacetime constraints (Witkin and Kass, 1988) make the whole motion discrete and minimise its torque under the
constraints. [ParkFussellBrowne1992, section 6]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ... import control as C
from ...dynamics import inverse_dynamics
from ...plots import Curve, Panel, sticks
from ...simulation import Trajectory
from ..chains import chain_points, planar_chain
from ..scene import Scene, directed_scene

START, GOAL, DURATION, KNOTS = np.array([-1.2, 0.5, 0.4]), np.array([0.55, 0.45]), 0.8, 25
LENGTHS = (0.4, 0.35, 0.3)


def reaching_arm() -> C.AnimationSpace:
    """The end of a three-link arm."""
    return C.AnimationSpace(planar_chain(LENGTHS), [C.point("link3", (LENGTHS[2], 0, 0), axes="xy", name="tip")])


def directed_reach() -> C.TorqueFunctions:
    """The tip goes straight to the goal, joints by least velocity."""
    arm = reaching_arm()
    path = C.keyframes([0.0, DURATION], [arm.value(START), GOAL])
    return C.torque_functions(C.direct(arm, START, {"tip": path}, duration=DURATION, step=DURATION / (8 * KNOTS)))


def spacetime_reach(knots: int = KNOTS) -> C.TorqueFunctions:
    """The whole path at once: least torque, first pose given, at rest at both ends, the tip at the goal at the end."""
    problem = _Spacetime(reaching_arm(), knots)
    end = {"type": "eq", "fun": problem.missed, "jac": problem.missed_slope}
    guess = directed_reach().thinned(knots).q[1:].reshape(-1)
    options = {"maxiter": 150, "ftol": 1e-6}
    best = minimize(problem.cost, guess, jac=True, method="SLSQP", constraints=end, options=options)
    q, v, tau = problem.torques(best.x)
    return C.TorqueFunctions(np.linspace(0.0, DURATION, knots), tau, q, v)


class _Spacetime:
    """Unknown: all poses but the first, x (…, (knots − 1) n)."""

    def __init__(self, arm: C.AnimationSpace, knots: int) -> None:
        self.arm, self.knots, self.h = arm, knots, DURATION / (knots - 1)

    def torques(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Poses, velocities and torques by differences; before and after it rests."""
        n = len(START)
        first = np.broadcast_to(START, (*x.shape[:-1], 1, n))
        q = np.concatenate([first, x.reshape(*x.shape[:-1], self.knots - 1, n)], axis=-2)
        around = np.concatenate([q[..., :1, :], q, q[..., -1:, :]], axis=-2)
        v = (around[..., 2:, :] - around[..., :-2, :]) / (2 * self.h)
        a = (around[..., 2:, :] - 2 * q + around[..., :-2, :]) / self.h**2
        return q, v, inverse_dynamics(self.arm.model, q, v, a)

    def size(self, x: np.ndarray) -> np.ndarray:
        """∫ |τ|² dt."""
        return np.sum(self.torques(x)[2] ** 2, axis=(-1, -2)) * self.h

    def cost(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        """The cost and its slope, all differences in one batch."""
        step = 1e-5 * np.eye(len(x))
        return float(self.size(x)), (self.size(x + step) - self.size(x - step)) / 2e-5

    def missed(self, x: np.ndarray) -> np.ndarray:
        """The tip at the end less the goal."""
        return self.arm.value(x[-len(START) :]) - GOAL

    def missed_slope(self, x: np.ndarray) -> np.ndarray:
        """Its gradient."""
        n = len(START)
        return np.concatenate([np.zeros((2, len(x) - n)), self.arm.gradient(x[-n:])], axis=1)


@dataclass(frozen=True)
class Account:
    """∫|τ|² dt [N² m² s], and how far from the goal [m]: as planned, and when the torques are played forward open."""

    cost: float
    planned: float
    replayed: float


def account(torques: C.TorqueFunctions) -> Account:
    """What a plan costs and how true it is."""
    arm = reaching_arm()
    back = C.replay(arm.model, torques, v=np.zeros(3), step=2e-3, record=0.1).trajectory
    planned, replayed = (float(np.linalg.norm(arm.value(q[-1]) - GOAL)) for q in (torques.q, back.q))
    return Account(float(np.trapezoid(np.sum(torques.tau**2, axis=1), torques.t)), planned, replayed)


def spacetime_scene() -> Scene:
    """The arm by each plan, and the size of its torques."""
    plans = {"directed": directed_reach(), "spacetime": spacetime_reach()}
    rows = [f"{'':10s} torque cost   goal missed as planned   when replayed open"]
    model, panels = reaching_arm().model, []
    for name, plan in plans.items():
        x = account(plan)
        rows.append(f"{name:10s} {x.cost:11.2f}   {x.planned:22.1e}   {x.replayed:18.1e}")
        points = chain_points(model, plan.q, LENGTHS[2])
        tip = Curve(*points[-1, -1:, :2].T, style="*", color="r", size=12)
        panels.append(Panel(name, [*sticks(points), tip], "x [m]", "y [m]", equal=True))
    sizes = [Curve(plan.t, np.linalg.norm(plan.tau, axis=1), name) for name, plan in plans.items()]
    panels.append(Panel("size of the torques", sizes, "t [s]", "|τ| [N m]"))
    best = plans["spacetime"]
    return directed_scene("spacetime", Trajectory(model, best.t, best.q, best.v), "\n".join(rows), panels)


def check() -> None:
    """Both plans meet the goal; spacetime asks for less torque, directing is truer to the physics."""
    first, second = account(directed_reach()), account(spacetime_reach())
    assert first.planned < 1e-6 and second.planned < 1e-3
    assert second.cost < first.cost
    assert first.replayed < second.replayed
