"""Second-order kinematics: derivatives of Jacobians, momenta and of the gradient of energy; and along one direction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from condyle.numeric import COMPILED
from oracles.complex_step import of_forward_dynamics, of_inverse_dynamics
from support.coupled import CASES, built, random_states
from twins.kinds import KINDS
from twins.trees import twin

pytestmark = pytest.mark.slow  # the compiler needs long for kernels on dual numbers

LONG = pytest.mark.skipif(COMPILED, reason="the compiler needs minutes for it: test_in_plain_python.py runs it")
WEIGHTS = np.array([3 / 4, -3 / 20, 1 / 60])
CHAINS = [sorted(KINDS)[k::6] for k in range(6)]  # every kind of joint is in one of them


def derivatives(model, q, function, h=1e-3):
    """∂_k of a function of batches of coordinates, along every step of `integrate`, of sixth order; k is last."""
    n = model.nv
    steps = h * np.array([1, 2, 3, -1, -2, -3])[:, None, None] * np.eye(n)
    values = function(cd.integrate(model, q, steps.reshape(-1, n)))
    values = values.reshape(6, n, *values.shape[1:])
    return np.moveaxis(np.tensordot(WEIGHTS, values[:3] - values[3:], 1), 0, -1) / h


def close(got, expected, tolerance):
    """Relative to the largest number of its kind."""
    assert got.shape == expected.shape
    assert_allclose(got, expected, rtol=0, atol=tolerance * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("kinds", CHAINS, ids=lambda kinds: "-".join(kinds))
def test_second_derivatives_are_those_of_the_jacobians(kinds):
    """Oracle: differences of sixth order of Jacobians and of momentum, along `integrate`, for every kind of joint."""
    rng = np.random.default_rng(1)
    made = twin([(kind, i - 1) for i, kind in enumerate(kinds)], rng)
    model, (q, v), body = made.model, made.state(rng), len(kinds) - 1
    point = rng.normal(size=3)
    pairs = (
        (cd.body_hessian(model, q, body), lambda x: cd.body_jacobian(model, x, body)),
        (cd.point_hessian(model, q, body, point), lambda x: cd.point_jacobian(model, x, body, point)),
        (cd.center_of_mass_hessian(model, q), lambda x: cd.center_of_mass_jacobian(model, x)),
        (cd.momentum_derivatives(model, q, v).q, lambda x: momentum(model, x, v)),
        (cd.momentum_derivatives(model, q, v).vq, lambda x: cd.momentum_derivatives(model, x, v).v),
    )
    for got, function in pairs:
        close(got, derivatives(model, q, function), 1e-10)
    close(cd.momentum_derivatives(model, q, v).v @ v, momentum(model, q, v), 1e-13)
    close(cd.center_of_mass_jacobian(model, q), derivatives(model, q, lambda x: cd.center_of_mass(model, x)), 1e-10)


def momentum(model, q, v):
    found = cd.momentum(model, q, v)
    return np.concatenate([found.angular, found.linear], axis=-1)


def smooth():
    """Quaternions and varying axes, with loads."""
    box = cd.Inertia.box(1.3, (0.1, 0.2, 0.3), com=(0.1, 0, 0.2))
    b = cd.ModelBuilder(gravity=(0.3, -0.2, -9.81)).add_body("trunk", None, cd.joints.free(), box)
    b.add_body(
        "thigh", "trunk", cd.joints.universal("x", "y"), box, placement=cd.SE3.exp([0.1, 0.2, 0.3, 0.4, 0.1, 0.2])
    )
    b.add_body("arm", "trunk", cd.joints.ball(), box).add_body("shank", "thigh", cd.joints.elliptic(0.5, 0.8), box)
    b.add_spring("thigh", (0.1, 0, 0.2), "arm", (0, 0.1, 0.2), stiffness=30.0, damping=2.0, length=0.3)
    return b.add_limit("shank", -2.0, -1.0, stiffness=50.0, damping=2.0).add_damping("thigh.first", 0.3).build()


@LONG
def test_the_hessian_of_energy_is_its_second_derivative():
    """Oracle: differences of sixth order of energies, twice; of dampers nothing is seen."""
    model = smooth()
    rng = np.random.default_rng(0)
    q, v = cd.integrate(model, model.neutral(), 0.3 * rng.normal(size=model.nv)), rng.normal(size=model.nv)
    found = cd.energy_hessian(model, q, v)

    def slopes(x):
        return np.array([derivatives(model, each, lambda y: cd.energy(model, y, v).total, 1e-2) for each in x])

    close(found.q, derivatives(model, q, slopes, 1e-2), 1e-8)
    close(found.vq, derivatives(model, q, lambda x: cd.mass_matrix(model, x) @ v), 1e-10)
    close(found.v, cd.mass_matrix(model, q), 1e-13)
    batch = cd.energy_hessian(model, np.stack([q, q]), np.stack([0 * v, v]))
    close(batch.q[1], found.q, 1e-12)
    close(batch.q[0], cd.energy_hessian(model, q).q, 1e-12)


def test_steps_of_a_ball_do_not_commute():
    """Oracle: p = R x, so ∂_k ∂_j p = R (e_k × (e_j × x))."""
    model = cd.ModelBuilder().add_body("top", joint=cd.joints.ball(), inertia=cd.Inertia.point(1.0)).build()
    q, x = cd.integrate(model, model.neutral(), [0.4, -0.2, 0.7]), np.array([0.1, 0.5, -0.3])
    R, e = cd.forward_kinematics(model, q).as_matrix()[0, :3, :3], np.eye(3)
    expected = np.array([[R @ np.cross(e[k], np.cross(e[j], x)) for k in range(3)] for j in range(3)])
    close(cd.point_hessian(model, q, "top", x), np.moveaxis(expected, -1, 0), 1e-14)


def test_one_direction_is_the_sum_of_columns():
    """Oracle: the matrices of `linearize`, which the recursion for trees finds without dual numbers."""
    model = smooth()
    rng = np.random.default_rng(3)
    q = cd.integrate(model, model.neutral(), 0.3 * rng.normal(size=(11, model.nv)))
    v, tau, dq, dv, dtau = rng.normal(size=(5, 11, model.nv))
    wrenches = rng.normal(size=(11, model.nbodies, 6))
    found = cd.forward_dynamics_jvp(model, q, v, tau, wrenches, dq=dq, dv=dv, dtau=dtau)
    slopes = cd.linearize(model, q, v, tau, wrenches)
    expected = sum(np.einsum("sij,sj->si", A, x) for A, x in zip(slopes, (dq, dv, dtau), strict=True))
    close(found.change, expected, 1e-12)
    close(found.a, cd.forward_dynamics(model, q, v, tau, wrenches), 1e-13)
    one = cd.forward_dynamics_jvp(model, q[0], v[0], tau[0], wrenches[0], dv=dv[0])
    close(one.change, slopes.v[0] @ dv[0], 1e-12)


@LONG
def test_dual_numbers_are_complex_steps_where_nothing_else_is_written():
    """Oracle: complex steps through the same recursions, of a model with followers and loads on them."""
    model = built(CASES["clusters that meet"], loads=True)
    q, v, tau = random_states(model, 5)
    for got, expected in zip(cd.linearize(model, q, v, tau), of_forward_dynamics(model, q, v, tau), strict=True):
        close(got, expected, 1e-12)
    pairs = zip(cd.inverse_dynamics_derivatives(model, q, v, tau), of_inverse_dynamics(model, q, v, tau), strict=True)
    for got, expected in pairs:
        close(got, expected, 1e-12)
    expected = of_forward_dynamics(model, q, v, tau)[0] @ np.ones(model.nv)
    close(cd.forward_dynamics_jvp(model, q, v, tau, dq=np.ones(model.nv)).change, expected, 1e-12)


def test_what_cannot_be_is_named():
    """Oracle: the words name the thing."""
    model = smooth()
    with pytest.raises(errors.NotSupported, match="followers"):
        cd.energy_hessian(built(CASES["clusters that meet"]), built(CASES["clusters that meet"]).neutral())
    with pytest.raises(errors.UnknownName, match="shan"):
        cd.body_hessian(model, model.neutral(), "shan")
    with pytest.raises(errors.BadShape):
        cd.forward_dynamics_jvp(model, model.neutral(), np.zeros(model.nv), dq=[1.0, 2.0])
