"""Skeletons as the article draws them: inertia ellipsoids, cylinders for hinges, spheres for balls, coiled springs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..model.look.shapes import COLORS as BODIES
from ..plots import Curve, Panel, draw_chart
from ..plots.solids import Surface, draw_surfaces, strip
from ..spatial.so3 import axis_frame
from ..typing import PathLike
from .springs_and_limits import spring_ends

if TYPE_CHECKING:
    from .conservation_report import Report
    from .skeleton import Skeleton
    from .state import State
    from .trajectory import Trajectory

__all__ = [
    "COLORS", "Glyph", "body_shapes", "coil", "color_of", "draw", "draw_report", "draw_strip", "ellipsoid_grid",
    "equimomental", "joint_shapes", "joint_size", "placed", "spring_shapes",
]  # fmt: skip

COLORS = {
    "hinge": (0.82, 0.29, 0.36),
    "ball": (0.93, 0.68, 0.29),
    "weld": (0.27, 0.27, 0.27),
    "spring": (0.45, 0.5, 0.55),
}
OPACITY = 0.55  # of bodies: the joints inside them are seen


class Glyph(NamedTuple):
    """A grid of points (u, v, 3) that moves with a body (−1: the world), in its axes from its centre of mass."""

    name: str
    kind: str  # "body", "spring", or the kind of joint
    body: int
    points: np.ndarray


def color_of(glyph: Glyph) -> tuple[float, float, float]:
    """Joints by their kind, bodies by turns."""
    return COLORS.get(glyph.kind, BODIES[glyph.body % len(BODIES)])


def equimomental(mass: float, moment: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Semi-axes and axes (columns) of the uniform ellipsoid with this mass and moment of inertia."""
    values, axes = np.linalg.eigh(moment)
    squares = 2.5 / mass * (values.sum() - 2.0 * values)
    return np.sqrt(np.maximum(squares, 1e-6 * np.abs(squares).max())), axes * np.sign(np.linalg.det(axes))


def _sphere(rings: int = 12) -> np.ndarray:
    """A unit sphere (u, v, 3)."""
    u, v = np.linspace(0, 2 * np.pi, 2 * rings + 1), np.linspace(0, np.pi, rings + 1)
    return np.stack(
        [np.outer(np.cos(u), np.sin(v)), np.outer(np.sin(u), np.sin(v)), np.outer(np.ones_like(u), np.cos(v))], axis=-1
    )


def _cylinder(rings: int = 16) -> np.ndarray:
    """A closed cylinder of radius 1 from z = −1 to 1 (u, 4, 3)."""
    u = np.linspace(0, 2 * np.pi, rings + 1)
    profile = np.array([(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)])
    return np.stack(
        [np.outer(np.cos(u), profile[:, 0]), np.outer(np.sin(u), profile[:, 0]), np.tile(profile[:, 1], (len(u), 1))],
        axis=-1,
    )


def body_shapes(skeleton: Skeleton) -> list[Glyph]:
    """The inertia ellipsoid of every body, in its own axes."""
    out = []
    for i, name in enumerate(skeleton.body_names):
        out.append(Glyph(name, "body", i, ellipsoid_grid(*equimomental(skeleton.masses[i], skeleton.inertias[i]))))
    return out


def ellipsoid_grid(semi: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The surface (u, v, 3) of an ellipsoid about the origin, by its semi-axes and axes (columns)."""
    return (_sphere() * semi) @ axes.T


def joint_size(skeleton: Skeleton) -> float:
    """A radius for joints: a fifth of the median body's size [m]."""
    sizes = [equimomental(m, I)[0].mean() for m, I in zip(skeleton.masses, skeleton.inertias, strict=True)]
    return 0.2 * float(np.median(sizes))


def joint_shapes(skeleton: Skeleton) -> list[Glyph]:
    """A cylinder along the axis of every hinge, a sphere for every ball, a flat disc for every weld."""
    r, out = joint_size(skeleton), []
    looks = {
        "ball": _sphere() * r,
        "hinge": _cylinder() * (0.7 * r, 0.7 * r, 2 * r),
        "weld": _cylinder() * (r, r, 0.3 * r),
    }
    for j, (name, kind) in enumerate(zip(skeleton.joint_names, skeleton.kinds, strict=True)):
        local = looks[kind] @ skeleton.frames[j, 0].T + skeleton.points[j, 0]
        out.append(Glyph(name, kind, int(skeleton.pairs[j, 0]), local))
    return out


def placed(glyphs: list[Glyph], state: State) -> list[Glyph]:
    """The same glyphs in world axes, in one state."""
    return [
        s._replace(points=s.points @ state.rotations[s.body].T + state.positions[s.body]) if s.body >= 0 else s
        for s in glyphs
    ]


def coil(start: np.ndarray, end: np.ndarray, radius: float, *, turns: int = 8, each: int = 14, around: int = 6):
    """The surface (u, v, 3) of a wire wound from one point to another: points in `each` turn, and `around` the wire."""
    along = end - start
    length = float(np.linalg.norm(along))
    F = axis_frame(along / length if length > 0 else np.array([0.0, 0.0, 1.0]))
    s, v = np.linspace(0.0, 1.0, each * turns + 1), np.linspace(0.0, 2.0 * np.pi, around + 1)
    u = 2.0 * np.pi * turns * s
    out = radius * np.minimum(1.0, 10.0 * np.minimum(s, 1.0 - s))  # the ends lie on the line
    ray = np.outer(np.cos(u), F[:, 0]) + np.outer(np.sin(u), F[:, 1])
    middle = start + np.outer(s, along) + out[:, None] * ray
    wire = np.cos(v)[:, None] * ray[:, None] + np.sin(v)[:, None] * F[:, 2]
    return middle[:, None] + 0.15 * radius * wire


def spring_shapes(skeleton: Skeleton, state: State) -> list[Glyph]:
    """A coil for every spring of one state, in world axes."""
    r, (starts, ends) = 0.6 * joint_size(skeleton), spring_ends(skeleton, state)
    return [Glyph(s.name, "spring", -1, coil(starts[k], ends[k], r)) for k, s in enumerate(skeleton.springs)]


def _surfaces(glyphs: list[Glyph]) -> list[Surface]:
    """What is to be drawn of glyphs in world axes."""
    return [Surface(g.points, color_of(g), OPACITY if g.kind == "body" else 1.0) for g in glyphs]


def _seen(skeleton: Skeleton, state: State) -> list[Surface]:
    """Bodies, joints and springs in one state."""
    fixed = placed([*body_shapes(skeleton), *joint_shapes(skeleton)], state)
    return _surfaces([*fixed, *spring_shapes(skeleton, state)])


def draw(
    skeleton: Skeleton,
    state: State | None = None,
    path: PathLike | None = None,
    *,
    panel: Any = None,
    limits: Any = None,
    title: str | None = None,
) -> Any:
    """One state as the article draws it; into a matplotlib 3-d `panel`, or a new figure saved to `path`.

    `limits` are surfaces that the axes enclose instead of those drawn; returns the panel or the figure.

    Parameters
    ----------
    state : State, optional
        The initial one by default.
    path : str or path, optional
        Where to save a new figure.
    panel : matplotlib axes, optional
        To draw into.
    limits : sequence of surfaces, optional
        What the view must hold; by default what is drawn.
    title : str, optional

    Returns
    -------
    matplotlib axes or Figure
    """
    return draw_surfaces(_seen(skeleton, skeleton.checked_state(state)), path, panel=panel, around=limits, title=title)


def draw_strip(
    trajectory: Trajectory, path: PathLike | None = None, *, frames: int = 5, index: tuple[int, ...] = ()
) -> Any:
    """`frames` states of a motion side by side, equally spaced in time; `index` picks a member of a batch.

    Parameters
    ----------
    path : str or path, optional
        Where to save it.
    frames : int, optional
        How many states.
    index : tuple of int, optional
        A member of a batch.

    Returns
    -------
    matplotlib.figure.Figure
    """
    skeleton = trajectory.skeleton
    records = np.linspace(0, len(trajectory.t) - 1, frames).round().astype(int)
    states = [trajectory.states[(*index, k)] for k in records]
    around = _surfaces([glyph for state in states for glyph in placed(body_shapes(skeleton), state)])
    titles = [f"t = {trajectory.t[k]:.2f} s" for k in records]
    return strip([(words, _seen(skeleton, s)) for words, s in zip(titles, states, strict=True)], around, path)


def draw_report(report: Report, path=None, title: str | None = None):
    """The histories of a conservation report in four panels: momenta, energy and work, joints, changes."""
    t, balance = report.t, report.energy - report.work
    momenta = [
        Curve(t, momentum[..., k], f"{name} {axis}", style)
        for k, axis in enumerate("xyz")
        for momentum, name, style in (
            (report.linear_momentum, "linear", "-"),
            (report.angular_momentum, "angular", "--"),
        )
    ]
    changes = {
        "linear momentum": np.linalg.norm(report.linear_momentum - report.linear_momentum[:1], axis=-1),
        "angular momentum": np.linalg.norm(report.angular_momentum - report.angular_momentum[:1], axis=-1),
        "energy less work": np.abs(balance - balance[:1]),
    }
    panels = [
        Panel("momentum [N s, N m s]", momenta, "time [s]"),
        Panel("energy [J]", [Curve(t, report.energy, "energy"), Curve(t, report.work, "work put in")], "time [s]"),
        _logarithmic("joints", t, {"joint gap [m]": report.gap, "axis error [rad]": report.axis_error}),
        _logarithmic("changes since the start", t, changes),
    ]
    return draw_chart(panels, path, size=(9.0, 6.0), columns=2, title=title, dpi=120)


def _logarithmic(title: str, t: np.ndarray, rows: dict[str, np.ndarray]) -> Panel:
    """Histories of small numbers; zeros are drawn at the round-off of 1."""
    return Panel(title, [Curve(t, np.maximum(y, 1e-17), name) for name, y in rows.items()], "time [s]", log="y")
