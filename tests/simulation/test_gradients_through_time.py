"""Gradients of scalars of trajectories: by start, forces, wrenches and parameters."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from condyle.dynamics.coordinate_differences import coordinate_rates
from condyle.simulation import JumpWarning
from condyle.simulation.kernels.batch_block import Batch, Clock
from condyle.simulation.kernels.fixed_step import EULER, RK4, SEMI_IMPLICIT, fixed_steps
from condyle.simulation.prescribed_motion import driven_tables

pytestmark = pytest.mark.slow  # the compiler needs long for these kernels; test_in_plain_python.py runs some of them

KIND = {"euler": EULER, "semi-implicit": SEMI_IMPLICIT, "rk4": RK4}
STEPS, H = 6, 0.02
TINY = 1e-30
POSE = [0.1, 0.2, 0.3, 0.4, 0.1, 0.2]


def mixed(prescribed=False):
    """Quaternions, varying axes and a spline, with a spring, a limit that pushes, and a damper."""
    inertia = cd.Inertia(1.3, (0.1, -0.05, 0.2), np.array([[0.2, 0.01, 0], [0.01, 0.25, 0.02], [0, 0.02, 0.3]]))
    frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0.1, 0.02 * k**2, 0, 0.05]) for k in range(6)])
    b = cd.ModelBuilder(gravity=(0.3, -0.2, -9.81))
    b.add_body("pelvis", None, cd.joints.free(), inertia)
    b.add_body("thigh", "pelvis", cd.joints.universal("x", "y"), inertia, placement=cd.SE3.exp(POSE))
    b.add_body("arm", "pelvis", cd.joints.ball(), inertia, offset=cd.SE3.exp(POSE))
    b.add_body("shank", "thigh", cd.joints.spline_curve(frames), inertia, placement=cd.SE3.exp(POSE))
    b.add_spring("thigh", (0.1, 0, 0.2), "arm", (0, 0.1, 0.2), stiffness=30.0, damping=2.0, length=0.3)
    b.add_limit("shank", 0.0, 0.5, stiffness=50.0, damping=2.0, damping_depth=0.1).add_damping("thigh.first", 0.3)
    if prescribed:
        b.prescribe("thigh.second", lambda t: 0.2 * np.sin(3.0 * t))
    return b.build()


def scene(model, count=None, spin=1.0):
    """A start, forces of every step, wrenches, and cotangents of all records."""
    rng = np.random.default_rng(0)
    n, batch = model.nv, () if count is None else (count,)
    q = cd.integrate(model, model.neutral(), 0.3 * rng.normal(size=(*batch, n)))
    if "shank" in model.names:
        q[..., model.q_index("shank")] = 0.9
    v, tau, wrenches = (rng.normal(size=(*batch, *s)) for s in ((n,), (STEPS, n), (model.nbodies, 6)))
    v[..., :3] *= spin
    cotangent = tuple(rng.normal(size=(*batch, STEPS + 1, k)) for k in (model.nq, n))
    return (q, v), {"control": tau, "wrenches": wrenches, "duration": STEPS * H, "step": H}, cotangent


def scalar(run, cotangent):
    return (run.q * cotangent[0]).sum((-2, -1)) + (run.v * cotangent[1]).sum((-2, -1))


def complex_records(model, integrator, q, v, tau, wrenches):
    """Records (count, steps + 1, …) of the very steps of `simulate`, in complex numbers."""
    n, bodies = len(q), model.nbodies
    rows = np.einsum("bji,sbj->sbi", cd.spatial.adjoint(model.inertial_frames), wrenches).reshape(n, 6 * bodies)
    q, v, tau, rows = (np.ascontiguousarray(x, dtype=complex) for x in (q, v, tau, rows))
    Q, V = np.empty((n, STEPS + 1, model.nq), complex), np.empty((n, STEPS + 1, model.nv), complex)
    Q[:, 0], V[:, 0] = q, v
    status, ended = np.zeros((n, 1), complex), np.zeros((n, 1), complex)
    batch = Batch(q, v, tau, rows, Q, V, status, ended, np.empty((0, 3)))
    clock = Clock(0.0, H, 0, STEPS, 1)
    fixed_steps(0j, KIND[integrator], driven_tables(model, 0.0, 1.0), clock, batch, 0, n)
    assert not status.any()
    return Q, V


@pytest.mark.parametrize("integrator", sorted(KIND))
def test_the_gradient_is_that_of_the_steps(integrator):
    """Oracle: a complex step through the compiled steps themselves, along every start, velocity, force and wrench."""
    model = mixed()
    (q, v), given, cotangent = scene(model, spin=20.0)  # steps turn so far that series and closed forms are both used
    found = cd.simulate_vjp(model, q, v, cotangent=cotangent, integrator=integrator, **given)
    n, tau, wrenches = model.nv, given["control"], given["wrenches"]
    of_force = [(i, k) for i in (0, 3, STEPS - 1) for k in range(n)]
    count = 2 * n + len(of_force) + wrenches.size
    Q, V, T, W = (np.repeat(x[None].astype(complex), count, axis=0) for x in (q, v, tau, wrenches))
    Q[:n] += 1j * TINY * coordinate_rates(model, q, np.eye(n))
    V[n : 2 * n] += 1j * TINY * np.eye(n)
    for j, (i, k) in enumerate(of_force):
        T[2 * n + j, i, k] += 1j * TINY
    W[2 * n + len(of_force) :] += 1j * TINY * np.eye(wrenches.size).reshape(-1, *wrenches.shape)
    x, y = complex_records(model, integrator, Q, V, T, W)
    expected = ((x * cotangent[0]).sum((1, 2)) + (y * cotangent[1]).sum((1, 2))).imag / TINY
    got = np.concatenate([found.q, found.v, [found.control[i, k] for i, k in of_force], found.wrenches.ravel()])
    assert_allclose(got, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def two_trees():
    """Two roots joined by a damped spring, with armature, in steps so long that the damper matters."""
    b = cd.ModelBuilder(gravity=(0.3, -0.2, -9.81))
    for name, axis in (("left", "y"), ("right", "x")):
        b.add_body(name, None, cd.joints.revolute(axis), cd.Inertia.box(1.0, (0.1, 0.2, 0.5))).set_armature(name, 0.3)
        b.add_body(
            f"{name} end", name, cd.joints.cylindrical("z"), cd.Inertia.box(1.0, (0.1, 0.2, 0.3), com=(0, 0.2, 0))
        )
    return b.add_spring(
        "left end", (0, 0, 0.1), "right end", (0, 0.3, 0), stiffness=40.0, damping=30.0, length=0.2
    ).build()


def top():
    """A heavy top, which may turn so far in a step that series and closed forms are both used."""
    inertia = cd.Inertia(1.3, (0.1, -0.05, 0.2), np.array([[0.2, 0.01, 0], [0.01, 0.25, 0.02], [0, 0.02, 0.3]]))
    return cd.ModelBuilder().add_body("top", joint=cd.joints.ball(), inertia=inertia).build()


def sixth_order(function, h):
    """The derivative at 0 of a function of batches, by six points."""
    values = function(h * np.array([1, 2, 3, -1, -2, -3]))
    return (values[:3] - values[3:]).T @ [3 / 4, -3 / 20, 1 / 60] / h


@pytest.mark.parametrize(("make", "spin"), [(mixed, 1.0), (top, 60.0), (two_trees, 1.0)])
def test_the_gradient_is_that_of_variational_steps(make, spin):
    """Oracle: differences of sixth order of the steps themselves, along every start, velocity, force and wrench."""
    model = make()
    (q, v), given, cotangent = scene(model, spin=spin)
    found = cd.simulate_vjp(model, q, v, cotangent=cotangent, integrator="variational", **given)
    n, m = model.nv, 6 * model.nbodies
    ways = np.eye(3 * n + m)

    def at(steps):
        along = (steps[:, None, None] * ways).reshape(-1, 3 * n + m)
        dq, dv, dtau, dw = np.split(along, (n, 2 * n, 3 * n), axis=-1)
        forces = np.repeat(given["control"][None], len(along), axis=0)
        forces[:, 3] += dtau
        other = {**given, "control": forces, "wrenches": given["wrenches"] + dw.reshape(-1, model.nbodies, 6)}
        run = cd.simulate(model, cd.integrate(model, q, dq), v + dv, integrator="variational", **other)
        return scalar(run, cotangent).reshape(len(steps), -1)

    expected = sixth_order(at, 2e-3)
    got = np.concatenate([found.q, found.v, found.control[3], found.wrenches.ravel()])
    assert_allclose(got, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


CHANGED = ("thigh.mass", "shank.com", "arm.moment", "gravity", "springs[0].stiffness", "springs[0].damping",
           "springs[0].length", "springs[0].point_b")  # fmt: skip
MOVED = {"shank.placement": POSE, "thigh.offset": [0.0] * 6, "pelvis.offset": [0.0] * 6}


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "variational"])
def test_parameters_are_differences_of_rebuilt_models(integrator):
    """Oracle: central differences of fourth order of whole simulations of changed models."""
    model, h = mixed(), 1e-3
    start, given, cotangent = scene(model)
    found = cd.simulate_vjp(
        model, *start, cotangent=cotangent, integrator=integrator, parameters=[*CHANGED, *MOVED], **given
    )
    rng = np.random.default_rng(1)
    for name in CHANGED:
        value = known(model, name)
        way = rng.normal(size=np.shape(value))
        way = way + way.T if np.ndim(value) == 2 else way

        def at(k, name=name, value=value, way=way):
            changed = model.with_parameters({name: value + k * h * way})
            return scalar(cd.simulate(changed, *start, integrator=integrator, **given), cotangent)

        expected = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)
        assert_allclose(np.sum(found.parameters[name] * way), expected, rtol=1e-7, atol=1e-8)
    for name, pose in MOVED.items():
        expected = moved_pose(name, pose, model, start, given, cotangent, integrator, h)
        assert_allclose(found.parameters[name] @ POSE, expected, rtol=1e-7, atol=1e-8)


def known(model, name):
    """The number of a parameter in the model."""
    owner, _, field = name.partition(".")
    if name == "gravity":
        return model.gravity
    if owner == "springs[0]":
        return np.asarray(getattr(model.springs[0], field))
    return np.asarray(getattr(model.bodies[model.names.index(owner)].inertia, field))


def moved_pose(name, pose, model, start, given, cotangent, integrator, h):
    """The derivative along a twist on the right of a placement or an offset."""

    def at(k):
        placed = cd.SE3.exp(pose) @ cd.SE3.exp(k * h * np.array(POSE))
        changed = model.with_parameters({name: placed.as_matrix()})
        return scalar(cd.simulate(changed, *start, integrator=integrator, **given), cotangent)

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)


def test_states_between_records_are_computed_again():
    """Oracle: the gradient with all states kept, and cotangents of zero between the records."""
    start, given, cotangent = scene(mixed(), count=3)
    kept = [np.where(np.arange(STEPS + 1)[:, None] % 3 == 0, x, 0.0) for x in cotangent]
    few = [x[:, ::3] for x in cotangent]
    for integrator in ("rk4", "semi-implicit", "variational"):
        model = mixed(prescribed=integrator != "variational")
        options = {**given, "integrator": integrator, "parameters": ["bodies.mass", "springs[0].length"]}
        one = cd.simulate_vjp(model, *start, cotangent=kept, **options)
        other = cd.simulate_vjp(model, *start, cotangent=few, record=3 * H, **options)
        assert other.trajectory.q.shape[1] == 3
        for a, b in zip((*one[1:5], *one[5].values()), (*other[1:5], *other[5].values()), strict=True):
            assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(a).max())


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit"])
def test_prescribed_motion_passes_no_gradient_on(integrator):
    """Oracle: central differences; what a prescribed coordinate starts with has no effect."""
    model = mixed(prescribed=True)
    (q, v), given, cotangent = scene(model)
    found = cd.simulate_vjp(model, q, v, cotangent=cotangent, integrator=integrator, **given)
    k = model.v_index("thigh.second")
    assert found.q[k] == found.v[k] == 0.0 and not found.control[:, k].any()
    h, other = 1e-4, model.v_index("thigh.first")
    way = np.zeros(model.nv)
    way[[other, 0]] = 0.7, -0.4

    def at(s):
        run = cd.simulate(model, cd.integrate(model, q, s * h * way), v + s * h * way, integrator=integrator, **given)
        return scalar(run, cotangent)

    expected = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)
    assert_allclose((found.q + found.v) @ way, expected, rtol=1e-8)


def test_members_of_a_batch_have_their_own_gradients():
    """Oracle: each member by itself; forces that act throughout have the sum over steps."""
    model = mixed()
    (q, v), given, cotangent = scene(model, count=5)
    given["control"] = given["control"][:, 0]
    together = cd.simulate_vjp(model, q, v, cotangent=cotangent, **given)
    assert together.control.shape == (5, model.nv)
    for i in (0, 4):
        own = {**given, "control": given["control"][i], "wrenches": given["wrenches"][i]}
        one = cd.simulate_vjp(model, q[i], v[i], cotangent=(cotangent[0][i], cotangent[1][i]), **own)
        for a, b in zip(together[1:5], one[1:5], strict=True):
            assert_allclose(a[i], b, rtol=0, atol=1e-11 * np.abs(b).max())


def block(**damping):
    """A mass of 1 kg that runs into a limit of 100 N/m."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    return b.add_limit("block", high=0.0, stiffness=100.0, **damping).build()


def last_speed(run):
    by_v = np.zeros_like(run.v)
    by_v[-1] = 1.0
    return np.zeros_like(run.q), by_v


def test_a_jump_is_told_and_a_limit_without_one_has_the_true_gradient():
    """Oracle: differences of error-controlled motions; with a jump the gradient of steps is another number."""
    start, run = ([-0.1], [1.0]), {"duration": 0.25, "step": 1e-4, "integrator": "rk4"}
    for damping, jumps in (({"damping": 8.0}, True), ({"damping": 8.0, "damping_depth": 0.02}, False)):
        model = block(**damping)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = cd.simulate_vjp(model, *start, cotangent=last_speed, **run).v[0]
        assert any(issubclass(w.category, JumpWarning) and "block" in str(w.message) for w in told) == jumps
        speeds = [cd.simulate(model, start[0], [1.0 + d], duration=0.25, step=0.01, integrator="adaptive",
                              tolerance=1e-12).v[-1, 0] for d in (1e-3, -1e-3)]  # fmt: skip
        true = (speeds[0] - speeds[1]) / 2e-3
        assert (abs(found - true) < 2e-3) != jumps


def test_a_jump_between_records_is_told():
    """Oracle: the block bounces off the limit between two records, neither of which is beyond it."""
    run = {"cotangent": last_speed, "duration": 0.5, "step": 0.01, "integrator": "semi-implicit"}
    with pytest.warns(JumpWarning, match="block"):
        found = cd.simulate_vjp(block(damping=1.0), [-0.05], [1.0], record=0.5, **run)
    assert (found.trajectory.q < 0.0).all()


def test_what_cannot_be_is_named():
    """Oracle: the words name the thing and the way out."""
    model = block()
    options = {"cotangent": last_speed, "duration": 0.1, "step": 0.01}
    with pytest.raises(errors.NotSupported, match="adaptive"):
        cd.simulate_vjp(model, [0.0], integrator="adaptive", **options)
    with pytest.raises(errors.NotSupported, match="prescribed motion"):
        cd.simulate_vjp(mixed(prescribed=True), mixed().neutral(), integrator="variational", **options)
    with pytest.raises(errors.NotSupported, match="array"):
        cd.simulate_vjp(model, [0.0], control=lambda t, q, v: [0.0], **options)
    with pytest.raises(errors.UnknownName, match=r"block\.mass"):
        cd.simulate_vjp(model, [0.0], parameters=["block.mas"], **options)
    with pytest.raises(errors.NotSupported, match=r"shank\.frames"):
        cd.simulate_vjp(mixed(), mixed().neutral(), parameters=["shank.frames"], **options)
    with pytest.raises(errors.BadShape, match="records"):
        cd.simulate_vjp(model, [0.0], **{**options, "cotangent": (np.zeros(3), np.zeros(3))})
    with pytest.raises(errors.BadValue, match="damping_depth"):
        block(damping=1.0, damping_depth=0.0)
