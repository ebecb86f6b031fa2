"""Joints of two turns whose axes do not meet: the condyloid wrist and the saddle of the thumb.

The child's frame slides on a piece of a torus: turn about x at one centre, then about y at another. With both centres
on one side the surface is curved alike both ways (condyloid; those of the wrist are in the carpus, whose round head
turns in a hollow); with centres on opposite sides it is a saddle. The lengths are round numbers of the right size, not
measurements.

The bones are simple shapes for drawing only: z leads away from the joint towards the fingers, x is across the palm, y
out of its back.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from ...joints import Joint, functions, product
from ...model import ModelBuilder
from ...model.look.overlays import Sheet
from ...model.look.shapes import BONE, Shape, limb, sphere
from ...spatial import SE3, Inertia
from ..scene import PALETTE, Scene

LEVEL = np.eye(4)[[2, 0, 1, 3]]  # z forward, x to the left, y up
DARK = (0.80, 0.74, 0.62)
# x and z [m] of each finger's knuckles: base and head of the metacarpal, then the phalanges' ends
FINGERS = (
    ((-0.018, 0.034), (-0.030, 0.088), (-0.037, 0.124), (-0.041, 0.146), (-0.043, 0.162)),
    ((-0.006, 0.036), (-0.010, 0.093), (-0.012, 0.136), (-0.013, 0.162), (-0.014, 0.180)),
    ((0.006, 0.035), (0.010, 0.088), (0.013, 0.128), (0.015, 0.153), (0.016, 0.170)),
    ((0.016, 0.032), (0.028, 0.080), (0.035, 0.110), (0.039, 0.128), (0.042, 0.142)),
)
THUMB = ((-0.020, 0.028), (-0.042, 0.058), (-0.056, 0.084), (-0.066, 0.103))
CARPALS = ((-0.016, 0.007), (0.0, 0.010), (0.016, 0.007), (-0.017, 0.022), (-0.004, 0.024), (0.010, 0.022))  # x, z [m]


def toroidal(first: float, second: float, names=("flexion", "deviation"), title: str = "toroidal") -> Joint:
    """Turn about x at a centre `first` [m] below the frame's rest place, then about y at one `second` below it.

    Lengths are along z and may be negative (a centre above). Principal curvatures at rest are 1/first and 1/second.
    """
    about_x, about_y = np.array([1.0, 0, 0, 0, -first, 0]), np.array([0, 1.0, 0, second, 0, 0])  # [axis; c × axis]
    return product((about_x, about_y), (functions.linear(0), functions.linear(1)), coordinates=names, title=title)


def condyloid(flexion: float = -0.025, deviation: float = -0.040) -> Joint:
    """A wrist: flexion about x, then deviation about y.

    Parameters
    ----------
    flexion, deviation : float, optional
        How far below the joint the centre of each turn is [m]; negative: in the child.

    Returns
    -------
    Joint
        Coordinates "flexion" and "deviation" [rad].
    """
    return toroidal(flexion, deviation, title="condyloid")


def saddle(flexion: float = 0.014, abduction: float = -0.010) -> Joint:
    """The base of the thumb: convex one way, hollow the other way.

    Parameters
    ----------
    flexion, abduction : float, optional
        How far below the joint the centre of each turn is [m]; negative: in the child.

    Returns
    -------
    Joint
        Coordinates "flexion" and "abduction" [rad].
    """
    return toroidal(flexion, abduction, names=("flexion", "abduction"), title="saddle")


def wrist() -> Scene:
    """A hand of 0.45 kg that hangs from a forearm held level, swinging on springs like tissue.

    Returns
    -------
    Scene
    """
    look = (hand_bones(), forearm())
    return _swinging("wrist", condyloid(), "hand", 0.45, (0.08, 0.03, 0.18), (-0.5, 0.3), 1.5, look)


def thumb() -> Scene:
    """A thumb of 0.06 kg on its saddle, swinging on springs.

    Returns
    -------
    Scene
    """
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
    sheets, seen = (patch, *carrier), {"camera": (20, -50), "moments": (0.0, 0.1, 0.25)}
    return Scene(name, b.build(), np.array(start), np.zeros(2), sheets=sheets, duration=2.0, **seen)


def _patch(joint: Joint, reach: float = 0.7, points: int = 17) -> np.ndarray:
    """The surface that the child's frame sweeps."""
    side = np.linspace(-reach, reach, points)
    return joint.pose(np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1)).xyz


def hand_bones() -> tuple[Shape, ...]:
    """Carpus, metacarpals and fingers, with a thumb at rest."""
    carpus = [sphere(0.0095, SE3.from_translation((x, 0.0, z)), DARK) for x, z in CARPALS]
    fingers = [part for finger in (*FINGERS, THUMB) for part in _chain([(x, 0.0, z) for x, z in finger], 0.0052)]
    return (*carpus, *fingers)


def thumb_bones() -> tuple[Shape, ...]:
    """A metacarpal and two phalanges, bent a little."""
    return _chain([(0.0, 0.0, 0.006), (0.0, 0.0, 0.046), (0.0, -0.006, 0.077), (0.0, -0.016, 0.099)], 0.0055)


def _chain(points, radius: float) -> tuple[Shape, ...]:
    """Rods between points with thicker ends, the next ones thinner."""
    rods = []
    for k, (a, b) in enumerate(pairwise(points)):
        size = radius * (1.0 - 0.08 * k)
        rods += [limb(a, b, 0.8 * size, BONE), sphere(1.15 * size, SE3.from_translation(a), BONE)]
    return (*rods, sphere(0.8 * radius, SE3.from_translation(points[-1]), BONE))


def forearm(length: float = 0.16) -> tuple[Sheet, ...]:
    """Radius and ulna as tubes that widen towards the wrist, before a joint whose z axis is along them."""
    return (_tube(-0.009, 0.006, 0.017, length), _tube(0.018, 0.008, 0.009, length))


def trapezium() -> tuple[Sheet, ...]:
    """The bone before the thumb's saddle."""
    return (_tube(0.0, 0.0095, 0.0085, 0.022, near=0.006),)


def _tube(across: float, far: float, wide: float, length: float, near: float = 0.004) -> Sheet:
    """A closed tube along −z at x = across, of radius `far` at its end and `wide` at the joint [m]."""
    along = np.array([0.0, 0.0, 0.25, 0.6, 0.85, 1.0, 1.0])  # from the far end
    radius = np.array([0.0, far, far, far + 0.15 * (wide - far), far + 0.7 * (wide - far), wide, 0.0])
    u, k = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 25), np.arange(len(along)), indexing="ij")
    x, y = across + radius[k] * np.sin(u), 0.62 * radius[k] * np.cos(u)
    return Sheet(None, np.stack([x, y, -length + (length - near) * along[k]], axis=-1), DARK, opacity=1.0)


def check() -> None:
    """Damping only takes energy; both stay in range."""
    for scene in (wrist(), thumb()):
        run = scene.run(1.0, record=0.01)
        assert np.all(np.diff(run.energy().total) < 1e-9)
        assert abs(run.q).max() < 1.2
