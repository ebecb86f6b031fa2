"""Trees of every joint kind in maximal coordinates: accelerations of the recursion, reactions that do no work."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, NotSupported
from twins.kinds import KINDS
from twins.trees import MIXED, twin


def both(tree, seed):
    rng = np.random.default_rng(seed)
    model, (q, v) = tree.model, tree.state(rng)
    tau = rng.normal(size=model.nv)
    return model, q, v, tau, cd.skeleton.maximal_accelerations(model, q, v, tau)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_twice_in_a_chain(kind):
    """Oracle: the O(n) recursion, which shares no equation with the dense system; equal to 1e-9."""
    tree = twin([(kind, -1), (kind, 0)], np.random.default_rng(3))
    model, q, v, tau, found = both(tree, 4)
    expected = cd.forward_dynamics(model, q, v, tau)
    assert np.abs(found.acceleration - expected).max() < 1e-9 * (1 + np.abs(expected).max())
    twists = cd.body_accelerations(model, q, v, expected)
    assert twists.shape == found.twist_rates.shape


def test_a_branched_tree_of_splines():
    tree = twin(MIXED, np.random.default_rng(5))
    model, q, v, tau, found = both(tree, 6)
    expected = cd.forward_dynamics(model, q, v, tau)
    assert np.abs(found.acceleration - expected).max() < 1e-9 * (1 + np.abs(expected).max())
    for k, body in enumerate(model.bodies):
        i = model.joint_starts[k][0]
        S = body.joint.jacobian(q[i : i + body.joint.nq])
        assert np.abs(S.T @ found.reactions[k]).max() < 1e-9 * (1 + np.abs(found.reactions).max())


def test_what_it_does_not_take_is_named():
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(BadShape, match="one state"):
        cd.skeleton.maximal_accelerations(b.build(), [[0.0]], [0.0])
    with pytest.raises(NotSupported, match="forces"):
        cd.skeleton.maximal_accelerations(b.add_damping("a", 1.0).build(), [0.0], [0.0])
