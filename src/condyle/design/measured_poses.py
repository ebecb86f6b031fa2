"""Poses from raw measurements: tables of matrices, quaternions or angles, and two clusters of markers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import BadFile, BadShape, BadValue, amount, require, warn
from ..formats.safe_files import as_path, plain_suffix
from ..formats.tables.marker_frames import Markers, markers_of, meters_per
from ..formats.tables.table_files import Table, read_table
from ..formats.tables.units_row import DEGREES, RADIANS
from ..spatial.twists import pose_inverse, pose_matrix
from ..spatial.validate_rotation import rigid_matrix
from .marker_clusters import cluster_poses
from .pose_data import warn_if_degrees

TABLES, MARKERS = (".csv", ".sto", ".mot"), (".trc", ".c3d")
MATRIX = tuple(f"m{i}{j}" for i in range(4) for j in range(4))
QUATERNION = ("qw", "qx", "qy", "qz")
POSITION = ("x", "y", "z")
ANGLES: dict[str, str] = {**dict.fromkeys(DEGREES, "deg"), **dict.fromkeys(RADIANS, "rad")}
LENGTHS = {"m": "m", "cm": "cm", "mm": "mm"}
LAST_WORD = re.compile(r"[\s_(\[]([a-zA-Z°]+)[)\]]?$")  # of a name: tx_mm, tx [mm]
AXES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]
SEQUENCES = {*AXES, *(axes.upper() for axes in AXES)}


@dataclass(frozen=True)
class Measured:
    """Measured poses, and the coordinates that came with them.

    Attributes
    ----------
    poses : ndarray, shape (N, 4, 4)
        [m]; NaN where missing.
    coordinates : ndarray, shape (N,) or (N, n), or None
    """

    poses: np.ndarray
    coordinates: np.ndarray | None = None


def read_poses(path: str | os.PathLike[str], **options: Any) -> Measured:
    """Read poses from a table (.csv, .sto, .mot); `poses_from_table` explains the options.

    Raises
    ------
    BadFile
        For a file of another kind, or a table in which no poses are found.

    Parameters
    ----------
    path : str or path
        The file.
    **options
        Those of `poses_from_table`.

    Returns
    -------
    Measured
        `poses` and `coordinates`.
    """
    suffix = plain_suffix(as_path(path))
    expected = f"{path}: poses are read from tables ({', '.join(TABLES)}), or from markers ({', '.join(MARKERS)})"
    require(suffix in TABLES, expected, BadFile, suffix=suffix)
    return poses_from_table(read_table(path), **options)


def poses_from_table(
    table: Table,
    *,
    angles: Sequence[str] | None = None,
    sequence: str | None = None,
    units: str | None = None,
    quaternion: Sequence[str] | None = None,
    position: Sequence[str] | None = None,
    position_units: str | None = None,
    coordinates: str | Sequence[str] | None = None,
    coordinate_units: str | None = None,
) -> Measured:
    """Make poses from the columns of a table.

    The rotation comes from `angles` if they are named, else from columns m00 … m33, from `quaternion`, from qw, qx, qy,
    qz, or from the only column of quaternions that a storage file has.

    Parameters
    ----------
    table : Table
        As `cd.read_table` gives it.
    angles : sequence of str, optional
        Columns of three angles, or one column of vectors.
    sequence : str, optional
        Axes of the angles in order, upper case body-fixed ("ZXY"), lower case space-fixed, as in scipy.
    units : "rad" or "deg", optional
        Unit of the angles; default what their names end with (flexion_deg, "tilt [deg]"), else what the header says,
        else radians.
    quaternion : sequence of str, optional
        Four columns w, x, y, z, or one column of quaternions.
    position : sequence of str, optional
        Three columns, or one column of vectors; default x, y, z, else the only column of vectors that a storage file
        has, else zero.
    position_units : str, optional
        Unit of the position, such as "mm"; default what the names of its columns end with (tx_mm), else what the header
        says, else metres.
    coordinates : str or sequence of str, optional
        Columns of the joint's coordinates.
    coordinate_units : "as-is" or "deg", optional
        "deg" converts to radians. Default: that of `angles` for a column that is one of them, degrees for one whose
        name ends so (elevation_deg), else as it is.

    Returns
    -------
    Measured
        Poses (N, 4, 4) [rad, m] and coordinates (N,) or (N, n).

    Raises
    ------
    BadFile, BadShape, BadValue, UnknownName
        If there are no poses, a column does not exist, or a rotation is none; the message names the row.
    """
    units = units or unit_of_columns(table, angles, ANGLES) or ("deg" if table.in_degrees else "rad")
    q = named_coordinates(table, coordinates, coordinate_units, angles if units == "deg" else None)
    names = position if position is not None else default_position(table)
    scale = meters_per(
        position_units or unit_of_columns(table, names, LENGTHS) or known_length(table.units), table.path
    )
    if angles is None and table.has(MATRIX):
        T = checked_matrices(table)
        T[:, :3, 3] *= scale
        return _told(table, Measured(T, q))
    R, p = rotations(table, angles, sequence, units, quaternion), np.zeros((len(table), 3))
    if names is not None:
        p = scale * numbers(table, names, 3, "a position has three columns, x, y, z, or one of vectors")
    return _told(table, Measured(pose_matrix(R, p), q))


def _told(table: Table, found: Measured) -> Measured:
    """The same, with a warning of poses that are not whole."""
    lost = np.flatnonzero(np.isnan(found.poses).any(axis=(1, 2)))
    if len(lost):
        count = f"{len(lost)} of {amount(len(found.poses), 'pose')}"
        warn(f"{table.path}: {count} miss numbers, the first in row {lost[0]}; fits use what is there of them")
    return found


def rotations(table: Table, angles, sequence: str | None, units: str, quaternion) -> np.ndarray:
    """Rotations (N, 3, 3) from angles, or from quaternions, named or found."""
    if angles is not None:
        x = numbers(table, angles, 3, "three columns of angles are needed, or one of vectors")
        return rotations_from_angles(x, sequence, units, table.path)
    found = only_column(table, 4)
    names = quaternion or (QUATERNION if table.has(QUATERNION) else found)
    if names is None:
        raise BadFile(
            f"{table.path}: no poses found. Columns m00 … m33, or qw, qx, qy, qz, x, y, z, or say which columns are "
            f"the angles (`angles`, --angles) and their `sequence`; it has {', '.join(table.names)}."
        )
    x = numbers(table, names, 4, "a quaternion has four columns, w, x, y, z, or one of quaternions")
    return rotations_from_quaternions(x, table.path)


def numbers(table: Table, names: Sequence[str], count: int, expected: str) -> np.ndarray:
    """Columns that hold so many numbers together, (N, count)."""
    x = table.columns(names)
    require(x.shape[1] == count, f"{table.path}: {expected}", BadShape, columns=list(names))
    return x


def only_column(table: Table, width: int) -> tuple[str] | None:
    """The column with fields of so many numbers, if there is just one."""
    found = [name for name, w in zip(table.names, table.widths, strict=True) if w == width]
    return (found[0],) if len(found) == 1 else None


def default_position(table: Table) -> Sequence[str] | None:
    """Columns x, y, z, also with a unit as x_mm or "x [mm]", or the only column of vectors."""
    ends = {name: end for name in table.names if (end := LAST_WORD.search(name)) and end[1].lower() in LENGTHS}
    bare = {name[: end.start()].strip(): name for name, end in ends.items()}
    found = [name if name in table else bare.get(name) for name in POSITION]
    return [name for name in found if name] if all(found) else only_column(table, 3)


def unit_of_columns(table: Table, names: Sequence[str] | None, known: Mapping[str, str]) -> str | None:
    """The unit that columns have by the table's line of units, or with which their names end; None if there is none.

    Names end with units as tx_mm, "tx [mm]" and "tx (mm)" do.
    """
    found = {name: LAST_WORD.search(name) for name in names or ()}
    said = {name: table.unit_of(name) or (end[1].lower() if end else "") for name, end in found.items()}
    units = {known.get(unit) for unit in said.values()}
    require(
        len(units) <= 1, f"{table.path}: these columns are in different units; write them in one", BadFile, got=said
    )
    return units.pop() if units else None


def known_length(unit: str | None) -> str:
    """A header's unit if it is one of length, else metres."""
    try:
        return unit if unit and meters_per(unit, "header") else "m"
    except BadFile:
        return "m"


def named_coordinates(table: Table, names, units: str | None, in_degrees) -> np.ndarray | None:
    """The columns of the coordinates, (N,) for one name, (N, n) for several; angles in radians."""
    if names is None:
        return None
    require(units in (None, "as-is", "deg"), f"{table.path}: coordinates are 'as-is' or in 'deg'", units=units)
    each = [names] if isinstance(names, str) else list(names)
    q = table.columns(each)
    for k, name in enumerate(each):
        degrees = name in (in_degrees or ()) or unit_of_columns(table, [name], ANGLES) == "deg"
        if units == "deg" or (units is None and degrees):
            q[:, k] = np.radians(q[:, k])
        elif units is None and table.in_degrees and not table.unit_of(name) and name.lower() != "time":
            warn(
                f"{table.path}: the header says that angles are in degrees; coordinate {name!r} is taken as it is. If "
                "it is an angle, say so (coordinate_units='deg', --coordinate-units deg), else 'as-is'."
            )
    return q[:, 0] if isinstance(names, str) else q


def checked_matrices(table: Table) -> np.ndarray:
    """Rigid matrices; the row of a bad one is named, rows with NaN stay."""
    T = table.columns(MATRIX).reshape(-1, 4, 4)
    seen = ~np.isnan(T).any(axis=(1, 2))
    for row in np.flatnonzero(seen):
        T[row] = rigid_matrix(T[row], f"{table.path}, row {row}")
    return T


def rotations_from_angles(x: np.ndarray, sequence: str | None, units: str, path: str) -> np.ndarray:
    """Euler angles in a declared sequence and unit."""
    expected = f"{path}: say the sequence of the angles, such as 'ZXY' (body-fixed) or 'zxy' (space-fixed)"
    require(sequence in SEQUENCES, expected, sequence=sequence)
    require(units in ("rad", "deg"), f"{path}: angles are in 'rad' or 'deg'", units=units)
    if units == "rad":
        warn_if_degrees(x, path)
    R = np.full((len(x), 3, 3), np.nan)
    seen = np.isfinite(x).all(axis=1)
    R[seen] = Rotation.from_euler(str(sequence), x[seen], degrees=units == "deg").as_matrix()
    return R


def rotations_from_quaternions(wxyz: np.ndarray, path: str) -> np.ndarray:
    """Unit quaternions; the row of one that is not is named."""
    seen = np.isfinite(wxyz).all(axis=1)
    length = np.linalg.norm(wxyz, axis=1)
    bad = np.flatnonzero(seen & (np.abs(length - 1) > 1e-3))
    if len(bad):
        raise BadValue(f"{path}, row {bad[0]}: the quaternion has norm {length[bad[0]]:.6g}; expected 1.")
    R = np.full((len(wxyz), 3, 3), np.nan)
    R[seen] = Rotation.from_quat(wxyz[seen], scalar_first=True).as_matrix()
    return R


def read_markers(path: str | os.PathLike[str]) -> Markers:
    """Read markers from a .trc or .c3d file, or from the columns of vectors of a .sto file that states their unit.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Markers
        Names, times [s] and positions (T, m, 3) [m].

    Raises
    ------
    BadFile
        If the file is of another kind, or a .sto file does not state a unit of length.
    """
    suffix = plain_suffix(as_path(path))
    expected = f"{path}: markers are read from {', '.join(MARKERS)}, or from vectors in .sto"
    require(suffix in (*MARKERS, ".sto"), expected, BadFile, suffix=suffix)
    table = read_table(path)
    stated = table.units is not None and any(width == 3 for width in table.widths)
    expected = f"{path}: markers are columns of vectors with a unit of length in the header (Units=mm)"
    require(stated or suffix != ".sto", expected, BadFile, units=table.units, columns=list(table.names[:6]))
    return markers_of(table)


def poses_from_markers(parent: np.ndarray, child: np.ndarray) -> Measured:
    """Poses of one cluster of markers (T, m, 3) [m] in another; NaN where either shows fewer than three markers.

    Parameters
    ----------
    parent : array_like, shape (T, m, 3)
        Markers on the parent [m].
    child : array_like, shape (T, m, 3)
        Markers on the child [m].

    Returns
    -------
    Measured
    """
    A, B = cluster_poses(parent, "parent"), cluster_poses(child, "child")
    return Measured(pose_inverse(A) @ B)
