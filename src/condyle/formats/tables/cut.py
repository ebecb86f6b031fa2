"""Files that were cut off: fewer rows than their header says, or an end in the middle of a row or of a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import BadFile, warn
from ..doubts import doubt, policy_of

DECIMALS = re.compile(r"[+-]?\d*(?:[.,](\d*))?(?:e[+-]?(\d+))?", re.IGNORECASE)
ENOUGH = 3  # rows before the last that show how its numbers are written


def check_policy(truncated: str) -> None:
    """`truncated` is "error" or "warn"."""
    policy_of(truncated)


def say_cut(path, what: str, truncated: str) -> None:
    """Refuse a file that was cut off, or warn and go on."""
    if truncated == "error":
        raise BadFile(
            f"{path}: the file is cut off: {what}. Read what is whole with truncated='warn', "
            "on the command line --truncated warn"
        )
    warn(f"{path}: the file is cut off: {what}")


def check_count(found: int, said: int | None, key: str, path, truncated: str) -> None:
    """Compare the rows of a file with the count in its header: fewer are refused, one less or more are warned of.

    Programs that count a row too many are common, among them those that made OpenSim's own examples.
    """
    if said is None or found == said:
        return
    if found == said - 1 > 0:
        doubt(f"{path}: its header says {key} {said}, and it holds {found} rows, which are read; the last is cut off, "
              "or was never there")  # fmt: skip
        return
    if found < said:
        say_cut(path, f"its header says {key} {said}, and it holds {found} rows", truncated)
        return
    message = f"{path}: its header says {key} {said}, and it holds {found} rows; all of them are read"
    warn(message)


def is_cut_number(last: str, before: Sequence[str], path) -> bool:
    """Whether the last number of a file whose last line has no end was cut, judged by how those `before` are written.

    Where this cannot be known, a warning says so.
    """
    decimals, exponent = _digits(last)
    written = [_digits(field) for field in before]
    if not written:
        return _warned(last, path)
    fewest, most = min(written), max(written)
    if decimals < fewest[0] or (fewest == most and exponent < fewest[1]):
        return len(written) >= ENOUGH or _warned(last, path)
    return (decimals, exponent) < most and _warned(last, path)


def _warned(last: str, path) -> bool:
    message = f"{path}: the last line has no end; its last number, {last.strip()[:40]!r}, may be cut off"
    warn(message)
    return False


def _digits(field: str) -> tuple[int, int]:
    """How many digits stand after the decimal point, and in the exponent."""
    found = DECIMALS.match(field.strip())
    return (len(found[1] or ""), len(found[2] or "")) if found else (0, 0)
