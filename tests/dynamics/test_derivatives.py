"""Derivatives of inverse and forward dynamics, of every joint, tree and load."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle import errors
from oracles import random_motion
from oracles.complex_step import of_forward_dynamics, of_inverse_dynamics
from twins.kinds import KINDS
from twins.trees import mixed, random_tree

pytestmark = pytest.mark.slow  # the compiler needs long for these kernels; test_in_plain_python.py runs some of them

BOX = cd.Inertia.box(1.3, (0.1, 0.2, 0.3))
COMPOSED = {
    "elliptic · ball · prismatic": lambda: cd.joints.compose(
        cd.joints.elliptic(1.0, 0.6), cd.joints.ball(), cd.joints.prismatic("x")
    ),
    "universal · ball": lambda: cd.joints.compose(cd.joints.universal("x", "y"), cd.joints.ball()),
    "free · prismatic": lambda: cd.joints.compose(cd.joints.free(), cd.joints.prismatic("z")),
}


def agree(got, expected, tolerance=1e-10):
    """Each matrix, relative to its largest entry."""
    for x, y in zip(got, expected, strict=True):
        assert_allclose(x, y, rtol=0, atol=tolerance * max(1e-3, np.abs(y).max()))


def tree_of(joints, parents, rng):
    """Bodies with random inertias, placements and offsets, damped springs across branches and to the world."""
    b = cd.ModelBuilder()
    for i, (joint, parent) in enumerate(zip(joints, parents, strict=True)):
        frames = [cd.SE3.from_matrix(random_motion.pose(rng)) for _ in range(2)]
        inertia = cd.Inertia(*random_motion.inertia(rng))
        b.add_body(f"b{i}", None if parent < 0 else f"b{parent}", joint, inertia, frames[0], frames[1])
    last = f"b{len(joints) - 1}"
    for one, other in (("b0", last), (last, None), ("b1", last)):
        points = rng.normal(size=(2, 3))
        b.add_spring(one, points[0], other, points[1], stiffness=30.0, damping=2.0, length=0.4)
    return b


def ordinary_coordinates(model):
    """All that are not quaternions."""
    quaternions = [q for q, _, _ in model.quaternions]
    return [name for name in model.coordinates if model.place_of(name)[1] not in quaternions]


def load_coordinates(b, model):
    """Damping, stiffness and limits on all ordinary coordinates."""
    for k, name in enumerate(ordinary_coordinates(model)):
        b.add_damping(name, 0.3 + 0.1 * k)
        b.add_stiffness(name, 5.0 + k, rest=0.1, damping=0.2)
        b.add_limit(name, -0.2, 0.1, stiffness=200.0, damping=3.0)
    return b.build()


def random_states(model, rng, count=3):
    """q anywhere within reach of the neutral place, v, a and wrenches of order one."""
    q = cd.integrate(model, model.neutral(), rng.normal(size=(count, model.nv)))
    v, x = rng.normal(size=(2, count, model.nv))
    return q, v, x, rng.normal(size=(count, model.nbodies, 6))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_joint_has_the_derivatives_of_the_recursion(kind):
    """Oracle: complex step of inverse dynamics, with wrenches, springs across branches and loads on coordinates."""
    rng = np.random.default_rng(700)
    pairs = [KINDS[kind](rng) for _ in range(3)]
    b = tree_of([p.joint for p in pairs], [-1, 0, 0], rng)
    model = load_coordinates(b, b.build())
    q = np.array([np.concatenate([p.sample(rng) for p in pairs]) for _ in range(2)])
    v, a = rng.normal(size=(2, 2, model.nv))
    wrenches = rng.normal(size=(2, 3, 6))
    agree(cd.inverse_dynamics_derivatives(model, q, v, a, wrenches), of_inverse_dynamics(model, q, v, a, wrenches))
    agree(cd.inverse_dynamics_derivatives(model.unloaded, q, v, a), of_inverse_dynamics(model.unloaded, q, v, a))


@pytest.mark.parametrize("name", sorted(COMPOSED))
def test_compositions_with_quaternions_have_the_derivatives_of_the_recursion(name):
    """Oracle: complex step of inverse dynamics; the quaternion has factors before it and after it."""
    rng = np.random.default_rng(701)
    model = tree_of([COMPOSED[name]() for _ in range(3)], [-1, 0, 1], rng).build()
    q, v, a, wrenches = random_states(model, rng)
    agree(cd.inverse_dynamics_derivatives(model, q, v, a, wrenches), of_inverse_dynamics(model, q, v, a, wrenches))


@pytest.mark.parametrize("seed", range(2))
def test_random_trees_linearize_as_the_recursion_does(seed):
    """Oracle: complex step of forward dynamics; kinds, branching and several roots at random, springs and wrenches."""
    rng = np.random.default_rng(710 + seed)
    made = random_tree(sorted(KINDS), 7, rng)
    for _ in range(3):
        i, j = rng.choice(7, 2, replace=False)
        points = rng.normal(size=(2, 3))
        made.builder.add_spring(f"b{i}", points[0], f"b{j}", points[1], stiffness=30.0, damping=2.0, length=0.4)
    model = made.model
    q, v = (np.array(x) for x in zip(*(made.state(rng) for _ in range(3)), strict=True))
    tau, wrenches = rng.normal(size=(3, model.nv)), rng.normal(size=(3, 7, 6))
    agree(cd.linearize(model, q, v, tau, wrenches), of_forward_dynamics(model, q, v, tau, wrenches))


@pytest.mark.slow
def test_derivatives_of_forces_are_those_of_lagranges_equations():
    """Oracle: complex step through M a + h − Q made from expm poses, another code path altogether."""
    rng = np.random.default_rng(720)
    made = mixed(rng)
    (q, v), model, tree = made.state(rng), made.model, made.tree
    a, wrenches = rng.normal(size=tree.nv), rng.normal(size=(5, 6))
    got = cd.inverse_dynamics_derivatives(model, q, v, a, wrenches)
    h, steps = 1e-30, 1j * 1e-30 * np.eye(tree.nv)
    by_q = np.transpose([tree.inverse(q + s, v, a, wrenches).imag / h for s in steps])
    by_v = np.transpose([tree.inverse(q, v + s, a, wrenches).imag / h for s in steps])
    agree(got, (by_q, by_v, tree.mass_matrix(q)), 1e-9)


def test_quaternion_columns_are_steps_of_integrate():
    """Oracle: central differences of inverse_dynamics along `integrate`, for ball, free and their composition."""
    rng = np.random.default_rng(730)
    joints = [cd.joints.free(), cd.joints.ball(), COMPOSED["elliptic · ball · prismatic"]()]
    model = tree_of(joints, [-1, 0, 1], rng).build()
    q, v, a, _ = (x[0] for x in random_states(model, rng, 1))
    h = 1e-4
    far, near = (
        cd.inverse_dynamics(model, cd.integrate(model, q, k * h * np.eye(model.nv)), v, a)
        - cd.inverse_dynamics(model, cd.integrate(model, q, -k * h * np.eye(model.nv)), v, a)
        for k in (2, 1)
    )
    expected = np.transpose(8 * near - far) / (12 * h)  # of fourth order
    found = cd.inverse_dynamics_derivatives(model, q, v, a).dq
    assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def test_prescribed_coordinates_keep_their_accelerations():
    """Oracle: complex step of forward dynamics; rows of prescribed coordinates, and columns of their forces, are 0."""
    rng = np.random.default_rng(740)
    b = tree_of([cd.joints.universal("x", "y"), cd.joints.cylindrical("z"), cd.joints.revolute("x")], [-1, 0, 1], rng)
    names = b.build().coordinates
    model = b.prescribe(names[0], np.sin).prescribe(names[2], lambda t: 0.3 * t * t).build()
    q, v, tau, wrenches = random_states(model, rng)
    found = cd.linearize(model, q, v, tau, wrenches, t=0.4)
    agree(found, of_forward_dynamics(model, q, v, tau, wrenches, t=0.4))
    for k in model.prescribed:
        assert not any(x[:, k].any() for x in found)
        assert not found.tau[:, :, k].any()


@pytest.mark.parametrize("prescribed", [False, True])
def test_large_trees_linearize_as_the_recursion_does(prescribed):
    """Oracle: complex step of forward dynamics; more velocities than are solved for with the full mass matrix."""
    rng = np.random.default_rng(745)
    made = random_tree(["revolute", "universal", "ball", "elliptic", "cylindrical"], 32, rng)
    if prescribed:
        for name in ordinary_coordinates(made.model)[3:12:4]:
            made.builder.prescribe(name, np.sin)
    model = made.model
    q, v = (np.array(x) for x in zip(*(made.state(rng) for _ in range(2)), strict=True))
    tau = rng.normal(size=(2, model.nv))
    assert model.nv > 48 and bool(model.prescribed) == prescribed
    agree(cd.linearize(model, q, v, tau), of_forward_dynamics(model, q, v, tau))
    expected = of_inverse_dynamics(model, q, v, tau)
    agree(cd.inverse_dynamics_derivatives(model, q, v, tau), expected)
    agree(cd.inverse_dynamics_derivatives(model, q[0], v[0], tau[0]), [x[0] for x in expected])


@pytest.mark.parametrize("parents", ["a chain", "two side by side"])
def test_long_chains_have_the_derivatives_of_the_recursion(parents):
    """Oracle: complex step; no zeros by structure, or rows that read every second body, in whole and broken lanes."""
    rng = np.random.default_rng(746)
    kinds = [cd.joints.revolute, lambda a: cd.joints.ball(), cd.joints.prismatic, lambda a: cd.joints.universal(a, "x")]
    joints = [kinds[k % 4]("yz"[k % 2]) for k in range(30)]
    b = cd.ModelBuilder()
    for k, joint in enumerate(joints):
        parent = k - 1 if parents == "a chain" else k - 2
        inertia = cd.Inertia(*random_motion.inertia(rng))
        place = cd.SE3.from_translation(0.2 * rng.normal(size=3))
        b.add_body(f"b{k}", f"b{parent}" if parent >= 0 else None, joint, inertia, place)
    model = b.add_damping(ordinary_coordinates(b.build())[3], 0.4).build()
    q, v, a, wrenches = random_states(model, rng, 9)
    expected = of_inverse_dynamics(model, q, v, a, wrenches)
    assert model.nv > 48
    agree(cd.inverse_dynamics_derivatives(model, q, v, a, wrenches), expected)
    agree(cd.inverse_dynamics_derivatives(model, q[4], v[4], a[4], wrenches[4]), [x[4] for x in expected])


def test_derivatives_of_huge_speeds_are_numbers_as_long_as_they_can_be():
    """Oracle: a damper of 1e200 N s/m, whose square is not finite; and speeds that give no finite forces."""
    b = cd.ModelBuilder()
    for k in range(50):
        b.add_body(f"b{k}", f"b{k - 1}" if k else None, cd.joints.prismatic("x"), cd.Inertia.point(1.0))
    b.add_damping("b3", 1e200)
    model = b.build()
    found = cd.inverse_dynamics_derivatives(model, *np.zeros((3, 2, 50)))
    assert_allclose(found.dv[:, 3, 3], 1e200)
    assert_allclose(np.delete(found.dv, 3, axis=2), 0.0)
    with pytest.raises(errors.NotFinite):
        cd.inverse_dynamics_derivatives(model, np.zeros(50), np.full(50, 1e308), np.full(50, 1e308))


@pytest.mark.parametrize("count", range(1, 8))
def test_the_answer_to_forces_is_the_inverse_of_the_mass_matrix(count):
    """Oracle: M⁻¹ by numpy, of as many rows as tiles of two rows and four columns leave over."""
    rng = np.random.default_rng(750 + count)
    b = cd.ModelBuilder()
    for i in range(count):
        place = cd.SE3.from_matrix(random_motion.pose(rng))
        b.add_body(f"b{i}", f"b{i - 1}" if i else None, cd.joints.revolute(random_motion.unit(rng)), BOX, place)
    model = b.build()
    q, v, a, _ = random_states(model, rng, 9)
    assert_allclose(cd.linearize(model, q, v).tau, np.linalg.inv(cd.mass_matrix(model, q)), rtol=1e-11, atol=1e-11)
    assert_allclose(cd.inverse_dynamics_derivatives(model, q, v, a).da, cd.mass_matrix(model, q), rtol=0, atol=1e-13)


def test_one_state_has_the_derivatives_that_it_has_in_a_batch():
    """Oracle: the batch; shapes follow the states, and batches broadcast."""
    rng = np.random.default_rng(760)
    joints = [cd.joints.ball(), cd.joints.revolute("x"), cd.joints.revolute("z")]
    model = tree_of(joints, [-1, 0, 0], rng).build()
    q, v, x, _ = random_states(model, rng, 10)
    for call in (cd.linearize, cd.inverse_dynamics_derivatives):
        batch = call(model, q.reshape(2, 5, -1), v.reshape(2, 5, -1), x.reshape(2, 5, -1))
        assert all(m.shape == (2, 5, 5, 5) for m in batch)
        agree([m[1, 2] for m in batch], call(model, q[7], v[7], x[7]), 1e-12)
        alone = call(model, q[:1], v[0], x[0], threads=1)
        assert all(np.array_equal(m, n[:1, 0]) for m, n in zip(alone, batch, strict=True))


@pytest.mark.parametrize("call", [cd.linearize, cd.inverse_dynamics_derivatives])
def test_members_of_a_large_batch_do_not_see_each_other(call):
    """Oracle: one member at a time; the springs couple branches that nothing else couples."""
    rng = np.random.default_rng(762)
    joints = [cd.joints.revolute("x"), cd.joints.revolute("y"), cd.joints.revolute("z")]
    model = tree_of(joints, [-1, 0, 0], rng).build()
    q, v, x, wrenches = random_states(model, rng, 40)
    batch = call(model, q, v, x, wrenches, threads=1)
    for i in (0, 8, 17, 39):
        agree([m[i] for m in batch], call(model, q[i], v[i], x[i], wrenches[i]), 1e-12)


@pytest.mark.parametrize("call", [cd.linearize, cd.inverse_dynamics_derivatives])
def test_results_can_be_written_over(call):
    """Oracle: a new result; memory of another shape or kind is refused."""
    model = cd.gallery.leg()
    states = np.random.default_rng(765).normal(size=(3, 2, model.nv))
    kept = call(model, *states)
    expected = call(model, *-states)
    found = call(model, *-states, out=kept)
    assert found is kept and all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))
    for bad in (kept[0][0], kept[0].astype(np.float32), np.swapaxes(kept[0], -1, -2), None):
        with pytest.raises(errors.BadShape, match="out must have"):
            call(model, *states, out=kept._replace(**{kept._fields[1]: bad}))


def test_derivatives_far_from_the_origin_are_those_near_it():
    """Oracle: gravity is the same everywhere, so moving a free root by 100 km changes nothing but digits of sums."""
    rng = np.random.default_rng(770)
    b = cd.ModelBuilder()
    b.add_body("root", None, cd.joints.free(), BOX)
    b.add_body("arm", "root", cd.joints.universal("x", "y"), BOX, cd.SE3.from_translation((0.3, 0.1, 0)))
    model = b.build()
    q, v, x, _ = (y[0] for y in random_states(model, rng, 1))
    far = q.copy()
    far[4:7] += (1e5, -2e5, 5e4)
    agree(cd.inverse_dynamics_derivatives(model, far, v, x), cd.inverse_dynamics_derivatives(model, q, v, x))
    agree(cd.linearize(model, far, v, x), cd.linearize(model, q, v, x))


def test_at_rest_without_dampers_forces_do_not_feel_small_speeds():
    """Oracle: inertial forces are of second order in v."""
    rng = np.random.default_rng(780)
    model = random_tree(sorted(KINDS), 5, rng).model
    q = cd.integrate(model, model.neutral(), 0.2 * rng.normal(size=model.nv))
    still = np.zeros(model.nv)
    assert not cd.inverse_dynamics_derivatives(model, q, still, rng.normal(size=model.nv)).dv.any()


def test_a_limit_counts_only_while_it_pushes():
    """Oracle: the law: stiffness and damping beyond the limit, nothing within, nothing while leaving faster."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", None, cd.joints.prismatic("x"), BOX)
    b.add_limit("cart", 0.0, 1.0, stiffness=100.0, damping=5.0)
    model = b.build()
    q, v = [[-0.1], [0.5], [1.2], [1.2]], [[-1.0], [3.0], [1.0], [-10.0]]
    found = cd.inverse_dynamics_derivatives(model, q, v, [0.0])
    assert_allclose(found.dq[:, 0, 0], [100, 0, 100, 0], rtol=1e-14)
    assert_allclose(found.dv[:, 0, 0], [5, 0, 5, 0], rtol=1e-14)


def test_a_model_that_cannot_move_has_empty_derivatives():
    """Oracle: nv = 0."""
    model = cd.ModelBuilder().add_body("base", None, cd.joints.weld(), BOX).build()
    assert all(x.shape == (0, 0) for x in cd.inverse_dynamics_derivatives(model, [], [], []))
    assert all(x.shape == (0, 0) for x in cd.linearize(model, [], []))


def test_a_body_without_inertia_is_named():
    """Oracle: forces cannot accelerate nothing: the class and the body."""
    b = cd.ModelBuilder()
    b.add_body("arm", None, cd.joints.revolute("x"), BOX)
    b.add_body("ghost", "arm", cd.joints.revolute("y"), cd.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))))
    with pytest.raises(errors.RankLost, match="'ghost'"):
        cd.linearize(b.build(), [0.1, 0.2], [0.0, 0.0])
