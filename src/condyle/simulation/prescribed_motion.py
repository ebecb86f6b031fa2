"""Prescribed motion packed for kernels: functions of time as polynomial pieces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import NotConverged, require
from ..joints.packing import TableBuilder
from ..model import Model
from ..model.kernels.layout import HEADER_SIZE, Drive, Header
from ..model.prescribed import Prescribed, is_spline
from ..splines.pieces import row_centers
from ..splines.piecewise_interpolation import Pieces, interpolate

ORDER = 12
EPSILON = 1e-16
TOLERANCES = (1e-12, 1e-10, 1e-8)  # of x, ẋ and ẍ, relative to their largest values


def driven_tables(model: Model, start: float, end: float, tables: tuple | None = None) -> tuple:
    """The model's tables, or others of it, with its prescribed motions for times in [start, end]."""
    given = model.tables if tables is None else tables
    if not model.prescribed:
        return given
    codes, numbers, *folded = given
    builder = TableBuilder()
    builder.codes = codes.tolist()
    builder.floats(numbers)
    named = {v: (q, name) for name in model.coordinates for _, q, v in [model.place_of(name)]}
    records = []
    for v, motion in model.prescribed.items():
        q, name = named[v]
        records.append(Drive(q, v, *_motion(builder, motion, start, end, f"the prescribed motion of {name!r}")))
    header = Header(*builder.codes[:HEADER_SIZE])
    builder.codes[:HEADER_SIZE] = header._replace(drives=len(records), first_drive=builder.records(records))
    return (*builder.arrays(), *folded)


def _motion(tables: TableBuilder, motion: Prescribed, start: float, end: float, what: str) -> list[int]:
    """Append the pieces of one motion: its lookup on time, its rows, its order."""
    low, high = motion.span
    require(
        low <= start and end <= high,
        f"{what} is given for t in [{low:g}, {high:g}] s, the simulation needs [{start:g}, {end:g}] s",
    )
    functions = [_on_points(f) for f in (motion.value, motion.rate, motion.acceleration)]
    breaks = _first_breaks(motion, start, end)
    for f, tolerance, noise in zip(functions, TOLERANCES, _noise(motion, functions, breaks), strict=True):
        breaks = np.union1d(breaks, _pieces(f, breaks, tolerance, what, noise).breaks[0])
    tables_of = [_pieces(f, breaks, np.inf, what).table for f in functions]
    rows = [np.pad(table, ((0, 0), (0, ORDER - table.shape[1]))) for table in tables_of]  # each has what it needs
    order = max(_needed(row, breaks) for row in rows)
    centers = np.zeros((len(breaks) + 1, 4))
    centers[:, 0] = row_centers(breaks)
    table = tables.floats(np.concatenate([centers, *(row[:, :order] for row in rows)], axis=1))
    return [*tables.lookup(breaks), table, order]


def _pieces(f: Callable, breaks: np.ndarray, tolerance: float, what: str, noise: float = 0.0) -> Pieces:
    """A function of time as polynomials between breaks; they meet where the function does, not by being bent."""
    try:
        return interpolate(f, (breaks,), ORDER, tolerance, what=what, noise=noise, joined=False)
    except NotConverged as error:
        raise NotConverged(
            f"{error} (q is the time [s] here.) Samples (times, values) become a smooth spline; kinks of one of "
            "scipy.interpolate's splines are known, and stay."
        ) from None


def _noise(motion: Prescribed, functions: list[Callable], breaks: np.ndarray) -> tuple[float, float, float]:
    """The round-off of x, ẋ and ẍ: of nothing, for a steady motion, no part of it is a small error."""
    x, rate = (float(np.abs(f(breaks[:, None])).max()) for f in functions[:2])
    by_x, by_rate = motion.acceleration_noise
    return 0.0, motion.rate_noise * x, by_x * x + by_rate * rate


def _needed(rows: np.ndarray, breaks: np.ndarray) -> int:
    """How many coefficients of the polynomials matter: the others add less than round-off anywhere in a piece."""
    half = 0.5 * np.diff(breaks)
    sizes = (np.abs(rows[1:-1]) * half[:, None] ** np.arange(rows.shape[1])).max(axis=0)
    used = np.flatnonzero(sizes > EPSILON * sizes.max())
    return int(used[-1]) + 1 if len(used) else 1


def _first_breaks(motion: Prescribed, start: float, end: float) -> np.ndarray:
    """The motion's own knots, if it has any, and the ends."""
    knots = motion.knots
    inner = knots[(knots > start) & (knots < end)]
    return np.unique(np.concatenate([[start], inner, [max(end, start + 1e-9)]]))


def _on_points(f: Callable) -> Callable[[np.ndarray], np.ndarray]:
    """The function of points (N, 1) as N numbers; splines take all of them at once."""
    if is_spline(f):
        return lambda points: f(points[:, 0])
    return lambda points: np.array([float(f(t)) for t in points[:, 0]])


def put_prescribed(model: Model, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Put prescribed coordinates where their motion is at time t."""
    q_of = {k: at for _, at, k in (model.place_of(name) for name in model.coordinates)}
    for k, motion in model.prescribed.items():
        q[:, q_of[k]], v[:, k], _ = motion.at(t)
