"""Derivatives of motion that muscles drive, forwards and backwards, and second derivatives of lengths."""

import numpy as np
import pytest

import condyle as cd
from support.muscle_models import every_path, limb

pytestmark = pytest.mark.slow  # kernels on complex numbers take long to compile

A, U = np.array([0.4, 0.3, 0.35, 0.25, 0.6, 0.5, 0.3]), np.array([0.6, 0.1, 0.5, 0.2, 0.9, 0.1, 0.7])


def swinging():
    """An upper arm on a ball joint and a forearm, with a muscle over a ball and one over an egg."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    rod = cd.Inertia.cylinder(1.0, 0.03, 0.3, axis=1, com=(0, -0.15, 0))
    b.add_body("upper", joint=cd.joints.ball(), inertia=rod, joint_name="shoulder")
    b.add_body("fore", "upper", cd.joints.revolute("z"), rod, placement=cd.SE3.from_translation((0, -0.3, 0)))
    b.add_wrap("head", "sphere", radius=0.03)
    b.add_wrap("egg", "ellipsoid", "upper", cd.SE3.from_translation((0, -0.3, 0)), dimensions=(0.02, 0.03, 0.025))
    size = {"max_isometric_force": 400.0, "optimal_fiber_length": 0.12, "tendon_slack_length": 0.2}
    b.add_muscle("deltoid", [(None, (0.02, 0.1, 0)), ("upper", (0.02, -0.15, 0.01))], "thelen", wraps=["head"], **size)
    b.add_muscle(
        "triceps", [(None, (-0.03, 0.02, 0.01)), ("fore", (-0.02, -0.04, 0))], "millard", wraps=["egg"], **size
    )
    b.add_muscle("motor", [(None, (0.1, 0, 0)), ("fore", (0, -0.1, 0))], "path_actuator", optimal_force=20.0)
    return b.build()


def slopes(f, size, step):
    """Columns of derivatives by central differences of order 4."""
    columns = []
    for e in step * np.eye(size):
        near, far = (f(e) - f(-e)) / (2 * step), (f(2 * e) - f(-2 * e)) / (4 * step)
        columns.append((4 * near - far) / 3)
    return np.stack(columns, axis=-1)


CASES = {
    "limb": (limb, np.array([0.2, 0.4]), np.array([0.5, -1.0])),
    "ball": (swinging, np.array([0.96, 0.1, -0.2, 0.16]), np.array([0.4, -0.3, 0.6, 0.8])),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """A model, a state with fibres near equilibrium, and how to step it."""
    make, q, v = CASES[request.param]
    model = make()
    q = np.append(q / np.linalg.norm(q), 0.5) if request.param == "ball" else q
    n = len(model.muscles)
    found = cd.muscles.forces(model, q, v, A[:n])
    return model, q, v, A[:n], U[:n], np.where(found.fiber_length > 0, 1.01 * found.fiber_length, 1.0)


def test_slopes_of_accelerations_are_those_of_differences(case):
    """Oracle: central differences of order 4 of `forward_dynamics`."""
    model, q, v, a, _, fibers = case
    tau = np.linspace(-0.3, 0.4, model.nv)
    found = cd.muscles.linearize(model, q, v, a, fiber_length=fibers, tau=tau)

    def accelerate(dq=0.0, dv=0.0, da=0.0, dl=0.0, dtau=0.0):
        at = cd.integrate(model, q, dq * np.ones(model.nv))
        return cd.muscles.forward_dynamics(model, at, v + dv, a + da, fiber_length=fibers + dl, tau=tau + dtau)

    n = len(a)
    expected = {
        "q": slopes(lambda e: accelerate(dq=e), model.nv, 1e-3),
        "v": slopes(lambda e: accelerate(dv=e), model.nv, 1e-3),
        "tau": slopes(lambda e: accelerate(dtau=e), model.nv, 1e-2),
        "activation": slopes(lambda e: accelerate(da=e), n, 1e-3),
        "fiber_length": slopes(lambda e: accelerate(dl=e), n, 2e-6),
    }
    for name, there in expected.items():
        here = getattr(found, name)
        np.testing.assert_allclose(here, there, atol=2e-8 * (1 + np.abs(there).max()), err_msg=name)


def test_slopes_of_fibres_and_activations_are_those_of_differences(case):
    """Oracle: central differences of order 4 of `forces` and `activation_rates`."""
    model, q, v, a, u, fibers = case
    found, n = cd.muscles.linearize(model, q, v, a, excitation=u, fiber_length=fibers), len(a)

    def speed(dq=0.0, dv=0.0, da=0.0, dl=0.0):
        at = cd.integrate(model, q, dq * np.ones(model.nv))
        return cd.muscles.forces(model, at, v + dv, a + da, fiber_length=fibers + dl).fiber_velocity

    expected = {
        "fiber_velocity_q": slopes(lambda e: speed(dq=e), model.nv, 2e-5),
        "fiber_velocity_v": slopes(lambda e: speed(dv=e), model.nv, 1e-3),
        "fiber_velocity_activation": slopes(lambda e: speed(da=e), n, 1e-4).diagonal(),
        "fiber_velocity_fiber_length": slopes(lambda e: speed(dl=e), n, 1e-7).diagonal(),
        "rate_activation": slopes(lambda e: cd.muscles.activation_rates(model, a + e, u), n, 1e-4).diagonal(),
        "rate_excitation": slopes(lambda e: cd.muscles.activation_rates(model, a, u + e), n, 1e-4).diagonal(),
    }
    for name, there in expected.items():
        here = getattr(found, name)
        np.testing.assert_allclose(here, there, atol=3e-7 * (1 + np.abs(there).max()), err_msg=name)


def test_cotangents_are_products_with_the_slopes(case):
    """Oracle: the matrices of `linearize`, which differences check."""
    model, q, v, a, u, fibers = case
    rng, n = np.random.default_rng(2), len(a)
    w, wf, wr = rng.normal(size=model.nv), rng.normal(size=n), rng.normal(size=n)
    d = cd.muscles.linearize(model, q, v, a, excitation=u, fiber_length=fibers)
    found = cd.muscles.forward_dynamics_vjp(
        model, q, v, a, excitation=u, fiber_length=fibers, cotangent=w, fiber_velocity_cotangent=wf,
        activation_rate_cotangent=wr,
    )  # fmt: skip
    expected = {
        "q": w @ d.q + wf @ d.fiber_velocity_q,
        "v": w @ d.v + wf @ d.fiber_velocity_v,
        "tau": w @ d.tau,
        "activation": w @ d.activation + wf * d.fiber_velocity_activation + wr * d.rate_activation,
        "excitation": wr * d.rate_excitation,
        "fiber_length": w @ d.fiber_length + wf * d.fiber_velocity_fiber_length,
    }
    for name, there in expected.items():
        np.testing.assert_allclose(getattr(found, name), there, atol=1e-9 * (1 + np.abs(there).max()), err_msg=name)


def test_a_batch_is_linearised_state_by_state(case):
    """Oracle: the same function of single states."""
    model, q, v, a, u, fibers = case
    Q, V = np.stack([q, q]), np.stack([v, 0.5 * v])
    many = cd.muscles.linearize(model, Q, V, a, excitation=u, fiber_length=fibers)
    one = cd.muscles.linearize(model, Q[1], V[1], a, excitation=u, fiber_length=fibers)
    for name, x, y in zip(one._fields, many, one, strict=True):
        np.testing.assert_allclose(x[1], y, atol=1e-9 * (1 + np.abs(y).max()), err_msg=name)


def test_second_derivatives_of_lengths_are_slopes_of_moment_arms():
    """Oracle: central differences of order 4 of moment arms, over every kind of point and wrap."""
    model = every_path()
    for q in ([-0.1, -0.3], [-0.4, -0.6]):
        found = cd.muscles.length_hessians(model, q)
        expected = -slopes(lambda e, q=q: cd.muscles.moment_arms(model, np.array(q) + e), 2, 1e-4)
        np.testing.assert_allclose(found, expected, atol=2e-8)
        np.testing.assert_allclose(found, np.swapaxes(found, 1, 2), atol=1e-12)
