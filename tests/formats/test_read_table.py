"""`cd.read_table`: any table without a model."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.errors import BadFile, BadShape, BadValue, CondyleWarning, UnknownName

STO = "n\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\tknee\tty\n0\t10\t0.5\n0.1\t20\t0.6\n"
BVH = """HIERARCHY
ROOT chest
{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zrotation }
MOTION
Frames: 2
Frame Time: 0.25
1 2 3
4 5 6
"""


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        (tmp_path / name).write_text(content)
        return tmp_path / name

    return written


def test_a_motion_opens_without_a_model(write):
    """Oracle: the text."""
    table = cd.read_table(write("x.mot", STO))
    assert table.names == ("time", "knee", "ty") and table.in_degrees is True and len(table) == 2
    assert_array_equal(table.times, [0, 0.1])
    assert_array_equal(table["knee"], [10, 20])
    assert_array_equal(table.columns(["ty", "time"]), [[0.5, 0], [0.6, 0.1]])
    assert table.metadata["nRows"] == "2" and "knee" in table and "hip" not in table


def test_names_are_found_whatever_the_case_of_the_suffix(write):
    """Oracle: the same text under three names."""
    for name in ("x.sto", "x.STO", "x.Mot"):
        assert_array_equal(cd.read_table(write(name, STO)).values, [[0, 10, 0.5], [0.1, 20, 0.6]])


def test_markers_and_channels_are_columns(write):
    """Oracle: the text."""
    table = cd.read_table(write("x.bvh", BVH))
    assert table.names == ("time", "chest.Xposition", "chest.Yposition", "chest.Zrotation") and table.in_degrees
    assert_array_equal(table.values, [[0, 1, 2, 3], [0.25, 4, 5, 6]])
    head = "PathFileType\t4\nDataRate\tUnits\n4\tcm\nFrame#\tTime\tA\n\t\tX1\tY1\tZ1\n"
    table = cd.read_table(write("x.trc", head + "1\t0\t1\t2\t3\n2\t0.25\t4\t5\t6\n"))
    assert table.vectors == ("A",) and table.units == "cm" and table.flat_names == ("time", "A.x", "A.y", "A.z")
    assert_array_equal(table["A"], [[1, 2, 3], [4, 5, 6]])
    assert sorted(table.as_dict()) == ["A", "time"]


def test_a_c3d_file_is_a_table_in_its_own_unit(tmp_path):
    """Oracle: what ezc3d was given; a point at zero was not seen."""
    ezc3d = pytest.importorskip("ezc3d")
    points = np.arange(1.0, 25).reshape(4, 2, 3)
    points[:3, 1, 2] = 0.0
    content = ezc3d.c3d()
    content["parameters"]["POINT"]["RATE"]["value"] = [50]
    content["parameters"]["POINT"]["LABELS"]["value"] = ("a", "a")
    content["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    content["data"]["points"] = points
    content.write(str(tmp_path / "m.c3d"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.CondyleWarning)
        table = cd.read_table(tmp_path / "m.c3d")
    assert table.units == "mm" and table.names in (("time", "a", "a#2"), ("time", "a", "a_0"))
    assert_array_equal(table.times, [0, 0.02, 0.04])
    assert_array_equal(table["a"], points[:3, 0].T)
    assert np.isnan(table[table.names[2]][2]).all()


def test_a_printed_table_says_what_is_in_it(write):
    """Oracle: the numbers of the text."""
    said = repr(cd.read_table(write("x.mot", STO)))
    for word in ("x.mot", "2 rows", "3 columns", "0.1 s", "degrees", "knee"):
        assert word in said


@pytest.mark.parametrize("name", ["time", "Time", "t", "time_s", "time [s]", "Time (sec)"])
def test_times_are_found_under_the_names_they_have(name):
    """Oracle: the column."""
    assert_array_equal(cd.Table((name, "x"), [[1, 2], [3, 4]]).times, [1, 3])


def test_what_a_table_has_not_is_named():
    """Oracle: the class and the name."""
    table = cd.Table(("hip", "knee"), [[1, 2]], path="t.csv")
    with pytest.raises(UnknownName, match=r"no column named 'kne' in t\.csv\. Did you mean 'knee'"):
        table["kne"]
    with pytest.raises(UnknownName, match="'time'"):
        _ = table.times
    with pytest.raises(BadFile, match="'a'"):
        cd.Table(("a", "a"), [[1, 2]])
    with pytest.raises(BadShape, match="complex"):
        cd.Table(("a", "b"), [[1, 2j]])
    with pytest.raises(BadShape, match="3 numbers"):
        cd.Table(("a", "b"), [[1, 2]], (1, 2))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("no.sto", "there is no such file"),
        ("x.xls", r"tables are read from \.sto, .* got '\.xls'"),
        ("x.txt", "a table needs a line of names"),
        (".", "this is a folder"),
        (None, "got None"),
        (7, "got 7"),
        (b"x.sto", "got b'x.sto'"),
        ("x" * 5000 + ".sto", "not the name of a file"),
        ("a\0b.sto", "null character"),
    ],
)
def test_what_is_no_table_is_refused_in_words(path, words, tmp_path, monkeypatch):
    """Oracle: the class and the words."""
    monkeypatch.chdir(tmp_path)
    for name in ("x.txt", "x.xls"):
        (tmp_path / name).write_text("hello")
    with pytest.raises(BadFile, match=words):
        cd.read_table(path)


def test_the_policy_for_files_that_are_cut_is_one_of_two(write):
    """Oracle: the class."""
    with pytest.raises(BadValue, match="'maybe'"):
        cd.read_table(write("x.mot", STO), truncated="maybe")


@pytest.mark.parametrize("suffix", [".sto", ".mot", ".csv"])
def test_a_table_is_written_so_that_it_comes_back(suffix, tmp_path):
    """Oracle: the table itself; a vector becomes several columns of a CSV file."""
    values = np.random.default_rng(0).normal(size=(4, 7))
    table = cd.Table(("time", "p", "q"), values, (1, 3, 3), in_degrees=True, units="mm")
    again = cd.read_table(cd.write_table(table, tmp_path / f"x{suffix}"))
    assert_array_equal(again.values, values)
    assert again.flat_names == table.flat_names
    assert suffix == ".csv" or (again.vectors, again.in_degrees, again.units) == (("p", "q"), True, "mm")


def test_a_table_that_does_not_say_degrees_comes_back_so(tmp_path):
    """Oracle: None."""
    table = cd.Table(("time", "force"), [[0, 1], [1, 2]])
    assert cd.read_table(cd.write_table(table, tmp_path / "x.sto")).in_degrees is None


def test_what_cannot_be_written_is_refused_in_words(tmp_path):
    """Oracle: the class and the name."""
    table = cd.Table(("time", "p", "q"), np.zeros((2, 5)), (1, 1, 3))
    with pytest.raises(BadFile, match="write CSV"):
        cd.write_table(table, tmp_path / "x.sto")
    with pytest.raises(BadFile, match=r"x\.xlsx"):
        cd.write_table(table, tmp_path / "x.xlsx")


ROWS = ("0", "0.1", "{}", "0.3")
KINDS = {
    "walk.csv": "time,knee\n" + "".join(f"{t},10\n" for t in ROWS),
    "walk.sto": "n\nversion=1\nnRows=4\nnColumns=2\ninDegrees=no\nendheader\ntime\tknee\n"
    + "".join(f"{t}\t10\n" for t in ROWS),
    "walk.trc": "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n10\t4\t1\tm\n"
    "Frame#\tTime\tKNEE\n\t\tX1\tY1\tZ1\n" + "".join(f"{k}\t{t}\t1\t2\t3\n" for k, t in enumerate(ROWS, 1)),
}
KINDS["walk.mot"] = KINDS["walk.sto"]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("third", ["0.0625", "0.1"])
def test_times_that_go_back_or_repeat_are_told(write, name, third):
    """Oracle: the row, the third, and the two times; the table is read as it is."""
    with pytest.warns(CondyleWarning, match=rf"{name}.* 3\b.*{third} s.* 0\.1 s") as said:
        table = cd.read_table(write(name, KINDS[name].format(third)))
    assert len(said) == 1
    assert_array_equal(table.times, [0, 0.1, float(third), 0.3])


@pytest.mark.parametrize("name", KINDS)
def test_times_that_rise_are_not_told(write, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cd.read_table(write(name, KINDS[name].format("0.2")))


def test_missing_times_are_passed_over_and_rows_counted_with_them(write):
    """Oracle: the fourth row goes back behind a gap."""
    with pytest.warns(CondyleWarning, match=r"gap\.csv.* 4\b.*0\.5 s.* 1 s"):
        cd.read_table(write("gap.csv", "time,knee\n0,1\n1,1\n,1\n0.5,1\n"))


def test_tables_without_times_have_none(write):
    table = cd.read_table(write("x.csv", "angle,knee\n2,1\n1,1\n"))
    assert not table.has_times and cd.read_table(write("y.csv", "t,knee\n1,1\n2,1\n")).has_times
