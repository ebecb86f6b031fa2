"""Closed loops and rolling against one dense system with constraints differentiated from expm poses (tests/oracles)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import kkt, random_motion
from twins.kinds import hinge
from twins.trees import Twin, twin

CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def shift(*p):
    T = np.eye(4)
    T[:3, 3] = p
    return T


def on_the_constraint(tree, loop, q, v):
    """The nearest velocity that keeps the loop closed."""
    A = np.transpose([loop.rows(tree, q, e)[0] for e in np.eye(tree.nv)])
    return v - np.linalg.pinv(A) @ (A @ v)


def four_bar(rng):
    """Crank, coupler and rocker with parallel hinges; the rocker's end is pinned to the world where it stands."""
    made = Twin()
    for i, length in enumerate((0.0, 0.4, 0.9)):
        mass, com, moment = random_motion.inertia(rng)
        made.attach(hinge((0, 1, 0)), i - 1, (mass, com, moment), shift(length, 0, 0), np.eye(4))
    q, tip = np.array([0.5, 0.7, 1.1]), np.array([0.6, 0, 0])
    anchor = (made.tree.poses(q)[2] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point("b2", tip, None, anchor))
    return made, kkt.Point(2, tip, -1, anchor), q


def ring(rng):
    """Six bodies, the first floating, universal joints between, the last pinned to the first."""
    made = twin([("free", -1), *(("universal", i) for i in range(5))], rng)
    q, _ = made.state(rng)
    tip, poses = rng.normal(size=3), made.tree.poses(q)
    socket = (np.linalg.inv(poses[0]) @ poses[5] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point("b5", tip, "b0", socket))
    return made, kkt.Point(5, tip, 0, socket), q


def welded_ring(rng):
    """The same ring, closed by a weld."""
    made = twin([("free", -1), *(("universal", i) for i in range(5))], rng)
    q, _ = made.state(rng)
    poses = made.tree.poses(q)
    gap = cd.SE3.from_matrix(np.linalg.inv(poses[0]) @ poses[5])
    made.builder.add_constraint(cd.constraints.weld("b0", gap, "b5", None))
    return made, kkt.Weld(0, 5), q


@pytest.mark.parametrize("mechanism", [four_bar, ring, welded_ring])
def test_closed_loops_accelerate_as_the_dense_system_says(mechanism):
    """Oracle: dense KKT system, constraint rows and their rates from series of the poses."""
    rng = np.random.default_rng(600)
    made, loop, q = mechanism(rng)
    tree = made.tree
    v = on_the_constraint(tree, loop, q, rng.normal(size=tree.nv))
    tau, wrenches = rng.normal(size=tree.nv), rng.normal(size=(len(tree.bodies), 6))
    expected, _ = kkt.solve(tree, [loop], q, v, tau, wrenches)
    assert_allclose(cd.forward_dynamics(made.model, q, v, tau, wrenches), expected, **CLOSE)


@pytest.mark.parametrize("mechanism", [four_bar, ring])
def test_the_force_in_a_pin_is_that_of_the_dense_system(mechanism):
    """Oracle: the multiplier of the dense system, shortest where rows are redundant (parallel hinges)."""
    rng = np.random.default_rng(601)
    made, loop, q = mechanism(rng)
    v = on_the_constraint(made.tree, loop, q, rng.normal(size=made.tree.nv))
    _, (force,) = kkt.solve(made.tree, [loop], q, v)
    assert_allclose(cd.constraint_forces(made.model, q, v).forces[0].multipliers, force, rtol=1e-9, atol=1e-9)


def test_a_coupled_cylinder_rolls_down_as_in_the_textbook():
    """Oracle: g sin α/(1 + I/(m r²)) = 2.24255166 m/s² for a cylinder on 0.35 rad."""
    slope, r, mass = 0.35, 0.4, 3.0
    b = cd.ModelBuilder(gravity=9.81 * np.array([np.sin(slope), 0, -np.cos(slope)]))
    joint = cd.joints.product([(0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)], coordinates(2))
    b.add_body("roller", parent=None, joint=joint, inertia=cd.Inertia(mass, np.zeros(3), mass * r * r / 2 * np.eye(3)))
    x, turn = (f"roller.{c}" for c in joint.coordinates)
    b.add_constraint(cd.constraints.couple(x, turn, ratio=r))
    a = cd.forward_dynamics(b.build(), [0.1, 0.1 / r], [0.6, 0.6 / r])
    assert_allclose(a[0], kkt.rolling_acceleration(slope), rtol=1e-12)


def coordinates(n):
    """Functions that read one coordinate each."""
    return [cd.functions.linear(coordinate=i) for i in range(n)]
