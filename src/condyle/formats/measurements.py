"""Tables of numbers in CSV: one header line of names, then rows; an empty field or 'nan' is a missing number."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import BadFile, unknown_name

__all__ = ["Table", "read_table", "write_table"]


@dataclass(frozen=True)
class Table:
    """Named columns of numbers (rows, columns)."""

    names: tuple[str, ...]
    values: np.ndarray
    path: str = "table"

    def columns(self, names) -> np.ndarray:
        """Some columns by name, (rows, len(names))."""
        for name in names:
            if name not in self.names:
                raise unknown_name("column", name, self.names, self.path)
        return self.values[:, [self.names.index(n) for n in names]]

    def has(self, names) -> bool:
        """Whether all these columns exist."""
        return set(names) <= set(self.names)


def read_table(path) -> Table:
    """A CSV file as named columns."""
    path = Path(path)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [r for r in csv.reader(file) if r and not r[0].lstrip().startswith("#")]
    except (OSError, UnicodeDecodeError) as trouble:
        raise BadFile(f"{path}: cannot be read as text: {trouble}") from None
    if len(rows) < 2:
        raise BadFile(f"{path}: a table needs a header line and at least one row of numbers; got {len(rows)} lines.")
    names = tuple(n.strip() for n in rows[0])
    if all(_number(n) is not None for n in names):
        raise BadFile(f"{path}: the first line must name the columns; got {', '.join(names[:6])}. Add a header.")
    return Table(names, np.array([_row(r, names, k, path) for k, r in enumerate(rows[1:])]), str(path))


def write_table(table: Table, path) -> None:
    """As CSV, with all digits."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(table.names)
        out.writerows([[repr(float(x)) for x in row] for row in table.values])


def _row(fields, names, index: int, path) -> list[float]:
    if len(fields) != len(names):
        raise BadFile(f"{path}: row {index} has {len(fields)} fields; the header names {len(names)} columns.")
    numbers = [_number(f) for f in fields]
    if None in numbers:
        at = numbers.index(None)
        raise BadFile(f"{path}: row {index}, column {names[at]!r} holds {fields[at]!r}; expected a number.")
    return numbers  # type: ignore[return-value]


def _number(field: str) -> float | None:
    try:
        return float(field) if field.strip() else float("nan")
    except ValueError:
        return None
