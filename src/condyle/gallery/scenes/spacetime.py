"""The same reach by directing, moment by moment, and by spacetime constraints, all of the motion at once.

Spacetime constraints (Witkin and Kass, 1988) take the whole motion as the unknown and minimise its torque under the
constraints. Here it is a spline of order 6, so that torques are exact at every moment and its cost is that of a true
motion: it falls to the least cost as spans are added. [ParkFussellBrowne1992, section 6]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import NonlinearConstraint, minimize

from ... import control as C
from ...dynamics import inverse_dynamics, inverse_dynamics_derivatives
from ...plots import Curve, Panel, draw_chart, sticks
from ...simulation import Trajectory
from ..chains import chain_points, planar_chain
from ..scene import Scene, directed_scene

START, GOAL, DURATION = np.array([-1.2, 0.5, 0.4]), np.array([0.55, 0.45]), 0.8
LENGTHS = (0.4, 0.35, 0.3)
DAMPING = 1.0  # [N m s/rad] of each joint; without it light links whip round, and there are many least costs
DEGREE, SPANS, RECORDS = 5, (4, 8, 16), 401


def reaching_arm() -> C.AnimationSpace:
    """The end of a three-link arm."""
    tip = C.point("link3", (LENGTHS[2], 0, 0), axes="xy", name="tip")
    return C.AnimationSpace(planar_chain(LENGTHS, damping=DAMPING), [tip])


def directed_reach() -> C.TorqueFunctions:
    """The tip goes straight to the goal, joints by least velocity."""
    arm = reaching_arm()
    path = C.keyframes([0.0, DURATION], [arm.value(START), GOAL])
    return C.torque_functions(C.direct(arm, START, {"tip": path}, duration=DURATION, step=DURATION / (RECORDS - 1)))


@dataclass(frozen=True)
class Plan:
    """The motion of least torque among splines, and its cost ∫|τ|² dt [N² m² s]."""

    path: BSpline
    cost: float

    @property
    def torques(self) -> C.TorqueFunctions:
        """Torques and states at equal times."""
        t = np.linspace(0.0, DURATION, RECORDS)
        q, v, a = self.path(t), self.path(t, 1), self.path(t, 2)
        return C.TorqueFunctions(t, inverse_dynamics(reaching_arm().model, q, v, a), q, v)


def spacetime_reach(spans: tuple[int, ...] = SPANS) -> list[Plan]:
    """The whole path at once: least torque, first pose given, at rest at both ends, the tip at the goal at the end.

    One plan for each number of `spans`; the first starts from the directed motion, the others from the one before.
    """
    first, plans = directed_reach(), []
    guess: Callable = lambda t: np.array([first.at(x, "q") for x in t])  # noqa: E731
    for n in spans:
        plans.append(_Spacetime(reaching_arm(), n).least(guess))
        guess = plans[-1].path
    return plans


class _Spacetime:
    """Unknown: coefficients of the spline but those that rest at the start; the last two are one.

    Spans are short at the ends, where torques change fastest. Costs are sums over Gauss's points of the spans. The
    unknowns y are scaled, x = W y, so that torques change alike with each.
    """

    def __init__(self, arm: C.AnimationSpace, spans: int) -> None:
        self.arm, breaks = arm, 0.5 * DURATION * (1.0 - np.cos(np.pi * np.arange(spans + 1) / spans))
        self.knots = np.concatenate([np.zeros(DEGREE), breaks, np.full(DEGREE, DURATION)])
        place, weight = np.polynomial.legendre.leggauss(8)
        self.t = (breaks[:-1, None] + 0.5 * np.diff(breaks)[:, None] * (1.0 + place)).reshape(-1)
        self.w = (0.5 * np.diff(breaks)[:, None] * weight).reshape(-1)

    @cached_property
    def basis(self) -> list[np.ndarray]:
        """Values, rates and accelerations (moments, coefficients) of the basis at Gauss's points."""
        all_of_them = self.spline(np.eye(len(self.knots) - DEGREE - 1))
        return [all_of_them(self.t, order) for order in range(3)]

    def spline(self, coefficients: np.ndarray) -> BSpline:
        """The path of all coefficients (count, n)."""
        return BSpline(self.knots, coefficients, DEGREE)

    def coefficients(self, x: np.ndarray) -> np.ndarray:
        """All of them (..., count, n) of x (..., unknowns): two rest at the start, two are equal at the end."""
        free = x.reshape(*x.shape[:-1], -1, len(START))
        still = np.broadcast_to(START, (*x.shape[:-1], 2, len(START)))
        return np.concatenate([still, free, free[..., -1:, :]], axis=-2)

    def motion(self, x: np.ndarray) -> list[np.ndarray]:
        """Poses, velocities and accelerations (..., moments, n)."""
        return [B @ self.coefficients(x) for B in self.basis]

    def cost(self, x: np.ndarray) -> float:
        """∫ |τ|² dt."""
        return float(self.w @ np.sum(inverse_dynamics(self.arm.model, *self.motion(x)) ** 2, axis=-1))

    def pulled(self, parts: list[np.ndarray]) -> np.ndarray:
        """Slopes (..., unknowns) by x, of slopes by poses, velocities and accelerations (..., moments, n)."""
        every = np.sum([B.T @ part for B, part in zip(self.basis, parts, strict=True)], axis=0)
        every[..., -2, :] += every[..., -1, :]
        return every[..., 2:-1, :].reshape(*every.shape[:-2], -1)

    def slope(self, x: np.ndarray) -> np.ndarray:
        """The cost's slope (..., unknowns), by the exact derivatives of inverse dynamics."""
        motion = self.motion(x)
        y = 2.0 * self.w[:, None] * inverse_dynamics(self.arm.model, *motion)
        by = inverse_dynamics_derivatives(self.arm.model, *motion)
        return self.pulled([np.einsum("...ij,...i->...j", D, y) for D in by])

    def hessian(self, x: np.ndarray, W: np.ndarray) -> np.ndarray:
        """The cost's second slopes by y (unknowns, unknowns): differences of the slope, all in one batch."""
        step = 1e-5
        H = (self.slope(x + step * W.T) - self.slope(x - step * W.T)) @ W / (2.0 * step)
        return 0.5 * (H + H.T)

    def scales(self, x: np.ndarray) -> np.ndarray:
        """W with |J W|² = 1, J the slopes of √(2w) τ: the cost is round in y, but for its curvature."""
        by = inverse_dynamics_derivatives(self.arm.model, *self.motion(x))
        roots = np.sqrt(2.0 * self.w)[:, None]
        rows = [[roots * D[:, i, :] for D in by] for i in range(len(START))]
        J = np.concatenate([self._rows(row) for row in rows])
        return np.linalg.inv(np.linalg.qr(J)[1])

    def _rows(self, parts: list[np.ndarray]) -> np.ndarray:
        """Slopes (moments, unknowns) of one torque at each moment by itself."""
        n = len(self.t)
        return self.pulled([np.eye(n)[:, :, None] * part for part in parts])

    def least(self, guess: Callable) -> Plan:
        """The least cost near a path q(t)."""
        from_guess = np.linalg.lstsq(self.basis[0], guess(self.t), rcond=None)[0]
        x = from_guess[2:-1].reshape(-1)
        W, n = self.scales(x), len(START)
        last, arm = W[-n:], self.arm
        slopes: dict[str, Any] = {
            "jac": lambda y: arm.gradient(last @ y) @ last,
            "hess": lambda y, pull: last.T @ np.einsum("i,ijk->jk", pull, arm.hessian(last @ y)) @ last,
        }
        end = NonlinearConstraint(lambda y: arm.value(last @ y) - GOAL, 0.0, 0.0, **slopes)
        found = minimize(
            lambda y: self.cost(W @ y), np.linalg.solve(W, x), jac=lambda y: W.T @ self.slope(W @ y),
            hess=lambda y: self.hessian(W @ y, W), constraints=end, method="trust-constr",
            options={"maxiter": 200, "gtol": 1e-7, "xtol": 1e-12, "initial_tr_radius": 10.0},
        )  # fmt: skip
        return Plan(self.spline(self.coefficients(W @ found.x)), float(found.fun))


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
    found = spacetime_reach()
    plans = {"directed": directed_reach(), "spacetime": found[-1].torques}
    rows = [f"{'':10s} torque cost   goal missed as planned   when replayed open"]
    model, panels = reaching_arm().model, []
    for name, plan in plans.items():
        x = account(plan)
        rows.append(f"{name:10s} {x.cost:11.2f}   {x.planned:22.1e}   {x.replayed:18.1e}")
        points = chain_points(model, plan.q, LENGTHS[2])
        tip = Curve(*points[-1, -1:, :2].T, style="*", color="r", size=12)
        panels.append(Panel(name, [*sticks(points), tip], "x [m]", "y [m]", equal=True))
    falls = ", ".join(f"{plan.cost:.4f}" for plan in found)
    rows.append(f"cost of the spline by spans {', '.join(map(str, SPANS))}: {falls}")
    sizes = [Curve(plan.t, np.linalg.norm(plan.tau, axis=1), name) for name, plan in plans.items()]
    panels.append(Panel("size of the torques", sizes, "t [s]", "|τ| [N m]"))
    best = plans["spacetime"]
    scene = directed_scene("spacetime", Trajectory(model, best.t, best.q, best.v), "\n".join(rows), panels[-1:])
    return replace(scene, extras={"spacetime-chart.png": lambda run, path: draw_chart(panels, path)})


def check() -> None:
    """Both plans meet the goal as planned and when replayed open; spacetime asks for less torque, and converges."""
    found = spacetime_reach()
    first, second = account(directed_reach()), account(found[-1].torques)
    assert max(first.planned, second.planned) < 1e-6
    assert max(first.replayed, second.replayed) < 1e-5
    assert second.cost < 0.7 * first.cost
    falls = -np.diff([plan.cost for plan in found])
    assert np.all(falls > 0) and falls[-1] < 0.05 * falls[0] and falls[-1] < 1e-3 * second.cost
