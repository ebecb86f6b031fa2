"""Constraints against a dense system, closed forms and the laws of mechanics."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import kkt
from twins.mechanisms import (
    along,
    coupled_pair,
    pinned_chain,
    planar_chain,
    rolling_coin,
    welded_chain,
    wheel_in_a_drum,
    wheel_on_a_slope,
)

CLOSE = {"rtol": 1e-10, "atol": 1e-10}


def world_rows(tree, q, body):
    """Angular velocity and origin velocity of a body in world axes along each v_i = 1, from poses, (6, nv)."""
    T = tree.poses(q)[body]
    W = np.einsum("ixy,zy->ixz", tree.tangents(q)[:, body, :3, :3], T[:3, :3])
    omega = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]])
    return np.vstack([omega, tree.tangents(q)[:, body, :3, 3].T])


@pytest.mark.parametrize("axis", [(0, 1, 0), (0.48, 0.6, 0.64)])
@pytest.mark.parametrize("count", [3, 5])
def test_planar_rings_accelerate_as_the_dense_system_says(count, axis):
    """Oracle: dense KKT system made from poses."""
    rng = np.random.default_rng(count)
    made, pin, q = pinned_chain(rng, count, axis)
    v = along(made.tree, [pin], q, rng.normal(size=count))
    tau = rng.normal(size=count)
    expected, (force,) = kkt.solve(made.tree, [pin], q, v, tau)
    assert_allclose(cd.forward_dynamics(made.model, q, v, tau), expected, **CLOSE)
    found = cd.constraint_forces(made.model, q, v, tau)
    assert_allclose(found.forces[0].multipliers, force, **CLOSE)
    assert found.rank == 2 and not found.unique  # nothing moves across the plane


@pytest.mark.parametrize("axis", [(0, 1, 0), (0.48, 0.6, 0.64)])
def test_a_redundant_weld_gives_the_shortest_reactions(axis):
    """Oracle: numpy's pinv of rows made from poses, and accelerations held by three pins instead of a weld."""
    rng = np.random.default_rng(8)
    made, pins, q = welded_chain(rng, 5, axis)
    tree = made.tree
    v, tau = along(tree, pins, q, rng.normal(size=5)), rng.normal(size=5)
    a, _ = kkt.solve(tree, pins, q, v, tau)
    assert_allclose(cd.forward_dynamics(made.model, q, v, tau), a, **CLOSE)
    needed = tree.mass_matrix(q) @ a - (tree.applied(q, v) - tree.bias(q, v) + tau)
    found = cd.constraint_forces(made.model, q, v, tau)
    assert_allclose(found.forces[0].multipliers, np.linalg.pinv(world_rows(tree, q, 4).T) @ needed, **CLOSE)
    assert found.rank == 3 and found.rows == 6 and not found.unique


def test_the_same_pin_twice_shares_its_force():
    """Oracle: minimum norm of two equal rows is half each."""
    rng = np.random.default_rng(3)
    made, pin, q = pinned_chain(rng, 4)
    v = along(made.tree, [pin], q, rng.normal(size=4))
    once = cd.constraint_forces(made.model, q, v).forces[0].multipliers
    made.builder.add_constraint(cd.constraints.point("b3", pin.point1, None, pin.point2))
    both = cd.constraint_forces(made.model, q, v)
    assert not both.unique
    for force in both.forces:
        assert_allclose(force.multipliers, 0.5 * once, **CLOSE)


@pytest.mark.parametrize("mechanism", [pinned_chain, welded_chain])
def test_reactions_as_wrenches_move_the_open_tree_alike_and_do_no_work(mechanism):
    """Oracle: the tree without constraints under these wrenches; virtual power."""
    rng = np.random.default_rng(14)
    made, pins, q = mechanism(rng, 5)
    v = along(made.tree, pins if isinstance(pins, list) else [pins], q, rng.normal(size=5))
    model = made.model
    (force,) = cd.constraint_forces(model, q, v).forces
    opened = replace(model, constraints=())
    a = cd.forward_dynamics(opened, q, v, wrenches=force.wrenches)
    assert_allclose(a, cd.forward_dynamics(model, q, v), **CLOSE)
    assert abs(np.sum(force.wrenches * cd.body_velocities(model, q, v))) < 1e-10


def test_a_rolling_coin_moves_as_the_dense_system_says():
    """Oracle: dense KKT system; the material point at the lowest point of a leaning disc is at rest."""
    rng = np.random.default_rng(5)
    made, rolling = rolling_coin()
    for _ in range(3):
        q = rng.uniform(-0.6, 0.6, 5)
        v, tau = along(made.tree, [rolling], q, rng.normal(size=5)), rng.normal(size=5)
        expected, (force,) = kkt.solve(made.tree, [rolling], q, v, tau)
        assert_allclose(cd.forward_dynamics(made.model, q, v, tau), expected, **CLOSE)
        found = cd.constraint_forces(made.model, q, v, tau).forces[0]
        assert abs(np.sum(found.wrenches * cd.body_velocities(made.model, q, v))) < 1e-10
        R = np.array([[np.cos(q[2]), -np.sin(q[2])], [np.sin(q[2]), np.cos(q[2])]])
        assert_allclose(R @ found.multipliers, force[:2], **CLOSE)
        assert found.axes == ("force along contact axis x", "force along contact axis y")


@pytest.mark.parametrize("share", [0.4, 0.5, 1.0])
def test_a_wheel_rolls_down_as_in_the_textbook(share):
    """Oracle: a = g sin α/(1 + I/(m r²)), friction = −m g sin α · k/(1 + k)."""
    slope, r, mass = 0.35, 0.4, 3.0
    model = wheel_on_a_slope(slope, r, mass, share)
    q, v = [0.1, 0.7], [0.6, 0.6 / r]
    a = cd.forward_dynamics(model, q, v)
    expected = kkt.rolling_acceleration(slope, inertia_over_mr2=share)
    assert_allclose(a, [expected, expected / r], rtol=1e-12)
    (found,) = cd.constraint_forces(model, q, v).forces
    assert_allclose(found.multipliers, [-mass * share * expected], rtol=1e-12)


@pytest.mark.parametrize("share", [0.4, 0.5])
def test_a_ball_in_a_bowl_swings_as_a_longer_pendulum(share):
    """Oracle: φ̈ = −g sin φ/((1 + I/(m r²)) (R − r)) at any angle, spin rate −(R/r) φ̇."""
    R, r = 1.1, 0.2
    model = wheel_in_a_drum(R, r, share)
    for angle, rate in [(0.01, 0.0), (0.8, 1.7), (-1.4, 0.3)]:
        v = np.array([rate, -R / r * rate])
        a = cd.forward_dynamics(model, [angle, 0.3], v)
        expected = -9.81 * np.sin(angle) / ((1 + share) * (R - r))
        assert_allclose(a, [expected, -R / r * expected], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("function", "slope", "bend"),
    [
        (cd.functions.polynomial([0.3, -1.7]), lambda x: -1.7, lambda x: 0.0),
        (
            cd.functions.sinusoid(0.8, 1.3, 0.2),
            lambda x: 1.04 * np.cos(1.3 * x + 0.2),
            lambda x: -1.352 * np.sin(1.3 * x + 0.2),
        ),
        (
            cd.functions.polynomial([0.1, 0.4, -0.3, 0.2]),
            lambda x: 0.4 - 0.6 * x + 0.6 * x * x,
            lambda x: -0.6 + 1.2 * x,
        ),
    ],
)
def test_a_coupled_coordinate_is_one_folded_into_another(function, slope, bend):
    """Oracle: q = (x, y, f(x)) put into the tree's own equations, with N = ∂q/∂(x, y) from poses."""
    rng = np.random.default_rng(21)
    made = coupled_pair(rng, function)
    tree, (x, y), (dx, dy) = made.tree, rng.normal(size=2), rng.normal(size=2)
    q, v = np.array([x, y, function(x)]), np.array([dx, dy, slope(x) * dx])
    N, rest = np.array([[1, 0], [0, 1], [slope(x), 0]]), np.array([0, 0, bend(x) * dx * dx])
    M, tau = tree.mass_matrix(q), rng.normal(size=3)
    force = tree.applied(q, v) - tree.bias(q, v) + tau - M @ rest
    expected = N @ np.linalg.solve(N.T @ M @ N, N.T @ force) + rest
    assert_allclose(cd.forward_dynamics(made.model, q, v, tau), expected, **CLOSE)


def test_ratio_and_offset_are_a_linear_function():
    """Oracle: the same coupling written as a polynomial."""
    rng = np.random.default_rng(22)
    a, b = (planar_chain(np.random.default_rng(1), 3) for _ in range(2))
    a.builder.add_constraint(cd.constraints.couple("b2", "b0", ratio=-0.7, offset=0.2))
    b.builder.add_constraint(cd.constraints.couple("b2", "b0", function=cd.functions.polynomial([0.2, -0.7])))
    q, v = cd.project(a.model, rng.normal(size=3), rng.normal(size=3))
    assert_allclose(cd.forward_dynamics(a.model, q, v), cd.forward_dynamics(b.model, q, v), rtol=1e-14)


def test_a_prescribed_crank_drives_the_loop():
    """Oracle: with one coordinate given, the rows of the loop alone fix the others."""
    rng = np.random.default_rng(31)
    made, pin, q = pinned_chain(rng, 3)
    made.builder.prescribe("b0", lambda t: q[0] + 0.6 * t + 0.5 * 1.5 * t * t)
    rows = np.transpose([pin.rows(made.tree, q, e)[0] for e in np.eye(3)])
    v = np.array([0.6, *np.linalg.lstsq(rows[:, 1:], -rows[:, 0] * 0.6, rcond=None)[0]])
    drift = pin.rows(made.tree, q, v)[1]
    expected = np.linalg.lstsq(rows[:, 1:], -drift - rows[:, 0] * 1.5, rcond=None)[0]
    assert_allclose(cd.forward_dynamics(made.model, q, v), [1.5, *expected], rtol=1e-9)


@pytest.mark.slow
def test_a_batch_is_its_states_one_by_one():
    """Oracle: single calls, to round-off (lanes share an order of pivots); on any number of threads the same bits."""
    rng = np.random.default_rng(41)
    made, _, q0 = pinned_chain(rng, 5)
    model = made.model
    q, v = cd.project(model, q0 + 0.1 * rng.normal(size=(33, 5)), rng.normal(size=(33, 5)))
    tau = rng.normal(size=(33, 5))
    a = cd.forward_dynamics(model, q, v, tau, threads=2)
    assert np.array_equal(cd.forward_dynamics(model, q, v, tau, threads=1), a)
    for i in (0, 7, 32):
        assert_allclose(a[i], cd.forward_dynamics(model, q[i], v[i], tau[i]), rtol=1e-10, atol=1e-12)
        one = cd.project(model, q0, v[i])[1]
        assert np.array_equal(one, cd.project(model, np.tile(q0, (5, 1)), np.tile(v[i], (5, 1)))[1][3])
    shaped = cd.constraint_forces(model, q.reshape(3, 11, 5), v.reshape(3, 11, 5), tau.reshape(3, 11, 5))
    assert shaped.forces[0].multipliers.shape == (3, 11, 3) and shaped.forces[0].wrenches.shape == (3, 11, 5, 6)
    assert shaped.unique.shape == (3, 11)


PLAIN = """
import numpy as np, condyle as cd
from twins.mechanisms import pinned_chain, rolling_coin
chain, _, start = pinned_chain(np.random.default_rng(50), 3)
for made, q in ((chain, start), (rolling_coin()[0], np.full(5, 0.3))):
    q, v = cd.project(made.model, q + 0.01, np.cos(np.arange(made.tree.nv)))
    found = cd.constraint_forces(made.model, q, v)
    print(*q, *v, *cd.forward_dynamics(made.model, q, v), *found.forces[0].multipliers, found.rank)
"""


@pytest.mark.slow
def test_plain_python_gives_the_same_numbers():
    """Oracle: the compiled kernels."""
    tests, lines = str(Path(__file__).parents[1]), []
    for switch in ("0", "1"):
        env = {**os.environ, "CONDYLE_COMPILE": switch, "PYTHONPATH": tests}
        done = subprocess.run([sys.executable, "-c", PLAIN], env=env, check=True, capture_output=True, text=True)
        lines.append([np.array(line.split(), float) for line in done.stdout.splitlines()])
    for plain, compiled in zip(*lines, strict=True):
        assert_allclose(plain, compiled, rtol=1e-11, atol=1e-11)


def test_two_welds_of_a_frame_turned_half_round_are_seen():
    """Oracle: by hand; at half a turn the sine of the angle vanishes, the gap must not."""
    made = planar_chain(np.random.default_rng(2), 2)
    frame = made.tree.poses(np.array([0.3, 0.4]))[-1] @ np.diag([-1.0, 1.0, -1.0, 1.0])
    made.builder.add_constraint(cd.constraints.weld("b1", None, None, frame))
    with pytest.raises(cd.errors.InconsistentLoop, match=r"weld of 'b1' to the world\) is open by 2 m or rad"):
        cd.forward_dynamics(made.model, [0.3, 0.4], [0, 0])
