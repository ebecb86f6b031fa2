"""A ball on an elastic surface."""

import numpy as np
import pytest
from scipy.interpolate import BSpline, NdBSpline
from scipy.linalg import solve

import condyle as cd
from condyle.gallery import elastic
from condyle.gallery.surfaces.elastic_surface import knots, rest_heights, rigid_bowl


def gap(run):
    """The ball's height less that of the surface under it, by scipy's spline of the control points' heights."""
    out = []
    for q in run.q:
        heights = rest_heights()
        heights[1:-1, 1:-1] = q[:25].reshape(5, 5)
        out.append(q[27] - NdBSpline((knots(), knots()), heights, 3)(q[25:27]))
    return np.array(out)


def test_the_ball_stays_on_the_surface_and_all_energy_is_kept():
    """Oracle: scipy's spline of the moving control points; conservation of energy with every spring in it."""
    run = elastic().run(0.3, record=0.05)
    assert abs(gap(run)).max() < 1e-10
    assert np.ptp(run.energy().total) < 1e-8
    assert np.ptp(run.q[:, 12]) > 1e-3  # while the surface gives way


def test_points_without_a_ball_rest_at_the_rest_heights():
    """Oracle: K h = load; with a ball of hardly any mass nothing moves."""
    scene = elastic(mass=1e-9)
    a = cd.forward_dynamics(scene.model, scene.q, scene.v)
    assert abs(a[:25]).max() < 1e-5


def sagged(x, y, stiffness, tension, mass):
    """Heights inside (25,) under a ball held at (x, y), and the basis there: K δ = −m g B by scipy, no condyle.

    K: each point has a spring of its own, and one to each of its four neighbours, of which the rim does not move.
    """
    one = 2.0 * np.eye(5) - np.eye(5, k=1) - np.eye(5, k=-1)
    K = stiffness * np.eye(25) + tension * (np.kron(one, np.eye(5)) + np.kron(np.eye(5), one))
    across, along = (BSpline.design_matrix([p], knots(), 3).toarray()[0, 1:-1] for p in (x, y))
    B = np.kron(across, along)
    return rest_heights()[1:-1, 1:-1].ravel() + solve(K, -mass * 9.81 * B, assume_a="pos"), B


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.31, -0.22), (-0.6, 0.15)])
def test_a_ball_at_rest_has_the_sag_of_a_dense_solve(x, y):
    """Oracle: K δ = load by scipy. There nothing moves, if forces m g ∇h hold the ball on the slope."""
    model = elastic(60.0, 15.0, mass=0.3).model
    heights, _ = sagged(x, y, 60.0, 15.0, 0.3)
    full = rest_heights()
    full[1:-1, 1:-1] = heights.reshape(5, 5)
    surface = NdBSpline((knots(), knots()), full, 3)
    tau = np.zeros(28)
    tau[25:27] = 0.3 * 9.81 * np.array([surface((x, y), nu=nu) for nu in ((1, 0), (0, 1))]).ravel()
    q = np.array([*heights, x, y, surface((x, y)).item()])
    assert abs(cd.forward_dynamics(model, q, np.zeros(28), tau)).max() < 1e-9


@pytest.mark.slow
def test_a_ball_that_is_braked_comes_to_rest_in_the_sag():
    """Oracle: the same dense solve. The ball rests in the middle, where there is no slope, 8 mm lower than empty."""
    scene = elastic(60.0, 15.0, mass=0.3, start=(0.2, -0.1))
    brakes = np.array([*[0.6] * 25, 1.5, 1.5, 0.0])
    run = cd.simulate(scene.model, scene.q, duration=9.0, step=3e-3, record=9.0, control=lambda t, q, v: -brakes * v)
    heights, B = sagged(0.0, 0.0, 60.0, 15.0, 0.3)
    assert run.q[-1, :25] == pytest.approx(heights, abs=1e-6)
    assert run.q[-1, 25:] == pytest.approx([0.0, 0.0, B @ heights], abs=1e-6)
    assert B @ (rest_heights()[1:-1, 1:-1].ravel() - heights) > 0.008


@pytest.mark.slow
def test_a_stiff_surface_tends_to_the_rigid_one_as_one_over_its_stiffness():
    """Oracle: the rigid surface as a joint without constraint; ten times the stiffness, a tenth of the distance."""
    exact = rigid_bowl().run(0.4, record=0.01).poses()[:, 0].xyz
    far = []
    for stiffness in (60.0, 600.0, 6000.0):
        run = elastic(stiffness, stiffness / 4).run(0.4, step=5e-4, record=0.01)
        far.append(np.linalg.norm(run.poses()[:, -1].xyz - exact, axis=1).max())
    assert far[1] < 0.15 * far[0] and far[2] < 0.15 * far[1]


def test_several_coordinates_need_a_function_of_them():
    """Oracle: the words."""
    with pytest.raises(cd.CondyleError, match="couple: several coordinates need a function of them"):
        cd.constraints.couple("z", ("x", "y"))
