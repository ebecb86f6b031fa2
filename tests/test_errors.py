"""The wording of errors."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, require


def test_values_are_told_by_name_and_what_was_got_by_itself():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match=r"^too low; got mass = -1\.0, name = 'rod'$"):
        require(False, "too low", mass=-1.0, name="rod")
    with pytest.raises(BadShape, match=r"^three numbers expected; got \(2,\)$"):
        require(False, "three numbers expected", BadShape, got=(2,))
    with pytest.raises(cd.CondyleError, match=r"^a plain sentence$"):
        require(0, "a plain sentence")
    require(True, "never said", got=1)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.float64(0.5), r"0\.5"),
        (np.int64(3), "3"),
        (np.bool_(True), "True"),
        (np.array(2.0), r"2\.0"),
        (np.zeros(2), r"array\(\[0\., 0\.\]\)"),
    ],
)
def test_numbers_of_numpy_are_written_plainly(value, words):
    """Oracle: the words; a user who gave 0 does not read np.float64(0.0)."""
    with pytest.raises(cd.CondyleError, match=f"^no; got weight = {words}$"):
        require(False, "no", weight=value)


def test_a_pose_that_is_no_batch_can_be_told():
    """Oracle: its own repr; it has the shape () as a number of numpy has, but is none."""
    pose = cd.SE3.exp(np.zeros(6))
    with pytest.raises(cd.CondyleError) as caught:
        require(False, "no", got=pose)
    assert str(caught.value) == f"no; got {pose!r}"


def test_a_warning_shows_the_line_that_called_condyle(tmp_path):
    """Oracle: this file; the warning comes from several functions deep."""
    (tmp_path / "x.csv").write_text("a,a\n1,2\n")
    with pytest.warns(cd.CondyleWarning, match="'a'") as caught:
        cd.read_table(tmp_path / "x.csv")
    assert caught[0].filename == __file__
