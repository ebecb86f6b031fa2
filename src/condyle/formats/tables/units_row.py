"""A second line of a CSV file that says the unit of each column: s, deg, mm, N."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

DEGREES, RADIANS = ("deg", "degree", "degrees", "°"), ("rad", "radian", "radians")
LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}  # [m]
TIMES = {"s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3}  # [s]
FORCES = dict.fromkeys(("n", "nm", "n*m", "n.m", "n·m", "n-m", "kg", "w", "j"), 1.0) | dict.fromkeys(
    ("nmm", "n*mm"), 1e-3
)
PLAIN = dict.fromkeys(("-", "–", "none", "frame", "frames", "%", "hz", "v", "mv", "bw", "au", "a.u."), 1.0)
LEVELS = LENGTHS | FORCES | dict.fromkeys(DEGREES, pi / 180) | dict.fromkeys(RADIANS, 1.0)
RATES = {f"{unit}/{time}": per for unit, per in LEVELS.items() for time in ("s", "s^2", "s2", "s²")}
UNITS = LEVELS | TIMES | PLAIN | RATES  # in radians, metres, seconds, newtons


def row_of_units(fields: Sequence[str]) -> tuple[str, ...] | None:
    """The units that a line names, "" where it leaves one out; None if it is another kind of line."""
    units = tuple(field.strip().strip("\"'").strip(" ()[]").lower() for field in fields)
    return units if any(units) and all(unit in UNITS for unit in units if unit) else None


def common_length(units: Sequence[str]) -> str | None:
    """The unit of length that columns have; None if there is none or several."""
    found = {unit for unit in units if unit in LENGTHS}
    return found.pop() if len(found) == 1 else None


def all_in_degrees(units: Sequence[str]) -> bool | None:
    """Whether the columns that are angles are all in degrees; None if there is no angle, or they are mixed."""
    said = {unit in DEGREES for unit in units if unit in (*DEGREES, *RADIANS)}
    return said.pop() if len(said) == 1 else None
