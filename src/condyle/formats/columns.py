"""Text tables with a header line: named columns of numbers, separated by commas."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from ..errors import BadShape, BadValue, require

__all__ = ["read_columns", "write_columns"]


def read_columns(path: str | Path) -> dict[str, np.ndarray]:
    """Every column of a CSV file by its name, as floats. Lines that begin with # and empty lines are skipped."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line and not line[0].lstrip().startswith("#")]
    require(lines, f"{path}: the file has no header line", BadShape)
    names = [name.strip() for name in lines[0]]
    for number, line in enumerate(lines[1:], start=2):
        require(
            len(line) == len(names), f"{path}: row {number} has {len(line)} cells, the header {len(names)}", BadShape
        )
    return {name: _numbers(path, name, [line[k] for line in lines[1:]]) for k, name in enumerate(names)}


def write_columns(path: str | Path, columns: dict[str, np.ndarray]) -> None:
    """The columns as a CSV file; numbers are written so that they read back the same."""
    rows = np.column_stack([np.asarray(values, float) for values in columns.values()])
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([[repr(float(x)) for x in row] for row in rows])


def _numbers(path, name: str, cells: list[str]) -> np.ndarray:
    out = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            out[row] = float(cell)
        except ValueError as error:
            raise BadValue(f"{path}: column {name!r}, row {row + 2}: {cell!r} is not a number") from error
    return out
