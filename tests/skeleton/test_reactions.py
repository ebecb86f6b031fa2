"""Accelerations and reactions against the dense system of the article, with singular values."""

import numpy as np
import pytest
from scipy.sparse import block_array, diags_array, lil_array
from scipy.sparse.linalg import spsolve

from condyle import Inertia, ModelBuilder
from condyle.joints import weld
from condyle.skeleton import Skeleton, State
from condyle.skeleton.engine import reactions

from .dense import GRAPHS, Dense, hat, random_dense

LOADED = {"friction": 0.7, "gravity": (0.3, -0.4, -9.81)}


def loads_for(dense, seed=1):
    rng = np.random.default_rng(seed)
    n, J = len(dense.m), len(dense.pairs)
    motors, forces, torques = rng.normal(size=(J, 3)), rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    return {"motors": motors, "forces": forces, "torques": torques}


def assert_same(dense, found, **loads):
    a, cd = dense.solve(**loads)
    scale = 1.0 + np.abs(a).max()
    assert found.linear == pytest.approx(a[:, :3], abs=1e-11 * scale)
    assert found.angular == pytest.approx(a[:, 3:], abs=1e-11 * scale)
    assert found.point_forces == pytest.approx(cd[:, :3], abs=1e-11 * scale)
    world_axes = np.array([dense.side(j, 0)[2] @ dense.z[j, 0] for j in range(len(dense.pairs))])
    assert found.turning_torques == pytest.approx(np.cross(world_axes, cd[:, 3:]), abs=1e-11 * scale)


@pytest.mark.parametrize("name", GRAPHS)
def test_free_motion_agrees_with_the_dense_system(name):
    """Oracle: the article's six rows per joint, by singular values."""
    dense = random_dense(*GRAPHS[name])
    skeleton = Skeleton.from_arrays(**dense.arrays)
    assert skeleton.unknowns == dense.rank()  # 5 per hinge, 3 per ball: none of these graphs is redundant
    found = skeleton.accelerations()
    assert found.unique
    assert_same(dense, found)


@pytest.mark.parametrize("name", GRAPHS)
def test_loaded_motion_agrees_with_the_dense_system(name):
    """Oracle: the same, with friction, motors, gravity, external forces and torques."""
    dense = random_dense(*GRAPHS[name], seed=3, **LOADED)
    loads = loads_for(dense)
    assert_same(dense, Skeleton.from_arrays(**dense.arrays).accelerations(**loads), **loads)


def test_planar_ring_of_hinges_has_least_reactions_and_says_so():
    """Oracle: the pseudo-inverse. A planar four-bar ring is redundant three times over."""
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    dense = random_dense(ring, "hhhh", seed=5, axis=(0.3, -0.5, 1.0), **LOADED)
    dense.v -= dense.v.mean(axis=0)
    assert dense.rank() == 20 - 3
    loads = loads_for(dense)
    found = Skeleton.from_arrays(**dense.arrays).accelerations(**loads)
    assert not found.unique
    assert_same(dense, found, **loads)


def test_anchored_four_bar_is_redundant_and_handled():
    """Oracle: the pseudo-inverse; the loop closes through the world."""
    bars = [(-1, 0), (0, 1), (1, 2), (2, -1)]
    dense = random_dense(bars, "hhhh", seed=6, axis=(0.0, 1.0, 0.2), **LOADED)
    found = Skeleton.from_arrays(**dense.arrays).accelerations()
    assert not found.unique
    assert_same(dense, found)


@pytest.mark.slow  # the compiler needs long for lanes
@pytest.mark.parametrize("name", ["a branching tree", "a mixed ring", "two anchors"])
def test_a_batch_is_its_members(name):
    """Oracle: one state at a time on floats; and bitwise the same wherever a state sits in the batch."""
    dense = random_dense(*GRAPHS[name], **LOADED)
    skeleton = Skeleton.from_arrays(**dense.arrays)
    members = []
    for seed in range(11):
        other = random_dense(*GRAPHS[name], **LOADED)
        rng = np.random.default_rng(seed)
        other.v, other.w = rng.normal(size=other.v.shape), rng.normal(size=other.w.shape)
        members.append(other.consistent())
    parts = [np.stack([getattr(d, k) for d in members]) for k in "pRvw"]
    batch = skeleton.accelerations(State.checked(*parts))
    again = skeleton.accelerations(State.checked(*(part[4:] for part in parts)), threads=1)
    assert np.array_equal(batch.linear[4:], again.linear)
    for k, d in enumerate(members):
        one = skeleton.accelerations(State.checked(d.p, d.R, d.v, d.w))
        scale = 1 + np.abs(one.linear).max()
        assert batch.linear[k] == pytest.approx(one.linear, abs=1e-12 * scale)
        assert batch.point_forces[k] == pytest.approx(one.point_forces, abs=1e-12 * scale)


def test_motor_numbers_turn_about_the_axis_and_names_work():
    """Oracle: the article's e_j = β R z, and the dense system."""
    dense = random_dense([(0, 1), (1, 2)], "hs")
    skeleton = Skeleton.from_arrays(**dense.arrays, joint_names=("elbow", "shoulder"), body_names=("a", "b", "c"))
    vectors = np.zeros((2, 3))
    vectors[0], vectors[1] = 2.5 * dense.z[0, 0], (0.1, 0.2, 0.3)
    force = np.zeros((3, 3))
    force[2] = (1.0, 2.0, 3.0)
    found = skeleton.accelerations(motors={"elbow": 2.5, "shoulder": (0.1, 0.2, 0.3)}, forces={"c": (1.0, 2.0, 3.0)})
    assert_same(dense, found, motors=vectors, forces=force)
    assert_same(dense, skeleton.accelerations(motors=[2.5, 0.0]), motors=vectors * [[1], [0]])


def test_gravity_alone_lets_a_floating_skeleton_fall():
    """Oracle: free fall; uniform gravity drops out of the constraint forces."""
    dense = random_dense(*GRAPHS["a branching tree"], speed=0.0, gravity=(0, 0, -9.81))
    found = Skeleton.from_arrays(**dense.arrays).accelerations()
    assert found.linear == pytest.approx(np.tile([0, 0, -9.81], (8, 1)), abs=1e-12)
    assert found.point_forces == pytest.approx(0.0, abs=1e-11)


def test_gravity_is_that_of_the_builders_unless_given():
    """Oracle: the free fall of a body, 9.81 m/s² downwards; a builder's skeleton of the same body."""
    falling = Skeleton.from_arrays([2.0], [np.eye(3)], [], [], [], [[0, 0, 0]])
    assert np.abs(falling.accelerations().linear[0] - [0.0, 0.0, -9.81]).max() < 1e-14
    model = ModelBuilder().add_body("a", joint=weld(), inertia=Inertia.point(2.0)).build()
    assert falling.gravity.tolist() == model.gravity.tolist()
    floating = Skeleton.from_arrays([2.0], [np.eye(3)], [], [], [], [[0, 0, 0]], gravity=(0, 0, 0))
    assert not floating.accelerations().linear.any()


def test_one_body_without_joints_is_a_skeleton():
    """Oracle: Euler's equations."""
    w, moment = np.array([0.3, -1.0, 2.0]), np.diag([0.3, 0.5, 0.7])
    one = Skeleton.from_arrays([2.0], [moment], [], [], [], [[0, 0, 0]], angular_velocities=[w], gravity=(0, 0, 0))
    found = one.accelerations()
    assert found.angular[0] == pytest.approx(-np.linalg.solve(moment, np.cross(w, moment @ w)), abs=1e-13)


def test_a_thousand_bodies_agree_with_a_sparse_solver():
    """Oracle: scipy's sparse LU of the whole system M a − Gᵀλ = f, G a = 0, on a random tree of balls at rest."""
    rng = np.random.default_rng(0)
    n = 1000
    pairs = np.array([(i, rng.integers(max(0, i - 5), i)) for i in range(1, n)])
    p, point = rng.normal(size=(n, 3)) * 3, rng.normal(size=(n - 1, 3)) * 3
    m, moment, f = rng.uniform(0.5, 2, n), rng.uniform(1.0, 1.5, (n, 3)), rng.normal(size=(n, 3))
    levers = np.stack([point - p[pairs[:, 0]], point - p[pairs[:, 1]]], axis=1)
    skeleton = Skeleton.from_arrays(
        m, [np.diag(I) for I in moment], pairs, levers, np.zeros((n - 1, 2, 3)), p, gravity=(0, 0, 0)
    )
    found = skeleton.accelerations(forces=f)
    G = lil_array((3 * (n - 1), 6 * n))
    for j, (pair, lever) in enumerate(zip(pairs, levers, strict=True)):
        for i, l, s in zip(pair, lever, (1, -1), strict=True):
            G[3 * j : 3 * j + 3, 6 * i : 6 * i + 3] = s * np.eye(3)
            G[3 * j : 3 * j + 3, 6 * i + 3 : 6 * i + 6] = -s * hat(l)
    M = diags_array(np.concatenate([np.repeat(m[:, None], 3, axis=1), moment], axis=1).reshape(-1))
    system = block_array([[M, -G.T], [G, None]]).tocsc()
    right = np.concatenate([np.concatenate([f, 0 * f], axis=1).reshape(-1), np.zeros(3 * (n - 1))])
    x = spsolve(system, right)
    a = x[: 6 * n].reshape(n, 6)
    assert found.linear == pytest.approx(a[:, :3], abs=1e-9)
    assert found.angular == pytest.approx(a[:, 3:], abs=1e-9)
    assert found.point_forces == pytest.approx(x[6 * n :].reshape(-1, 3), abs=1e-9)


def lattice(n, rng):
    """n × n bodies, each joined to its neighbours by balls: (n − 1)² loops."""
    grid = np.arange(n * n).reshape(n, n)
    p = np.stack([*np.divmod(np.arange(n * n), n), np.zeros(n * n)], axis=1).astype(float)
    pairs = np.concatenate(
        [np.stack([grid[:-1], grid[1:]], -1).reshape(-1, 2), np.stack([grid[:, :-1], grid[:, 1:]], -1).reshape(-1, 2)]
    )
    points = p[pairs].mean(axis=1) + 0.05 * rng.normal(size=(len(pairs), 3))
    return p, pairs, points[:, None] - p[pairs]


def test_a_lattice_of_loops_agrees_with_a_sparse_solver():
    """Oracle: scipy's sparse LU of the whole system, on 64 bodies with 49 loops at rest."""
    rng, n = np.random.default_rng(1), 64
    p, pairs, levers = lattice(8, rng)
    f, moment = rng.normal(size=(n, 3)), np.array([0.1, 0.1, 0.15])
    skeleton = Skeleton.from_arrays(
        np.ones(n),
        np.tile(np.diag(moment), (n, 1, 1)),
        pairs,
        levers,
        np.zeros((len(pairs), 2, 3)),
        p,
        gravity=(0, 0, 0),
    )
    G = lil_array((3 * len(pairs), 6 * n))
    for j, (pair, lever) in enumerate(zip(pairs, levers, strict=True)):
        for i, l, s in zip(pair, lever, (1, -1), strict=True):
            G[3 * j : 3 * j + 3, 6 * i : 6 * i + 3] = s * np.eye(3)
            G[3 * j : 3 * j + 3, 6 * i + 3 : 6 * i + 6] = -s * hat(l)
    M = diags_array(np.tile(np.concatenate([np.ones(3), moment]), n))
    right = np.concatenate([np.concatenate([f, 0 * f], axis=1).reshape(-1), np.zeros(3 * len(pairs))])
    a = spsolve(block_array([[M, -G.T], [G, None]]).tocsc(), right)[: 6 * n].reshape(n, 6)
    found = skeleton.accelerations(forces=f)
    assert len(skeleton.tree.loops) == 49
    assert found.linear == pytest.approx(a[:, :3], abs=1e-9)
    assert found.angular == pytest.approx(a[:, 3:], abs=1e-9)


def lattice_as_dense(n, noise, seed=2):
    """The lattice for the dense reference, under forces at rest."""
    rng = np.random.default_rng(seed)
    p, pairs, levers = lattice(n, rng)
    if not noise:  # joints halfway between the bodies: a flat lattice of squares, redundant many times over
        levers = 0.5 * np.stack([p[pairs[:, 1]] - p[pairs[:, 0]], p[pairs[:, 0]] - p[pairs[:, 1]]], axis=1)
    still, moment = np.zeros((n * n, 3)), np.diag([0.1, 0.1, 0.15])
    dense = Dense(
        np.ones(n * n), np.tile(moment, (n * n, 1, 1)), [tuple(pair) for pair in pairs.tolist()], levers,
        np.zeros_like(levers), p, np.tile(np.eye(3), (n * n, 1, 1)), still, still, np.zeros(len(pairs)),
    )  # fmt: skip
    return dense, rng.normal(size=(n * n, 3))


@pytest.mark.parametrize("noise", [False, True])
def test_rank_of_many_loops_is_the_dense_one(noise):
    """Oracle: singular values of all rows, and the pseudo-inverse: a 6 × 6 lattice, flat (redundant) and not."""
    dense, forces = lattice_as_dense(6, noise)
    found = Skeleton.from_arrays(**dense.arrays).accelerations(forces=forces)
    assert bool(found.unique) == noise == (dense.rank() == 3 * len(dense.pairs))
    assert_same(dense, found, forces=forces)


def test_redundancy_of_a_large_lattice_is_counted_from_its_doubtful_rows():
    """Oracle: the rank by singular values of a flat 10 × 10 lattice."""
    dense, _ = lattice_as_dense(10, noise=False)
    skeleton = Skeleton.from_arrays(**dense.arrays)
    missing = skeleton.unknowns - dense.rank()
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reactions, "without", lambda idle, b: asked.append(idle.shape) or b)
        assert not skeleton.accelerations().unique
    assert missing > 60
    assert asked == [(6 * len(dense.pairs), missing)]


def test_things_say_what_they_are():
    """Oracle: the words."""
    skeleton = Skeleton.from_arrays(**random_dense(*GRAPHS["a mixed ring"]).arrays)
    assert repr(skeleton) == "<Skeleton: 5 bodies, 2 balls, 3 hinges, 1 loop>"
    assert repr(skeleton.initial) == "<State of 5 bodies, batch ()>"
    assert "11 records, 0 to 0.1 s, <Skeleton" in repr(skeleton.simulate(duration=0.1))
