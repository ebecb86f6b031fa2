"""OpenSim's storage files STO and MOT, SIMM's motion files among them: a header, a line of names, rows of numbers."""

from __future__ import annotations

import re
from array import array

import numpy as np

from ...errors import BadFile, require, warn
from ..text import read_measured_text, split_lines
from .csv import digits
from .cut import check_policy, is_cut_number, say_cut
from .numbers import as_numbers, with_points
from .storage_header import find_header
from .table import Table, kept_apart

WIDTHS = {"double": 1, "quaternion": 4, "unitvec3": 3, "spatialvec": 6, "mat33": 9, "rotation": 9}
VECTOR = re.compile(r"vec(\d{1,2})")
TYPES = {1: "double", 4: "Quaternion"}  # others are Vec3, Vec6, …
BRACKETS = str.maketrans("", "", "()[]~ ")


def read_sto(path, *, truncated: str = "error") -> Table:
    """The table of a STO or MOT file."""
    return parse_sto(read_measured_text(path), str(path), truncated=truncated)


def parse_sto(text: str, path: str, *, truncated: str = "error") -> Table:
    """The table of a storage file. Its counts of rows and columns are compared with what is there."""
    check_policy(truncated)
    split = split_lines(text.replace("\0", " "))
    header = find_header(split.lines)
    if header is None:
        raise BadFile(f"{path}: no line `endheader`; expected an OpenSim storage file")
    body = [(n, line) for n, line in enumerate(split.lines, 1) if n > header.length and line.strip()]
    require(body, f"{path}: no line of names after `endheader`", BadFile)
    width = _width(header.get("DataType"), path)
    body = _between_tabs(body) if width == 1 else body
    numbers, rows = [n for n, _ in body[1:]], [line for _, line in body[1:]]
    rows = _scalar_rows(rows, path) if width == 1 else rows
    labels = _labels(body[0][1], rows)
    fields = [_fields(row, len(labels)) for row in rows]
    fields = _whole(fields, len(labels), split.ended, path, truncated)
    header.check_counts(len(fields), len(labels), path, truncated)
    if not fields:
        message = f"{path}: no rows below the names of {len(labels)} columns"
        warn(message)
    names = kept_apart(labels, path)
    values = _numbers(fields, numbers, names, width, path)
    widths = (1, *(width,) * (len(names) - 1))
    values = values.reshape(len(fields), sum(widths))
    return Table(names, values, widths, header.in_degrees(path, names[1:]), header.units, header.metadata, path)


def _between_tabs(body: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines with tabs where commas stand between names and as many between the numbers of every row."""
    commas = body[0][1].count(",")
    apart = commas > 0 and "\t" not in body[0][1] and all(line.count(",") == commas for _, line in body[1:2])
    return [(n, line.replace(",", "\t")) for n, line in body] if apart else body


def _width(kind: str, path: str) -> int:
    """How many numbers a field of a `DataType` has."""
    kind = kind.strip().lower() or "double"
    vector = VECTOR.fullmatch(kind)
    if vector and int(vector[1]) > 0:
        return int(vector[1])
    known = ", ".join(("double", "Vec2 … Vec99", *(k for k in WIDTHS if k != "double")))
    require(kind in WIDTHS, f"{path}: unknown DataType; expected one of {known}", BadFile, got=kind[:60])
    return WIDTHS[kind]


def _scalar_rows(rows: list[str], path: str) -> list[str]:
    """Rows of single numbers, with points in them."""
    suspect = (row for row in rows if row.count(",") > 1)
    vectors = next((row for row in suspect if any(field.count(",") > 1 for field in row.split())), None)
    expected = f"{path}: a field holds several numbers; its header must say of what kind, such as DataType=Vec3"
    require(vectors is None, expected, BadFile, row=(vectors or "")[:60])
    return with_points(rows, path)


def _labels(line: str, rows: list[str]) -> list[str]:
    """The names of the columns: between tabs or, where the rows say so, between blanks."""
    between_tabs, between_blanks = [n.strip() for n in line.split("\t") if n.strip()], line.split()
    if "\t" not in line or (rows and len(rows[0].split()) == len(between_blanks)):
        return between_blanks
    return between_tabs


def _fields(row: str, width: int) -> list[str]:
    """The fields of a row: between blanks, or between single tabs where some are empty."""
    fields = row.split()
    if len(fields) == width or "\t" not in row:
        return fields
    between_tabs = row.split("\t")
    while len(between_tabs) > width and not between_tabs[-1].strip():
        between_tabs.pop()
    return between_tabs if len(between_tabs) == width else fields


def _whole(fields: list[list[str]], width: int, ended: bool, path: str, truncated: str) -> list[list[str]]:
    """The rows without a last one that was cut off."""
    if ended or not fields:
        return fields
    last, before = fields[-1], [row[-1] for row in fields[:-1] if len(row) == width]
    if len(last) < width or is_cut_number(last[-1], before, path):
        say_cut(path, f"it ends within row {len(fields)}", truncated)
        return fields[:-1]
    return fields


def _numbers(fields: list[list[str]], lines: list[int], names: tuple[str, ...], width: int, path: str) -> np.ndarray:
    """All numbers, row after row; fields of a vector hold `width` of them with commas between."""
    values, columns = array("d"), (names[0], *(name for name in names[1:] for _ in range(width)))
    for line, row in zip(lines, fields, strict=False):
        place = f"{path}, line {line}"
        require(len(row) == len(names), f"{place}: {len(names)} columns expected", BadFile, fields=len(row))
        values.extend(as_numbers(row if width == 1 else _components(row, names, width, place), columns, place))
    return np.array(values)


def _components(row: list[str], names: tuple[str, ...], width: int, place: str) -> list[str]:
    """The time, and the parts of every vector."""
    vectors = zip(row[1:], names[1:], strict=True)
    return [row[0], *(part for f, name in vectors for part in _parts(f, width, f"{place}, column {name!r}"))]


def _parts(field: str, width: int, place: str) -> list[str]:
    parts = field.translate(BRACKETS).replace(";", ",").split(",") if field.strip() else [""] * width
    require(len(parts) == width, f"{place}: {width} numbers expected in a field", BadFile, got=field[:60])
    return parts


def sto_text(table: Table, title: str) -> str:
    """OpenSim's storage format with all digits: version 1, or version 3 for columns of vectors."""
    widths = set(table.widths[1:])
    require(len(widths) <= 1 and table.widths[:1] == (1,), f"{title}: a storage file holds columns of one kind after "
            "the time; write CSV", BadFile)  # fmt: skip
    width = max(widths, default=1)
    kind = [] if width == 1 else [f"DataType={TYPES.get(width, f'Vec{width}')}"]
    head = [title, *kind, f"version={1 if width == 1 else 3}", f"nRows={len(table)}", f"nColumns={len(table.names)}"]
    head += [f"Units={table.units}"] if table.units else []
    head += [] if table.in_degrees is None else [f"inDegrees={'yes' if table.in_degrees else 'no'}"]
    return (
        "\n".join([*head, "endheader", "\t".join(table.names), *(_joined(row, width) for row in digits(table))]) + "\n"
    )


def _joined(row: list[str], width: int) -> str:
    vectors = (",".join(row[k : k + width]) for k in range(1, len(row), width))
    return "\t".join([row[0], *vectors])
