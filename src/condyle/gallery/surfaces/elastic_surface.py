"""A ball on an elastic surface, in the spirit of D-NURBS: the control points of a spline are bodies with mass.

The surface is a graph, z = Σ B_ij(x, y) h_ij with cubic B-splines. Its rim is fixed; every control point inside is a
point mass on a vertical slide, held by a spring of its own and tied to its neighbours by springs of no length, which
are linear in the heights: stiffness is a matrix K. The ball has its own three coordinates, and one constraint holds it
on the surface, whatever that does: `couple("ball.z", ("ball.x", "ball.y", heights…), Σ B_ij h_ij)`.

As the stiffness grows, the motion tends to that of a ball on the rigid surface of the rest heights (`rigid_bowl`).
"""

from __future__ import annotations

import numpy as np

from ...joints import functions, prismatic, product
from ...model import Model, ModelBuilder
from ...model.constraints import couple
from ...model.look.overlays import Line, Sheet
from ...model.look.shapes import sphere
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ...splines import even_knots, greville
from ..scene import PALETTE, SHEET, Scene

HALF = 1.0  # [m] the surface spans [−HALF, HALF] each way
CONTROLS = 7  # each way; 5 × 5 of them move
RADIUS = 0.09  # [m] of the ball
TRANSLATIONS = np.eye(6)[3:]
ORIGIN = (0.0, 0.0, 0.0)


def knots() -> np.ndarray:
    """Clamped knots of a cubic spline with CONTROLS control points."""
    return even_knots(-HALF, HALF, CONTROLS, 4)


def side() -> np.ndarray:
    """Where the control points stand, so that Σ B_i x_i = x."""
    return greville(knots(), 4)


def rest_heights() -> np.ndarray:
    """Control heights of the surface at rest (CONTROLS, CONTROLS) [m]: a bowl, longer one way."""
    x, y = np.meshgrid(side(), side(), indexing="ij")
    return 0.35 * x * x + 0.5 * y * y


def _inside() -> list[tuple[int, int]]:
    return [(i, j) for i in range(1, CONTROLS - 1) for j in range(1, CONTROLS - 1)]


def heights_function(moving: bool = True) -> functions.Function | functions.Sum:
    """Σ B_ij(q0, q1) h_ij: the heights inside are the coordinates q2, q3, … if `moving`, else at rest."""
    pair, fixed, inside = (knots(), knots()), rest_heights(), _inside()
    if not moving:
        return functions.spline(pair, fixed)
    parts = [functions.spline(pair, _one(ij)) * functions.linear(2 + k) for k, ij in enumerate(inside)]
    fixed[1:-1, 1:-1] = 0.0
    return sum(parts, start=functions.spline(pair, fixed))


def _one(at: tuple[int, int]) -> np.ndarray:
    controls = np.zeros((CONTROLS, CONTROLS))
    controls[at] = 1.0
    return controls


def elastic(
    stiffness: float = 60.0,
    tension: float = 15.0,
    mass: float = 0.3,
    point: float = 0.02,
    start: tuple[float, float] = (0.5, -0.3),
) -> Scene:
    """A ball let go on an elastic surface, whose control points start at rest: their springs carry their weight.

    Parameters
    ----------
    stiffness : float, optional
        Of each control point's own spring [N/m].
    tension : float, optional
        Stiffness of the springs to its neighbours [N/m].
    mass : float, optional
        Of the ball [kg].
    point : float, optional
        Mass of a control point [kg].
    start : tuple of 2 floats, optional
        Where the ball is let go, x and y [m] from −1 to 1.

    Returns
    -------
    Scene
    """
    model = _elastic(stiffness, tension, mass, point)
    rest = rest_heights()
    height = functions.spline((knots(), knots()), rest)(*start)
    q = np.concatenate([rest[1:-1, 1:-1].ravel(), [*start, height]])
    rigid = _surface_points(rest)
    rim = Line(None, np.concatenate([rigid[0], rigid[:, -1], rigid[-1, ::-1], rigid[::-1, 0]]))
    return Scene(
        "elastic-points", model, q, np.zeros(model.nv), (rim,), duration=4.0, moving=_moving_sheet, camera=(30, -60)
    )


def _elastic(stiffness: float, tension: float, mass: float, point: float) -> Model:
    b, at = ModelBuilder(), side()
    rest = unloaded_heights(stiffness, tension, point * 9.81)
    names = {ij: f"point{ij[0]}{ij[1]}" for ij in _inside()}
    for (i, j), name in names.items():
        place = SE3.from_translation((at[i], at[j], 0.0))
        dot = sphere(0.02, SE3.from_translation((0.0, 0.0, -RADIUS)))
        b.add_body(name, joint=prismatic("z"), inertia=Inertia.point(point), placement=place, shapes=(dot,))
        b.add_stiffness(name, stiffness, rest=float(rest[i, j]))
    joint = product(TRANSLATIONS, [functions.linear(k) for k in range(3)], coordinates=("x", "y", "z"))
    b.add_body("ball", joint=joint, inertia=Inertia.sphere(mass, RADIUS), shapes=(sphere(RADIUS, color=PALETTE[0]),))
    for (i, j), name in names.items():
        for ij in ((i + 1, j), (i, j + 1)):
            b.add_spring(name, ORIGIN, *_other_end(names.get(ij), ij), stiffness=tension, length=0.0)
        for ij in {(i - 1, j), (i, j - 1)} - set(names):
            b.add_spring(name, ORIGIN, *_other_end(None, ij), stiffness=tension, length=0.0)
    return b.add_constraint(couple("ball.z", ("ball.x", "ball.y", *names.values()), heights_function())).build()


def unloaded_heights(stiffness: float, tension: float, weight: float) -> np.ndarray:
    """Where the points' own springs are slack (CONTROLS, CONTROLS), so that all is in balance at the rest heights."""
    h = rest_heights()
    out = h.copy()
    neighbors = h[2:, 1:-1] + h[:-2, 1:-1] + h[1:-1, 2:] + h[1:-1, :-2]
    out[1:-1, 1:-1] += (tension * (4.0 * h[1:-1, 1:-1] - neighbors) + weight) / stiffness
    return out


def _other_end(name: str | None, ij: tuple[int, int]):
    """A moving control point, or a place of the rim."""
    at = side()
    return (name, ORIGIN) if name else (None, (at[ij[0]], at[ij[1]], rest_heights()[ij]))


def rigid_bowl(mass: float = 0.3, start: tuple[float, float] = (0.5, -0.3)) -> Scene:
    """The same ball on the surface at rest, which does not give: two coordinates and no constraint."""
    b = ModelBuilder()
    place = (functions.linear(0), functions.linear(1), heights_function(moving=False))
    joint = product(TRANSLATIONS, place, coordinates=("x", "y"))
    b.add_body("ball", joint=joint, inertia=Inertia.sphere(mass, RADIUS), shapes=(sphere(RADIUS, color=PALETTE[0]),))
    sheet = Sheet(None, _surface_points(rest_heights()), SHEET)
    return Scene("rigid bowl", b.build(), np.array(start), np.zeros(2), sheets=(sheet,))


def _moving_sheet(run: Trajectory) -> tuple[Sheet, ...]:
    """The surface of a motion, between its records the nearest one."""

    def at(t: float) -> np.ndarray:
        heights = rest_heights()
        record = run.q[np.argmin(abs(run.t - t))]
        heights[1:-1, 1:-1] = record[: (CONTROLS - 2) ** 2].reshape(CONTROLS - 2, CONTROLS - 2)
        return _surface_points(heights)

    return (Sheet(None, at, SHEET),)


def _surface_points(heights: np.ndarray, points: int = 33) -> np.ndarray:
    """The surface a radius below the places of the ball's centre."""
    side = np.linspace(-HALF, HALF, points)
    x, y = np.meshgrid(side, side, indexing="ij")
    return np.stack([x, y, functions.spline((knots(), knots()), heights)(x, y) - RADIUS], axis=-1)


def distance_from_rigid(stiffness: float, duration: float = 0.4) -> float:
    """How far the ball is at most from where it would be on the rigid surface [m]."""
    exact = rigid_bowl().run(duration, record=0.01).poses()[:, 0].xyz
    run = elastic(stiffness, stiffness / 4.0).run(duration, step=5e-4, record=0.01)
    return float(np.linalg.norm(run.poses()[:, -1].xyz - exact, axis=1).max())


def check() -> None:
    """Energy stays; ten times the stiffness is a tenth of the distance from the motion on a rigid surface."""
    assert np.ptp(elastic().run(0.1, record=0.05).energy().total) < 1e-8
    soft, stiff = (distance_from_rigid(stiffness, 0.2) for stiffness in (60.0, 600.0))
    assert stiff < 0.15 * soft
