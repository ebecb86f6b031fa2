"""STO and MOT: headers of OpenSim and SIMM, degrees, vectors, repeated names, counts."""

import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import condyle as cd
from condyle.errors import BadFile, CondyleWarning
from condyle.formats.tables.sto import parse_sto, sto_text
from condyle.formats.tables.table import Table
from support.storage_headers import BODY, COUNTS, DEGREES, SILENT

VALUES = [[0, 10, 20], [1, 30, 40]]  # of BODY


def quietly(text, path="x.sto", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return parse_sto(text, path, **options)


@pytest.mark.parametrize(("path", "head", "degrees"), DEGREES)
def test_a_header_that_says_degrees_is_obeyed(path, head, degrees):
    """Oracle: the answers of OpenSim 4.6."""
    assert quietly(f"{head}endheader\n{BODY}", path).in_degrees is degrees


@pytest.mark.parametrize(("path", "head", "degrees"), SILENT)
def test_motions_that_do_not_say_are_read_by_the_rule_of_opensim_with_a_warning(path, head, degrees):
    """Oracle: the answers of OpenSim 4.6; None stands for radians that the file does not state."""
    with pytest.warns(CondyleWarning, match=r"x\.(mot|MOT): .*in (degrees|radians)"):
        table = parse_sto(f"{head}endheader\n{BODY}", path)
    assert table.in_degrees is degrees
    assert_array_equal(table.values, VALUES)


def test_a_storage_that_does_not_say_leaves_it_open():
    """Oracle: the header; what is not said is None, and there may be no angle in the file."""
    assert quietly(f"n\n{COUNTS}endheader\n{BODY}").in_degrees is None


@pytest.mark.parametrize(("words", "degrees"), [("Angles are in degrees.", True), ("Angles are in radians.", False)])
def test_words_in_the_header_count(words, degrees):
    """Oracle: the sentence; where OpenSim, which does not read it, takes the angles for radians, that is told."""
    head = f"n\nversion=1\n{COUNTS}\nUnits are S.I. units (second, meters, Newtons, ...)\n{words}\n\nendheader\n"
    with pytest.warns(CondyleWarning, match="inDegrees alone") if degrees else nullcontext():
        table = parse_sto(head + BODY, "x.mot")
    assert table.in_degrees is degrees and words in table.metadata["header"] and table.units is None


def test_words_outweigh_a_no_that_nobody_thought_of():
    """Oracle: OpenSim's body kinematics, which are in degrees, say so in words and write inDegrees=no."""
    with pytest.warns(CondyleWarning, match="'Angles are in degrees' against inDegrees=no"):
        table = parse_sto(f"n\nversion=1\ninDegrees=no\nAngles are in degrees.\nendheader\n{BODY}", "x.sto")
    assert table.in_degrees is True


@pytest.mark.parametrize(
    "text",
    [
        f"n\n{COUNTS}inDegrees=no\nendheader\n{BODY}",
        f"n\t\t\nnRows=2\t\t\nnColumns=3\t\ninDegrees=no\t\nendheader\t\t\n{BODY}",
        f"n\r\n{COUNTS}inDegrees=no\r\nendheader\r\n{BODY}".replace("\n", "\r\n"),
        f"n\ninDegrees=no\nEndHeader\n\n{BODY}\n\n",
        f"n\ninDegrees=no\nendheader\n{BODY}".replace("\t", "   "),
        f"n\ninDegrees=no\nendheader\n{BODY}".replace("\t", "\t  "),
        f"n\ninDegrees=no\nendheader\n{BODY}".replace("\n", "\t\n"),
        "n\ninDegrees=no\nendheader\ntime\ta\tb\n0\t10,0\t20\n1,0\t30\t40\n",
    ],
)
def test_every_way_to_set_a_storage_file_gives_the_same_table(text):
    """Oracle: the numbers as written."""
    table = quietly(text)
    assert table.names == ("time", "a", "b")
    assert_array_equal(table.values, VALUES)


def test_names_with_blanks_are_told_by_tabs():
    """Oracle: the line of names and the rows, which have three fields."""
    table = quietly("n\ninDegrees=no\nendheader\ntime\tground force\tother\n0\t1\t2\n")
    assert table.names == ("time", "ground force", "other")


def test_empty_fields_between_tabs_are_missing():
    """Oracle: the row, which has two tabs side by side."""
    table = quietly("n\ninDegrees=no\nendheader\ntime\ta\tb\n0\t\t2\n1\t-1.#IND00\t-nan(ind)\n")
    assert_array_equal(np.isnan(table.values), [[False, True, False], [False, True, True]])
    assert quietly("n\ninDegrees=no\nendheader\ntime\ta\n0\t-1.#INF00\n")["a"].tolist() == [-np.inf]


@pytest.mark.parametrize(
    ("kind", "field", "values"),
    [
        ("Vec3", "1,2,3", [1, 2, 3]),
        ("Quaternion", "0.5,0.5,-0.5,0.5", [0.5, 0.5, -0.5, 0.5]),
        ("UnitVec3", "0,0,1", [0, 0, 1]),
        ("SpatialVec", "1,2,3,4,5,6", [1, 2, 3, 4, 5, 6]),
        ("Vec6", "~[1,2,3,4,5,6]", [1, 2, 3, 4, 5, 6]),
        ("Mat33", "1,0,0,0,1,0,0,0,1", np.eye(3).ravel()),
    ],
)
def test_columns_of_vectors_keep_their_numbers_together(kind, field, values):
    """Oracle: the field as written; version 3 of OpenSim's storage, with the number of rows beside it."""
    missing = ",".join(["nan"] * len(values))
    table = quietly(f"DataType={kind}\nversion=3\nendheader\ntime\tp\tq\n0\t{field}\t{field}\n1\t{field}\t{missing}\n")
    assert table.names == ("time", "p", "q") and table.vectors == ("p", "q")
    assert_array_equal(table["p"], [values, values])
    assert np.isnan(table["q"][1]).all() and table.widths == (1, len(values), len(values))


def test_columns_of_one_name_are_kept_apart():
    """Oracle: the numbers of both, and a warning that names them."""
    with pytest.warns(CondyleWarning, match="'a'"):
        table = parse_sto("n\ninDegrees=no\nendheader\ntime\ta\ta\ta#2\ta\n0\t1\t2\t3\t4\n", "x.sto")
    assert table.names == ("time", "a", "a#3", "a#2", "a#4")
    assert table.values.tolist() == [[0, 1, 2, 3, 4]]


def test_a_table_without_rows_is_one_if_its_header_agrees():
    """Oracle: nRows."""
    with pytest.warns(CondyleWarning, match="no rows"):
        table = parse_sto("n\nnRows=0\nendheader\ntime\ta\n", "x.sto")
    assert len(table) == 0 and table["a"].shape == (0,)


def test_more_rows_or_columns_than_the_header_says_are_read_with_a_warning():
    """Oracle: the rows."""
    with pytest.warns(CondyleWarning) as caught:
        table = parse_sto(f"n\nnRows=1\nnColumns=7\nendheader\n{BODY}", "x.sto")
    assert_array_equal(table.values, VALUES)
    assert [("nRows 1" in str(w.message), "nColumns 7" in str(w.message)) for w in caught] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BODY, "no line `endheader`"),
        ("n\nendheader\n", "no line of names"),
        (f"n\nnRows=4\nendheader\n{BODY}", "cut off: its header says nRows 4, and it holds 2 rows"),
        (f"n\ndatarows 7\nendheader\n{BODY}", "cut off: its header says datarows 7, and it holds 2 rows"),
        ("n\nnRows=3\nendheader\ntime\ta\n", "cut off: its header says nRows 3, and it holds 0 rows"),
        (f"n\nnRows={'9' * 5000}\nendheader\n{BODY}", "nRows must be a count"),
        (f"n\nnRows=-2\nendheader\n{BODY}", "nRows must be a count"),
        (f"n\ninDegrees=perhaps\nendheader\n{BODY}", "inDegrees must be yes or no; got inDegrees = 'perhaps'"),
        (f"n\nDataType=Tensor\nendheader\n{BODY}", "unknown DataType.*got 'tensor'"),
        ("n\nendheader\ntime\ta\n0\t1,2,3\n", "DataType=Vec3"),
        ("n\nendheader\ntime\ta\n0.5\t1,2\n", "commas and points"),
        (
            "n\nDataType=Vec3\nendheader\ntime\ta\n0\t1,2\n",
            "line 5, column 'a': 3 numbers expected in a field; got '1,2'",
        ),
        ("n\nendheader\ntime\ta\n0\t1\t2\n", "line 4: 2 columns expected; got fields = 3"),
        ("n\nendheader\ntime\ta\n0\t1_000\n", "line 4, column 'a': expected a number; got '1_000'"),
        ("n\nendheader\ntime\ta\n0\t1+2j\n", r"line 4, column 'a': expected a number; got '1\+2j'"),
    ],
)
def test_broken_files_are_refused_in_words(text, words):
    """Oracle: the class, the place and the number."""
    with pytest.raises(BadFile, match=words):
        parse_sto(text, "x.sto")


@pytest.mark.parametrize("width", [1, 3, 4, 6])
def test_what_is_written_comes_back(width):
    """Oracle: the table itself."""
    values = np.random.default_rng(0).normal(size=(4, 1 + 2 * width))
    table = Table(("time", "p", "q"), values, (1, width, width), True, "mm")
    again = quietly(sto_text(table, "title"))
    assert (again.names, again.widths, again.in_degrees, again.units) == (table.names, table.widths, True, "mm")
    assert_array_equal(again.values, values)


@pytest.mark.parametrize("suffix", [".sto", ".mot", ".trc"])
def test_commas_may_stand_between_columns(tmp_path, suffix):
    """Oracle: the file with tabs."""
    text = "n\nversion=1\nnRows=2\nnColumns=3\ninDegrees=no\nendheader\ntime\ta\tb\n0\t1.5\t2\n0.1\t-3\t4e-1\n"
    if suffix == ".trc":
        head = "PathFileType\t4\nDataRate\tNumFrames\tNumMarkers\tUnits\n10\t2\t1\tmm\n"
        head += "Frame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n"
        text = head + "1\t0\t1.5\t2\t3\n2\t0.1\t-3\t4\t5\n"
    (tmp_path / f"tabs{suffix}").write_text(text)
    (tmp_path / f"commas{suffix}").write_text(text.replace("\t", ","))
    tabs, commas = (cd.read_table(tmp_path / f"{name}{suffix}") for name in ("tabs", "commas"))
    assert tabs.names == commas.names and np.array_equal(tabs.values, commas.values) and len(tabs) == 2


def test_a_table_of_forces_has_no_angles_to_doubt(tmp_path, recwarn):
    """Oracle: a warning for an angle, none for forces."""
    names = "time\tground_force_vx\tground_force_px\tground_torque_x\n"
    (tmp_path / "grf.mot").write_text("n\nversion=1\nendheader\n" + names + "0\t1\t2\t3\n")
    assert len(cd.read_table(tmp_path / "grf.mot")) == 1 and not recwarn.list
    (tmp_path / "ik.mot").write_text("n\nversion=1\nendheader\ntime\tknee\n0\t1\n")
    with pytest.warns(cd.errors.CondyleWarning, match="degrees"):
        cd.read_table(tmp_path / "ik.mot")
