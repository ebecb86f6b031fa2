"""A skate that slides along an upright ellipse, always tangent to it.  [LeeTerzopoulos2008, section 4.2, figure 2]"""

from __future__ import annotations

import numpy as np

from ...joints import elliptic as elliptic_joint
from ...model import ModelBuilder
from ...model.look.shapes import ellipsoid, sphere
from ...spatial import SE3, Inertia
from ..outlines import UPRIGHT
from ..scene import PALETTE, Scene, path_of, wire_sheet


def elliptic(a: float = 1.0, b: float = 0.6, angle: float = 2.0, mass: float = 1.0) -> Scene:
    """A skate that slides along an upright ellipse.

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
    look = (
        ellipsoid((0.5 * size[0], 0.62 * size[1], 0.62 * size[2]), color=PALETTE[1]),
        *(sphere(0.36 * size[1], SE3.from_translation((x * size[0], 0.0, 0.0)), color=PALETTE[4]) for x in (-0.4, 0.4)),
    )
    b_.add_body("skate", joint=joint, inertia=Inertia.box(mass, size), placement=UPRIGHT, shapes=look)
    wire = wire_sheet(None, path_of(joint, placement=UPRIGHT), (0.0, 1.0, 0.0), 0.018, PALETTE[0])
    seen = {"camera": (12.0, -68.0), "moments": (0.0, 0.4, 0.7)}
    return Scene("elliptic", b_.build(), np.array([angle]), np.zeros(1), (), (wire,), **seen)


def check() -> None:
    """Energy stays; the skate stays on the ellipse."""
    run = elliptic().run(2.0, record=0.01)
    x, _, z = run.poses()[:, 0].xyz.T
    assert np.ptp(run.energy().total) < 1e-8
    assert abs((x / 1.0) ** 2 + (z / 0.6) ** 2 - 1.0).max() < 1e-14
