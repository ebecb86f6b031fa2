"""Batches of models with constraints side by side in lanes: as single runs, which step by the scalar path."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.simulation import StoppedWarning
from support import four_bar

COUNT, OPTIONS = 11, {"duration": 0.03, "step": 1e-3}


def starts(model, rest, seed=0, spread=0.2):
    rng = np.random.default_rng(seed)
    q = rest + rng.uniform(-spread, spread, (COUNT, model.nq))
    return cd.project(model, q, rng.normal(size=(COUNT, model.nv)))


FIXED = {"integrator": "semi-implicit", **OPTIONS}


@pytest.fixture(scope="module")
def linkage():
    model = four_bar.model()
    return model, *starts(model, four_bar.angles(0.7))


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4"])
def test_members_are_those_of_single_runs_and_loops_stay_closed(linkage, integrator):
    """Oracle: the scalar path, to 1e-12; the loop's gap by hand. A third of a planar loop's rows is idle."""
    model, q, v = linkage
    found = cd.simulate(model, q, v, integrator=integrator, **OPTIONS)
    assert four_bar.gap(found.q).max() < 1e-11
    for i in (0, 8, 10):
        alone = cd.simulate(model, q[i], v[i], integrator=integrator, **OPTIONS)
        assert np.abs(found.q[i] - alone.q).max() < 1e-12
        assert np.abs(found.v[i] - alone.v).max() < 1e-12 * (1 + np.abs(alone.v).max()) * 10


@pytest.mark.slow
def test_a_member_does_not_depend_on_its_batch(linkage):
    """Oracle: the same entry on a part of the batch, at other places in the lanes, to the bit."""
    model, q, v = linkage
    found, part = (cd.simulate(model, q[some], v[some], **FIXED) for some in (slice(None), slice(3, None)))
    assert_array_equal(part.q, found.q[3:])
    assert_array_equal(part.v, found.v[3:])


@pytest.mark.slow
def test_lanes_that_are_too_fast_stop_alone(linkage):
    """Oracle: its single run for the time, and the batch without it for the others, to the bit."""
    model, q, v = linkage[0], linkage[1], linkage[2].copy()
    expected, good = cd.simulate(model, q, v, **FIXED), np.delete(np.arange(COUNT), 5)
    v[5] *= 1e12 / np.abs(v[5]).max()
    with pytest.warns(StoppedWarning):
        found = cd.simulate(model, q, v, **FIXED)
    with pytest.warns(StoppedWarning):
        alone = cd.simulate(model, q[5], v[5], **FIXED)
    assert_array_equal(found.q[good], expected.q[good])
    assert found.stopped[5].time == alone.stopped.time and all(found.stopped[i] is None for i in good)


def parallelogram():
    """Two bars on the ground and one across: flat, all of them are in line and the loop loses a row."""
    rod, tip = cd.Inertia.box(1.0, (0.05, 0.05, 0.5), com=(0, 0, 0.25)), (0.0, 0.0, 0.5)
    b = cd.ModelBuilder()
    for name, parent, place in (("left", None, (0, 0, 0)), ("right", None, (0.5, 0, 0)), ("top", "left", tip)):
        b.add_body(name, parent, cd.joints.revolute("y"), rod, placement=cd.SE3.from_translation(place))
    return b.add_constraint(cd.constraints.point("right", tip, "top", tip)).build()


@pytest.mark.slow
def test_lanes_that_lose_rank_leave_their_neighbours_alone():
    """Oracle: the single run, which the lane is stepped as; the batch without it, to the bit."""
    model = parallelogram()
    q, v = starts(model, np.array([0.3, 0.3, np.pi / 2 - 0.3]), spread=0.1)
    expected = cd.simulate(model, q, v, **FIXED)
    q[4], v[4] = (np.pi / 2, np.pi / 2, 0.0), 0.0
    short = {**FIXED, "duration": 2e-3}
    assert np.abs(cd.simulate(model, q, v, **short).q[4] - cd.simulate(model, q[4], v[4], **short).q).max() < 1e-12
    found = cd.simulate(model, q, v, **FIXED)
    rest = np.delete(np.arange(COUNT), 4)
    assert_array_equal(found.q[rest], expected.q[rest])


@pytest.mark.slow
def test_a_prescribed_crank_drives_the_loop():
    """Oracle: the linkage in closed form, closed in either way."""
    model, sides = four_bar.builder().prescribe("crank", lambda t: 0.7 + 3 * t + t * t).build(), np.array([1.0, -1.0])
    q0 = four_bar.angles(np.full(2, 0.7), sides)
    h = 1e-6
    there, before = (four_bar.angles(np.full(2, 0.7 + 3 * s * h), sides) for s in (1, -1))
    v0 = (there - before) / (2 * h)
    q, v = cd.project(model, np.tile(q0, (5, 1)), np.tile(v0, (5, 1)))
    found = cd.simulate(model, q, v, integrator="rk4", **OPTIONS)
    crank = 0.7 + 3 * found.t + found.t**2
    for i, side in ((0, 1.0), (9, -1.0)):
        assert np.abs(found.q[i] - four_bar.angles(crank, side)).max() < 1e-9
    assert_array_equal(found.q[8], found.q[0])


def test_an_empty_batch_has_an_empty_answer(linkage):
    """Oracle: its shape."""
    model = linkage[0]
    found = cd.simulate(model, np.empty((0, 3)), np.empty((0, 3)), **FIXED)
    assert found.q.shape == (0, 31, 3)
