"""Two surfaces in contact, and rolling without slip.

A contact of surfaces A (of the parent) and B (of the child) is A(u) · spin · half turn · B(w)⁻¹: both frames have their
z axis along the outward normal, so the bodies touch from outside, and five coordinates are left. Rolling adds the
constraint that the two material points at the contact move alike along the surface.
"""

from __future__ import annotations

import numpy as np

from ..joints import Joint, compose, prismatic, product, revolute, weld
from ..joints.functions import linear
from ..model import ModelBuilder
from ..model.constraints import roll
from ..spatial import SE3, Inertia
from ..view.drawn import Line, Sheet
from .scene import Scene

__all__ = ["ball_on_ball", "contact", "rolling_disc", "sphere"]

FLIP = SE3.exp([np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])  # z to −z


def sphere(radius: float, names=("u", "w")) -> Joint:
    """A frame on a sphere: turned about y, then about x, then out along z by the radius [m]; z is the normal."""
    turns = product(((0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), (linear(0), linear(1)), coordinates=names)
    return compose(turns, weld(SE3.from_translation((0.0, 0.0, radius))))


def contact(surface: Joint, other: Joint) -> Joint:
    """Two surfaces that touch from outside: the parent's coordinates, the spin about the normal, the child's."""
    return compose(surface, revolute("z", name="spin"), weld(FLIP), other.inverse())


def ball_on_ball(radius: float = 0.5, ball: float = 0.2, mass: float = 1.0, slip: bool = False) -> Scene:
    """A ball that rolls (or slides, with `slip`) off a fixed ball [m], let go a little off the top."""
    under, over = sphere(radius), sphere(ball, names=("a", "b"))
    b = ModelBuilder()
    b.add_body("ball", joint=contact(under, over), inertia=Inertia.sphere(mass, ball))
    if not slip:
        b.add_constraint(roll("ball", under))
    q = np.array([0.15, 0.1, 0.0, 0.4, 0.3])
    lines = (Line("ball", _circles(ball)),)
    return Scene("rolling", b.build(), q, np.zeros(5), lines, (Sheet(None, _sphere_points(radius)),), 0.8)


def rolling_disc(slope: float = 0.35, radius: float = 0.25, mass: float = 1.0) -> Scene:
    """A disc that rolls down a plane inclined by `slope` [rad]: acceleration ⅔ g sin(slope)."""
    along = SE3.exp([0.0, slope, 0.0, 0.0, 0.0, 0.0])  # x down the plane
    b = ModelBuilder()
    slide = prismatic("x", name="along")
    joint = compose(slide, weld(SE3.from_translation((0.0, 0.0, radius))), revolute("y", name="turn"))
    disc = Inertia.cylinder(mass, radius, 1e-3, axis=1)
    b.add_body("disc", joint=joint, inertia=disc, placement=along)
    b.add_constraint(roll("disc", slide, tangents=(0,)))
    plane = along.apply(np.array([(-0.3, 0.0, 0.0), (3.0, 0.0, 0.0)]))
    lines = (
        Line(None, plane),
        Line("disc", _circles(radius)[66:]),
        Line("disc", np.array([(0, 0, 0), (0, 0, radius)])),
    )
    return Scene("rolling disc", b.build(), np.zeros(2), np.zeros(2), lines, duration=1.5)


def _circles(radius: float) -> np.ndarray:
    """Great circles about z, x and y, 33 points each."""
    turn = np.linspace(0.0, 2.0 * np.pi, 33)
    c, s, o = radius * np.cos(turn), radius * np.sin(turn), np.zeros_like(turn)
    return np.concatenate([np.stack(x, axis=1) for x in ((c, s, o), (o, c, s), (s, o, c))])


def _sphere_points(radius: float) -> np.ndarray:
    u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19), indexing="ij")
    return radius * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=-1)
