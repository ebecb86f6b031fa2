"""Muscles of an .osim model as lines from body to body."""

import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.view.muscle_lines import muscle_lines
from condyle.view.render_scene import stage_of
from support.osim_files import MUSCLE, in_set, offsets, two_pins
from support.osim_oracles import frame, opened


@pytest.fixture
def model(tmp_path):
    """Two pins and a muscle of a fixed, a conditional and a moving point; the knee is at 0.2."""
    with pytest.warns(cd.errors.NotInModel):
        return opened(two_pins(extra=in_set("ForceSet", MUSCLE)), tmp_path)


def test_a_muscle_is_lines_between_its_points_in_the_neutral_pose(model):
    """Oracle: the file's points by hand: on the child's frame of the base, at the origin, and at x = 0.2² by x²."""
    lines = {(tie.body, tie.other): tie.segments for tie in muscle_lines(model)}
    first = (frame(*offsets(1)[1]) @ [0.1, 0.2, 0.3, 1.0])[:3]
    assert_allclose(lines[0, 1], [[first, [0, 0, 0]]], atol=1e-12)
    assert_allclose(lines[1, 1], [[[0, 0, 0], [0.04, 0, 0]]], atol=1e-12)
    assert len(lines) == 2


def test_each_end_of_a_line_goes_with_its_own_body(model):
    """Oracle: poses as matrices."""
    poses = cd.forward_kinematics(model, [0.4, -0.7])
    (tie,) = (tie for tie in muscle_lines(model) if tie.body != tie.other)
    ends = [T @ [*point, 1.0] for T, point in zip(poses.as_matrix(), tie.segments[0], strict=True)]
    assert_allclose(tie.placed(poses)[0], [end[:3] for end in ends], atol=1e-12)


def test_a_conditional_point_out_of_its_range_does_not_count(tmp_path):
    """Oracle: without it one line is left, from the fixed to the moving point."""
    far = MUSCLE.replace("-1.5 0.25", "0.25 1.5")
    with pytest.warns(cd.errors.NotInModel):
        found = muscle_lines(opened(two_pins(extra=in_set("ForceSet", far)), tmp_path))
    assert [(tie.body, tie.other, len(tie.segments)) for tie in found] == [(0, 1, 1)]


def test_a_moving_point_may_have_constant_places(tmp_path):
    """Oracle: the constant."""
    still = "<y_location><Constant><value>0.3</value></Constant></y_location></MovingPathPoint>"
    with pytest.warns(cd.errors.NotInModel):
        made = opened(two_pins(extra=in_set("ForceSet", MUSCLE.replace("</MovingPathPoint>", still))), tmp_path)
    assert_allclose(muscle_lines(made)[1].segments[0, 1], [0.04, 0.3, 0.0], atol=1e-12)


def test_the_player_has_the_lines_unless_something_else_is_chosen(model, tmp_path):
    """Oracle: the two bodies of a line in the page's data."""
    page = cd.view.export(model, tmp_path / "m.html").read_text()
    assert '"body": 0, "end": 1' in page
    assert not stage_of(model, drawn=()).ties
