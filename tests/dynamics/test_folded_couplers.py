"""Coordinates that are functions of others: the same motion as with constraints, without any."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from support.coupled import CASES, built, expanded, free_of_couplers, random_states, reduced_accelerations

MEETING = CASES["clusters that meet"]


def gap(found, expected):
    return np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()


@pytest.fixture(scope="module", params=["followers of followers", "clusters that meet"])
def case(request):
    """A model with followers beside the one without couplers, and states of both: what most tests compare."""
    couplers = CASES[request.param]
    model = built(couplers, loads=True)
    q, v, tau = random_states(model, 5)
    return couplers, model, free_of_couplers(model), (q, v, tau), expanded(model, couplers, q, v)


@pytest.mark.parametrize("name", CASES)
def test_accelerations_are_those_of_the_reduced_equations(name):
    """Oracle: (GᵀMG) ÿ = Gᵀ(τ − h − Mg), dense, with M and h of the model without couplers."""
    model = built(CASES[name], loads=True)
    q, v, tau = random_states(model, 2)
    expected = reduced_accelerations(model, CASES[name], q, v, tau)
    for k in (0, 1):
        assert gap(cd.forward_dynamics(model, q[k], v[k], tau[k]), expected[k]) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_accelerations_of_a_batch_are_those_of_the_reduced_equations(name):
    """Oracle: the same equations; lanes and what is left over."""
    model = built(CASES[name], loads=True)
    q, v, tau = random_states(model, 11)
    expected = reduced_accelerations(model, CASES[name], q, v, tau)
    assert gap(cd.forward_dynamics(model, q, v, tau), expected) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["siblings", "followers of followers", "clusters that meet", "a constant"])
def test_accelerations_are_those_that_the_constraint_gives(name):
    """Oracle: the same couplers as constraints, by Lagrange multipliers."""
    model = built(CASES[name])
    q, v, tau = random_states(model, 3)
    held = model.unfolded()
    Q, V, G, g = expanded(model, CASES[name], q, v)
    own = [held.v_index(c) + k for c in model.coordinates for k in range(3 if c == "hand" else 1)]
    forces = np.zeros_like(V)
    forces[:, own] = tau
    expected = cd.forward_dynamics(held, Q, V, forces)
    found = cd.forward_dynamics(model, q, v, tau)
    assert gap(found, expected[:, own]) < 1e-12
    assert gap(np.einsum("nij,nj->ni", G, found) + g, expected) < 1e-12


@pytest.mark.slow
def test_mass_matrix_and_inverse_dynamics_are_projected(case):
    """Oracle: GᵀMG and Gᵀ(τ of G a + g) of the model without couplers."""
    _, model, whole, (q, v, _), (Q, V, G, g) = case
    expected = np.einsum("nki,nkl,nlj->nij", G, cd.mass_matrix(whole, Q), G)
    assert gap(cd.mass_matrix(model, q), expected) < 1e-13
    a = np.random.default_rng(3).normal(size=v.shape)
    tau = cd.inverse_dynamics(whole, Q, V, np.einsum("nij,nj->ni", G, a) + g)
    assert gap(cd.inverse_dynamics(model, q, v, a), np.einsum("nij,ni->nj", G, tau)) < 1e-13
    assert gap(cd.bias_forces(model, q, v), cd.inverse_dynamics(model, q, v, 0 * v)) < 1e-13


@pytest.mark.slow
def test_an_evaluator_gives_the_same_again_and_again(case):
    """Oracle: the functions of a batch; twice, as its arrays are used again."""
    _, model, _, (q, v, tau), _ = case
    evaluate, poses = cd.Evaluator(model), cd.forward_kinematics(model, q)
    for k in (0, 1, 0):
        assert gap(evaluate.mass_matrix(q[k]), cd.mass_matrix(model, q)[k]) < 1e-13
        assert gap(evaluate.forward_dynamics(q[k], v[k], tau[k]), cd.forward_dynamics(model, q, v, tau)[k]) < 1e-11
        assert_allclose(evaluate.forward_kinematics(q[k])[:, 4:], poses[k].xyz, atol=1e-13)


@pytest.mark.slow
def test_wrenches_act_through_followers(case):
    """Oracle: inverse dynamics of the forward dynamics under them; its oracle is the test above."""
    _, model, _, (q, v, tau), _ = case
    W = np.random.default_rng(4).normal(size=(len(q), model.nbodies, 6))
    a = cd.forward_dynamics(model, q, v, tau, W)
    assert gap(cd.inverse_dynamics(model, q, v, a, W), tau) < 1e-12


@pytest.mark.slow
def test_bodies_are_where_and_move_as_their_functions_say(case):
    """Oracle: poses, velocities, accelerations, momentum and energy of the model without couplers."""
    _, model, whole, (q, v, _), (Q, V, G, g) = case
    assert_allclose(cd.forward_kinematics(model, q), cd.forward_kinematics(whole, Q), atol=1e-13)
    assert gap(cd.body_velocities(model, q, v), cd.body_velocities(whole, Q, V)) < 1e-13
    a = np.random.default_rng(3).normal(size=v.shape)
    A = np.einsum("nij,nj->ni", G, a) + g
    assert gap(cd.body_accelerations(model, q, v, a), cd.body_accelerations(whole, Q, V, A)) < 1e-13
    for found, expected in zip(cd.momentum(model, q, v), cd.momentum(whole, Q, V), strict=True):
        assert gap(found, expected) < 1e-13
    for found, expected in zip(cd.energy(model, q, v), cd.energy(whole, Q, V), strict=True):
        assert gap(found, expected) < 1e-12


@pytest.mark.slow
def test_jacobians_are_projected(case):
    """Oracle: J G, and its rate times v, of the model without couplers."""
    _, model, whole, (q, v, _), (Q, V, G, g) = case
    for body in ("toes", "patella", "other"):
        J = cd.body_jacobian(whole, Q, body)
        assert gap(cd.body_jacobian(model, q, body), J @ G) < 1e-13
        rate = cd.body_jacobian_rate(whole, Q, V, body)
        found = np.einsum("nij,nj->ni", cd.body_jacobian_rate(model, q, v, body), v)
        expected = np.einsum("nij,nj->ni", rate, V) + np.einsum("nij,nj->ni", J, g)
        assert np.abs(found - expected).max() < 1e-12 * (1 + np.abs(expected).max())
        at = (0.1, 0.2, -0.3)
        assert gap(cd.point_jacobian(model, q, body, at), cd.point_jacobian(whole, Q, body, at) @ G) < 1e-13


@pytest.mark.slow
def test_linearize_is_the_derivative(case):
    """Oracle: central differences of the forward dynamics; M⁻¹ for forces."""
    _, model, _, (q, v, tau), _ = case
    slopes, h = cd.linearize(model, q[0], v[0], tau[0]), 1e-6
    assert gap(slopes.tau, np.linalg.inv(cd.mass_matrix(model, q[0]))) < 1e-11
    for k in range(model.nv):
        e = h * np.eye(model.nv)[k]
        ends = [cd.forward_dynamics(model, cd.integrate(model, q[0], s * e), v[0], tau[0]) for s in (1, -1)]
        assert np.abs((ends[0] - ends[1]) / (2 * h) - slopes.q[:, k]).max() < 1e-6 * np.abs(slopes.q).max()
        ends = [cd.forward_dynamics(model, q[0], v[0] + s * e, tau[0]) for s in (1, -1)]
        assert np.abs((ends[0] - ends[1]) / (2 * h) - slopes.v[:, k]).max() < 1e-6 * np.abs(slopes.q).max()


@pytest.mark.slow
def test_a_prescribed_driver_drives_its_followers():
    """Oracle: the reduced equations with the rows of the driver left out."""
    couplers = CASES["followers of followers"]
    model = built(couplers, prescribed=["knee"])
    q, v, tau = random_states(model, 4)
    k, free = model.v_index("knee"), [i for i in range(model.nv) if i != model.v_index("knee")]
    given = np.full((len(q), model.nv), 0.6)
    whole = replace(free_of_couplers(model), prescribed={})
    Q, V, G, g = expanded(model, couplers, q, v)
    M, h = cd.mass_matrix(whole, Q), cd.inverse_dynamics(whole, Q, V, 0 * V)
    g = g + G[:, :, k] * 0.6
    Gf = G[:, :, free]
    right = tau[:, free] - np.einsum("nij,ni->nj", Gf, h + np.einsum("nij,nj->ni", M, g))
    expected = np.linalg.solve(np.einsum("nki,nkl,nlj->nij", Gf, M, Gf), right[..., None])[..., 0]
    found = cd.forward_dynamics(model, q, v, tau, a=given)
    assert gap(found[:, free], expected) < 1e-12
    assert_allclose(found[:, k], 0.6)


@pytest.mark.slow
def test_other_constraints_hold_beside_followers():
    """Oracle: all of them as constraints."""
    model = built(MEETING)
    loop = cd.constraints.point("toes", (0.1, 0.0, 0.2), None, (0.1, 0.2, -0.4))
    both = [replace(m, constraints=(loop.bound(m), *m.constraints)) for m in (model, model.unfolded())]
    q, v = cd.project(both[0], model.neutral(), np.linspace(-1, 1, model.nv))
    Q, V, _, _ = expanded(model, MEETING, q[None], v[None])
    found, expected = cd.forward_dynamics(both[0], q, v), cd.forward_dynamics(both[1], Q[0], V[0])
    own = [both[1].v_index(c) + k for c in model.coordinates for k in range(3 if c == "hand" else 1)]
    assert gap(found, expected[own]) < 1e-10
    forces = [cd.constraint_forces(m, x, y).forces[0] for m, x, y in ((both[0], q, v), (both[1], Q[0], V[0]))]
    assert gap(forces[0].multipliers, forces[1].multipliers) < 1e-9
    assert gap(forces[0].wrenches, forces[1].wrenches) < 1e-9


@pytest.mark.slow
def test_inverse_kinematics_moves_followers_along():
    """Oracle: the targets are where a known pose has them."""
    model = built(MEETING)
    q, _, _ = random_states(model, 4, seed=5)
    X = cd.forward_kinematics(model, q)
    bodies, points = ("patella", "toes", "hand", "femur"), ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.1), (0.2, 0.1, 0))
    at = {b: X[:, model.body_index(b)] for b in bodies}
    targets = [cd.ik.position(b, at[b].apply(np.array(p)), p) for b, p in zip(bodies, points, strict=True)]
    targets += [cd.ik.orientation(b, at[b].as_matrix()[:, :3, :3]) for b in ("toes", "hand")]
    start = cd.integrate(model, q, 0.02 * np.ones((len(q), model.nv)))
    found = cd.ik.solve(model, targets, start)
    assert np.abs(cd.forward_kinematics(model, found.q).as_matrix() - X.as_matrix()).max() < 1e-6


INTEGRATORS = "euler", "semi-implicit", "rk4", "adaptive", "variational"
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in INTEGRATORS]  # entries of their own


@pytest.mark.parametrize("integrator", [*SLOW])
def test_simulations_agree_with_the_constraint(integrator):
    """Oracle: the same motion with constraints, by RK4 with short steps; tolerances are those of the methods."""
    couplers = CASES["siblings"]
    model = built(couplers, loads=True)
    q, v, _ = random_states(model, 2)
    held = model.unfolded()
    Q, V, _, _ = expanded(model, couplers, q, 0.3 * v)
    expected = cd.simulate(held, Q[0], V[0], duration=0.05, step=1e-3).q[-1]
    step = 1e-3 if integrator in ("rk4", "adaptive") else 2e-4
    run = cd.simulate(model, q, 0.3 * v, duration=0.05, step=step, integrator=integrator)
    got, _, _, _ = expanded(model, couplers, run.q[:, -1], v)
    tolerance = {"rk4": 1e-9, "adaptive": 1e-6, "variational": 1e-6}.get(integrator, 1e-3)
    assert np.abs(got[0] - expected).max() < tolerance
    assert not np.any(run.stopped)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("siblings", 1e-10), ("clusters that meet", 1e-7)])
def test_energy_is_kept_over_ten_seconds_of_passive_motion(name, most):
    """Oracle: conservation; the drift of RK4 falls with the fourth power of the step, and ends in round-off."""
    model = built(CASES[name])
    q, v, _ = random_states(model, 2)
    drift = []
    for step in (5e-4, 2.5e-4, 1.25e-4):
        run = cd.simulate(model, q, 0.3 * v, duration=10.0, step=step, record=0.1)
        total = cd.energy(model, run.q, run.v).total
        drift.append(np.abs(total - total[:, :1]).max() / np.abs(total).max())
    assert drift[2] < most
    assert 12 < drift[0] / drift[1] < 20
    assert 12 < drift[1] / drift[2] < 20
