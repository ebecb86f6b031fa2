"""Progress of batches and motions, which changes no answer."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import planar_chain


@pytest.mark.parametrize("restarts", [0, 2])
def test_a_batch_is_reported_in_pieces_with_the_same_answers(restarts):
    """Oracle: the batch at once, member by member to the last bit; goals near and out of reach."""
    model, rng, seen = planar_chain((0.4, 0.3, 0.2)), np.random.default_rng(0), []
    goals = np.concatenate([rng.uniform(-0.8, 0.8, (5000, 2)), np.zeros((5000, 1))], axis=1).reshape(50, 100, 3)
    target = cd.ik.position("link3", goals, at=(0.2, 0, 0))
    plain = cd.ik.solve(model, target, [0.1, 0.2, 0.3], restarts=restarts)
    found = cd.ik.solve(model, target, [0.1, 0.2, 0.3], restarts=restarts, progress=lambda *x: seen.append(x))
    for name in ("q", "residual", "reached", "stationary", "iterations", "restarts"):
        assert np.array_equal(getattr(found, name), getattr(plain, name)), name
    assert [done for _, done, _ in seen] == [2048, 4096, 5000] and {x[2] for x in seen} == {5000}


@pytest.mark.parametrize("stride", [1, 4])
def test_a_motion_is_reported_record_by_record(stride):
    """Oracle: the number of records."""
    model, seen, t = planar_chain((0.4, 0.3, 0.2)), [], np.linspace(0.0, 1.0, 21)
    path = np.stack([0.5 + 0.1 * t, 0.2 * t, 0.0 * t], axis=1)
    target = cd.ik.position("link3", path, at=(0.2, 0, 0))
    found = cd.ik.follow(model, target, [0.1, 0.5, 0.5], stride=stride, progress=lambda *x: seen.append(x))
    assert np.all(found.reached)
    assert seen[-1] == ("records", 21, 21) and [x[1] for x in seen] == sorted({x[1] for x in seen})
