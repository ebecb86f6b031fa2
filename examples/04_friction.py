"""Stick and slip
==============

A block lies on a rail with dry friction and is drawn by a spring whose hook goes on at a steady speed. It sticks until
the spring pulls harder than static friction holds, slips, and sticks again: the creak of a door. `cd.simulate` finds
each event, and books the work of friction. The times have closed forms. Draws demo/friction.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.plots import Curve, Panel, draw_chart

MASS, STIFFNESS, SPEED, LENGTH = 1.0, 200.0, 0.1, 0.3  # [kg], [N/m], [m/s], [m] of the spring without force
SLIDING, STATIC = 0.2, 0.4
WEIGHT = 9.81 * MASS


def rail() -> cd.Model:
    """A block and the hook that draws it."""
    b = cd.ModelBuilder()
    b.add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.box(MASS, (0.1, 0.1, 0.1)))
    b.add_body("hook", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(0.1))
    b.prescribe("hook", lambda t: LENGTH + SPEED * t)
    b.add_spring("block", (0, 0, 0), "hook", (0, 0, 0), stiffness=STIFFNESS, length=LENGTH)
    return b.build()


def drawn(duration: float, record: float = 0.01) -> cd.simulation.Trajectory:
    """The block from rest, the spring without force."""
    options = {"duration": duration, "step": 0.002, "record": record}
    return cd.simulate(rail(), [0.0, LENGTH], [0.0, SPEED], friction={"block": (SLIDING, STATIC)}, **options)


def closed_form() -> tuple[float, float, float]:
    """How long it sticks first [s], how long it slips [s], and how far [m].

    While it slips, x = A (1 − cos ωτ) + v (τ − sin ωτ / ω) with A = (μₛ − μ) g / ω² until ẋ is zero again.
    """
    w = np.sqrt(STIFFNESS / MASS)
    A = (STATIC - SLIDING) * 9.81 / w**2
    slip = 2.0 * (np.pi - np.arctan(A * w / SPEED)) / w
    far = A * (1 - np.cos(w * slip)) + SPEED * (slip - np.sin(w * slip) / w)
    return STATIC * WEIGHT / (STIFFNESS * SPEED), float(slip), float(far)


def main(folder: str = "demo") -> None:
    """Draw the block along, say when it sticks and slips, and plot."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    run, (stuck, slip, far) = drawn(1.6), closed_form()
    print(f"closed form: slips after {stuck:.6f} s, for {slip:.6f} s, by {1e3 * far:.4f} mm")
    for x in run.slips:
        print(f"t = {x.time:.6f} s: {'sticks' if x.way == 0 else 'slips'}")
    loose = [x.time for x in run.slips if x.way]
    print(f"found: slips after {loose[0]:.6f} s; friction took {-run.friction_work[-1]:.6f} J in all")
    x, hook = run.q.T
    pull = STIFFNESS * (hook - x - LENGTH)
    ways = [Curve(run.t, 100 * x, "block"), Curve(run.t, 100 * (hook - LENGTH), "hook, less the spring's length")]
    forces = [Curve(run.t, pull, "spring")]
    for mu, name in ((STATIC, "static friction holds"), (SLIDING, "sliding friction")):
        forces.append(Curve(run.t[[0, -1]], np.full(2, mu * WEIGHT), name, style=":"))
    panels = [Panel("way [cm]", ways, "t [s]"), Panel("force [N]", forces, "t [s]", ylim=(-1.5, 6.5))]
    panels.append(Panel("work of friction [J]", [Curve(run.t, run.friction_work)], "t [s]"))
    draw_chart(panels, Path(folder) / "friction.png", size=(13.0, 3.8))
    print(f"Open {Path(folder) / 'friction.png'}.")


def check() -> None:
    """Events are where the closed form has them; a cycle costs the weight times μ times the way."""
    stuck, slip, far = closed_form()
    run = drawn(0.6, record=0.1)
    assert [x.way for x in run.slips] == [0, 1, 0]
    assert np.allclose([x.time for x in run.slips[1:]], [stuck, stuck + slip], atol=1e-8)
    assert abs(run.q[-1, 0] - far) < 1e-8
    assert abs(run.friction_work[-1] + SLIDING * WEIGHT * far) < 1e-8


if __name__ == "__main__":
    main(*sys.argv[1:])
