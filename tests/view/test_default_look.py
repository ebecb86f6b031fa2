"""What a body without shapes looks like."""

import numpy as np

import condyle as cd
from condyle.view.geometry import body_meshes, looks


def extent(model, body):
    """Smallest and largest coordinates of what is drawn for a body, in its own axes [m]."""
    points = np.concatenate([mesh.vertices for mesh in body_meshes(looks(model)[body])])
    return points.min(axis=0), points.max(axis=0)


def test_a_hanging_rod_is_as_long_as_its_inertia_says():
    """Oracle: a uniform rod of 1 m whose centre of mass is 0.5 m below its joint ends at the joint and 1 m below."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    rod = cd.Inertia.box(1.0, (0.05, 1.0, 0.05), com=(0, -0.5, 0))
    b.add_body("rod", joint=cd.joints.revolute("z"), inertia=rod)
    low, high = extent(b.build(), 0)
    assert abs(low[1] + 1.0) < 0.1 and abs(high[1]) < 0.1


def test_a_block_on_an_arm_is_joined_to_its_joint():
    """Oracle: a cube of 0.2 m at 1 m from the joint: what is drawn reaches from the joint to its far face."""
    b = cd.ModelBuilder()
    b.add_body("block", joint=cd.joints.revolute("y"), inertia=cd.Inertia.box(2.0, (0.2, 0.2, 0.2), com=(1.0, 0, 0)))
    low, high = extent(b.build(), 0)
    assert low[0] < 0.0 and abs(high[0] - 1.1) < 0.02
