"""Muscles of an elbow
===================

A biceps lifts a forearm, a triceps that wraps over the elbow holds it back: lengths and moment arms over the range of
the joint, the activations of least effort that lift a weight, and the motion that given excitations cause.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Panel, curves, draw_chart

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# A forearm of 1.5 kg with 1 kg in the hand; y is up, the elbow turns about z. The upper arm belongs to the world.

b = cd.ModelBuilder(gravity=(0.0, -9.81, 0.0))
b.add_body(
    "upper_arm", inertia=cd.Inertia.point(2.0), shapes=[cd.shapes.bone((0.0, 0.32, 0.0), (0.0, 0.012, 0.0), 0.022)]
)
b.add_body(
    "forearm",
    joint=cd.joints.revolute("z"),
    joint_name="elbow",
    inertia=cd.Inertia.point(1.5, (0.0, -0.15, 0.0)) + cd.Inertia.point(1.0, (0.0, -0.3, 0.0)),
    shapes=[
        cd.shapes.bone((0.0, -0.008, 0.008), (0.0, -0.27, 0.012), 0.016),
        cd.shapes.bone((-0.004, 0.004, -0.012), (0.0, -0.27, -0.014), 0.014),
        cd.shapes.sphere(0.04, cd.SE3.from_translation((0.0, -0.31, 0.0)), color=(0.25, 0.28, 0.32)),
    ],
)

# %%
# A muscle is a path of points, each on a body (`None` is the world), and a law with its constants. The triceps goes
# over a cylinder; `quadrant` says on which side.

size = {"max_isometric_force": 600.0, "optimal_fiber_length": 0.12, "tendon_slack_length": 0.2}  # [N], [m]
b.add_wrap("trochlea", "cylinder", quadrant="-x", radius=0.02, length=0.1)
b.add_muscle("biceps", [(None, (0.02, 0.3, 0.0)), ("forearm", (0.01, -0.05, 0.0))], "millard", **size)
behind = [(None, (-0.02, 0.3, 0.0)), ("forearm", (-0.02, 0.02, 0.0))]
b.add_muscle("triceps", behind, "millard", wraps=["trochlea"], **size)
model = b.build()

# %%
# Moment arms are exact slopes of lengths. The biceps bends the elbow, the triceps stretches it.

names = [m.name for m in model.muscles]
angles = np.linspace(0.1, 2.2, 61)
arms = cd.muscles.moment_arms(model, angles[:, None])[:, :, 0]
print(dict(zip(names, (100 * arms[30]).round(2).tolist(), strict=True)), "cm at", round(float(angles[30]), 2), "rad")

# %%
# A curl from 0.3 to 1.7 rad and back: inverse dynamics says what torque it takes, static optimisation which
# activations give that torque with the least sum of squares.

t = np.linspace(0.0, 2.0, 101)
q, v, a = cd.trial.derivatives(t, 1.0 - 0.7 * np.cos(np.pi * t)[:, None])
tau = cd.inverse_dynamics(model, q, v, a)
effort = cd.muscles.static_optimization(model, q, v, tau, reserves={"elbow": 1.0})
print("largest activations:", dict(zip(names, effort.activation.max(axis=0).round(3).tolist(), strict=True)))

# %%
# The other way round: excitations go in, and activations, fibre lengths and motion follow.

run = cd.simulate(model, [0.4], excitations=[0.35, 0.02], duration=0.6, record=0.01, integrator="adaptive")
print(f"after 0.6 s the elbow is at {run.q[-1, 0]:.2f} rad, the biceps is {100 * run.activation[-1, 0]:.0f} % active")

# %%
# A picture and a player of that motion, and the curves of the curl.

cd.view.export(run, out / "elbow.png", time=0.3, camera=(12.0, -75.0))
cd.view.export(run, out / "elbow.html", title="Muscles of an elbow", camera=(12.0, -75.0))
panels = [
    Panel("moment arms [cm]", curves(np.degrees(angles), dict(zip(names, 100 * arms.T, strict=True))), "elbow [deg]"),
    Panel("activations of the curl", curves(t, dict(zip(names, effort.activation.T, strict=True))), "t [s]"),
]
draw_chart(panels, out / "muscles.png")
cd.write_table(cd.Table(("time", *names), np.column_stack([t, effort.activation])), out / "activations.sto")


# %%
# What the tests hold it to.


def check() -> None:
    """Moment arms are slopes of lengths, and muscles and reserves give what the motion needs; work is energy."""
    at, h = np.linspace(0.2, 2.1, 9)[:, None], 1e-6
    slopes = (cd.muscles.lengths(model, at + h) - cd.muscles.lengths(model, at - h)) / (2 * h)
    assert np.abs(cd.muscles.moment_arms(model, at)[:, :, 0] + slopes).max() < 1e-8
    assert np.abs(effort.missing).max() < 1e-6
    assert 0.05 < effort.activation[:, 0].max() < 1.0  # the biceps lifts
    assert effort.activation[:, 1].max() < 0.1 * effort.activation[:, 0].max()  # the triceps rests
    assert abs(run.work[-1].sum() - (run.energy().total[-1] - run.energy().total[0])) < 1e-4
