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


def test_slight_bodies_beside_those_with_shapes_are_not_seen():
    """Oracle: the names: a frame and an inner part of a robot have no look, a heavy body without a shape has one."""
    b = cd.ModelBuilder().add_body("hull", inertia=cd.Inertia.sphere(10.0, 0.2), shapes=[cd.shapes.sphere(0.2)])
    still = cd.Inertia.massless()
    b.add_body("frame", "hull", inertia=still, placement=cd.SE3.from_translation((0, 0, 0.3)))
    b.add_body("screw", "hull", cd.joints.revolute("x"), cd.Inertia.sphere(0.05, 0.01))
    b.add_body("arm", "hull", cd.joints.revolute("y"), cd.Inertia.sphere(2.0, 0.1, com=(0.3, 0, 0)))
    model = b.build()
    assert [name for name, shapes in zip(model.names, looks(model), strict=True) if shapes] == ["hull", "arm"]
    bare = (
        cd.ModelBuilder().add_body("frame", inertia=still).add_body("arm", "frame", inertia=cd.Inertia.sphere(2.0, 0.1))
    )
    assert all(looks(bare.build()))
