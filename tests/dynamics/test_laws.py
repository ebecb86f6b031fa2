"""The laws of springs, limits and dampers: force beside energy."""

import numpy as np
import pytest

from condyle.dynamics.kernels.laws import (
    damper_force,
    direction,
    elastic_force,
    limit_damper_power,
    limit_force,
    past_ends,
    stored_energy,
)
from condyle.numeric import entry

STIFFNESS, DAMPING = 40.0, 3.0


@entry
def pull(z, stretch, rate):
    return elastic_force(STIFFNESS, stretch, DAMPING, rate), damper_force(DAMPING, rate)


@entry
def push(z, past, rate):
    return limit_force(z, STIFFNESS, past, DAMPING, rate)


@entry
def along(z, d):
    return direction(z, d)


def slope(x, h=1e-5):
    """The derivative of the stored energy, by central differences, which are exact for a parabola."""
    return (stored_energy(STIFFNESS, x + h) - stored_energy(STIFFNESS, x - h)) / (2 * h)


@pytest.mark.parametrize("stretch", [-0.3, 0.0, 0.7])
@pytest.mark.parametrize("rate", [-2.0, 0.0, 1.5])
def test_a_pull_is_the_slope_of_its_energy_and_what_its_damper_adds(stretch, rate):
    """Oracle: differences of the energy; −c · rate² is what the damper takes."""
    force, damped = pull(0.0, stretch, rate)
    assert force - damped == pytest.approx(slope(stretch), abs=1e-8)
    assert damped * rate == pytest.approx(DAMPING * rate**2)


@pytest.mark.parametrize("past", [-0.3, -0.01, 0.0, 0.01, 0.7])
@pytest.mark.parametrize("rate", [-20.0, -0.1, 0.0, 0.1, 20.0])
def test_a_limit_pushes_back_and_never_pulls(past, rate):
    """Oracle: k · past + c · rate where it has the sign of past, else nothing; its power is −dE/dt and a loss."""
    force, wanted = push(0.0, past, rate), STIFFNESS * past + DAMPING * rate
    expected = 0.0 if past == 0.0 else max(wanted, 0.0) if past > 0.0 else min(wanted, 0.0)
    assert force == pytest.approx(expected, abs=1e-12)
    lost = limit_damper_power(STIFFNESS, np.array([past]), DAMPING, np.array([rate]))
    assert lost == pytest.approx([-force * rate + slope(past) * rate], abs=1e-7)
    assert lost <= 1e-12


def test_how_far_past_its_ends_an_array_is():
    """Oracle: by hand; ends may be infinite."""
    x = np.array([-2.0, -0.5, 0.0, 0.5, 3.0])
    assert past_ends(x, -1.0, 0.25).tolist() == [-1.0, 0.0, 0.0, 0.25, 2.75]
    assert past_ends(x, -np.inf, np.inf).tolist() == [0.0] * 5


def test_points_that_meet_have_no_direction():
    """Oracle: a right triangle; at zero length the vector of no direction is zero, not NaN."""
    n, length = along(0.0, (3.0, 0.0, -4.0))
    assert n == pytest.approx((0.6, 0.0, -0.8)) and length == pytest.approx(5.0)
    assert along(0.0, (0.0, 0.0, 0.0)) == ((0.0, 0.0, 0.0), 0.0)
