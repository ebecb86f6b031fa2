"""Tables of measurements out of files of every kind: CSV, OpenSim's STO and MOT, markers in TRC and C3D, BVH."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...errors import BadFile, require
from ..bvh import read_bvh_table
from ..doubts import files_read, policy_of
from ..safe_files import as_path, existing, plain_suffix, write_text
from .c3d import read_c3d_table
from .csv import csv_text, parse_csv, read_csv, write_csv
from .rising_times import check_rising
from .sto import parse_sto, read_sto, sto_text
from .table import Table
from .trc import read_trc_table

__all__ = [
    "SUFFIXES",
    "Table",
    "csv_text",
    "parse_csv",
    "parse_sto",
    "read_csv",
    "read_table",
    "sto_text",
    "write_csv",
    "write_table",
]

READERS: dict[str, Callable[..., Table]] = {
    ".sto": read_sto,
    ".mot": read_sto,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".txt": read_csv,
    ".trc": read_trc_table,
    ".c3d": read_c3d_table,
    ".bvh": read_bvh_table,
}
SUFFIXES = tuple(READERS)


def read_table(path: str | os.PathLike[str], *, truncated: str | None = None, strict: bool = False) -> Table:
    """Open a table of measurements, without a model.

    Numbers are those of the file, in its units: `in_degrees` and `units` say what the header says. Markers of TRC and
    C3D files are columns of three numbers, quaternions of STO files columns of four. Columns of one name are kept apart
    as `name` and `name#2`. A line of units below the names of a .csv file is in `column_units`. Counts of rows and
    columns in the header are compared with what is there.

    Parameters
    ----------
    path : str or path
        A file .sto, .mot (OpenSim and SIMM), .csv, .tsv or .txt (a line of names, then numbers), .trc, .c3d (with the
        extra `mocap`) or .bvh; all but .c3d also compressed as .sto.gz and so on.
    truncated : {"error", "warn"}, optional
        What to do with a file that is cut off, that is, has fewer rows than its header says or ends within a row:
        refuse it, or read the rows that are whole and warn. One whole row less is warned of in any case.
    strict : bool, optional
        Refuse what is doubtful and would be read with a warning: a row less than the header says, points of a C3D file
        without names, a unit that is cut short.

    Returns
    -------
    Table
        `table.names`, `table.times` [s], `table["knee_angle_r"]` and `table.values`.

    Raises
    ------
    BadFile
        If the file is not what its name says, is cut off, or holds something that is not a number.

    Warns
    -----
    CondyleWarning
        Where the header contradicts what is there, or does not say whether angles of a motion are in degrees; where
        the time goes back or repeats, with the row (the first below the names is 1) and the two times.

    Examples
    --------
    >>> import condyle as cd
    >>> _ = cd.write_table(cd.Table(("time", "knee_angle_r"), [[0.0, 10.0], [0.1, 12.0]]), "walk.csv")
    >>> table = cd.read_table("walk.csv")
    >>> table.times, table["knee_angle_r"]
    (array([0. , 0.1]), array([10., 12.]))
    """
    truncated = policy_of(truncated)
    path = existing(path)
    read = READERS.get(plain_suffix(path))
    if read is None:
        raise BadFile(f"{path}: tables are read from {', '.join(SUFFIXES)}; got {path.suffix or 'no suffix'!r}")
    with files_read(strict=strict):
        table = read(path, truncated=truncated)
    if read in (read_sto, read_csv) and table.has_times:  # of markers, their reader says it
        check_rising(table.times, str(path))
    return table


def write_table(table: Table, path: str | os.PathLike[str]) -> Path:
    """Write a table with all digits, so that `read_table` gives the same numbers.

    Parameters
    ----------
    table : Table
        In the units it has; `in_degrees` and `units` go to the header of a storage file.
    path : str or path
        A file .csv, in which a vector becomes several columns, or .sto or .mot, whose first column is the time and
        whose others have as many numbers each.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    BadFile
        If the suffix is none of these.

    Examples
    --------
    >>> import condyle as cd
    >>> table = cd.Table(("time", "knee"), [[0.0, 10.0], [0.1, 12.0]], in_degrees=True)
    >>> cd.write_table(table, "knee.sto").name
    'knee.sto'
    """
    path = as_path(path)
    suffix = path.suffix.lower()
    require(suffix in (".csv", ".sto", ".mot"), f"{path}: tables are written to .csv, .sto and .mot", BadFile)
    write_text(path, csv_text(table) if suffix == ".csv" else sto_text(table, path.stem))
    return path
