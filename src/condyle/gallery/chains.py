"""Chains of rods: planar, in space, and the closed ones made of them."""

from __future__ import annotations

import numpy as np

from .. import control as C
from ..joints import revolute, universal
from ..model import Model, ModelBuilder
from ..model.shapes import Shape
from ..spatial import SE3, Inertia
from ..view.geometry import COLORS, limb

__all__ = ["planar_chain", "rod", "spatial_chain", "three_links"]


def rod(mass: float, length: float, radius: float = 0.05) -> Inertia:
    """A rod along +x from the body's origin [kg, m]; `radius` is a share of its length."""
    thin = 0.5 * mass * (radius * length) ** 2
    across = mass * length**2 / 12.0 + 0.5 * thin
    return Inertia(mass, np.array([0.5 * length, 0.0, 0.0]), np.diag([thin, across, across]))


def planar_chain(lengths=(1.0, 1.0, 1.0), masses=None, *, gravity=(0.0, -9.81, 0.0)) -> Model:
    """Rods in the x-y plane, each turning about z at the end of the one before: "link1", "link2", … [m, kg]."""
    masses = np.ones(len(lengths)) if masses is None else masses
    b, turn, at = ModelBuilder(gravity=gravity), revolute("z"), 0.0
    for i, (length, mass) in enumerate(zip(lengths, masses, strict=True)):
        b.add_body(
            f"link{i + 1}",
            parent=f"link{i}" if i else None,
            joint=turn,
            inertia=rod(float(mass), float(length)),
            placement=SE3.from_translation((at, 0.0, 0.0)),
            shapes=_look(i, float(length)),
        )
        at = float(length)
    return b.build()


def spatial_chain(segments: int = 5, length: float = 0.3, mass: float = 0.5, *, gravity=(0.0, 0.0, -9.81)) -> Model:
    """Rods along x with two freedoms each (about z, then y): "link1", …; ten freedoms by default [m, kg]."""
    b, turns, inertia = ModelBuilder(gravity=gravity), universal("z", "y"), rod(mass, length)
    for i in range(segments):
        b.add_body(
            f"link{i + 1}",
            parent=f"link{i}" if i else None,
            joint=turns,
            inertia=inertia,
            placement=SE3.from_translation((length if i else 0.0, 0.0, 0.0)),
            shapes=_look(i, length),
        )
    return b.build()


def _look(i: int, length: float) -> tuple[Shape, ...]:
    """Links in two colours by turns."""
    return (limb((0.0, 0.0, 0.0), (length, 0.0, 0.0), 0.06 * length, COLORS[i % 2]),)


def three_links(duration: float = 1.0, *, step: float = 0.01) -> C.Directed:
    """The report's worked example: the end goes diagonally at 0.5 m/s, joint 3 is held by φ3² (taken as φ3 − 0.5).

    [ParkFussellBrowne1992, section 4.3]
    """
    end, q = C.point("link3", (1.0, 0.0, 0.0), axes="xy", name="end"), np.array([0.4, 0.7, 0.5])
    held = C.function(lambda x: (x["link3"] - 0.5) ** 2, name="held")
    space = C.AnimationSpace(planar_chain(), [end, held])
    start, speed = space.value(q)[:2], np.array([-0.5, 0.5]) / np.sqrt(2)
    return C.direct(space, q, {"end": lambda t: start + speed * t}, duration=duration, step=step)
