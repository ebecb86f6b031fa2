"""Motions of skeletons in files and on stages."""

import json

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.skeleton import Skeleton

from .dense import CHAIN, random_dense


@pytest.fixture(scope="module")
def motion():
    return Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays).simulate(duration=0.1)


def test_a_motion_comes_back_from_its_file(motion, tmp_path):
    """Oracle: bit by bit the same numbers, and the same report."""
    back = cd.load(cd.save(motion, tmp_path / "motion.npz"))
    assert np.array_equal(back.states.positions, motion.states.positions)
    assert np.array_equal(back.states.rotations, motion.states.rotations)
    assert back.skeleton.joint_names == motion.skeleton.joint_names
    assert back.stopped is None
    assert str(back.report()) == str(motion.report())


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
