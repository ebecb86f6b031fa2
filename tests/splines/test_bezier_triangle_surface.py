"""Surfaces of many patches: derivatives, smoothness, area, normals and nearest points."""

import numpy as np
import pytest

from condyle.errors import BadShape, NotFinite
from condyle.splines.bezier.bezier_surface import BezierSurface
from condyle.splines.bezier.closest_point import closest_points, domain_grid
from condyle.splines.bezier.continuity import smooth_basis
from condyle.splines.bezier.domain_complex import hexagon, refined


def bowl(degree=3, extra=False, noise=0.1, seed=0):
    """A random C1 surface near a paraboloid."""
    complex = hexagon(degree, extra=extra)
    basis = smooth_basis(complex)
    x, y = complex.points.T
    rough = np.stack([x, y, -0.5 * (x * x + y * y)], axis=1)
    rough += noise * np.random.default_rng(seed).normal(size=rough.shape)
    return BezierSurface(complex, basis @ (basis.T @ rough))


@pytest.fixture(params=[(3, False), (3, True), (4, False), (5, True)], ids=str)
def surface(request):
    return bowl(*request.param)


def test_derivatives_are_slopes_of_slopes(surface):
    """Oracle: central differences."""
    at, h = np.random.default_rng(1).uniform(-0.6, 0.6, (9, 2)), 1e-5
    steps = h * np.eye(2)
    slopes = np.stack([(surface.evaluate(at + d) - surface.evaluate(at - d)) / (2 * h) for d in steps], axis=-1)
    curves = np.stack([(surface.jacobian(at + d) - surface.jacobian(at - d)) / (2 * h) for d in steps], axis=-1)
    assert np.abs(surface.jacobian(at) - slopes).max() < 1e-8
    assert np.abs(surface.hessian(at) - curves).max() < 1e-6


def test_slopes_agree_on_both_sides_of_every_edge(surface):
    """Oracle: the Jacobian a hair to each side of each spoke."""
    turns = np.radians(60 * np.arange(6))
    spokes = 0.7 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    across = 1e-12 * np.stack([-np.sin(turns), np.cos(turns)], axis=1)
    left, right = surface.jacobian(spokes + across), surface.jacobian(spokes - across)
    assert np.abs(left - right).max() < 1e-10
    assert surface.smoothness_gap() < 1e-12


def test_refinement_and_elevation_keep_the_surface(surface):
    """Oracle: the surface before; splitting and raising stay C1."""
    at = np.random.default_rng(2).uniform(-0.6, 0.6, (20, 2))
    for same in (surface.refined(), surface.elevated()):
        assert np.abs(same.evaluate(at) - surface.evaluate(at)).max() < 1e-14
        assert same.smoothness_gap() < 1e-12


def test_area_of_a_flat_hexagon():
    """Oracle: 3√3/2 for the unit hexagon, tilted and stretched by a known map."""
    complex = hexagon(3)
    A = np.array([[1.0, 0.3], [0.2, 2.0], [0.5, -0.7]])
    stretch = np.linalg.norm(np.cross(A[:, 0], A[:, 1]))
    assert BezierSurface(complex, complex.points @ A.T).area() == pytest.approx(1.5 * np.sqrt(3) * stretch, rel=1e-13)


def test_area_of_a_paraboloid():
    """Oracle: ∫√(1 + x² + y²) over the hexagon, by twelve polar integrals in closed form along r."""
    complex = refined(hexagon(4))
    basis, fine = smooth_basis(complex), domain_grid(complex, 6)
    rows = BezierSurface(complex, np.eye(len(complex.points)))
    height = 0.5 * (fine**2).sum(axis=1)
    control = basis @ np.linalg.lstsq(rows.evaluate(fine) @ basis, np.column_stack([fine, height]), rcond=None)[0]
    phi, w = np.polynomial.legendre.leggauss(30)
    phi, w = np.pi / 12 * (phi + 1), np.pi / 12 * w
    reach = np.cos(np.pi / 6) / np.cos(phi)
    assert BezierSurface(complex, control).area() == pytest.approx(
        12 * w @ (((1 + reach**2) ** 1.5 - 1) / 3), rel=1e-10
    )


def test_normals_are_unit_and_square_to_the_surface(surface):
    """Oracle: dot products with the tangents from differences."""
    at = np.random.default_rng(5).uniform(-0.5, 0.5, (6, 2))
    n, h = surface.normals(at), 1e-6
    for d in h * np.eye(2):
        tangent = (surface.evaluate(at + d) - surface.evaluate(at - d)) / (2 * h)
        assert np.abs(np.einsum("nd,nd->n", n, tangent)).max() < 1e-8
    assert np.abs(np.linalg.norm(n, axis=1) - 1).max() < 1e-14


def test_no_point_of_the_surface_is_nearer_than_the_closest(surface):
    """Oracle: brute force over a dense lattice."""
    targets = 0.8 * np.random.default_rng(6).normal(size=(60, 3))
    found = closest_points(surface, targets)
    dense = surface.evaluate(domain_grid(surface.complex, 80))
    brute = np.linalg.norm(dense[None] - targets[:, None], axis=-1).min(axis=1)
    assert (found.distance <= brute + 1e-9).all()
    assert (brute - found.distance).max() < 2e-2


def test_a_point_lifted_off_along_the_normal_comes_back():
    """Oracle: the foot is known; the offset is the distance."""
    surface = bowl(noise=0.02)
    at = np.random.default_rng(7).uniform(-0.5, 0.5, (40, 2))
    found = closest_points(surface, surface.evaluate(at) + 0.05 * surface.normals(at))
    assert np.abs(found.distance - 0.05).max() < 1e-12
    assert np.abs(found.at - at).max() < 1e-7
    assert not found.on_rim.any()


def test_far_points_land_on_the_rim():
    """Oracle: a flat hexagon; the nearest point to one beyond an edge is its foot on the edge."""
    complex = hexagon(3)
    flat = BezierSurface(complex, np.column_stack([complex.points, np.zeros(37)]))
    found = closest_points(flat, np.array([[0.1, -3.0, 0.4], [0.0, 0.1, 1.0]]))
    assert np.allclose(found.at, [[0.1, -np.sqrt(0.75)], [0.0, 0.1]], atol=1e-9)
    assert found.on_rim.tolist() == [True, False]


def test_too_few_control_points_are_named():
    with pytest.raises(BadShape, match=r"has 37 control points, one row each; got shape = \(36, 3\)"):
        BezierSurface(hexagon(3), np.zeros((36, 3)))


def test_a_nan_control_point_is_named():
    with pytest.raises(NotFinite, match="control points must be finite"):
        BezierSurface(hexagon(3), np.full((37, 3), np.nan))


def test_normals_of_a_plane_map_are_refused():
    with pytest.raises(BadShape, match="normals need three channels; got channels = 2"):
        BezierSurface(hexagon(3), hexagon(3).points).normals(np.zeros(2))
