"""A ball on a surface that deforms: time is a coordinate too.  [LeeTerzopoulos2008, section 8, figure 5d]

The height is a spline of place and of a third coordinate, the phase, which is prescribed to be the time. So the terms
that the paper leaves out, the surface's own velocity and acceleration, come from the same kernels as all others.
"""

from __future__ import annotations

import numpy as np

from ...dynamics import forward_dynamics, inverse_dynamics
from ...joints import Joint, functions, product
from ...model import ModelBuilder
from ...model.look.overlays import Sheet
from ...model.look.shapes import sphere
from ...simulation import Trajectory
from ...spatial import Inertia
from ..scene import PALETTE, SHEET, Scene

HALF = 1.0  # [m] the surface spans [−HALF, HALF] each way
PERIOD = 1.9  # [s] of the surface's motion
RADIUS = 0.08  # [m] of the ball
ACROSS, PHASES = 13, 16
TRANSLATIONS = np.eye(6)[3:]


def wave_heights() -> np.ndarray:
    """Control heights (x, y, phase) [m]: a bowl, and a standing wave that changes its place."""
    side = np.linspace(-HALF, HALF, ACROSS)
    x, y, s = np.meshgrid(side, side, 2.0 * np.pi * np.arange(PHASES) / PHASES, indexing="ij")
    wave = np.cos(3.0 * x) * np.cos(2.0 * y) * np.sin(s) + np.sin(3.0 * y) * np.cos(s)
    return 0.35 * (x * x + y * y) + 0.13 * wave


def wave_knots(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Clamped knots of x and y, and the breakpoints of one period of the phase."""
    inner = np.linspace(-HALF, HALF, ACROSS - order + 2)
    side = np.concatenate([np.full(order - 1, -HALF), inner, np.full(order - 1, HALF)])
    return side, np.linspace(0.0, PERIOD, PHASES + 1)


def waves(order: int = 4) -> Joint:
    """A point on the surface: x, y and the height there and then; the third coordinate is the phase [s]."""
    side, phases = wave_knots(order)
    height = functions.spline((side, side, phases), wave_heights(), order=order, periodic=(False, False, True))  # pyright: ignore[reportArgumentType]
    place = (functions.linear(0), functions.linear(1), height)
    return product(TRANSLATIONS, place, coordinates=("x", "y", "phase"), title="waves")


def deforming_surface(mass: float = 0.3, start: tuple[float, float] = (0.55, -0.35), order: int = 4) -> Scene:
    """A ball that slides without friction on a surface that moves; its centre is on it, drawn a radius lower.

    Parameters
    ----------
    mass : float, optional
        [kg]
    start : tuple of 2 floats, optional
        Where it is let go, x and y [m] from −1 to 1.
    order : int, optional
        Order of the surface's splines: degree + 1; 4 is cubic.

    Returns
    -------
    Scene
    """
    joint = waves(order)
    b = ModelBuilder()
    look = (sphere(RADIUS, color=PALETTE[0]),)
    b.add_body("ball", joint=joint, inertia=Inertia.sphere(mass, RADIUS), shapes=look)
    b.prescribe("ball.phase", 0.0, rate=1.0)
    q, v = np.array([*start, 0.0]), np.array([0.0, 0.0, 1.0])
    shown = Sheet(None, lambda t: _drawn(joint, t), SHEET, 0.92)
    return Scene("deforming", b.build(), q, v, sheets=(shown,), duration=6.0, camera=(35, -60), moments=(0.0, 1.0, 2.4))


def _drawn(joint: Joint, t: float, points: int = 25) -> np.ndarray:
    """The surface a radius below the places of the centre."""
    side = np.linspace(-HALF, HALF, points)
    x, y = np.meshgrid(side, side, indexing="ij")
    q = np.stack([x, y, np.full_like(x, t)], axis=-1)
    return joint.pose(q).xyz - (0.0, 0.0, RADIUS)


def work_minus_gain(run: Trajectory) -> np.ndarray:
    """Work of the surface since the start less the energy gained [J].

    Its power is the force on the phase times the phase's rate, which is 1.
    """
    moments = zip(run.q, run.v, run.t, strict=True)
    a = np.array([forward_dynamics(run.model, q, v, t=t) for q, v, t in moments])
    power, energy = inverse_dynamics(run.model, run.q, run.v, a)[:, 2], run.energy().total
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.t))])
    return work - (energy - energy[0])


def check() -> None:
    """The work of the surface is the energy gained."""
    run = deforming_surface().run(1.0, record=2e-3)
    assert abs(work_minus_gain(run)).max() < 1e-5
    assert np.ptp(run.energy().total) > 0.01
