"""Bad input and what is said about it."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import (
    BadInertia,
    BadShape,
    BadTree,
    BadValue,
    CondyleError,
    InconsistentLoop,
    NotConverged,
    NotFinite,
    UnknownName,
)
from condyle.skeleton import Skeleton, SkeletonBuilder, State

from .dense import CHAIN, GRAPHS, random_dense


def changed(**changes):
    return {**random_dense(CHAIN, "hs").arrays, **changes}


def first_row(name, value):
    array = np.array(random_dense(CHAIN, "hs").arrays[name])
    array[0] = value
    return {name: array}


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"pairs": [(0, 1), (1, 0)]}, BadTree, "1 of 3 bodies are not connected with body 'body0': 'body2'"),
        ({"pairs": [(0, 1), (1, -1)]}, BadTree, "not connected with the world: 'body2'"),
        ({"pairs": [(0, 1), (2, 2)]}, BadTree, "joint 'joint1' joins body 'body2' with itself"),
        ({"pairs": [(0, 1), (-1, -1)]}, BadTree, "joint 'joint1' joins the world with itself"),
        ({"pairs": [(0, 1), (1, 7)]}, BadTree, "joint 'joint1' joins bodies 1 and 7; there are 3 bodies, 0 to 2"),
        (first_row("axes", 0.5), BadValue, "joint 'joint0': a hinge axis must have length 1; got lengths 0.8660"),
        (first_row("axes", [[0, 0, 0], [0, 0, 1]]), BadValue, "joint 'joint0' has one zero axis and one that is not"),
        (first_row("masses", 0.0), BadInertia, "body 'body0': the mass must be positive [kg]; got 0"),
        (first_row("inertias", np.diag([1, 1, -1])), BadInertia, "its least eigenvalue is -1"),
        (first_row("inertias", np.diag([1, 1, 5])), BadInertia, "body 'body0': principal moments must satisfy"),
        (first_row("inertias", [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), BadInertia, "must be symmetric; entries differ"),
        (first_row("friction", -1.0), BadValue, "joint 'joint0': friction must not be negative"),
        (first_row("locations", np.nan), NotFinite, "joint locations holds NaN or infinity"),
        ({"positions": np.zeros((2, 3))}, BadShape, "must have shapes that go together"),
        ({"body_names": ["a", "a", "b"]}, BadValue, "body names must differ from each other"),
    ],
)
def test_bad_skeletons_are_named(changes, error, words):
    """Oracle: the words."""
    with pytest.raises(error) as raised:
        Skeleton.from_arrays(**changed(**changes))
    assert words in str(raised.value)
    assert isinstance(raised.value, CondyleError)


@pytest.mark.parametrize(("part", "batch"), [("positions", ()), ("angular_velocities", ()), ("velocities", (3,))])
def test_a_start_that_is_not_of_numbers_names_the_body(part, batch):
    """Oracle: the place of the NaN. It is no open joint, and no motion diverged."""
    skeleton = Skeleton.from_arrays(**changed())
    start = {name: np.array(np.broadcast_to(x, (*batch, *x.shape))) for name, x in vars(skeleton.initial).items()}
    start[part][(1,) * len(batch) + (2, 0)] = np.nan
    with pytest.raises(NotFinite, match=f"{'member .1.' if batch else 'start'}: {part} of 'body2'"):
        skeleton.simulate(State(**start), duration=0.1)


def test_inconsistent_starts_name_the_joint_and_the_distance():
    """Oracle: the gap put in."""
    start = random_dense(CHAIN, "hs")
    start.p[2] += (0.003, 0.0, 0.004)
    with pytest.raises(InconsistentLoop) as raised:
        Skeleton.from_arrays(**start.arrays)
    assert "joint 'joint1': its two locations are apart by 0.005 m at the start" in str(raised.value)
    assert "skeleton.projected(state).state" in str(raised.value)
    start = random_dense(CHAIN, "ss")
    start.v[2] += (0.3, 0.0, 0.4)
    with pytest.raises(InconsistentLoop, match=r"joint 'joint1': its two locations separate at 0.5 m/s"):
        Skeleton.from_arrays(**start.arrays, check=False).simulate(duration=1.0)
    start = random_dense(CHAIN, "hs", speed=0.0)
    start.z[0, 0] = start.R[0].T @ np.cross([1.0, 0, 0], start.R[1] @ start.z[0, 1])
    start.z[0, 0] /= np.linalg.norm(start.z[0, 0])
    with pytest.raises(InconsistentLoop, match=r"joint 'joint0': its two axes differ by 1.570"):
        Skeleton.from_arrays(**start.arrays).simulate(duration=1.0)


@pytest.mark.parametrize("name", ["a branching tree", "hung from the world", "a mixed ring"])
def test_projection_closes_the_joints_and_keeps_momentum(name):
    """Oracle: the article's equations (1) and (2); velocity projection is by impulses, so a free skeleton keeps P."""
    rng = np.random.default_rng(0)
    start = random_dense(*GRAPHS[name])
    start.p += 0.02 * rng.normal(size=start.p.shape)
    start.v += rng.normal(size=start.v.shape)
    skeleton = Skeleton.from_arrays(**start.arrays, check=False)
    found = skeleton.projected()
    off = skeleton.residuals(found.state)
    assert max(off.gap.max(), off.axis.max(), off.gap_rate.max(), off.axis_rate.max()) < 1e-12
    assert 0.0 < found.moved < 0.1
    assert 0.0 < found.turned < 0.2
    assert found.velocity_change > 0.0
    if name != "hung from the world":
        before, after = skeleton.momentum().linear, skeleton.momentum(found.state).linear
        assert after == pytest.approx(before, abs=1e-12)
    assert skeleton.starting(found.state).simulate(duration=0.1).stopped is None


def test_velocity_projection_is_the_dense_one():
    """Oracle: u − M⁻¹Gᵀ(G M⁻¹ Gᵀ)⁺ G u by singular values."""
    start = random_dense(*GRAPHS["a mixed ring"])
    start.v += np.random.default_rng(1).normal(size=start.v.shape)
    found = Skeleton.from_arrays(**start.arrays, check=False).projected().state
    start.consistent()
    assert found.velocities == pytest.approx(start.v, abs=1e-11)
    assert found.angular_velocities == pytest.approx(start.w, abs=1e-11)


def test_a_consistent_state_is_left_alone():
    """Oracle: no change."""
    found = Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays).projected()
    assert max(found.moved, found.turned, found.velocity_change, found.angular_velocity_change) < 1e-13


def test_a_loop_that_cannot_close_says_so():
    """Oracle: a triangle with sides 1, 1 and 9 does not exist."""
    inertia = cd.Inertia.sphere(1.0, 0.1)
    b = SkeletonBuilder(gravity=(0, 0, 0)).add_body("a", inertia).add_body("b", inertia, position=(1, 0, 0))
    b.add_ball(None, "a", at=(0, 0, 0.5)).add_ball("a", "b", at=(0.5, 0, 0))
    b.add_ball("b", None, at=(1.0, 0.0, 0.5))
    bad = b.build()
    far = np.array(bad.points)
    far[2, 1] = (9.0, 0.0, 0.0)
    from dataclasses import replace

    with pytest.raises(NotConverged, match="do not close within 60 iterations"):
        replace(bad, points=far).projected()


def test_builder_places_joints_where_they_are_told():
    """Oracle: the world point and axis seen from both bodies."""
    R = random_dense(CHAIN, "hs").R[0]
    b = SkeletonBuilder()
    b.add_body("upper", cd.Inertia.box(2.0, (0.1, 0.1, 0.4), com=(0, 0, 0.1)), position=(0, 0, 1), rotation=R)
    b.add_body("lower", cd.Inertia.sphere(1.0, 0.1), position=(0, 0, 0.5), velocity=(0, 0, 0))
    b.add_hinge("upper", "lower", at=(0, 0, 0.8), axis=(0, 2, 0), friction=0.1, name="elbow")
    b.add_ball("upper", None, at=(0, 0, 1.2))
    skeleton = b.build()
    s = skeleton.initial
    assert s.positions[0] == pytest.approx(np.array([0, 0, 1]) + R @ [0, 0, 0.1], abs=1e-15)
    assert s.positions[0] + s.rotations[0] @ skeleton.points[0, 0] == pytest.approx([0, 0, 0.8], abs=1e-15)
    assert s.rotations[1] @ skeleton.axes[0, 1] == pytest.approx([0, 1, 0], abs=1e-15)
    assert skeleton.kinds == ("hinge", "ball")
    assert skeleton.joint_names == ("elbow", "upper-world")
    assert skeleton.unknowns == 8
    assert skeleton.gravity.tolist() == [0, 0, -9.81]


def test_builder_names_what_is_wrong():
    """Oracle: the words."""
    b = SkeletonBuilder().add_body("a", cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(UnknownName, match="no body named 'bee' in this skeleton yet"):
        b.add_ball("a", "bee", at=(0, 0, 0))
    with pytest.raises(BadValue, match="there is already a body named 'a'"):
        b.add_body("a", cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(BadValue, match="'world' is not a body"):
        b.add_body("world", cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(BadValue, match="needs an axis that is not zero"):
        b.add_hinge("a", None, at=(0, 0, 0), axis=(0, 0, 0))
    with pytest.raises(BadTree, match="joint 'a-a' joins body 'a' with itself"):
        b.add_ball("a", "a", at=(0, 0, 0)).build()


def test_states_and_loads_of_the_wrong_shape_are_named():
    """Oracle: the words."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays)
    with pytest.raises(BadShape, match=r"forces must have shape \(..., 3, 3\)"):
        skeleton.simulate(duration=0.1, forces=np.zeros((2, 3)))
    with pytest.raises(BadShape, match=r"motors must be a number per joint \(..., 2\)"):
        skeleton.simulate(duration=0.1, motors=[1.0, 2.0, 3.0])
    with pytest.raises(BadValue, match="step must be a positive number"):
        skeleton.simulate(duration=0.1, step=0.0)
    with pytest.raises(BadShape, match=r"a state of this skeleton has positions \(..., 3, 3\)"):
        skeleton.simulate(State.checked(np.zeros((2, 3)), np.eye(3), np.zeros(3), np.zeros(3)), duration=0.1)


def test_a_weld_is_one_body():
    """Oracle: the same two bodies as one, by the parallel-axis theorem of cd.Inertia."""
    one, two = cd.Inertia.box(1.0, (0.1, 0.2, 0.3)), cd.Inertia.box(2.0, (0.3, 0.1, 0.2))
    spin = (0.3, -1.0, 2.0)
    b = SkeletonBuilder(gravity=(0, 0, 0)).add_body("a", one, angular_velocity=spin)
    b.add_body("b", two, position=(0.5, 0, 0), velocity=np.cross(spin, (0.5, 0, 0)), angular_velocity=spin)
    pair = b.add_weld("a", "b").build()
    shifted = np.eye(4)
    shifted[:3, 3] = (0.5, 0, 0)
    whole = SkeletonBuilder(gravity=(0, 0, 0)).add_body("c", one + two.moved(shifted), angular_velocity=spin).build()
    assert pair.unknowns == 6
    found = pair.simulate(duration=1.0, step=0.005, integrator="rk4").last
    alone = whole.simulate(duration=1.0, step=0.005, integrator="rk4").last
    assert found.angular_velocities == pytest.approx(np.tile(alone.angular_velocities, (2, 1)), abs=1e-8)
    kept = pair.residuals(pair.simulate(duration=1.0).last)
    assert max(kept.gap[0], kept.axis[0]) < 1e-12
