"""Two surfaces in contact, and rolling without slip.

A contact of surfaces A (of the parent) and B (of the child) is A(u) · spin · half turn · B(w)⁻¹ (`joints.contact`):
both frames have their z axis along the outward normal, and five coordinates are left. Rolling adds the constraint that
the two material points at the contact move alike along the surface.
"""

from __future__ import annotations

import numpy as np

from ...dynamics import forward_dynamics
from ...joints import Joint, compose, contact, prismatic, product, revolute, weld
from ...joints.functions import linear
from ...model import ModelBuilder
from ...model.constraints import roll
from ...model.look.overlays import Sheet
from ...model.look.shapes import box, cylinder
from ...model.look.shapes import sphere as sphere_shape
from ...spatial import SE3, Inertia
from ..scene import PALETTE, Scene, sphere_points


def sphere(radius: float, names=("u", "w")) -> Joint:
    """A frame on a sphere: turned about y, then about x, then out along z by the radius [m]; z is the normal."""
    turns = product(((0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), (linear(0), linear(1)), coordinates=names)
    return compose(turns, weld(SE3.from_translation((0.0, 0.0, radius))))


def ball_on_ball(radius: float = 0.5, ball: float = 0.2, mass: float = 1.0, slip: bool = False) -> Scene:
    """A ball that rolls off a fixed ball, let go a little off the top.

    The contact holds both ways. A ball that only lies on the other leaves it where this scene ends.

    Parameters
    ----------
    radius, ball : float, optional
        Of the fixed ball and of the one on it [m].
    mass : float, optional
        [kg]
    slip : bool, optional
        Slide without friction instead of rolling.

    Returns
    -------
    Scene
    """
    under, over = sphere(radius), sphere(ball, names=("a", "b"))
    b = ModelBuilder()
    look = (sphere_shape(ball, color=PALETTE[0]), sphere_shape(0.15 * ball, SE3.from_translation((ball, 0.0, 0.0))))
    b.add_body("ball", joint=contact(under, over), inertia=Inertia.sphere(mass, ball), shapes=look)
    if not slip:
        b.add_constraint(roll("ball", under))
    q = np.array([0.15, 0.1, 0.0, 0.4, 0.3])
    ground = Sheet(None, sphere_points(0.995 * radius), opacity=1.0)
    return Scene("rolling", b.build(), q, np.zeros(5), sheets=(ground,), duration=0.75, camera=(20, -70))


def rolling_disc(slope: float = 0.35, radius: float = 0.25, mass: float = 1.0) -> Scene:
    """A disc that rolls down a plane: acceleration ⅔ g sin(slope).

    Parameters
    ----------
    slope : float, optional
        Of the plane [rad].
    radius : float, optional
        [m]
    mass : float, optional
        [kg]

    Returns
    -------
    Scene
    """
    along = SE3.exp([0.0, slope, 0.0, 0.0, 0.0, 0.0])  # x down the plane
    b = ModelBuilder()
    slide = prismatic("x", name="along")
    joint = compose(slide, weld(SE3.from_translation((0.0, 0.0, radius))), revolute("y", name="turn"))
    disc = Inertia.cylinder(mass, radius, 1e-3, axis=1)
    spokes = [box((0.02, 0.05, 1.8 * radius), SE3.exp([0.0, a, 0.0, 0, 0, 0])) for a in (0.0, 0.5 * np.pi)]
    rim = cylinder(radius, 0.04, SE3.exp([0.5 * np.pi, 0, 0, 0, 0, 0]), PALETTE[1])
    b.add_body("disc", joint=joint, inertia=disc, placement=along, shapes=(rim, *spokes))
    b.add_constraint(roll("disc", slide, tangents=(0,)))
    plane = along.apply(np.array([[(x, y, 0.0) for y in (-0.15, 0.15)] for x in np.linspace(-0.3, 2.9, 17)]))
    sheets, q = (Sheet(None, plane, opacity=1.0),), np.zeros(2)
    return Scene("disc", b.build(), q, np.zeros(2), sheets=sheets, duration=1.5, camera=(14, -75))


def check() -> None:
    """The closed form of the disc; the ball keeps its energy."""
    disc = rolling_disc()
    assert abs(forward_dynamics(disc.model, disc.q, disc.v)[0] - 2 / 3 * 9.81 * np.sin(0.35)) < 1e-12
    assert np.ptp(ball_on_ball().run(0.4, record=0.02).energy().total) < 1e-6
