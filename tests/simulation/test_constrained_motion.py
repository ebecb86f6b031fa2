"""Loops stay closed and wheels do not slip while time goes on."""

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from support.thinning import slow_but
from twins.mechanisms import pinned_chain, rolling_coin


@pytest.fixture(scope="module")
def ring():
    made, _, q = pinned_chain(np.random.default_rng(3), 4)
    model = made.model
    return (model, *cd.project(model, q, [0.2, 0.4, 0.6, 0.8]))


def gap(model, q):
    """The distance of the pinned points, from poses alone."""
    c = model.constraints[0]
    pose = cd.forward_kinematics(model, q)
    ends = [
        pose[..., body].apply(point) if body >= 0 else np.broadcast_to(point, (*q.shape[:-1], 3))
        for body, point in ((c.a, c.frame_a[:3, 3]), (c.b, c.frame_b[:3, 3]))
    ]
    return np.linalg.norm(ends[0] - ends[1], axis=-1)


@pytest.mark.parametrize(
    "integrator", slow_but(["rk4", "semi-implicit", "euler"], ["rk4", "adaptive", "semi-implicit", "euler"])
)
def test_a_ring_stays_closed(ring, integrator):
    """Oracle: the pinned points by forward kinematics; energy where the integrator promises it."""
    model, q, v = ring
    traj = cd.simulate(model, q, v, duration=0.5, step=1e-3, integrator=integrator)
    assert traj.stopped is None
    assert gap(model, traj.q).max() < 1e-11
    if integrator in ("rk4", "adaptive"):
        total = traj.energy().total
        assert np.abs(total - total[0]).max() < 1e-5


def test_energy_of_a_ring_falls_with_fourth_order(ring):
    """Oracle: conservation of energy."""
    model, q, v = ring

    def drift(step):
        total = cd.simulate(model, q, v, duration=0.4, step=step).energy().total
        return np.abs(total - total[0]).max()

    assert np.log2(drift(0.02) / drift(0.01)) > 3.5


@pytest.mark.slow
def test_a_batch_of_rings_is_its_members(ring):
    """Oracle: the single run, to round-off; members of a batch that are the same have the same bits."""
    model, q, v = ring
    batch = cd.simulate(model, np.tile(q, (5, 1)), np.tile(v, (5, 1)), duration=0.1, threads=2)
    alone = cd.simulate(model, q, v, duration=0.1)
    np.testing.assert_allclose(batch.q[0], alone.q, rtol=0, atol=1e-12)
    for member in batch.q:
        np.testing.assert_array_equal(member, batch.q[0])


def test_a_coin_rolls_on_and_keeps_its_energy():
    """Oracle: rolling without slip does no work; what the integrator loses falls with its fourth order."""
    model = rolling_coin()[0].model
    q, v = cd.project(model, [0, 0, 0, 0.3, 0], [0.5, 0.0, 0.0, 0.0, 2.0])

    def drift(step):
        total = cd.simulate(model, q, v, duration=0.4, step=step).energy().total
        return np.abs(total - total[0]).max()

    coarse, fine = drift(4e-3), drift(2e-3)
    assert np.log2(coarse / fine) > 3.5
    assert fine < 1e-5


def test_an_open_start_is_named(ring):
    model, q, v = ring
    with pytest.raises(errors.InconsistentLoop, match=r"constraint 0 .* is open by .* m; .*cd\.project"):
        cd.simulate(model, q + 0.1, v, duration=0.1)


def test_what_constraints_cannot_have_is_refused(ring):
    model, q, v = ring
    with pytest.raises(errors.NotSupported, match="variational integrator does not take constraints"):
        cd.simulate(model, q, v, duration=0.1, integrator="variational")
    with pytest.raises(errors.NotSupported, match="'stages' does not take models with constraints"):
        cd.simulate(model, q, v, duration=0.1, control=lambda t, q, v: 0 * v, control_at="stages")
