"""condyle inside JAX and PyTorch: values, gradients, vectorising maps, dtypes. Skipped where the package is absent."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors

pytestmark = pytest.mark.peers  # `make peers` installs JAX; PyTorch, which is large, only who wants it

RUN = {"duration": 0.04, "step": 0.01, "integrator": "rk4"}
POSE = [0.1, 0.2, 0.3, 0.4, 0.1, 0.2]


def model():
    """A floating trunk with a spline joint and a spring to the ground."""
    inertia = cd.Inertia(1.3, (0.1, -0.05, 0.2), np.array([[0.2, 0.01, 0], [0.01, 0.25, 0.02], [0, 0.02, 0.3]]))
    frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0.1, 0.02 * k**2, 0, 0.05]) for k in range(6)])
    b = cd.ModelBuilder().add_body("trunk", None, cd.joints.free(), inertia)
    b.add_body("leg", "trunk", cd.joints.spline_curve(frames), inertia, placement=cd.SE3.exp(POSE))
    b.add_body("foot", "leg", cd.joints.universal("x", "y"), inertia)
    return b.add_spring(None, (0, 0, 0), "foot", (0.1, 0, 0), stiffness=40.0, damping=1.0, length=0.3).build()


def states(count=None, seed=0):
    rng, m = np.random.default_rng(seed), model()
    batch = () if count is None else (count,)
    q = cd.integrate(m, m.neutral(), 0.3 * rng.normal(size=(*batch, m.nv)))
    q[..., 7] = rng.uniform(0.5, 2.0, size=batch)
    return m, q, *rng.normal(size=(2, *batch, m.nv))


VALUES = {"leg.mass": np.array(1.3), "foot.com": np.array([0.1, -0.05, 0.2]), "gravity": np.array([0.0, 0.0, -9.81]),
          "springs[0].stiffness": np.array(40.0)}  # fmt: skip


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def jax():
    found = pytest.importorskip("jax")
    found.config.update("jax_enable_x64", True)
    return found


def torch_functions(torch, m):
    from condyle.interop import torch as ct

    def with_names(values):
        return dict(zip(VALUES, values, strict=True))

    return {
        "forward": lambda q, v, x, *p: ct.forward_dynamics(m, q, v, x, parameters=with_names(p)),
        "inverse": lambda q, v, x, *p: ct.inverse_dynamics(m, q, v, x, parameters=with_names(p)),
        "kinematics": lambda q, v, x, *p: ct.forward_kinematics(m, q),
        "simulate": lambda q, v, x, *p: ct.simulate(
            m, q, v, x[..., None, :].expand(*x.shape[:-1], 4, m.nv), parameters=with_names(p), **RUN
        ),
    }


@pytest.mark.parametrize("name", ["forward", "inverse", "kinematics", "simulate"])
def test_torch_finds_its_own_numeric_gradients(torch, name):
    """Oracle: torch.autograd.gradcheck: differences by every number of q, quaternions included, v, τ, parameters."""
    m, q, v, x = states(2)
    inputs = [torch.tensor(y, dtype=torch.float64, requires_grad=True) for y in (q, v, x, *VALUES.values())]
    call = torch_functions(torch, m)[name]
    used = inputs[:1] if name == "kinematics" else inputs
    rest = inputs[len(used) :]
    assert torch.autograd.gradcheck(lambda *y: call(*y, *rest), used, eps=1e-6, atol=2e-6, rtol=1e-6)


def test_torch_maps_over_states_and_parameters(torch):
    """Oracle: one at a time."""
    from condyle.interop import torch as ct

    m, q, v, x = states(3)
    q, v, x = (torch.tensor(y) for y in (q, v, x))
    masses = torch.tensor([1.0, 1.3, 2.0], dtype=torch.float64)

    def one(q, v, x, mass):
        return ct.forward_dynamics(m, q, v, x, parameters={"leg.mass": mass}).sum()

    together = torch.func.vmap(torch.func.grad(one, argnums=(0, 3)))(q, v, x, masses)
    for i in range(3):
        for a, b in zip(together, torch.func.grad(one, argnums=(0, 3))(q[i], v[i], x[i], masses[i]), strict=True):
            assert_allclose(a[i], b, atol=1e-9)


def test_torch_refuses_single_precision_and_poses(torch):
    from condyle.interop import torch as ct

    m, q, v, x = states()
    with pytest.raises(errors.BadValue, match="float64"):
        ct.forward_dynamics(m, torch.tensor(q).float(), torch.tensor(v).float(), torch.tensor(x).float())
    q, v, x = (torch.tensor(y) for y in (q, v, x))
    with pytest.raises(errors.NotSupported, match=r"leg\.placement"):
        ct.forward_dynamics(m, q, v, x, parameters={"leg.placement": torch.eye(4, dtype=torch.float64)})
    with pytest.raises(errors.UnknownName, match=r"leg\.mass"):
        ct.forward_dynamics(m, q, v, x, parameters={"leg.mas": torch.ones((), dtype=torch.float64)})
    with pytest.raises(errors.BadShape, match=str(m.nq)):
        ct.forward_dynamics(m, v, v, x)


@pytest.mark.parametrize("name", ["forward", "inverse", "kinematics", "simulate"])
def test_jax_finds_its_own_numeric_gradients(jax, name):
    """Oracle: jax.test_util.check_grads in reverse mode, under jit."""
    from jax.test_util import check_grads

    from condyle.interop import jax as cj

    m, q, v, x = states(2)
    names = lambda values: dict(zip(VALUES, values, strict=True))  # noqa: E731
    call = {
        "forward": lambda q, v, x, *p: cj.forward_dynamics(m, q, v, x, parameters=names(p)),
        "inverse": lambda q, v, x, *p: cj.inverse_dynamics(m, q, v, x, parameters=names(p)),
        "kinematics": lambda q, *_: cj.forward_kinematics(m, q),
        "simulate": lambda q, v, x, *p: cj.simulate(
            m, q, v, jax.numpy.repeat(x[..., None, :], 4, axis=-2), parameters=names(p), **RUN
        ),
    }[name]
    inputs = [jax.numpy.asarray(y) for y in (q, v, x, *VALUES.values())]
    check_grads(jax.jit(call), inputs, order=1, modes=["rev"], atol=1e-6, rtol=1e-6, eps=1e-6)


@pytest.mark.parametrize("kind", ["follower", "constraint"])
def test_jax_names_models_without_a_gradient(jax, kind):
    """Oracle: the class of the error, not that of a callback of JAX."""
    from condyle.interop import jax as cj

    b = cd.ModelBuilder().add_body("a", None, cd.joints.revolute("y"), cd.Inertia.point(1.0, (0, 0, -0.2)))
    b.add_body("b", "a", cd.joints.revolute("y"), cd.Inertia.point(1.0, (0, 0, -0.2)))
    m = b.add_coupler("b", "a").build()
    m = m.unfolded() if kind == "constraint" else m

    def end(q):
        return cj.simulate(m, q, jax.numpy.zeros(m.nv), **RUN)[0].sum()

    with pytest.raises(errors.NotSupported, match=kind):
        jax.grad(end)(jax.numpy.zeros(m.nq))
    with pytest.raises(errors.NotSupported, match=kind):
        jax.jit(jax.grad(end))(jax.numpy.zeros(m.nq))


def test_jax_maps_over_states_and_parameters(jax):
    """Oracle: one at a time; a batch axis gives the same as a map."""
    from condyle.interop import jax as cj

    m, q, v, x = states(3)
    masses = np.array([1.0, 1.3, 2.0])

    def one(q, v, x, mass):
        return cj.forward_dynamics(m, q, v, x, parameters={"leg.mass": mass}).sum()

    gradient = jax.grad(one, argnums=(0, 3))
    together = jax.jit(jax.vmap(gradient))(q, v, x, masses)
    shared = jax.vmap(gradient, in_axes=(0, 0, 0, None))(q, v, x, masses[1])
    for i in range(3):
        for a, b in zip(together, gradient(q[i], v[i], x[i], masses[i]), strict=True):
            assert_allclose(a[i], b, atol=1e-9)
    assert shared[1].shape == (3,)
    assert_allclose(shared[1][1], together[1][1], atol=1e-9)
    assert_allclose(cj.forward_dynamics(m, q, v, x), cd.forward_dynamics(m, q, v, x), atol=1e-12)


def test_jax_refuses_single_precision(jax):
    from condyle.interop import jax as cj

    m, q, v, x = states()
    with pytest.raises(errors.BadValue, match="jax_enable_x64"):
        cj.forward_dynamics(m, *(jax.numpy.asarray(y, dtype="float32") for y in (q, v, x)))
