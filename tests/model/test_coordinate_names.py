"""What coordinates are called, and by which names they are found."""

import inspect

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from condyle.joints.validate_joint import is_default_name

BALL = cd.Inertia.sphere(1.0, 0.1, com=(0.0, 0.0, -0.3))
HIP = ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r")


def hip():
    """Three turns one after another, named as in OpenSim's gait models."""
    return cd.joints.compose(*(cd.joints.revolute(axis) for axis in "zxy"), names=HIP)


def leg() -> cd.ModelBuilder:
    """A hip of three coordinates, a knee of one, an ankle that nobody named, a toe with a common name."""
    b = cd.ModelBuilder()
    b.add_body("femur_r", joint=hip(), inertia=BALL, joint_name="hip_r")
    knee = cd.joints.revolute("z", name="knee_angle_r")
    b.add_body("tibia_r", "femur_r", knee, BALL, joint_name="knee_r")
    b.add_body("foot_r", "tibia_r", cd.joints.revolute("z"), BALL, joint_name="ankle_r")
    return b.add_body("toe_r", "foot_r", cd.joints.revolute("z", name="bend"), BALL)


def both_legs() -> cd.ModelBuilder:
    """Two toes whose coordinates have one name."""
    b = leg()
    b.add_body("toe_l", "foot_r", cd.joints.revolute("z", name="bend"), BALL)
    return b


def test_a_model_keeps_the_names_that_coordinates_were_given():
    """Oracle: the names as they were given; a joint that nobody named the coordinate of lends its own."""
    assert leg().build().coordinates == (*HIP, "knee_angle_r", "ankle_r", "bend")


def test_names_that_several_have_are_told_apart_by_their_joints():
    """Oracle: the names written by hand; one coordinate: the joint's name, several: joint and coordinate."""
    assert both_legs().build().coordinates[-2:] == ("toe_r", "toe_l")
    b = leg().add_body("other", joint=hip(), inertia=BALL)
    b = b.build()
    assert b.coordinates[:3] == tuple(f"hip_r.{c}" for c in HIP)
    assert b.coordinates[-3:] == tuple(f"other.{c}" for c in HIP)


def test_a_joint_shows_its_own_names_for_all_of_its_coordinates_or_for_none():
    """Oracle: the names written by hand; `turn` is a person's, `distance` a constructor's."""
    joint = cd.joints.compose(cd.joints.revolute("z", name="turn"), cd.joints.prismatic("z"))
    assert cd.ModelBuilder().add_body("rod", joint=joint, inertia=BALL).build().coordinates == (
        "rod.turn",
        "rod.distance",
    )


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("hip_flexion_r", 0),
        ("hip_r.hip_rotation_r", 2),
        ("knee_angle_r", 3),
        ("knee_r", 3),
        ("knee_r.knee_angle_r", 3),
        ("ankle_r", 4),
        ("ankle_r.angle", 4),
        ("angle", 4),
        ("toe_r.bend", 5),
    ],
)
def test_every_form_of_a_name_finds_its_coordinate(name, number):
    """Oracle: places counted by hand; the builder and the model agree."""
    model = leg().build()
    assert model.q_index(name) == model.v_index(name) == number
    assert model.shown_name(name) == model.coordinates[number]
    assert leg().add_damping(name, 1.0).build().forces[0].at.v == number


def test_all_forms_of_names_are_listed_and_mean_what_they_find():
    """Oracle: the search by name."""
    model = both_legs().build()
    assert {model.q_index(form): number for form, number in model.name_forms.items()} == {k: k for k in range(7)}
    assert "bend" not in model.name_forms


def test_a_name_that_two_coordinates_have_is_refused_with_both():
    """Oracle: the class and the full names."""
    for call in (both_legs().build().place_of, both_legs()._names.find):
        with pytest.raises(errors.AmbiguousName, match=r"2 coordinates.*'bend'.*'toe_r\.bend', 'toe_l\.bend'"):
            call("bend")


def test_a_joint_called_as_anothers_coordinate_keeps_its_name_if_that_was_all_it_had():
    """Oracle: what the joint's name meant before coordinates had names of their own."""
    b = cd.ModelBuilder()
    b.add_body("leg", joint=cd.joints.universal("x", "y", names=("hip", "knee")), inertia=BALL)
    b.add_body("shank", "leg", cd.joints.revolute("y"), BALL, joint_name="knee")
    model = b.build()
    assert model.coordinates == ("leg.hip", "leg.knee", "knee")
    assert [model.q_index(n) for n in ("hip", "leg.knee", "knee", "knee.angle")] == [0, 1, 2, 2]


def test_a_joint_called_as_anothers_coordinate_is_ambiguous_where_both_were_named():
    """Oracle: the class; before, the name meant the joint, and a table of another program means the coordinate."""
    b = cd.ModelBuilder()
    b.add_body("a", joint=cd.joints.revolute("x", name="flexion"), inertia=BALL, joint_name="lean")
    b.add_body("b", "a", cd.joints.revolute("y", name="lean"), BALL)
    model = b.build()
    assert model.coordinates == ("flexion", "b")
    with pytest.raises(errors.AmbiguousName, match=r"'lean\.flexion', 'b\.lean'"):
        model.q_index("lean")


def test_a_joint_named_as_a_full_name_is_refused():
    """Oracle: two coordinates would both be called a.b."""
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.universal("x", "y", names=("b", "c")), inertia=BALL)
    with pytest.raises(errors.BadTree, match=r"joint 'a\.b'.*another coordinate"):
        b.add_body("x", joint=cd.joints.revolute("x"), inertia=BALL, joint_name="a.b")


@pytest.mark.parametrize("name", ["knee", "hip_r", "hip_r.angle", "", None, 3])
def test_unknown_names_are_refused_with_the_known_ones(name):
    """Oracle: the class and the names; the name of a joint with three coordinates means none of them."""
    with pytest.raises(errors.UnknownName, match=rf"no coordinate named {name!r}.*hip_flexion_r"):
        leg().build().q_index(name)


def constructors():
    """All that makes joints of no arguments but axes and numbers, and the names it gives."""
    axes = {"axis": "z", "first": "x", "second": "y", "pitch": 0.1, "a": 1.0, "b": 2.0}
    for kind in ("revolute", "prismatic", "helical", "cylindrical", "planar", "universal", "ball", "free", "elliptic"):
        make = getattr(cd.joints, kind)
        given = {p: axes[p] for p in inspect.signature(make).parameters if p in axes}
        yield make(**given)
    yield cd.joints.spline_curve(cd.SE3.exp(np.outer(np.arange(5), [0.1, 0, 0, 1, 0, 0])))
    yield cd.joints.spline_surface(np.random.default_rng(0).normal(size=(5, 5, 6)), (None, None))
    yield cd.joints.product(np.eye(6)[:2], [cd.functions.linear(0), cd.functions.linear(1)])
    yield cd.joints.compose(cd.joints.revolute("x"), cd.joints.revolute("y"), cd.joints.revolute("z"))


@pytest.mark.parametrize("joint", list(constructors()), ids=lambda j: j.title)
def test_the_names_that_constructors_give_are_known_as_such(joint):
    """Oracle: the constructors themselves: called without a name, none of theirs may pass for a person's."""
    assert all(map(is_default_name, joint.coordinates))
    body = cd.ModelBuilder().add_body("body", joint=joint, inertia=BALL).build()
    assert all(name.startswith("body") for name in body.coordinates)


def test_everything_that_takes_a_coordinate_takes_its_own_name():
    """Oracle: the same model made with the old names."""
    times = np.linspace(0.0, 1.0, 8)

    def made(knee: str, hip: str, ankle: str):
        b = leg().set_range(knee, -2.0, 0.1).add_limit(knee, stiffness=5.0).add_damping(hip, 0.3)
        b.add_stiffness(knee, 4.0, 0.2).add_constant_force(hip, 0.7).prescribe(ankle, (times, times**2))
        return b.add_constraint(cd.constraints.couple("bend", knee, ratio=0.5)).build()

    new, old = made("knee_angle_r", "hip_flexion_r", "ankle_r"), made("knee_r", "hip_r.hip_flexion_r", "ankle_r.angle")
    assert new.forces == old.forces
    assert dict(new.ranges) == dict(old.ranges) == {"knee_angle_r": (-2.0, 0.1)}
    assert new.range_of("knee_r") == (-2.0, 0.1)
    assert list(new.prescribed) == list(old.prescribed)
    assert (new.constraints[0].v, new.constraints[0].others) == (old.constraints[0].v, old.constraints[0].others)


def test_control_goals_and_trajectories_take_any_name():
    """Oracle: the column of q."""
    model = leg().build()
    q = np.linspace(0.1, 0.6, 6)
    space = cd.control.AnimationSpace(
        model, [cd.control.joint("knee_angle_r"), cd.control.joint("hip_r.hip_flexion_r")]
    )
    np.testing.assert_allclose(space.value(q), [q[3], q[0]])
    motion = cd.Trajectory(model, np.array([0.0]), q[None], np.zeros((1, 6)))
    assert motion["knee_angle_r"] == motion["knee_r"] == q[3]
