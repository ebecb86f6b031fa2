"""Measured markers: from files, in a span of time, and checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BadFile, BadShape, BadValue, require
from ..formats.safe_files import as_path, plain_suffix
from ..formats.tables.marker_frames import Markers, markers_of
from ..formats.tables.table import Table
from ..formats.tables.table_files import read_table
from ..formats.tables.trc import write_trc
from ..typing import ArrayLike, PathLike

SLACK = 1e-6  # [s]: times are rounded in files
FIRST_FRAME = (-np.inf, -np.inf)  # a span of a static trial
FARTHEST = 1e3  # [m] from the origin of the laboratory


def read_markers(markers: PathLike | Markers | Table) -> Markers:
    """Markers [m] of a file or a table.

    Parameters
    ----------
    markers : path, Markers or Table
        A .trc or .c3d file, or what it holds.

    Returns
    -------
    Markers
        NaN where one was not seen.

    Raises
    ------
    BadValue
        If there are none.
    """
    if isinstance(markers, Markers):
        return markers
    table = markers if isinstance(markers, Table) else read_table(markers)
    found = markers_of(table)
    suffix = plain_suffix(table.path)
    require(found.names, f"{table.path}: no markers; a file .trc or .c3d is expected", BadValue, got=suffix)
    return found


def turn_markers(markers: PathLike | Markers | Table, rotation: ArrayLike) -> Markers:
    """Markers in other axes, such as those of a model with y up from a laboratory with z up.

    Parameters
    ----------
    markers : path, Markers or Table
        A .trc or .c3d file, or what it holds.
    rotation : array_like, shape (3, 3)
        Axes of the model = rotation · axes of the laboratory; `cd.trial.Z_UP_TO_Y_UP` is one.

    Returns
    -------
    Markers

    Raises
    ------
    BadValue
        If it is no rotation.
    """
    seen = read_markers(markers)
    return Markers(seen.names, seen.times, seen.points @ checked_rotation(rotation).T)


def checked_rotation(rotation: ArrayLike | None) -> np.ndarray:
    """A rotation (3, 3), or none."""
    if rotation is None:
        return np.eye(3)
    R = np.asarray(rotation, dtype=float)
    require(R.shape == (3, 3), "a rotation of the laboratory is a matrix (3, 3)", BadShape, shape=R.shape)
    good = np.abs(R @ R.T - np.eye(3)).max() < 1e-6 and np.linalg.det(R) > 0
    require(good, "a rotation of the laboratory turns right-handed axes into such", BadValue, got=R.tolist())
    return R


def write_markers(markers: Markers, path: PathLike) -> Path:
    """Write markers to a .trc file, in metres with all digits.

    Parameters
    ----------
    markers : Markers
    path : str or path
        A file .trc.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    BadFile
        If the suffix is another one.
    """
    path = as_path(path)
    require(path.suffix.lower() == ".trc", f"{path}: markers are written to .trc", BadFile)
    write_trc(markers, path)
    return path


def in_span(markers: Markers, span: tuple[float, float] | None) -> Markers:
    """The frames in a span of time [s], ends included."""
    t = markers.times
    good = len(t) and np.isfinite(t).all() and (np.diff(t) > 0).all()
    require(good, "measured markers: times must be finite and rise from frame to frame", BadValue)
    if span is None:
        return markers
    low, high = sorted_span(span)
    inside = (t >= low - SLACK) & (t <= high + SLACK)
    require(inside.any(), f"no frame of the markers, which run from {t[0]:g} to {t[-1]:g} s, is in the span",
            BadValue, span=(low, high))  # fmt: skip
    return Markers(markers.names, t[inside], markers.points[inside])


def around_span(markers: Markers, span: tuple[float, float] | None) -> Markers:
    """The frames of a static trial from the last before a span of time to the first after it, as OpenSim takes them."""
    inside = in_span(markers, None)
    if span is None:
        return inside
    if tuple(span) == FIRST_FRAME:
        return Markers(inside.names, inside.times[:1], inside.points[:1])
    (low, high), t = sorted_span(span), inside.times
    overlap = low <= t[-1] + SLACK and high >= t[0] - SLACK
    require(overlap, f"no frame of the markers, which run from {t[0]:g} to {t[-1]:g} s, is in the span", BadValue,
            span=(low, high))  # fmt: skip
    first = max(int(np.searchsorted(t, low + SLACK, side="right")) - 1, 0)
    last = min(int(np.searchsorted(t, high - SLACK)), len(t) - 1)
    return Markers(markers.names, t[first : last + 1], markers.points[first : last + 1])


def sorted_span(span: tuple[float, float]) -> tuple[float, float]:
    """A span of time, first before last."""
    good = len(span) == 2 and not np.isnan(span).any() and span[0] <= span[1]
    require(good, "a span of time is its first and its last time [s]", BadValue, got=tuple(span))
    return float(span[0]), float(span[1])


def require_in_space(points: np.ndarray, times: np.ndarray, what: str) -> None:
    """Every frame shows a marker, and all are in a laboratory."""
    seen = np.asarray(np.isfinite(points).all(axis=2))
    empty = np.flatnonzero(~seen.any(axis=1))
    require(not len(empty), f"{len(empty)} of {len(times)} frames show none of the {what}; choose a span of time "
            "without them", BadValue, times=[round(float(t), 6) for t in times[empty[:5]]])  # fmt: skip
    farthest = float(np.abs(points[seen]).max())
    require(farthest <= FARTHEST, f"{what} are farther than {FARTHEST:g} m away: is the unit of the file right?",
            BadValue, farthest=farthest)  # fmt: skip
