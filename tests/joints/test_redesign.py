"""Joints that keep the control frames they were designed by."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

import condyle as cd
from condyle.errors import BadShape, HalfTurn, NotSupported
from condyle.joints import design_frames, redesigned, spline_curve, spline_surface
from support.samples import random_frames


def surface(size=0.5, seed=0):
    return spline_surface(size * np.random.default_rng(seed).normal(size=(5, 6, 6)), (None, None), names=("u", "w"))


def test_a_curve_of_moved_frames_is_the_curve_that_the_constructor_makes():
    """Oracle: the constructor, called with the same arguments."""
    knots = np.array([0, 0, 0, 0, 1, 2, 4, 5, 7, 7, 7, 7.0])
    frames = random_frames(8)
    joint = spline_curve(frames, knots, outside="error", name="flexion")
    moved = np.array(design_frames(joint))
    moved[3] = moved[3] @ cd.SE3.exp([0.1, 0.2, -0.1, 0.05, 0, 0.1]).as_matrix()
    made, expected = redesigned(joint, moved), spline_curve(moved, knots, outside="error", name="flexion")
    q = np.linspace(0, 7, 31)[:, None]
    assert_allclose(made.pose(q), expected.pose(q), atol=1e-14)
    assert made.coordinates == ("flexion",) and made.outside == "error"
    assert np.abs(made.pose(q) - joint.pose(q)).max() > 1e-3


def test_the_control_frames_of_a_surface_are_what_its_values_mean():
    """Oracle: scipy's expm of three translations and turns about x, y, z."""
    joint = surface()
    values = joint.controls.controls
    hats = np.zeros((6, 4, 4))
    for k in range(3):
        hats[k, k, 3] = 1.0
        i, j = (k + 1) % 3, (k + 2) % 3
        hats[3 + k, j, i], hats[3 + k, i, j] = 1.0, -1.0
    for at in ((0, 0), (2, 3), (4, 5)):
        expected = np.eye(4)
        for k in range(6):
            expected = expected @ expm(hats[k] * values[at][k])
        assert_allclose(design_frames(joint)[at], expected, atol=1e-13)


@pytest.mark.parametrize("size", [0.3, 2.0])
def test_frames_of_a_surface_go_to_values_and_back(size):
    """Oracle: the frames asked for; values of frames that did not move stay bit by bit, turned past π/2 or not."""
    joint = surface(size)
    frames = np.array(design_frames(joint))
    frames[2, 2] = frames[2, 2] @ cd.SE3.exp([0.1, -0.1, 0.2, 0.1, 0.2, 0.3]).as_matrix()
    made = redesigned(joint, frames)
    assert_allclose(design_frames(made), frames, atol=1e-12)
    same = np.ones((5, 6), bool)
    same[2, 2] = False
    assert_array_equal(made.controls.controls[same], joint.controls.controls[same])
    assert np.abs(made.controls.controls[2, 2] - joint.controls.controls[2, 2]).max() < 1.0


def test_a_design_is_kept_where_it_still_holds():
    """Oracle: renaming changes no pose; an inverse and a composition are not made by those frames."""
    joint = spline_curve(random_frames(6))
    assert design_frames(joint.renamed("x")) is not None
    assert design_frames(joint.inverse()) is None and design_frames(cd.joints.compose(joint, joint)) is None
    with pytest.raises(ValueError, match="read-only"):
        joint.controls.frames[0] = 0.0


@pytest.mark.parametrize("made", [lambda: spline_curve(random_frames(6), periodic=True), surface,
                                  lambda: spline_curve(random_frames(9), np.arange(13.0))])  # fmt: skip
def test_a_design_is_saved_and_loaded_bit_by_bit(made, tmp_path):
    """Oracle: the arrays before."""
    joint = made()
    again = cd.load(cd.save(joint, tmp_path / "joint.toml"))
    assert_array_equal(design_frames(again), design_frames(joint))
    q = np.array(joint.domain).mean(axis=1)
    assert_array_equal(redesigned(again, design_frames(again)).pose(q), redesigned(joint, design_frames(joint)).pose(q))
    assert_array_equal(again.pose(q), joint.pose(q))


def test_a_file_whose_design_is_of_another_joint_is_refused(tmp_path):
    """Oracle: the words."""
    path = cd.save(spline_curve(random_frames(5)[:4], [0, 0, 0, 0, 1, 1, 1, 1]), tmp_path / "joint.toml")
    text = path.read_text()
    assert "[joint.design]" in text
    path.write_text(
        text.replace(
            "knots = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]", "knots = [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0]"
        )
    )
    with pytest.raises(
        cd.CondyleError, match="its design makes another joint than its segments; leave one of them out"
    ):
        cd.load(path)


def test_wrong_frames_are_said_in_words():
    """Oracle: the words."""
    joint = spline_curve(random_frames(6))
    with pytest.raises(BadShape, match=r"spline_curve: as many frames as before; got shape = \(5, 4, 4\)"):
        redesigned(joint, design_frames(joint)[:5])
    with pytest.raises(NotSupported, match="revolute: it keeps no control frames"):
        redesigned(cd.joints.revolute("x"), np.eye(4)[None])
    turned = np.array(design_frames(joint))
    turned[2] = turned[1] @ cd.SE3.exp([np.pi, 0, 0, 0, 0, 0]).as_matrix()
    with pytest.raises(HalfTurn, match="control frames 1 and 2 are half a turn apart"):
        redesigned(joint, turned)
