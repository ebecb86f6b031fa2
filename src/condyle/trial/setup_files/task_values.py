"""Values of a coordinate from a file, for a coordinate task: a natural quintic spline through them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ...errors import BadFile, require, unknown_name
from ...formats.tables.table_files import read_table
from ...model import Model
from ..results.column_names import columns
from ..time_series import LEAST, TimeSpline, checked_series


def values_from_file(model: Model, path: Path, name: str) -> Callable[[np.ndarray], np.ndarray]:
    """A coordinate as a function of times, from a column of a .mot, .sto or .csv file [rad or m]."""
    table = read_table(path)
    if name not in table:
        raise unknown_name("column", name, table.names, str(path))
    column = next((c for c in columns(model) if c.name == name), None)
    if column is None:
        raise unknown_name("coordinate", name, [c.name for c in columns(model)], "the model")
    values = np.radians(table[name]) if table.in_degrees and column.rotational else table[name]
    if len(table) == 1:
        return lambda times: np.full(len(times), values[0])
    require(len(table) >= LEAST, f"{path}: a coordinate over time needs 1 or at least {LEAST} rows", BadFile,
            rows=len(table))  # fmt: skip
    t, x = checked_series(table.times, values)
    spline = TimeSpline(t, x)

    def of_times(times: np.ndarray) -> np.ndarray:
        good = t[0] - 1e-6 <= times[0] and times[-1] <= t[-1] + 1e-6
        require(good, f"{path}: values from {t[0]:g} to {t[-1]:g} s do not cover the markers", BadFile)
        return spline(times)[:, 0]

    return of_times
