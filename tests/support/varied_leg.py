"""A leg with a spline knee and a spring, from its numbers."""

from __future__ import annotations

import numpy as np

import condyle as cd


def built(mass=3.0, com=(0, -0.2, 0), stiffness=100.0, frames=None, shift=-0.4, gravity=(0, -9.81, 0)):
    """A leg with a spline knee and a spring, from its numbers."""
    b = cd.ModelBuilder(gravity=gravity)
    b.add_body("thigh", joint=cd.joints.revolute("z"), inertia=cd.Inertia(7.0, (0, -0.2, 0), (0.1, 0.02, 0.1)))
    joint = cd.joints.spline_curve(knee() if frames is None else frames)
    inertia = cd.Inertia(mass, com, (0.04, 0.01, 0.04))
    place = cd.SE3.from_translation((0, shift, 0))
    b.add_body("shank", parent="thigh", joint=joint, joint_name="knee", inertia=inertia, placement=place)
    return b.add_spring("shank", (0, -0.1, 0), None, (0.1, 0, 0), stiffness=stiffness, damping=1.0, length=0.3).build()


def knee(bend=0.4):
    """Control frames that turn and glide."""
    angles = np.linspace(0.0, -2.0, 6)
    return np.stack([cd.SE3.exp([0, 0, a, 0.01 * np.cos(a), bend * 0.01 * a, 0]).as_matrix() for a in angles])
