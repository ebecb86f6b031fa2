"""The engine against Lagrange's equations made from expm poses (tests/oracles), which know no twist or recursion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from oracles import definitions
from twins.kinds import KINDS
from twins.trees import mixed, random_tree, twin

SEEDS = range(5)
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(params=SEEDS)
def scene(request):
    """The mixed tree of five bodies, its oracle, and a random state."""
    rng = np.random.default_rng(100 + request.param)
    made = mixed(rng)
    return made.model, made.tree, *made.state(rng), rng


def test_bodies_stand_where_the_definitions_say(scene):
    """Oracle: products of expm."""
    model, tree, q, _, _ = scene
    assert_allclose(cd.forward_kinematics(model, q).as_matrix(), tree.poses(q), **CLOSE)


def test_mass_matrix_is_that_of_the_kinetic_energy(scene):
    """Oracle: Σ tr(∂_iT P ∂_jTᵀ)."""
    model, tree, q, _, _ = scene
    assert_allclose(cd.mass_matrix(model, q), tree.mass_matrix(q), **CLOSE)


def test_forward_dynamics_obeys_lagrange(scene):
    """Oracle: Uicker-Kahn accelerations, with joint forces and wrenches on every body."""
    model, tree, q, v, rng = scene
    tau, wrenches = rng.normal(size=tree.nv), rng.normal(size=(5, 6))
    assert_allclose(cd.forward_dynamics(model, q, v, tau, wrenches), tree.forward(q, v, tau, wrenches), **CLOSE)
    assert_allclose(cd.forward_dynamics(model, q, v), tree.forward(q, v), **CLOSE)


def test_inverse_dynamics_obeys_lagrange(scene):
    """Oracle: M a + h − Q."""
    model, tree, q, v, rng = scene
    a, wrenches = rng.normal(size=tree.nv), rng.normal(size=(5, 6))
    assert_allclose(cd.inverse_dynamics(model, q, v, a, wrenches), tree.inverse(q, v, a, wrenches), **CLOSE)


def test_energy_is_that_of_the_poses(scene):
    """Oracle: ½ Σ tr(Ṫ P Ṫᵀ) and heights of the centres of mass."""
    model, tree, q, v, _ = scene
    assert_allclose(cd.energy(model, q, v), tree.energy(q, v), **CLOSE)


def test_momentum_is_that_of_the_poses(scene):
    """Oracle: ∫ ṗ dm and ∫ (p − c) × ṗ dm from Σ Ṫ P Tᵀ."""
    model, tree, q, v, _ = scene
    for got, expected in zip(cd.momentum(model, q, v), tree.momentum(q, v), strict=True):
        assert_allclose(got, expected, **CLOSE)


def test_body_jacobians_are_rates_of_the_poses(scene):
    """Oracle: T⁻¹ ∂_iT."""
    model, tree, q, _, _ = scene
    tangents, poses = tree.tangents(q), tree.poses(q)
    for b, name in enumerate(f"b{i}" for i in range(5)):
        expected = [definitions.vee(np.linalg.inv(poses[b]) @ t[b]) for t in tangents]
        assert_allclose(cd.body_jacobian(model, q, name), np.transpose(expected), **CLOSE)


@pytest.mark.slow
def test_linearization_is_the_derivative_of_the_oracle(scene):
    """Oracle: complex step through the Lagrangian, another code path altogether."""
    model, tree, q, v, rng = scene
    tau = rng.normal(size=tree.nv)
    h = 1e-30
    steps = 1j * h * np.eye(tree.nv)
    by_q = np.transpose([tree.forward(q + s, v, tau).imag / h for s in steps])
    by_v = np.transpose([tree.forward(q, v + s, tau).imag / h for s in steps])
    by_tau = np.linalg.inv(tree.mass_matrix(q))
    for got, expected in zip(cd.linearize(model, q, v, tau), (by_q, by_v, by_tau), strict=True):
        assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_chain_of_three_of_a_kind_obeys_lagrange(kind):
    """Oracle: Lagrange, for every kind of joint, forward and inverse."""
    rng = np.random.default_rng(200)
    made = twin([(kind, -1), (kind, 0), (kind, 1)], rng)
    (q, v), tree, model = made.state(rng), made.tree, made.model
    tau = rng.normal(size=tree.nv)
    a = tree.forward(q, v, tau)
    words = f"{kind}: tests/joints/test_against_definitions.py tells whether the joint is the one of its definition"
    assert_allclose(cd.forward_dynamics(model, q, v, tau), a, **CLOSE, err_msg=words)
    assert_allclose(cd.inverse_dynamics(model, q, v, a), tau, rtol=1e-9, atol=1e-9, err_msg=words)


@pytest.mark.parametrize("seed", range(4))
def test_random_trees_of_all_kinds_obey_lagrange(seed):
    """Oracle: Lagrange; kinds, branching and several roots at random, in a batch of three states."""
    rng = np.random.default_rng(300 + seed)
    made = random_tree(sorted(KINDS), 6, rng)
    states = [made.state(rng) for _ in range(3)]
    q, v = (np.array(x) for x in zip(*states, strict=True))
    expected = np.array([made.tree.forward(*s) for s in states])
    got = cd.forward_dynamics(made.model, q, v)
    assert_allclose(got, expected, rtol=1e-9, atol=1e-10 * max(1, np.abs(expected).max()))


def test_outside_its_domain_a_spline_joint_still_obeys_lagrange():
    """Oracle: Lagrange with weights continued linearly."""
    rng = np.random.default_rng(400)
    made = twin([("spline_curve", -1), ("spline_surface", 0)], rng)
    q, v = made.state(rng)
    for outside in (np.array([-0.3, 0, 0]), np.array([9.0, 0, 0]), np.array([0, -0.2, 0]), np.array([0, -0.2, 9.0])):
        moved = np.where(outside == 0, q, outside)
        assert_allclose(cd.forward_dynamics(made.model, moved, v), made.tree.forward(moved, v), **CLOSE)
