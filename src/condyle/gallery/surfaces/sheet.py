"""A body that glides on an elastic sheet, D-NURBS: the sheet's control points have its mass, stiffness and damping.

The ball takes its orientation from the sheet: its top is along the normal, its nose along the sheet's first parameter.
It pushes the sheet, which gives way and sends waves to the rim and back. All energy is that of both, less what damping
took.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...joints import free
from ...model import Model, ModelBuilder
from ...model.look.overlays import Line, Sheet
from ...model.look.shapes import Shape, sphere
from ...plots import Curve, Panel, draw_chart
from ...simulation import ElasticSheet, SheetMotion, Trajectory
from ...spatial import SE3, Inertia
from ..scene import PALETTE, SHEET, Scene

SIDE = 2.0  # [m]
RADIUS = 0.12  # [m] of the ball
START, RATE = (1.55, 0.75), (-0.3, 1.3)  # [m], [m/s]


def trampoline(damping: float = 0.3, density: float = 0.5, tension: float = 14.0) -> ElasticSheet:
    """A square sheet on a rim, a shallow bowl at rest.

    Parameters
    ----------
    damping : float, optional
        Of its motion [N s/m³].
    density : float, optional
        [kg/m²]
    tension : float, optional
        [N/m]

    Returns
    -------
    ElasticSheet
    """
    x = np.linspace(-1.0, 1.0, 9)
    heights = 0.1 * np.add.outer(x * x, x * x)
    return ElasticSheet(
        (SIDE, SIDE), (9, 9), density=density, tension=tension, bending=0.02, damping=damping, rest=heights
    )


def ball(mass: float = 0.6) -> Inertia:
    """The ball's inertia [kg]."""
    return Inertia.sphere(mass, RADIUS)


@cache
def motion(duration: float = 4.0) -> SheetMotion:
    """The sheet and the ball from the start of the scene."""
    sheet = trampoline()
    return sheet.simulate(
        ball(), START, RATE, duration=duration, record=0.02, radius=RADIUS, weight=False, tolerance=1e-7
    )


def sheet_scene() -> Scene:
    """The ball on the sheet, and all their energies over time."""
    model, side = _seen(), np.linspace(0.0, SIDE, 41)
    rim = trampoline().points(side, side)
    line = Line(None, np.concatenate([rim[0], rim[:, -1], rim[-1, ::-1], rim[::-1, 0]]))
    return Scene(
        "elastic", model, None, None, (line,), duration=4.0, motion=lambda: _trajectory(model), moving=_moving_sheet,
        words=_told, extras={"elastic-energy.png": lambda run, path: draw_chart(_panels(), path)}, camera=(26, -62),
        moments=(0.0, 0.4, 1.2, 1.9), chart=False,
    )  # fmt: skip


def _seen() -> Model:
    """The ball by itself, with a knob on top and a nose along the sheet."""
    knobs = ((0.0, 0.0, RADIUS), PALETTE[1]), ((RADIUS, 0.0, 0.0), PALETTE[4])
    marks: tuple[Shape, ...] = tuple(sphere(0.3 * RADIUS, SE3.from_translation(at), color=c) for at, c in knobs)
    shapes = (sphere(RADIUS, color=PALETTE[0]), *marks)
    return ModelBuilder().add_body("ball", joint=free(), inertia=ball(), shapes=shapes).build()


def _trajectory(model: Model) -> Trajectory:
    """The ball's motion as that of a free body."""
    found = motion()
    poses = found.poses()
    return Trajectory(model, found.t, np.concatenate([poses.wxyz, poses.xyz], axis=1), found.twists())


def _moving_sheet(run: Trajectory) -> tuple[Sheet, ...]:
    found, side = motion(), np.linspace(0.0, SIDE, 21)

    def at(t: float) -> np.ndarray:
        return found.sheet.points(side, side, found.controls[np.argmin(abs(found.t - t))])

    return (Sheet(None, at, color=SHEET, opacity=0.92),)


def _panels() -> list[Panel]:
    found, energy = motion(), motion().energy()
    named = {"sheet, moving": energy.sheet, "ball, moving": energy.body, "sheet, stretched": energy.elastic}
    named |= {"weight": energy.gravity, "taken by damping": found.dissipated, "all": energy.total + found.dissipated}
    return [Panel("energy of sheet and ball [J]", [Curve(found.t, x, name) for name, x in named.items()], "t [s]")]


def _told(run: Trajectory) -> str:
    found = motion()
    energy = found.energy().total
    kept = np.ptp(energy + found.dissipated)
    deep = (found.sheet.rest[..., 2] - found.controls[..., 2]).max()
    return (
        f"A sheet of {found.sheet.moving.sum()} moving control points and a ball, {found.t[-1]:g} s: it gave way by "
        f"up to {100 * deep:.0f} cm, damping took {found.dissipated[-1]:.3g} J, all energy is kept to {kept:.1e} J."
    )


def check() -> None:
    """Energy, and what damping took, stay; a stiffer, heavier sheet gives way less."""
    run = trampoline().simulate(ball(), START, RATE, duration=0.2, record=0.1, radius=RADIUS, weight=False)
    assert np.ptp(run.energy().total + run.dissipated) < 1e-7
    soft, stiff = (trampoline(tension=T).settled(loads=[((1.0, 1.0), (0, 0, -5.9))])[4, 4, 2] for T in (14.0, 140.0))
    rest = trampoline().rest[4, 4, 2]
    assert 0.9 < 0.1 * (soft - rest) / (stiff - rest) < 1.1
