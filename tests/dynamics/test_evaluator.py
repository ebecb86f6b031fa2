"""`cd.Evaluator`: what the functions give, one state at a time."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from scipy.linalg import expm

import condyle as cd


@pytest.fixture(scope="module")
def model() -> cd.Model:
    """A branching tree with a ball, a curve and a damper."""
    inertia = cd.Inertia.box(1.5, (0.1, 0.2, 0.4), com=(0.01, 0.02, -0.2))
    frames = cd.SE3.exp(np.array([[0.1 * k, 0.02 * k * k, 0.0, 0.0, 0.01 * k, 0.02 * np.sin(k)] for k in range(8)]))
    below = cd.SE3.from_translation([0.0, 0.0, -0.4])
    b = cd.ModelBuilder()
    b.add_body("trunk", joint=cd.joints.ball(), inertia=inertia)
    b.add_body("thigh", "trunk", cd.joints.revolute("y"), inertia, placement=below)
    b.add_body("shank", "thigh", cd.joints.spline_curve(frames), inertia, placement=below)
    b.add_body("arm", "trunk", cd.joints.universal("x", "y"), inertia)
    return b.add_damping("thigh", 0.3).build()


def drawn(model: cd.Model, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    q = rng.uniform(0.5, 1.5, model.nq)
    for at, _, _ in model.quaternions:
        q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    return q, *rng.normal(size=(2, model.nv))


def test_it_gives_what_the_functions_give(model):
    """Oracle: the functions, in random states one after the other."""
    evaluate = cd.Evaluator(model)
    for seed in range(5):
        q, v, u = drawn(model, seed)
        np.testing.assert_allclose(evaluate.forward_dynamics(q, v, u), cd.forward_dynamics(model, q, v, u), rtol=1e-13)
        np.testing.assert_allclose(evaluate.inverse_dynamics(q, v, u), cd.inverse_dynamics(model, q, v, u), rtol=1e-12)
        np.testing.assert_allclose(evaluate.mass_matrix(q), cd.mass_matrix(model, q), rtol=1e-13, atol=1e-14)
        poses, x = cd.forward_kinematics(model, q), evaluate.forward_kinematics(q)
        np.testing.assert_allclose(x, np.concatenate([poses.wxyz, poses.xyz], axis=-1), atol=1e-14)
    assert evaluate.model is model


def test_forces_that_are_left_out_are_zero_again(model):
    """Oracle: a call with zeros, after one with forces."""
    evaluate, (q, v, u) = cd.Evaluator(model), drawn(model, 0)
    evaluate.forward_dynamics(q, v, 100.0 * u)
    without = evaluate.forward_dynamics(q, v).copy()
    np.testing.assert_allclose(without, cd.forward_dynamics(model, q, v, 0.0 * u), rtol=1e-13)


@pytest.mark.parametrize("name", ["q", "v", "tau"])
def test_shapes_that_numpy_would_spread_are_refused(model, name):
    q, v, u = drawn(model, 1)
    given = {"q": q, "v": v, "tau": u}
    for wrong in (given[name][:1], given[name][None], 1.0):
        with pytest.raises(cd.errors.BadShape, match=name):
            cd.Evaluator(model).forward_dynamics(**(given | {name: wrong}))


def test_bad_numbers_have_the_errors_of_the_functions(model):
    """NaN, overflow and quaternions that are none: a named error from every method."""
    evaluate, (q, v, u) = cd.Evaluator(model), drawn(model, 2)
    for bad in (np.nan, np.inf):
        with pytest.raises(cd.errors.NotFinite):
            evaluate.forward_dynamics(np.where(np.arange(len(q)) == 4, bad, q), v)
        with pytest.raises(cd.errors.NotFinite):
            evaluate.forward_dynamics(q, v, np.where(np.arange(len(v)) == 1, bad, u))
        with pytest.raises(cd.errors.NotFinite):
            evaluate.inverse_dynamics(q, np.where(np.arange(len(v)) == 3, bad, v), u)
        with pytest.raises(cd.errors.NotFinite):
            evaluate.mass_matrix(np.where(np.arange(len(q)) == 4, bad, q))
        with pytest.raises(cd.errors.NotFinite):
            evaluate.forward_kinematics(np.where(np.arange(len(q)) == 4, bad, q))
    with pytest.raises(cd.errors.BadQuaternion):
        evaluate.mass_matrix(2.0 * q)
    with pytest.raises(cd.errors.NotFinite):
        evaluate.inverse_dynamics(q, 1e200 * v, u)


def test_a_hinge_does_not_take_nan_for_a_number():
    """One hinge has no check but its kernel's: NaN must not pass through any of its numbers."""
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.5), com=(0, 0, -0.25))
    model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod).build()
    evaluate, one, nan = cd.Evaluator(model), np.array([0.3]), np.array([np.nan])
    for given in ((nan, one, one), (one, nan, one), (one, one, nan)):
        with pytest.raises(cd.errors.NotFinite):
            evaluate.forward_dynamics(*given)
        with pytest.raises(cd.errors.NotFinite):
            evaluate.inverse_dynamics(*given)
    for method in (evaluate.mass_matrix, evaluate.forward_kinematics):
        with pytest.raises(cd.errors.NotFinite):
            method(nan)


def test_models_with_constraints_are_refused_by_name():
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.5))
    b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_constraint(cd.constraints.point("rod", [0, 0, 0], None, [0, 0, 0]))
    with pytest.raises(cd.errors.NotSupported, match="constraints"):
        cd.Evaluator(b.build())


def test_the_jacobian_of_a_body_moves_its_pose(model):
    """Oracle: finite differences of poses along v, by the matrix logarithm of scipy."""
    from scipy.linalg import logm

    evaluate, (q, v, _), h = cd.Evaluator(model), drawn(model, 3), 1e-6
    before, after = (cd.forward_kinematics(model, cd.integrate(model, q, s * h * v)).as_matrix() for s in (-1, 1))
    for i, name in enumerate(model.names):
        turned = logm(np.linalg.inv(before[i]) @ after[i]).real / (2 * h)
        twist = np.array([turned[2, 1], turned[0, 2], turned[1, 0], *turned[:3, 3]])
        np.testing.assert_allclose(evaluate.body_jacobian(q, name) @ v, twist, atol=1e-7)
        assert np.array_equal(evaluate.body_jacobian(q, i), cd.body_jacobian(model, q, name))


def test_states_on_the_short_way_fail_as_on_the_long_one():
    """Oracle: the same states as lists, which are looked at closely."""
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.5), com=(0, 0, -0.25))
    model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod).build()
    one, two = np.array([0.3]), np.zeros(2)
    evaluate = cd.Evaluator(model)
    calls = {
        "forward": lambda q: cd.forward_dynamics(model, q, one),
        "inverse": lambda q: cd.inverse_dynamics(model, q, one, one),
        "mass": lambda q: cd.mass_matrix(model, q),
        "poses": lambda q: cd.forward_kinematics(model, q).xyz,
        "Jacobian": lambda q: cd.body_jacobian(model, q, "rod"),
        "kept": lambda q: evaluate.forward_dynamics(q, one),
    }
    for name, call in calls.items():
        np.testing.assert_array_equal(call(one), call([0.3]), err_msg=name)
        for bad in (np.array([np.nan]), np.array([np.inf]), two):
            with pytest.raises(cd.CondyleError) as short:
                call(bad)
            with pytest.raises(cd.CondyleError) as long:
                call(list(bad))
            assert type(short.value) is type(long.value), name
    assert cd.forward_dynamics(model, np.empty((0, 1)), np.empty((0, 1))).shape == (0, 1)


def test_poses_of_one_state_are_values():
    """Oracle: the plane's own cosine and sine; each result stays as it was, read-only, pickled or copied too."""
    b = cd.ModelBuilder()
    for i, parent in enumerate((None, "0", "1")):
        place = cd.SE3.from_translation([0.0, 0.0, -1.0 if i else 0.0])
        b.add_body(str(i), parent, cd.joints.revolute("y"), cd.Inertia.point(1.0, (0, 0, -1)), placement=place)
    model, q = b.build(), np.array([0.3, 0.0, 0.0])
    first = cd.forward_kinematics(model, q)
    again = copy.copy(cd.forward_kinematics(model, q)), pickle.loads(pickle.dumps(cd.forward_kinematics(model, q)))
    cd.forward_kinematics(model, q + 1.0)
    for poses in (first, *again):
        assert poses.shape == (3,) and len(poses) == 3
        np.testing.assert_allclose(poses.xyz[2], [-2.0 * np.sin(0.3), 0.0, -2.0 * np.cos(0.3)], atol=1e-15)
        np.testing.assert_allclose(poses[1].wxyz, [np.cos(0.15), 0.0, np.sin(0.15), 0.0], atol=1e-15)
        assert not (poses.xyz.flags.writeable or poses.wxyz.flags.writeable)
    with pytest.raises(AttributeError, match="no attribute 'xzy'"):
        first.xzy  # noqa: B018


def test_poses_of_screws_are_products_of_exponentials():
    """Oracle: scipy's expm of each joint's twist, multiplied along the tree; hinge, slide, helix and weld."""
    rng, inertia = np.random.default_rng(3), cd.Inertia.box(1.5, (0.1, 0.2, 0.4), com=(0.1, -0.2, 0.3))
    joints = {
        "hinge": (None, cd.joints.revolute([0.6, 0.0, 0.8]), [0.6, 0.0, 0.8, 0.0, 0.0, 0.0]),
        "slide": ("hinge", cd.joints.prismatic("x"), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        "helix": ("slide", cd.joints.helical("z", pitch=0.4), [0.0, 0.0, 1.0, 0.0, 0.0, 0.4]),
        "weld": ("hinge", cd.joints.weld(), np.zeros(6)),
        "tip": ("weld", cd.joints.revolute("x"), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    }
    builder, ends = cd.ModelBuilder(), {name: cd.SE3.exp(rng.normal(size=(2, 6))) for name in joints}
    for name, (parent, joint, _) in joints.items():
        builder.add_body(name, parent, joint, inertia, placement=ends[name][0], offset=ends[name][1])
    model = builder.build()
    for scale in (1.0, 30.0):
        q = scale * rng.normal(size=model.nq)
        poses, found = cd.forward_kinematics(model, q), {None: np.eye(4)}
        angles = iter(q)
        for i, (name, (parent, _, g)) in enumerate(joints.items()):
            (x, y, z), (a, b, c) = g[:3], g[3:]
            twist = np.array([[0, -z, y, a], [z, 0, -x, b], [-y, x, 0, c], [0, 0, 0, 0]])
            moved = expm(twist * (next(angles) if np.any(g) else 0.0))
            placement, offset = ends[name].as_matrix()
            found[name] = found[parent] @ placement @ moved @ np.linalg.inv(offset)
            np.testing.assert_allclose(poses[i].as_matrix(), found[name], atol=1e-14 * scale)
        np.testing.assert_allclose(np.linalg.norm(poses.wxyz, axis=-1), 1.0, atol=4e-16)
        assert (poses.wxyz[:, 0] >= 0.0).all()


def test_poses_of_welds_alone():
    """Oracle: the placements, which need no coordinate."""
    place = cd.SE3.exp([0.1, 0.2, 0.3, 1.0, 2.0, 3.0])
    b = cd.ModelBuilder().add_body("a", None, cd.joints.weld(), cd.Inertia.point(1.0), placement=place)
    model = b.add_body("b", "a", cd.joints.weld(), cd.Inertia.point(1.0), placement=place).build()
    poses = cd.forward_kinematics(model, np.empty(0))
    np.testing.assert_allclose(poses[1].as_matrix(), place.as_matrix() @ place.as_matrix(), atol=1e-15)
