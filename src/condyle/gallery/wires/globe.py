"""Toy aeroplanes that follow coastlines on a globe.  [LeeTerzopoulos2008, section 8, Globe]

The coastlines are generated: closed curves whose distance from an island's centre is a short Fourier series. No map
data is used.
"""

from __future__ import annotations

import numpy as np

from ...joints import Joint, revolute, spline_curve
from ...model import ModelBuilder
from ...model.look.overlays import Line, Sheet
from ...model.look.shapes import Shape, box, capsule
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ..outlines import sphere_frames
from ..scene import PALETTE, Scene, path_of, sphere_points

# centre (longitude, latitude), mean angular radius, waves (number, share of the radius, phase) [rad]; no two coasts are
# nearer to each other than a wing span
ISLANDS = (
    ((0.3, 0.6), 0.48, ((2, 0.30, 0.4), (3, 0.18, 1.9), (5, 0.10, 0.2), (7, 0.05, 2.2))),
    ((1.7, -0.4), 0.38, ((2, 0.22, 2.6), (3, 0.20, 0.7), (4, 0.12, 1.1), (9, 0.04, 0.3))),
    ((-0.95, -0.45), 0.42, ((1, 0.15, 0.0), (3, 0.25, 2.9), (5, 0.12, 1.7), (8, 0.05, 0.9))),
    ((-2.7, 0.35), 0.50, ((2, 0.35, 1.2), (4, 0.15, 2.0), (6, 0.08, 0.6), (11, 0.03, 1.4))),
)
TILT = 0.41  # [rad] of the axis, as the Earth's


def coastline(center, size: float, waves, radius: float, frames: int = 90, order: int = 4) -> Joint:
    """A closed curve on a sphere [m] around a centre (longitude, latitude) [rad]: z radial, x along the coast."""
    angle = 2.0 * np.pi * np.arange(frames) / frames
    away = size * (1.0 + sum((share * np.cos(n * angle + phase) for n, share, phase in waves), np.zeros(frames)))
    local = np.stack([np.cos(away), np.sin(away) * np.cos(angle), np.sin(away) * np.sin(angle)], axis=1)
    longitude, latitude = center
    turn = SE3.exp([0, 0, longitude, 0, 0, 0]) @ SE3.exp([0, -latitude, 0, 0, 0, 0])
    return spline_curve(sphere_frames(turn.apply(local), radius), periodic=True, order=order, name="along")


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
    coasts = [coastline(*island, radius) for island in ISLANDS]
    plane = Inertia.box(0.02, (0.08, 0.08, 0.02))
    for k, coast in enumerate(coasts):
        b.add_body(f"plane{k}", parent="globe", joint=coast, inertia=plane, shapes=_aeroplane(PALETTE[k + 1]))
    model = b.build()
    lines = [Line("globe", path_of(coast, 600), PALETTE[0]) for coast in coasts]
    ball = Sheet(
        "globe", sphere_points(0.97 * radius), (0.55, 0.68, 0.8), opacity=1.0
    )  # below the coasts: they are seen
    v = np.array([spin, 16.0, 20.0, -14.0, 18.0])
    return Scene("globe", model, np.array([0.0, 5.0, 40.0, 20.0, 60.0]), v, tuple(lines), (ball,), 8.0, camera=(15, 20))


def _aeroplane(color, scale: float = 0.05) -> tuple[Shape, ...]:
    """A fuselage along x, its underside on the ground, with wings, a tail and a fin [m]."""
    lying = SE3.from_translation((0.0, 0.0, 0.12 * scale)) @ SE3.exp([0, 0.5 * np.pi, 0, 0, 0, 0])
    parts = (
        ((0.35, 2.0, 0.06), (0.1, 0, 0.12)),
        ((0.22, 0.8, 0.05), (-0.85, 0, 0.14)),
        ((0.25, 0.05, 0.4), (-0.85, 0, 0.3)),
    )
    boxes = [box(scale * np.array(size), SE3.from_translation(scale * np.array(at)), color) for size, at in parts]
    return (capsule(0.12 * scale, 1.6 * scale, lying, color), *boxes)


def off_the_sphere(run: Trajectory, radius: float = 0.3) -> float:
    """How far any aeroplane gets from the sphere [m]."""
    return float(abs(np.linalg.norm(run.poses()[:, 1:].xyz, axis=-1) - radius).max())


def check() -> None:
    """The aeroplanes stay on the sphere to rounding; energy stays."""
    run = globe().run(1.0, record=0.01)
    assert off_the_sphere(run) < 1e-12
    assert np.ptp(run.energy().total) < 1e-6
