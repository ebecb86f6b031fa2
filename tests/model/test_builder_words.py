"""What the builder says when a model makes no sense."""

import numpy as np
import pytest

import condyle as cd
from condyle import errors

BALL = cd.Inertia.sphere(1.0, 0.1, com=(0.0, 0.0, -0.3))


def arm() -> cd.ModelBuilder:
    b = cd.ModelBuilder()
    b.add_body("upper", joint=cd.joints.revolute("y"), inertia=BALL, joint_name="shoulder")
    b.add_body("lower", parent="upper", joint=cd.joints.universal("x", "y"), inertia=BALL, joint_name="elbow")
    b.add_body("hand", parent="lower", joint=cd.joints.ball(), inertia=BALL, joint_name="wrist")
    return b


def refused(error, *words):
    return pytest.raises(error, match="(?s)" + ".*".join(words))


def test_an_unknown_parent_is_named_with_the_nearest():
    with refused(errors.UnknownName, "no body named 'uper'", "Did you mean 'upper'"):
        arm().add_body("x", parent="uper", inertia=BALL)


def test_two_bodies_of_one_name_are_refused():
    with refused(errors.BadTree, "already a body named 'upper'"):
        arm().add_body("upper", inertia=BALL)


def test_a_body_cannot_carry_itself():
    with refused(errors.BadTree, "'x' cannot be its own parent", "constraint"):
        arm().add_body("x", parent="x", inertia=BALL)


def test_two_joints_of_one_name_are_refused():
    with refused(errors.BadTree, "already a joint named 'elbow'"):
        arm().add_body("x", inertia=BALL, joint_name="elbow")


def test_a_body_needs_an_inertia():
    with refused(errors.BadValue, "body 'x'", "cd.Inertia", "float"):
        arm().add_body("x", inertia=1.0)


def test_a_joint_must_be_one():
    with refused(errors.BadValue, "body 'x'", "cd.joints", "str"):
        arm().add_body("x", joint="revolute", inertia=BALL)


def test_a_left_handed_placement_is_refused():
    with refused(errors.NotARotation, "body 'x': placement", "left-handed"):
        arm().add_body("x", inertia=BALL, placement=np.diag([1.0, 1.0, -1.0, 1.0]))


def test_an_empty_model_is_refused():
    with refused(errors.BadTree, "at least one body"):
        cd.ModelBuilder().build()


def test_a_massless_body_between_others_is_fine():
    b = cd.ModelBuilder()
    b.add_body("frame", joint=cd.joints.revolute("x"), inertia=cd.Inertia.massless())
    b.add_body(
        "bob", parent="frame", joint=cd.joints.revolute("y"), inertia=cd.Inertia.sphere(1.0, 0.1, com=(0, 0, -1))
    )
    assert np.isfinite(cd.forward_dynamics(b.build(), [0.3, 0.2], [0.1, 0.2])).all()


@pytest.mark.parametrize("gravity", [(0, 0), (0, 0, np.nan)])
def test_gravity_is_three_finite_numbers(gravity):
    with refused(errors.CondyleError, "gravity"):
        cd.ModelBuilder(gravity=gravity)


def test_unknown_coordinates_are_named_with_the_nearest():
    with refused(errors.UnknownName, "no coordinate named 'elbow.frst'", "Did you mean 'elbow.first'"):
        arm().add_damping("elbow.frst", 1.0)


def test_a_single_coordinate_goes_by_the_name_of_its_joint():
    model = arm().build()
    assert model.coordinates == ("shoulder", "elbow.first", "elbow.second", "wrist")
    assert model.q_index("shoulder.angle") == model.q_index("shoulder") == 0


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda b: b.add_stiffness("wrist", 1.0), "spring"),
        (lambda b: b.add_limit("wrist", 0, 1, stiffness=1.0), "limits"),
        (lambda b: b.prescribe("wrist", 0.0), "prescribed motion"),
        (lambda b: b.set_range("wrist", 0, 1), "range"),
    ],
)
def test_a_quaternion_refuses_what_only_numbers_have(call, what):
    with refused(errors.NotSupported, "'wrist' is a quaternion", what, "universal"):
        call(arm())


def test_a_coordinate_is_prescribed_once():
    b = arm().prescribe("shoulder", 0.0)
    with refused(errors.PrescribedMismatch, "'shoulder' is prescribed already"):
        b.prescribe("shoulder", np.sin)


def test_samples_of_a_prescribed_motion_are_checked():
    with refused(errors.BadShape, "shoulder", "at least 6"):
        arm().prescribe("shoulder", ([0.0, 1.0], [0.0, 1.0]))
    with refused(errors.BadValue, "shoulder", "increase"):
        arm().prescribe("shoulder", (np.zeros(8), np.zeros(8)))
    with refused(errors.BadValue, "shoulder", "takes f"):
        arm().prescribe("shoulder", "fast")


@pytest.mark.parametrize("value", [-1.0, np.nan, "much"])
def test_damping_is_a_number_that_is_not_negative(value):
    with refused(errors.BadValue, "damping must"):
        arm().add_damping("shoulder", value)


def test_a_spring_needs_two_bodies():
    with refused(errors.BadValue, "two different bodies"):
        arm().add_spring("hand", (0, 0, 0), "hand", (0, 0, 1), stiffness=1.0, length=0.1)


def test_a_limit_needs_a_range():
    with refused(errors.BadValue, "shoulder", "no range"):
        arm().add_limit("shoulder", stiffness=1.0)
    with refused(errors.BadValue, "shoulder", "low must not be above high"):
        arm().add_limit("shoulder", 1.0, 0.0, stiffness=1.0)


def test_models_are_frozen_and_copies_change():
    model = arm().build()
    with pytest.raises(AttributeError):
        model.gravity = np.zeros(3)
    moon = model.with_gravity((0, 0, -1.62))
    q, v = model.neutral(), np.zeros(model.nv)
    q[0] = 0.3
    ratio = cd.bias_forces(moon, q, v)[0] / cd.bias_forces(model, q, v)[0]
    assert ratio == pytest.approx(1.62 / 9.81)


def test_several_roots_and_a_floating_base_make_one_model():
    b = arm()
    b.add_body("drone", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, 0.1))
    model = b.build()
    a = cd.forward_dynamics(model, model.neutral(), np.zeros(model.nv))
    np.testing.assert_allclose(a[model.v_index("drone") + 3 :], [0, 0, -9.81], atol=1e-14)


NAMED = {
    "body": lambda name: cd.ModelBuilder().add_body(name, joint=cd.joints.revolute("y"), inertia=BALL),
    "joint": lambda name: cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("y"), inertia=BALL, joint_name=name),
    "coordinate": lambda name: cd.joints.revolute("y", name=name),
    "marker": lambda name: cd.Marker(name, None, (0, 0, 0)),
    "muscle": lambda name: cd.ModelBuilder().add_path(name, [(None, (0, 0, 0)), (None, (0, 0, 1))]),
    "bone": lambda name: cd.skeleton.SkeletonBuilder().add_body(name, cd.Inertia.sphere(1.0, 0.1)),
}


@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u202a"])
def test_names_that_look_like_others_are_refused(kind, mark):
    """Oracle: the code of the character, in plain letters; names of all languages are taken."""
    with pytest.raises(cd.errors.BadValue, match=f"direction marks.* U\\+{ord(mark):04X}") as error:
        NAMED[kind](f"a{mark}b")
    assert mark not in str(error.value)
    for name in ("os d\u2019une \u00e9paule", "\u9aa8", "\u0639\u0638\u0645", "a b-c_d"):
        NAMED[kind](name)
