"""What is said when a constraint makes no sense, or a state does not satisfy it."""

import numpy as np
import pytest

import condyle as cd
from condyle import errors
from twins.mechanisms import pinned_chain, planar_chain, wheel_on_a_slope

constraints, functions = cd.constraints, cd.functions


def chain(*added):
    made = planar_chain(np.random.default_rng(1), 3)
    for constraint in added:
        made.builder.add_constraint(constraint)
    return made.builder


@pytest.mark.parametrize(
    ("constraint", "error", "words"),
    [
        (constraints.point("bb1", (0, 0, 0), None, (0, 0, 0)), errors.UnknownName, r"named .bb1..*Did you mean .b1."),
        (constraints.weld("b1", None, "b1", None), errors.BadValue, r"weld: a constraint needs two different bodies"),
        (constraints.point(None, (0, 0, 0), None, (1, 0, 0)), errors.BadValue, r"point: .* two different bodies"),
        (constraints.couple("b1", "bb2"), errors.UnknownName, r"no coordinate named 'bb2'.*Did you mean 'b2'"),
        (constraints.couple("b1", "b1"), errors.BadValue, r"'b1' cannot be coupled to itself"),
        (constraints.roll("b7", cd.joints.revolute((0, 1, 0))), errors.UnknownName, r"no body named 'b7'"),
        (
            constraints.roll("b1", cd.joints.prismatic((1, 0, 0), name="slide")),
            errors.UnknownName,
            r"no coordinate named 'slide' in joint 'b1', which the contact must read",
        ),
    ],
)
def test_names_are_checked_when_the_model_is_built(constraint, error, words):
    with pytest.raises(error, match=words):
        chain(constraint).build()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: constraints.point("b0", (1, 2), None, (0, 0, 0)), errors.BadShape, r"point_a must be three numbers"),
        (lambda: constraints.point("b0", (0, 0, 0), None, (0, 0, np.nan)), errors.NotFinite, "point_b must be finite"),
        (lambda: constraints.weld("b0", np.diag([2.0, 1, 1, 1]), None, None), errors.NotARotation, "frame_a"),
        (lambda: constraints.weld("b0", np.tile(np.eye(4), (2, 1, 1)), None, None), errors.BadShape, "one pose"),
        (lambda: constraints.couple("a", "b", ratio=np.inf), errors.NotFinite, r"ratio and offset must be finite"),
        (
            lambda: constraints.couple("a", "b", np.sin),
            errors.BadValue,
            r"must be of cd.functions and read coordinate 0",
        ),
        (lambda: constraints.couple("a", "b", functions.linear(1)), errors.BadValue, r"read coordinate 0 alone"),
        (lambda: constraints.couple("a", "b", functions.linear(0), ratio=2.0), errors.BadValue, r"not both"),
        (lambda: constraints.roll("a", "plane"), errors.BadValue, r"contact must come from cd.joints"),
        (lambda: constraints.roll("a", cd.joints.weld(), tangents=(0, 3)), errors.BadValue, r"tangents must be"),
        (lambda: constraints.roll("a", cd.joints.weld(), tangents=()), errors.BadValue, r"tangents must be"),
        (lambda: chain().add_constraint("point"), errors.BadValue, r"add_constraint takes what cd.constraints.point"),
    ],
)
def test_values_are_checked_when_they_are_made(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_quaternion_cannot_be_coupled():
    b = chain(constraints.couple("b0", "tip"))
    b.add_body("tip", "b2", cd.joints.ball(), cd.Inertia(1.0, np.zeros(3), np.eye(3)))
    with pytest.raises(errors.NotSupported, match=r"'tip' is a quaternion; couple coordinates that are one number"):
        b.build()


def test_a_contact_must_read_a_coordinate_as_the_joint_does():
    b = chain(constraints.roll("tip", cd.joints.ball(name="turn")))
    joint = cd.joints.revolute((0, 0, 1), name="turn")
    b.add_body("tip", "b2", joint, cd.Inertia(1.0, np.zeros(3), np.eye(3)))
    with pytest.raises(errors.BadShape, match=r"'turn' is a quaternion in the joint or in the contact, not in both"):
        b.build()


def test_two_prescribed_coordinates_cannot_be_coupled():
    b = chain(constraints.couple("b0", "b1")).prescribe("b0", 0.1).prescribe("b1", 0.1)
    with pytest.raises(errors.PrescribedMismatch, match=r"'b0' and 'b1' are both prescribed: no force can couple them"):
        b.build()


def test_an_open_start_says_how_far_it_is_open():
    """Oracle: the gap put in by hand."""
    made, pin, q = pinned_chain(np.random.default_rng(2), 3)
    made.builder.add_constraint(constraints.point("b2", pin.point1, None, pin.point2 + [0, 0, 0.013]))
    with pytest.raises(
        errors.InconsistentLoop, match=r"constraint 1 \(point of 'b2' on the world\) is open by 0.013 m;"
    ):
        cd.forward_dynamics(made.model, q, np.zeros(3))
    with pytest.raises(errors.InconsistentLoop, match=r"cd.project\(model, q, v\)"):
        cd.constraint_forces(made.model, q, np.zeros(3))


def test_velocities_that_pull_a_loop_apart_are_refused():
    made, _, q = pinned_chain(np.random.default_rng(2), 3)
    with pytest.raises(errors.InconsistentLoop, match=r"the velocities v break it by .* m per second"):
        cd.forward_dynamics(made.model, q, [1.0, 0.0, 0.0])
    with pytest.raises(
        errors.InconsistentLoop, match=r"rolling of 'wheel'\): the velocities v break it by 0.6 m per s"
    ):
        cd.forward_dynamics(wheel_on_a_slope(0.3, 0.4, 1.0, 0.5), [0, 0], [0.6, 0.0])


@pytest.mark.slow
def test_bad_members_of_a_batch_are_named_or_become_nan():
    made, _, q = pinned_chain(np.random.default_rng(2), 3)
    states = np.array([q, q + [0.1, 0, 0], q])
    with pytest.raises(errors.InconsistentLoop, match=r"state \[1\] \(1 of 3 states failed\): constraint 0"):
        cd.forward_dynamics(made.model, states, np.zeros(3))
    a = cd.forward_dynamics(made.model, states, np.zeros(3), on_failure="nan")
    assert np.array_equal(np.isnan(a[:, 0]), [False, True, False])


def test_an_overconstrained_loop_with_conflicting_motion_is_an_error():
    """Two cranks of a four-bar are prescribed, with accelerations that its loop does not allow."""
    made, _, q = pinned_chain(np.random.default_rng(2), 3)
    for k in range(3):
        made.builder.prescribe(f"b{k}", lambda t, k=k: q[k] + t * t)
    with pytest.raises(
        errors.InconsistentLoop, match=r"constraint 0 .*cannot be held together with the others.*over-con"
    ):
        cd.forward_dynamics(made.model, q, np.zeros(3))


def test_a_model_without_constraints_has_no_constraint_forces():
    with pytest.raises(errors.BadValue, match="this model has no constraints"):
        cd.constraint_forces(chain().build(), np.zeros(3), np.zeros(3))
