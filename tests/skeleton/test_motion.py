"""Integrators: what they keep, and their order."""

import re
from itertools import pairwise

import numpy as np
import pytest

import condyle as cd
from condyle.errors import NotSupported, UnknownName
from condyle.gallery.skeletons.rings import kaleidocycle, turning
from condyle.simulation import StoppedWarning
from condyle.skeleton import Skeleton, SkeletonBuilder, State

from .dense import CHAIN, GRAPHS, Dense, random_dense

TUMBLING = {name: GRAPHS[name] for name in ("hinge and ball", "two hinges")}


def angular_momentum(skeleton, s):
    """About the origin, by hand."""
    spin = np.einsum("tnij,njk,tnk->tni", s.rotations, skeleton.inertias, s.angular_velocities)
    return (np.cross(s.positions, skeleton.masses[:, None] * s.velocities) + spin).sum(axis=1)


def kinetic(skeleton, s):
    linear = 0.5 * (skeleton.masses[:, None] * s.velocities**2).sum(axis=(1, 2))
    return linear + 0.5 * np.einsum("tni,nij,tnj->t", s.angular_velocities, skeleton.inertias, s.angular_velocities)


@pytest.mark.parametrize("name", TUMBLING)
def test_ten_thousand_steps_keep_joints_momentum_and_rotations(name):
    """Oracle: conservation laws and the joints' own equations, with momentum computed here."""
    dense = random_dense(*TUMBLING[name])
    skeleton = Skeleton.from_arrays(**dense.arrays)
    motion = skeleton.simulate(duration=100.0, step=0.01)
    assert motion.stopped is None
    assert len(motion.t) == 10_001
    off = skeleton.residuals(motion.states)
    assert off.gap.max() < 1e-11
    assert off.axis.max() < 1e-11
    L = angular_momentum(skeleton, motion.states)
    assert np.abs(L - L[0]).max() < 1e-11
    R = motion.states.rotations
    assert np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max() < 1e-12
    K = kinetic(skeleton, motion.states)
    assert np.abs(K / K[0] - 1).max() < 1e-4


@pytest.mark.slow
def test_energy_stays_bounded_for_a_thousand_seconds():
    """Oracle: the mean error of the last tenth of 100,000 steps is within the spread of the first tenth.

    The motion is chaotic, so the mean is over sixteen starts that differ by 1e-8: one alone wanders as far as that.
    """
    skeleton = Skeleton.from_arrays(**random_dense(*TUMBLING["hinge and ball"]).arrays)
    start, faster = skeleton.initial, 1.0 + 1e-8 * np.arange(16)[:, None, None]
    moving = {"velocities": faster * start.velocities, "angular_velocities": faster * start.angular_velocities}
    still = {"positions": start.positions, "rotations": start.rotations}
    starts = State(**moving, **{name: np.repeat(x[None], 16, axis=0) for name, x in still.items()})
    states = skeleton.simulate(starts, duration=1000.0, step=0.01, record=0.1).states
    K = np.array([kinetic(skeleton, states[i]) for i in range(16)])
    error = K / K[:, :1] - 1
    assert np.abs(error).max() < 2e-4
    assert abs(error[:, -1000:].mean() - error[:, :1000].mean()) < error[:, :1000].std()


@pytest.mark.parametrize("name", TUMBLING)
def test_energy_error_of_the_default_is_second_order(name):
    """Oracle: the error shrinks by 4 when the step is halved."""
    skeleton = Skeleton.from_arrays(**random_dense(*TUMBLING[name]).arrays)
    errors = []
    for h in (0.04, 0.02, 0.01):
        K = kinetic(skeleton, skeleton.simulate(duration=4.0, step=h).states)
        errors.append(np.abs(K / K[0] - 1).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.15)


def fine(skeleton, duration, **how):
    return skeleton.simulate(duration=duration, step=1e-3, integrator="rk4", **how).last


@pytest.mark.parametrize(("integrator", "order"), [("printed", 1), ("variational", 2), ("rk4", 4)])
@pytest.mark.parametrize("name", ["hinge and ball", "hung from the world", "a mixed ring"])
def test_orders(name, integrator, order):
    """Oracle: the fine RK4 motion, itself checked against the minimal engine in test_twin."""
    dense = random_dense(*GRAPHS[name], seed=2, gravity=(0, 0, -9.81), friction=0.3, speed=0.6)
    skeleton = Skeleton.from_arrays(**dense.arrays)
    end, errors = fine(skeleton, 0.4), []
    for h in (0.01, 0.005) if order < 4 else (0.04, 0.02):
        last = skeleton.simulate(duration=0.4, step=h, integrator=integrator).last
        errors.append(np.abs(last.positions - end.positions).max() + np.abs(last.rotations - end.rotations).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)


def test_printed_scheme_is_the_articles_own():
    """Oracle: the article's algorithm with singular values, where no hinge spoils them."""
    dense = random_dense(CHAIN, "ss", friction=0.1)
    motion = Skeleton.from_arrays(**dense.arrays).simulate(duration=0.2, step=0.01, integrator="printed")
    for _ in range(20):
        dense.printed_step(0.01, 1e-10)
    assert motion.last.positions == pytest.approx(dense.p, abs=1e-11)
    assert motion.last.rotations == pytest.approx(dense.R, abs=1e-11)
    assert motion.last.angular_velocities == pytest.approx(dense.w, abs=1e-11)


def pseudo_inverse_momentum_error(h):
    dense: Dense = random_dense(CHAIN, "hh")
    start = dense.angular_momentum()
    for _ in range(round(1.0 / h)):
        dense.printed_step(h, 1e-12)
    return np.linalg.norm(dense.angular_momentum() - start) / np.linalg.norm(start)


def test_five_unknowns_converge_where_the_pseudo_inverse_does_not():
    """Oracle: angular momentum. With the article's pseudo-inverse its error does not shrink with the step."""
    assert pseudo_inverse_momentum_error(0.005) > 0.5 * pseudo_inverse_momentum_error(0.02)
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hh").arrays)
    errors = []
    for h in (0.02, 0.01, 0.005):
        L = angular_momentum(skeleton, skeleton.simulate(duration=1.0, step=h, integrator="printed").states)
        errors.append(np.linalg.norm(L[-1] - L[0]))
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.3)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.3)


@pytest.mark.slow
def test_printed_scheme_drifts_and_a_stopped_member_leaves_the_others_alone():
    """Oracle: the joint gap; and the same members alone."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hh", speed=2.0).arrays)
    s = skeleton.initial
    still = State.checked(s.positions, s.rotations, 0 * s.velocities, 0 * s.angular_velocities)
    both = State.checked(*(np.stack([getattr(x, k) for x in (still, s)]) for k in vars(s)))
    with pytest.warns(StoppedWarning, match=r"1 of 2 members stopped, first member \[1\]"):
        motion = skeleton.simulate(both, duration=60.0, step=0.04, integrator="printed")
    assert "1 of 2 members stopped" in repr(motion)
    assert motion.stopped[0] is None
    assert motion.stopped[1] is not None
    assert "diverged" in motion.stopped[1].reason
    assert 0.0 < motion.stopped[1].time <= 60.0
    assert np.isnan(motion.last.positions[1]).all()
    assert motion.last.positions[0] == pytest.approx(s.positions, abs=1e-12)


def test_a_step_too_long_stops_with_words():
    """Oracle: the words; half a turn per step is beyond the chord iterations."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hh", speed=10.0).arrays)
    with pytest.warns(StoppedWarning, match=r"t = 5 s: stopped at t = .*'joint1'"):
        motion = skeleton.simulate(duration=5.0, step=0.5)
    assert "stopped at t = " in repr(motion)
    assert motion.stopped.reason == "joint 'joint1' did not close within the iterations; take a smaller step"


def flat_parallelogram():
    """Three bars and the ground in one line: from here it can go on as a parallelogram or as its crossed twin."""
    b = SkeletonBuilder(gravity=(0, 0, 0))
    corners = np.array([(0, 0, 0), (0.4, 0, 0), (1.4, 0, 0), (1.0, 0, 0)])
    for k, (here, there) in enumerate(pairwise(corners)):
        length = abs(there[0] - here[0])
        rising = 0.0 if k == 1 else 1.0
        b.add_body(
            f"bar{k}", cd.Inertia.box(1.0, (length, 0.05, 0.05)), 0.5 * (here + there),
            velocity=(0, 0, 0.4 if k == 1 else 0.2), angular_velocity=(0, -rising, 0),
        )  # fmt: skip
    ends = [None, "bar0", "bar1", "bar2", None]
    for k, corner in enumerate(corners):
        b.add_hinge(ends[k], ends[k + 1], at=corner, axis=(0, 1, 0), name=f"hinge{k}")
    return b.build()


def test_a_loop_at_a_singular_pose_is_named():
    """Oracle: the words. It may leave the pose it starts in, and stops when it comes flat again."""
    skeleton = flat_parallelogram()
    motion = skeleton.simulate(duration=20.0)
    assert not skeleton.accelerations().unique
    assert re.match("joint 'hinge.' did not close within the iterations; it is on a loop", motion.stopped.reason)
    assert "the loop is at a singular pose (bars in line)" in motion.stopped.reason
    assert "take one joint of the loop out" in motion.stopped.reason


def kite():
    """Two bars of 1 m and two of 0.6 m, one of the long ones the ground: the short ones can fold onto each other."""
    long, short, angle = 1.0, 0.6, 1.0
    C, B = np.array([np.cos(angle), 0, np.sin(angle)]), np.array([long, 0, 0])
    half = 0.5 * np.linalg.norm(B - C)
    D = 0.5 * (B + C) + np.cross((B - C) / (2 * half), (0, 1, 0)) * np.sqrt(short**2 - half**2)
    corners, b = np.array([(0, 0, 0), C, D, B]), SkeletonBuilder(gravity=(0, 0, 0))
    for k, (here, there) in enumerate(pairwise(corners)):
        x = (there - here) / np.linalg.norm(there - here)
        frame = np.column_stack([x, (0, 1, 0), np.cross(x, (0, 1, 0))])
        size, spin = (np.linalg.norm(there - here), 0.05, 0.05), (0, 3.0 if k == 0 else 0.0, 0)
        b.add_body(f"bar{k}", cd.Inertia.box(1.0, size), 0.5 * (here + there), frame, angular_velocity=spin)
    ends = [None, "bar0", "bar1", "bar2", None]
    for k, corner in enumerate(corners):
        b.add_hinge(ends[k], ends[k + 1], at=corner, axis=(0, 1, 0), name=f"hinge{k}")
    skeleton = b.build()
    return skeleton.starting(skeleton.projected().state)


def test_a_kite_moves_on_or_is_named_where_its_corners_meet():
    """Oracle: energy and joints are kept until the pose where it can go on in two ways; there the words."""
    skeleton = kite()
    motion = skeleton.simulate(duration=20.0)
    assert motion.stopped.time > 1.0
    before = motion.t < motion.stopped.time - 0.2
    assert skeleton.residuals(motion.states[before]).gap.max() < 1e-12
    K = kinetic(skeleton, motion.states[before])
    assert np.abs(K / K[0] - 1).max() < 1e-2
    assert re.match("joint 'hinge.' did not close within the iterations; it is on a loop", motion.stopped.reason)


@pytest.mark.slow
def test_batches_are_bitwise_their_members():
    """Oracle: the same members in another batch, at another place, on another number of threads."""
    skeleton = Skeleton.from_arrays(**random_dense(*GRAPHS["a mixed ring"]).arrays)
    s = skeleton.initial
    scales = np.linspace(0.1, 3.0, 19)[:, None, None]
    batch = State.checked(s.positions, s.rotations, scales * s.velocities, scales * s.angular_velocities)
    all_of_them = skeleton.simulate(batch, duration=0.5)
    some = skeleton.simulate(batch[5:], duration=0.5, threads=1)
    assert np.array_equal(all_of_them.last.positions[5:], some.last.positions)
    one = skeleton.simulate(batch[7], duration=0.5)
    assert one.last.positions == pytest.approx(all_of_them.last.positions[7], abs=1e-11)


def test_single_free_body_keeps_momentum_where_the_printed_scheme_does_not():
    """Oracle: a separate run: the printed scheme loses between a thousandth and a fifth of L in 10 s at 10 ms."""
    body = Skeleton.from_arrays(
        [1.0],
        [np.diag([0.3, 0.5, 0.7])],
        [],
        [],
        [],
        [[0, 0, 0]],
        angular_velocities=[[1.0, 2.0, 1.5]],
        gravity=(0, 0, 0),
    )
    for integrator, lost in (("variational", 1e-13), ("rk4", 1e-7), ("printed", 0.2)):
        L = angular_momentum(body, body.simulate(duration=10.0, step=0.01, integrator=integrator).states)
        change = np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0])
        assert change < lost
        assert integrator != "printed" or change > 1e-3


def test_unknown_integrator_and_friction_are_named():
    """Oracle: the words."""
    skeleton = Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays)
    with pytest.raises(UnknownName, match="Did you mean 'rk4'"):
        skeleton.simulate(duration=1.0, integrator="rk5")
    with pytest.raises(UnknownName, match="no way to treat friction named 'sticky'"):
        skeleton.simulate(duration=1.0, friction="sticky")
    with pytest.raises(NotSupported, match="'rk4' cannot treat friction as 'implicit', only explicit"):
        skeleton.simulate(duration=1.0, integrator="rk4", friction="implicit")


def test_falling_far_is_free_fall_with_closed_joints():
    """Oracle: free fall of the centre of mass; half a kilometre down the joints still close to round-off there."""
    dense = random_dense(CHAIN, "hh", gravity=(0, 0, -9.81))
    dense.inertia[1] *= 0.02  # light against its levers: round-off of positions shows in its turning
    skeleton = Skeleton.from_arrays(**dense.consistent().arrays)
    motion = skeleton.simulate(duration=12.0, step=0.01)
    assert motion.stopped is None
    P = skeleton.momentum(motion.states).linear
    assert P[-1] - P[0] == pytest.approx([0, 0, -9.81 * 12.0 * dense.m.sum()], rel=1e-11, abs=1e-9)
    assert skeleton.residuals(motion.last).gap.max() < 1e-11
    assert motion.report().drifts()["angular momentum [N m s]"] < 1e-9


@pytest.mark.slow
def test_a_chain_of_ten_thousand_bodies_goes_on():
    """Oracle: free fall of its centre of mass, and joints that stay shut."""
    rng, count = np.random.default_rng(0), 10_000
    axes = rng.normal(size=(count - 1, 1, 3))
    chain = Skeleton.from_arrays(
        masses=np.ones(count),
        inertias=np.tile(np.diag([0.09, 0.09, 0.01]), (count, 1, 1)),
        pairs=[(i, i + 1) for i in range(count - 1)],
        locations=np.tile([[0, 0, -0.5], [0, 0, 0.5]], (count - 1, 1, 1)),
        axes=np.repeat(axes / np.linalg.norm(axes, axis=-1, keepdims=True), 2, axis=1),
        positions=np.arange(count)[:, None] * [0, 0, -1.0],
        angular_velocities=rng.normal(size=(count, 3)),
        gravity=(0, 0, -9.81),
        check=False,
    )
    chain = chain.starting(chain.projected().state)
    run = chain.simulate(duration=0.01, step=1e-3, record=0.01)
    assert run.stopped is None
    P = chain.momentum(run.states).linear
    assert P[-1] - P[0] == pytest.approx([0, 0, -9.81 * 0.01 * count], rel=1e-9, abs=1e-6)
    assert chain.residuals(run.last).gap.max() < 1e-9


def test_a_ring_with_more_rows_than_it_needs_goes_on():
    """Oracle: joints stay closed: reactions of a driven kaleidocycle are not unique, so nothing may build up."""
    turned = kaleidocycle().simulate(duration=0.3, step=0.01, motors=turning)
    assert turned.stopped is None
    assert turned.report().drifts()["joint gap [m]"] < 1e-11
