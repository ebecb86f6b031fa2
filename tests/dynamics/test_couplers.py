"""Coordinates that follow a constant or straight lines with kinks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from support.thinning import slow_but

F = cd.functions


def slides(function, m1: float = 2.0, m2: float = 3.0, gravity=(0, 0, 0)) -> cd.Model:
    """A block on x, and one on y that follows it by a function."""
    b = cd.ModelBuilder(gravity=gravity)
    b.add_body("x", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(m1))
    b.add_body("y", joint=cd.joints.prismatic("y"), inertia=cd.Inertia.point(m2))
    return b.add_constraint(cd.constraints.couple("y", "x", function)).build()


CONSTANTS = [F.constant(0.3), 0.3, F.polynomial([0.3, 0.0]), F.linear(scale=0.0, offset=0.3)]


@pytest.mark.parametrize("function", CONSTANTS, ids=repr)
def test_a_constant_holds_the_coordinate_still(function, tmp_path):
    """Oracle: Newton's law by hand: x falls freely, y is held by a force equal to its weight; files keep it."""
    model = slides(function, gravity=(-5.0, -9.81, 0))
    for made in (model, cd.load(cd.save(model, tmp_path / "held.toml"))):
        q, v = np.array([0.1, 0.3]), np.array([0.7, 0.0])
        assert_allclose(cd.forward_dynamics(made, q, v), [-5.0, 0.0], atol=1e-13)
        assert_allclose(cd.constraint_forces(made, q, v).forces[0].multipliers, [3.0 * 9.81], rtol=1e-13)
        end = cd.simulate(made, q, v, duration=0.5, step=1e-2)
        assert_allclose(end.q[-1], [0.1 + 0.35 - 0.625, 0.3], atol=1e-12)


def test_a_ratio_of_zero_holds_too():
    """Oracle: the constant function of the same value."""
    b = cd.ModelBuilder()
    for name in "xy":
        b.add_body(name, joint=cd.joints.prismatic(name), inertia=cd.Inertia.point(1.0))
    model = b.add_constraint(cd.constraints.couple("y", "x", ratio=0.0, offset=0.2)).build()
    assert_allclose(cd.project(model, [0.5, 0.9])[0], [0.5, 0.2], atol=1e-12)


def test_inverse_kinematics_and_directing_keep_a_constant():
    """Oracle: y stays at 0.3 while x goes where it is asked to."""
    model = slides(F.constant(0.3))
    found = cd.ik.solve(model, [cd.ik.position("x", (0.8, 0, 0))], [0.0, 0.3])
    assert_allclose(found.q, [0.8, 0.3], atol=1e-9)
    loops = cd.control.closing(model)
    assert_allclose(loops.value([0.2, 0.5]), [0.2], atol=1e-15)


KINK = F.piecewise_linear([-1, 0, 1], [-0.5, 0.0, 2.0])  # slope 0.5, then 2


def test_between_kinks_a_piecewise_line_is_a_ratio():
    """Oracle: the coupling by a ratio: accelerations and forces on both sides of the kink, and at it the side above."""
    for x, slope in ((-0.5, 0.5), (0.25, 2.0), (0.0, 2.0), (-3.0, 0.5), (4.0, 2.0)):
        line = slides(F.linear(scale=slope), gravity=(1.0, -9.81, 0))
        model = slides(KINK, gravity=(1.0, -9.81, 0))
        q, v, tau = np.array([x, slope * x]), np.array([1.0, slope]), np.array([0.3, -0.7])
        assert_allclose(cd.forward_dynamics(model, q, v, tau), cd.forward_dynamics(line, q, v, tau), atol=1e-12)


@pytest.mark.parametrize("integrator", slow_but(["rk4", "semi-implicit"], ["rk4", "semi-implicit", "adaptive"]))
def test_at_a_kink_the_motion_goes_on_as_after_a_plastic_impact(integrator):
    """Oracle: by hand: the momentum along (1, s₂) is kept, u₊ = u (m₁ + m₂ s₁ s₂) / (m₁ + m₂ s₂²); energy is lost."""
    m1, m2, u, before, after = 2.0, 3.0, 0.9, 0.5, 2.0
    model = slides(KINK, m1, m2)
    run = cd.simulate(model, [-0.5, -0.25], [u, before * u], duration=1.5, step=1e-2, integrator=integrator)
    left = u * (m1 + m2 * before * after) / (m1 + m2 * after**2)
    assert_allclose(run.v[-1], [left, after * left], rtol=1e-6)
    assert_allclose(run.q[:, 1], KINK(run.q[:, 0]), atol=1e-9)
    energy = run.energy().total
    assert np.all(np.diff(energy) < 1e-9)
    assert run.stopped is None
