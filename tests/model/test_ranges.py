"""Ranges of coordinates, those of no width among them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle as cd
from condyle.errors import BadValue
from condyle.view.live.sliders import dials

ROD = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0.5, 0.0, 0.0))


def planar_arm(*held: float) -> cd.Model:
    """Three links of 1 m in a plane, the middle hinge held still."""
    b, link = cd.ModelBuilder(), cd.SE3.from_translation((1, 0, 0))
    b.add_body("a", joint=cd.joints.revolute("z"), inertia=ROD)
    b.add_body("b", "a", cd.joints.revolute("z"), ROD, placement=link)
    b.add_body("c", "b", cd.joints.revolute("z"), ROD, placement=link)
    return b.set_range("b", *held).build()


def test_a_range_of_no_width_is_where_the_model_starts(tmp_path):
    """Oracle: the number given; files keep it."""
    model = planar_arm(0.4, 0.4)
    for made in (model, cd.load(cd.save(model, tmp_path / "held.toml"))):
        assert made.range_of("b") == (0.4, 0.4)
        assert_array_equal(made.neutral(), [0.0, 0.4, 0.0])


@pytest.mark.parametrize("method", ["damped", "qp"])
def test_inverse_kinematics_leaves_it_there(method):
    """Oracle: by hand: the goal is where the tip is with the angles 0.3, 0.4 and −0.5."""
    model = planar_arm(0.4, 0.4)
    angles = np.cumsum([0.3, 0.4, -0.5])
    goal = [np.cos(angles).sum(), np.sin(angles).sum(), 0.0]
    found = cd.ik.solve(model, [cd.ik.position("c", goal, at=(1, 0, 0))], [0.1, 0.4, 0.1], method=method)
    assert found.q[1] == 0.4
    tip = cd.forward_kinematics(model, found.q)[2].apply([1.0, 0.0, 0.0])
    assert_allclose(tip, goal, atol=1e-8)


def test_a_coordinate_that_cannot_move_has_no_slider():
    """Oracle: the names of the others."""
    assert [dial.name for dial in dials(planar_arm(0.4, 0.4), 1.0)] == ["a", "c"]
    assert [dial.name for dial in dials(planar_arm(0.4, 0.5), 1.0)] == ["a", "b", "c"]


def test_a_limit_of_no_width_is_a_spring():
    """Oracle: a stiffness about the same place."""
    b, c = (cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("z"), inertia=ROD) for _ in range(2))
    limited, sprung = b.add_limit("a", 0.2, 0.2, stiffness=7.0).build(), c.add_stiffness("a", 7.0, 0.2).build()
    for q in (-0.5, 0.2, 0.9):
        assert_allclose(cd.forward_dynamics(limited, [q], [0.0]), cd.forward_dynamics(sprung, [q], [0.0]), atol=1e-13)


@pytest.mark.parametrize(
    ("low", "high"), [(1.0, 0.0), (np.nan, 1.0), (0.0, np.nan), (np.inf, np.inf), ("a", 1), (None, 1)]
)
def test_ends_that_make_no_range_are_refused(low, high):
    """Oracle: the class and the coordinate."""
    with pytest.raises(BadValue, match="range of 'b'"):
        planar_arm(low, high)
