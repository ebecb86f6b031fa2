"""Residuals and Jacobians of targets, through joints of several kinds; the words of errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.ik.problem import Problem

BOX = cd.Inertia.box(1.0, (0.1, 0.1, 0.3))


def arm():
    """A ball shoulder, a spline elbow and a hinge: quaternions and splines together."""
    rng = np.random.default_rng(5)
    frames = [cd.SE3.identity()]
    for _ in range(6):
        frames.append(frames[-1] @ cd.SE3.exp(0.3 * rng.normal(size=6)))
    b = cd.ModelBuilder()
    b.add_body("upper", joint=cd.joints.ball(), inertia=BOX)
    b.add_body("fore", "upper", cd.joints.spline_curve(cd.SE3.stack(frames)), BOX, cd.SE3.from_translation((0, 0, 0.3)))
    b.add_body("hand", "fore", cd.joints.revolute("x"), BOX, cd.SE3.from_translation((0, 0, 0.25)))
    return b.build()


def targets():
    turn = Rotation.from_rotvec([0.3, -0.8, 0.4])
    return [
        cd.ik.position("hand", (0.1, 0.2, 0.3), at=(0, 0, 0.1), weight=2.0),
        cd.ik.orientation("fore", turn.as_matrix(), weight=0.5),
        cd.ik.pose("upper", cd.SE3.exp([0.1, 0.2, 0.3, 1, 2, 3]), at=(0.1, 0, 0), rotation_weight=0.3),
        cd.ik.points("hand", [(0, 0, 0), (0.1, 0, 0.2)], [(0, 0.1, 0.2), (0.3, 0.1, 0.2)]),
    ]


def test_jacobians_are_derivatives_of_residuals():
    """Oracle: central differences of the residuals along cd.integrate."""
    model, q = arm(), np.array([[0.8, 0.6, 0, 0, 1.3, 0.4]])
    problem = Problem.of(model, targets(), (1,), True)
    _, J = problem.linear(q)
    h = 1e-6
    for k, e in enumerate(np.eye(model.nv) * h):
        ahead, behind = (problem.linear(cd.integrate(model, q, s * e))[0] for s in (1, -1))
        assert_allclose(J[0, :, k], (ahead - behind)[0] / (2 * h), atol=2e-9)


def test_residuals_are_weighted_gaps():
    """Oracle: scipy's rotations applied to the poses."""
    model, q = arm(), np.array([0.8, 0.6, 0, 0, 1.3, 0.4])
    T = cd.forward_kinematics(model, q).as_matrix()
    problem = Problem.of(model, targets()[:2], (1,), True)
    r = problem.linear(q[None])[0][0]
    assert_allclose(r[:3], 2.0 * ((T[2] @ [0, 0, 0.1, 1])[:3] - [0.1, 0.2, 0.3]), atol=1e-14)
    turn = Rotation.from_rotvec([0.3, -0.8, 0.4]).inv() * Rotation.from_matrix(T[1, :3, :3])
    assert_allclose(r[3:], 0.5 * turn.as_rotvec(), atol=1e-14)


def test_reachable_targets_of_all_kinds_are_reached_through_a_quaternion():
    """Oracle: the pose that made the targets."""
    model, q = arm(), np.array([0.8, 0.0, 0.6, 0, 2.3, 0.4])
    poses = cd.forward_kinematics(model, q)
    markers = np.array([(0, 0, 0), (0.1, 0, 0.2), (0, 0.2, 0.1)])
    wanted = [
        cd.ik.points("hand", markers, poses[2].apply(markers)),
        cd.ik.orientation("upper", poses[0]),
        cd.ik.orientation("hand", poses[2].wxyz, weight=0.2),
    ]
    found = cd.ik.solve(model, wanted, restarts=10)
    assert found.reached and found.residual < 1e-9
    assert_allclose(cd.forward_kinematics(model, found.q).as_matrix(), poses.as_matrix(), atol=1e-8)
    assert "reached in" in str(found)


def test_markers_with_gaps_and_weights_of_their_own_are_followed():
    """Oracle: the motion that made the markers."""
    model, t = arm(), np.linspace(0, 1, 8)
    q = np.stack([np.cos(t / 2), np.sin(t / 2), 0 * t, 0 * t, 1 + t, 0.3 * t], axis=1)
    at = np.array([(0, 0, 0), (0.1, 0, 0.2), (0, 0.2, 0.1), (0.1, 0.1, 0)])
    upper = np.array([(0, 0, 0.1), (0.1, 0, 0.2), (0, 0.1, 0)])
    poses = cd.forward_kinematics(model, q)
    seen = np.stack([poses[k, 2].apply(at) for k in range(8)])
    seen[3, 1] = seen[5, 2] = np.nan
    seen[6] += np.where([[0], [1], [0], [0]], 0.01, 0.0)  # one marker slipped, and counts little
    targets = [
        cd.ik.points("hand", at, seen, weight=(1.0, 1e-6, 1.0, 1.0)),
        cd.ik.points("upper", upper, np.stack([poses[k, 0].apply(upper) for k in range(8)])),
    ]
    found = cd.ik.follow(model, targets, q[0])
    assert_allclose(cd.forward_kinematics(model, found.q).as_matrix(), poses.as_matrix(), atol=1e-7)
    alone = cd.ik.solve(model, cd.ik.points("hand", at, np.full((4, 3), np.nan)), q[3])
    assert alone.reached and np.array_equal(alone.q, q[3])


def test_prescribed_coordinates_stay():
    """Oracle: the start."""
    b = cd.ModelBuilder()
    b.add_body("a", joint=cd.joints.revolute("z"), inertia=BOX)
    b.add_body("b", "a", cd.joints.revolute("z"), BOX, cd.SE3.from_translation((1, 0, 0)))
    model = b.prescribe("a", 0.3).build()
    found = cd.ik.solve(model, cd.ik.position("b", (0, 2, 0), at=(1, 0, 0)), [0.3, 0.1])
    assert found.q[0] == 0.3 and found.stationary


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cd.ik.solve(arm(), cd.ik.position("hnd", (0, 0, 0))), "no body named 'hnd' in this model. Did you"),
        (lambda: cd.ik.solve(arm(), []), "give at least one target"),
        (lambda: cd.ik.solve(arm(), [3]), "target 0 must come from cd.ik"),
        (lambda: cd.ik.solve(arm(), targets(), method="newton"), "no method named 'newton' in inverse kinematics"),
        (lambda: cd.ik.solve(arm(), targets(), iterations=0), "tolerance, iterations > 0"),
        (lambda: cd.ik.position("hand", (0, 0)), r"position: xyz must have shape \(..., 3\)"),
        (lambda: cd.ik.position("hand", (0, 0, np.nan)), "position: xyz must be finite"),
        (lambda: cd.ik.position("hand", (0, 0, 0), weight=-1), "a weight must be a positive number; leave a target"),
        (lambda: cd.ik.position("hand", (0, 0, 0), at=np.eye(3)), r"at is one point of the body .*shape = \(3, 3\)"),
        (lambda: cd.ik.pose("hand", np.eye(4), at=np.zeros((0, 3))), "pose: at is one point of the body"),
        (lambda: cd.ik.orientation("hand", (2, 0, 0, 0)), "a quaternion wxyz has norm 1; got norm = 2.0"),
        (lambda: cd.ik.points("hand", [(0, 0, 0)], np.zeros((2, 3))), "need the same k"),
        (lambda: cd.ik.points("hand", [(0, 0, 0)], [(0, 0, np.inf)]), "xyz must be finite or NaN where not seen"),
        (
            lambda: cd.ik.points("hand", np.eye(3), np.eye(3), weight=(1, 2)),
            "one number, or one for each of the 3 points",
        ),
        (lambda: cd.ik.follow(arm(), cd.ik.position("hand", (0, 0, 0))), r"share a first axis .*lengths = \[\]"),
        (
            lambda: cd.ik.solve(arm(), [cd.ik.position("hand", np.zeros((n, 3))) for n in (2, 3)]),
            "the batch shapes of q0",
        ),
    ],
)
def test_mistakes_are_said_in_words(call, words):
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match=words):
        call()


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.1, 1.5, 2.6, 2.8, 3.1, np.pi - 1e-9, np.pi])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, -1), (0.6, -0.8, 0), (1, 2, 3), (-3, 2, -1)])
def test_turns_up_to_half_a_turn_are_rotation_vectors(angle, axis):
    """Oracle: scipy's rotations; at half a turn both signs are right."""
    turn = Rotation.from_rotvec(angle * np.array(axis) / np.linalg.norm(axis))
    start = Rotation.from_rotvec([0.4, 0.3, -0.9])
    b = cd.ModelBuilder()
    model = b.add_body("body", joint=cd.joints.ball(), inertia=BOX).build()
    problem = Problem.of(model, [cd.ik.orientation("body", (start * turn.inv()).as_matrix())], (1,), True)
    q = np.roll(start.as_quat(), 1)[None]
    r = problem.linear(q)[0][0]
    assert abs(np.linalg.norm(r) - angle) < 4e-8 * (angle > 3.0) + 1e-13
    assert (Rotation.from_rotvec(r) * turn.inv()).magnitude() < 1e-7


def test_jacobians_of_large_turns_are_derivatives():
    """Oracle: central differences of the residuals along cd.integrate."""
    b = cd.ModelBuilder()
    model = b.add_body("body", joint=cd.joints.ball(), inertia=BOX).build()
    problem = Problem.of(
        model, [cd.ik.orientation("body", Rotation.from_rotvec([1.0, 2.0, 1.9]).as_matrix())], (1,), True
    )
    q = np.array([[1.0, 0.0, 0.0, 0.0]])
    _, J = problem.linear(q)
    for k, e in enumerate(np.eye(3) * 1e-6):
        ahead, behind = (problem.linear(cd.integrate(model, q, s * e))[0] for s in (1, -1))
        assert_allclose(J[0, :, k], (ahead - behind)[0] / 2e-6, atol=1e-8)


def test_compiled_steps_are_those_of_a_quadratic_program():
    """Oracle: the same search with a quadratic program for each step, which limits that are not met leave the same."""
    model = arm()
    rng = np.random.default_rng(8)
    q = np.array([model.neutral()] * 20)
    wanted = cd.forward_kinematics(model, cd.integrate(model, q, 0.6 * rng.normal(size=(20, model.nv))))
    target = cd.ik.pose("hand", wanted[:, 2])
    free = cd.ik.solve(model, target, q, iterations=6)
    held = cd.ik.solve(model, target, q, iterations=6, method="qp")
    assert np.abs(free.iterations - held.iterations).max() <= 1  # round-off decides when an error is just small enough
    assert_allclose(free.q, held.q, atol=1e-9)


def welded() -> cd.Model:
    """A body that cannot move."""
    b = cd.ModelBuilder()
    b.add_body("block", joint=cd.joints.weld(), inertia=cd.Inertia.box(1.0, (1, 1, 1)))
    return b.build()


def test_a_model_without_freedoms_is_where_it_is():
    """Oracle: the distance of the block from the goal."""
    found = cd.ik.solve(welded(), cd.ik.position("block", [(3.0, 0, 4.0), (0, 0, 0)]), [])
    assert found.q.shape == (2, 0)
    assert found.residual.tolist() == [5.0, 0.0] and found.reached.tolist() == [False, True]


def test_a_prescribed_coordinate_stays_even_outside_its_range():
    """Oracle: the value given; ranges are for coordinates that the search may move."""
    b = cd.ModelBuilder()
    for name, parent in (("upper", None), ("lower", "upper")):
        b.add_body(name, parent=parent, joint=cd.joints.revolute("y"), inertia=cd.Inertia.box(1.0, (1, 1, 1)))
        b.set_range(name, low=-1.0, high=1.0)
    b.prescribe("upper", lambda t: 3.0 + 0.0 * t)
    found = cd.ik.solve(b.build(), cd.ik.position("lower", (0.1, 0, 0.1), at=(0.5, 0, 0)), [3.0, 2.0])
    assert found.q[0] == 3.0 and -1.0 <= found.q[1] <= 1.0


def test_empty_batches_are_told():
    """Oracle: shapes and words."""
    found = cd.ik.solve(arm(), cd.ik.position("hand", np.zeros((0, 3))))
    assert found.q.shape[0] == 0 and str(found) == "an empty batch: no targets"
    turned = cd.ik.solve(arm(), cd.ik.orientation("hand", np.zeros((0, 4))))
    assert turned.reached.shape == (0,)
    with pytest.raises(cd.CondyleError, match=r"lengths = \[0\]"):
        cd.ik.follow(arm(), cd.ik.position("hand", np.zeros((0, 3))))


def test_a_residual_that_is_no_number_is_not_reached():
    """Oracle: slides at the largest float: their sum overflows, so nothing can be said of the target."""
    b = cd.ModelBuilder()
    for name, parent, joint in (("a", None, cd.joints.prismatic("x")), ("b", "a", cd.joints.prismatic("x")),
                                ("c", "b", cd.joints.revolute("z"))):  # fmt: skip
        b.add_body(name, parent=parent, joint=joint, inertia=cd.Inertia.box(1.0, (1, 1, 1)))
    with np.errstate(all="ignore"):
        found = cd.ik.solve(b.build(), cd.ik.position("c", (1.0, 0, 0)), [1.7e308, 1.7e308, 0.0])
    assert not found.reached


def test_a_residual_too_large_for_a_float_is_not_reached():
    """Oracle: its square overflows, so there is no slope to follow; q stays finite."""
    with np.errstate(all="ignore"):
        found = cd.ik.solve(arm(), cd.ik.position("hand", (1e200, 0, 0)))
    assert not found.reached and found.residual == np.inf
    assert np.isfinite(found.q).all()
