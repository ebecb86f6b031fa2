"""Constraints of batches are eliminated in groups, where the bodies that they move come together.

Which bodies those are is written by hand. Oracles of accelerations: one dense system per state with constraints
written in poses (tests/oracles/kkt.py), and closed forms.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle as cd
from condyle.errors import InconsistentLoop
from condyle.model.packing.constraint_groups import grouped
from oracles import kkt, random_motion
from twins.kinds import hinge
from twins.mechanisms import along, rolling_coin, shift, welded_chain
from twins.trees import Twin, twin

COUNT = 5  # states side by side, less than the lanes of any instruction set but the smallest
BOX = cd.Inertia.box(1.0, (0.1, 0.2, 0.3), com=(0.02, 0.0, 0.1))
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def chain(builder, names, parent=None):
    """Hinges about y, one on the other."""
    for name in names:
        builder.add_body(name, parent, cd.joints.revolute("y"), BOX, placement=cd.SE3.from_translation((0, 0, 0.5)))
        parent = name
    return builder


def groups_of(builder):
    model = builder.build()
    return [(g.constraints, [model.bodies[i].name for i in sorted(g.members)], g.root) for g in grouped(model)]


def test_a_loop_moves_the_bodies_up_to_what_carries_both_ends():
    b = chain(chain(chain(cd.ModelBuilder(), "ab"), "cd", "b"), "ef", "b")
    b.add_constraint(cd.constraints.point("d", (0, 0, 0), "f", (0, 0, 0)))
    assert groups_of(b) == [([0], ["c", "d", "e", "f"], 1)]


def test_a_loop_on_its_own_carrier_leaves_that_out_and_a_coupling_takes_it_in():
    b = chain(cd.ModelBuilder(), "abc")
    b.add_constraint(cd.constraints.point("c", (0, 0, 0), "a", (0, 0, 0.5)))
    assert groups_of(b) == [([0], ["b", "c"], 0)]
    b = chain(cd.ModelBuilder(), "abc").add_constraint(cd.constraints.couple("c", "a", ratio=2.0))
    assert groups_of(b) == [([0], ["a", "b", "c"], -1)]


def test_constraints_that_move_the_same_body_are_one_group():
    b = chain(cd.ModelBuilder(), "abcde")
    b.add_constraint(cd.constraints.couple("e", "d"))
    b.add_constraint(cd.constraints.couple("b", "a"))
    b.add_constraint(cd.constraints.point("d", (0, 0, 0), "a", (0, 0, 0)))
    assert groups_of(b) == [([0, 1, 2], ["a", "b", "c", "d", "e"], -1)]


def ring(rng):
    """A floating body with a ring of universal joints on it, pinned to it."""
    made = twin([("free", -1), *(("universal", i) for i in range(5))], rng)
    q, _ = made.state(rng)
    tip, poses = rng.normal(size=3), made.tree.poses(q)
    socket = (np.linalg.inv(poses[0]) @ poses[5] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point("b5", tip, "b0", socket))
    return made, [kkt.Point(5, tip, 0, socket)], q


def nested(rng):
    """A loop that hangs from a body of another loop: two groups."""
    made = Twin()
    for i, parent in enumerate((-1, 0, 1, 2, 2, 4)):
        made.attach(hinge((0, 1, 0)), parent, random_motion.inertia(rng), shift(0.4, 0, 0.1 * (i == 4)), np.eye(4))
    q, tip = rng.uniform(-0.6, 0.6, 6), np.array([0.3, 0, 0])
    poses = made.tree.poses(q)
    anchor, socket = (poses[2] @ [*tip, 1])[:3], (np.linalg.inv(poses[5]) @ poses[3] @ [*tip, 1])[:3]
    made.builder.add_constraint(cd.constraints.point("b2", tip, None, anchor))
    made.builder.add_constraint(cd.constraints.point("b3", tip, "b5", socket))
    return made, [kkt.Point(2, tip, -1, anchor), kkt.Point(3, tip, 5, socket)], q


def welded(rng):
    """Three of the six rows of a planar weld are redundant."""
    return welded_chain(rng, 5)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [ring, nested, welded])
def test_batches_accelerate_as_the_dense_system_says(mechanism):
    """Oracle: dense KKT systems, one per state, constraint rows and their rates from series of the poses."""
    rng = np.random.default_rng(610)
    made, loops, q = mechanism(rng)
    tree = made.tree
    v = np.array([along(tree, loops, q, rng.normal(size=tree.nv)) for _ in range(COUNT)])
    tau, wrenches = rng.normal(size=v.shape), rng.normal(size=(COUNT, len(tree.bodies), 6))
    expected = [kkt.solve(tree, loops, q, *given)[0] for given in zip(v, tau, wrenches, strict=True)]
    assert_allclose(cd.forward_dynamics(made.model, np.tile(q, (COUNT, 1)), v, tau, wrenches), expected, **CLOSE)


@pytest.mark.slow
def test_a_batch_of_coins_rolls_as_the_dense_system_says():
    """Oracle: the contact's velocity rows in a dense system."""
    rng = np.random.default_rng(611)
    made, rule = rolling_coin()
    q = rng.uniform(-0.6, 0.6, (COUNT, 5))
    v = np.array([along(made.tree, [rule], *state) for state in zip(q, rng.normal(size=q.shape), strict=True)])
    expected = [kkt.solve(made.tree, [rule], *state)[0] for state in zip(q, v, strict=True)]
    assert_allclose(cd.forward_dynamics(made.model, q, v), expected, **CLOSE)


@pytest.mark.slow
def test_a_state_does_not_depend_on_its_batch():
    """Oracle: the same call on a part of the batch, at other places in the lanes, to the bit."""
    rng = np.random.default_rng(612)
    made, loops, q = nested(rng)
    v = np.array([along(made.tree, loops, q, rng.normal(size=made.tree.nv)) for _ in range(11)])
    q, tau = np.tile(q, (11, 1)), rng.normal(size=v.shape)
    whole, broken = cd.forward_dynamics(made.model, q, v, tau), tau.copy()
    assert_array_equal(cd.forward_dynamics(made.model, q[3:], v[3:], tau[3:]), whole[3:])
    q[5] += 0.01
    broken[9] = 1e300
    kept = np.delete(np.arange(11), (5, 9))
    found = cd.forward_dynamics(made.model, q, v, broken, on_failure="nan")
    assert_array_equal(found[kept], whole[kept])
    assert np.isnan(found[5]).all()


def carried_arm():
    """A hinge on a floating body."""
    b = cd.ModelBuilder()
    b.add_body("base", None, cd.joints.free(), BOX)
    return b.add_body("arm", "base", cd.joints.revolute("y"), BOX, placement=cd.SE3.from_translation((0, 0, 0.5)))


def carried_rod(prescribed):
    """The same, with a rod from a point of the arm to a point of the base."""
    b = carried_arm().add_constraint(cd.constraints.distance("arm", (0.3, 0, 0.1), "base", (0.5, 0, 0.2), 0.36))
    return (b.prescribe("arm", prescribed) if prescribed else b).build()


@pytest.mark.slow
def test_a_row_that_moves_nothing_free_is_refused_not_answered():
    """A prescribed hinge that turns against a rod: no force helps, and what round-off leaves of its row is no lever.

    Oracle: the length of the rod, which the motion changes.
    """
    free = carried_rod(None)
    q, v = np.tile(cd.project(free, free.neutral())[0], (3, 1)), np.zeros((3, 7))
    start = q[0, 7]
    model = carried_rod(lambda t: start + 0.3 * t)
    v[:, 6] = 0.3
    for state in ((q, v), (q[0], v[0])):
        with pytest.raises(InconsistentLoop, match="distance of 'arm' from 'base'"):
            cd.forward_dynamics(model, *state)
        with pytest.raises(InconsistentLoop, match="distance of 'arm' from 'base'"):
            cd.project(model, *state)


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_a_rod_that_always_holds_is_idle(offset):
    """From the axis of the first hinge of a double pendulum to that of the second, also far from the world's origin.

    Oracle: the pendulum without it.
    """
    rod, place = cd.Inertia.box(1.0, (1.0, 0.05, 0.05), com=(0.5, 0, 0)), (offset, 0.0, offset)
    builders = [cd.ModelBuilder() for _ in range(2)]
    for b in builders:
        for name, parent, at in (("a", None, place), ("b", "a", (1, 0, 0)), ("c", "b", (1, 0, 0))):
            b.add_body(name, parent, cd.joints.revolute("y"), rod, placement=cd.SE3.from_translation(at))
        b.add_constraint(cd.constraints.couple("c", "b", ratio=0.5))
    builders[0].add_constraint(cd.constraints.distance("b", (0, 0, 0), None, place, 1.0))
    rng = np.random.default_rng(614)
    held, without = (b.build() for b in builders)
    q, v = cd.project(without, rng.uniform(-1, 1, (9, 3)), rng.normal(size=(9, 3)))
    expected = cd.forward_dynamics(without, q, v)
    assert_allclose(cd.forward_dynamics(held, q, v), expected, rtol=1e-10, atol=1e-10)
    for i in range(9):
        assert_allclose(cd.forward_dynamics(held, q[i], v[i]), expected[i], rtol=1e-10, atol=1e-10)


@pytest.mark.slow
def test_a_wheel_that_cannot_slip_sideways_is_not_braked():
    """Its only row is across its plane, where no coordinate moves it. Oracle: a slide down a slope."""
    b = cd.ModelBuilder()
    x, spin = (0, 0, 0, 1, 0, 0), (0, 1, 0, 0, 0, 0)
    functions = [cd.functions.linear(0), cd.functions.linear(1)]
    joint = cd.joints.product([x, spin], functions, coordinates=("x", "angle"), pose=shift(0, 0, 0.3))
    place = cd.SE3.exp([0.4, -0.9, 0.2, 0.1, 0.2, 0.3])
    b.add_body("wheel", joint=joint, inertia=cd.Inertia(1.3, np.zeros(3), 0.05 * np.eye(3)), placement=place)
    contact = cd.joints.product([x], functions[:1], coordinates=("x",))
    model = b.add_constraint(cd.constraints.roll("wheel", contact, (1,))).build()
    expected = [(place.as_matrix()[:3, 0] @ (0, 0, -9.81)), 0.0]
    q = np.random.default_rng(615).normal(size=(3, 2))
    assert_allclose(cd.forward_dynamics(model, q, np.zeros_like(q)), np.tile(expected, (3, 1)), rtol=1e-12, atol=1e-12)
    assert_allclose(cd.forward_dynamics(model, q[0], np.zeros(2)), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_a_small_lever_under_a_large_one_holds():
    """A slide of 1e-6 m a unit on one of 1e6 m a unit: what holds the small one is no round-off of the large one.

    Oracle: the large one alone, which carries the mass of both.
    """
    b, inertia = cd.ModelBuilder(gravity=(0, 0, 0)), cd.Inertia.box(1.0, (0.1, 0.1, 0.1))
    for name, parent, size in (("large", None, 1e6), ("small", "large", 1e-6)):
        slide = cd.joints.product([(0, 0, 0, size, 0, 0)], [cd.functions.linear(0)], coordinates=("x",))
        b.add_body(name, parent, slide, inertia)
    model = b.add_constraint(cd.constraints.point("small", (0, 0, 0), "large", (0, 0, 0))).build()
    tau = np.tile([1e12, 0.0], (3, 1))
    for state in ((np.zeros((3, 2)), np.zeros((3, 2)), tau), (np.zeros(2), np.zeros(2), tau[0])):
        found = cd.forward_dynamics(model, *state)
        assert_allclose(found[..., 0], 0.5, rtol=1e-9)
        assert np.abs(found[..., 1]).max() * 1e-6 < 1e-8


@pytest.mark.slow
def test_couplings_follow_prescribed_accelerations():
    """Oracle: q̈ = f' q̈_y + f'' q̇_y², with f and the motion by hand."""
    b = chain(cd.ModelBuilder(), "abc").prescribe("a", lambda t: 0.2 + 0.3 * t + 0.7 * t * t)
    model = b.add_constraint(cd.constraints.couple("c", "a", function=cd.functions.polynomial((0.1, 0.5, 2.0)))).build()
    q, v = np.array([[0.2, x, 0.1 + 0.5 * 0.2 + 2 * 0.04] for x in (0.1, 0.4)]), np.tile([0.3, 0.2, 0.3 * 1.3], (2, 1))
    found = cd.forward_dynamics(model, q, v)
    assert_allclose(found[:, [0, 2]], np.tile([1.4, 1.3 * 1.4 + 4 * 0.09], (2, 1)), rtol=1e-11)


@pytest.mark.slow
def test_states_of_doubtful_rank_are_decided_as_single_ones():
    """A parallelogram nearly flat, on a slope: whether a row still counts is for the method with pivots, to the bit."""
    b, slope = cd.ModelBuilder(), 0.7
    foot = (np.cos(slope), 0.0, -np.sin(slope))
    for name, parent, place in (("left", None, (0, 0, 0)), ("right", None, foot), ("top", "left", (0, 0, 0.5))):
        b.add_body(name, parent, cd.joints.revolute("y"), BOX, placement=cd.SE3.from_translation(place))
    model = b.add_constraint(cd.constraints.point("right", (0, 0, 0.5), "top", (1, 0, 0))).build()
    angle = np.pi / 2 + slope - np.array([1e-4, 3e-5, 1e-5, 3e-6])
    q, tau = np.column_stack([angle, angle, slope - angle]), np.random.default_rng(616).normal(size=(4, 3))
    single = [cd.forward_dynamics(model, *state, on_failure="nan") for state in zip(q, 0 * q, tau, strict=True)]
    assert np.isfinite(single[:2]).all()
    assert_array_equal(cd.forward_dynamics(model, q, 0 * q, tau, on_failure="nan"), single)


@pytest.mark.slow
def test_a_rod_at_its_dead_point_is_idle():
    """A rod along the arm from the hinge's axis has no lever, and round-off is none.

    Oracle: the same model without the rod; its accelerations stay of their size.
    """
    without = carried_arm().build()
    model = carried_arm().add_constraint(cd.constraints.distance("arm", (0, 0, 0.4), "base", (0, 0, 0.1), 0.8)).build()
    rng = np.random.default_rng(613)
    q = np.tile(cd.integrate(model, model.neutral(), [*rng.normal(size=6), 0.0]), (3, 1))
    v = np.zeros((3, 7))
    v[:, :6] = rng.normal(size=(3, 6))
    for state in ((q, v), (q[0], v[0])):
        assert_allclose(cd.forward_dynamics(model, *state), cd.forward_dynamics(without, *state), **CLOSE)


def test_a_batch_of_parallelograms_swings_as_pendulums():
    """Oracle: Lagrange's equation of one angle, by hand."""
    length, mass = 0.5, 1.0
    rod = cd.Inertia(mass, (0, 0, 0.5 * length), np.diag([mass * length**2 / 12] * 2 + [1e-3]))
    b = cd.ModelBuilder()
    for name, parent, place in (("left", None, (0, 0, 0)), ("right", None, (1, 0, 0)), ("top", "left", (0, 0, length))):
        top = cd.Inertia(mass, (0.5, 0, 0), np.diag([1e-3, 0.1, 0.1]))
        inertia = top if name == "top" else rod
        b.add_body(name, parent, cd.joints.revolute("y"), inertia, placement=cd.SE3.from_translation(place))
    b.add_constraint(cd.constraints.point("right", (0, 0, length), "top", (1, 0, 0)))
    turn, rate = np.array([0.3, -0.8, 2.0]), np.array([0.5, -1.0, 0.2])
    q, v = np.column_stack([turn, turn, -turn]), np.column_stack([rate, rate, -rate])
    inertia = 2 * mass * length**2 / 3 + mass * length**2  # two rods about their ends, and the top that only shifts
    expected = 9.81 * (2 * mass * length / 2 + mass * length) * np.sin(turn) / inertia
    found = cd.forward_dynamics(b.build(), q, v)
    assert_allclose(found, np.column_stack([expected, expected, -expected]), rtol=1e-11, atol=1e-11)
