"""A batch of no members has no members in its answers, as in the other engine."""

import numpy as np
import pytest

import condyle as cd
from condyle.skeleton import SkeletonBuilder
from condyle.skeleton.state import State


def arm():
    """Two bodies on a ball and a hinge with a limit."""
    b = SkeletonBuilder()
    b.add_body("upper", cd.Inertia.box(2.0, (0.1, 0.1, 0.4)), position=(0, 0, 1.0))
    b.add_body("lower", cd.Inertia.box(1.0, (0.1, 0.1, 0.4)), position=(0, 0, 0.6))
    b.add_ball("upper", None, at=(0, 0, 1.2))
    b.add_hinge("lower", "upper", at=(0, 0, 0.8), axis=(0, 1, 0), name="elbow")
    return b.build()


def none_of(state, *batch):
    """A batch without members of a state's shape."""
    fields = (getattr(state, name) for name in ("positions", "rotations", "velocities", "angular_velocities"))
    return State.checked(*(np.empty((*batch, *x.shape)) for x in fields))


@pytest.mark.parametrize("batch", [(0,), (3, 0)])
@pytest.mark.parametrize("integrator", ["variational", "rk4", "printed"])
def test_a_run_of_nobody_has_its_records(batch, integrator):
    """Oracle: shapes; eleven records of no members."""
    s = arm()
    run = s.simulate(none_of(s.initial, *batch), duration=0.1, step=0.01, integrator=integrator)
    assert run.states.positions.shape == (*batch, 11, 2, 3) and len(run.t) == 11
    assert run.report().energy.shape == (*batch, 11) and run.stopped is None


def test_what_is_asked_of_nobody():
    """Oracle: shapes."""
    s = arm()
    nobody = none_of(s.initial, 0)
    assert s.accelerations(nobody).linear.shape == (0, 2, 3)
    assert s.projected(nobody).state.positions.shape == (0, 2, 3)
    assert s.energy(nobody).total.shape == (0,) and s.angles(nobody).shape == (0, 2)
