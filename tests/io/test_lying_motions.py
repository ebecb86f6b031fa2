"""Motions in files whose parts do not go together, or that are of another model, are refused by name."""

import numpy as np
import pytest

import condyle as cd
from condyle.control import TorqueFunctions
from condyle.errors import BadFile
from condyle.gallery import three_bodies


def chain(*names, axis="x"):
    """A chain of revolute joints of these names."""
    b, parent = cd.ModelBuilder(), None
    for name in names:
        b.add_body(name, parent, cd.joints.revolute(axis), cd.Inertia.box(1.0, (0.1, 0.1, 0.3)))
        parent = name
    return b.build()


def motion(model, count=3):
    """At rest."""
    return cd.Trajectory(model, np.arange(float(count)), np.zeros((count, model.nq)), np.zeros((count, model.nv)))


def changed(path, **arrays):
    """The file with some arrays replaced, or taken out by None."""
    with np.load(path) as stored:
        kept = dict(stored) | arrays
    np.savez(path, **{name: x for name, x in kept.items() if x is not None})
    return path


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (("hip", "ankle"), "its coordinate 1 is 'knee', that of the model that was given is 'ankle'"),
        (("knee", "hip"), "its coordinate 0 is 'hip', that of the model that was given is 'knee'"),
        (("hip", "knee", "ankle"), "it holds 2 coordinates, the model that was given has 3"),
    ],
)
def test_a_trajectory_is_not_loaded_with_another_model(other, words, tmp_path):
    """Oracle: the names of both; the model that it was made with is good."""
    path = cd.save(motion(chain("hip", "knee")), tmp_path / "run.npz")
    with pytest.raises(BadFile, match=words):
        cd.load(path, model=chain(*other))
    assert len(cd.load(path, model=chain("hip", "knee", axis="y")).t) == 3


def test_a_trajectory_whose_own_model_is_another_is_refused(tmp_path):
    """Oracle: the names."""
    path = cd.save(motion(chain("hip", "knee")), tmp_path / "run.npz")
    with pytest.raises(BadFile, match="its coordinate 0 is 'elbow', that of its own model is 'hip'"):
        cd.load(changed(path, coordinates=np.array(["elbow", "wrist"])))
    with pytest.raises(BadFile, match="coordinates must be names"):
        cd.load(changed(path, coordinates=np.zeros(2)))


@pytest.mark.parametrize("model", [3, "leg.toml", np.zeros(3)])
def test_what_is_no_model_is_refused(model, tmp_path):
    """Oracle: the class."""
    path = cd.save(motion(chain("hip")), tmp_path / "run.npz")
    with pytest.raises(cd.CondyleError, match="`model` must be a Model"):
        cd.load(path, model=model)


TIMES = [
    (np.array([0.0, np.nan, 2.0]), "times t must be finite"),
    (np.array([0.0, 2.0, 1.0]), "times must increase; 1 s comes after 2 s"),
    (np.array([0.0, 0.0, 1.0]), "times must increase; 0 s comes after 0 s"),
    (np.array(["a", "b", "c"]), "t must be numbers"),
]


@pytest.mark.parametrize(("t", "words"), TIMES)
def test_times_that_are_none_are_refused(t, words, tmp_path):
    """Oracle: the numbers; for trajectories, for motions of skeletons and for torques."""
    run = cd.save(motion(chain("hip")), tmp_path / "run.npz")
    skeleton = cd.save(three_bodies().simulate(duration=0.02, step=0.01), tmp_path / "skeleton.npz")
    x = np.zeros((4, 2))
    torques = cd.save(TorqueFunctions(np.arange(4.0), x, x, x, "linear"), tmp_path / "torques.npz")
    changed(torques, tau=x[:3], q=x[:3], v=x[:3])
    for path in (run, skeleton):
        with pytest.raises(BadFile, match=words):
            cd.load(changed(path, t=t))
    with pytest.raises(BadFile, match=r"torques\.npz"):
        cd.load(changed(torques, t=t))


@pytest.fixture
def tumbling(tmp_path):
    return cd.save(three_bodies().simulate(duration=0.02, step=0.01), tmp_path / "motion.npz")


NAN = np.full((3, 3, 3), np.nan)
LIES = {
    "t": [np.arange(4.0), np.arange(2.0), np.zeros((3, 2)), np.array(0.5), np.zeros(0)],
    "positions": [
        np.zeros((3, 2, 3)),
        np.zeros((3, 3, 2)),
        np.zeros((2, 3, 3)),
        np.zeros(()),
        NAN,
        np.full((3, 3, 3), "a"),
    ],
    "rotations": [
        np.zeros((3, 3, 3, 3)),
        np.full((3, 3, 3, 3), np.nan),
        np.ones((3, 3, 3)),
        np.full((3, 3, 3, 3), "x"),
    ],
    "velocities": [np.zeros((2, 3, 3)), NAN, np.full((3, 3, 3), np.inf)],
    "angular_velocities": [np.zeros((4, 3, 3)), NAN, np.zeros((3, 3, 3), complex)],
    "turns": [np.zeros((2, 2)), np.zeros((3, 5))],
    "loads": [np.zeros((3, 5)), np.zeros((7, 24)), np.full((1, 24), np.nan), np.zeros(24), np.full((1, 24), "a")],
    "stopped_time": [np.zeros(2), np.array("never")],
    "stopped_reason": [np.array(3.0), np.array(["", ""])],
    "frames": [np.zeros((2, 2, 3, 3)), np.full((2, 2, 3, 3), np.nan), np.zeros((1, 2, 3, 3))],
    "locked": [np.array([1, 7]), np.zeros(3), np.array([0.5, 2])],
    "pairs": [np.zeros((2, 3)), np.array([[0, 0.5], [1, 2]]), np.array([[0, 99], [1, 2]]), np.full((2, 2), "a")],
    "masses": [np.array([1.0, np.nan, 1.0]), np.array([1.0, -1.0, 1.0]), np.ones(2), np.array(["a"] * 3)],
    "inertias": [np.zeros((3, 3, 3)), np.full((3, 3, 3), np.nan)],
    "gravity": [np.full(3, np.inf), np.zeros(2), np.array(["x", "y", "z"])],
    "friction": [np.array([-1.0, 0.0]), np.zeros(3)],
    "body_names": [np.array(["a", "a", "b"]), np.zeros(3), np.array("a"), np.array(["a", "b"])],
    "joint_names": [np.array(["a", "a"]), np.zeros(2)],
    "start_positions": [np.zeros((2, 3)), np.full((3, 3), np.nan), np.full((3, 3), "a")],
    "start_rotations": [np.zeros((3, 3, 3)), np.full((3, 3, 3), np.nan)],
    "limits": [np.array([[9.0, 0, 1, 1, 0]]), np.array([[0.0, 1]]), np.full((1, 5), np.nan)],
    "springs": [np.zeros((1, 11)), np.zeros((1, 5))],
    "constant_torques": [np.zeros(5), np.full(2, np.nan)],
    "kind": [np.array(3), np.array("trajectory"), np.array(["skeleton motion"]), None],
    "condyle": [np.array(2), np.array(0), np.array("1"), np.array([1]), np.array(1.0), None],
}


@pytest.mark.parametrize(("name", "number"), [(name, k) for name, lies in LIES.items() for k in range(len(lies))])
def test_a_motion_of_a_skeleton_that_lies_is_refused(name, number, tumbling):
    """Oracle: one array of a sound file replaced by another that cannot be meant."""
    with pytest.raises(BadFile, match=r"motion\.npz"):
        cd.load(changed(tumbling, **{name: LIES[name][number]}))


def test_a_member_that_stopped_may_have_no_numbers_after_it(tumbling):
    """Oracle: NaN from the record at which it stopped is read; before it, refused."""
    with np.load(tumbling) as stored:
        states = {name: stored[name].copy() for name in ("positions", "rotations", "velocities", "angular_velocities")}
    for x in states.values():
        x[2:] = np.nan
    stop = {"stopped_time": np.array(0.02), "stopped_reason": np.array("diverged")}
    assert cd.load(changed(tumbling, **states, **stop)).stopped.reason == "diverged"
    for x in states.values():
        x[1], x[2] = np.nan, 0.0
    with pytest.raises(BadFile, match="NaN or infinite before its member stopped"):
        cd.load(changed(tumbling, **states, **stop))


STOPS = {
    "stopped_member": [np.array([3]), np.array([-1]), np.array([0.5]), np.array(["a"]), np.array(0)],
    "stopped_time": [np.array([1.0, 2.0]), np.array(["a"])],
    "stopped_q": [np.zeros((1, 2)), np.zeros((2, 1)), np.array([["a"]])],
    "stopped_v": [np.zeros((1, 2)), None],
    "q": [np.full((3, 1), np.inf), np.zeros((3, 2)), np.zeros((2, 1)), np.zeros(3), np.full((3, 1), "a")],
    "v": [np.full((3, 1), np.inf), np.zeros((3, 2)), np.zeros((3, 1), complex)],
    "outside": [np.zeros((1, 2)), np.array([["a"] * 4])],
    "outside_coordinate": [np.array(["hip", "hip"]), None],
    "model": [np.array(3), np.array(["text"]), np.array("condyle = ["), None],
}


@pytest.mark.parametrize(("name", "number"), [(name, k) for name, lies in STOPS.items() for k in range(len(lies))])
def test_a_trajectory_that_lies_is_refused(name, number, tmp_path):
    """Oracle: one array of a sound file replaced by another that cannot be meant."""
    model = chain("hip")
    stopped = cd.simulate(model, [0.0], duration=2.0, step=1.0, stop=lambda t, q, v: np.array(t > 0.5)).stopped
    outside = {"outside": np.array([[0.0, 1.0, 2.0, 3.0]]), "outside_coordinate": np.array(["hip"])}
    run = cd.Trajectory(model, np.arange(3.0), np.zeros((3, 1)), np.zeros((3, 1)), stopped)
    path = changed(cd.save(run, tmp_path / "run.npz"), **outside)
    assert cd.load(path).outside[0].reached == 1.0
    with pytest.raises(BadFile, match=r"run\.npz"):
        cd.load(changed(path, **{name: STOPS[name][number]}))


def test_a_trajectory_that_would_not_load_is_not_saved(tmp_path):
    """Oracle: the class; nothing is written."""
    model = chain("hip")
    for t in (np.array([0.0, 1.0, 1.0]), np.array([0.0, np.nan, 1.0]), np.arange(2.0)):
        with pytest.raises(BadFile, match=r"run\.npz"):
            cd.save(cd.Trajectory(model, t, np.zeros((3, 1)), np.zeros((3, 1))), tmp_path / "run.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arrays",
    [
        {"tau": np.zeros(4)},
        {"q": np.zeros((3, 2))},
        {"interpolation": np.array(3)},
        {"interpolation": np.array("quintic")},
        {"v": np.full((4, 2), np.nan)},
        {"tau": np.full((4, 2), "a")},
        {"t": np.zeros((4, 2))},
        {"q": None},
    ],
    ids=str,
)
def test_torques_that_lie_are_refused(arrays, tmp_path):
    """Oracle: one array of a sound file replaced by another that cannot be meant."""
    x = np.zeros((4, 2))
    path = cd.save(TorqueFunctions(np.arange(4.0), x, x, x), tmp_path / "torques.npz")
    with pytest.raises(BadFile, match=r"torques\.npz"):
        cd.load(changed(path, **arrays))
