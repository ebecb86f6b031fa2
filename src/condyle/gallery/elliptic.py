"""A skate that slides along an upright ellipse, always tangent to it.  [LeeTerzopoulos2008, section 4.2, figure 2]"""

from __future__ import annotations

import numpy as np

from ..joints import elliptic as elliptic_joint
from ..model import ModelBuilder
from ..spatial import Inertia
from ..view.drawn import Line
from .outlines import UPRIGHT
from .scene import Scene, path_of

__all__ = ["elliptic"]


def elliptic(a: float = 1.0, b: float = 0.6, angle: float = 2.0, mass: float = 1.0) -> Scene:
    """A box of `mass` [kg] inside an ellipse with semi-axes a, b [m]; let go at parameter `angle` [rad] from below."""
    joint = elliptic_joint(a, b)
    size = (0.30, 0.10, 0.10)
    b_ = ModelBuilder()
    b_.add_body("skate", joint=joint, inertia=Inertia.box(mass, size), placement=UPRIGHT)
    wire = Line(None, path_of(joint, placement=UPRIGHT))
    return Scene("elliptic", b_.build(), np.array([angle]), np.zeros(1), (wire, Line("skate", _box(size))))


def _box(size) -> np.ndarray:
    """The rectangle of a box in its xy plane, and an arrow along x."""
    x, y = 0.5 * size[0], 0.5 * size[1]
    corners = [(-x, -y), (x, -y), (1.4 * x, 0), (x, y), (-x, y), (-x, -y)]
    return np.array([(*c, 0.0) for c in corners])
