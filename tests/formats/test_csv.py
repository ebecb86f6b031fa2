"""CSV tables: what is written comes back; what is broken is named with its place."""

import numpy as np
import pytest

from condyle.errors import BadFile, CondyleWarning, UnknownName
from condyle.formats.tables.table_files import Table, parse_csv, read_csv, write_csv


def test_columns_come_back_bit_for_bit(tmp_path):
    """Oracle: the arrays themselves; a missing number is NaN."""
    values = np.random.default_rng(0).normal(size=(5, 2))
    values[2, 1] = np.nan
    write_csv(Table(("time", "x"), values), tmp_path / "a.csv")
    again = read_csv(tmp_path / "a.csv")
    assert again.names == ("time", "x") and again.has(["x"]) and not again.has(["y"])
    np.testing.assert_array_equal(again.columns(["x", "time"]), values[:, ::-1])


def test_comments_empty_lines_and_byte_order_marks_are_skipped(tmp_path):
    """Oracle: the one row of numbers."""
    (tmp_path / "c.csv").write_text("\ufeff# made by hand\na, b\n\n1,\n")
    table = read_csv(tmp_path / "c.csv")
    assert table.names == ("a", "b") and table.values[0, 0] == 1.0 and np.isnan(table.values[0, 1])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "t.csv: a table needs a line of names and at least one of numbers"),
        ("a,b\n1,2\n\n3\n", "t.csv, line 4: 2 columns expected; got fields = 1"),
        ("a,b\n1,two\n", "t.csv, line 2, column 'b': expected a number; got 'two'"),
        ("1,2\n3,4\n", "t.csv: the first line must name the columns; got 1, 2. Add a header."),
        ('a,b\n"1,2\n3,4\n', "t.csv: a quotation mark"),
        ("a,b\n1,5,2,5\n", "t.csv, line 2: 2 columns expected; decimal commas need semicolons.*got fields = 4"),
        ("a;b\n1.234,5;6\n", "t.csv: numbers have both commas and points"),
        ("a,b\n1,1_0\n", "t.csv, line 2, column 'b': expected a number; got '1_0'"),
        ("a,b\n1,2+3j\n", r"t.csv, line 2, column 'b': expected a number; got '2\+3j'"),
        ("a," + "b" * 200_000 + "\n1,2\n", "t.csv, line 1: not a table"),
    ],
)
def test_broken_tables_are_named(text, words):
    """Oracle: the words."""
    with pytest.raises(BadFile, match=words):
        parse_csv(text, "t.csv")


def test_an_unknown_column_is_named():
    """Oracle: the words."""
    with pytest.raises(UnknownName, match=r"no column named 'tme' in t.csv. Did you mean 'time'"):
        parse_csv("time,x\n1,2\n", "t.csv").columns(["tme"])


def test_files_that_are_no_text_are_named(tmp_path):
    """Oracle: the words."""
    (tmp_path / "t.csv").write_bytes(b"a,b\n\xff\0\xfe")
    with pytest.raises(BadFile, match=r"not a text file \(byte 5 is 0\)"):
        read_csv(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_bytes(b"\xff\xfea")
    with pytest.raises(BadFile, match="UTF-16"):
        read_csv(tmp_path / "t.csv")
    with pytest.raises(BadFile, match="there is no such file"):
        read_csv(tmp_path / "no.csv")


@pytest.mark.parametrize(
    "text",
    [
        "time,x\n0.5,1.25\n1,2\n",
        "time;x\n0,5;1,25\n1;2\n",
        "time;x\n0.5;1.25\n1;2\n",
        "time\tx\n0,5\t1,25\n1\t2\n",
        "time,x\r0.5,1.25\r1,2\r",
        "time,x\r\n0.5,1.25\n1,2\r\n",
        "time,x,\n0.5,1.25,\n1,2,\n",
        '"time","x"\n"0.5","1.25"\n"1","2"\n',
    ],
)
def test_separators_decimal_commas_and_line_ends_are_told_apart(text):
    """Oracle: the numbers as written."""
    table = parse_csv(text, "t.csv")
    assert table.names == ("time", "x")
    np.testing.assert_array_equal(table.values, [[0.5, 1.25], [1, 2]])


def test_columns_of_one_name_or_none_are_kept_apart():
    """Oracle: the numbers of all, and warnings that say what they are called."""
    with pytest.warns(CondyleWarning, match="'a'"):
        assert parse_csv("a,a\n1,2\n", "t.csv")["a#2"] == [2]
    with pytest.warns(CondyleWarning, match=r"without a name.*\[2\]"):
        assert parse_csv("a,,b\n1,2,3\n", "t.csv")["column 2"] == [2]


def test_a_header_of_opensim_before_the_names_is_obeyed():
    """Oracle: the text, as OpenSim writes its tables to CSV."""
    text = "version=3\nnRows=2\ninDegrees=yes\nendheader\ntime,knee\n0,10\n1,20\n"
    table = parse_csv(text, "t.csv")
    assert table.in_degrees is True and table.names == ("time", "knee") and table["knee"].tolist() == [10, 20]
    with pytest.raises(BadFile, match="nRows 4, and it holds 2"):
        parse_csv(text.replace("nRows=2", "nRows=4"), "t.csv")


@pytest.mark.parametrize(
    "text",
    ["sep=;\ntime;a\n0,5;1,25\n1;2\n", '"sep=,"\ntime,a\n0.5,1.25\n1,2\n', "sep=\t\ntime\ta\n0.5\t1.25\n1\t2\n"],
)
def test_a_first_line_that_names_the_separator_is_obeyed(text):
    """Oracle: the numbers by hand; spreadsheets write such a line."""
    table = parse_csv(text, "t.csv")
    assert table.names == ("time", "a")
    np.testing.assert_array_equal(table.values, [[0.5, 1.25], [1, 2]])


@pytest.mark.parametrize("word", ["NA", "N/A", "na"])
def test_words_for_a_missing_number_are_missing_numbers(word):
    """Oracle: NaN at that place alone; statistics programs write such words."""
    np.testing.assert_array_equal(parse_csv(f"t,a\n0,{word}\n1,2\n", "t.csv").values, [[0, np.nan], [1, 2]])


def test_a_line_that_names_the_separator_and_nothing_below_is_no_table():
    """Oracle: the class and the file's name."""
    with pytest.raises(BadFile, match=r"t\.csv"):
        parse_csv("sep=;\ntime;a\n", "t.csv")


@pytest.mark.parametrize("mark", ["# ", "% ", "#", ""])
@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_tables_of_numpy_savetxt_come_back(tmp_path, mark, separator):
    """Oracle: the array that NumPy wrote, with its names in a comment or without a mark."""
    values = np.random.default_rng(1).normal(size=(4, 3))
    names = separator.join(("time", "knee", "hip"))
    np.savetxt(tmp_path / "a.csv", values, delimiter=separator, header=names, comments=mark)
    table = read_csv(tmp_path / "a.csv")
    assert table.names == ("time", "knee", "hip")
    np.testing.assert_array_equal(table.values, values)


def test_a_comment_that_names_no_columns_is_not_taken_for_their_names():
    """Oracle: the words; a date and a number beside words are no names."""
    for comment in ("# made by hand", "# subject, 3", ""):
        with pytest.raises(BadFile, match="first line must name the columns"):
            parse_csv(f"{comment}\n1,2\n3,4\n", "t.csv")


def test_blanks_may_stand_between_columns_and_around_them():
    """Oracle: the numbers as written; a comma beside blanks is a decimal comma."""
    for text in ("time  knee\n 0.5   1.25\n 1 2\n", "% MATLAB\ntime knee\n0,5 1,25\n1 2\n"):
        np.testing.assert_array_equal(parse_csv(text, "t.csv").values, [[0.5, 1.25], [1.0, 2.0]])


@pytest.mark.parametrize(("field", "number"), [("1.5D+03", 1500.0), ("-.25d-1", -0.025), ("2.D0", 2.0)])
def test_exponents_of_fortran_are_read(field, number):
    """Oracle: the number by hand."""
    assert parse_csv(f"time,x\n0,{field}\n", "t.csv")["x"][0] == number


def test_zeros_that_pad_a_file_are_left_out_with_a_warning(tmp_path):
    """Oracle: the table before the zeros; a row that they cut is still refused."""
    (tmp_path / "a.csv").write_bytes(b"time,x\n0,1.5\n1,2.5\n" + bytes(512))
    with pytest.warns(CondyleWarning, match="512 bytes"):
        table = read_csv(tmp_path / "a.csv")
    np.testing.assert_array_equal(table["x"], [1.5, 2.5])
    (tmp_path / "a.csv").write_bytes(b"time,x\n0,1.5\n1" + bytes(512))
    with pytest.raises(BadFile), pytest.warns(CondyleWarning):
        read_csv(tmp_path / "a.csv")
