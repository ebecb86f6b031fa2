"""Joints on surfaces of one's own, and two shapes that touch."""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.interpolate import NdBSpline

import condyle as cd
from condyle.errors import BadShape, BadValue, CondyleWarning, FoldedSurface, NotFinite
from condyle.joints import Curve, Surface, along, contact, on
from support.thinning import slow_but

SIDE = np.linspace(-0.3, 0.3, 15)
X, Y = np.meshgrid(SIDE, SIDE, indexing="ij")


def ball(u, v):
    return 0.3 * np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=-1)


def torus(u, v):
    r = 2 + np.cos(v)
    return 0.1 * np.stack([r * np.cos(u), r * np.sin(u), np.sin(v)], axis=-1)


def waves():
    return Surface.from_heights(SIDE, SIDE, 0.5 * X**2 + 0.35 * Y**2 + 0.01 * np.sin(6 * X) * np.cos(5 * Y))


def dome():
    return Surface.from_heights(SIDE, SIDE, -2.2 * X**2 - 3.4 * Y**2 - 0.5 * X * Y)


def vault():
    """A tensor spline of points: a bent sheet."""
    rng = np.random.default_rng(3)
    t = np.r_[[0.0] * 3, np.linspace(0, 1, 4), [1.0] * 3]
    places = np.linspace(0, 1, 6)
    c = np.stack(np.broadcast_arrays(places[:, None], places**2 - places, places + 0 * places[:, None]), axis=-1)
    return Surface.from_spline(NdBSpline((t, t), 0.3 * c + 0.01 * rng.normal(size=c.shape), 3))


SURFACES = {
    "heights": waves,
    "spline": vault,
    "ball": lambda: Surface.from_function(ball, ((0, 2 * np.pi), (-0.7, 0.7)), periodic=(True, False)),
    "torus": lambda: Surface.from_function(torus, ((0, 2 * np.pi), (0, 2 * np.pi)), periodic=(True, True)),
}


def places(surface, count=40, seed=0):
    low, high = np.transpose([(b[0], b[-1]) for b in surface.breaks])
    return np.random.default_rng(seed).uniform(low + 0.02, high - 0.02, (count, 2))


@pytest.mark.parametrize("name", slow_but(["heights", "ball"], SURFACES))
def test_the_frame_is_on_the_surface_with_its_normal(name):
    """Oracle: points of the shape itself; central differences of them for normal and first axis."""
    surface = SURFACES[name]()
    joint, q, h = on(surface), places(surface), 1e-4
    G = joint.pose(q).as_matrix()
    assert np.abs(G[:, :3, 3] - surface.points(q)).max() < 1e-12

    def slope(way):
        d = [surface.points(q + k * h * way) for k in (-2, -1, 1, 2)]
        return (d[0] - 8 * d[1] + 8 * d[2] - d[3]) / (12 * h)

    u, v = slope(np.array([1, 0])), slope(np.array([0, 1]))
    n = np.cross(u, v)
    assert np.abs(G[:, :3, 2] - n / np.linalg.norm(n, axis=1, keepdims=True)).max() < 1e-8
    assert np.abs(G[:, :3, 0] - u / np.linalg.norm(u, axis=1, keepdims=True)).max() < 1e-8
    assert np.abs(G[:, :3, 2] - surface.normals(q)).max() < 1e-11
    assert np.abs(joint.jacobian(q)[:, 5]).max() < 1e-9  # it moves in the tangent plane
    assert cd.joints.check(joint).ok


def test_poses_to_eleven_digits():
    """Oracle: 50 digits of a graph that is a polynomial: place, and both axes."""
    joint = on(dome())
    mp.dps = 50
    for x, y in ((0.11, -0.2), (-0.27, 0.05)):
        a, b = mpf(x), mpf(y)
        slopes = -mpf("4.4") * a - mpf("0.5") * b, -mpf("6.8") * b - mpf("0.5") * a
        height = -mpf("2.2") * a**2 - mpf("3.4") * b**2 - mpf("0.5") * a * b
        n = np.array([float(c / mp.sqrt(1 + slopes[0] ** 2 + slopes[1] ** 2)) for c in (-slopes[0], -slopes[1], 1)])
        e = np.array([float(c / mp.sqrt(1 + slopes[0] ** 2)) for c in (1, 0, slopes[0])])
        G = joint.pose([x, y]).as_matrix()
        assert np.abs(G[:3, 3] - [x, y, float(height)]).max() < 1e-11
        assert max(np.abs(G[:3, 2] - n).max(), np.abs(G[:3, 0] - e).max()) < 1e-11


def test_a_periodic_surface_goes_around():
    """Oracle: the pose after one round both ways."""
    surface = SURFACES["torus"]()
    joint, q = on(surface), places(surface)
    for way in ((2 * np.pi, 0), (0, -2 * np.pi)):
        assert np.abs(joint.pose(q + way).as_matrix() - joint.pose(q).as_matrix()).max() < 1e-11


def touching(A, B, count=30):
    rng = np.random.default_rng(5)
    q = np.column_stack([places(A, count, 1), rng.uniform(-3, 3, count), places(B, count, 2)])
    return q, contact(on(A), on(B))


@pytest.mark.parametrize("name", slow_but(["ball"], ["heights", "ball"]))
def test_two_shapes_touch(name):
    """Oracle: the shapes alone, by their own points and normals: no gap, normals opposite."""
    A, B = SURFACES[name](), dome()
    q, joint = touching(A, B)
    G = joint.pose(q).as_matrix()
    there = np.einsum("nij,nj->ni", G[:, :3, :3], B.points(q[:, 3:])) + G[:, :3, 3]
    assert np.abs(A.points(q[:, :2]) - there).max() < 1e-11
    assert np.abs(A.normals(q[:, :2]) + np.einsum("nij,nj->ni", G[:, :3, :3], B.normals(q[:, 3:]))).max() < 1e-11


def test_rolling_does_not_slip():
    """Oracle: the shapes alone: what is rolled over on both is equally long and goes the same way, all along."""
    A, B = waves(), dome()
    dish, under = on(A), on(B)
    b = cd.ModelBuilder()
    b.add_body("stone", joint=contact(dish, under), inertia=cd.Inertia.box(1.0, (0.2, 0.2, 0.1), com=(0, 0, -0.05)))
    b.add_constraint(cd.constraints.roll("stone", dish))
    run = cd.simulate(b.build(), [0.1, -0.08, 0.3, 0.02, -0.01], np.zeros(5), duration=0.1, step=1e-3, record=0.02)
    q, v = run.q, run.v
    assert np.abs(v[-1]).max() > 0.05
    G = run.model.bodies[0].joint.pose(q).as_matrix()
    on_dish = sum(s * v[:, [c]] for c, s in enumerate(A.slopes(q[:, :2])))
    on_stone = sum(s * v[:, [3 + c]] for c, s in enumerate(B.slopes(q[:, 3:])))
    slip = on_dish - np.einsum("nij,nj->ni", G[:, :3, :3], on_stone)
    assert np.abs(slip).max() < 1e-11


def test_two_outlines_touch():
    """Oracle: two circles: centres R + r apart, whatever the coordinates."""
    a = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circles = [along(Curve.from_points(r * np.c_[np.cos(a), np.sin(a)], closed=True)) for r in (0.5, 0.2)]
    joint = contact(*circles)
    G = joint.pose(np.random.default_rng(0).uniform(-3, 3, (20, 2))).as_matrix()
    assert joint.coordinates == ("on_parent", "on_child")
    assert np.abs(np.linalg.norm(G[:, :3, 3], axis=1) - 0.7).max() < 1e-8  # interpolated circles


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: on(3.0), BadValue, "a Surface or a scipy NdBSpline"),
        (lambda: Surface.from_heights(SIDE, SIDE, X[:, :9]), BadShape, r"shape \(len\(x\), len\(y\)\)"),
        (lambda: Surface.from_heights(SIDE[::-1], SIDE, X), BadValue, "x and y must rise"),
        (lambda: Surface.from_heights(SIDE, SIDE, np.where(X > 0.2, np.nan, X)), NotFinite, r"places = \[\[12, 0\]"),
        (lambda: Surface.from_function(lambda u, v: u, ((0, 1),)), BadShape, "the domain is"),
        (lambda: Surface.from_function(lambda u, v: np.ones((2, 2)), ((0, 1), (0, 1))), BadShape, "gives points"),
        (lambda: Surface.from_function(ball, ((0, 1), (-1, np.pi / 2))), FoldedSurface, r"no normal there"),
        (lambda: contact(on(dome()), cd.joints.revolute("z")), BadValue, "must move along its own x axis"),
        (lambda: contact(on(dome()), cd.joints.planar()), BadValue, "the child is a joint on a surface"),
        (lambda: contact(on(hollow()), on(hollow())), BadValue, "cannot touch from outside"),
    ],
)
def test_bad_surfaces_are_named(make, error, words):
    """Oracle: the words."""
    with pytest.raises(error, match=words):
        make()


def hollow():
    return Surface.from_heights(SIDE, SIDE, X**2 + Y**2)


def test_millimetres_are_doubted():
    """Oracle: the words."""
    with pytest.warns(CondyleWarning, match="Are these millimetres"):
        Surface.from_heights(1000 * SIDE, 1000 * SIDE, X)


def sphere(u, v):
    return 0.3 * np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=-1)


def underside(u, v):
    """Of a ball of 0.05 m that touches at its origin."""
    return 0.05 * np.stack([np.sin(u), -np.cos(u) * np.sin(v), 1.0 - np.cos(u) * np.cos(v)], axis=-1)


def test_leaving_the_patch_is_told():
    """Oracle: beyond its edge the joint goes straight on, so that it is off the ball by its own tangent."""
    patch = cd.joints.Surface.from_function(sphere, ((-1, 1), (-0.7, 0.7)))
    glide = cd.joints.on(patch)
    assert np.linalg.norm(glide.pose([1.5, 0.0]).xyz) == pytest.approx(0.3 * np.hypot(1.0, 0.5), abs=1e-9)
    b = cd.ModelBuilder().add_body("bead", joint=glide, inertia=cd.Inertia.sphere(1.0, 0.1))
    model = b.add_constraint(cd.constraints.distance("bead", (0, 0, 0), None, (0.1, 0.35, 0), 0.1)).build()
    with pytest.warns(cd.errors.OutsideDomainWarning, match=r"'u' of body 'bead'.*\[-1, 1\]"):
        cd.project(model, [0.9, 0.0])
    child = cd.joints.Surface.from_function(underside, ((-1, 1), (-1, 1)))
    with pytest.warns(cd.errors.OutsideDomainWarning, match="'u'"):
        cd.joints.contact_path(glide, patch, child, [[0.9, 0.0], [1.2, 0.0]])
