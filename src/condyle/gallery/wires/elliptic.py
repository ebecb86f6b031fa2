"""A skate that slides along an upright ellipse, always tangent to it.  [LeeTerzopoulos2008, section 4.2, figure 2]"""

from __future__ import annotations

import numpy as np

from ...joints import elliptic as elliptic_joint
from ...model import ModelBuilder
from ...model.look.overlays import Line
from ...model.look.shapes import box, sphere
from ...spatial import SE3, Inertia
from ..outlines import UPRIGHT
from ..scene import FRONT, PALETTE, Scene, path_of


def elliptic(a: float = 1.0, b: float = 0.6, angle: float = 2.0, mass: float = 1.0) -> Scene:
    """A box that slides inside an upright ellipse.

    Parameters
    ----------
    a, b : float, optional
        Semi-axes, level and upright [m].
    angle : float, optional
        Where it is let go: the ellipse's parameter from below [rad].
    mass : float, optional
        [kg]

    Returns
    -------
    Scene

    Examples
    --------
    >>> from condyle.gallery import elliptic
    >>> elliptic().model.coordinates
    ('skate',)
    """
    joint = elliptic_joint(a, b)
    size = (0.30, 0.10, 0.10)
    b_ = ModelBuilder()
    look = (box(size, color=PALETTE[1]), sphere(0.45 * size[1], SE3.from_translation((0.5 * size[0], 0.0, 0.0))))
    b_.add_body("skate", joint=joint, inertia=Inertia.box(mass, size), placement=UPRIGHT, shapes=look)
    wire = Line(None, path_of(joint, placement=UPRIGHT), PALETTE[0])
    return Scene("elliptic", b_.build(), np.array([angle]), np.zeros(1), (wire,), camera=FRONT)


def check() -> None:
    """Energy stays; the skate stays on the ellipse."""
    run = elliptic().run(2.0, record=0.01)
    x, _, z = run.poses()[:, 0].xyz.T
    assert np.ptp(run.energy().total) < 1e-8
    assert abs((x / 1.0) ** 2 + (z / 0.6) ** 2 - 1.0).max() < 1e-14
