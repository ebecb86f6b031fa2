"""A ball on an elastic surface."""

import numpy as np
import pytest
from scipy.interpolate import NdBSpline

import condyle as cd
from condyle.gallery import elastic, rigid_bowl
from condyle.gallery.elastic import knots, rest_heights


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
