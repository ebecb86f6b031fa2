"""A motion on another skeleton, and feet that do not slide."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadShape, BadValue, CondyleWarning
from support.laboratory import FOLDER

SHARED = FOLDER / "bvh"
HEAD = """HIERARCHY
ROOT Hips
{{ OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  {legs} }}
MOTION
"""
LEG = """JOINT {side}Thigh
  {{ OFFSET {x} 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT {side}Shank
    {{ OFFSET 0 {thigh} 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT {side}Foot
      {{ OFFSET 0 {shank} 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {{ OFFSET 0 -0.06 0.15 }} }} }} }}"""


def walker(folder, thigh=-0.42, shank=-0.41, joints="euler"):
    """Hips on two legs that sway over their feet for two seconds: knees bend, feet hardly move."""
    legs = "\n".join(LEG.format(side=s, x=x, thigh=thigh, shank=shank) for s, x in (("Left", 0.1), ("Right", -0.1)))
    t = np.arange(120) / 60.0
    bend = 25.0 + 20.0 * np.sin(2.0 * np.pi * t / 2.0)
    rows = np.zeros((120, 6 + 18))
    rows[:, 1] = 0.85 * (0.42 * np.cos(np.radians(bend)) + 0.41 * np.cos(np.radians(bend)))
    rows[:, 0] = 0.02 * np.sin(2.0 * np.pi * t)
    for first in (6, 15):
        rows[:, first + 1], rows[:, first + 4], rows[:, first + 7] = -bend, 2.0 * bend, -bend
    text = HEAD.format(legs=legs) + f"Frames: 120\nFrame Time: {1 / 60}\n"
    path = folder / f"walker{thigh}{joints}.bvh"
    path.write_text(text + "\n".join(" ".join(f"{x:.6f}" for x in row) for row in rows) + "\n")
    return cd.read_character(path, joints=joints)


@pytest.mark.parametrize("joints", ["euler", "ball"])
def test_bodies_of_a_longer_skeleton_turn_as_those_of_the_motion(tmp_path, joints):
    """Oracle: rotations of the motion's own poses, whatever the joints; the first body's place, scaled by hand."""
    motion, other = walker(tmp_path), walker(tmp_path, -0.5, -0.46, joints)
    found = cd.ik.retarget(motion, other.model, scale=1.2)
    ours, theirs = found.trajectory.poses().as_matrix(), motion.poses().as_matrix()
    assert_allclose(ours[..., :3, :3], theirs[..., :3, :3], atol=1e-7)
    assert_allclose(ours[:, 0, :3, 3], 1.2 * theirs[:, 0, :3, 3], atol=1e-7)
    middle = (found.trajectory.q[2:] - found.trajectory.q[:-2]) * 30.0
    if joints == "euler":
        assert_allclose(found.trajectory.v[1:-1], middle, atol=1e-8)


def test_locked_feet_do_not_slide(tmp_path):
    """Oracle: places of feet by the poses of the result; without locking they slide by centimetres."""
    motion, other = walker(tmp_path), walker(tmp_path, -0.5, -0.40)
    feet = ("LeftFoot", "RightFoot")
    free = cd.ik.retarget(motion, other.model)
    found = cd.ik.retarget(motion, other.model, feet=feet, slowest=0.5, highest=0.3)
    assert {c.foot for c in found.contacts} == set(feet) and found.slide < 5e-3
    for c in found.contacts:
        foot = other.model.body_index(c.foot)
        now, before = (x.trajectory.poses()[c.start : c.stop, foot].xyz for x in (found, free))
        assert np.ptp(now, axis=0).max() < 5e-3 < np.ptp(before, axis=0).max()
    assert sum(c.stop - c.start for c in found.contacts) > 100


def test_a_place_out_of_reach_is_warned_of(tmp_path):
    """Oracle: legs of half the length with places of the long ones."""
    motion, other = walker(tmp_path), walker(tmp_path, -0.2, -0.2)
    with pytest.warns(CondyleWarning, match="slide"):
        cd.ik.retarget(motion, other.model, feet=["LeftFoot"], scale=1.0, slowest=0.5, highest=0.3)


def test_wrong_retargets_are_said_in_words(tmp_path):
    """Oracle: the words."""
    motion = walker(tmp_path)
    with pytest.raises(BadValue, match="no body has a counterpart"):
        cd.ik.retarget(motion, cd.gallery.leg())
    with pytest.raises(BadValue, match="the foot 'LeftFoot' has no counterpart"):
        cd.ik.retarget(motion, motion.model, bodies={"Hips": "Hips"}, feet=["LeftFoot"])
    many = cd.Trajectory(motion.model, motion.t, np.stack([motion.q] * 2), np.stack([motion.v] * 2))
    with pytest.raises(BadShape, match="one run"):
        cd.ik.retarget(many, motion.model)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="../shared/data/bvh is not there: no captured motion was carried over")
def test_captured_walking_keeps_its_feet_on_another_person():
    """Oracle: places of feet by the poses of the result, over the contacts found in the recording."""
    motion, other = (cd.read_character(SHARED / name, unit=0.0564444) for name in ("22_23.bvh", "127_15.bvh"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cd.ik.retarget(motion, other.model, feet=("LeftFoot", "RightFoot"))
    assert len(found.contacts) > 2
    xyz = found.trajectory.poses().xyz
    for c in found.contacts:
        assert np.ptp(xyz[c.start : c.stop, other.model.body_index(c.foot)], axis=0).max() < 5e-3
