"""What there is to see: meshes of bodies, their poses over time, and what is drawn beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..dynamics import forward_kinematics
from ..errors import BadValue, NotSupported, require, unknown_name
from ..formats.tables.marker_frames import Markers
from ..model import Model
from ..model.look.overlays import Drawn, Frames, Sheet
from ..simulation import Trajectory
from ..spatial import SE3
from .dials import units_of
from .geometry import Mesh, drawn_bodies, up_axis
from .joint_paths import joint_paths
from .line_segments import Strokes, strokes_of
from .marker_meshes import marker_meshes
from .measured_marks import COLOR as MEASURED_COLOR
from .measured_marks import crosses
from .muscle_lines import COLOR as MUSCLE_COLOR
from .muscle_lines import ChangingMuscles, Ties, activation_of, changing_muscles, muscle_lines

DIRECTIONS = np.array([(x, y, z) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) for z in (-2, -1, 0, 1, 2)]).T


@dataclass(frozen=True, eq=False)
class ChangingLines:
    """Lines (T, k, 2, 3) [m] in the world at the records of a stage; muscles know them in other postures too.

    `colors` (T, k, 3), if there are some, are those of each line at each record; `counts` are the lines of each muscle.
    """

    segments: np.ndarray
    color: tuple[float, float, float]
    muscles: ChangingMuscles | None = None
    colors: np.ndarray | None = None
    counts: tuple[int, ...] = ()

    def now(self, q: np.ndarray, k: int) -> np.ndarray:
        """In a posture, or those of a record."""
        return self.segments[k] if self.muscles is None else self.muscles.placed(q[None])[0]

    def at_records(self, rows: np.ndarray) -> ChangingLines:
        """Those of some records, which are no longer known in other postures."""
        colors = None if self.colors is None else self.colors[rows]
        return replace(self, segments=self.segments[rows], muscles=None, colors=colors)


@dataclass(frozen=True, eq=False)
class Second:
    """Where what belongs to a second motion begins: in bodies, strokes, sheets, ties and changing lines.

    It stands `way` (3,) [m] from where it is; `outline` (n, 3) are the outermost points of both without that.
    """

    body: int
    strokes: int
    sheets: int
    ties: int
    changing: int
    way: np.ndarray
    outline: np.ndarray


@dataclass(frozen=True, eq=False)
class Stage:
    """Meshes of every body and poses `wxyz` (T, nbodies, 4), `xyz` (T, nbodies, 3) at times `t`.

    `sheets` come with the number of the body they belong to (−1: the world); `energy` and `coordinates` are curves over
    `t`, `units` those that coordinates are shown in, `activation` that of muscles by their names; `ties` are lines from
    body to body, `changing` lines that are new at every record; `names` are those of bodies; `second` says what belongs
    to a second motion beside the first.
    """

    model: Model
    meshes: list[list[Mesh]]
    t: np.ndarray
    q: np.ndarray
    wxyz: np.ndarray
    xyz: np.ndarray
    strokes: tuple[Strokes, ...] = ()
    sheets: tuple[tuple[int, Sheet], ...] = ()
    energy: dict[str, np.ndarray] = field(default_factory=dict)
    ties: tuple[Ties, ...] = ()
    changing: tuple[ChangingLines, ...] = ()
    names: tuple[str, ...] = ()
    coordinates: dict[str, np.ndarray] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    activation: dict[str, np.ndarray] = field(default_factory=dict)
    second: Second | None = None

    def loose_lines(self, k: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Segments (n, 2, 3) in the world and colours (n, 3) of all lines that belong to no body alone, at a record."""
        poses = SE3(self.wxyz[k], self.xyz[k])
        for tie in self.ties:
            yield tie.placed(poses), np.tile(tie.color, (len(tie.segments), 1))
        for lines in self.changing:
            now = lines.segments[k]
            yield now, np.tile(lines.color, (len(now), 1)) if lines.colors is None else lines.colors[k]

    def body_index(self, name: str) -> int:
        """The number of a body that is seen."""
        if name not in self.names:
            raise unknown_name("body", name, self.names, "this picture")
        return self.names.index(name)

    @property
    def up(self) -> np.ndarray:
        """Away from gravity."""
        return up_axis(self.model)

    def front(self) -> np.ndarray:
        """Unit vector to the first camera, which faces the plane of x and y if y is up, else that of x and z."""
        up = self.up
        direction = np.array([0.3, 0.0, 0.95] if abs(up[1]) > 0.9 else [0.5, -0.85, 0.0]) + 0.25 * up
        return direction / np.linalg.norm(direction)

    def placed(self, body: int, k, points: np.ndarray) -> np.ndarray:
        """Points (..., 3) of a body's frame in the world, at a record or (with another axis in front) at several."""
        if body < 0:
            return np.broadcast_to(points, (*np.shape(k), *points.shape)) if np.ndim(k) else points
        pose = SE3(self.wxyz[k, body], self.xyz[k, body])
        flat = points.reshape(-1, 3)
        return (pose[:, None] if np.ndim(k) else pose).apply(flat).reshape(*np.shape(k), *points.shape)

    def record_at(self, time: float | None) -> int:
        """The number of the record nearest to a time after the start [s]; None is the end."""
        return len(self.t) - 1 if time is None else int(np.abs(self.t - self.t[0] - time).argmin())

    def moments(self, rate: float) -> np.ndarray:
        """Numbers of records, at most `rate` a second, the first and last among them."""
        return _picked(self.t, np.append(np.arange(self.t[0], self.t[-1], 1.0 / rate), self.t[-1]), rate)

    def bounds(self) -> tuple[np.ndarray, float]:
        """The middle and radius of a ball around all that is seen."""
        points = self.everything
        center = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return center, float(max(np.linalg.norm(points - center, axis=1).max(), 1e-6))

    @cached_property
    def everything(self) -> np.ndarray:
        """The outermost points (n, 3) of all that is seen."""
        return self.outline()

    def outline(self, follow: int | None = None, records: np.ndarray | None = None) -> np.ndarray:
        """The outermost points (n, 3) of all that is seen, or of bodies seen from one of them; at some records."""
        return _outermost(np.concatenate([x.reshape(-1, 3) for x in self._outer_points(follow, records)]))

    def lowest(self) -> float:
        """The least height along `up` of all that is seen [m]: of bodies exactly, of the rest at some records."""
        lowest, up = [float((self.everything @ self.up).min())], self.up
        for body, parts in enumerate(self.meshes):
            for mesh in parts:
                slopes = SE3(self.wxyz[:, body], 0.0 * self.xyz[:, body]).inverse().apply(up)
                least = np.array([(mesh.vertices @ slope).min() for slope in slopes])
                lowest.append(float((self.xyz[:, body] @ up + least).min()))
        return min(lowest)

    def _outer_points(self, follow: int | None, records: np.ndarray | None) -> Iterator[np.ndarray]:
        some, fixed = self.moments(12.0) if records is None else records, follow is None
        away = np.zeros((len(some), 1, 3)) if follow is None else self.xyz[some, follow][:, None]
        if not fixed:
            yield self.xyz[some] - away
        for body, parts in enumerate(self.meshes):
            if parts:
                yield self.placed(body, some, _outermost(np.concatenate([p.vertices for p in parts]))) - away
        for s in self.strokes:
            if fixed or s.body >= 0:
                yield self.placed(s.body, some, _outermost(s.segments)) - away
        for body, sheet in self.sheets:
            if fixed or body >= 0:
                for k, start in zip(some, away, strict=True):
                    yield self.placed(body, k, _outermost(sheet.at(float(self.t[k])))) - start
        for lines in self.changing if fixed else ():
            yield _outermost(lines.segments[some])


def _outermost(points: np.ndarray) -> np.ndarray:
    """The points farthest out in each of many directions."""
    points = points.reshape(-1, 3)
    return points[np.unique(np.argmax(points @ DIRECTIONS, axis=0))]


def stage_of(
    thing: Model | Trajectory, *, member: int = 0, rate: float = 60.0, folder: Path | None = None,
    drawn: Sequence[Drawn] | None = None, markers: Markers | None = None,
) -> Stage:  # fmt: skip
    """A model at rest or a motion, resampled to at most `rate` pictures a second; `member` of a batch.

    `drawn` is what to show beside the bodies, and instead of those that have no shape; None: the paths of the joints,
    the markers and the muscles. `markers` are measured ones, shown beside those of the model.
    """
    good = isinstance(thing, (Model, Trajectory))
    require(good, "only a model or a trajectory can be drawn", BadValue, got=type(thing).__name__)
    if isinstance(thing, Model):
        model, t, q, energy, activation = thing, np.zeros(1), thing.neutral()[None], {}, None
    else:
        model, t, q, energy, activation = _motion(thing, member, rate)
    poses = forward_kinematics(model, q)
    instead = {d.body for d in drawn or () if not isinstance(d, Frames)}
    meshes = drawn_bodies(model, instead, model.folder if folder is None else folder)
    ties = muscle_lines(model) if drawn is None and activation is None else ()
    muscles = changing_muscles(model, activation is not None) if drawn is None else None
    changing = tuple(_changing(model, t, q, poses.as_matrix(), muscles, activation, markers))
    if drawn is None:
        drawn = joint_paths(model)
        meshes = [[*parts, *balls] for parts, balls in zip(meshes, marker_meshes(model), strict=True)]
    if not any(meshes) and not drawn:
        raise NotSupported("there is nothing to draw: give bodies mass or shapes")
    sheets = tuple((_number(model, s), s) for s in drawn if isinstance(s, Sheet))
    strokes = tuple(strokes_of(model, drawn))
    units = units_of(model)
    curves = {name: q[:, model.q_index(name)] for name in units}
    active = {} if activation is None else {m.name: a for m, a in zip(model.muscles, activation.T, strict=True)}
    return Stage(
        model, meshes, t, q, poses.wxyz, poses.xyz, strokes, sheets, energy, ties, changing, model.names, curves, units,
        active,
    )  # fmt: skip


def _changing(model: Model, t, q, X, muscles: ChangingMuscles | None, activation, markers: Markers | None):
    """Muscles whose lines change or have colours, and measured markers."""
    if muscles is not None:
        colors = None if activation is None else muscles.colors(activation)
        yield ChangingLines(muscles.placed(q), MUSCLE_COLOR, muscles, colors, tuple(muscles.counts))
    if markers is not None:
        yield ChangingLines(crosses(model, markers, t, X), MEASURED_COLOR)


def _number(model: Model, thing: Drawn) -> int:
    return -1 if thing.body is None else model.body_index(thing.body)


def _picked(t: np.ndarray, wanted: np.ndarray, rate: float) -> np.ndarray:
    """Numbers of the first records at wanted times or later, where a hundredth of a picture's time is not late."""
    return np.unique(np.clip(np.searchsorted(t, wanted - 0.01 / rate), 0, len(t) - 1))


def _motion(trajectory: Trajectory, member: int, rate: float):
    """Model, times, coordinates, energies and activations (None without muscles) of a member, resampled."""
    count = int(np.prod(trajectory.batch, dtype=int))
    require(0 <= member < count, f"the trajectory has members 0 … {count - 1}", BadValue, member=member)
    if trajectory.members is not None:  # each has a model of its own
        trajectory, member = trajectory.member(*map(int, np.unravel_index(member, trajectory.batch))), 0
    model, t = trajectory.model, trajectory.t
    q, v = (x.reshape(-1, len(t), x.shape[-1]) for x in trajectory._filled())
    keep = _picked(t, np.arange(t[0], t[-1] + 0.5 / rate, 1.0 / rate), rate)
    energy = Trajectory(model, t[keep], q[member, keep], v[member, keep]).energy()._asdict()
    return model, t[keep], q[member, keep], energy, activation_of(trajectory, member, keep)
