"""What a directed motion may not leave: ranges and speeds of joints, half-spaces of points, balance over a support.

A limit is approached at a bounded rate: u̇ ≤ k (high − u), and for accelerations ü ≤ k² (high − u) − 2k u̇.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from ..dynamics.kinematics import STEP
from ..errors import BadShape, BadValue, require, unknown_name
from ..model import Model
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .coordinates.coordinate import Coordinate, axis_numbers
from .coordinates.pose_jet import Posture


@dataclass(frozen=True)
class Kept:
    """A coordinate that a motion keeps between `low` and `high`, row by row. Made by `keep` and `support`.

    Attributes
    ----------
    coordinate : Coordinate
    low, high : ndarray, shape (rows,)
        In the units of the coordinate; infinite where there is no end.
    """

    coordinate: Coordinate
    low: np.ndarray
    high: np.ndarray


def keep(coordinate: Coordinate, low: ArrayLike = -np.inf, high: ArrayLike = np.inf) -> Kept:
    """A limit on any coordinate: a hand above a table, a point on its side of a wall, two bodies apart.

    Parameters
    ----------
    coordinate : Coordinate
        From `cd.control.point`, `distance`, `function`, …; it must have a value.
    low, high : float or array_like, shape (rows,), optional
        Its ends.

    Returns
    -------
    Kept
        For `cd.control.Resolution(kept=[…])`.

    Raises
    ------
    BadValue
        If an end is NaN, there is none, low is above high, or the coordinate has no value.

    Examples
    --------
    >>> import condyle as cd
    >>> above = cd.control.keep(cd.control.point("hand", axes="z"), low=0.7)
    """
    require(isinstance(coordinate, Coordinate), "keep: give a coordinate, such as cd.control.point(…)", got=coordinate)
    require(coordinate.has_value, f"keep: {coordinate.name!r} has a rate but no value to keep inside limits")
    try:
        ends = [np.broadcast_to(np.asarray(x, dtype=float), (coordinate.size,)) for x in (low, high)]
    except ValueError:
        raise BadShape(f"keep: {coordinate.name!r} has {coordinate.size} rows; give one end, or one for each") from None
    good = not np.isnan(ends).any() and np.all(ends[0] <= ends[1])
    require(good, f"keep: low must not be above high for {coordinate.name!r}", BadValue, low=low, high=high)
    require(np.isfinite(ends).any(), f"keep: give low or high for {coordinate.name!r}", BadValue, low=low, high=high)
    return Kept(coordinate, *ends)


def support(corners: ArrayLike, *, margin: float = 0.0, axes: str = "xy", coordinate: Coordinate | None = None) -> Kept:
    """Balance: the centre of mass stays over the convex hull of ground points.

    Parameters
    ----------
    corners : array_like, shape (points, 2)
        Where the feet stand [m], along `axes`.
    margin : float, optional
        How far inside the edges it stays [m].
    axes : str, optional
        The two level axes: "xy" where z is up, "xz" or "zx" where y is up.
    coordinate : Coordinate, optional
        What stays over them, with two rows; the centre of mass if left out.

    Returns
    -------
    Kept
        One row for each edge: the distance from it, positive inside.

    Raises
    ------
    BadShape
        If the corners are not (points, 2).
    BadValue
        If they span no area.
    """
    from .coordinates.positions import center_of_mass

    axis_numbers(axes)
    points = real_numbers(corners, "support: corners")
    require(points.ndim == 2 and points.shape[1] == 2, "support: corners must be (points, 2)", BadShape)
    try:
        edges = np.unique(ConvexHull(points).equations.round(12), axis=0)
    except (QhullError, ValueError):
        raise BadValue(
            f"support: {len(points)} corners span no area; give three or more that are not in line"
        ) from None
    over = center_of_mass(axes=axes) if coordinate is None else coordinate
    require(over.size == 2, "support: what stays over the corners needs two rows", BadShape, rows=over.size)
    labels = tuple(f"support.{k}" for k in range(len(edges)))
    inside = Coordinate("support", labels, lambda x: over.at(x) @ -edges[:, :2].T - edges[:, 2])
    return keep(inside, low=margin)


class Rows(NamedTuple):
    """low ≤ C v ≤ high at flat states: C (count, k, nv), low and high (count, k), and a name for each row."""

    C: np.ndarray
    low: np.ndarray
    high: np.ndarray
    labels: tuple[str, ...]


def speeds_of(model: Model, speeds: bool | float | Mapping[str, float] | Sequence[float] | None) -> np.ndarray:
    """The largest speed (nv,) of every freedom: from the model's ratings (True), one for all, by name, or as given."""
    if speeds is None or speeds is False:
        return np.full(model.nv, np.inf)
    if speeds is True or isinstance(speeds, Mapping):
        named = {name: x.velocity for name, x in model.limits.items()} if speeds is True else dict(speeds)
        return _by_name(model, named, "speeds")
    given = real_numbers(speeds, "speeds")
    require(given.ndim == 0 or given.shape == (model.nv,), f"speeds are one, or {model.nv}", BadShape, got=given.shape)
    out = np.array(np.broadcast_to(given, (model.nv,)))
    require(np.all(out >= 0.0), "speeds must not be negative", BadValue, speeds=speeds)
    return out


def _by_name(model: Model, named: Mapping[str, float], what: str) -> np.ndarray:
    out = np.full(model.nv, np.inf)
    for name, value in named.items():
        if name not in model.coordinates:
            raise unknown_name("coordinate", name, list(model.coordinates), what)
        require(value >= 0.0, f"{what}: the limit of {name!r} must not be negative", BadValue, got=value)
        out[model.v_index(name)] = value
    return out


def ranges_of(model: Model) -> list[tuple[str, int, int, float, float]]:
    """(name, place in q, place in v, low, high) of every coordinate with an end that is not prescribed."""
    places = [(name, model.q_index(name), model.v_index(name), x.low, x.high) for name, x in model.limits.items()]
    free = [x for x in places if x[2] not in model.prescribed_columns]
    return [x for x in free if np.isfinite(x[3]) or np.isfinite(x[4])]


class MotionLimits:
    """The limits of a resolution on a model, as rows at postures."""

    def __init__(self, model: Model, ranges: bool, speeds, kept: Sequence[Kept], approach: float) -> None:
        require(np.isfinite(approach) and approach > 0, "approach must be positive [1/s]", approach=approach)
        for x in kept:
            require(isinstance(x, Kept), "kept: limits come from cd.control.keep or support", got=type(x).__name__)
        self.model, self.kept, self.approach = model, tuple(kept), approach
        self.ranges, self.speeds = ranges_of(model) if ranges else [], speeds_of(model, speeds)
        moving = {v for _, _, v, _, _ in self.ranges} | set(np.flatnonzero(np.isfinite(self.speeds)).tolist())
        self.columns = np.array(sorted(moving - set(model.prescribed_columns)), dtype=int)
        names = {model.v_index(name): name for name in model.coordinates} if len(self.columns) else {}
        own = [names.get(int(v), f"velocity {v}") for v in self.columns]
        self.labels = (*own, *(label for x in self.kept for label in x.coordinate.labels))

    def __bool__(self) -> bool:
        return bool(self.labels)

    def clamped(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (count, nq) set back to their ranges; for what a step of integration went too far."""
        q = q.copy()
        for _, at, _, low, high in self.ranges:
            q[:, at] = np.clip(q[:, at], low, high)
        return q

    def on_velocities(self, posture: Posture) -> Rows:
        """Limits of velocities."""
        if not self.labels:
            none = np.zeros((len(posture), 0))
            return Rows(np.zeros((len(posture), 0, self.model.nv)), none, none, ())
        k, q = self.approach, posture.real_q
        low, high = self._of_joints(lambda low, high, at, v: (k * (low - q[:, at]), k * (high - q[:, at])), len(q))
        low, high = np.maximum(low, -self.speeds[self.columns]), np.minimum(high, self.speeds[self.columns])
        return self._rows(posture, low, high, lambda u, end: k * (end - u.value) - u.slope[..., -1])

    def on_accelerations(self, posture: Posture, v: np.ndarray) -> Rows:
        """Limits of accelerations at velocities v (count, nv); the posture is a step ahead along them."""
        k, q = self.approach, posture.real_q

        def of_range(low, high, at, i):
            return tuple(k * k * (end - q[:, at]) - 2.0 * k * v[:, i] for end in (low, high))

        low, high = self._of_joints(of_range, len(q))
        fast = self.speeds[self.columns]
        low, high = (
            np.maximum(low, k * (-fast - v[:, self.columns])),
            np.minimum(high, k * (fast - v[:, self.columns])),
        )
        ahead = np.concatenate([v, np.ones((len(v), 1))], axis=1)

        def of_kept(u, end):
            rate, bend = (np.einsum("smk,sk->sm", x, ahead) for x in (np.real(u.slope), np.imag(u.slope) / STEP))
            return k * k * (end - np.real(u.value)) - 2.0 * k * rate - bend

        return self._rows(posture, low, high, of_kept)

    def _of_joints(self, ends, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Ends of ranges (count, columns) by ends(low, high, place in q, place in v)."""
        low, high = (np.full((count, len(self.columns)), x) for x in (-np.inf, np.inf))
        for _, at, v, a, b in self.ranges:
            column = int(np.searchsorted(self.columns, v))
            low[:, column], high[:, column] = ends(a, b, at, v)
        return low, high

    def _rows(self, posture: Posture, low: np.ndarray, high: np.ndarray, ends) -> Rows:
        C = np.broadcast_to(np.eye(self.model.nv)[self.columns], (len(posture), len(self.columns), self.model.nv))
        for x in self.kept:
            u = x.coordinate.at(posture)
            C = np.concatenate([C, np.real(u.slope[..., :-1])], axis=1)
            low = np.concatenate([low, ends(u, x.low)], axis=1)
            high = np.concatenate([high, ends(u, x.high)], axis=1)
        return Rows(C, low, high, self.labels)
