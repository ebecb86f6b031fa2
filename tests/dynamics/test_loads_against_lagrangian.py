"""Springs, dampers and prescribed motion against virtual work and Lagrange's equations (tests/oracles)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import loads
from twins.kinds import KINDS
from twins.trees import Twin, mixed

CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@pytest.mark.parametrize("second", [4, -1])
def test_a_damped_spring_does_the_work_it_should(second):
    """Oracle: −(k (l − L) + c l̇) ∂l/∂q_i with l from expm poses; between two bodies, and to the world."""
    rng = np.random.default_rng(500)
    made = mixed(rng)
    p1, p2 = rng.normal(size=(2, 3))
    made.builder.add_spring("b3", p1, None if second < 0 else f"b{second}", p2, stiffness=40.0, damping=3.0, length=0.5)
    made.loads.append(loads.Spring(3, p1, second, p2, 40.0, 3.0, 0.5))
    q, v = made.state(rng)
    assert_allclose(cd.forward_dynamics(made.model, q, v), made.tree.forward(q, v), **CLOSE)
    assert_allclose(cd.energy(made.model, q, v), made.tree.energy(q, v), **CLOSE)


def damper(b):
    b.add_damping("b3", 0.7)
    return loads.Damping(5, 5, 0.7)


def spring(b):
    b.add_stiffness("b3", 11.0, rest=0.4, damping=0.2)
    return loads.Stiffness(5, 5, 11.0, 0.4, 0.2)


def force(b):
    b.add_constant_force("b3", 2.5)
    return loads.Constant(5, 5, 2.5)


def limit(b):
    b.add_limit("b3", -0.2, 0.3, stiffness=300.0, damping=40.0)
    return loads.Limit(5, 5, -0.2, 0.3, 300.0, 40.0)


def soft_limit(b):
    b.add_soft_limit("b3", -0.2, 0.3, stiffness=(300.0, 200.0), damping=40.0, transition=0.25)
    return loads.SoftLimit(5, 5, -0.2, 0.3, 300.0, 200.0, 40.0, 0.25)


def gradual_limit(b):
    b.add_limit("b3", -0.2, 0.3, stiffness=300.0, damping=40.0, damping_depth=0.15)
    return loads.GradualLimit(5, 5, -0.2, 0.3, 300.0, 40.0, 0.15)


PLACES = ((-0.5, 0.3), (-0.5, 5.0), (-0.3, -2.0), (-0.3, 9.0), (0.1, 2.0),
          (0.35, 1.0), (0.4, -30.0), (0.4, 3.0), (0.6, 0.4), (0.6, -6.0))  # fmt: skip


@pytest.mark.parametrize("load", [damper, spring, force, limit, soft_limit, gradual_limit])
def test_forces_act_on_their_coordinate(load):
    """Oracle: the load's law written out; places and rates on both sides of limits, pushing and leaving."""
    rng = np.random.default_rng(501)
    made = mixed(rng)
    made.loads.append(load(made.builder))
    model, tree = made.model, made.tree
    q, v = (np.tile(x, (len(PLACES), 1)) for x in made.state(rng))
    q[:, 5], v[:, 5] = np.transpose(PLACES)
    expected = [(tree.forward(*state), tree.energy(*state)) for state in zip(q, v, strict=True)]
    together = cd.forward_dynamics(model, q, v), np.transpose(cd.energy(model, q, v))
    for k, (accelerations, energies) in enumerate(expected):
        assert_allclose(cd.forward_dynamics(model, q[k], v[k]), accelerations, **CLOSE)
        assert_allclose(together[0][k], accelerations, **CLOSE)
        assert_allclose(cd.energy(model, q[k], v[k]), energies, **CLOSE)
        assert_allclose(together[1][k], energies, **CLOSE)


def wheel_with_beads(rng):
    """A turning body that carries three beads on wires."""
    made = Twin()
    made.add(KINDS["revolute"](rng), -1, rng)
    for _ in range(3):
        made.add(KINDS["spline_curve"](rng), 0, rng)
    return made


def test_beads_on_a_spinning_wire_obey_lagrange():
    """Oracle: Lagrange with the wheel's acceleration given; angle 2 sin 3t."""
    rng = np.random.default_rng(502)
    made = wheel_with_beads(rng)
    made.builder.prescribe("b0", lambda t: 2 * np.sin(3 * t))
    t = 0.4
    q, v = made.state(rng)
    q[0], v[0] = 2 * np.sin(3 * t), 6 * np.cos(3 * t)
    expected = made.tree.forward(q, v, prescribed={0: -18 * np.sin(3 * t)})
    got = cd.forward_dynamics(made.model, q, v, t=t)
    assert_allclose(got, expected, **CLOSE)
    force = cd.inverse_dynamics(made.model, q, v, got)
    assert_allclose(force, made.tree.inverse(q, v, expected), rtol=1e-9, atol=1e-9)
    assert_allclose(force[1:], 0, atol=1e-9)


def test_a_ball_on_a_deforming_surface_obeys_lagrange():
    """Oracle: Lagrange with time as the third coordinate of the surface, rate 1 and acceleration 0 (notes, 1.4 A)."""
    rng = np.random.default_rng(503)
    made = Twin()
    pair = KINDS["spline_surface"](rng, shape=(6, 6, 6))
    made.add(pair, -1, rng)
    made.builder.prescribe(f"b0.{pair.joint.coordinates[2]}", lambda t: t)
    q, v = made.state(rng)
    v[2] = 1.0
    got = cd.forward_dynamics(made.model, q, v, t=q[2])
    assert_allclose(got, made.tree.forward(q, v, prescribed={2: 0.0}), **CLOSE)
