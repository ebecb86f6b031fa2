"""Derivatives backwards: cotangents of states, forces and parameters."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from oracles import random_motion
from twins.kinds import KINDS
from twins.trees import random_tree

pytestmark = pytest.mark.slow  # the compiler needs long for these kernels; test_in_plain_python.py runs some of them

BOX = cd.Inertia.box(1.3, (0.1, 0.2, 0.3))
CALLS = ((cd.forward_dynamics_vjp, cd.forward_dynamics), (cd.inverse_dynamics_vjp, cd.inverse_dynamics))


def scene(seed, count=4):
    """A random tree of all kinds with springs and loads, states, and cotangents."""
    rng = np.random.default_rng(seed)
    made = random_tree(sorted(KINDS), 7, rng)
    for one, other in (("b2", "b5"), ("b6", "b1"), ("b3", None)):
        points = rng.normal(size=(2, 3))
        made.builder.add_spring(one, points[0], other, points[1], stiffness=30.0, damping=2.0, length=0.4)
    quaternions = [q for q, _, _ in made.model.quaternions]
    for name in made.model.coordinates:
        if made.model.place_of(name)[1] not in quaternions:
            made.builder.add_limit(name, -0.2, 0.1, stiffness=200.0, damping=3.0).add_damping(name, 0.4)
    model = made.model
    q, v = (np.array(x) for x in zip(*(made.state(rng) for _ in range(count)), strict=True))
    x, cotangent = rng.normal(size=(2, count, model.nv))
    return model, (q, v, x, rng.normal(size=(count, 7, 6))), cotangent


def close(got, expected, tolerance=1e-12):
    """Relative to the largest number of its kind."""
    assert_allclose(got, expected, rtol=0, atol=tolerance * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(2))
def test_cotangents_of_accelerations_are_the_transposed_derivatives(seed):
    """Oracle: ⟨ā, J x⟩ = ⟨Jᵀ ā, x⟩ with the matrices of `linearize`, for all kinds of joints and loads."""
    model, states, cotangent = scene(800 + seed)
    found = cd.forward_dynamics_vjp(model, *states, cotangent=cotangent)
    for x, slopes in zip(found[:3], cd.linearize(model, *states), strict=True):
        close(x, np.einsum("sij,si->sj", slopes, cotangent))


@pytest.mark.parametrize("seed", range(2))
def test_cotangents_of_forces_are_the_transposed_derivatives(seed):
    """Oracle: the matrices of `inverse_dynamics_derivatives`."""
    model, states, cotangent = scene(810 + seed)
    found = cd.inverse_dynamics_vjp(model, *states, cotangent=cotangent)
    for x, slopes in zip(found[:3], cd.inverse_dynamics_derivatives(model, *states), strict=True):
        close(x, np.einsum("sij,si->sj", slopes, cotangent))


def test_cotangents_of_wrenches_are_those_of_their_effect():
    """Oracle: forces and accelerations are affine in wrenches, so one large step is exact."""
    model, (q, v, x, wrenches), cotangent = scene(820)
    step = np.random.default_rng(0).normal(size=wrenches.shape)
    for vjp, call in CALLS:
        change = call(model, q, v, x, wrenches + step) - call(model, q, v, x, wrenches)
        found = vjp(model, q, v, x, wrenches, cotangent=cotangent).wrenches
        close((found * step).sum((1, 2)), (change * cotangent).sum(1), 1e-11)


def arm(mass=2.0, com=(0.1, -0.2, 0.3), moment=None, gravity=(0.3, -0.2, -9.81), poses=(0, 0, 0, 0), **spring):
    """A universal joint and a spline curve with a spring across, rebuilt with other numbers."""
    rng = np.random.default_rng(830)
    constants = {"stiffness": 30.0, "damping": 2.0, "length": 0.4, "point_a": (0.1, 0.2, 0), "point_b": (0, 0.3, 0.1)}
    constants |= spring
    moment = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]]) if moment is None else moment
    points = constants.pop("point_a"), constants.pop("point_b")
    b = cd.ModelBuilder(gravity=gravity)
    near = [cd.SE3.from_matrix(random_motion.pose(rng)) @ cd.SE3.exp(k * TWIST) for k in poses]
    b.add_body("upper", None, cd.joints.universal("x", "y"), BOX, near[0], near[1])
    curve = cd.joints.spline_curve(
        cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0.1, 0.02 * k**2, 0, 0.05]) for k in range(6)])
    )
    b.add_body("lower", "upper", curve, cd.Inertia(mass, com, moment), near[2], near[3])
    return b.add_spring("upper", points[0], "lower", points[1], **constants).build()


STATE = np.array([0.4, -0.3, 1.2]), np.array([0.5, -0.7, 0.9]), np.array([1.0, -2.0, 0.5])
BAR = np.array([0.7, -1.1, 0.4])
SYMMETRIC = np.array([[1.0, 0.3, -0.2], [0.3, 0.5, 0.1], [-0.2, 0.1, 0.8]])
VECTOR = np.array([0.6, -0.3, 0.7])
TWIST = np.array([0.3, -0.4, 0.5, 0.2, 0.6, -0.1])
CHANGES = {
    "lower.mass": ("mass", 2.0, 1.0),
    "lower.com": ("com", np.array([0.1, -0.2, 0.3]), VECTOR),
    "lower.moment": ("moment", np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]]), SYMMETRIC),
    "gravity": ("gravity", np.array([0.3, -0.2, -9.81]), VECTOR),
    "springs[0].stiffness": ("stiffness", 30.0, 1.0),
    "springs[0].damping": ("damping", 2.0, 1.0),
    "springs[0].length": ("length", 0.4, 1.0),
    "springs[0].point_a": ("point_a", np.array([0.1, 0.2, 0.0]), VECTOR),
    "springs[0].point_b": ("point_b", np.array([0.0, 0.3, 0.1]), VECTOR),
}


def fourth_order(at, h):
    """The derivative at 0 of values at ±h and ±2 h."""
    return (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * h)


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_cotangents_of_parameters_are_differences_of_rebuilt_models(name):
    """Oracle: central differences of fourth order of both functions, of models built anew with other numbers."""
    key, value, step = CHANGES[name]
    h = 1e-3
    rebuilt = {k: arm(**{key: value + k * h * step}) for k in (-2, -1, 1, 2)}
    for vjp, call in CALLS:
        expected = fourth_order({k: BAR @ call(model, *STATE) for k, model in rebuilt.items()}, h)
        found = vjp(arm(), *STATE, cotangent=BAR, parameters=[name]).parameters[name]
        assert np.shape(found) == np.shape(value)
        assert_allclose(np.sum(found * step), expected, rtol=2e-8, atol=1e-9)


POSES = ("upper.placement", "upper.offset", "lower.placement", "lower.offset")


@pytest.mark.parametrize("name", POSES)
def test_cotangents_of_poses_are_differences_of_rebuilt_models(name):
    """Oracle: central differences of fourth order, a pose times exp of a twist on the right, pushed and not."""
    h, pushed = 1e-3, np.random.default_rng(1).normal(size=(2, 6))
    rebuilt = {k: arm(poses=[k * h if name == pose else 0 for pose in POSES]) for k in (-2, -1, 1, 2)}
    for (vjp, call), wrenches in product(CALLS, (None, pushed)):
        expected = fourth_order({k: BAR @ call(model, *STATE, wrenches) for k, model in rebuilt.items()}, h)
        found = vjp(arm(), *STATE, wrenches, cotangent=BAR, parameters=[name]).parameters[name]
        assert_allclose(found @ TWIST, expected, rtol=2e-8, atol=1e-8)


def kneed(rng, periodic):
    """A chain whose middle joint is a spline curve of random frames, after a ball, before a hinge."""
    b = cd.ModelBuilder(gravity=(0.3, -0.2, -9.81))
    twists = np.outer(np.arange(7), [0, 0.5, 0, 0.1, 0, 0]) + 0.1 * rng.normal(size=(7, 6))
    frames = cd.SE3.exp(twists)
    joints = cd.joints.ball(), cd.joints.spline_curve(frames, periodic=periodic), cd.joints.revolute("y")
    for k, joint in enumerate(joints):
        poses = [cd.SE3.from_matrix(random_motion.pose(rng)) for _ in range(2)]
        b.add_body(f"b{k}", f"b{k - 1}" if k else None, joint, BOX, *poses, joint_name=f"j{k}")
    return b.add_spring("b0", (0.1, 0, 0), "b2", (0, 0.2, 0), stiffness=30.0, damping=2.0, length=0.3).build()


@pytest.mark.parametrize("periodic", [False, True])
def test_cotangents_of_control_frames_are_differences_of_rebuilt_curves(periodic):
    """Oracle: central differences of fourth order of models with other control frames; some coordinates are outside."""
    rng = np.random.default_rng(845)
    model = kneed(rng, periodic)
    low, high = model.bodies[1].joint.domain[0]
    q = np.stack([cd.integrate(model, model.neutral(), rng.normal(size=model.nv)) for _ in range(5)])
    q[:, 4] = np.linspace(low - 0.3, high + 0.3, 5)
    v, x, bar, u = *rng.normal(size=(3, 5, model.nv)), rng.normal(size=(7, 6))
    frames, h = model.bodies[1].joint.controls.frames, 2e-4
    for vjp, call in CALLS:
        found = vjp(model, q, v, x, cotangent=bar, parameters=["j1.frames"]).parameters["j1.frames"]
        assert found.shape == (5, 7, 6)
        ends = {}
        for k in (-2, -1, 1, 2):
            moved = model.with_parameters({"j1.frames": frames @ cd.SE3.exp(k * h * u).as_matrix()})
            ends[k] = (call(moved, q, v, x) * bar).sum(1)
        close((found * u).sum((1, 2)), fourth_order(ends, h), 1e-7)


def test_cotangents_of_all_bodies_are_those_of_each():
    """Oracle: one body at a time; batches keep their shape."""
    model, states, cotangent = scene(840, 6)
    states, cotangent = [x.reshape(2, 3, *x.shape[1:]) for x in states], cotangent.reshape(2, 3, -1)
    for field, shape in {"mass": (), "com": (3,), "moment": (3, 3), "placement": (6,), "offset": (6,)}.items():
        names = [f"bodies.{field}", *(f"{name}.{field}" for name in model.names)]
        together, *each = cd.inverse_dynamics_vjp(
            model, *states, cotangent=cotangent, parameters=names
        ).parameters.values()
        assert together.shape == (2, 3, 7, *shape)
        assert np.array_equal(together, np.stack(each, axis=2))


def test_cotangents_of_a_large_batch_are_those_of_its_parts():
    """More than 8 MB of them are written body by body, past the cache; the last states do not fill the lanes."""
    model, states, cotangent = scene(830, 5)
    names = [f"bodies.{field}" for field in ("mass", "com", "moment", "placement", "offset")]
    part = cd.forward_dynamics_vjp(model, *states, cotangent=cotangent, parameters=names)
    many = [np.tile(x, (937, *[1] * (x.ndim - 1))) for x in (*states, cotangent)]
    found = cd.forward_dynamics_vjp(model, *many[:-1], cotangent=many[-1], parameters=names)
    assert found.parameters["bodies.mass"].size * 32 * 8 > 2**23 and len(many[0]) % 8
    for got, expected in [(found.wrenches, part.wrenches), *((found.parameters[k], part.parameters[k]) for k in names)]:
        for k in range(5):
            close(got[k::5], np.broadcast_to(expected[k], got[k::5].shape))


def test_prescribed_coordinates_have_no_forces_to_answer():
    """Oracle: transposed matrices of `linearize`; forces on prescribed coordinates do nothing."""
    b = cd.ModelBuilder()
    for i, axis in enumerate("xyz"):
        place = cd.SE3.from_translation((0.1, 0.3, 0.2))
        b.add_body(f"b{i}", f"b{i - 1}" if i else None, cd.joints.revolute(axis), BOX, place)
    model = b.prescribe("b1", np.sin).build()
    states, cotangent = (STATE[0], STATE[1], STATE[2]), np.array([0.7, 0.0, 0.4])
    found = cd.forward_dynamics_vjp(model, *states, cotangent=cotangent, t=0.3)
    for x, slopes in zip(found[:3], cd.linearize(model, *states, t=0.3), strict=True):
        close(x, cotangent @ slopes)
    assert found.tau[1] == 0.0


def looped():
    """A hand that is held at a point by a chain of hinges and balls, with a damped spring."""
    rng = np.random.default_rng(870)
    b, J = cd.ModelBuilder(), cd.joints
    joints = (J.revolute("z"), J.ball(), J.universal("x", "y"), J.revolute("y"))
    for k, joint in enumerate(joints):
        place = cd.SE3.from_translation((0, 0, -0.4) if k else (0, 0, 0))
        b.add_body(
            f"b{k}", f"b{k - 1}" if k else None, joint, cd.Inertia.box(1.0 + k, (0.1, 0.2, 0.4)), placement=place
        )
    b.add_spring("b1", (0, 0, 0.1), None, (0.3, 0, 0), stiffness=20.0, damping=1.0, length=0.1)
    free = b.build()
    q = cd.integrate(free, free.neutral(), 0.4 * rng.normal(size=free.nv))
    at = (cd.forward_kinematics(free, q)[3].as_matrix() @ [0.1, 0, -0.3, 1.0])[:3]
    model = b.add_constraint(cd.constraints.point("b3", (0.1, 0, -0.3), None, at)).build()
    q, v = cd.project(model, q, rng.normal(size=model.nv))
    q, v = (np.broadcast_to(x, (3, len(x))) for x in (q, v))
    return model, (q, v, rng.normal(size=v.shape)), rng


def followed():
    """Joints whose coordinates follow others."""
    from support.coupled import CASES, built, random_states

    model = built(CASES["followers of followers"], loads=True)
    return model, random_states(model, 3), np.random.default_rng(871)


HELD = {"loop": looped, "followers": followed}


@pytest.mark.parametrize("name", HELD)
def test_cotangents_under_constraints_and_followers_are_those_of_changes(name):
    """Oracle: transposed matrices; wrenches enter affinely; differences of models with other masses and gravity."""
    model, (q, v, tau), rng = HELD[name]()
    bar, wrenches, push = rng.normal(size=v.shape), *rng.normal(size=(2, 3, model.nbodies, 6))
    body = model.bodies[2].name
    steps = {f"{body}.mass": 0.3, f"{body}.com": 0.1 * VECTOR, "gravity": VECTOR}
    if name == "followers":
        steps[f"{body}.placement"] = 0.1 * TWIST
    found = cd.forward_dynamics_vjp(model, q, v, tau, wrenches, cotangent=bar, parameters=steps)
    for x, slopes in zip(found[:3], cd.linearize(model, q, v, tau, wrenches), strict=True):
        close(x, np.einsum("sij,si->sj", slopes, bar))
    change = [cd.forward_dynamics(model, q, v, tau, w) for w in (wrenches + push, wrenches)]
    close((found.wrenches * push).sum((1, 2)), ((change[0] - change[1]) * bar).sum(1), 1e-10)
    for parameter, step in steps.items():
        ends = {}
        for k in (-2, -1, 1, 2):
            changed = changed_model(model, parameter, k * 1e-2 * np.asarray(step))
            ends[k] = (cd.forward_dynamics(changed, q, v, tau, wrenches) * bar).sum(1)
        got = (found.parameters[parameter].reshape(3, -1) * np.ravel(step)).sum(1)
        close(got, fourth_order(ends, 1e-2), 1e-6)


def changed_model(model, name, step):
    """The model with a parameter moved by a step, poses along a twist on the right."""
    body, _, field = name.partition(".")
    if field == "placement":
        here = model.bodies[[b.name for b in model.bodies].index(body)].placement
        return model.with_parameters({name: cd.SE3.from_matrix(np.asarray(here)) @ cd.SE3.exp(step)})
    now = model.gravity if name == "gravity" else getattr(model.bodies[model.body_index(body)].inertia, field)
    return model.with_parameters({name: now + step})


@pytest.mark.parametrize("name", ["followers"])
def test_cotangents_of_forces_of_followers_are_the_transposed_derivatives(name):
    """Oracle: the matrices of `inverse_dynamics_derivatives`; ID is affine in a mass."""
    model, (q, v, a), rng = HELD[name]()
    bar, body = rng.normal(size=v.shape), model.bodies[2].name
    found = cd.inverse_dynamics_vjp(model, q, v, a, cotangent=bar, parameters=[f"{body}.mass"])
    for x, slopes in zip(found[:3], cd.inverse_dynamics_derivatives(model, q, v, a), strict=True):
        close(x, np.einsum("sij,si->sj", slopes, bar))
    heavier = changed_model(model, f"{body}.mass", 0.5)
    change = cd.inverse_dynamics(heavier, q, v, a) - cd.inverse_dynamics(model, q, v, a)
    close(0.5 * found.parameters[f"{body}.mass"], (change * bar).sum(1), 1e-11)


def test_what_has_no_cotangent_is_named():
    """Oracle: the classes and the names."""
    with pytest.raises(errors.UnknownName, match=r"lower\.mas'.*'lower\.mass'"):
        cd.forward_dynamics_vjp(arm(), *STATE, cotangent=BAR, parameters=["lower.mas"])
    with pytest.raises(errors.BadShape, match="cotangent"):
        cd.inverse_dynamics_vjp(arm(), *STATE, cotangent=[1.0])
    model, (q, v, tau), _ = HELD["loop"]()
    with pytest.raises(errors.NotSupported, match=r"constraints.*b1\.placement"):
        cd.forward_dynamics_vjp(model, q, v, tau, cotangent=np.ones_like(v), parameters=["b1.placement"])
