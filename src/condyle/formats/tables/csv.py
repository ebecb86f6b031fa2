"""CSV: a line of names, then numbers; with commas, semicolons, tabs or blanks between them."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterable

import numpy as np

from ...errors import BadFile, require, warn
from ..safe_files import write_text
from ..text import read_measured_text, split_lines
from .cut import check_policy, is_cut_number, say_cut
from .numbers import as_number, as_numbers, with_points
from .storage_header import Header, find_header
from .table import Table, kept_apart
from .units_row import all_in_degrees, common_length, row_of_units

Line = tuple[int, list[str]]  # its number in the file, its fields
COMMA, OTHERS = ",", ";\t"
BLANKS = None  # any number of them between two fields
COMMENTS = ("#", "%")
SEPARATOR = re.compile(r'"?sep=([,;\t])"?[ \r]*', re.IGNORECASE)  # a first line that spreadsheets write and obey


def read_csv(path, *, truncated: str = "error") -> Table:
    """The table of a CSV file."""
    return parse_csv(read_measured_text(path), str(path), truncated=truncated)


def write_csv(table: Table, path) -> None:
    """As CSV, with all digits."""
    write_text(path, csv_text(table))


def csv_text(table: Table) -> str:
    """Numbers with all their digits; a vector becomes several columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.flat_names)
    writer.writerows(digits(table))
    return out.getvalue()


def digits(table: Table) -> Iterable[list[str]]:
    """Numbers so that they read back the same."""
    return ([repr(float(x)) for x in row] for row in table.values)


def parse_csv(text: str, path: str, *, truncated: str = "error") -> Table:
    """A first line of names, then numbers; empty lines and lines that begin with # or % are skipped.

    Where the first of the others holds numbers, the comment above it names the columns if it has as many words, as
    `numpy.savetxt(header=...)` writes it.

    Between the names and the numbers may stand a line with the unit of each column (s, deg, rad, m, mm, N …).

    Between them stand commas, or semicolons, tabs or blanks, and then a comma may be the decimal point; a first line
    such as `sep=;` is obeyed. Before them may stand a header as in OpenSim's storage files, up to a line `endheader`.
    """
    check_policy(truncated)
    split = split_lines(text.replace("\0", " "))
    header = find_header(split.lines) or Header({}, _comments(split.lines), 0)
    kept = [(n, line) for n, line in enumerate(split.lines, 1) if n > header.length and not _is_idle(line)]
    said = SEPARATOR.fullmatch(kept[0][1]) if kept else None
    kept = _with_names_of_comment(kept[1:] if said else kept, split.lines)
    require(len(kept) >= 2, f"{path}: a table needs a line of names and at least one of numbers", BadFile)
    separator = said[1] if said else _separator(kept[0][1], kept[1][1])
    units = row_of_units(kept[1][1].split(separator))
    kept = kept if units is None else kept[:1] + kept[2:]
    require(len(kept) >= 2, f"{path}: a table needs at least one line of numbers after that of units", BadFile)
    lines = _without_blank_columns(_separated(kept, separator, path))
    names = _names(lines[0][1], path)
    rows = _whole(lines[1:], names, split.ended, path, truncated)
    header.check_counts(len(rows), len(names), path, truncated)
    values = array("d")
    for number, fields in rows:
        values.extend(as_numbers(fields, names, f"{path}, line {number}"))
    numbers = np.array(values).reshape(len(rows), len(names))
    if units is None:
        return Table(names, numbers, (), header.in_degrees(path), header.units, header.metadata, path)
    each = (*units, *[""] * len(names))[: len(names)]
    return Table(names, numbers, (), all_in_degrees(each), common_length(each), header.metadata, path, each)


def _is_idle(line: str) -> bool:
    """Whether a line is empty or a comment."""
    return not line.strip() or line.lstrip().startswith(COMMENTS)


def _comments(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line.lstrip().startswith(COMMENTS))


def _with_names_of_comment(kept: list[tuple[int, str]], lines: list[str]) -> list[tuple[int, str]]:
    """The lines that are kept, with the comment above them where they begin with numbers and it names the columns."""
    number, row = kept[0] if kept else (1, "")
    above = lines[number - 2].lstrip() if number > 1 else ""
    names = above.lstrip("#% \t") if above.startswith(COMMENTS) else ""
    separator = _separator(names, row)
    words, fields = names.split(separator), row.split(separator)
    numbers = [as_number(field) is not None for field in fields]
    named = len(words) == len(fields) and all(numbers) and all(as_number(word) is None for word in words)
    return [(number - 1, names), *kept] if named else kept


def _separated(lines: list[tuple[int, str]], separator: str | None, path: str) -> list[Line]:
    """The fields of each line, with decimal commas as points."""
    if separator != COMMA:
        points = with_points([line for _, line in lines[1:]], path)
        lines = lines[:1] + [(n, line) for (n, _), line in zip(lines[1:], points, strict=True)]
    return _fields(lines, separator, path)


def _separator(names: str, row: str) -> str | None:
    """A comma, unless semicolons, tabs or blanks separate as many names as numbers and commas do not."""
    marks = (s for s in (COMMA, *OTHERS) if 0 < names.count(s) == row.count(s))
    blank = 1 < len(names.split()) == len(row.split()) and not any(s in names for s in (COMMA, *OTHERS))
    return next(marks, BLANKS if blank else COMMA)


def _fields(lines: list[tuple[int, str]], separator: str | None, path: str) -> list[Line]:
    """The fields of each line; a quoted field may not go on in the next line."""
    if separator is None:  # blanks
        return [(number, line.split()) for number, line in lines]
    reader = csv.reader((line for _, line in lines), delimiter=separator)
    try:
        fields = list(reader)
    except csv.Error as error:
        number = lines[min(reader.line_num, len(lines)) - 1][0]
        raise BadFile(f"{path}, line {number}: not a table with {separator!r} between columns: {error}") from None
    require(len(fields) == len(lines), f"{path}: a quotation mark that is opened and not closed in its line", BadFile)
    return [(number, row) for (number, _), row in zip(lines, fields, strict=True)]


def _without_blank_columns(lines: list[Line]) -> list[Line]:
    """Lines without the columns at their end that have neither a name nor a number."""
    names = lines[0][1]
    used = max(max((k for k, field in enumerate(row, 1) if field.strip()), default=1) for _, row in lines)
    blank_ends = used < len(names) and all(len(row) == len(names) for _, row in lines)
    return [(number, row[:used]) for number, row in lines] if blank_ends else lines


def _names(fields: list[str], path: str) -> tuple[str, ...]:
    if all(as_number(field) is not None for field in fields):
        shown = ", ".join(fields[:6])
        raise BadFile(f"{path}: the first line must name the columns; got {shown[:200]}. Add a header.")
    blank = [k for k, field in enumerate(fields, 1) if not field.strip()]
    if blank:
        message = f"{path}: columns without a name are called 'column 3' and so on by their place: {blank[:12]}"
        warn(message)
    return kept_apart([field.strip() or f"column {k}" for k, field in enumerate(fields, 1)], path)


def _whole(rows: list[Line], names: tuple[str, ...], ended: bool, path: str, truncated: str) -> list[Line]:
    """The rows, each with a field for each name; a last one that was cut off is refused or left out."""
    width = len(names)
    if not ended and _is_cut(rows, width, path):
        say_cut(path, f"it ends within line {rows[-1][0]}", truncated)
        rows = rows[:-1]
    for number, fields in rows:
        good = len(fields) == width
        hint = "; decimal commas need semicolons between columns" if len(fields) == 2 * width else ""
        require(good, f"{path}, line {number}: {width} columns expected{hint}", BadFile, fields=len(fields))
    return rows


def _is_cut(rows: list[Line], width: int, path: str) -> bool:
    """Whether the last row, which has no end, misses columns or digits."""
    last = rows[-1][1]
    whole = [fields for _, fields in rows[:-1] if len(fields) == width]
    if len(last) != width:
        return len(last) < width and len(whole) == len(rows) - 1
    return is_cut_number(last[-1], [fields[-1] for fields in whole], path)
