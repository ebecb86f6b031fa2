"""TRC as laboratories write it: tabs, blank lines, units, encodings, missing markers, counts that lie."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from condyle.errors import BadFile, CondyleWarning
from condyle.formats.tables.marker_frames import Markers
from condyle.formats.tables.trc import read_trc, read_trc_table, write_trc

KEYS = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
VALUES = "10\t10\t2\t3\tmm\t10\t1\t2"
NAMES = "Frame#\tTime\tA\t\t\tB\t\t\tC\t\t"
LABELS = "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3"
ROWS = ["1\t0.0\t1\t2\t3\t4\t5\t6\t7\t8\t9", "2\t0.1\t11\t12\t13\t14\t15\t16\t17\t18\t19"]
POINTS = np.array([np.arange(1.0, 10), np.arange(11.0, 20)]).reshape(2, 3, 3)


def text(keys=KEYS, values=VALUES, names=NAMES, labels=LABELS, rows=ROWS, end="\n"):
    return end.join(["PathFileType\t4\t(X/Y/Z)\tx.trc", keys, values, names, labels, *rows, ""])


@pytest.fixture
def write(tmp_path):
    def written(content):
        path = tmp_path / "x.trc"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


DIALECTS = {
    "as published": text(),
    "two tabs between names": text(names="Frame#\tTime\t\tA\t\tB\t\tC"),
    "one tab between names": text(names="Frame#\tTime\tA\tB\tC"),
    "tabs at the end": text(names=NAMES + "\t\t", rows=[row + "\t" for row in ROWS], labels=LABELS + "\t"),
    "several tabs in the header": text(keys=KEYS.replace("\t", "\t\t"), values=VALUES.replace("\t", "\t\t\t")),
    "a blank line before the rows": text(labels=LABELS + "\n\t\t\n"),
    "blank lines everywhere": text(end="\n\n"),
    "no line of components": text().replace(LABELS + "\n", ""),
    "Windows": text(end="\r\n"),
    "old Macintosh": text(end="\r"),
    "several tabs in the rows": text(rows=[row.replace("\t", "\t\t") for row in ROWS]),
    "blanks instead of tabs": text(
        names="Frame# Time A B C", labels="X1 Y1 Z1 X2 Y2 Z2 X3 Y3 Z3", rows=[row.replace("\t", "  ") for row in ROWS]
    ),
    "commas as decimal points": text(rows=[row.replace(".", ",") for row in ROWS]),
    "a mark of UTF-8": "\ufeff" + text(),
    "a first word in small letters": text().replace("PathFileType", "pathfiletype"),
    "UTF-16": text().encode("utf-16"),
    "a mark of DOS at the end": text(end="\r\n") + "\x1a",
}


@pytest.mark.parametrize("content", DIALECTS.values(), ids=DIALECTS)
def test_every_dialect_gives_the_same_markers(content, write):
    """Oracle: the numbers as written, in metres; nothing is warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_trc(write(content))
    assert found.names == ("A", "B", "C")
    assert_array_equal(found.times, [0.0, 0.1])
    assert_array_equal(found.points, 1e-3 * POINTS)


@pytest.mark.parametrize(("unit", "meters"), [("m", 1.0), ("cm", 1e-2), ("mm", 1e-3), ("MM", 1e-3), ("meters", 1.0)])
def test_markers_arrive_in_metres_and_tables_in_the_unit_of_the_file(unit, meters, write):
    """Oracle: the definition of the unit."""
    path = write(text(values=VALUES.replace("mm", unit)))
    assert_array_equal(read_trc(path).points, meters * POINTS)
    table = read_trc_table(path)
    assert table.units == unit and table.metadata["NumMarkers"] == "3"
    assert_array_equal(table["B"], POINTS[:, 1])


def test_missing_markers_are_nan(write):
    """Oracle: empty fields in the middle, and fields that are not there at the end."""
    rows = ["1\t0.0\t\t\t\t4\t5\t6\t7\t8\t9", "2\t0.1\t11\t12\t13", "3\t0.2\t11\t12\t13\t\t\t\tnan\t-1.#IND\tNaN"]
    points = read_trc(write(text(values=VALUES.replace("\t2\t", "\t3\t", 1), rows=rows))).points
    seen = np.isfinite(points).all(axis=2)
    assert_array_equal(seen, [[False, True, True], [True, False, False], [True, False, False]])
    assert_array_equal(points[0, 1], 1e-3 * np.array([4, 5, 6]))


def test_a_marker_never_seen_at_the_end_is_there(write):
    """Oracle: NumMarkers, which agrees with the names."""
    rows = [row.rsplit("\t", 3)[0] for row in ROWS]
    found = read_trc(write(text(rows=rows)))
    assert found.names == ("A", "B", "C") and np.isnan(found.points[:, 2]).all()


def test_markers_of_one_name_are_kept_apart(write):
    """Oracle: the coordinates of both, and a warning that names them."""
    with pytest.warns(CondyleWarning, match="'A'"):
        found = read_trc(write(text(names=NAMES.replace("\tC", "\tA"))))
    assert found.names == ("A", "B", "A#2")
    assert_array_equal(found.pick(["A#2"])[:, 0], 1e-3 * POINTS[:, 2])


def test_a_marker_without_a_name_keeps_its_place(write):
    """Oracle: the coordinates of the others."""
    with pytest.warns(CondyleWarning, match="no name"):
        found = read_trc(write(text(names=NAMES.replace("\tB", "\t"))))
    assert found.names == ("A", "marker 2", "C")
    assert_array_equal(found.pick(["C"])[:, 0], 1e-3 * POINTS[:, 2])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("\t2\t3\tmm", "\t2\t4\tmm", "NumMarkers 4.*3 markers"),
        ("\t2\t3\tmm", "\t1\t3\tmm", "NumFrames 1.*2 rows"),
    ],
)
def test_counts_that_say_other_than_the_rows_are_warned_of(old, new, words, write):
    """Oracle: the rows, which are read in full."""
    path = write(text().replace(old, new))
    with pytest.warns(CondyleWarning, match=words):
        assert_array_equal(read_trc(path).points, 1e-3 * POINTS)


def test_times_beyond_all_numbers_are_warned_of_and_nothing_else(write):
    """Oracle: the span of the times, 2e308 s, is not a number; what is said is the rate that does not fit."""
    rows = [row.replace(time, far) for row, time, far in zip(ROWS, ("0.0", "0.1"), ("-1e308", "0.1"), strict=True)]
    path = write(text(values=VALUES.replace("10\t10\t2", "10\t10\t3"), rows=[*rows, "3\t1e308" + "\t1" * 9]))
    with pytest.warns(CondyleWarning, match="DataRate 10"):
        read_trc(path)


def test_a_rate_that_is_not_that_of_the_times_is_warned_of(write):
    """Oracle: three rows at steps of 0.1 s are 10 a second, not 60."""
    rows = [*ROWS, "3\t0.2" + "\t1" * 9]
    path = write(text(values=VALUES.replace("10\t10\t2", "60\t60\t3"), rows=rows))
    with pytest.warns(CondyleWarning, match="DataRate 60.* 10 rows"):
        read_trc(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not a TRC file"),
        ("\n\n \n", "not a TRC file"),
        ("PathFileType\t4\n", "not a TRC file"),
        (text(rows=[]), "no rows"),
        (text(names="Frame#\tTime", labels="", rows=["1\t0"]), "no names of markers"),
        (text(names="Frame#\tTime\tA\t\tB"), "2 names of markers and coordinates of 3; got NumMarkers = 3"),
        (text(names="Frame#\tTime\tA\tB\tC\tD"), "4 names of markers and coordinates of 3; got NumMarkers = 3"),
        (text(names="hello\tTime\tA"), "line 4: expected 'Frame#'"),
        (text(rows=[ROWS[0], "2\t0.1\t11\tx\t13"]), "line 7, column 'A': expected a number; got 'x'"),
        (text(rows=["1\t0.0\t1\t2", ROWS[1]]), "line 6: a marker has three coordinates"),
        (text(rows=[ROWS[0], "2\t\t" + ROWS[1][6:]]), "line 7: the time is missing"),
        (text(rows=[row.replace("9", "9,5") for row in ROWS]), "commas and points"),
        (text(values=VALUES.replace("mm", "furlong")), "unknown unit of length 'furlong'"),
        (text(values=VALUES.replace("3", "-3")), "NumMarkers must be a count"),
        (text(values=VALUES.replace("3", "9" * 5000)), "NumMarkers must be a count"),
        (b"\x00\x01\x02" * 99, "not a text file"),
    ],
)
def test_broken_files_are_refused_in_words(content, words, write):
    """Oracle: the class, the place and the number."""
    with pytest.raises(BadFile, match=words):
        read_trc(write(content))


def test_a_file_without_units_is_taken_for_millimetres_with_a_warning(write):
    """Oracle: the numbers as written."""
    path = write(text(keys="DataRate\tNumFrames\tNumMarkers", values="10\t2\t3"))
    with pytest.warns(CondyleWarning, match="Units"):
        assert_array_equal(read_trc(path).points, 1e-3 * POINTS)


def test_old_encodings_are_read_with_a_warning(write):
    """Oracle: the name of the marker in Windows-1252."""
    path = write(text(names=NAMES.replace("B", "Hüfte")).encode("cp1252"))
    with pytest.warns(CondyleWarning, match="not UTF-8"):
        assert read_trc(path).names == ("A", "Hüfte", "C")


def test_what_is_written_comes_back(tmp_path):
    """Oracle: the markers themselves; the rate of the file is that of the times."""
    points = np.random.default_rng(0).normal(size=(5, 2, 3))
    points[2, 1] = np.nan
    write_trc(Markers(("a", "b"), 0.25 * np.arange(5), points), tmp_path / "m.trc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = read_trc(tmp_path / "m.trc")
    assert_array_equal(again.points, points)
    assert read_trc_table(tmp_path / "m.trc").metadata["DataRate"] == "4"


def test_markers_at_zero_or_in_part_were_not_seen(write):
    """Oracle: the file; a marker that is 0, 0, 0 in some frames pulled inverse kinematics to the origin in silence."""
    rows = ["1\t0.0\t0\t0\t0\t4\t5\t6\t0\t0\t0", "2\t0.1\t11\t12\t13\t14\t\t16\t0\t0\t0"]
    with pytest.warns(CondyleWarning) as said:
        points = read_trc(write(text(rows=rows))).points
    assert all(any(w in str(x.message) for x in said) for w in ("'A': 1 position 0, 0, 0", "'B': 1 position without"))
    assert len(said) == 2 and np.isnan(points[0, 0]).all() and np.isnan(points[1, 1]).all()
    assert_array_equal(points[1, 0], 1e-3 * np.array([11.0, 12, 13]))
    assert_array_equal(points[:, 2], 0.0)  # the origin of a laboratory is there in every frame
