"""Records of integers in a table, and variables made of literals."""

import ast
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import condyle
from condyle.numeric import as_int64, entry, kernel, record, tables

KERNELS = sorted(path for path in Path(condyle.__file__).parent.rglob("*.py") if path.parent.name == "kernels")


class Stretch(NamedTuple):
    """Where numbers begin, and how many there are."""

    at: int
    count: int


@entry
def total(pair, place):
    """The sum of the numbers of the record at a place of the codes."""
    t = tables(pair)
    stretch, out = record(Stretch, t.codes, place), 0.0
    for k in range(stretch.count):
        out += t.numbers[stretch.at + k]
    return out


@kernel
def same(k):
    return k


@entry
def of_a_literal():
    return same(as_int64(7)) + same(as_int64(-2))


@pytest.mark.parametrize(("place", "wanted"), [(0, 1.0 + 2.0), (2, 0.0), (3, 0.0 + 1.0 + 2.0)])
def test_a_record_is_read_where_it_stands(place, wanted):
    """Oracle: the sums by hand of numbers 1 … 2, of none, and of numbers 0 … 2."""
    codes, numbers = np.array([1, 2, 3, 0, 3]), np.array([0.0, 1.0, 2.0, 4.0])
    assert total((codes, numbers), place) == wanted


def test_literals_become_variables():
    """Oracle: the sum."""
    assert of_a_literal() == 5


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: "/".join(p.parts[-4:]))
def test_kernels_take_at_most_eight_arguments(path):
    """Oracle: the syntax tree."""
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    assert [f.name for f in functions if len(f.args.args) > 8] == []
