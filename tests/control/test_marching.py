"""Integrators of directed and replayed motion: order, tolerance, words."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import condyle as cd
from condyle.control.ode_steppers import METHODS, bulirsch_stoer, dormand_prince

C = cd.control
START = np.array([[1.0, 0.0], [2.0, -0.5]])


def pendulum(t, y):
    return np.stack([y[:, 1], -np.sin(y[:, 0]) + 0.3 * np.cos(2 * t)], axis=1)


@pytest.fixture(scope="module")
def exact():
    """Oracle: scipy's DOP853 at 1e-13."""
    f = lambda t, y: pendulum(t, y[None])[0]  # noqa: E731
    return np.array([solve_ivp(f, (0, 2), y, "DOP853", rtol=1e-13, atol=1e-13).y[:, -1] for y in START])


def end_of(method, step, tolerance=1e-9, records=5):
    *_, y = METHODS[method](pendulum, START, np.linspace(0, 2, records), step, tolerance, lambda y, t: y)
    return y


@pytest.mark.parametrize("method", ["rk4", "adams"])
def test_equal_steps_are_of_fourth_order(method, exact):
    """Oracle: the error falls by 16 when the step is halved."""
    coarse, fine = (np.abs(end_of(method, h) - exact).max() for h in (0.02, 0.01))
    assert 13 < coarse / fine < 20


def test_adams_asks_once_per_step():
    """Oracle: counted calls; the first three steps are Runge-Kutta's."""
    calls = []

    def counted(t, y):
        calls.append(t)
        return pendulum(t, y)

    *_, _ = METHODS["adams"](counted, START, np.linspace(0, 1, 11), 0.01, 0.0, lambda y, t: y)
    assert len(calls) == 100 + 3 * 3


@pytest.mark.parametrize("method", ["adaptive", "bulirsch-stoer"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_adapted_steps_keep_their_tolerance(method, tolerance, exact):
    """Oracle: DOP853; some tens of steps may add their errors."""
    assert np.abs(end_of(method, 0.1, tolerance) - exact).max() < 30 * tolerance


def test_the_step_of_dormand_and_prince_is_of_fifth_order(exact):
    """Oracle: with an open tolerance the whole is stepped as asked: errors fall by 32."""

    def off(n):
        y, t = START, np.linspace(0, 2, n + 1)
        for a, b in pairwise(t):
            y = dormand_prince(pendulum, a, y, b, b - a, 1e3)
        return np.abs(y - exact).max()

    assert 25 < off(20) / off(40) < 45


def test_extrapolation_gains_two_orders_a_column():
    """Oracle: Gragg's rule has an error in h² alone, once extrapolated in h⁴, twice in h⁶ (to a fine run)."""
    from condyle.control.ode_steppers import _midpoint

    def table(n):
        first = [_midpoint(pendulum, 0.0, START, pendulum(0.0, START), 0.5, k * n) for k in (1, 2, 4)]
        second = [b + (b - a) / 3 for a, b in pairwise(first)]
        return first[0], second[0], second[1] + (second[1] - second[0]) / 15

    truth = bulirsch_stoer(pendulum, 0.0, START, 0.5, 0.1, 1e-14)
    for column, order in enumerate((2, 4, 6)):
        coarse, fine = (np.abs(table(n)[column] - truth).max() for n in (4, 8))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.35)


@pytest.mark.parametrize("method", ["adaptive", "bulirsch-stoer"])
def test_a_motion_that_blows_up_gets_words(method):
    """Oracle: y' = y² leaves the numbers at t = 1."""
    with np.errstate(all="ignore"), pytest.raises(cd.CondyleError, match=r"step at t = 1 s became too small"):
        list(METHODS[method](lambda t, y: y * y, np.ones((1, 1)), [0.0, 2.0], 0.1, 1e-8, lambda y, t: y))
