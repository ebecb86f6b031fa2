"""States brought onto their constraints, and loops that are mobile against the count of their freedoms."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import kkt, random_motion
from twins.kinds import hinge
from twins.mechanisms import along, pinned_chain, planar_chain, rolling_coin, shift
from twins.trees import Twin, twin


def gap_of(tree, pin, q):
    """How far a pinned point is from its place, from poses."""
    poses = tree.poses(q)
    second = np.eye(4) if pin.second < 0 else poses[pin.second]
    return (poses[pin.first] @ [*pin.point1, 1] - second @ [*pin.point2, 1])[:3]


def spatial_ring(rng):
    """A floating body, universal joints and a ball; the last body pinned to the first."""
    made = twin([("free", -1), ("universal", 0), ("ball", 1), ("universal", 2)], rng)
    q, _ = made.state(rng)
    tip, poses = rng.normal(size=3), made.tree.poses(q)
    socket = (np.linalg.inv(poses[0]) @ poses[3] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point("b3", tip, "b0", socket))
    return made, kkt.Point(3, tip, 0, socket), q


def nudged(model, q, dv):
    """q with its plain numbers moved and its quaternions turned a little, all of unit norm."""
    out = q + np.resize(dv, len(q))
    for at, _, _ in model.quaternions:
        out[at : at + 4] /= np.linalg.norm(out[at : at + 4])
    return out


@pytest.mark.parametrize("mechanism", [lambda r: pinned_chain(r, 5), spatial_ring])
@pytest.mark.parametrize("size", [1e-6, 0.05])
def test_projected_states_are_closed_and_stay_closed(mechanism, size):
    """Oracle: gaps and their rates from poses."""
    rng = np.random.default_rng(71)
    made, pin, q0 = mechanism(rng)
    tree, model = made.tree, made.model
    q, v = cd.project(model, nudged(model, q0, size * rng.normal(size=len(q0))), rng.normal(size=tree.nv))
    assert np.abs(gap_of(tree, pin, q)).max() < 1e-11
    assert np.abs(pin.rows(tree, q, v)[0]).max() < 1e-11
    for at, _, _ in model.quaternions:
        assert_allclose(np.linalg.norm(q[at : at + 4]), 1.0, rtol=1e-14)
    again = cd.project(model, q, v)
    assert_allclose(again[0], q, atol=1e-11)
    assert_allclose(again[1], v, atol=1e-11)


def test_velocities_are_changed_as_little_as_the_mass_metric_allows():
    """Oracle: v − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ A v with M and A from poses."""
    rng = np.random.default_rng(72)
    made, pin, q = spatial_ring(rng)
    tree, v = made.tree, rng.normal(size=made.tree.nv)
    A = np.transpose([pin.rows(tree, q, e)[0] for e in np.eye(tree.nv)])
    Y = np.linalg.solve(tree.mass_matrix(q), A.T)
    assert_allclose(cd.project(made.model, q, v)[1], v - Y @ np.linalg.pinv(A @ Y) @ A @ v, atol=1e-10)


def test_rolling_changes_velocities_only():
    """Oracle: the slip of the oracle's coin."""
    made, rolling = rolling_coin()
    q0 = np.array([0.2, -0.1, 0.5, 0.3, 1.0])
    q, v = cd.project(made.model, q0, [1.0, 0.4, -0.3, 0.2, 0.9])
    assert np.array_equal(q, q0)
    assert np.abs(rolling.rows(made.tree, q, v)[0]).max() < 1e-13


def test_prescribed_coordinates_stay_where_they_are():
    """Oracle: the numbers given; the gap from poses."""
    rng = np.random.default_rng(73)
    made, pin, q0 = pinned_chain(rng, 4)
    made.builder.prescribe("b0", 0.3)
    q, v = cd.project(made.model, [q0[0] + 0.02, *q0[1:]], [0.7, 0.1, 0.2, 0.3])
    assert q[0] == q0[0] + 0.02 and v[0] == 0.7
    assert np.abs(gap_of(made.tree, pin, q)).max() < 1e-11
    assert np.abs(pin.rows(made.tree, q, v)[0]).max() < 1e-11


def bennett(rng, first=0.9):
    """Bennett's linkage: four hinges in space, mobile although the count of freedoms says it is rigid.

    Lengths a, b, a, b and twists α, β, α, β with sin α/a = sin β/b; tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2)/sin((β−α)/2).
    The fourth link is the ground, so the body that carries it is welded to the world.
    """
    alpha, beta = 0.5, 1.1
    a, b = np.sin(alpha), np.sin(beta)
    second = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(first / 2))
    made, before = Twin(), np.eye(4)
    for i, (length, turn) in enumerate([(a, alpha), (b, beta)] * 2):
        made.attach(hinge((0, 0, 1)), i - 1, random_motion.inertia(rng), before, np.eye(4))
        c, s = np.cos(turn), np.sin(turn)
        before = shift(length, 0, 0) @ np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])
    made.builder.add_constraint(cd.constraints.weld("b3", before, None, None))
    pins = [kkt.Point(3, (before @ [*p, 1])[:3], -1, p) for p in np.eye(3)]
    return made, pins, np.array([first, second, -first, -second])


def test_bennetts_linkage_moves():
    """Oracle: dense KKT system with three pins in place of the weld; the linkage's own closed form."""
    rng = np.random.default_rng(74)
    made, pins, q = bennett(rng)
    for pin in pins:
        assert np.abs(gap_of(made.tree, pin, q)).max() < 1e-14
    v, tau = along(made.tree, pins, q, rng.normal(size=4)), rng.normal(size=4)
    assert np.abs(v).max() > 0.1
    assert_allclose(cd.forward_dynamics(made.model, q, v, tau), kkt.solve(made.tree, pins, q, v, tau)[0], rtol=1e-9)
    found = cd.constraint_forces(made.model, q, v, tau)
    assert found.rank == 3 and not found.unique


@pytest.mark.parametrize("size", [1e-7, 1e-4, 0.03])
def test_bennetts_linkage_is_closed_where_its_redundant_rows_are_not_quite_redundant(size):
    """Oracle: gaps from poses, and the closed form of the other angles."""
    rng = np.random.default_rng(75)
    made, pins, q0 = bennett(rng)
    q, v = cd.project(made.model, q0 + size * rng.normal(size=4), rng.normal(size=4))
    for pin in pins:
        assert np.abs(gap_of(made.tree, pin, q)).max() < 1e-11
        assert np.abs(pin.rows(made.tree, q, v)[0]).max() < 1e-9
    assert_allclose(q, bennett(rng, q[0])[2], atol=1e-9)


def test_a_gap_too_far_to_close_says_so():
    """Words: which constraint, what to do."""
    made = planar_chain(np.random.default_rng(76), 2)
    made.builder.add_constraint(cd.constraints.point("b1", (0.5, 0, 0), None, (5.0, 0, 0)))
    with pytest.raises(
        cd.errors.NotConverged, match=r"constraint 0 \(point of 'b1' on the world\) could not be closed"
    ):
        cd.project(made.model, [0.3, 0.4])


def driven_four_bar():
    """A crank of 0.5 m at 0.5 + 2 t; coupler and rocker (0.7 m in all) cannot follow it beyond cos = 0.2."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    for name, parent, length, at in (
        ("crank", None, 0.5, 0.0),
        ("coupler", "crank", 0.4, 0.5),
        ("rocker", "coupler", 0.3, 0.4),
    ):
        bar = cd.Inertia.box(1.0, (length, 0.02, 0.02), com=(length / 2, 0, 0))
        place = cd.SE3.from_translation((at, 0, 0))
        b.add_body(name, parent=parent, joint=cd.joints.revolute("z"), inertia=bar, placement=place)
    b.add_constraint(cd.constraints.point("rocker", (0.3, 0, 0), None, (0.6, 0, 0)))
    return b.prescribe("crank", 0.5, rate=2.0).build()


def test_a_start_without_the_rates_of_prescribed_coordinates_says_where_they_belong():
    model = driven_four_bar()
    q, v = cd.project(model, [0.5, 0.2, -2.0])
    with pytest.raises(cd.errors.InconsistentLoop, match=r"constraint 0.*rates of prescribed coordinates"):
        cd.simulate(model, q, v, duration=0.1)
    q, v = cd.project(model, q, [2.0, 0.0, 0.0])
    assert cd.simulate(model, q, v, duration=0.1).stopped is None


def test_a_loop_driven_beyond_its_reach_stops_where_it_ends():
    """Oracle: the distance from the crank's tip to the pin is 0.7 m at cos(angle) = 0.2."""
    model = driven_four_bar()
    q, v = cd.project(model, [0.5, 0.2, -2.0], [2.0, 0.0, 0.0])
    with pytest.warns(cd.simulation.StoppedWarning, match="constraint 0"):
        run = cd.simulate(model, q, v, duration=1.0)
    assert run.stopped.time == pytest.approx((np.arccos(0.2) - 0.5) / 2.0, abs=2e-3)
    assert "reach" in run.stopped.reason


def test_without_constraints_nothing_is_changed():
    """Oracle: the state itself."""
    made = planar_chain(np.random.default_rng(77), 2)
    q, v = cd.project(made.model, [0.3, 0.4])
    assert np.array_equal(q, [0.3, 0.4]) and np.array_equal(v, [0, 0])


@pytest.mark.slow
def test_energy_errors_of_projected_motion_fall_with_the_order_of_the_integrator():
    """Oracle: conservation of energy; halving the step of a fourth-order method divides its error by about 16."""
    env = {**os.environ, "CONDYLE_COMPILE": "0", "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "twins.marching"]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        errors = np.array(line.split(), float)
        assert errors[-1] < 1e-3
        assert (errors[:-1] / errors[1:] > 11).all(), errors
