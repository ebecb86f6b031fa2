"""Muscles of an elbow
===================

A forearm is lifted by a biceps and held back by a triceps that wraps over the elbow.

Lengths and moment arms over the range of the joint, and the activations of least effort that lift a weight. Leaves a
picture and tables in demo/muscles.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots.chart import Panel, curves, draw_chart

SIZE = {"max_isometric_force": 600.0, "optimal_fiber_length": 0.12, "tendon_slack_length": 0.2}  # [N], [m]


def elbow(weight: float = 1.0) -> cd.Model:
    """A forearm of 1.5 kg with a weight [kg] in the hand; y is up, the elbow turns about z."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    forearm = cd.Inertia.point(1.5, (0, -0.15, 0)) + cd.Inertia.point(weight, (0, -0.3, 0))
    b.add_body("forearm", joint=cd.joints.revolute("z"), inertia=forearm, joint_name="elbow")
    b.add_wrap("trochlea", "cylinder", quadrant="-x", radius=0.02, length=0.1)
    b.add_muscle("biceps", [(None, (0.02, 0.3, 0)), ("forearm", (0.01, -0.05, 0))], "millard", **SIZE)
    behind = [(None, (-0.02, 0.3, 0)), ("forearm", (-0.02, 0.02, 0))]
    b.add_muscle("triceps", behind, "millard", wraps=["trochlea"], **SIZE)
    return b.build()


def lifting(model: cd.Model) -> tuple[np.ndarray, np.ndarray, cd.muscles.StaticOptimization]:
    """Times, angles and the muscles' effort of a curl from 0.3 to 1.7 rad and back."""
    t = np.linspace(0.0, 2.0, 101)
    q, v, a = cd.trial.derivatives(t, 1.0 - 0.7 * np.cos(np.pi * t)[:, None])
    tau = cd.inverse_dynamics(model, q, v, a)
    return t, q, cd.muscles.static_optimization(model, q, v, tau, reserves={"elbow": 1.0})


def main(folder: str = "demo/muscles") -> None:
    """Draw moment arms and activations, and leave the numbers as tables."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    model, angles = elbow(), np.linspace(0.1, 2.2, 61)
    arms = cd.muscles.moment_arms(model, angles[:, None])[:, :, 0]
    t, _, effort = lifting(model)
    names = [m.name for m in model.muscles]
    panels = [
        Panel(
            "moment arms", curves(np.degrees(angles), dict(zip(names, 100 * arms.T, strict=True))), "elbow [deg]", "cm"
        ),
        Panel("activations", curves(t, dict(zip(names, effort.activation.T, strict=True))), "t [s]", ""),
    ]
    draw_chart(panels, Path(folder) / "muscles.png")
    table = cd.Table(("time", *names), np.column_stack([t, effort.activation]))
    cd.write_table(table, Path(folder) / "activations.sto")
    print(f"largest activations: {dict(zip(names, effort.activation.max(axis=0).round(3).tolist(), strict=True))}")
    print(f"Open {Path(folder) / 'muscles.png'}.")


def check() -> None:
    """Moment arms are slopes of lengths, and muscles and reserves give what the motion needs."""
    model, q, h = elbow(), np.linspace(0.2, 2.1, 9)[:, None], 1e-6
    slopes = (cd.muscles.lengths(model, q + h) - cd.muscles.lengths(model, q - h)) / (2 * h)
    assert np.abs(cd.muscles.moment_arms(model, q)[:, :, 0] + slopes).max() < 1e-8
    _, _, effort = lifting(model)
    assert np.abs(effort.missing).max() < 1e-6
    assert 0.05 < effort.activation[:, 0].max() < 1.0  # the biceps lifts
    assert effort.activation[:, 1].max() < 0.1 * effort.activation[:, 0].max()  # the triceps rests


if __name__ == "__main__":
    main(*sys.argv[1:])
