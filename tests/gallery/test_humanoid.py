"""The humanoid's leap and the mannequin that is drawn of it."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull, Delaunay

from condyle.gallery import SCENES
from condyle.view.skeleton_meshes import drawable


@pytest.fixture(scope="module")
def leap():
    scene = SCENES["humanoid"]()
    return scene, scene.run()


def placed(scene, motion, body, record):
    """All points of a body's surfaces in the world."""
    i = motion.skeleton.body_names.index(body)
    R, p = motion.states.rotations[record, i], motion.states.positions[record, i]
    return np.concatenate([s.points.reshape(-1, 3) @ R.T + p for s in scene.sheets if s.body == body])


@pytest.mark.slow
def test_parts_that_share_a_joint_meet_throughout_the_leap(leap):
    """Oracle: convex hulls of the surfaces; some points of one lie within the other, so no limb is detached."""
    scene, motion = leap
    names = motion.skeleton.body_names
    for record in (0, len(motion.t) // 2, -1):
        for joint, (a, b) in zip(motion.skeleton.joint_names, motion.skeleton.pairs, strict=True):
            first, second = (placed(scene, motion, names[i], record) for i in (a, b))
            within = [Delaunay(x).find_simplex(y) >= 0 for x, y in ((first, second), (second, first))]
            assert np.concatenate(within).any(), joint


def test_the_mannequin_stands_within_the_boxes_that_move(leap):
    """Oracle: centres of the boxes, each in the hull of its part, whose volume is about that of its mass as water."""
    scene, motion = leap
    for body, mass in zip(motion.skeleton.body_names, motion.skeleton.masses, strict=True):
        hull = ConvexHull(np.concatenate([s.points.reshape(-1, 3) for s in scene.sheets if s.body == body]))
        assert (hull.equations[:, 3] < 0.0).all()
        assert 0.3 < 1000.0 * hull.volume / mass < 2.0, body


def test_the_leap_begins_and_ends_on_the_ground(leap):
    """Oracle: the lowest point of all surfaces: as high at the end as at the start, higher between; heads up again."""
    scene, motion = leap
    low = [
        min(placed(scene, motion, body, k)[:, 2].min() for body in motion.skeleton.body_names)
        for k in range(0, len(motion.t), 4)
    ]
    assert abs(low[-1] - low[0]) < 0.05 and min(low) > low[0] - 0.02 and max(low) > 0.5
    upright = motion.states.rotations[:, motion.skeleton.body_names.index("chest"), 2, 2]
    assert upright[0] == 1.0 and upright.min() < -0.9 and upright[-1] > 0.9


def test_a_body_with_a_surface_of_its_own_is_drawn_once(leap):
    """Oracle: the number of sheets: own ones alone; without own ones a sheet for each body and each joint."""
    scene, motion = leap
    joints, bodies = len(motion.skeleton.joint_names), len(motion.skeleton.body_names)
    assert len(drawable(motion, scene.drawn)[1]) == len(scene.sheets)
    assert len(drawable(motion, None)[1]) == bodies + joints
    head = [s for s in scene.sheets if s.body == "head"]  # the neck is drawn on the head
    assert len(drawable(motion.skeleton, head)[1]) == len(head) + bodies - 1 + joints - 1
