"""A wire with a corner: the plastic impulse, and what a round bend does instead."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import corner_impulse
from condyle.gallery.corner import corner, rounded


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.4])
def test_a_point_keeps_the_cosine_of_its_speed(angle):
    """Oracle: v cos θ; 0.764842 for 0.7 rad."""
    before, after = corner(angle)
    assert corner_impulse(before, [0.0], after, [0.0], [3.0]) == pytest.approx([3.0 * np.cos(angle)], abs=1e-14)


def test_a_carried_pendulum_keeps_its_momentum_along_what_is_allowed():
    """Oracle: two particles by hand. Momentum along the new wire, and about the hinge, are those from before."""
    angle, m, M, l = 0.6, 0.3, 0.5, 0.4
    before, after = (with_pendulum(heading, m, M, l) for heading in (0.0, angle))
    v, swing, rate = 2.0, 0.8, -1.3
    u, w = corner_impulse(before, [0.0, swing], after, [0.0, swing], [v, rate])
    old, new = np.array([1.0, 0.0]), np.array([np.cos(angle), np.sin(angle)])
    arm = l * np.array([-np.cos(swing), np.sin(swing)])  # velocity (x, z) of the bob per rate: it is at R_y (0, 0, −l)
    momentum_old, momentum_new = M * v * old + m * (v * old + rate * arm), M * u * new + m * (u * new + w * arm)
    assert momentum_new @ new == pytest.approx(momentum_old @ new, abs=1e-12)
    assert (u * new + w * arm) @ arm == pytest.approx((v * old + rate * arm) @ arm, abs=1e-12)


def with_pendulum(heading, m, M, l):
    b = cd.ModelBuilder()
    b.add_body("cart", joint=cd.joints.prismatic((np.cos(heading), 0.0, np.sin(heading))), inertia=cd.Inertia.point(M))
    bob = cd.Inertia.point(m, (0.0, 0.0, -l))
    return b.add_body("bob", parent="cart", joint=cd.joints.revolute("y"), inertia=bob).build()


def test_a_bend_costs_time_but_no_speed():
    """Oracle: in the limit a body stops sliding for θ √(I/m) / v, turns by θ, and leaves with its speed."""
    angle, m, I, v = 0.7, 0.5, 0.01, 2.0
    late = [lateness(angle, radius, m, I, v) for radius in (0.02, 0.01)]
    limit = angle * np.sqrt(I / m) / v
    errors = [abs(x - limit) for x in late]
    assert errors[1] < 0.6 * errors[0]
    assert errors[1] < 0.1 * limit


def lateness(angle, radius, m, I, v):
    """How much longer than on a straight wire of the same length a body takes, without gravity."""
    wire = rounded(angle, radius, slope=0.0, reach=0.3, order=6)
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("slider", joint=wire, inertia=cd.Inertia(m, (0, 0, 0), (I, I, I)))
    model = b.build()
    start, end = -0.15, 0.15
    speeds = [np.linalg.norm(wire.jacobian([q])[3:, 0]) for q in (start, end)]
    path = cd.simulate(model, [start], [v / speeds[0]], duration=0.19, step=2e-5, record=1e-4)
    k = int(np.argmax(path.q[:, 0] > end))
    passed = path.t[k] - (path.q[k, 0] - end) / path.v[k, 0]
    assert path.v[k, 0] * speeds[1] == pytest.approx(v, rel=1e-3)  # no speed is lost
    q = np.linspace(start, end, 4001)
    length = np.trapezoid(np.linalg.norm(wire.jacobian(q[:, None])[:, 3:, 0], axis=1), q)
    return passed - length / v


def test_bodies_must_be_in_the_same_places():
    """Oracle: the words."""
    before, after = corner()
    with pytest.raises(cd.CondyleError, match="the bodies must have the same poses before and after; got gap = 0"):
        corner_impulse(before, [0.0], after, [0.1], [1.0])
