"""Coordinates of a model from measured markers: weighted least squares in every frame, to stationarity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import ik
from ..dynamics import forward_kinematics
from ..errors import NotSupported, UnknownName, amount, require, unknown_name, warn
from ..formats.tables.marker_frames import Markers
from ..formats.tables.table import Table
from ..ik.targets import AnyTarget, CoordinateTarget
from ..model import Marker, Model
from ..typing import ArrayLike, PathLike
from .determinacy import beyond_ranges, undetermined
from .measured_markers import in_span, read_markers, require_in_space
from .results.column_names import columns, motion_table
from .whole_turns import near_default

FAR = 0.05  # [m] root mean square of the first frame: other starts are tried
STARTS = 16
EQUAL = 1e-6  # of a residual: another start must do better by so much
STRIDE_TIME = 0.15  # [s] from a frame that waits for its predecessor to the next
SUSPECT = 3.0  # times the median error: such frames are tried from their neighbours


class CoordinateTask(NamedTuple):
    """A coordinate that inverse kinematics keeps near a value.

    Attributes
    ----------
    weight : float
        Against the markers, whose weights count as parts of their sum [1/rad² or 1/m²].
    value : float, ndarray of shape (T,), function, or None
        [rad or m], one for all frames, one for each, or a function of the times (T,) [s]; None is the default of the
        model.
    """

    weight: float
    value: ArrayLike | Callable[[np.ndarray], np.ndarray] | None = None


@dataclass(frozen=True, eq=False)
class Kinematics:
    """Coordinates of a model over time, and how far its markers are from the measured ones.

    Attributes
    ----------
    model : Model
    times : ndarray, shape (T,)
        [s]
    q : ndarray, shape (T, nq)
        [rad, m]
    markers : tuple of str
        Those that were followed.
    weights : ndarray, shape (markers,)
    measured, placed : ndarray, shape (T, markers, 3)
        Where markers were measured, NaN where they were not seen, and where the model has them [m].
    stationary : ndarray of bool, shape (T,)
        Whether no small change of coordinates makes the weighted error smaller.
    notes : tuple of str
        What was assumed or left out.
    """

    model: Model
    times: np.ndarray
    q: np.ndarray
    markers: tuple[str, ...]
    weights: np.ndarray
    measured: np.ndarray
    placed: np.ndarray
    stationary: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def errors(self) -> np.ndarray:
        """Distances of measured from placed markers, shape (T, markers) [m]; NaN where one was not seen."""
        return np.linalg.norm(self.measured - self.placed, axis=2)

    @property
    def rms(self) -> np.ndarray:
        """Root mean square of the distances in each frame, shape (T,) [m]."""
        return np.sqrt(np.nanmean(self.errors**2, axis=1))

    def table(self) -> Table:
        """The coordinates as OpenSim's motion files have them, angles in degrees."""
        return motion_table(self.model, self.times, self.q)

    def __str__(self) -> str:
        worst = np.unravel_index(np.nanargmax(self.errors), self.errors.shape)
        return (
            f"{amount(len(self.times), 'frame')}, {amount(len(self.markers), 'marker')}: error "
            f"{1e3 * np.sqrt(np.nanmean(self.errors**2)):.3g} mm (root mean square), largest "
            f"{1e3 * self.errors[worst]:.3g} mm of {self.markers[worst[1]]!r} at {self.times[worst[0]]:.4g} s"
        )


def inverse_kinematics(
    model: Model,
    markers: PathLike | Markers | Table,
    *,
    weights: Mapping[str, float] | None = None,
    coordinates: Mapping[str, CoordinateTask] | None = None,
    span: tuple[float, float] | None = None,
    start: ArrayLike | None = None,
) -> Kinematics:
    """The coordinates that bring a model's markers nearest to the measured ones, in each frame.

    Minimises ½ Σ w |x − m|² / Σ w over the markers seen in a frame, plus ½ W (q − q₀)² for each coordinate task, as
    OpenSim does, but until the gradient vanishes. Clamped coordinates stay in their range, locked ones where they are,
    and constraints hold.

    Parameters
    ----------
    model : Model
        With `markers`, such as one from an .osim file.
    markers : path, Markers or Table
        A .trc or .c3d file, or what it holds; NaN where a marker was not seen.
    weights : mapping of str to float, optional
        Weight of each marker; those that are not named are not followed. By default all that the model and the file
        have, with weight 1.
    coordinates : mapping of str to CoordinateTask, optional
        Coordinates that are kept near a value.
    span : pair of float, optional
        First and last time [s]; the whole file by default.
    start : array_like, shape (nq,), optional
        Where the search of the first frame starts; the default pose by default.

    Returns
    -------
    Kinematics

    Raises
    ------
    UnknownName
        If no marker of the model is in the file, or a coordinate does not exist.
    BadValue
        If no frame lies in the span, or a frame shows no marker at all.

    Warns
    -----
    CondyleWarning
        Where markers leave coordinates open, or a marker that has a weight is missing.

    Examples
    --------
    >>> import condyle as cd
    >>> from dataclasses import replace
    >>> rod = cd.Inertia.point(1.0, (1, 0, 0))
    >>> model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("z"), inertia=rod).build()
    >>> model = replace(model, markers=[cd.Marker("tip", "rod", (1.0, 0.0, 0.0))])
    >>> t, angle = np.linspace(0.0, 1.0, 11), np.linspace(0.2, 0.4, 11)
    >>> tip = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    >>> found = cd.trial.inverse_kinematics(model, cd.trial.Markers(("tip",), t, tip[:, None]))
    >>> bool(np.abs(found.q[:, 0] - angle).max() < 1e-9)
    True
    """
    seen = in_span(read_markers(markers), span)
    columns(model)  # refuses what no table can hold
    followed, weight, notes = _followed(model, seen, weights)
    points = seen.pick([m.name for m in followed])
    require_in_space(points, seen.times, "markers that are followed")
    tasks = _coordinate_tasks(model, coordinates or {}, seen.times)
    targets = _targets(followed, weight, points, tasks)
    found = _searched(model, targets, points, seen.times, followed, start)
    notes = (*notes, *undetermined(model, targets, points, found.q), *beyond_ranges(model, found.q))
    placed = marker_places(model, found.q, followed)
    names = tuple(m.name for m in followed)
    return Kinematics(model, seen.times, found.q, names, weight, points, placed, found.stationary, notes)


def _followed(
    model: Model, seen: Markers, weights: Mapping[str, float] | None
) -> tuple[list[Marker], np.ndarray, tuple[str, ...]]:
    """Markers that the model and the file have and that have a weight; what is said of the others."""
    known = {m.name: m for m in model.markers if m.body is not None}
    asked = dict.fromkeys(known, 1.0) if weights is None else {n: float(w) for n, w in weights.items() if w != 0.0}
    for name, weight in asked.items():
        require(np.isfinite(weight) and weight > 0, f"marker {name!r}: a weight is 0 or a positive number", got=weight)
    found = [n for n in known if n in asked and n in seen.names]
    if not found:
        raise UnknownName(
            f"no marker is in the model, in the measured file and has a weight. The model has {_some(known)}; the file "
            f"has {_some(seen.names)}; weights are given for {_some(asked)}"
        )
    notes = []
    if weights is not None:
        for where, there in (("the model", known), ("the file", seen.names)):
            missing = [n for n in asked if n not in there]
            if missing:
                notes.append(f"{amount(len(missing), 'marker')} with a weight not in {where}: {_some(missing)}")
                warn(f"inverse kinematics: {notes[-1]}")
    rest = [n for n in known if n in seen.names and n not in asked]
    notes += [f"{amount(len(rest), 'marker')} without a weight, not followed: {_some(rest)}"] if rest else []
    return [known[n] for n in found], np.array([asked[n] for n in found]), tuple(notes)


def _some(names, most: int = 12) -> str:
    names = list(names)
    return (", ".join(names[:most]) + (f", … ({len(names)} in all)" if len(names) > most else "")) or "none"


def _coordinate_tasks(
    model: Model, tasks: Mapping[str, CoordinateTask], times: np.ndarray
) -> list[tuple[str, np.ndarray, float]]:
    """(coordinate, values (T,), weight) of each task that has a weight."""
    found, neutral, count = [], model.neutral(), len(times)
    names = {c.name: c for c in columns(model)}
    for name, (weight, value) in tasks.items():
        driver = next((f.driver for f in model.followers if f.name == name), None)
        require(driver is None or weight == 0, f"coordinate task {name!r}: it is a function of {driver!r}. Give the "
                "task to that, or take model.unfolded() with couplers as constraints", NotSupported)  # fmt: skip
        if driver is not None:
            continue
        if name not in names:
            raise unknown_name("coordinate", name, names, "the model, for a coordinate task")
        require(np.isfinite(weight) and weight >= 0, f"coordinate task {name!r}: a weight is 0 or positive", got=weight)
        given = value(times) if callable(value) else value
        values = neutral[names[name].q] if given is None else np.asarray(given, dtype=float)
        good = np.shape(values) in ((), (count,)) and np.isfinite(values).all()
        require(good, f"coordinate task {name!r}: one finite value, or one for each of {count} frames", got=values)
        shown = model.coordinates[[c.name for c in columns(model)].index(name)]
        found += [(shown, np.broadcast_to(values, (count,)), float(weight))] if weight > 0 else []
    return found


def _targets(followed: list[Marker], weight: np.ndarray, points: np.ndarray, tasks) -> list[AnyTarget]:
    """Markers body by body, and coordinates; a coordinate weighs as much as all markers of its frame together."""
    targets: list[AnyTarget] = []
    for body in dict.fromkeys(m.body for m in followed):
        own = [k for k, m in enumerate(followed) if m.body == body]
        at = [followed[k].at for k in own]
        targets.append(ik.points(str(body), at, points[:, own], weight=np.sqrt(weight[own])))
    total = np.isfinite(points).all(axis=2) @ weight
    return targets + [ik.coordinate(name, value, weight=np.sqrt(w * total)) for name, value, w in tasks]


def clamped(model: Model) -> bool | list[str]:
    """The coordinates that stay in their ranges: of an .osim file those that it clamps, else all."""
    if model.opensim is None:
        return True
    names = [f"{c.joint}.{c.name}" for c in model.opensim.coordinates.values() if c.clamped]
    return [name for name in names if name in model.full_names]


def _searched(
    model: Model, targets, points: np.ndarray, times: np.ndarray, followed: list[Marker], start
) -> ik.Solution:
    """All frames: the first from several starts if need be, then by strides; those that stand out from neighbours."""
    q0 = _first_pose(model, [t.at_record(0) for t in targets], points[0], followed, start)
    step = float(np.median(np.diff(times))) if len(times) > 1 else np.inf
    stride = 2 ** int(np.clip(np.log2(max(STRIDE_TIME / step, 1.0)), 0, 6))
    found = ik.follow(model, targets, q0, stride=stride, limits=clamped(model), saddles=False)
    found = _exactly_prescribed(model, targets, times, found)
    return _beside_neighbors(model, targets, found)


def _first_pose(model: Model, targets, points: np.ndarray, followed: list[Marker], start) -> np.ndarray:
    """The pose of the first frame; from other starts too where the markers are far."""
    found = ik.solve(model, targets, model.neutral() if start is None else start, limits=clamped(model))
    if _frame_error(model, found.q, points, followed) > FAR:
        other = ik.solve(model, targets, found.q, limits=clamped(model), restarts=STARTS)
        found = other if other.residual < found.residual * (1.0 - EQUAL) else found
    return found.q if start is not None else _near_default(model, targets, found.q)


def _near_default(model: Model, targets, q: np.ndarray) -> np.ndarray:
    """The pose by angles near the default ones; coordinates with a task, and clamped ones, stay as they must."""
    named = [t.coordinate for t in targets if isinstance(t, CoordinateTarget)]
    low, high = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    bounded = clamped(model)
    for name in model.full_names if bounded is True else bounded or ():
        place = model.place_of(name)[1]
        low[place], high[place] = model.range_of(name)
    return near_default(model, q, {model.place_of(name)[1] for name in named}, low, high)


def _frame_error(model: Model, q: np.ndarray, points: np.ndarray, followed: list[Marker]) -> float:
    return float(np.sqrt(np.nanmean(((marker_places(model, q[None], followed)[0] - points) ** 2).sum(axis=1))))


def _exactly_prescribed(model: Model, targets, times: np.ndarray, found: ik.Solution) -> ik.Solution:
    """Coordinates that follow a function of time where it has them, and the others solved for again."""
    q, place = found.q.copy(), dict(zip(*(x.tolist() for x in reversed(model.plain_places)), strict=True))
    for v, motion in model.prescribed.items():
        q[:, place[v]] = [motion.at(float(t))[0] for t in times]
    if np.array_equal(q, found.q):
        return found
    return ik.solve(model, targets, q, limits=clamped(model), saddles=False)


def _beside_neighbors(model: Model, targets, found: ik.Solution) -> ik.Solution:
    """Frames whose error stands out, tried again from the solutions of the frames before and after."""
    n, fields = len(found.q), {name: getattr(found, name).copy() for name in ik.Solution.__dataclass_fields__}
    suspect = np.flatnonzero(found.residual > SUSPECT * np.median(found.residual))
    for shift in (-1, 1):
        rows = suspect[(suspect + shift >= 0) & (suspect + shift < n)]
        if not len(rows):
            continue
        there, begin = [t.at_record(rows) for t in targets], fields["q"][rows + shift]
        other = ik.solve(model, there, begin, limits=clamped(model), saddles=False)
        better = other.residual < fields["residual"][rows] * (1.0 - 1e-9)
        for name, values in fields.items():
            values[rows[better]] = getattr(other, name)[better]
    return ik.Solution(**fields)


def marker_places(model: Model, q: np.ndarray, followed: list[Marker]) -> np.ndarray:
    """Where markers are in the world, (T, markers, 3) [m]."""
    own = [model.body_index(str(m.body)) for m in followed]
    X, at = forward_kinematics(model, q).as_matrix()[:, own], np.stack([m.at for m in followed])
    return np.einsum("nbij,bj->nbi", X[..., :3, :3], at) + X[..., :3, 3]
