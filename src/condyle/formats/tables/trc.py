"""Marker files TRC: a header of five lines, then frame, time and three coordinates for each marker, tab-separated.

Programs differ in tabs: between names stand one, two or three, between values of the header several, at the end of a
line none or some. So names and values are told by what stands between tabs, and compared with the counts of the header.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import BadFile, require, warn
from ..safe_files import write_text
from ..text import Lines, read_measured_text, split_lines
from .cut import check_count, check_policy, is_cut_number, say_cut
from .marker_frames import Markers, markers_of, meters_per
from .numbers import as_count, as_number, as_numbers, with_points
from .rising_times import check_rising
from .table import Table, kept_apart

COMPONENT = re.compile(r"[XYZ]\d*", re.IGNORECASE)
RATE_TOLERANCE = 0.02  # of a step of time; times are often rounded to milliseconds


def read_trc(path, *, truncated: str = "error") -> Markers:
    """Markers [m] of a TRC file; empty fields are missing."""
    return markers_of(read_trc_table(path, truncated=truncated))


def read_trc_table(path, *, truncated: str = "error") -> Table:
    """A TRC file as a table in its own unit: the time, and a column of three numbers for each marker."""
    return parse_trc(read_measured_text(path), str(path), truncated=truncated)


def parse_trc(text: str, path: str, *, truncated: str = "error") -> Table:
    """The table of a TRC file. Its counts of frames and markers are compared with what is there."""
    check_policy(truncated)
    head = _head(split_lines(_with_tabs(text.replace("\0", " "))), path)
    require(head.rows, f"{path}: a header and no rows of markers below it", BadFile)
    rows = [_row(row) for row in with_points(head.rows, path)]
    rows = _whole(rows, head, path, truncated)
    names = _marker_names(head, max(map(len, rows), default=2), path)
    columns = ["Frame#", "Time", *(name for name in names for _ in range(3))]
    values = array("d")
    for k, row in enumerate(rows):
        values.extend(_numbers(row, columns, f"{path}, line {head.lines[k]}"))
    check_count(len(rows), head.count("NumFrames", path), "NumFrames", path, truncated)
    table = np.array(values).reshape(len(rows), 2 + 3 * len(names))[:, 1:]
    _check_times(table[:, 0], head.about.get("DataRate", ""), path)
    return Table(
        kept_apart(("time", *names), path, "marker"),
        table,
        (1, *(3,) * len(names)),
        None,
        _unit(head.about, path),
        head.about,
        path,
    )


def _with_tabs(text: str) -> str:
    """The text with tabs where commas stand between its fields, as spreadsheets write them."""
    names = next((line for line in text.splitlines() if line.lstrip().lower().startswith("frame")), "")
    return text.replace(",", "\t") if "," in names and "\t" not in names else text


@dataclass(frozen=True)
class Head:
    """The header of a TRC file, and the rows below it with their line numbers; `ended`: the last one has an end."""

    about: dict[str, str]
    names: str
    components: int | None
    rows: list[str]
    lines: list[int]
    ended: bool

    def count(self, key: str, path: str) -> int | None:
        """A count of the header, if it is there."""
        return as_count(self.about.get(key, ""), key, path)


def _head(split: Lines, path: str) -> Head:
    """Blank lines may stand anywhere."""
    lines = [(n, line) for n, line in enumerate(split.lines, 1) if line.strip()]
    first = lines[0][1].lstrip() if lines else ""
    if len(lines) < 4 or not first.lower().startswith("pathfiletype"):
        raise BadFile(f"{path}: not a TRC file: it must begin with 'PathFileType' and have a header of five lines.")
    keys, values, names = (line for _, line in lines[1:4])
    expected = f"{path}, line {lines[3][0]}: expected 'Frame#', 'Time' and the names of markers"
    require(names.lstrip().lower().startswith("frame"), expected, BadFile, got=names.strip()[:60])
    labels = lines[4][1].split() if len(lines) > 4 else []
    labeled = bool(labels) and all(COMPONENT.fullmatch(label) for label in labels[:3])
    rest = lines[5 if labeled else 4 :]
    about = _settings(keys, values)
    components = len(labels) if labeled else None
    return Head(about, names, components, [row for _, row in rest], [n for n, _ in rest], split.ended)


def _settings(keys: str, values: str) -> dict[str, str]:
    """Keys of one line and values of the next: by their place or, with several tabs between them, by their order."""
    by_place = [[field.strip() for field in _fields(line)] for line in (keys, values)]
    if len(by_place[0]) == len(by_place[1]) and all(by_place[0]):
        return dict(zip(*by_place, strict=True))
    return dict(zip(*([f for f in fields if f] for fields in by_place), strict=False))


def _fields(line: str) -> list[str]:
    """What stands between tabs (between blanks, if there are no tabs), without empty fields at the end."""
    fields = line.split("\t") if "\t" in line.strip() else line.split()
    while fields and not fields[-1].strip():
        fields.pop()
    return fields


def _row(line: str) -> list[str]:
    """The fields of a row, whose tabs may be doubled."""
    fields = _fields(line)
    return fields[::2] if len(fields) > 2 and not "".join(fields[1::2]).strip() else fields


def _whole(rows: list[list[str]], head: Head, path: str, truncated: str) -> list[list[str]]:
    """The rows without a last one that was cut off."""
    if head.ended:
        return rows
    last, before = rows[-1], rows[:-1]
    widest = max(map(len, before), default=2 + (head.components or 0))
    same = [row[-1] for row in before if len(row) == len(last)]
    if len(last) < widest or is_cut_number(last[-1], same, path):
        say_cut(path, f"it ends within line {head.lines[-1]}", truncated)
        return before
    return rows


def _marker_names(head: Head, widest: int, path: str) -> list[str]:
    """The names of the markers, as many as the rows have coordinates for."""
    fields = _fields(head.names)
    names = [field.strip() for field in fields if field.strip()][2:]
    found = max(-(-(widest - 2) // 3), (head.components or 0) // 3)
    if len(names) < found:
        names = _by_place(fields, found, path)
    require(names, f"{path}: no names of markers", BadFile)
    said = head.count("NumMarkers", path)
    good = len(names) == found or (len(names) > found and said == len(names))  # the last ones were never seen
    require(good, f"{path}: {len(names)} names of markers and coordinates of {found}", BadFile, NumMarkers=said)
    if said not in (None, len(names)):
        message = f"{path}: its header says NumMarkers {said}, and it names {len(names)} markers, which are read"
        warn(message)
    return names


def _by_place(fields: list[str], count: int, path: str) -> list[str]:
    """Names at every third place, if all stand there: a marker whose name is empty is called by its number."""
    places = [k for k, field in enumerate(fields) if k >= 2 and field.strip()]
    if any((k - 2) % 3 for k in places):
        return [fields[k].strip() for k in places]
    named = {(k - 2) // 3: fields[k].strip() for k in places}
    names = [named.get(k, f"marker {k + 1}") for k in range(count)]
    message = f"{path}: {count - len(named)} markers have no name; they are called 'marker 3' and so on by their place"
    warn(message)
    return names


def _numbers(row: list[str], columns: list[str], place: str) -> list[float]:
    """Frame, time and coordinates; what is missing at the end are markers that were not seen."""
    width = len(columns)
    require(
        2 <= len(row) <= width, f"{place}: frame, time and {width - 2} coordinates expected", BadFile, fields=len(row)
    )
    require((len(row) - 2) % 3 == 0 or not row[-1].strip(), f"{place}: a marker has three coordinates", BadFile,
            coordinates=len(row) - 2)  # fmt: skip
    numbers = as_numbers(row, columns, place)
    require(np.isfinite(numbers[1]), f"{place}: the time is missing", BadFile, got=numbers[1])
    return numbers + [np.nan] * (width - len(row))


def _check_times(t: np.ndarray, rate: str, path: str) -> None:
    """Warn where times do not rise, or are not those of `DataRate`."""
    if not check_rising(t, path):
        return
    said = as_number(rate) or 0.0
    span = float(t[-1]) - float(t[0])  # plain numbers: a span beyond all numbers is infinite, without a word
    steps = span * said / (len(t) - 1) if len(t) > 2 and said > 0 else 1.0
    if abs(steps - 1.0) > RATE_TOLERANCE:
        found = (len(t) - 1) / span
        message = f"{path}: its header says DataRate {said:g}, and its times are those of {found:g} rows a second"
        warn(message)


def _unit(about: dict[str, str], path: str) -> str:
    """The unit of length, which must be a known one; millimetres, with a warning, where the header states none."""
    unit = about.get("Units", "")
    if not unit:
        warn(f"{path}: its header states no Units; millimetres are assumed")
        return "mm"
    meters_per(unit, path)
    return unit


def write_trc(markers: Markers, path, rate: float | None = None) -> None:
    """In metres; `rate` [1/s] is that of the times if it is not given."""
    count, names = len(markers.times), markers.names
    span = float(markers.times[-1] - markers.times[0]) if count > 1 else 0.0
    rate = rate or ((count - 1) / span if span > 0 else 100.0)
    head = [
        f"PathFileType\t4\t(X/Y/Z)\t{Path(path).name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:g}\t{rate:g}\t{count}\t{len(names)}\tm\t{rate:g}\t1\t{count}",
        "Frame#\tTime\t" + "\t\t\t".join(names),
        "\t\t" + "\t".join(f"{a}{k + 1}" for k in range(len(names)) for a in "XYZ"),
    ]
    rows = [
        f"{k + 1}\t{t!r}\t" + "\t".join("" if np.isnan(x) else repr(float(x)) for x in p.ravel())
        for k, (t, p) in enumerate(zip(markers.times.tolist(), markers.points, strict=True))
    ]
    write_text(path, "\n".join([*head, *rows]) + "\n")
