"""Torques of what contacts carry, played forward."""

import numpy as np
import pytest

import condyle as cd
from condyle.control.carried.planned_path import PlannedPath
from condyle.gallery.scenes.person import MOTIONS, driven, off_goals

from .test_carried import CORNERS, SOLE, block, hopper, standing

C = cd.control


@pytest.fixture(scope="module")
def hop():
    """A tenth of a second of a squat on a sole."""
    model = hopper()
    space = C.AnimationSpace(
        model, [C.point("trunk", axes="z", name="height"), C.center_of_mass(axes="xy", name="balance")]
    )
    down = {"height": C.keyframes([0.0, 0.1], [0.55, 0.54])}
    return C.direct_carried(space, standing(model), down, contacts=[C.contact("foot", SOLE)], duration=0.1, step=0.01)


def test_a_sole_that_stands_is_a_weld_to_the_ground(hop):
    """Oracle: the engine's own simulation of the model rooted at its foot, under the same torques, without feedback."""
    model, torques = hop.space.model, C.torque_functions(hop)
    back = C.replay_carried(model, torques, hop.contacts, step=2e-3, record=0.02)
    held = model.rerooted("foot", cd.joints.weld(), placement=cd.forward_kinematics(model, torques.q[0])[2])
    first = cd.rerooted_state(model, held, torques.q[0], torques.v[0])
    columns = [model.v_index(name) for name in held.coordinates]
    drives = {"control": lambda t, q, v: torques.at(t)[columns], "control_at": "stages"}
    alone = cd.simulate(held, first.q, first.v, duration=0.1, step=2e-3, record=0.02, **drives)
    ours = back.trajectory.q[:, [model.q_index(name) for name in held.coordinates]]
    assert ours == pytest.approx(alone.q, abs=1e-7)


def test_the_planned_path_is_the_derivative_of_itself():
    """Oracle: poses of a free body that turns and moves, differentiated by differences of SE(3) logarithms; the records
    themselves; accelerations that jump at a record do so there."""
    model, rng = block(), np.random.default_rng(2)
    t = np.array([0.0, 0.1, 0.25, 0.3])
    q = [model.neutral()]
    for step in rng.normal(size=(3, 6)) * 0.3:
        q.append(cd.integrate(model, q[-1], step))
    q, v = np.array(q), rng.normal(size=(4, 6))
    path, h = PlannedPath(model, t, q, v), 1e-4
    for time in (0.03, 0.17, 0.29):
        before, (here, speed, a), after = (path.at(time + x) for x in (-h, 0.0, h))
        steps = [cd.difference(model, x, y) for x, y in ((before[0], here), (here, after[0]))]
        assert (steps[0] + steps[1]) / (2 * h) == pytest.approx(speed, rel=1e-4, abs=1e-4)
        assert (after[1] - before[1]) / (2 * h) == pytest.approx(a, rel=1e-4, abs=1e-3)
    for k in (1, 2):
        begin, end = path.at(t[k]), path.at(t[k], ending=True)
        for found in (begin, end):
            assert cd.difference(model, found[0], q[k]) == pytest.approx(0, abs=1e-12)
            assert found[1] == pytest.approx(v[k], abs=1e-10)
        assert path.at(t[k] - 1e-7)[2] == pytest.approx(end[2], rel=1e-3, abs=1e-2)
        assert np.abs(begin[2] - end[2]).max() > 1.0


def test_feedback_keeps_a_pushed_body_on_its_way(hop):
    """Oracle: the directed joints; a moment takes it off; the ground's forces stay what it can give."""
    push = lambda t, q, v: (t < 0.04) * _turning()  # noqa: E731
    torques = C.torque_functions(hop)
    options = {"disturbance": push, "step": 5e-3, "record": 0.02}
    still, loose = (
        C.replay_carried(hop.space.model, torques, hop.contacts, feedback=w, **options) for w in (60.0, 0.0)
    )
    off = [np.abs(x.drift[-1]).max() for x in (still, loose)]
    assert off[0] < 0.1 * off[1]
    assert still.residual.max() < 1e-6
    assert np.abs(still.tau[:, :6]).max() == 0.0


def _turning():
    W = np.zeros((3, 6))
    W[0, 1] = 2.0  # N m on the trunk
    return W


def test_a_ground_that_would_have_to_pull_is_said():
    """Oracle: a block lifted by 30 N weighs 19.62 N; the rest is the pull. Where no contact is it flies by that."""
    model = block()
    zero = C.TorqueFunctions(
        np.linspace(0, 0.2, 5), np.zeros((5, 6)), np.tile(model.neutral(), (5, 1)), np.zeros((5, 6))
    )
    lift = lambda t, q, v: np.array([[0, 0, 0, 0, 0, 30.0]])  # noqa: E731
    ground = [C.contact("block", CORNERS, during=[(0.0, 0.1)])]
    found = C.replay_carried(model, zero, ground, disturbance=lift, step=0.01)
    lifted = found.trajectory.t < 0.1 - 1e-9
    assert found.residual[lifted] == pytest.approx(30.0 - 2.0 * 9.81, rel=1e-6)
    assert found.residual[~lifted] == pytest.approx(0.0)
    assert found.trajectory.q[-1, 6] == pytest.approx(0.5 * (15.0 - 9.81) * 0.1**2, rel=1e-9)


def test_bad_replays_have_words(hop):
    """Oracle: the words."""
    torques = C.torque_functions(hop)
    with pytest.raises(cd.CondyleError, match="step and record must be positive"):
        C.replay_carried(hop.space.model, torques, hop.contacts, step=0.0)
    with pytest.raises(cd.CondyleError, match="feedback must not be negative"):
        C.replay_carried(hop.space.model, torques, hop.contacts, feedback=-1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "feedback", "most"), [("sits", 40.0, 1e-5), ("lifts", 40.0, 1e-4), ("walks", 60.0, 1e-5)]
)
def test_a_person_replayed_does_what_was_directed(kind, feedback, most):
    """Oracle: the directed joints [rad] over the whole scene, at steps of 5 ms; goals and the ground's forces."""
    motion = MOTIONS[kind]()
    assert off_goals(motion) < 1e-6
    assert motion.residual.max() < 1e-8
    torques, drives = C.torque_functions(motion), driven(motion.space.model)
    back = C.replay_carried(motion.space.model, torques, motion.contacts, actuated=drives, feedback=feedback, step=5e-3,
                            record=0.02)  # fmt: skip
    assert np.abs(back.drift).max() < most
    assert back.residual.max() < 1.0  # of 700 N
