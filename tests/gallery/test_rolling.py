"""Two surfaces in contact, and rolling without slip."""

import numpy as np
import pytest
from condyle.gallery.surfaces.rolling_balls_balls import ball_on_ball, rolling_disc, sphere

import condyle as cd
from condyle.joints import contact

G = 9.81


def test_a_disc_rolls_down_with_two_thirds_of_what_it_would_slide():
    """Oracle: ⅔ g sin 0.35 = 2.24255166 m/s²."""
    scene = rolling_disc(slope=0.35)
    a = cd.forward_dynamics(scene.model, scene.q, scene.v)
    assert a[0] == pytest.approx(2.0 / 3.0 * G * np.sin(0.35), abs=1e-12)
    assert a[0] == pytest.approx(2.24255166, abs=1e-8)
    assert a[1] == pytest.approx(a[0] / 0.25, abs=1e-11)


def test_the_disc_is_where_the_closed_form_says():
    """Oracle: ½ a t², and no slip: the path is the turned arc."""
    path = rolling_disc().run(1.0, record=0.25)
    assert path["disc.along"] == pytest.approx(0.5 * 2.0 / 3.0 * G * np.sin(0.35) * path.t**2, abs=1e-9)
    assert path["disc.turn"] * 0.25 == pytest.approx(path["disc.along"], abs=1e-9)


def test_balls_touch_and_their_normals_are_opposite():
    """Oracle: geometry. Centres are the sum of the radii apart, the contact is between them."""
    under, over = sphere(0.5), sphere(0.2, names=("a", "b"))
    joint = contact(under, over)
    q = np.random.default_rng(1).uniform(-0.6, 0.6, size=(20, 5))
    T, A = joint.pose(q), under.pose(q[:, :2])
    assert np.linalg.norm(T[:, :3, 3], axis=1) == pytest.approx(0.7, abs=1e-14)
    B = T @ over.pose(q[:, 3:])
    assert A[:, :3, 3] == pytest.approx(B[:, :3, 3], abs=1e-14)
    assert A[:, :3, 2] == pytest.approx(-B[:, :3, 2], abs=1e-14)


def test_a_ball_of_equal_curvature_loses_rank():
    """Oracle: a sphere inside one of the same radius can turn without anything moving."""
    hollow = cd.joints.compose(sphere(0.3, names=("a", "b")), cd.joints.revolute("z")).inverse()
    report = cd.joints.check(cd.joints.compose(sphere(0.3), hollow))
    assert not report.ok and report.smallest < 1e-9


def test_a_ball_rolling_off_a_ball_has_the_speed_of_the_textbook():
    """Oracle: energy, ½ (1 + 2/5) m v² = m g (fall), with v from the poses; the contact's points do not slip."""
    scene = ball_on_ball()
    path = scene.run(0.4, step=5e-4, record=0.1)
    poses, twists = path.poses()[:, 0].as_matrix(), cd.body_velocities(scene.model, path.q, path.v)[:, 0]
    speed2 = (twists[:, 3:] ** 2).sum(axis=1)
    fall = poses[0, 2, 3] - poses[:, 2, 3]
    assert 0.7 * speed2 == pytest.approx(G * fall, abs=1e-8)
    assert fall[-1] > 0.01
    for T, V in zip(poses, twists, strict=True):
        normal = T[:3, 3] / np.linalg.norm(T[:3, 3])
        arm = T[:3, :3].T @ (-0.2 * normal)
        assert np.linalg.norm(V[3:] + np.cross(V[:3], arm)) < 1e-9


def test_the_scene_ends_where_a_ball_that_only_lies_there_would_leave():
    """Oracle: the textbook, cos θ = 10/17 cos θ₀ for a rolling ball: there m v² / (R + r) = m g cos θ."""
    scene = ball_on_ball()
    path = scene.run(0.76)
    centers, twists = path.poses()[:, 0].xyz, cd.body_velocities(scene.model, path.q, path.v)[:, 0]
    cosine = centers[:, 2] / 0.7
    press = G * cosine - (twists[:, 3:] ** 2).sum(axis=1) / 0.7  # normal force per mass
    assert np.interp(0.0, -press, cosine) == pytest.approx(10 / 17 * cosine[0], abs=1e-6)
    assert 0.0 < np.interp(scene.duration, path.t, press) < 0.1


def test_a_ball_that_slips_falls_as_a_point():
    """Oracle: energy without turning, ½ m v² = m g (fall)."""
    scene = ball_on_ball(slip=True)
    path = scene.run(0.3, step=5e-4, record=0.1)
    fall = -np.diff(path.poses()[:, 0].xyz[:, 2]).sum()
    V = cd.body_velocities(scene.model, path.q, path.v)[-1, 0]
    assert 0.5 * V[3:] @ V[3:] == pytest.approx(G * fall, abs=1e-8)
    assert V[:3] == pytest.approx(np.zeros(3), abs=1e-8)
