"""One member of a batch: how it is taken, and what is said to who indexes the trajectory instead."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import UnknownName
from condyle.gallery import leg


@pytest.mark.parametrize("batch", [(2,), (2, 1)])
def test_an_index_into_a_batch_is_answered_with_the_way_to_take_a_member(batch):
    """Oracle: the expression in the words, evaluated: the member alone."""
    model = leg()
    trajectory = cd.simulate(model, np.zeros((*batch, 3)), duration=0.01, step=1e-3)
    with pytest.raises(UnknownName, match=r"no coordinate named 0.*hip") as wrong:
        trajectory[0]
    words = str(wrong.value)
    member = eval(words[words.index("cd.Trajectory(") :], {"cd": cd, "trajectory": trajectory})
    assert member.batch == () and np.array_equal(member["hip"], trajectory.q[(0,) * len(batch)][:, 0])


def test_one_thing_is_told_in_the_singular():
    """Oracle: English."""
    b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
    one = b.add_constant_force("door", 2.0).build()
    assert "1 body, 1 degree of freedom, 1 force" in repr(one)
    assert "1 body, 1 hinge" in repr(cd.skeleton.from_model(one))
    assert "3 bodies, 3 degrees of freedom" in repr(leg())
