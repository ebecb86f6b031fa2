"""Poses from raw measurements: tables of matrices, quaternions or angles, and two clusters of markers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import BadFile, BadShape, BadValue, require
from ..formats.c3d import read_c3d
from ..formats.tables import Table, read_csv
from ..formats.trc import read_trc
from ..spatial.rigid import rigid_matrix
from .clusters import cluster_poses
from .data import warn_if_degrees
from .residual import inverse_poses

__all__ = ["Measured", "poses_from_markers", "poses_from_table", "read_markers", "read_poses"]

MATRIX = tuple(f"m{i}{j}" for i in range(4) for j in range(4))
QUATERNION = ("qw", "qx", "qy", "qz")
POSITION = ("x", "y", "z")
AXES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]
SEQUENCES = {*AXES, *(axes.upper() for axes in AXES)}


@dataclass(frozen=True)
class Measured:
    """Poses (N, 4, 4) [m], NaN where missing, and the coordinates (N,) or (N, n) that came with them, or None."""

    poses: np.ndarray
    coordinates: np.ndarray | None = None


def read_poses(path, **options) -> Measured:
    """Poses of a CSV file; the options of `poses_from_table` say what its columns mean.

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
    return poses_from_table(read_csv(path), **options)


def poses_from_table(
    table: Table, *, angles=None, sequence: str | None = None, units: str = "rad", position=None, coordinates=None
) -> Measured:
    """Poses from columns m00 … m33, from qw, qx, qy, qz with x, y, z, or from `angles` with a declared `sequence`.

    `sequence`: axes of the angles in order, upper case body-fixed ("ZXY"), lower case space-fixed, as in scipy.
    `units` of the angles: "rad" or "deg". `position`: columns [m] (default x, y, z if there; none: zero).
    `coordinates`: the columns of the joint's coordinates, taken as they are.

    Parameters
    ----------
    table : Table
    angles : sequence of str, optional
        Columns of the three angles.
    sequence : str, optional
        Axes of the angles in order.
    units : {"rad", "deg"}
        Of the angles.
    position : sequence of str, optional
        Columns of the position [m].
    coordinates : sequence of str, optional
        Columns of the joint's coordinates.

    Returns
    -------
    Measured
        `poses` and `coordinates`.
    """
    q = None if coordinates is None else table.columns([coordinates] if isinstance(coordinates, str) else coordinates)
    q = q[:, 0] if q is not None and isinstance(coordinates, str) else q
    if angles is None and table.has(MATRIX):
        return Measured(checked_matrices(table), q)
    T = np.tile(np.eye(4), (len(table.values), 1, 1))
    if angles is not None:
        T[:, :3, :3] = rotations_from_angles(table.columns(angles), sequence, units, table.path)
    elif table.has(QUATERNION):
        T[:, :3, :3] = rotations_from_quaternions(table.columns(QUATERNION), table.path)
    else:
        raise BadFile(
            f"{table.path}: no poses found. Columns m00 … m33, or qw, qx, qy, qz, x, y, z, or say which columns are "
            f"`angles` and their `sequence`; it has {', '.join(table.names)}."
        )
    names = position if position is not None else (POSITION if table.has(POSITION) else None)
    if names is not None:
        expected = f"{table.path}: a position has three columns, x, y, z"
        require(len(names) == 3, expected, BadShape, position=list(names))
        T[:, :3, 3] = table.columns(names)
    return Measured(T, q)


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
    require(x.shape[1] == 3, f"{path}: three columns of angles are needed", BadShape, columns=x.shape[1])
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


def read_markers(path):
    """Markers of a TRC or C3D file, by its ending.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Markers
        Names, times [s] and positions (T, m, 3) [m].
    """
    readers = {".trc": read_trc, ".c3d": read_c3d}
    suffix = Path(path).suffix.lower()
    if suffix not in readers:
        raise BadFile(f"{path}: markers are read from .trc or .c3d files.")
    return readers[suffix](path)


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
    return Measured(inverse_poses(A) @ B)
