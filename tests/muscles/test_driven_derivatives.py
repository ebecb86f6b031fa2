"""Derivatives of motion that muscles drive, forwards and backwards, and second derivatives of lengths."""

import os
import subprocess
import sys

import numpy as np
import pytest

import condyle as cd
from support.muscle_models import every_path, limb

pytestmark = pytest.mark.slow  # kernels on complex numbers take long to compile

in_plain_python = pytest.mark.skipif(
    os.environ.get("CONDYLE_COMPILE") != "0", reason="runs in plain Python, which is sooner than to compile"
)
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


def knee():
    """A thigh and a shank with a patella that follows the knee, a muscle to it, a ligament from it, and an actuator."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    rod = cd.Inertia.cylinder(2.0, 0.03, 0.4, axis=1, com=(0, -0.2, 0))
    low = cd.SE3.from_translation((0, -0.4, 0))
    b.add_body("thigh", joint=cd.joints.revolute("z"), inertia=rod, joint_name="hip")
    b.add_body("shank", "thigh", cd.joints.revolute("z"), rod, placement=low, joint_name="knee")
    small = cd.Inertia.sphere(0.1, 0.02, com=(0.05, 0, 0))
    b.add_body("patella", "thigh", cd.joints.revolute("z"), small, placement=low, joint_name="beta")
    b.add_coupler("beta", "knee", cd.functions.polynomial([0.02, 0.6, 0.1]))
    size = {"max_isometric_force": 800.0, "optimal_fiber_length": 0.1, "tendon_slack_length": 0.25}
    b.add_muscle("vasti", [(None, (0.05, -0.05, 0)), ("patella", (0.05, 0.02, 0))], "millard", **size)
    b.add_muscle("ligament", [("patella", (0.05, -0.02, 0)), ("shank", (0.04, -0.05, 0))], "path_spring",
                 stiffness=2e4, resting_length=0.02, dissipation=0.1)  # fmt: skip
    b.add_muscle("motor", [(None, (-0.1, 0, 0)), ("shank", (-0.03, -0.1, 0))], "path_actuator", optimal_force=50.0)
    return b.build()


@pytest.mark.skipif(os.environ.get("CONDYLE_COMPILE") == "0", reason="it starts what is running")
def test_derivatives_under_followers_hold_in_plain_python():
    """Oracle: the tests with followers below, run without the compiler."""
    options = "-n", "0", "-p", "no:cacheprovider", "-k", "under_followers_are"
    command = [sys.executable, "-m", "pytest", "-v", __file__, *options]
    done = subprocess.run(command, env={**os.environ, "CONDYLE_COMPILE": "0"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "2 passed" in done.stdout


@in_plain_python
def test_cotangents_under_followers_are_those_of_differences():
    """Oracle: central differences of order 4 of `cd.forward_dynamics`, of a model whose patella follows the knee."""
    model = knee()
    assert model.followers
    q, v, a, w = np.array([0.3, -0.6]), np.array([0.8, -1.5]), np.array([0.4, 0.0, 0.3]), np.array([0.7, -0.4])
    fibers = np.where(np.array([1, 0, 0]) > 0, 1.01 * cd.muscles.forces(model, q, v, a).fiber_length, 1.0)
    found = cd.forward_dynamics_vjp(model, q, v, activation=a, fiber_length=fibers, cotangent=w)

    def pulled(dq=0.0, dv=0.0, da=0.0, dl=0.0):
        return w @ cd.forward_dynamics(model, q + dq, v + dv, activation=a + da, fiber_length=fibers + dl)

    expected = {
        "q": slopes(lambda e: pulled(dq=e), 2, 1e-3),
        "v": slopes(lambda e: pulled(dv=e), 2, 1e-3),
        "activation": slopes(lambda e: pulled(da=e), 3, 1e-3),
        "fiber_length": slopes(lambda e: pulled(dl=e), 3, 2e-6),
    }
    for name, there in expected.items():
        np.testing.assert_allclose(getattr(found, name), there, atol=1e-7 * (1 + np.abs(there).max()), err_msg=name)


@in_plain_python
def test_gradients_through_time_under_followers_are_those_of_differences():
    """Oracle: central differences of order 4 of `cd.simulate`, by the start and the excitations."""
    model, u = knee(), np.array([0.6, 0.0, 0.3])
    q, v, options = np.array([0.3, -0.6]), np.array([0.8, -1.5]), {"duration": 6e-4, "step": 2e-4, "activation": 0.4}
    fibers = np.where(np.array([1, 0, 0]) > 0, 1.01 * cd.muscles.forces(model, q, v, 0.4).fiber_length, 1.0)
    w = np.random.default_rng(1).normal(size=(4, 2))
    options["fiber_length"] = fibers
    found = cd.simulate_vjp(model, q, v, excitations=u, cotangent=(0 * w, w), **options)

    def moved(dq=0.0, du=0.0):
        return (w * cd.simulate(model, q + dq, v, excitations=u + du, **options).v).sum()

    for name, there in (("q", slopes(lambda e: moved(dq=e), 2, 1e-4)),
                        ("excitations", slopes(lambda e: moved(du=e), 3, 1e-2))):  # fmt: skip
        np.testing.assert_allclose(getattr(found, name), there, atol=1e-7 * (1 + np.abs(there).max()), err_msg=name)


def test_cotangents_under_constraints_are_those_of_differences():
    """Oracle: as above, of the model whose patella a constraint holds; by what keeps the constraint."""
    model = knee().unfolded()
    assert model.constraints
    q, v = cd.project(model, [0.3, -0.6, -0.3], [0.8, -1.5, -0.7])
    a, w = np.array([0.4, 0.0, 0.3]), np.array([0.7, -0.4, 0.2])
    fibers = np.where(np.array([1, 0, 0]) > 0, 1.01 * cd.muscles.forces(model, q, v, a).fiber_length, 1.0)
    found = cd.forward_dynamics_vjp(model, q, v, activation=a, fiber_length=fibers, cotangent=w)

    def pulled(da=0.0, dl=0.0, tau=None):
        return w @ cd.forward_dynamics(model, q, v, tau, activation=a + da, fiber_length=fibers + dl)

    expected = {
        "activation": slopes(lambda e: pulled(da=e), 3, 1e-3),
        "fiber_length": slopes(lambda e: pulled(dl=e), 3, 2e-6),
        "tau": slopes(lambda e: pulled(tau=e), 3, 1e-2),
    }
    for name, there in expected.items():
        np.testing.assert_allclose(getattr(found, name), there, atol=1e-7 * (1 + np.abs(there).max()), err_msg=name)
