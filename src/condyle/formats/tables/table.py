"""A table of measurements: named columns of numbers or of vectors, as a file holds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...errors import BadFile, BadShape, require, unknown_name, warn
from .units_row import UNITS

TIME = re.compile(r"(time|t)([ _]*[\[(]?(s|sec|secs|seconds?)[\])]?)?", re.IGNORECASE)
PARTS = {3: "xyz", 4: "wxyz"}
SHOWN = 12  # columns that a printed table names


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns with a row of numbers for each record, in the units of the file.

    Parameters
    ----------
    names : tuple of str
        The columns in the order of the file; repeated names are kept apart as `name`, `name#2`, ….
    values : ndarray, shape (rows, numbers)
        All numbers; NaN where one is missing. A vector takes several numbers side by side.
    widths : tuple of int
        How many numbers a field of each column has: 1, or 3 for a marker or a Vec3, 4 for a quaternion (w, x, y, z).
    in_degrees : bool or None
        Whether angles are in degrees; None if the file does not say.
    units : str or None
        The unit that the header states, such as "mm"; None if it states none.
    metadata : mapping
        The header: its keys as written, and its free text under "header".
    path : str
        Where the table is from, for messages.
    column_units : tuple of str
        The unit of each column where a line of the file says it, "" where it does not; empty if there is no such line.

    Examples
    --------
    >>> import condyle as cd
    >>> table = cd.Table(("time", "knee"), [[0.0, 10.0], [0.1, 12.0]], in_degrees=True)
    >>> table["knee"]
    array([10., 12.])
    """

    names: tuple[str, ...]
    values: np.ndarray
    widths: tuple[int, ...] = ()
    in_degrees: bool | None = None
    units: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    path: str = "table"
    column_units: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        values = np.asarray(self.values)
        kind = values.dtype
        require(kind.kind in "fiub", f"{self.path}: a table holds real numbers", BadShape, dtype=str(kind))
        object.__setattr__(self, "values", values.astype(float))
        object.__setattr__(self, "widths", tuple(self.widths) or (1,) * len(self.names))
        require(len(self.widths) == len(self.names), f"{self.path}: a width for each column", BadShape)
        object.__setattr__(self, "column_units", tuple(self.column_units) or ("",) * len(self.names))
        require(len(self.column_units) == len(self.names), f"{self.path}: a unit for each column", BadShape)
        expected = f"{self.path}: {sum(self.widths)} numbers in a row expected"
        good = self.values.ndim == 2 and self.values.shape[1] == sum(self.widths)
        require(good, expected, BadShape, shape=self.values.shape)
        twice = [name for name, count in Counter(self.names).items() if count > 1]
        require(not twice, f"{self.path}: two columns have one name", BadFile, names=twice)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> np.ndarray:
        """A column: (rows,), or (rows, width) of a vector."""
        found = self.values[:, self._place(name)]
        return found[:, 0] if found.shape[1] == 1 else found

    def columns(self, names: Sequence[str]) -> np.ndarray:
        """Some columns by name, side by side: (rows, numbers).

        Parameters
        ----------
        names : sequence of str

        Returns
        -------
        ndarray, shape (rows, numbers)

        Raises
        ------
        UnknownName
            If there is no such column.
        """
        return np.concatenate([np.empty((len(self), 0)), *(self.values[:, self._place(n)] for n in names)], axis=1)

    def has(self, names: Sequence[str]) -> bool:
        """Whether all these columns exist.

        Parameters
        ----------
        names : sequence of str

        Returns
        -------
        bool
        """
        return all(name in self for name in names)

    @property
    def has_times(self) -> bool:
        """Whether there is a column of times."""
        return self._time_name is not None

    @cached_property
    def _time_name(self) -> str | None:
        return next((name for name in self.names if TIME.fullmatch(name)), None)

    @property
    def times(self) -> np.ndarray:
        """The column of times, called `time`, `Time`, `t`, `time_s`, `time [s]` …, shape (rows,)."""
        found = self._time_name
        if found is None:
            raise unknown_name("column", "time", self.names, self.path)
        return UNITS.get(self.unit_of(found), 1.0) * self[found]

    def unit_of(self, name: str) -> str:
        """The unit that a line of the file says a column has.

        Parameters
        ----------
        name : str

        Returns
        -------
        str
            Such as "deg" or "mm"; "" if there is no such line.

        Raises
        ------
        UnknownName
            If there is no such column.
        """
        self._place(name)
        return self.column_units[self.names.index(name)]

    def in_base_units(self) -> Table:
        """The table in rad, m, s and N where `column_units` says that a column is in others."""
        if not any(self.column_units):
            return self
        factors = np.repeat([UNITS.get(unit, 1.0) for unit in self.column_units], self.widths)
        return replace(self, values=factors * self.values, in_degrees=False, units="m", column_units=())

    @property
    def vectors(self) -> tuple[str, ...]:
        """The columns whose fields hold several numbers."""
        return tuple(name for name, width in zip(self.names, self.widths, strict=True) if width > 1)

    @property
    def flat_names(self) -> tuple[str, ...]:
        """A name for each number of a row: `name`, or `name.x` … of a vector."""
        return tuple(flat for n, w in zip(self.names, self.widths, strict=True) for flat in _flat(n, w))

    def as_dict(self) -> dict[str, np.ndarray]:
        """Every column by its name, as `numpy.savez(path, **table.as_dict())` and data frames take them."""
        return {name: self[name] for name in self.names}

    def _place(self, name: str) -> slice:
        if name not in self._places:
            raise unknown_name("column", name, self.names, self.path)
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, slice]:
        ends = np.cumsum(self.widths).tolist()
        return {n: slice(e - w, e) for n, w, e in zip(self.names, self.widths, ends, strict=True)}

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:SHOWN]) + (", …" if len(self.names) > SHOWN else "")
        return f"<Table {self.path}: {self.about()}: {shown}>"

    def about(self) -> str:
        """Rows, columns, span of time and units in one line."""
        said = [f"{len(self)} rows", f"{len(self.names)} columns"]
        if len(self) and self.has_times:
            said += [f"{self.times[0]:g} to {self.times[-1]:g} s"]
        said += [f"{len(self.vectors)} of them vectors"] if self.vectors else []
        said += [f"angles in {'degrees' if self.in_degrees else 'radians'}"] if self.in_degrees is not None else []
        return ", ".join(said + ([f"in {self.units}"] if self.units else []))


def _flat(name: str, width: int) -> list[str]:
    if width == 1:
        return [name]
    return [f"{name}.{part}" for part in PARTS.get(width, range(1, width + 1))]


def kept_apart(names: Sequence[str], path: str, kind: str = "column") -> tuple[str, ...]:
    """The names with repeated ones as `name`, `name#2`, …, and a warning that says which."""
    seen: Counter[str] = Counter()
    taken, out = set(names), []
    for name in names:
        seen[name] += 1
        out.append(name if seen[name] == 1 else _free(name, seen, taken))
    twice = sorted(name for name, count in seen.items() if count > 1)
    if twice:
        shown = ", ".join(map(repr, twice[:SHOWN])) + (", …" if len(twice) > SHOWN else "")
        warn(f"{path}: several {kind}s have one name: {shown}; the later ones are called {twice[0]}#2 and so on")
    return tuple(out)


def _free(name: str, seen: Counter[str], taken: set[str]) -> str:
    """`name#2`, or the next number that no other column has."""
    while f"{name}#{seen[name]}" in taken:
        seen[name] += 1
    taken.add(f"{name}#{seen[name]}")
    return f"{name}#{seen[name]}"
