"""Ends of ranges and limits that look like degrees are doubted by name."""

import warnings

import numpy as np
import pytest

import condyle as cd
from condyle.errors import CondyleWarning


def knee():
    shank = cd.Inertia.point(1.0, (0, 0, -1))
    b = cd.ModelBuilder().add_body("shank", joint=cd.joints.revolute("y"), inertia=shank, joint_name="knee")
    slide = cd.joints.prismatic("z")
    return b.add_body("foot", "shank", joint=slide, inertia=shank, joint_name="slide")


@pytest.mark.parametrize(
    "give",
    [
        lambda b: b.set_range("knee", -90, 120),
        lambda b: b.add_limit("knee", -90, 120, stiffness=1.0),
        lambda b: b.add_soft_limit("knee", -90, 120, stiffness=1.0, transition=0.1),
    ],
    ids=["set_range", "add_limit", "add_soft_limit"],
)
def test_degrees_are_doubted_with_the_joint_and_both_numbers(give):
    """Oracle: −90 and 120 rad in degrees, by hand: 180/π times them."""
    with pytest.warns(
        CondyleWarning, match=r"of 'knee': \[-90, 120\] rad is \[-5156.6, 6875.5\] degrees.*numpy.radians"
    ):
        give(knee())


def test_degrees_of_a_skeletons_hinge_are_doubted():
    b = cd.skeleton.SkeletonBuilder()
    b.add_body("a", cd.Inertia.box(1.0, (1, 1, 1)), position=(0, 0, 0))
    b.add_body("b", cd.Inertia.box(1.0, (1, 1, 1)), position=(0, 0, 1))
    b.add_hinge("a", "b", at=(0, 0, 0.5), axis=(0, 1, 0), name="elbow")
    with pytest.warns(CondyleWarning, match=r"'elbow': \[0, 150\] rad is \[0, 8594.4\] degrees"):
        b.add_limit("elbow", 0, 150, stiffness=1.0)


def test_radians_lengths_and_many_turns_are_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        b = knee().set_range("knee", -np.pi / 2, 2 * np.pi / 3).set_range("slide", -90, 120)
        b.set_range("knee", -4 * np.pi, 4 * np.pi).set_range("knee", -1e4, 1e4).set_range("knee", -np.inf, np.inf)
