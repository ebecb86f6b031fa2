"""Drawings and reports: what is drawn is where the bodies are."""

import numpy as np
import pytest

from condyle.skeleton import Skeleton
from condyle.skeleton.drawing import body_shapes, equimomental, joint_shapes, placed

from .dense import CHAIN, GRAPHS, random_dense


@pytest.fixture(scope="module")
def motion():
    return Skeleton.from_arrays(**random_dense(CHAIN, "hs").arrays).simulate(duration=0.5)


def test_ellipsoid_has_the_bodys_moment_of_inertia():
    """Oracle: moments of a uniform ellipsoid, m (b² + c²) / 5."""
    dense = random_dense(CHAIN, "hs")
    (a, b, c), axes = equimomental(dense.m[0], dense.inertia[0])
    moment = dense.m[0] / 5 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    assert axes @ moment @ axes.T == pytest.approx(dense.inertia[0], abs=1e-12)


def test_surfaces_are_centred_on_bodies_and_joints():
    """Oracle: the state, and the joint's place by hand."""
    dense = random_dense(CHAIN, "hs")
    skeleton = Skeleton.from_arrays(**dense.arrays)
    for i, surface in enumerate(placed(body_shapes(skeleton), skeleton.initial)):
        points = surface.points[:-1]  # the first and last meridian are the same
        assert points.reshape(-1, 3).mean(axis=0) == pytest.approx(dense.p[i], abs=1e-12)
    joints = placed(joint_shapes(skeleton), skeleton.initial)
    kinds = [surface.kind for surface in joints]
    assert kinds == ["hinge", "ball"]
    ends = joints[0].points
    along = ends[0, 3] - ends[0, 0]  # the middles of the cylinder's ends
    axis = dense.R[0] @ dense.z[0, 0]
    assert np.cross(along / np.linalg.norm(along), axis) == pytest.approx(np.zeros(3), abs=1e-12)
    assert 0.5 * (ends[0, 3] + ends[0, 0]) == pytest.approx(dense.p[0] + dense.R[0] @ dense.l[0, 0], abs=1e-12)


def test_pictures_are_written(motion, tmp_path):
    """Oracle: PNG files that are not blank."""
    from matplotlib.image import imread

    motion.skeleton.draw(path=tmp_path / "one.png")
    motion.draw_strip(tmp_path / "strip.png", frames=3)
    motion.report().figure(tmp_path / "report.png", title="kept")
    for name in ("one", "strip", "report"):
        assert imread(tmp_path / f"{name}.png")[..., :3].std() > 0.02


def test_report_says_what_changed(motion):
    """Oracle: the words and the conservation laws."""
    words = str(motion.report())
    assert words.splitlines()[0] == "largest changes over 0.5 s"
    assert "angular momentum [N m s]" in words
    assert motion.report().drifts()["angular momentum [N m s]"] < 1e-12
    assert "is changed by" not in words


def test_report_says_what_acts_from_outside():
    """Oracle: the words; gravity leaves the angular momentum about the centre of mass alone."""
    falling = Skeleton.from_arrays(**random_dense(CHAIN, "hs", gravity=(0, 0, -9.81)).arrays)
    assert str(falling.simulate(duration=0.1).report()).endswith("\nlinear momentum is changed by gravity")
    hung = Skeleton.from_arrays(**random_dense(*GRAPHS["hung from the world"]).arrays)
    words = str(hung.simulate(duration=0.1, forces=np.ones((4, 3))).report())
    assert words.endswith("\nmomentum is changed by what holds it to the world and external loads")
