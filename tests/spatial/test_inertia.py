"""`Inertia`: shapes against integrals, frames and sums against energies, and what no body has."""

import warnings

import numpy as np
import pytest
from scipy.integrate import nquad
from scipy.linalg import expm
from scipy.optimize import minimize

from condyle.errors import BadInertia, BadShape, CondyleWarning, NotARotation
from condyle.spatial import SE3, Inertia
from condyle.spatial.inertia_checks import moment_matrix
from support.spatial_oracles import skew, twist_matrix

rng = np.random.default_rng(0)


def random_inertia(seed):
    """Four point masses make a moment that a body can have."""
    points = np.random.default_rng(seed).normal(size=(4, 3))
    masses = np.random.default_rng(seed).uniform(0.5, 2.0, 4)
    com = masses @ points / masses.sum()
    moment = sum(-m * skew(p - com) @ skew(p - com) for m, p in zip(masses, points, strict=True))
    return Inertia(masses.sum(), com, moment), masses, points


def test_kinetic_energy_is_that_of_the_points():
    """Oracle: Σ ½ m |v + ω × p|² over the points that make the body.  [LeeTerzopoulos2008, eq. 8]"""
    body, masses, points = random_inertia(1)
    V = rng.normal(size=6)
    energy = 0.5 * masses @ np.sum((V[3:] + np.cross(V[:3], points)) ** 2, axis=1)
    assert 0.5 * V @ body.spatial() @ V == pytest.approx(energy, rel=1e-14)
    assert np.allclose(body.spatial(), body.spatial().T, rtol=1e-15, atol=1e-15)


def test_a_moved_body_is_that_of_the_moved_points():
    """Oracle: the points moved by scipy's expm."""
    body, masses, points = random_inertia(2)
    T = expm(twist_matrix(rng.normal(size=6)))
    moved = points @ T[:3, :3].T + T[:3, 3]
    V = rng.normal(size=6)
    energy = 0.5 * masses @ np.sum((V[3:] + np.cross(V[:3], moved)) ** 2, axis=1)
    for pose in (T, SE3.from_matrix(T)):
        assert 0.5 * V @ body.moved(pose).spatial() @ V == pytest.approx(energy, rel=1e-13)


def test_welded_bodies_add_their_spatial_inertias():
    """Oracle: energies add."""
    a, b = random_inertia(3)[0], random_inertia(4)[0]
    assert np.allclose((a + b).spatial(), a.spatial() + b.spatial(), rtol=1e-13, atol=1e-13)
    points = [Inertia.point(m, p) for m, p in zip(*random_inertia(5)[1:], strict=True)]
    total = points[0] + points[1] + points[2] + points[3]
    assert np.allclose(total.spatial(), random_inertia(5)[0].spatial(), rtol=1e-13, atol=1e-13)
    assert (Inertia.massless() + Inertia.massless()).mass == 0.0
    assert np.allclose((Inertia.massless() + a).spatial(), a.spatial(), rtol=1e-15, atol=1e-15)


def moments_by_quadrature(inside_bounds, mass):
    """∫(|x|² I − x xᵀ) over a solid of revolution about z with radius profile r(z): closed in r, integrated over z."""
    radius, low, high = inside_bounds
    volume = nquad(lambda z: np.pi * radius(z) ** 2, [(low, high)])[0]
    xx = nquad(lambda z: np.pi * radius(z) ** 4 / 4.0, [(low, high)])[0] / volume
    zz = nquad(lambda z: np.pi * radius(z) ** 2 * z * z, [(low, high)])[0] / volume
    return mass * np.array([xx + zz, xx + zz, 2.0 * xx])


def capsule_profile(r, h):
    def radius(z):
        return np.sqrt(max(r * r - max(abs(z) - h / 2.0, 0.0) ** 2, 0.0))

    return radius


SOLIDS = {
    "sphere": (Inertia.sphere(3.0, 0.4), (lambda z: np.sqrt(max(0.16 - z * z, 0.0)), -0.4, 0.4)),
    "cylinder": (Inertia.cylinder(3.0, 0.2, 0.7), (lambda z: 0.2, -0.35, 0.35)),
    "capsule": (Inertia.capsule(3.0, 0.2, 0.7), (capsule_profile(0.2, 0.7), -0.55, 0.55)),
    "ellipsoid": (
        Inertia.ellipsoid(3.0, (0.3, 0.3, 0.5)),
        (lambda z: 0.3 * np.sqrt(max(1.0 - z * z / 0.25, 0.0)), -0.5, 0.5),
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_have_the_moments_of_their_integrals(name):
    """Oracle: quadrature of the definition."""
    body, profile = SOLIDS[name]
    assert np.allclose(np.diag(body.moment), moments_by_quadrature(profile, 3.0), rtol=1e-7)
    assert np.count_nonzero(body.moment - np.diag(np.diag(body.moment))) == 0


def test_a_box_and_an_ellipsoid_with_three_sizes():
    """Oracle: the mean squares a²/12 of an edge and a²/5 of a semi-axis, written out."""
    assert np.allclose(np.diag(Inertia.box(12.0, (1.0, 2.0, 3.0)).moment), [13.0, 10.0, 5.0], rtol=1e-15)
    assert np.allclose(np.diag(Inertia.ellipsoid(5.0, (1.0, 2.0, 3.0)).moment), [13.0, 10.0, 5.0], rtol=1e-15)


@pytest.mark.parametrize("shape", [Inertia.cylinder, Inertia.capsule])
def test_the_axis_of_a_solid_of_revolution_can_be_chosen(shape):
    """Oracle: the same numbers in another order."""
    x, y, z = (np.diag(shape(1.0, 0.1, 0.5, axis=a, com=(0, 0, 1)).moment) for a in range(3))
    assert x.tolist() == [z[2], z[0], z[0]] and y.tolist() == [z[0], z[2], z[0]]


def test_three_six_or_nine_numbers_make_one_moment():
    """Oracle: the matrix written out."""
    six = Inertia(1.0, moment=(3.0, 4.0, 5.0, 0.1, 0.2, 0.3)).moment
    assert six.tolist() == [[3.0, 0.1, 0.2], [0.1, 4.0, 0.3], [0.2, 0.3, 5.0]]
    assert np.array_equal(Inertia(1.0, moment=six).moment, six)
    assert np.array_equal(Inertia(1.0, moment=(3.0, 4.0, 5.0)).moment, np.diag([3.0, 4.0, 5.0]))


def test_principal_axes_are_right_handed_and_rebuild_the_moment():
    """Oracle: R diag R^T."""
    for seed in range(10):
        body = random_inertia(seed)[0]
        moments, R = body.principal()
        assert np.allclose(R @ np.diag(moments) @ R.T, body.moment, rtol=0, atol=1e-13)
        assert np.linalg.det(R) == pytest.approx(1.0)
        assert np.all(np.diff(moments) >= 0.0)


@pytest.mark.parametrize(
    ("mass", "moment"),
    [(1.0, (0.1, 0.2, 0.1 + 0.2)), (1.0, (0, 0.3, 0.3)), (1.0, (0, 0, 0)), (0.0, (0, 0, 0)), (0.0, (1, 1, 1))],
    ids=["plate", "rod", "point", "nothing", "moments without mass"],
)
def test_the_set_of_bodies_is_closed(mass, moment):
    """Oracle: the numbers that were given; the triangle inequality may hold with equality, and all may vanish."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        body = Inertia(mass, (0.1, 0, 0), moment)
    assert body.mass == mass and np.array_equal(np.diag(body.moment), moment)


def test_points_on_a_line_make_a_rod():
    """Oracle: Σ m x² about the centre of mass, 0.01 each; nothing about the line itself, exactly."""
    total = Inertia.point(1, (0.5, 0, 0)) + Inertia.point(1, (0.7, 0, 0))
    assert np.allclose(total.moment, np.diag([0.0, 0.02, 0.02]), rtol=0, atol=1e-16)
    turned = total.moved(expm(twist_matrix([0.3, -0.4, 0.9, 0, 0, 0])))
    assert Inertia(turned.mass, turned.com, turned.moment).principal()[0][0] == 0.0


def test_a_moment_without_mass_is_kept_in_sums():
    """Oracle: spatial inertias add."""
    a, b = Inertia(0.0, (1, 2, 3), (0.1, 0.2, 0.15)), Inertia.point(2.0, (0, 0, 1))
    for total in (a + b, b + a):
        assert np.allclose(total.spatial(), a.spatial() + b.spatial(), rtol=0, atol=1e-15)
    assert np.allclose((a + a).moment, 2 * a.moment)


def nearest_by_search(moment):
    """The closest second moments L Lᵀ to those of a moment, by minimisation over L."""
    target = 0.5 * np.trace(moment) * np.eye(3) - moment
    rows, columns = np.tril_indices(3)

    def lower(x):
        L = np.zeros((3, 3))
        L[rows, columns] = x
        return L

    def gap(x):
        return ((lower(x) @ lower(x).T - target) ** 2).sum()

    starts = np.random.default_rng(0).normal(size=(5, 6))
    found = min((minimize(gap, x, method="BFGS", options={"gtol": 1e-12}) for x in starts), key=lambda r: r.fun)
    S = lower(found.x) @ lower(found.x).T
    return np.trace(S) * np.eye(3) - S


@pytest.mark.parametrize("moment", [(1, 1, 3), (0.1, 0.2, 0.25, 0.1, 0.09, -0.05), (-0.1, 0.2, 0.3)])
def test_the_nearest_body_has_the_nearest_second_moments(moment):
    """Oracle: scipy's minimisation over all bodies of the distance between second moments ∫ x xᵀ dm."""
    body = Inertia.nearest(1.0, (0, 0, 1), moment)
    assert np.allclose(body.moment, nearest_by_search(moment_matrix(moment)), rtol=0, atol=1e-5)
    assert np.array_equal(Inertia(body.mass, body.com, body.moment).moment, body.moment)
    assert np.array_equal(Inertia.nearest(1.0, moment=body.moment).moment, body.moment)


def test_the_nearest_body_of_a_negative_mass_has_none():
    """Oracle: the end of the half line mass ≥ 0."""
    assert Inertia.nearest(-0.1, moment=(1, 1, 1)).mass == 0.0


def test_round_off_is_mended_with_a_warning_that_tells_the_change():
    """Oracle: the plate with equality, 5e-11 away."""
    with pytest.warns(CondyleWarning, match=r"1e-10|5e-11"):
        body = Inertia(1.0, moment=(0.1, 0.2, 0.3 + 1e-10))
    low, middle, high = body.principal()[0]
    assert high <= low + middle + 1e-16 and np.allclose(body.moment, np.diag([0.1, 0.2, 0.3]), rtol=0, atol=1.1e-10)


def test_inertias_are_frozen():
    """A body shared by two models must not change under one of them."""
    com = np.zeros(3)
    body = Inertia.sphere(1.0, 1.0, com)
    com[0] = 1.0
    assert body.com[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        body.moment[0, 0] = 2.0


def test_a_massless_body_is_made_on_purpose():
    """Oracle: zeros."""
    assert np.count_nonzero(Inertia.massless().spatial()) == 0


MASS = "a mass must be finite and not negative; got mass = "


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Inertia(-2.0, moment=(1, 1, 1)), MASS + "-2.0"),
        (lambda: Inertia(np.nan, moment=(1, 1, 1)), MASS + "nan"),
        (lambda: Inertia.point(-1.0), MASS + "-1.0"),
        (lambda: Inertia.box(-1.0, (1, 1, 1)), MASS + "-1.0"),
        (lambda: Inertia("heavy", moment=(1, 1, 1)), "a mass must be one number; got mass = 'heavy'"),  # type: ignore
        (lambda: Inertia([1.0, 2.0], moment=(1, 1, 1)), "a mass must be one number"),  # type: ignore
        (lambda: Inertia(1.0), r"a body needs a moment of inertia: give `moment`, or a shape .*Inertia.point"),
        (lambda: Inertia(1.0, moment=(1, 2)), r"a moment is a 3x3 matrix, 3 .* or 6 .*; got shape \(2,\)"),
        (lambda: Inertia(1.0, moment=(1, 1, np.inf)), r"a moment must be finite; got moment = \[1.0, 1.0, inf\]"),
        (lambda: Inertia(1.0, moment=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "a moment must be symmetric; got moment"),
        (lambda: Inertia(1.0, moment=(1, -1, 1)), "principal moments must not be negative; they are -1, 1, 1"),
        (lambda: Inertia(1.0, moment=(0, 0, 1e-20)), r"triangle inequality.*; 0 \+ 0 < 1e-20"),
        (lambda: Inertia(1.0, moment=(1, 1, 3)), r"triangle inequality.*; 1 \+ 1 < 3. Is the moment about the centre"),
        (lambda: Inertia(1.0, (0, np.nan, 0), (1, 1, 1)), "the centre of mass must be finite"),
        (lambda: Inertia.sphere(1.0, 0.0), "radius must be 1 positive finite length; got value = 0.0"),
        (lambda: Inertia.box(1.0, (1, 2)), r"size must be 3 positive finite lengths; got value = \(1, 2\)"),
        (lambda: Inertia.cylinder(1.0, 0.1, -1), "radius and length must be 2 positive finite lengths"),
        (lambda: Inertia.capsule(1.0, 0.1, 1, axis=3), "axis must be 0, 1 or 2; got axis = 3"),
    ],
)
def test_what_no_body_has_is_refused(call, words):
    with pytest.raises(BadInertia, match=words):
        call()


def test_wrong_shapes_are_named():
    with pytest.raises(BadShape, match=r"com must have shape \(..., 3\); got shape \(2,\)"):
        Inertia(1.0, (0, 0), (1, 1, 1))
    with pytest.raises(BadShape, match=r"com must be three numbers; got shape = \(1, 3\)"):
        Inertia(1.0, [(0, 0, 0)], (1, 1, 1))
    with pytest.raises(BadShape, match=r"moved takes a single pose; got shape = \(2, 4, 4\)"):
        Inertia.sphere(1.0, 1.0).moved(SE3.identity((2,)))
    with pytest.raises(NotARotation, match="pose is not a rotation: it is scaled"):
        Inertia.sphere(1.0, 1.0).moved(np.diag([2.0, 2.0, 2.0, 1.0]))
