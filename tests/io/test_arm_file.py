"""Arms in files: back bit by bit, and what is wrong with a file said at its place."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.workspace import fit_arm, synthetic_subject


@pytest.fixture(scope="module")
def arm():
    return fit_arm(synthetic_subject("female", count=60), smoothing=1e-5)


@pytest.fixture
def file(arm, tmp_path):
    return cd.save(arm, tmp_path / "arm.toml")


def test_an_arm_comes_back_bit_by_bit(arm, file):
    """Oracle: every stored number, and postures and solutions of the loaded arm."""
    again = cd.load(file)
    assert np.array_equal(again.surface.control, arm.surface.control)
    assert np.array_equal(again.surface.complex.vertices, arm.surface.complex.vertices)
    assert np.array_equal(again.surface.complex.triangles, arm.surface.complex.triangles)
    assert (again.lengths, again.extent, again.limits, again.level) == (arm.lengths, arm.extent, arm.limits, arm.level)
    assert again.report == arm.report
    goal = arm.forward(1.2, 0.9, 0.4, flexion=1.2).wrist
    assert np.array_equal(again.solve(goal).rows, arm.solve(goal).rows)


WRONG = [
    ("degree = 3", "degree = 9", r"degree: expected less than or equal to 5; got 9"),
    ("degree = 3", "degre = 3", r"degre: unknown key; did you mean 'degree'"),
    ("    [0, 1, 2],", "    [0, 1, 99],", r"triangles are numbers of vertices, 0 to 6"),
    ("    [0, 1, 2],", "    [0, 2, 1],", r"domain triangles must turn counter-clockwise"),
    ("extent = ", "extent = -", r"extent: expected greater than 0"),
    ('array = "a0"', 'array = "a9"', r"control: this file has no array 'a9'"),
    ("flexion = [0.0,", "flexion = [9.0,", r"the range of flexion must rise"),
    ("lengths = [", "lengths = [0.1, ", r"lengths: .*at most 3 items"),
]


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_a_wrong_file_is_said_at_its_place(file, old, new, words):
    """Words."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(BadFile, match=words):
        cd.load(file)


def test_an_arm_is_saved_as_toml(arm, tmp_path):
    with pytest.raises(BadFile, match=r"an arm is saved as .toml; name the file arm.toml"):
        cd.save(arm, tmp_path / "arm.npz")
