"""Every joint of OpenSim as a joint of condyle: the pose of the child's frame in the parent's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .... import joints
from ....joints import Joint
from ....joints.functions import linear, sinusoid
from ....model.motion_types import ROTATIONAL, TRANSLATIONAL
from ..osim_document import Node
from ..physical_frames import euler_pose
from .constant_curvature import RIGHT, bent_rod
from .spatial_transform import Motion, custom_motion

X, Y, Z = np.eye(3)
COS = 0.5 * np.pi
TURNS, SLIDES = (ROTATIONAL,) * 3, (TRANSLATIONAL,) * 3


def turn(axis) -> np.ndarray:
    """The twist of a rotation about an axis through the origin."""
    return np.concatenate([axis, np.zeros(3)])


def slide(axis) -> np.ndarray:
    """The twist of a translation."""
    return np.concatenate([np.zeros(3), axis])


def pin(node: Node) -> Joint:
    """Rz(q)."""
    return joints.product([turn(Z)], [linear()], title="pin")


def slider(node: Node) -> Joint:
    """A shift along x."""
    return joints.product([slide(X)], [linear()], title="slider")


def universal(node: Node) -> Joint:
    """Rx Ry."""
    return joints.product([turn(X), turn(Y)], [linear(0), linear(1)], title="universal")


def gimbal(node: Node) -> Joint:
    """Rx Ry Rz: GimbalJoint, and BallJoint, whose coordinates are the same."""
    return joints.product([turn(X), turn(Y), turn(Z)], [linear(0), linear(1), linear(2)], title="gimbal")


def free(node: Node) -> Joint:
    """A shift by coordinates 3, 4, 5, then Rx Ry Rz by 0, 1, 2."""
    twists = [slide(X), slide(Y), slide(Z), turn(X), turn(Y), turn(Z)]
    return joints.product(twists, [linear(k) for k in (3, 4, 5, 0, 1, 2)], title="free, by angles")


def planar(node: Node) -> Joint:
    """A shift by coordinates 1, 2 along x and y, then Rz by coordinate 0."""
    return joints.product([slide(X), slide(Y), turn(Z)], [linear(1), linear(2), linear(0)], title="planar")


def ellipsoid(node: Node) -> Joint:
    """Rx Ry Rz with the origin on an ellipsoid."""
    return on_ellipsoid(node.vector("radii_x_y_z", 3, [1.0, 1.0, 1.0]))


def on_ellipsoid(radii: np.ndarray) -> Joint:
    """R = Rx(a) Ry(b) Rz(c) at p = radii ∘ R e_z = (r_x sin b, −r_y sin a cos b, r_z cos a cos b).

    A shift of s along z between turns by a and back is one of s (0, −sin a, cos a), between turns by −a and back one of
    s (0, sin a, cos a): with s = (r_z ± r_y) / 2 · cos b the two add up to what is wanted.
    """
    mean, difference = 0.5 * (radii[2] + radii[1]), 0.5 * (radii[2] - radii[1])
    factors = [
        (slide(X), sinusoid(radii[0], coordinate=1)),
        (turn(X), linear(0)),
        (slide(Z), sinusoid(mean, 1.0, COS, coordinate=1)),
        (turn(X), linear(0, -2.0)),
        (slide(Z), sinusoid(difference, 1.0, COS, coordinate=1)),
        (turn(X), linear(0, 2.0)),
        (turn(Y), linear(1)),
        (turn(Z), linear(2)),
    ]
    return joints.product(*zip(*factors, strict=True), title="ellipsoid")


def scapulothoracic(node: Node) -> Joint:
    """The scapula on the thorax: Z · E · Z⁻¹ · T · Rot(w, q) · T⁻¹, Z a quarter turn about z, E an ellipsoid joint."""
    r = node.vector("thoracic_ellipsoid_radii_x_y_z", 3, [1.0, 1.0, 1.0])
    origin = node.vector("scapula_winging_axis_origin", 2, [0.0, 0.0])
    d = node.number("scapula_winging_axis_direction", 0.0)
    quarter = euler_pose(np.zeros(3), (0.0, 0.0, 0.5 * np.pi))
    quarter[:3, :3] = np.round(quarter[:3, :3])  # exactly
    axis, point = (-np.sin(d), np.cos(d), 0.0), (*origin, 0.0)
    around = joints.compose(joints.weld(quarter), on_ellipsoid(r[[1, 0, 2]]), joints.weld(quarter.T))
    return joints.compose(around, joints.revolute(axis, point))


def constant_curvature(node: Node) -> Joint:
    """A rod that bends in an arc."""
    length, neutral = node.number("length", 1.0), node.vector("neutral_angle_x_z_y", 3, [0.0] * 3)
    node.require(length > 0.0, f"length must be positive; got {length:g}")
    node.require(np.abs(neutral).max() < RIGHT, "neutral_angle_x_z_y must be below a right angle")
    return bent_rod(length, neutral)


def weld(node: Node) -> Joint:
    """Nothing moves."""
    return joints.weld()


JOINTS: dict[str, tuple[Callable[[Node], Joint], tuple[str, ...]]] = {
    "WeldJoint": (weld, ()),
    "PinJoint": (pin, TURNS[:1]),
    "SliderJoint": (slider, SLIDES[:1]),
    "UniversalJoint": (universal, TURNS[:2]),
    "BallJoint": (gimbal, TURNS),
    "GimbalJoint": (gimbal, TURNS),
    "FreeJoint": (free, TURNS + SLIDES),
    "PlanarJoint": (planar, (ROTATIONAL, *SLIDES[:2])),
    "EllipsoidJoint": (ellipsoid, TURNS),
    "ScapulothoracicJoint": (scapulothoracic, (ROTATIONAL,) * 4),
    "ConstantCurvatureJoint": (constant_curvature, TURNS),
}
CUSTOM = "CustomJoint"


def count_of(node: Node) -> int | None:
    """How many coordinates a joint of this class has; None if its axes say."""
    if node.tag == CUSTOM:
        return None
    if node.tag not in JOINTS:
        node.fail(f"condyle does not know this class of joint; it knows {CUSTOM}, {', '.join(JOINTS)}")
    return len(JOINTS[node.tag][1])


def joint_motion(node: Node, names: list[str]) -> Motion:
    """The motion of a joint whose coordinates have these names."""
    if node.tag == CUSTOM:
        return custom_motion(node, names)
    build, types = JOINTS[node.tag]
    joint = build(node)
    return Motion(joint.renamed(names) if names else joint, dict(zip(names, types, strict=True)))
