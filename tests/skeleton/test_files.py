"""Motions of skeletons in files and on stages."""

import json
from dataclasses import replace

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.skeleton import Skeleton
from condyle.skeleton.springs_and_limits import spring_ends
from condyle.view.skeleton_meshes import drawable

from .dense import CHAIN, random_dense
from .test_elastic import sprung


@pytest.fixture(scope="module")
def motion():
    return Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays).simulate(duration=0.1)


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_a_motion_comes_back_from_its_file(motion, tmp_path):
    """Oracle: bit by bit the same numbers, and the same report."""
    back = cd.load(cd.save(motion, tmp_path / "motion.npz"))
    assert np.array_equal(back.states.positions, motion.states.positions)
    assert np.array_equal(back.states.rotations, motion.states.rotations)
    assert back.skeleton.joint_names == motion.skeleton.joint_names
    assert back.stopped is None
    assert str(back.report()) == str(motion.report())


def test_springs_limits_and_turns_come_back_from_a_file(tmp_path):
    """Oracle: the same tables, turns and report; a file from before they existed has none of them."""
    _, skeleton = sprung(damping=0.2)
    skeleton = replace(skeleton, constant_torques=np.array([0.5, 0.0]))
    motion = skeleton.simulate(duration=0.1)
    path = cd.save(motion, tmp_path / "motion.npz")
    back = cd.load(path)
    assert back.skeleton.limits == skeleton.limits
    assert [s.name for s in back.skeleton.springs] == [s.name for s in skeleton.springs]
    assert np.array_equal(back.skeleton.springs[1].points, skeleton.springs[1].points)
    assert np.array_equal(back.states.turns, motion.states.turns)
    assert str(back.report()) == str(motion.report())
    new = ("springs", "spring_names", "limits", "constant_torques", "turns", "start_turns")
    np.savez(path, **{name: x for name, x in np.load(path).items() if name not in new})
    old = cd.load(path).skeleton
    assert (old.springs, old.limits, old.constant_torques.tolist()) == ((), (), [0.0, 0.0])


@pytest.mark.slow
def test_springs_are_drawn_where_they_are(tmp_path):
    """Oracle: the first and last ring of every coil are around the ends of its spring; exports take them."""
    _, skeleton = sprung()
    motion = skeleton.simulate(duration=0.1)
    starts, ends = spring_ends(skeleton, motion.last)
    _, drawn = drawable(motion, None)
    for start, end, sheet in zip(starts, ends, drawn[-2:], strict=True):
        points = sheet.points(0.1)
        assert points[0, :-1].mean(axis=0) == pytest.approx(start, abs=1e-12)
        assert points[-1, :-1].mean(axis=0) == pytest.approx(end, abs=1e-12)
    assert cd.view.export(motion, tmp_path / "m.html").stat().st_size > 10_000
    assert cd.view.export(skeleton, tmp_path / "m.png").stat().st_size > 5_000
    skeleton.draw(path=tmp_path / "s.png")


def test_a_file_that_lacks_something_says_what(motion, tmp_path):
    """Oracle: the words."""
    path = cd.save(motion, tmp_path / "motion.npz")
    arrays = {name: x for name, x in np.load(path).items() if name != "masses"}
    np.savez(path, **arrays)
    with pytest.raises(BadFile, match="a motion of a skeleton needs more arrays"):
        cd.load(path)


def test_bodies_that_float_are_where_the_skeleton_is(motion):
    """Oracle: the states, through the minimal engine's forward kinematics."""
    poses = motion.as_trajectory().poses()
    assert poses.xyz == pytest.approx(motion.states.positions, abs=1e-14)
    assert poses.as_rotation() == pytest.approx(motion.states.rotations, abs=1e-14)


@pytest.mark.slow
def test_exports_hold_bodies_and_joints(motion, tmp_path):
    """Oracle: the parts of the glTF file by name and count; the player and the picture are written."""
    data = cd.view.export(motion, tmp_path / "m.glb").read_bytes()
    size = int.from_bytes(data[12:16], "little")
    tree = json.loads(data[20 : 20 + size])
    names = [node.get("name", "") for node in tree["nodes"]]
    assert {"body0", "body1", "body2"} <= set(names)
    assert len(tree["meshes"]) >= 5  # three ellipsoids, a cylinder, a sphere
    assert cd.view.export(motion, tmp_path / "m.html").stat().st_size > 10_000
    assert cd.view.export(motion.skeleton, tmp_path / "m.png").stat().st_size > 5_000
