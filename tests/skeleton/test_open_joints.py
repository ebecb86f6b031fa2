"""Joints that come apart where nothing closes them are told; gaps are computed here from poses, one state at a time."""

import re
import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import CondyleWarning
from condyle.simulation.recordings import recording_run
from condyle.skeleton import Skeleton, SkeletonBuilder, State, from_model
from condyle.skeleton.open_joints import joint_sizes, open_joints

REACH = 0.2  # [m] from the centre of a box of the arm to its joints


def arm(scale=1.0):
    """A ball and a hinge; lengths and gravity times `scale`, masses as they are: the same motion, only larger."""
    b = SkeletonBuilder(gravity=(0.0, 0.0, -9.81 * scale))
    box = (0.1 * scale, 0.1 * scale, 0.4 * scale)
    b.add_body("upper", cd.Inertia.box(2.0, box), position=(0.0, 0.0, 1.0 * scale))
    b.add_body("lower", cd.Inertia.box(1.0, box), position=(0.0, 0.0, 0.6 * scale))
    b.add_ball("upper", None, at=(0.0, 0.0, 1.2 * scale), name="shoulder")
    b.add_hinge("lower", "upper", at=(0.0, 0.0, 0.8 * scale), axis=(0, 1, 0), friction=0.1 * scale**2, name="elbow")
    return b.build()


def servo(skeleton, gain):
    """A spring of a motor on the elbow, held over steps [N m/rad]; a number or one for each member."""

    def control(t, state):
        torque = -np.asarray(gain) * (skeleton.angles(state)[..., 1] - 0.5)
        return {"motors": np.stack([0.0 * torque, torque], axis=-1)}

    return control


def gaps(skeleton, state):
    """(joints,) of one state, from its poses."""
    found = []
    for (a, b), (r, s) in zip(skeleton.pairs, skeleton.points, strict=True):
        places = [x if i < 0 else state.positions[i] + state.rotations[i] @ x for i, x in ((a, r), (b, s))]
        found.append(np.linalg.norm(places[0] - places[1]))
    return np.array(found)


def told(run):
    """What is said of joints while `run` runs."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        motion = run()
    return motion, [str(w.message) for w in caught if "came apart" in str(w.message)]


def numbers(words):
    """The gap, its time and the largest one of a warning."""
    return [float(x) for x in re.search(r"are (\S+) m apart at t = (\S+) s, and up to (\S+) m", words).groups()]


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
def test_a_motor_that_pulls_an_elbow_apart_is_told_in_arms_of_every_size(scale):
    """Oracle: gaps of each record from its poses; similarity (lengths and gravity times s, torques times s²)."""
    skeleton = arm(scale)
    how = {"duration": 1.0, "step": 0.01, "integrator": "rk4"}
    motion, words = told(lambda: skeleton.simulate(control=servo(skeleton, 50.0 * scale**2), **how))
    seen = np.array([gaps(skeleton, motion.states[k]) for k in range(len(motion.t))])
    first = int(np.argmax((seen > 1e-3 * REACH * scale).any(axis=1)))
    assert len(words) == 1
    assert "'elbow'" in words[0]
    assert "variational" in words[0]
    expected = [seen[first, 1], motion.t[first], seen[:, 1].max()]
    np.testing.assert_allclose(numbers(words[0]), expected, rtol=6e-3)
    assert expected[2] > scale
    assert told(lambda: skeleton.simulate(control=servo(skeleton, 10.0 * scale**2), **how))[1] == []


def test_the_remedies_of_the_warning_help():
    """Oracle: gaps of the last record from its poses."""
    skeleton = arm()
    for how in ({"step": 1e-3, "integrator": "rk4"}, {"step": 5e-3, "integrator": "variational"}):
        motion, words = told(lambda how=how: skeleton.simulate(duration=0.5, control=servo(skeleton, 30.0), **how))
        assert words == []
        assert motion.stopped is None
        assert gaps(skeleton, motion.last).max() < 1e-3 * REACH


def test_the_member_of_a_batch_is_named_and_records_may_be_far_apart():
    """Oracle: one member of six is stiff; its own run alone says the same numbers."""
    skeleton, gain = arm(), np.full((2, 3), 1.0)
    gain[1, 2] = 50.0
    state = State(*(np.broadcast_to(x, (2, 3, *x.shape)).copy() for x in vars(skeleton.initial).values()))
    how = {"duration": 1.0, "step": 0.01, "integrator": "rk4", "record": 0.1}
    _, words = told(lambda: skeleton.simulate(state, control=servo(skeleton, gain), **how))
    _, alone = told(lambda: skeleton.simulate(control=servo(skeleton, 50.0), **how))
    assert len(words) == len(alone) == 1
    assert "member [1, 2]" in words[0]
    assert "member" not in alone[0]
    np.testing.assert_allclose(numbers(words[0]), numbers(alone[0]), rtol=1e-2)
    assert numbers(words[0])[1] == pytest.approx(0.2)


def test_runs_to_a_folder_say_what_runs_in_memory_do(tmp_path, monkeypatch):
    """Oracle: the run in memory, for chunks of some records, and for one that was interrupted and resumed."""
    monkeypatch.setattr(recording_run, "BYTES", 8 * 39 * 7)  # 7 records in a chunk
    skeleton = arm()
    push, how = servo(skeleton, 50.0), {"duration": 1.0, "step": 0.01, "integrator": "rk4"}
    _, expected = told(lambda: skeleton.simulate(control=push, **how))
    found, words = told(lambda: skeleton.simulate(control=push, record_to=tmp_path / "whole", **how))
    assert words == expected
    assert len(list(found.folder.glob("chunk-*.npy"))) > 10
    asked = []

    def control(t, state):
        asked.append(t)
        if len(asked) == 60:
            raise KeyboardInterrupt
        return push(t, state)

    with pytest.raises(cd.Interrupted):
        skeleton.simulate(control=control, record_to=tmp_path / "part", **how)
    _, words = told(lambda: skeleton.simulate(control=control, record_to=tmp_path / "part", resume=True, **how))
    assert words == expected
    assert asked[60] > numbers(expected[0])[1]  # it went on after the first gap


def test_members_that_stopped_are_looked_at_until_then():
    """Oracle: NaN is no gap, and no warning of arithmetic comes of it."""
    skeleton = arm()
    how = {"duration": 2.0, "step": 0.01, "integrator": "rk4", "control": servo(skeleton, 1e3)}
    with np.errstate(all="raise"):
        motion, words = told(lambda: skeleton.simulate(**how))
    assert motion.stopped is not None
    assert len(words) == 1
    assert np.isfinite(numbers(words[0])).all()


def test_axes_and_frames_that_turn_apart_are_told():
    """Oracle: a body is turned by 0.01 rad about its centre of mass, where the joint is; its chord is 2 sin(0.005)."""
    c, s = np.cos(0.01), np.sin(0.01)
    turned = np.array([[[1.0, 0, 0], [0, c, -s], [0, s, c]]])
    body = cd.Inertia.box(1.0, (0.3, 0.2, 0.1))
    for joint, expected in (("hinge", 2 * np.sin(0.005)), ("weld", 2 * np.sin(0.005)), ("ball", None)):
        b = SkeletonBuilder().add_body("wheel", body, position=(3.0, 0, 0))
        axis = {"axis": (0, 0, 1)} if joint == "hinge" else {}
        skeleton = getattr(b, f"add_{joint}")("wheel", None, at=(3.0, 0, 0), name="axle", **axis).build()
        at = skeleton.initial
        states = State(*(x[None] for x in (at.positions, turned, at.velocities, at.angular_velocities)))
        found = open_joints(skeleton, np.array([0.25]), states)
        assert [(x.joint, x.unit, x.time) for x in found] == ([("axle", "rad", 0.25)] if expected else [])
        assert [x.value for x in found] == pytest.approx([expected] if expected else [], rel=1e-12)


def test_the_size_that_a_gap_is_compared_with():
    """Oracle: by hand. A reach from centres of mass to joints, a radius of gyration, and a tenth of the median."""
    moments = np.array([2.0 * 0.3**2 * np.eye(3) * 2 / 3, 1e-12 * np.eye(3), 1e-12 * np.eye(3), np.eye(3) * 1e-6])
    points = np.zeros((4, 2, 3))
    points[0, 1] = 1e6, 0.0, 0.0  # the world is as large as its coordinates are far: it does not count
    points[3, 0, 0], points[3, 1, 1] = 0.7, 1e-4
    positions = [[1e6, 0, 0], [1e6, 0, 0], [1e6, 0, 0], [1e6 - 0.7, 1e-4, 0]]
    skeleton = Skeleton.from_arrays(
        [2.0, 1e-6, 1e-6, 1.0], moments, [[0, -1], [1, 0], [2, 1], [3, 2]], points, np.zeros((4, 2, 3)), positions
    )
    gyration = 1.5**0.5 * 0.3 * (2 / 3) ** 0.5
    tiny = np.sqrt(1.5e-12 / 1e-6)  # of two bodies between hinges
    assert tiny < 0.1 * gyration
    middle = 0.1 * gyration
    np.testing.assert_allclose(joint_sizes(skeleton), [gyration, gyration, middle, 0.7], rtol=1e-12)


@pytest.mark.parametrize("integrator", ["rk4", "variational"])
def test_models_that_are_held_close_their_joints_or_stop(integrator):
    """Oracle: the gaps of all records, with the motor that is too stiff for the step."""
    b = cd.ModelBuilder(gravity=(0.0, 0.0, -9.81))
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 0.4), com=(0.0, 0.0, -0.2))
    b.add_body("upper", joint=cd.joints.revolute("y"), inertia=rod)
    screw, below = cd.joints.helical("y", 0.01), cd.SE3.from_translation((0.0, 0.0, -0.4))
    b.add_body("lower", parent="upper", joint=screw, inertia=rod, placement=below)
    held = from_model(b.build(), q=[0.0, 0.0])

    def control(t, state):
        q, _ = held.coordinates(state)
        return {"motors": np.array([0.0, -100.0 * (float(q[1]) - 0.5)])}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CondyleWarning)
        motion = held.simulate(duration=0.5, step=0.01, integrator=integrator, control=control)
    assert np.nanmax(motion.gaps()) < 1e-8
