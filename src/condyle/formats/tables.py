"""Tables of numbers with named columns: CSV, and OpenSim's STO and MOT. An empty field or 'nan' is a missing number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import BadFile, require, unknown_name
from .files import read_text, write_text

__all__ = ["Table", "csv_text", "parse_csv", "parse_sto", "read_csv", "sto_text", "write_csv"]

Line = tuple[int, list[str]]  # its number in the file, its fields


@dataclass(frozen=True)
class Table:
    """Named columns of numbers (rows, columns); `degrees` says that angles are in degrees, `path` where it is from."""

    names: tuple[str, ...]
    values: np.ndarray
    degrees: bool = False
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


def read_csv(path) -> Table:
    """The table of a CSV file."""
    return parse_csv(read_text(path), str(path))


def write_csv(table: Table, path) -> None:
    """As CSV, with all digits."""
    write_text(path, csv_text(table))


def parse_csv(text: str, path: str) -> Table:
    """A first line of names, then numbers, with commas; empty lines and lines that begin with # are skipped."""
    reader = csv.reader(io.StringIO(text.replace("\0", " ")))
    try:
        lines = [(reader.line_num, row) for row in reader if row and not row[0].lstrip().startswith("#")]
    except csv.Error as error:
        raise BadFile(f"{path}, line {reader.line_num}: not a table with commas: {error}") from None
    return _table(lines, path)


def parse_sto(text: str, path: str) -> Table:
    """OpenSim's header up to `endheader`, then names and numbers; inDegrees is obeyed."""
    lines = text.splitlines()
    ends = [i for i, line in enumerate(lines) if line.strip().lower() == "endheader"]
    require(ends, f"{path}: no line `endheader`; expected an OpenSim storage file", BadFile)
    header = dict(_setting(line) for line in lines[: ends[0]] if "=" in line)
    degrees = header.get("indegrees", "no")
    require(degrees in ("yes", "no"), f"{path}: inDegrees must be yes or no", BadFile, inDegrees=degrees)
    body = [(n, fields) for n, line in enumerate(lines, 1) if n > ends[0] + 1 and (fields := line.split())]
    return _table(body, path, degrees == "yes")


def _setting(line: str) -> tuple[str, str]:
    key, _, value = line.partition("=")
    return key.strip().lower(), value.strip().lower()


def _table(lines: list[Line], path: str, degrees: bool = False) -> Table:
    require(len(lines) >= 2, f"{path}: a table needs a line of names and at least one of numbers", BadFile)
    names = tuple(n.strip() for n in lines[0][1])
    twice = sorted({n for n in names if names.count(n) > 1})
    require(not twice, f"{path}: two columns have one name", BadFile, names=twice)
    if all(_number(n) is not None for n in names):
        raise BadFile(f"{path}: the first line must name the columns; got {', '.join(names[:6])}. Add a header.")
    return Table(names, np.array([_row(line, names, path) for line in lines[1:]]), degrees, path)


def _row(line: Line, names: tuple[str, ...], path: str) -> list[float]:
    number, fields = line
    good = len(fields) == len(names)
    require(good, f"{path}, line {number}: {len(names)} columns expected", BadFile, fields=len(fields))
    numbers = [_number(f) for f in fields]
    if None in numbers:
        at = numbers.index(None)
        raise BadFile(f"{path}, line {number}, column {names[at]!r}: expected a number; got {fields[at]!r}")
    return numbers  # type: ignore[return-value]


def _number(field: str) -> float | None:
    try:
        return float(field) if field.strip() else float("nan")
    except ValueError:
        return None


def csv_text(table: Table) -> str:
    """Numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.names)
    writer.writerows(_digits(table))
    return out.getvalue()


def sto_text(table: Table, title: str) -> str:
    """OpenSim's storage format, version 1, in radians."""
    head = [title, "version=1", f"nRows={len(table.values)}", f"nColumns={len(table.names)}", "inDegrees=no"]
    return "\n".join([*head, "endheader", *("\t".join(row) for row in (table.names, *_digits(table)))]) + "\n"


def _digits(table: Table) -> Iterable[list[str]]:
    """Numbers so that they read back the same."""
    return ([repr(float(x)) for x in row] for row in table.values)
