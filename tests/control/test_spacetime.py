"""The reach of least torque is what the calculus of variations says."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from condyle.gallery.scenes.spacetime import DAMPING, DURATION, GOAL, LENGTHS, START, reaching_arm, spacetime_reach

L = np.array(LENGTHS)
ABOUT_END = L**2 / 12 + 0.25 * (0.05 * L) ** 2  # of rods of 1 kg about their centres
SUM = np.tril(np.ones((3, 3)))  # absolute angles of joint angles


def directions(q):
    """Along and across each link (..., 3, 2), of complex angles too."""
    angle = q @ SUM.T
    return np.stack([np.cos(angle), np.sin(angle)], -1), np.stack([-np.sin(angle), np.cos(angle)], -1)


LEVERS = np.tril(np.tile(L, (3, 1)), -1) + 0.5 * np.diag(L)  # (centre, link): how much of each link leads there


def mechanics(q, v):
    """Mass matrix, and what velocities, weight and damping ask for: Newton and Euler for each rod."""
    along, across = directions(q)
    J = np.einsum("cl,...lx,lj->...cxj", LEVERS, across, SUM)
    M = np.einsum("...cxi,...cxj->...ij", J, J) + SUM.T @ np.diag(ABOUT_END) @ SUM
    swing = -np.einsum("cl,...l,...lx->...cx", LEVERS, (v @ SUM.T) ** 2, along)
    return M, np.einsum("...cxj,...cx->...j", J, swing + np.array([0.0, 9.81])) + DAMPING * v


def acceleration(q, v, tau):
    M, h = mechanics(q, v)
    return np.linalg.solve(M, (tau - h)[..., None])[..., 0]


def torques_of(q, v, pull):
    """Where |τ|² + λ·a is least: τ = −½ M⁻¹λ."""
    return -0.5 * np.linalg.solve(mechanics(q, v)[0], pull[..., None])[..., 0]


def slopes(q, v, tau, pull):
    """∂(λ·a)/∂q and ∂(λ·a)/∂v, by complex steps."""
    steps = 1e-30j * np.eye(6)
    value = [np.sum(pull * acceleration(q + e[:3], v + e[3:], tau), -1).imag / 1e-30 for e in steps]
    return np.stack(value[:3], -1), np.stack(value[3:], -1)


def optimal(t, y):
    """Pontryagin's equations of y = (q, v, λ_q, λ_v), each (3, moments)."""
    q, v, force, pull = (x.T for x in np.split(y, 4))
    tau = torques_of(q, v, pull)
    by_q, by_v = slopes(q, v, tau, pull)
    return np.concatenate([v.T, acceleration(q, v, tau).T, -by_q.T, -(force + by_v).T])


def tip(q):
    along, across = directions(q)
    return L @ along, np.einsum("l,lx,lj->xj", L, across, SUM)


def ends(first, last):
    """The pose at the start, rest at both ends, the tip at the goal; no wish along the tip's own freedom."""
    at, G = tip(last[:3])
    open_way = np.cross(*G)
    rest = [first[:3] - START, first[3:6], last[3:6], at - GOAL]
    return np.concatenate([*rest, [open_way @ last[6:9] / np.linalg.norm(open_way)]])


@pytest.mark.slow
def test_the_spacetime_plan_is_the_solution_of_pontryagins_equations():
    """Oracle: the indirect method, scipy's boundary value solver on mechanics written out here."""
    plans = spacetime_reach((4, 8, 16, 32))
    found = plans[-1].torques.thinned(101)
    pull = -2.0 * np.einsum("tij,tj->ti", mechanics(found.q, found.v)[0], found.tau)
    force = -np.gradient(pull, found.t, axis=0) - slopes(found.q, found.v, found.tau, pull)[1]
    guess = np.concatenate([found.q, found.v, force, pull], axis=1).T
    best = solve_bvp(optimal, ends, found.t, guess, tol=1e-5)
    assert best.status == 0
    t = np.linspace(0.0, DURATION, 2001)
    q, v, _, pull = (x.T for x in np.split(best.sol(t), 4))
    cost = np.trapezoid(np.sum(torques_of(q, v, pull) ** 2, axis=1), t)
    assert plans[-1].cost == pytest.approx(cost, rel=1e-6)
    assert plans[-1].path(t) == pytest.approx(q, abs=1e-5)
    over = np.array([plan.cost for plan in plans]) - cost
    assert np.all(over > -1e-6 * cost)  # a spline never costs less than the best of all
    assert np.all(over[1:] < 0.2 * over[:-1])


def test_the_mechanics_here_are_those_of_the_arm():
    """Oracle: rods by hand against the engine."""
    import condyle as cd

    q, v, tau = np.random.default_rng(0).normal(size=(3, 3))
    assert acceleration(q, v, tau) == pytest.approx(cd.forward_dynamics(reaching_arm().model, q, v, tau), rel=1e-10)
