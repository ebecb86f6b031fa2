"""The tableaus of the Runge-Kutta methods, and the step in Python."""

import numpy as np
import pytest
from scipy.integrate import RK45

from condyle.simulation.kernels.runge_kutta import ERROR, PARTS, STAGES, TABLEAU, TIMES, TOTAL, WEIGHTS, classical_step


def test_the_pair_is_that_of_dormand_and_prince():
    """Oracle: scipy's tableau of the same pair; the last stage stands where the step ends."""
    assert pytest.approx(TABLEAU[1:6, :5], abs=1e-15) == RK45.A[1:, :5]
    assert TABLEAU[6] == pytest.approx(RK45.B, abs=1e-15)
    assert TIMES[:6] == pytest.approx(RK45.C, abs=1e-15)
    assert np.abs(ERROR) == pytest.approx(np.abs(RK45.E), abs=1e-15)
    assert len(TIMES) == len(ERROR) == STAGES and TABLEAU.sum(axis=1) == pytest.approx(TIMES, abs=1e-14)


def test_the_classical_method_meets_the_conditions_of_order_four():
    """Oracle: the eight conditions of Butcher's trees up to order four, in whole numbers."""
    b, c = np.array(WEIGHTS) / TOTAL, np.array(PARTS)
    A = np.diag(PARTS[1:], -1)
    assert b.sum() == pytest.approx(1.0)
    conditions = [b @ c, b @ c**2, b @ A @ c, b @ c**3, b @ (c * (A @ c)), b @ A @ c**2, b @ A @ A @ c]
    assert conditions == pytest.approx([1 / 2, 1 / 3, 1 / 6, 1 / 4, 1 / 8, 1 / 12, 1 / 24], abs=1e-15)


def test_a_step_of_growth_is_the_exponential_to_fourth_order():
    """Oracle: the series of eʰ up to h⁴; parts and places of stages are asked for in order."""
    asked, h = [], 0.3

    def slope(part, y):
        asked.append(part)
        return y

    end = classical_step(slope, lambda part, by, d: 2.0 + by * d, h)
    assert asked == [0.0, 0.5, 0.5, 1.0]
    assert end == pytest.approx(2.0 * (1 + h + h**2 / 2 + h**3 / 6 + h**4 / 24), rel=1e-15)
