"""What is given in place of an animation space, a resolution or a model is named, by every function that takes one."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, BadValue

C = cd.control
q, v = [0.3], [0.0]
TAKERS = {
    "animation_form": lambda x: C.animation_form(x, q),
    "animation_forces": lambda x: C.animation_forces(x, q, v, [0.0]),
    "reactions": lambda x: C.reactions(x, q, v, [0.0]),
    "effective_inertia": lambda x: C.effective_inertia(x, q),
    "assembled": lambda x: C.assembled(x, q),
    "projected_velocity": lambda x: C.projected_velocity(x, q, v),
    "direct": lambda x: C.direct(x, q, {}, duration=0.1),
    "direct_carried": lambda x: C.direct_carried(x, q, {}, contacts=[], duration=0.1),
    "mobility": lambda x: C.mobility(x, q),
    "partitioned_acceleration": lambda x: C.partitioned_acceleration(x, q, v),
    "extended_acceleration": lambda x: C.extended_acceleration(x, "tip", q, v),
    "soft_forces": lambda x: C.soft_forces(x, q, v, stiffness=1.0, damping=1.0),
    "stiffness_matrix": lambda x: C.stiffness_matrix(x, q, stiffness=1.0),
    "shared_forces": lambda x: C.shared_forces(x, q, [0.0]),
    "resolve_velocity": lambda x: C.resolve_velocity(x, q, [0.0]),
    "resolve_acceleration": lambda x: C.resolve_acceleration(x, q, v, [0.0]),
    "resolve_torque": lambda x: C.resolve_torque(x, q, v, [0.0]),
    "Tracker": lambda x: C.Tracker(x, C.Resolution(damping=1e-6)),
}


def pendulum():
    bob = cd.Inertia.point(1.0, (0, 0, -1))
    return cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()


@pytest.mark.parametrize("name", TAKERS)
@pytest.mark.parametrize("wrong", ["tip", None, 3, np.zeros(1)], ids=repr)
def test_what_is_no_space_is_named(name, wrong):
    """Oracle: the class that is wanted and the one that was got."""
    with pytest.raises(BadValue, match=f"cd.control.AnimationSpace; got '{type(wrong).__name__}'"):
        TAKERS[name](wrong)


@pytest.mark.parametrize("name", [name for name in TAKERS if name != "mobility"])
def test_a_model_in_place_of_a_space_is_told_how_to_make_one(name):
    with pytest.raises(BadValue, match=r"AnimationSpace\(model, coordinates\); got 'Model'"):
        TAKERS[name](pendulum())


def test_a_coordinate_in_place_of_a_space_is_told_how_to_make_one():
    with pytest.raises(BadValue, match=r"AnimationSpace\(model, coordinate\); got 'Coordinate'"):
        C.assembled(C.joint("bob"), q)


def test_the_space_itself_is_taken():
    """Oracle: every function gives something but an error of its argument."""
    space = C.AnimationSpace(pendulum(), C.point("bob", (0, 0, -1), axes="x", name="tip"))
    for name, call in TAKERS.items():
        if name != "direct_carried":  # which needs something to stand on
            assert call(space) is not None


def test_a_resolution_of_another_kind_is_named():
    space = C.AnimationSpace(pendulum(), C.joint("bob"))
    for call in (
        lambda how: C.resolve_velocity(space, q, [0.0], how=how),
        lambda how: C.resolve_acceleration(space, q, v, [0.0], how=how),
        lambda how: C.direct(space, q, {}, duration=0.1, how=how),
        lambda how: C.direct_carried(space, q, {}, contacts=[], duration=0.1, how=how),
        lambda how: C.Tracker(space, how),
    ):
        with pytest.raises(BadValue, match=r"cd.control.Resolution; got how = 'damped'"):
            call("damped")


def test_other_wrong_arguments_are_named():
    """Oracle: the class of the error, and what was got."""
    with pytest.raises(BadValue, match=r"must be a cd.Model; got 'int'"):
        C.closing(3)
    with pytest.raises(BadValue, match=r"must be a cd.Model; got 'list'"):
        C.replay([0.1], None)
    with pytest.raises(BadValue, match=r"sequence of cd.control.Link; got 3"):
        C.screw_chain(3)
    with pytest.raises(BadShape, match=r"contact of 'foot': points must be an array of real numbers"):
        C.contact("foot", "sole")
