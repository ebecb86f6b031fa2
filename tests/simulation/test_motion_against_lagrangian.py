"""Motion in time against scipy's integrator on the oracle's accelerations, and against conservation laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import condyle as cd
from twins.kinds import KINDS
from twins.trees import Twin, twin


def reference(tree, q, v, duration):
    """The state after `duration` by DOP853 on the Lagrangian."""
    n = len(q)

    def rate(_, y):
        return np.concatenate([y[n:], tree.forward(y[:n], y[n:])])

    return solve_ivp(rate, (0, duration), np.concatenate([q, v]), method="DOP853", rtol=1e-8, atol=1e-8).y[:, -1]


def test_a_simulated_tree_goes_where_the_lagrangian_goes():
    """Oracle: scipy DOP853 on Uicker-Kahn accelerations of an elliptic joint that carries a universal one."""
    rng = np.random.default_rng(800)
    made = twin([("elliptic", -1), ("universal", 0)], rng)
    q, v = made.state(rng)
    traj = cd.simulate(made.model, q, v, duration=0.1, step=1e-3, integrator="rk4")
    end = np.concatenate([traj.q[-1], traj.v[-1]])
    assert_allclose(end, reference(made.tree, q, v, 0.1), rtol=1e-7, atol=1e-7)


def wire(rng):
    """A bead on a smooth wire: an order-6 curve, long enough to stay on it."""
    made = Twin()
    made.add(KINDS["spline_curve"](rng, count=14, order=6), -1, rng)
    return made


@pytest.mark.parametrize(("integrator", "order"), [("euler", 1), ("semi-implicit", 1), ("rk4", 4), ("variational", 2)])
def test_energy_error_falls_with_the_order_of_the_integrator(integrator, order):
    """Oracle: energy is conserved; halving the step divides its error by 2^order."""
    rng = np.random.default_rng(801)
    made = wire(rng)
    q, v = np.array([4.0]), np.array([0.5])
    model = made.model
    errors = [drift(model, q, v, integrator, step) for step in (4e-3, 2e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.4)


def drift(model, q, v, integrator, step):
    traj = cd.simulate(model, q, v, duration=0.4, step=step, integrator=integrator)
    total = cd.energy(model, traj.q, traj.v)[2]
    return np.abs(total - total[0]).max()


@pytest.mark.parametrize(("integrator", "order"), [("semi-implicit", 1), ("rk4", 4), ("variational", 2)])
def test_a_tumbling_body_turns_with_the_order_of_the_integrator(integrator, order):
    """Oracle: DOP853 on Euler's equations and the quaternion's rate, written here."""
    moment, w = np.diag([0.3, 0.5, 0.7]), np.array([0.4, 2.0, 0.7])
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("top", parent=None, joint=cd.joints.ball(), inertia=cd.Inertia(1.0, np.zeros(3), moment))
    model, q = b.build(), np.array([1.0, 0, 0, 0])
    expected = tumble(moment, q, w, 1.0)
    gaps = []
    for step in (0.02, 0.01):
        end = cd.simulate(model, q, w, duration=1.0, step=step, integrator=integrator).q[-1]
        gaps.append(np.linalg.norm(end * np.sign(end @ expected) - expected))
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(order, abs=0.4)


def tumble(moment, q, w, duration):
    def rate(_, y):
        (s, x), u = (y[0], y[1:4]), y[4:]
        spin = np.linalg.solve(moment, np.cross(moment @ u, u))
        return np.concatenate([[-x @ u / 2], (s * u + np.cross(x, u)) / 2, spin])

    return solve_ivp(rate, (0, duration), np.append(q, w), method="DOP853", rtol=1e-12, atol=1e-12).y[:4, -1]


def test_a_floating_tree_keeps_its_momentum():
    """Oracle: Newton. No gravity, no forces but springs inside."""
    rng = np.random.default_rng(802)
    made = Twin(cd.ModelBuilder(gravity=(0, 0, 0)))
    for kind, parent in (("free", -1), ("elliptic", 0), ("universal", 0)):
        made.add(KINDS[kind](rng), parent, rng)
    made.builder.add_spring("b1", np.zeros(3), "b2", np.ones(3), stiffness=20.0, damping=0.5, length=0.3)
    model = made.model
    traj = cd.simulate(model, *made.state(rng), duration=1.0, step=1e-3, integrator="rk4")
    linear, angular = cd.momentum(model, traj.q, traj.v)
    assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), rtol=0, atol=1e-8)
    assert_allclose(angular, np.broadcast_to(angular[0], angular.shape), rtol=0, atol=1e-8)
