"""CSV tables: what is written comes back; what is broken is named with its place."""

import numpy as np
import pytest

from condyle.errors import BadShape, BadValue
from condyle.formats.columns import read_columns, write_columns


def test_columns_come_back_bit_for_bit(tmp_path):
    """Oracle: the arrays themselves."""
    columns = {"time": np.arange(5.0), "x": np.random.default_rng(0).normal(size=5)}
    write_columns(tmp_path / "a.csv", columns)
    again = read_columns(tmp_path / "a.csv")
    assert list(again) == ["time", "x"]
    assert all(np.array_equal(again[name], columns[name]) for name in columns)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", BadShape, "the file has no header line"),
        ("a,b\n1,2\n3\n", BadShape, "row 3 has 1 cells, the header 2"),
        ("a,b\n1,two\n", BadValue, "column 'b', row 2: 'two' is not a number"),
    ],
)
def test_broken_tables_are_named(tmp_path, text, error, words):
    (tmp_path / "b.csv").write_text(text)
    with pytest.raises(error, match=words):
        read_columns(tmp_path / "b.csv")


def test_comments_and_empty_lines_are_skipped(tmp_path):
    """Oracle: the one row of numbers."""
    (tmp_path / "c.csv").write_text("# made by hand\na, b\n\n1, 2\n")
    assert {k: v.tolist() for k, v in read_columns(tmp_path / "c.csv").items()} == {"a": [1.0], "b": [2.0]}
