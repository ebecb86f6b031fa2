"""The knee fitted to noisy poses, put into a leg, and let go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...formats.safe_files import write_text
from ...io import save
from ...plots import Curve, Panel, curves
from ...simulation import Trajectory
from ..scene import Scene
from .fitted_knee import fitted_knee, knee_report
from .knee import leg
from .knees import START, truth_errors


def swinging_leg() -> Scene:
    """The leg with the fitted knee, let go with the thigh forward and the knee bent."""
    extras = {
        "knee.toml": lambda run, path: save(fitted_knee().joint, path),
        "leg-chart.png": draw_swing,
        "report.html": _reported,  # last: another process may be drawing it
    }
    model = leg(joint=fitted_knee().joint)
    return Scene("leg", model, np.array(START), np.zeros(3), duration=2.0, words=_told, extras=extras, camera=(10, -80))


def _reported(run: Trajectory, path) -> None:
    write_text(path, knee_report())


def _told(run: Trajectory) -> str:
    """How well the knee fits and what the leg does."""
    (angle, distance), bent, energy = truth_errors(fitted_knee()), run["knee"], run.energy().total
    glides = 1e3 * np.ptp(run.model.bodies[1].joint.pose(bent).xyz[:, :2], axis=0)
    return (
        f"{fitted_knee().summary()}\n"
        f"against the knee without noise: {angle:.2f} deg, {distance:.2f} mm (rms)\n"
        f"The knee bends between {bent.min():.2f} and {bent.max():.2f} rad; the tibia glides "
        f"{glides[0]:.1f} mm forward and {glides[1]:.1f} mm up on the way. Its stop and the ankle take "
        f"{np.ptp(energy):.1f} J."
    )


def draw_swing(run: Trajectory, path) -> None:
    """Save moments of the leg, the tibia's glide against the knee angle, and the energy."""
    angle = np.linspace(-2.0, 0.1, 200)
    x, y, _ = 1e3 * run.model.bodies[1].joint.pose(angle).xyz.T
    glide = [Curve(np.degrees(angle), x, "forward"), Curve(np.degrees(angle), y - y[-1], "up")]
    panels = (
        Panel("the tibia glides on the femur [mm]", glide, "knee angle [deg]"),
        Panel("energy [J]: lost to the knee's stop and the ankle", curves(run.t, run.energy()._asdict()), "t [s]"),
    )
    replace(swinging_leg(), panels=panels, moments=(0.0, 0.2, 0.6), width=2.9).draw(run, path)


def check() -> None:
    """The fit is nearer to the truth than the noise of one pose; the dampers take energy and never give it."""
    angle, distance = truth_errors(fitted_knee())
    assert angle < np.degrees(0.01) and distance < 1.0
    run = swinging_leg().run(1.0, record=5e-3)
    energy = run.energy().total
    assert run.stopped is None
    assert np.all(np.diff(energy) < 1e-4)
    assert energy[-1] < energy[0] - 0.1
    assert run["knee"].max() < 0.15
