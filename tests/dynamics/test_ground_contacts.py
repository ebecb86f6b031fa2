"""Shapes of bodies that touch the ground."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, NotInModel, UnknownName
from condyle.simulation.idle_parts import warn_of_idle_parts


def lying(*shapes, name="thing"):
    b = cd.ModelBuilder()
    return b.add_body(name, joint=cd.joints.free(), inertia=cd.Inertia.sphere(2.0, 0.1), shapes=shapes).build()


def lowest(model):
    """The lowest points of the spheres that stand for a body at the neutral pose."""
    return [f.at.frame_b[2, 3] - f.at.surface_b.radius for f in model.pair_forces]


TURNED = cd.SE3.from_translation([0.1, 0.0, 0.2]) @ cd.SE3.exp([0.0, np.pi / 2, 0.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("shape", "count", "bottom"),
    [
        (cd.shapes.sphere(0.1), 1, -0.1),
        (cd.shapes.box((0.2, 0.3, 0.4)), 8, -0.2),
        (cd.shapes.capsule(0.05, 0.3), 2, -0.2),
        (cd.shapes.cylinder(0.05, 0.3), 16, -0.15),
        (cd.shapes.capsule(0.05, 0.3, TURNED), 2, 0.15),
        (cd.shapes.cylinder(0.05, 0.3, TURNED), 16, 0.15),
    ],
    ids=lambda x: getattr(x, "kind", None),
)
def test_spheres_reach_as_low_as_the_shape(shape, count, bottom):
    """Oracle: the shapes' own lowest points, by hand."""
    model = cd.ground_contacts(lying(shape))
    assert len(model.forces) == count
    assert min(lowest(model)) == pytest.approx(bottom, abs=1e-12)


def test_the_ground_is_opposite_to_gravity_or_where_one_says():
    """Oracle: the normal and the point, by hand; accelerations of a ball that is 1 mm deep in it."""
    tilted = cd.ModelBuilder(gravity=(0.0, -3.0, -4.0))
    tilted.add_body("ball", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, 0.1), shapes=[cd.shapes.sphere(0.1)])
    for options, normal in (({}, (0, 0.6, 0.8)), ({"normal": (1, 0, 0)}, (1, 0, 0))):
        model = cd.ground_contacts(tilted.build(), point=0.5 * np.array(normal), friction=0.0, **options)
        assert_allclose(model.forces[0].at.frame_a[:3, 2], normal, atol=1e-15)
        q = model.neutral()
        q[4:7] = 0.599 * np.array(normal)
        push = cd.element_forces(model, q, np.zeros(6)).force[0]
        assert_allclose(push / np.linalg.norm(push), normal, atol=1e-12)


def test_four_corners_bear_the_weight_two_millimetres_deep():
    """Oracle: Hertz's law of four spheres, of which each bears a quarter."""
    model = cd.ground_contacts(lying(cd.shapes.box((0.2, 0.2, 0.2))))
    q = model.neutral()
    q[6] = 0.1 - 2e-3
    assert abs(cd.forward_dynamics(model, q, np.zeros(6))[5]) < 0.2 * 9.81  # the law is rounded by its margin


def test_what_cannot_touch_is_named():
    """Oracle: the class and the shape, body, law or constant."""
    with pytest.warns(NotInModel, match="ellipsoid of 'thing'"):
        cd.ground_contacts(lying(cd.shapes.sphere(0.1), cd.shapes.ellipsoid((0.1, 0.2, 0.3))))
    with pytest.raises(BadValue, match="thing"):
        cd.ground_contacts(lying())
    with pytest.raises(UnknownName, match="foot"):
        cd.ground_contacts(lying(cd.shapes.sphere(0.1)), ["foot"])
    with pytest.raises(BadValue, match="damper"):
        cd.ground_contacts(lying(cd.shapes.sphere(0.1)), law="damper")
    with pytest.raises(BadValue, match="modulus"):
        cd.ground_contacts(lying(cd.shapes.sphere(0.1)), law="hunt_crossley")
    with pytest.raises(UnknownName, match="stifness"):
        cd.ground_contacts(lying(cd.shapes.sphere(0.1)), stifness=1.0)


def test_what_begins_in_the_ground_is_told():
    """Oracle: the depth by hand; a lower ground and what floats are no reason for a warning."""
    shape = cd.shapes.box((0.2, 0.2, 0.2))
    ball = cd.Inertia.sphere(1.0, 0.1)
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=ball, shapes=[shape])
    with pytest.warns(cd.CondyleWarning, match="'cart' 100 mm"):
        cd.ground_contacts(b.build())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cd.ground_contacts(b.build(), point=(0.0, 0.0, -0.1))
        cd.ground_contacts(lying(shape))  # it floats


def test_names_are_free_and_collision_shapes_come_first():
    """Oracle: by hand; a run does not say that shapes which touch do not act."""
    from dataclasses import replace

    model = replace(lying(cd.shapes.sphere(0.5)), collisions={"thing": (cd.shapes.capsule(0.05, 0.3),)})
    with pytest.warns(NotInModel, match="collision shape"):
        warn_of_idle_parts(model, False)
    once = cd.ground_contacts(model)
    assert [f.name for f in once.forces] == ["ground@thing", "ground@thing_2"]
    assert [f.name for f in cd.ground_contacts(once).forces][2:] == ["ground@thing_3", "ground@thing_4"]
    warn_of_idle_parts(once, False)
