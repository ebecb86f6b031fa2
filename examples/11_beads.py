"""Beads on a spinning wire
========================

Three beads slide on a flower-shaped wire that spins; then the same with beads that also turn freely about the wire.
Figure 5(a) of the spline-joint paper.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# Sixty control frames around a flower of five petals: each stands on the curve, its x axis along it. A periodic
# B-spline through them is the joint; its coordinate counts frames.

angle = 2.0 * np.pi * np.arange(60) / 60 - 0.5 * np.pi
r = 0.5 * (1.0 + 0.25 * np.cos(5 * angle))
points = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1)
tangent = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
heading = np.arctan2(tangent[:, 1], tangent[:, 0])
frames = np.tile(np.eye(4), (60, 1, 1))
frames[:, 0, 0] = frames[:, 1, 1] = np.cos(heading)
frames[:, 1, 0], frames[:, 0, 1] = np.sin(heading), -np.sin(heading)
frames[:, :2, 3] = points
along = cd.joints.spline_curve(frames, periodic=True, name="along")

# %%
# A wire that a motor turns by 2 rad/s about the vertical, and three beads on it. `spin=None` lets it turn freely;
# `compose` puts a hinge after the curve, so that a bead turns about the wire.

COLORS = ((0.12, 0.47, 0.71), (0.16, 0.62, 0.29), (0.56, 0.27, 0.68))
upright = cd.SE3.exp([0.5 * np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])


def beads(spin: float | None, joint: cd.joints.Joint) -> cd.Model:
    """The wire and its beads."""
    b = cd.ModelBuilder()
    b.add_body(
        "wire", joint=cd.joints.revolute("z"), inertia=cd.Inertia(0.5, (0, 0, 0), 3 * (0.06,)), joint_name="spin"
    )
    for k, (mass, color) in enumerate(zip((0.2, 0.3, 0.4), COLORS, strict=True)):
        ball, look = cd.Inertia.sphere(mass, 0.06), cd.shapes.sphere(0.06, color=color)
        b.add_body(f"bead{k}", parent="wire", joint=joint, inertia=ball, placement=upright, shapes=[look])
    if spin is not None:
        b.prescribe("spin", 0.0, rate=spin)
    return b.build()


driven = beads(2.0, along)
free = beads(None, cd.joints.compose(along, cd.joints.revolute("x", name="turn")))
print(driven.coordinates, free.coordinates)

# %%
# Three places on the wire, at rest on it while it spins.

places = along.domain[0][1] * np.array([0.22, 0.55, 0.83])
run = cd.simulate(driven, [0.0, *places], [2.0, 0.0, 0.0, 0.0], duration=4.0, step=1e-3, record=1e-2)

# %%
# The motor's torque is the inverse dynamics of the motion; its work is what the beads have gained.

a = np.array([cd.forward_dynamics(driven, q, v, t=t) for t, q, v in zip(run.t, run.q, run.v, strict=True)])
torque = cd.inverse_dynamics(driven, run.q, run.v, a)[:, 0]
work = 2.0 * np.sum(0.5 * (torque[1:] + torque[:-1]) * np.diff(run.t))
gained = run.energy().total[-1] - run.energy().total[0]
print(f"driven wire: the motor gave {work:.4f} J, the beads have {gained:.4f} J more")

# %%
# Without a motor, and with beads that spin about the wire, energy stays.

q, v = np.zeros(free.nq), np.zeros(free.nv)
q[1::2], v[0], v[2::2] = places, 2.0, (4.0, -6.0, 9.0)
loose = cd.simulate(free, q, v, duration=1.0, step=1e-3, record=1e-2)
print(f"free wire, turning beads: energy kept to {np.ptp(loose.energy().total):.1e} J")

# %%
# A picture and a player. The wire is a line in the frame of the body that turns.

s = np.linspace(*along.domain[0], 400)
wire = cd.view.Line("wire", (upright @ along.pose(s)).xyz, (0.75, 0.22, 0.17))
cd.view.export(run, out / "beads.png", drawn=[wire], time=0.4)
cd.view.export(run, out / "beads.html", drawn=[wire], title="Beads on a spinning wire")


# %%
# What the tests hold it to.


def check() -> None:
    """The motor's work is the energy gained; without a motor energy stays; beads stay on the curve of the wire."""
    assert abs(work - gained) < 0.01 * np.ptp(run.energy().kinetic)
    assert np.ptp(loose.energy().total) < 1e-4
    assert np.abs(along.pose(along.domain[0][1]).xyz - along.pose(0.0).xyz).max() < 1e-12
