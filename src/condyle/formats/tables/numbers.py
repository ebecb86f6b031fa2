"""Fields of text as numbers: missing ones, spellings of NaN, commas as decimal points, counts in headers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import BadFile, require

NOT_A_NUMBER = re.compile(  # as compilers of C print it, and as statistics programs write what is missing
    r"[+-]?(1\.#(IND|QNAN|SNAN)\d*|nan(\([^)]*\))?)|n/?a", re.IGNORECASE
)
INFINITE = re.compile(r"([+-]?)1\.#INF\d*", re.IGNORECASE)
FORTRAN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))[dD]([+-]?\d+)")  # a number of double precision: 1.5D+03
LONGEST_COUNT = 15  # digits


def as_number(field: str) -> float | None:
    """The number of a field, NaN if it is empty, None if it is something else."""
    field = field.strip()
    if not field or NOT_A_NUMBER.fullmatch(field):
        return float("nan")
    if infinite := INFINITE.fullmatch(field):
        return float(f"{infinite[1]}inf")
    field = FORTRAN.sub(r"\1e\2", field) if FORTRAN.fullmatch(field) else field
    try:
        return float(field) if "_" not in field else None
    except ValueError:
        return None


def as_numbers(fields: Sequence[str], names: Sequence[str], place: str) -> list[float]:
    """The numbers of a row; a field that is none is refused with its column. `place` says where the row stands."""
    try:
        if "_" not in " ".join(fields):
            return list(map(float, fields))
    except ValueError:  # something is missing, or worse
        pass
    numbers = [as_number(field) for field in fields]
    if None in numbers:
        at = numbers.index(None)
        raise BadFile(f"{place}, column {names[at]!r}: expected a number; got {fields[at][:60]!r}")
    return numbers  # type: ignore[return-value]


def with_points(rows: Sequence[str], path: str) -> list[str]:
    """Rows whose decimal commas, if they have any, became points; rows with both are refused."""
    text = "\n".join(rows)
    if "," not in text:
        return list(rows)
    expected = (
        f"{path}: numbers have both commas and points, so that neither is sure to be the decimal point; write points"
    )
    require("." not in text, expected, BadFile)
    return text.replace(",", ".").split("\n")


def as_count(text: str, key: str, path: str) -> int | None:
    """A count of a header; None where it is empty."""
    text = (text.split() or [""])[0]
    if not text:
        return None
    number = as_number(text) if len(text) <= LONGEST_COUNT else None
    good = number is not None and 0 <= number < 10**LONGEST_COUNT and number == int(number)
    require(good, f"{path}: {key} must be a count of at most {LONGEST_COUNT} digits", BadFile, got=text[:60])
    return int(number)  # type: ignore[arg-type]
