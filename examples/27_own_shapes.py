"""Joints from shapes of one's own
===============================

A bead runs down a wire bent along an SVG path, and a stone rocks in a dish measured as heights over a grid. Draws
demo/own_shapes.png. Both shapes are made up.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.scene import FRONT, PALETTE, Scene
from condyle.model.look.overlays import Line
from condyle.model.look.shapes import sphere

PATH = "M 0 0 C 60 120 120 120 160 60 S 240 0 300 90 L 340 90"  # [mm], y down
SIDE = np.linspace(-0.3, 0.3, 15)


def wire() -> cd.joints.Curve:
    """The path in metres, its corners made round."""
    return cd.joints.Curve.from_svg(PATH, scale=0.001, rounding=0.004)


def bead(curve: cd.joints.Curve) -> cd.Model:
    """A bead of 50 g on the wire."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    look = (sphere(0.01, color=PALETTE[1]),)
    b.add_body("bead", joint=cd.joints.along(curve), inertia=cd.Inertia.sphere(0.05, 0.01), shapes=look)
    return b.build()


def stone() -> tuple[cd.Model, cd.joints.Surface, cd.joints.Surface]:
    """A stone that slides in a dish: two surfaces that touch."""
    dish = cd.joints.Surface.from_heights(SIDE, SIDE, np.add.outer(0.5 * SIDE**2, 0.4 * SIDE**2))
    under = cd.joints.Surface.from_heights(SIDE, SIDE, np.add.outer(-2.2 * SIDE**2, -3.4 * SIDE**2))
    b = cd.ModelBuilder()
    joint = cd.joints.contact(cd.joints.on(dish), cd.joints.on(under))
    b.add_body("stone", joint=joint, inertia=cd.Inertia.box(1.0, (0.2, 0.15, 0.05), com=(0, 0, -0.04)))
    return b.build(), dish, under


def main(folder: str = "demo") -> None:
    """Let both go, say how well energy is kept, draw the bead."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    curve = wire()
    line = Line(None, curve.position(np.linspace(0.0, curve.length, 400)), PALETTE[0])
    scene = Scene("own_shapes", bead(curve), np.array([0.01]), np.zeros(1), (line,), duration=0.5, camera=FRONT)
    run = scene.run(record=0.01)
    print(f"{curve}. {scene.told(run)}")
    print(f"Open {scene.draw(run, Path(folder) / 'own_shapes.png', player=True)}.")


def check() -> None:
    """Energy stays on the wire; the stone and the dish touch with opposite normals."""
    model = bead(wire())
    run = cd.simulate(model, [0.01], [0.0], duration=0.3, record=0.01, step=5e-4)
    assert np.ptp(run.energy().total) < 1e-6
    model, dish, under = stone()
    q = np.array([0.1, -0.05, 0.4, 0.02, 0.03])
    G = model.bodies[0].joint.pose(q).as_matrix()
    gap = dish.points(q[:2])[0] - (G[:3, :3] @ under.points(q[3:])[0] + G[:3, 3])
    assert abs(gap).max() < 1e-11
    assert abs(dish.normals(q[:2])[0] + G[:3, :3] @ under.normals(q[3:])[0]).max() < 1e-11


if __name__ == "__main__":
    main(*sys.argv[1:])
