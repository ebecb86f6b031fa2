"""A skeleton stays as it was made."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from condyle.errors import BadShape, BadTree, BadValue
from condyle.skeleton import Skeleton

from .dense import CHAIN, random_dense
from .test_elastic import sprung


def arrays(skeleton):
    """All arrays of a skeleton, of its springs and of what kernels read."""
    own = [x for x in vars(skeleton).values() if isinstance(x, np.ndarray)]
    return [*own, *vars(skeleton.initial).values(), *skeleton.plan, *(s.points for s in skeleton.springs)]


@pytest.mark.parametrize("copied", [lambda s: s, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
@pytest.mark.parametrize(
    "made", [lambda: Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays), lambda: sprung()[1]]
)
def test_no_array_of_a_skeleton_can_be_written_to(made, copied):
    """Oracle: numpy's own flag."""
    skeleton = copied(made())
    found = arrays(skeleton)
    assert len(found) > 20
    assert not any(array.flags.writeable for array in found)


def test_what_a_skeleton_was_made_of_can_change_without_changing_it():
    """Oracle: the energy before the caller's arrays were written to."""
    given = {name: np.array(x, dtype=float) for name, x in random_dense(CHAIN, "hs").arrays.items() if name != "pairs"}
    gravity = np.array([0.0, 0.0, -9.81])
    skeleton = Skeleton.from_arrays(pairs=CHAIN, **given | {"gravity": gravity})
    before = skeleton.energy()
    for array in (*given.values(), gravity):
        array += 1.0
    assert skeleton.energy() == before


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"pairs": np.array([(0, 1), (1, 9)])}, BadTree, "joint1"),
        ({"pairs": np.array([(0, 1)])}, BadShape, "pairs"),
        ({"frames": np.zeros((1, 2, 3, 3))}, BadShape, "frames"),
        ({"locked": np.array([2, 7])}, BadValue, "locks"),
    ],
)
def test_numbers_that_point_outside_are_refused(changes, error, words):
    """Oracle: the class and the part."""
    with pytest.raises(error, match=words):
        replace(Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays), **changes)
