"""A skate that slides along an upright ellipse, always tangent to it.  [LeeTerzopoulos2008, section 4.2, figure 2]"""

from __future__ import annotations

import numpy as np

from ..joints import elliptic as elliptic_joint
from ..model import ModelBuilder
from ..model.shapes import box, sphere
from ..spatial import SE3, Inertia
from ..view.overlays import Line
from .outlines import UPRIGHT
from .scene import PALETTE, Scene, path_of

__all__ = ["elliptic"]


def elliptic(a: float = 1.0, b: float = 0.6, angle: float = 2.0, mass: float = 1.0) -> Scene:
    """A box of `mass` [kg] inside an ellipse with semi-axes a, b [m]; let go at parameter `angle` [rad] from below."""
    joint = elliptic_joint(a, b)
    size = (0.30, 0.10, 0.10)
    b_ = ModelBuilder()
    look = (box(size, color=PALETTE[1]), sphere(0.45 * size[1], SE3.from_translation((0.5 * size[0], 0.0, 0.0))))
    b_.add_body("skate", joint=joint, inertia=Inertia.box(mass, size), placement=UPRIGHT, shapes=look)
    wire = Line(None, path_of(joint, placement=UPRIGHT), PALETTE[0])
    return Scene("elliptic", b_.build(), np.array([angle]), np.zeros(1), (wire,))
