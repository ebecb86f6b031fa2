"""Landing on its feet
===================

A body of a trunk and two legs with springs in their knees falls on the ground, tilted and turning. Each foot has four
spheres that touch; contact begins and ends by itself, the knees give, and the body comes to rest on what the ground
bears: its weight. Draws demo/contact.png and leaves a player.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Curve, Panel, draw_chart

HEIGHT, HALF = 0.12, (0.12, 0.06)  # of an ankle over its sole, and half a sole's sizes [m]
RADIUS, G = 0.02, 9.81
GROUND = {"stiffness": 4e5, "dissipation": 4.0, "friction": 0.8, "slowest": 0.02}  # [N/m^1.5], [s/m], 1, [m/s]
MASS = 8.0 + 2 * 1.5


def lander() -> cd.Model:
    """A trunk that is free, and two feet that slide along it on springs."""
    b = cd.ModelBuilder().add_body("trunk", joint=cd.joints.free(), inertia=cd.Inertia.box(8.0, (0.15, 0.3, 0.3)))
    for side, y in (("left", 0.13), ("right", -0.13)):
        hip = cd.SE3.exp([0, 0, 0, 0, y, -0.35])
        foot = cd.Inertia.box(1.5, (0.24, 0.12, 0.08), com=(0, 0, -0.5 * HEIGHT))
        b.add_body(side, "trunk", cd.joints.prismatic("z"), foot, placement=hip)
        b.add_stiffness(side, 4e3, damping=120.0)
        for x in (-HALF[0], HALF[0]):
            for w in (-HALF[1], HALF[1]):
                b.add_contact(side, sphere=((x, w, RADIUS - HEIGHT), RADIUS), **GROUND)
    return b.build()


def landing(model: cd.Model, duration: float = 3.0) -> cd.simulation.Trajectory:
    """It falls by some 15 cm, tilted about both horizontal axes and moving forwards."""
    q, v = model.neutral(), np.zeros(model.nv)
    q[:4] = np.array([1.0, 0.03, 0.05, 0.0]) / np.linalg.norm([1.0, 0.03, 0.05, 0.0])
    q[6] = 0.35 + HEIGHT + 0.15
    v[3] = 0.4
    return cd.simulate(model, q, v, duration=duration, step=2e-4, record=2e-3)


def ground_force(run: cd.simulation.Trajectory) -> np.ndarray:
    """What the ground bears [N], from the rate of momentum."""
    a = cd.forward_dynamics(run.model, run.q, run.v)
    return np.array([MASS * (_center_acceleration(run, k, a[k]) + G) for k in range(len(run.t))])


def _center_acceleration(run: cd.simulation.Trajectory, k: int, a: np.ndarray, h: float = 1e-5) -> float:
    q, v = run.q[k], run.v[k]
    ends = (cd.momentum(run.model, cd.integrate(run.model, q, s * h * v), v + s * h * a).linear[2] for s in (1, -1))
    return float((next(ends) - next(ends)) / (2 * h * MASS))


def main(folder: str = "demo") -> None:
    """Let it land, and draw what its feet do and what the ground bears."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    run = landing(lander())
    low, force = lowest(run), ground_force(run)
    print(f"at first touch it falls at {-run.v[np.argmax(low[:, 0] < 0), 5]:.2f} m/s")
    print(
        f"the ground bears {force.max():.0f} N at most, and {force[-1]:.1f} N at rest; its weight is {MASS * G:.1f} N"
    )
    print(f"its feet rest {-1e3 * low[-1].mean():.2f} mm in the ground")
    heights = [Curve(run.t, 1e3 * low[:, i], name) for i, name in enumerate(("left foot", "right foot"))]
    panels = [Panel("lowest sphere over the ground [mm]", heights, "t [s]", ylim=(-12, 60))]
    panels.append(Panel("force of the ground [N]", [Curve(run.t, force, "")], "t [s]"))
    energy = run.energy().total
    panels.append(Panel("energy [J]", [Curve(run.t, energy - energy[-1], "over that at rest")], "t [s]"))
    draw_chart(panels, Path(folder) / "contact.png", size=(13.0, 3.8))
    cd.view.export(run, Path(folder) / "contact.html")
    print(f"Open {Path(folder) / 'contact.png'} and contact.html.")


def lowest(run: cd.simulation.Trajectory) -> np.ndarray:
    """The height of the lowest sphere of both feet over the ground (T, 2) [m]."""
    T = cd.forward_kinematics(run.model, run.q).as_matrix()
    out = []
    for side in ("left", "right"):
        places = (f.at for f in run.model.forces if f.law == "hertz" and f.name.startswith(f"hertz@world-{side}"))
        body = run.model.names.index(side)
        out.append(np.min([(T[:, body] @ at.frame_b[:, 3])[:, 2] - RADIUS for at in places], axis=0))
    return np.stack(out, axis=1)


def check() -> None:
    """It comes to rest upright, on a ground that bears its weight, as deep as the law says, and no energy appears."""
    model = lander()
    run = landing(model)
    assert np.abs(run.v[-1]).max() < 0.1 and lowest(run)[0].min() > 0.05
    force = ground_force(run)
    assert abs(force[-1] / (MASS * G) - 1.0) < 0.01 and force.max() > 2 * MASS * G
    s, margin = np.linspace(1e-4, 5e-3, 50001), 1e-3  # [m]: the rounded depth of the law, and its default margin
    depth = np.interp(MASS * G / 8, GROUND["stiffness"] * s**1.5 / (1.0 + (margin / s) ** 2), s - margin**2 / s)
    assert abs(-lowest(run)[-1].mean() - depth) < 5e-5
    energy = run.energy().total
    assert np.diff(energy).max() < 1e-3 * (energy[0] - energy[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
