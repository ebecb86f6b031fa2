"""Tables of numbers with named columns: CSV, and OpenSim's STO and MOT."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from ..errors import BadFile, require

__all__ = ["Table", "csv_text", "parse_csv", "parse_sto", "sto_text"]


@dataclass(frozen=True)
class Table:
    """Rows of numbers; `degrees` says that angles are in degrees."""

    columns: tuple[str, ...]
    rows: np.ndarray
    degrees: bool = False


def parse_csv(text: str, name: str) -> Table:
    """A first line of names, then numbers, with commas."""
    lines = [row for row in csv.reader(io.StringIO(text.replace("\0", " "))) if row]
    require(len(lines) >= 2, f"{name}: a table needs a line of names and at least one of numbers", BadFile)
    return _table(lines[0], lines[1:], name, 2)


def parse_sto(text: str, name: str) -> Table:
    """OpenSim's header up to `endheader`, then names and numbers; inDegrees is obeyed."""
    lines = text.splitlines()
    ends = [i for i, line in enumerate(lines) if line.strip().lower() == "endheader"]
    require(ends, f"{name}: no line `endheader`; expected an OpenSim storage file", BadFile)
    header = dict(_setting(line) for line in lines[: ends[0]] if "=" in line)
    body = [line.split() for line in lines[ends[0] + 1 :] if line.strip()]
    require(len(body) >= 2, f"{name}: a table needs a line of names and at least one of numbers", BadFile)
    degrees = header.get("indegrees", "no")
    require(degrees in ("yes", "no"), f"{name}: inDegrees must be yes or no", BadFile, inDegrees=degrees)
    return _table(body[0], body[1:], name, ends[0] + 3, degrees == "yes")


def _setting(line: str) -> tuple[str, str]:
    key, _, value = line.partition("=")
    return key.strip().lower(), value.strip().lower()


def _table(names: list[str], lines: list[list[str]], name: str, first: int, degrees: bool = False) -> Table:
    columns = tuple(n.strip() for n in names)
    require(len(set(columns)) == len(columns), f"{name}: two columns have one name", BadFile, columns=columns)
    rows = np.empty((len(lines), len(columns)))
    for i, line in enumerate(lines):
        where = f"{name}, line {first + i}"
        require(len(line) == len(columns), f"{where}: {len(columns)} columns expected", BadFile, got=len(line))
        try:
            rows[i] = [float(x) for x in line]
        except ValueError as error:
            raise BadFile(f"{where}: numbers expected; {error}") from None
    return Table(columns, rows, degrees)


def csv_text(table: Table) -> str:
    """Numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([[repr(float(x)) for x in row] for row in table.rows])
    return out.getvalue()


def sto_text(table: Table, title: str) -> str:
    """OpenSim's storage format, version 1, in radians."""
    head = [title, "version=1", f"nRows={len(table.rows)}", f"nColumns={len(table.columns)}", "inDegrees=no"]
    rows = ["\t".join(repr(float(x)) for x in row) for row in table.rows]
    return "\n".join([*head, "endheader", "\t".join(table.columns), *rows]) + "\n"
