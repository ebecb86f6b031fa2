"""The laws of springs, limits and dampers: force beside energy."""

import numpy as np
import pytest

import condyle as cd
from condyle.forces.kernels.dispatch import GradualLimit
from condyle.forces.kernels.laws.gradual_limit import force, slopes
from condyle.forces.kernels.shared import direction, elastic_force, limit_force, stored_energy
from condyle.numeric import entry
from condyle.skeleton.springs_and_limits import limit_damper_power, past_ends

STIFFNESS, DAMPING = 40.0, 3.0


@entry
def pull(z, stretch, rate):
    return elastic_force(STIFFNESS, stretch, DAMPING, rate), elastic_force(0.0, stretch, DAMPING, rate)


@entry
def push(z, past, rate):
    return limit_force(z, STIFFNESS, past, DAMPING, rate)


@entry
def stored(z, stretch):
    return stored_energy(STIFFNESS, stretch)


@entry
def along(z, d):
    return direction(z, d)


def slope(x, h=1e-5):
    """The derivative of the stored energy, by central differences, which are exact for a parabola."""
    return (stored(0.0, x + h) - stored(0.0, x - h)) / (2 * h)


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


@entry
def gradual_push(z, x, rate):
    c = GradualLimit(-0.5, 0.5, STIFFNESS, DAMPING, 0.1)
    by_x, by_rate = slopes(z, c, x, rate)
    return force(z, c, x, rate), by_x, by_rate


def gradual(x, rate):
    """What a limit at ±0.5 takes whose damping is whole 0.1 beyond, and its slopes."""
    return tuple(-y + 0.0 for y in gradual_push(0.0, x, rate))


@pytest.mark.parametrize(("x", "rate", "part"), [(0.53, 0.4, 0.3), (0.7, -0.2, 1.0), (-0.55, -0.3, 0.5)])
def test_the_damping_of_a_gradual_limit_rises_with_depth(x, rate, part):
    """Oracle: the law by hand, and its slopes by differences."""
    past = x - 0.5 if x > 0 else x + 0.5
    force, by_x, by_rate = gradual(x, rate)
    assert force == pytest.approx(STIFFNESS * past + part * DAMPING * rate, rel=1e-12)
    h = 1e-6
    assert by_x == pytest.approx((gradual(x + h, rate)[0] - gradual(x - h, rate)[0]) / (2 * h), rel=1e-6)
    assert by_rate == pytest.approx((gradual(x, rate + h)[0] - gradual(x, rate - h)[0]) / (2 * h), rel=1e-6)


def test_a_gradual_limit_begins_without_a_jump_and_never_pulls():
    """Oracle: the force at the limit is zero at any speed; one that leaves fast is let go."""
    assert abs(gradual(0.5 + 1e-9, 1e3)[0]) < 1e-3
    assert gradual(0.6, -1e6) == (0.0, 0.0, 0.0)
    assert gradual(0.2, 5.0)[0] == 0.0


def test_a_gradual_limit_is_kept_in_files(tmp_path):
    """Oracle: forces of the model that was saved."""
    b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=cd.Inertia.box(2.0, (1, 0.1, 1)))
    model = b.add_limit("door", 0.0, 1.0, stiffness=50.0, damping=4.0, damping_depth=0.2).build()
    again = cd.load(cd.save(model, tmp_path / "door.toml"))
    state = [[1.05], [-0.3]], [[2.0], [-1.0]], [[0.0], [0.0]]
    expected = [[50.0 * 0.05 + 4.0 * 0.25 * 2.0], [-50.0 * 0.3 - 4.0]]
    for one in (model, again):
        assert cd.inverse_dynamics(one, *state) == pytest.approx(np.array(expected), rel=1e-12)
