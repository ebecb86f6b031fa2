"""Toy aeroplanes that follow coastlines on a globe.  [LeeTerzopoulos2008, section 8, Globe]

The continents are drawn by hand (`coasts`): they look like the world and are no map. The aeroplanes follow the coasts
of four of them, with rounded corners.
"""

from __future__ import annotations

import numpy as np

from ...joints import Joint, revolute, spline_curve
from ...model import ModelBuilder
from ...model.look.overlays import Line, Sheet
from ...model.look.shapes import Shape, box, ellipsoid
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ..outlines import sphere_frames
from ..scene import Scene, path_of, wire_sheet
from .coasts import ANTARCTICA, directions, land_grid, rounded_coast, sea_grid, wavy

FOLLOWED = ("Africa", "North America", "Australia")  # coasts with an aeroplane each, as Antarctica has one
SEA, LAND = (0.30, 0.52, 0.76), (0.56, 0.66, 0.36)
LEVEL = 0.985  # of the radius: the sea, below the aeroplanes
PAINT = (
    (0.82, 0.16, 0.13),
    (0.93, 0.45, 0.05),
    (0.62, 0.12, 0.50),
    (0.90, 0.72, 0.10),
)  # of aeroplanes and their ways
WHITE, SWEEP = (0.95, 0.95, 0.95), 0.45  # their fuselage, and the angle of their wings [rad]
ROUTE, LINES = 0.994, 0.9865  # of the radius: ways of the aeroplanes as they are drawn, and the graticule
TILT = 0.41  # [rad] of the axis, as the Earth's
BRASS, WOOD, GRATICULE = (0.80, 0.64, 0.33), (0.45, 0.29, 0.18), (0.74, 0.84, 0.91)
BOW, TABLE = 1.13, 1.45  # radii of the globe: from its centre to the bow, and down to the table
FOOT = ((0.0, 0.16), (0.06, 0.16), (0.08, 0.12), (0.2, 0.09), (0.5, 0.06), (0.56, 0.03), (0.56, 0.0), (0.0, 0.0))
EVERY = 30  # [degrees] between the lines of longitude and latitude


def coastline(center, size: float, waves, radius: float, frames: int = 90, order: int = 4) -> Joint:
    """A closed curve on a sphere [m] around a centre (longitude, latitude) [rad]: z radial, x along the coast."""
    angle = 2.0 * np.pi * np.arange(frames) / frames
    away = wavy(angle, size, waves)
    local = np.stack([np.cos(away), np.sin(away) * np.cos(angle), np.sin(away) * np.sin(angle)], axis=1)
    longitude, latitude = center
    turn = SE3.exp([0, 0, longitude, 0, 0, 0]) @ SE3.exp([0, -latitude, 0, 0, 0, 0])
    return spline_curve(sphere_frames(turn.apply(local), radius), periodic=True, order=order, name="along")


def coast_of(name: str, radius: float, frames: int = 90) -> Joint:
    """The coast of a continent on a sphere [m]: z radial, x along it."""
    return spline_curve(sphere_frames(rounded_coast(name, frames), radius), periodic=True, order=4, name="along")


def coasts_of(radius: float) -> list[Joint]:
    """The four coasts that aeroplanes follow; no two are nearer to each other than a wing span."""
    return [*(coast_of(name, radius) for name in FOLLOWED), coastline((0.0, -0.5 * np.pi), *ANTARCTICA, radius)]


def globe(radius: float = 0.3, spin: float = 0.6, gravity: float = 0.0) -> Scene:
    """Four aeroplanes of 20 g on the coasts of a globe that turns freely.

    Parameters
    ----------
    radius : float, optional
        Of the globe [m].
    spin : float, optional
        Its first rate [rad/s].
    gravity : float, optional
        [m/s²], downwards; by default the aeroplanes have no weight.

    Returns
    -------
    Scene
    """
    b = ModelBuilder(gravity=(0.0, 0.0, -gravity))
    sphere = Inertia.sphere(0.5, radius)
    b.add_body("globe", joint=revolute("z"), inertia=sphere, placement=SE3.exp([TILT, 0, 0, 0, 0, 0]))
    coasts = coasts_of(radius)
    plane = Inertia.box(0.02, (0.08, 0.08, 0.02))
    for k, coast in enumerate(coasts):
        b.add_body(f"plane{k}", parent="globe", joint=coast, inertia=plane, shapes=_aeroplane(PAINT[k]))
    model = b.build()
    routes = [Line("globe", ROUTE * path_of(coast, 600), PAINT[k]) for k, coast in enumerate(coasts)]
    sea = Sheet("globe", sea_grid(LEVEL * radius), SEA, 1.0, False)
    land = Sheet("globe", land_grid(LEVEL * radius), LAND, 1.0, False)
    v = np.array([spin, 12.0, 8.0, -12.0, 14.0])
    start = np.array([0.0, 5.0, 40.0, 20.0, 60.0])
    seen = {"camera": (15, 20), "moments": (0.4, 1.2, 3.7, 7.2), "chart": gravity != 0.0}
    lines = (*routes, *graticule("globe", LINES * radius))
    return Scene("globe", model, start, v, lines, (sea, land, *stand(radius, TILT)), 8.0, **seen)


def _aeroplane(color, scale: float = 0.06) -> tuple[Shape, ...]:
    """A white fuselage along x, its underside on the ground, with swept wings, a tail and a fin of a colour [m]."""
    blades = [((0.34, 0.06, 0.46), (-0.84, 0.0, 0.38), (0.0, -SWEEP, 0.0))]
    for side in (1.0, -1.0):
        blades += [
            ((0.42, 1.15, 0.07), (-0.08, 0.5 * side, 0.16), (0.0, 0.0, side * SWEEP)),
            ((0.24, 0.55, 0.06), (-0.86, 0.22 * side, 0.20), (0.0, 0.0, side * SWEEP)),
        ]
    poses = [SE3.from_translation(scale * np.array(at)) @ SE3.exp([*turn, 0, 0, 0]) for _, at, turn in blades]
    boxes = [box(scale * np.array(size), X, color) for (size, _, _), X in zip(blades, poses, strict=True)]
    body = ellipsoid(scale * np.array([1.1, 0.17, 0.17]), SE3.from_translation((0.0, 0.0, 0.17 * scale)), WHITE)
    return (body, *boxes)


def off_the_sphere(run: Trajectory, radius: float = 0.3) -> float:
    """How far any aeroplane gets from the sphere [m]."""
    return float(abs(np.linalg.norm(run.poses()[:, 1:].xyz, axis=-1) - radius).max())


def check() -> None:
    """The aeroplanes stay on the sphere to rounding; energy stays."""
    run = globe().run(1.0, record=0.01)
    assert off_the_sphere(run) < 1e-12
    assert np.ptp(run.energy().total) < 1e-6


def stand(radius: float, tilt: float) -> tuple[Sheet, ...]:
    """A bow around a globe [m] whose axis leans by an angle [rad] from z to −y, its pins at the poles, and a foot."""
    angle = np.linspace(-tilt, np.pi, 81)  # from the north pole to the lowest place
    bow = BOW * np.stack([0.0 * angle, np.sin(angle), np.cos(angle)], axis=1)
    axis = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    pins = [np.outer(sign * np.array([0.97, BOW + 0.05]), axis) for sign in (1.0, -1.0)]
    column = np.array([(0.0, 0.0, -BOW), (0.0, 0.0, 0.1 - TABLE)])
    rods = [(bow, 0.032), *((pin, 0.022) for pin in pins), (column, 0.045)]
    wires = [wire_sheet(None, radius * points, (1.0, 0.0, 0.0), radius * r, BRASS) for points, r in rods]
    around, (r, z) = np.linspace(0.0, 2.0 * np.pi, 49)[:, None], np.array(FOOT).T
    foot = np.stack(np.broadcast_arrays(r * np.cos(around), r * np.sin(around), z - TABLE), axis=-1)
    return (*wires, Sheet(None, radius * foot, WOOD, 1.0, False))


def graticule(body: str, radius: float) -> tuple[Line, ...]:
    """Meridians and parallels on a sphere [m] about the origin of a body."""
    full, half = (np.linspace(-a, a, 121) * np.pi for a in (1.0, 0.5))
    meridians = [np.stack([0.0 * half + np.radians(a), half], axis=-1) for a in range(-180, 180, EVERY)]
    parallels = [np.stack([full, 0.0 * full + np.radians(b)], axis=-1) for b in range(EVERY - 90, 90, EVERY)]
    return tuple(Line(body, radius * directions(x), GRATICULE) for x in (*meridians, *parallels))
