"""Marker trajectories as every marker file holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import BadFile, amount, unknown_name, warn
from ..doubts import doubt
from .table import Table

SHORTEST = 3  # letters of a unit that was cut short
UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "inch": 0.0254}
SPELLINGS = {"in": "inch", "inches": "inch"} | {
    f"{prefix}met{end}{plural}": unit
    for prefix, unit in (("", "m"), ("centi", "cm"), ("milli", "mm"))
    for end in ("er", "re")
    for plural in ("", "s")
}


@dataclass(frozen=True)
class Markers:
    """`points` (T, markers, 3) [m] at `times` (T,) [s]; NaN where a marker was not seen.

    Attributes
    ----------
    names : tuple of str
    times : ndarray, shape (T,)
        [s]
    points : ndarray, shape (T, markers, 3)
        [m]
    """

    names: tuple[str, ...]
    times: np.ndarray
    points: np.ndarray

    def pick(self, names: Sequence[str]) -> np.ndarray:
        """The points (T, len(names), 3) of some markers by name.

        Parameters
        ----------
        names : sequence of str

        Returns
        -------
        ndarray, shape (T, len(names), 3)

        Raises
        ------
        UnknownName
            If there is no such marker.
        """
        for name in names:
            if name not in self.names:
                raise unknown_name("marker", name, self.names, "this file")
        return self.points[:, [self.names.index(n) for n in names]]


def markers_of(table: Table) -> Markers:
    """The markers of a table whose columns of three numbers are positions in the table's unit."""
    names = tuple(name for name, width in zip(table.names, table.widths, strict=True) if width == 3)
    scale = meters_per(table.units or "mm", table.path)
    points = scale * table.columns(names).reshape(len(table), len(names), 3)
    return Markers(names, table.times, _without_blanks(points, names, table.path))


def _without_blanks(points: np.ndarray, names: Sequence[str], path: str) -> np.ndarray:
    """Points of which programs wrote 0, 0, 0 or left a number out because they were not seen: NaN, with a warning."""
    zero, missing = (points == 0.0).all(axis=2), np.isnan(points)
    blank = zero & ~zero.all(axis=0)  # one that is there in every frame may be the origin of the laboratory
    for what, found in (("0, 0, 0", blank), ("without a number", missing.any(axis=2) & ~missing.all(axis=2))):
        own = [names[k] for k in np.flatnonzero(found.any(axis=0)).tolist()]
        if own:
            more = f" and {len(own) - 3} more" * (len(own) > 3)
            warn(f"{path}: {', '.join(map(repr, own[:3]))}{more}: {amount(int(found.sum()), 'position')} {what} "
                 f"of {len(points)} frames taken as not seen")  # fmt: skip
            points[found] = np.nan
    return points


def whole_unit(unit: str, path) -> str:
    """A unit whose name fits; one that was cut short, such as 'mete', is taken with a warning."""
    spelled = unit.strip().lower()
    if spelled in UNITS or spelled in SPELLINGS or len(spelled) < SHORTEST:
        return unit
    meant = {known for name, known in SPELLINGS.items() if name.startswith(spelled)}
    if len(meant) != 1:
        return unit
    known = meant.pop()
    doubt(f"{path}: its unit of length {unit[:60]!r} is taken to be {known}")
    return known


def meters_per(unit: str, path) -> float:
    """Metres in a unit of length."""
    spelled = unit.strip().lower()
    known = SPELLINGS.get(spelled, spelled)
    if known not in UNITS:
        raise BadFile(f"{path}: unknown unit of length {unit[:60]!r}; expected one of {', '.join(UNITS)}.")
    return UNITS[known]
