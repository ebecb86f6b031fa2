"""Joints of two turns whose axes do not meet: the condyloid wrist and the saddle of the thumb.

The child's frame slides on a piece of a torus: turn about x at one centre, then about y at another. With both centres
on one side the surface is curved alike both ways (condyloid; those of the wrist are in the carpus, whose round head
turns in a hollow); with centres on opposite sides it is a saddle. The lengths are round numbers of the right size, not
measurements.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..joints import Joint, functions, product
from ..model import ModelBuilder
from ..spatial import SE3, Inertia
from ..view.overlays import Sheet
from .hand import forearm, hand_bones, thumb_bones, trapezium
from .scene import PALETTE, Scene

LEVEL = np.eye(4)[[2, 0, 1, 3]]  # z forward, x to the left, y up

__all__ = ["condyloid", "saddle", "thumb", "toroidal", "wrist"]


def toroidal(first: float, second: float, names=("flexion", "deviation"), title: str = "toroidal") -> Joint:
    """Turn about x at a centre `first` [m] below the frame's rest place, then about y at one `second` below it.

    Lengths are along z and may be negative (a centre above). Principal curvatures at rest are 1/first and 1/second.
    """
    about_x, about_y = np.array([1.0, 0, 0, 0, -first, 0]), np.array([0, 1.0, 0, second, 0, 0])  # [axis; c × axis]
    return product((about_x, about_y), (functions.linear(0), functions.linear(1)), coordinates=names, title=title)


def condyloid(flexion: float = -0.025, deviation: float = -0.040) -> Joint:
    """A wrist: flexion about x, deviation about y; how far below [m] their centres are (negative: in the child)."""
    return toroidal(flexion, deviation, title="condyloid")


def saddle(flexion: float = 0.014, abduction: float = -0.010) -> Joint:
    """The base of the thumb: convex one way [m], hollow the other way (negative)."""
    return toroidal(flexion, abduction, names=("flexion", "abduction"), title="saddle")


def wrist() -> Scene:
    """A hand (0.45 kg) that hangs from a forearm held level, swinging on springs like tissue."""
    look = (hand_bones(), forearm())
    return _swinging("wrist", condyloid(), "hand", 0.45, (0.08, 0.03, 0.18), (-0.5, 0.3), 1.5, look)


def thumb() -> Scene:
    """A thumb (0.06 kg) on its saddle."""
    look = (thumb_bones(), trapezium())
    return _swinging("thumb", saddle(), "metacarpal", 0.06, (0.02, 0.02, 0.10), (-0.4, 0.35), 0.15, look)


def _swinging(name: str, joint: Joint, body: str, mass: float, size, start, stiffness: float, look) -> Scene:
    """A body beyond a joint whose z axis is level and whose y axis is up, with springs on both coordinates.

    Its inertia is that of a box of the `size` [m]; `look` are its bones and those before it.
    """
    b, (bones, before) = ModelBuilder(), look
    level = SE3.from_matrix(LEVEL)
    inertia = Inertia.box(mass, size, com=(0.0, 0.0, 0.5 * size[2]))
    b.add_body(body, joint=joint, inertia=inertia, placement=level, joint_name=name, shapes=bones)
    for coordinate in joint.coordinates:
        b.set_range(f"{name}.{coordinate}", -1.2, 1.2)
        b.add_stiffness(f"{name}.{coordinate}", stiffness, damping=0.01 * stiffness)
    patch = Sheet(None, level.apply(_patch(joint)), PALETTE[1])
    carrier = tuple(replace(sheet, points=level.apply(sheet.points)) for sheet in before)
    return Scene(name, b.build(), np.array(start), np.zeros(2), (), (patch, *carrier), 2.0)


def _patch(joint: Joint, reach: float = 0.7, points: int = 17) -> np.ndarray:
    """The surface that the child's frame sweeps."""
    side = np.linspace(-reach, reach, points)
    return joint.pose(np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1)).xyz
