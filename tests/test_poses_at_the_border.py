"""One type for a pose: whatever takes one takes an `SE3` or a 4x4 array, and whatever gives one gives an `SE3`."""

import numpy as np
import pytest
from scipy.linalg import expm

import condyle as cd
from condyle.design import aligned_frame, chord_coordinates, mean_helical_axis, natural_knots, pose_distances
from condyle.model.look.overlays import Frames


def twist_matrix(g):
    w, v = g[:3], g[3:]
    return np.array([[0, -w[2], w[1], v[0]], [w[2], 0, -w[0], v[1]], [-w[1], w[0], 0, v[2]], [0, 0, 0, 0.0]])


ONE = expm(twist_matrix([0.3, -0.2, 0.5, 0.1, 0.2, 0.3]))
PATH = np.array([expm(twist_matrix(0.2 * k * np.array([0, 0.1, 1, 0.2, 0.1 * k, 0]))) for k in range(12)])
BALL = cd.Inertia.sphere(1.0, 0.1, com=(0.1, 0.0, 0.0))


def tree(placement, offset):
    """A model of one body."""
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("x"), inertia=BALL, placement=placement, offset=offset)
    return b.build()


def placed(pose):
    return cd.forward_kinematics(tree(pose, pose), [0.4]).as_matrix()


def welded(pose):
    return cd.joints.weld(pose).pose([])


def surface(pose):
    return cd.joints.spline_surface(0.1 * np.ones((4, 4, 6)), (None, None), pose=pose).pose([0.5, 0.5])


def product(pose):
    return cd.joints.product([[0, 0, 1, 0, 0, 0]], [cd.functions.linear()], pose=pose).pose(0.3)


def held(frame):
    b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("a", joint=cd.joints.free(), inertia=BALL)
    b.add_constraint(cd.constraints.weld("a", frame, None, frame))
    return b.build().constraints[0].frame_a


def drawn(pose):
    return cd.shapes.box((1, 1, 1), pose).pose


def posed(pose):
    return cd.ik.pose("a", pose).rotation


def turned(pose):
    return cd.ik.orientation("a", pose).rotation


def moved(pose):
    return BALL.moved(pose).moment


@pytest.mark.parametrize("call", [placed, welded, surface, product, held, drawn, posed, turned, moved])
def test_one_pose_is_taken_in_either_form(call):
    """Oracle: the array form; the poses are scipy's expm."""
    assert np.allclose(np.asarray(call(cd.SE3.from_matrix(ONE))), np.asarray(call(ONE)), rtol=0, atol=1e-14)
    assert np.allclose(np.asarray(call(ONE.tolist())), np.asarray(call(ONE)), rtol=0, atol=1e-14)


def curve(frames):
    return cd.joints.spline_curve(frames).pose([1.3])


def again(frames):
    joint = cd.joints.spline_curve(PATH[::-1])
    return cd.joints.redesigned(joint, frames).pose([1.3])


def fitted(poses):
    return cd.design.fit_curve(poses, np.linspace(0, 1, 12), frames=6).joint.pose(0.4)


def judged(poses):
    return cd.design.pose_errors(cd.joints.spline_curve(PATH), np.linspace(0, 9, 12), poses)[1]


def followed(poses):
    return cd.ik.pose("a", poses).rotation


def axis(poses):
    return mean_helical_axis(poses)[1]


def frames(poses):
    return Frames(None, poses, 0.1).poses


@pytest.mark.parametrize(
    "call", [curve, again, fitted, judged, followed, axis, frames, natural_knots, chord_coordinates, pose_distances]
)
def test_a_row_of_poses_is_taken_in_either_form(call):
    """Oracle: the array form; the poses are scipy's expm."""
    right = np.asarray(call(PATH))
    assert np.allclose(np.asarray(call(cd.SE3.from_matrix(PATH))), right, rtol=0, atol=1e-9)
    assert np.allclose(np.asarray(call([cd.SE3.from_matrix(T) for T in PATH])), right, rtol=0, atol=1e-9)


def test_whatever_gives_a_pose_gives_an_se3():
    """Oracle: the type; written for the old arrays, indexing and products still work."""
    model, joint = tree(None, None), cd.joints.spline_curve(PATH)
    fit = cd.design.fit_curve(PATH, np.linspace(0, 1, 12), frames=6)
    run = cd.simulate(model, [0.1], duration=0.01)
    for pose in (
        joint.pose(0.3), joint.pose([[0.1], [0.2]]), cd.forward_kinematics(model, [0.1]), run.poses(), fit.frames,
        cd.joints.design_frames(joint), aligned_frame((0, 0, 1), (1, 2, 3)), cd.gallery.knee_poses(5)[1],
        model.bodies[0].placement, model.bodies[0].offset,
    ):  # fmt: skip
        assert isinstance(pose, cd.SE3)
    assert joint.pose(0.3)[:3, 3] == pytest.approx(joint.pose(0.3).xyz)
    assert joint.pose([[0.1], [0.2]])[:, :3, 3] == pytest.approx(joint.pose([[0.1], [0.2]]).xyz)
    world = model.bodies[0].placement @ joint.pose(0.3) @ cd.forward_kinematics(model, [0.1])[0]
    assert world == pytest.approx(joint.pose(0.3).as_matrix() @ cd.forward_kinematics(model, [0.1])[0].as_matrix())


def test_a_pose_that_is_given_as_a_rotation_is_not_four_quaternions():
    """Oracle: the rows of the identity matrix have unit length and would pass for quaternions."""
    assert cd.ik.orientation("a", np.eye(4)).rotation.shape == (3, 3)
    assert cd.ik.orientation("a", np.eye(4)[:, [3, 0, 1, 2]]).rotation.shape == (4, 3, 3)
