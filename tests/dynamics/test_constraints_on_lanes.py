"""Batches of models with constraints run on SIMD lanes; lanes that part ways from the others are solved by themselves.

The oracle throughout is one call for each state, whose accelerations are held against dense matrices elsewhere
(test_constraints_against_kkt.py).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import InconsistentLoop

COUNT = 19  # two whole blocks and a part of one


def bars(count: int, joints: tuple = ()) -> cd.ModelBuilder:
    """Bars of 1 m in a row, on hinges about y unless joints are given."""
    inertia = cd.Inertia.box(1.0, (0.05, 0.08, 1.0), com=(0.01, 0.0, 0.5))
    b = cd.ModelBuilder()
    for i in range(count):
        place = cd.SE3.from_translation([0.0, 0.0, 1.0 if i else 0.0])
        joint = joints[i] if joints else cd.joints.revolute("y")
        b.add_body(f"bar{i}", f"bar{i - 1}" if i else None, joint, inertia, placement=place)
    return b


def four_bar() -> tuple[cd.Model, np.ndarray]:
    """A parallelogram: three rows, of which one is redundant."""
    b = bars(3).add_constraint(cd.constraints.point("bar2", (0, 0, 1.0), None, (1.0, 0, 0)))
    return b.build(), np.array([0.0, np.pi / 2, np.pi / 2])


def mixed() -> tuple[cd.Model, np.ndarray]:
    """A spatial chain with a coupling, a point on a line, a point at a distance, and a prescribed coordinate."""
    joints = tuple(cd.joints.universal("x", "y") for _ in range(5))
    b = bars(5, joints)
    b.add_constraint(cd.constraints.couple("bar1.second", "bar0.second", ratio=-0.5, offset=0.1))
    b.add_constraint(cd.constraints.distance("bar2", (0, 0, 1.0), None, (2.0, 0.5, 0.0), 2.0))
    b.prescribe("bar0.first", lambda t: 0.3 + 0.2 * t)
    return b.build(), np.linspace(0.3, 0.8, 10)


def welded() -> tuple[cd.Model, np.ndarray]:
    """A spatial loop closed by a weld."""
    axes = "xyzxyzx"
    model = bars(7, tuple(cd.joints.revolute(axis) for axis in axes)).build()
    q = np.linspace(-0.9, 0.9, 7)
    end = cd.forward_kinematics(model, q)[6]
    closed = bars(7, tuple(cd.joints.revolute(axis) for axis in axes))
    return closed.add_constraint(cd.constraints.weld("bar6", cd.SE3.identity(), None, end)).build(), q


def drawn(model: cd.Model, q: np.ndarray, spread: float) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    near = q + spread * rng.uniform(-1.0, 1.0, (COUNT, model.nq))
    for k in model.prescribed:
        near[:, k] = q[k]
    return *cd.project(model, near, rng.normal(size=(COUNT, model.nv))), rng.normal(size=(COUNT, model.nv))


def singly(model, q, v, tau, **options) -> np.ndarray:
    return np.array([cd.forward_dynamics(model, *state, **options) for state in zip(q, v, tau, strict=True)])


@pytest.mark.slow
@pytest.mark.parametrize("make", [four_bar, mixed, welded])
def test_lanes_give_what_single_calls_give(make):
    model, start = make()
    q, v, tau = drawn(model, start, 0.1)
    expected = singly(model, q, v, tau)
    assert_allclose(cd.forward_dynamics(model, q, v, tau), expected, rtol=1e-9, atol=1e-10)
    found = cd.constraint_forces(model, q, v, tau)
    for i in (0, 8, COUNT - 1):
        one = cd.constraint_forces(model, q[i], v[i], tau[i])
        assert one.rank == found.rank[i]
        for a, b in zip(one.forces, found.forces, strict=True):
            assert_allclose(b.multipliers[i], a.multipliers, rtol=1e-8, atol=1e-9)


@pytest.mark.slow
def test_a_lane_of_another_rank_is_solved_by_itself():
    """A parallelogram laid flat loses a second row: in its lane only."""
    model, start = four_bar()
    q, v, tau = drawn(model, start, 0.3)
    q[5], v[5] = [np.pi / 2, 0.0, np.pi], 0.0
    found = cd.constraint_forces(model, q, v, tau)
    assert found.rank[5] == cd.constraint_forces(model, q[5], v[5], tau[5]).rank == 1
    assert {*np.delete(found.rank, 5)} == {2}
    assert_allclose(cd.forward_dynamics(model, q, v, tau), singly(model, q, v, tau), rtol=1e-9, atol=1e-10)


@pytest.mark.slow
def test_bad_lanes_do_not_touch_the_others():
    """An open loop, and one that a motion opens, are told by their number, or NaN; the others are as ever."""
    model, start = four_bar()
    q, v, tau = drawn(model, start, 0.2)
    q[3] += 0.01
    v[11] += 0.1
    with pytest.raises(InconsistentLoop, match=r"state \[3\] \(2 of 19 states failed\)"):
        cd.forward_dynamics(model, q, v, tau)
    a = cd.forward_dynamics(model, q, v, tau, on_failure="nan")
    assert np.isnan(a[[3, 11]]).all()
    good = [i for i in range(COUNT) if i not in (3, 11)]
    assert_allclose(a[good], singly(model, q[good], v[good], tau[good]), rtol=1e-9, atol=1e-10)


def test_an_empty_batch_is_empty():
    model, _ = four_bar()
    assert cd.forward_dynamics(model, np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
