"""Two spline surfaces in contact."""

import numpy as np

import condyle as cd
from condyle.gallery.surfaces.stone import DISH, STONE, dish_heights, graph_spline, stone, stone_heights


def point_and_normal(surface, xy):
    """Of a graph, by scipy's spline."""
    hx, hy = surface(xy, nu=(1, 0)), surface(xy, nu=(0, 1))
    n = np.array([-hx, -hy, 1.0])
    return np.array([*xy, float(surface(xy))]), n / np.linalg.norm(n)


def test_the_surfaces_touch_with_opposite_normals_and_the_stone_rolls():
    """Oracle: both graphs by scipy, placed by the body's pose; the material point at the contact does not move."""
    scene = stone()
    run = scene.run(0.3, record=0.1)
    dish, under = graph_spline(dish_heights(), DISH), graph_spline(stone_heights(), STONE)
    for T, q, V in zip(
        run.poses()[:, 0].as_matrix(), run.q, cd.body_velocities(scene.model, run.q, run.v)[:, 0], strict=True
    ):
        (p, n), (s, m) = point_and_normal(dish, q[:2]), point_and_normal(under, q[3:])
        assert np.linalg.norm(T[:3, :3] @ s + T[:3, 3] - p) < 1e-12
        assert np.linalg.norm(T[:3, :3] @ m + n) < 1e-11
        assert np.linalg.norm(V[3:] + np.cross(V[:3], s)) < 1e-9
    assert np.ptp(run.energy().total) < 1e-7
