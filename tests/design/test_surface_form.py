"""The form of a fitted surface: order of the turns, moving base."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle import design
from condyle.design.problem.surface_chart import euler_coordinates, surface_poses
from condyle.design.problem.surface_form import ORDERS
from condyle.errors import CondyleWarning, UnknownName
from support.knees import hat

WIDE = np.radians(170.0)
NOISE = 0.01  # [rad, m]


def turning(first, second):
    """Two turns one after the other, each up to ±170°, with some translation."""

    def pose(a, b):
        return expm(hat([*(a * WIDE * first), 0.1 * a, 0.2 * b, 0])) @ expm(hat([*(b * WIDE * second), 0, 0, 0.1]))

    return pose


def measured(pose, count=500, noise=NOISE, seed=0):
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, size=(count, 2))
    true = np.array([pose(*x) for x in q])
    spread = rng.normal(scale=noise, size=(count, 6))
    return q, true, np.array([T @ expm(hat(x)) for T, x in zip(true, spread, strict=True)])


X, Y = np.eye(3)[:2]


@pytest.mark.parametrize("order", ORDERS)
def test_six_orders_of_the_turns(order):
    """Oracle: scipy's Euler angles, and the chart there and back."""
    rng = np.random.default_rng(1)
    phi = rng.uniform(-1, 1, (40, 6)) * (1, 1, 1, 3, 1.5, 3)
    G, _ = surface_poses(np.eye(4), phi, order)
    assert np.abs(G[:, :3, :3] - Rotation.from_euler(order.upper(), phi[:, 3:]).as_matrix()).max() < 1e-14
    assert euler_coordinates(np.eye(4), G, order) == pytest.approx(phi, abs=1e-12)


def test_another_order_of_the_turns_is_taken_by_itself():
    """Oracle: noise-free data turning ±110° about y, which the order x, y, z cannot follow."""

    def pose(a, b):
        return expm(hat([0, a * np.radians(110), 0, 0.1 * a, 0.2 * b, 0])) @ expm(hat([0.3 * b, 0, 0, 0, 0, 0.1]))

    q, true, poses = measured(pose, 300, 0.0)
    fit = design.fit_surface(poses, q, shape=(7, 7))
    assert fit.twists[0] == "y" and fit.converged
    assert "y" in fit.reason and "90°" in fit.reason
    assert design.pose_errors(fit.joint, q, true)[0].max() < 0.01


@pytest.mark.parametrize(("pose", "first"), [(turning(Y, X), 0), (lambda a, b: turning(X, Y)(b, a), 1)])
def test_wide_turns_are_fitted_to_the_noise(pose, first):
    """Oracle: the true surface: residuals as large as the noise that was put in, the truth nearer than that.

    Two turns of ±170° reach both singularities of every order of Euler angles; which turn comes first decides which
    curve of the base must.
    """
    q, true, poses = measured(pose)
    fit = design.fit_surface(poses, q, shape=(8, 8))
    assert fit.twists == "moving" and fit.converged
    assert [c for c, _ in fit.problem.form.base] == [first, 1 - first]
    assert "any order" in fit.reason
    noise = np.degrees(NOISE * np.sqrt(3))
    assert 0.8 < np.sqrt(np.mean(fit.angle_errors**2)) / noise < 1.0
    assert np.sqrt(np.mean(design.pose_errors(fit.joint, q, true)[0] ** 2)) < 0.5 * noise
    assert fit.singularity_margin > 0.8 and fit.rank.ok


def test_another_frame_of_the_parent_changes_nothing():
    """Oracle: the joint of moved poses is the moved joint. In a turned child frame the Euler angles are others."""
    q, _, poses = measured(turning(Y, X), 300)
    moved = expm(hat([0.7, -1.1, 2.0, 0.3, -0.2, 0.5]))
    one, other = (design.fit_surface(p, q, shape=(6, 6)).joint for p in (poses, moved @ poses))
    places = np.random.default_rng(2).uniform(-0.9, 0.9, (50, 2))
    assert np.abs(other.pose(places).as_matrix() - moved @ one.pose(places).as_matrix()).max() < 1e-10
    turn = expm(hat([0.4, 0.9, -0.5, 0, 0, 0]))
    turned = design.fit_surface(poses @ turn, q, shape=(6, 6)).joint
    apart = np.abs(turned.pose(places).as_matrix() - one.pose(places).as_matrix() @ turn).max()
    assert apart < NOISE


def test_motion_through_the_former_singularity_keeps_its_energy():
    """Oracle: conservation of energy; the body turns through 90° about y, where the paper's form has no rank."""
    q, _, poses = measured(turning(Y, X), 300, 0.0)
    fit = design.fit_surface(poses, q, shape=(8, 8))
    b = cd.ModelBuilder(gravity=(0, 0, -1.0))
    b.add_body("cup", joint=fit.joint, inertia=cd.Inertia(1.0, (0.05, 0.02, -0.1), (0.02, 0.03, 0.04)))
    run = cd.simulate(b.build(), [-0.8, 0.1], [0.6, -0.1], duration=1.0, step=1e-3, record=0.05)
    assert run.stopped is None
    turned = np.degrees(WIDE) * run.q[:, 0]
    assert turned[0] < -100 and turned.max() > -80  # through −90°
    total = run.energy().total
    assert np.ptp(total) < 1e-8 * run.energy().kinetic.max()


def test_what_cannot_be_told_apart_is_said():
    """Oracle: the words."""
    q, _, poses = measured(lambda a, b: expm(hat([a * WIDE, b * WIDE, 0, 0.1 * a, 0.2 * b, 0])), 200)
    with pytest.warns(CondyleWarning, match="no form keeps these poses off a singularity"):
        design.fit_surface(poses, q, shape=(5, 5), iterations=1)
    with pytest.raises(UnknownName, match="Did you mean 'xyz'"):
        design.fit_surface(poses, q, shape=(5, 5), twists="xyzz")
    small = measured(lambda a, b: expm(hat([0.5 * a, 0.5 * b, 0, 0, 0, 0])), 100)
    assert design.fit_surface(small[2], small[0], shape=(4, 4)).twists == "xyz"
    assert design.fit_surface(small[2], small[0], shape=(4, 4), twists="moving").twists == "moving"
    assert design.fit_surface(small[2], small[0], shape=(4, 4), twists="zxy").twists == "zxy"
