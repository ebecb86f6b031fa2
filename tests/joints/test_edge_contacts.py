"""Edges and curves that touch surfaces and each other, measured on the shapes alone."""

import numpy as np
import pytest
from mpmath import mp, mpf

import condyle as cd
from condyle.errors import BadValue, NotSupported, UnknownName
from condyle.joints import Curve, Surface, along, check, contact, on, prismatic

SIDE = np.linspace(-0.3, 0.3, 13)
RADIUS = 0.05


def dome():
    return Surface.from_heights(SIDE, SIDE, -np.add.outer(2.2 * SIDE**2, 3.4 * SIDE**2))


def dish():
    return Surface.from_heights(SIDE, SIDE, np.add.outer(0.5 * SIDE**2, 0.4 * SIDE**2))


def helix(t):
    return np.stack([0.06 * np.cos(t), 0.06 * np.sin(t), 0.02 * t], axis=-1)


def rim(t):
    """The edge of a coin."""
    return RADIUS * np.stack([np.cos(t), np.sin(t)], axis=-1)


def wire():
    return Curve.from_function(helix, (0.0, 5.0))


def coin():
    return Curve.from_function(rim, (0.0, 2 * np.pi), closed=True)


def moved(G, x, free=0.0):
    """Points or directions of the child in the parent."""
    return np.einsum("nij,nj->ni", G[:, :3, :3], x) + (1.0 - free) * G[:, :3, 3]


def uniform(low, high, count=30):
    return np.random.default_rng(4).uniform(low, high, (count, len(low)))


def test_a_curve_touches_a_surface():
    """Oracle: the shapes alone: one point in common, the curve's tangent across the normal, either one the parent."""
    A, B = dome(), wire()
    frames = on(A), along(B, name="s")
    q = uniform((-0.28, -0.28, -3, -3, 0.01), (0.28, 0.28, 3, 3, 0.3))
    G = contact(*frames).pose(q).as_matrix()
    point, way = B.position(q[:, 4]), B.tangent(q[:, 4])
    assert np.abs(moved(G, point) - A.points(q[:, :2])).max() < 1e-11
    across = (moved(G, way, 1.0) * A.normals(q[:, :2])).sum(axis=1)
    assert np.abs(across).max() < 1e-11
    back = contact(*frames[::-1])
    assert back.coordinates == ("s", "roll", "spin", "u", "v")
    swapped = q[:, [4, 3, 2, 0, 1]] * (1, -1, -1, 1, 1)
    assert np.abs(back.pose(swapped).as_matrix() @ G - np.eye(4)).max() < 1e-13


def test_a_straight_edge_touches_a_dome_to_eleven_digits():
    """Oracle: 50 digits of the edge's point and direction, from the dome's slopes; full rank."""
    joint, mp.dps = contact(on(dome()), prismatic("x")), 50
    for x, y, spin, roll, s in ((0.11, -0.2, 0.7, -1.1, 0.05), (-0.27, 0.05, 2.9, 0.4, -0.2)):
        a, b = -mpf("4.4") * mpf(x), -mpf("6.8") * mpf(y)
        place = np.array([mpf(x), mpf(y), -mpf("2.2") * mpf(x) ** 2 - mpf("3.4") * mpf(y) ** 2])
        e = np.array([mpf(1), mpf(0), a]) / mp.sqrt(1 + a * a)
        n = np.array([-a, -b, mpf(1)]) / mp.sqrt(1 + a * a + b * b)
        f = np.array([n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]])
        way = mp.cos(mpf(spin)) * e + mp.sin(mpf(spin)) * f
        side = -mp.sin(mpf(spin)) * e + mp.cos(mpf(spin)) * f
        up = mp.cos(mpf(roll)) * n - mp.sin(mpf(roll)) * side
        G = joint.pose([x, y, spin, roll, s]).as_matrix()
        for got, expected in ((G[:3, 3], place - mpf(s) * way), (G[:3, 0], way), (G[:3, 2], up)):
            assert np.abs(got - expected.astype(float)).max() < 1e-11
    assert check(joint).ok


def test_a_coin_rolls_on_a_dish_without_slipping():
    """Oracle: the shapes alone: what is rolled over on both is equal, all along; energy stays."""
    A, B = dish(), coin()
    under = on(A)
    b = cd.ModelBuilder()
    thin = cd.Inertia.cylinder(0.1, RADIUS, 0.002, axis=2)
    b.add_body("coin", joint=contact(under, along(B, name="s")), inertia=thin)
    b.add_constraint(cd.constraints.roll("coin", under))
    start, model = np.array([0.05, -0.08, 0.3, 1.3, 0.02]), b.build()  # leaning a little, its middle above the rim
    G = model.bodies[0].joint.pose(start[None]).as_matrix()
    way = moved(G, B.tangent(start[4:]), 1.0)[0]
    along_dish = np.linalg.lstsq(np.stack(A.slopes(start[None, :2]), axis=-1)[0], 0.5 * way)[0]
    run = cd.simulate(model, start, [*along_dish, 0.4, 0.1, 0.5], duration=0.1, step=1e-3, record=0.02)
    q, v = run.q, run.v
    G = run.model.bodies[0].joint.pose(q).as_matrix()
    assert (G[:, 2, 3] > 0.04).all() and np.abs(v[-1]).max() > 0.05
    rolled = sum(s * v[:, [c]] for c, s in enumerate(A.slopes(q[:, :2])))
    slip = rolled - moved(G, B.tangent(q[:, 4]) * v[:, 4:], 1.0)
    assert np.abs(slip).max() < 1e-11
    assert np.ptp(run.energy().total) < 1e-8


def test_edges_cross():
    """Oracle: the curves alone: one point in common, tangents at the angle that the coordinate says."""
    A, B = wire(), coin()
    joint = contact(along(A, name="s"), along(B, name="t"), touching="crossing")
    assert joint.coordinates == ("s", "roll", "angle", "roll_of_child", "t")
    q = uniform((0.01, -3, 0.1, -3, 0.0), (0.3, 3, 3, 3, 0.3))
    G = joint.pose(q).as_matrix()
    assert np.abs(moved(G, B.position(q[:, 4])) - A.position(q[:, 0])).max() < 1e-11
    cosine = (moved(G, B.tangent(q[:, 4]), 1.0) * A.tangent(q[:, 0])).sum(axis=1)
    assert np.abs(cosine - np.cos(q[:, 2])).max() < 1e-11
    assert check(joint).ok


def test_curves_are_tangent():
    """Oracle: the curves alone: one point in common, tangents opposite."""
    A, B = wire(), coin()
    joint = contact(along(A, name="s"), along(B, name="t"), touching="tangent")
    q = uniform((0.01, -3, 0.0), (0.3, 3, 0.3))
    G = joint.pose(q).as_matrix()
    assert np.abs(moved(G, B.position(q[:, 2])) - A.position(q[:, 0])).max() < 1e-11
    assert np.abs(moved(G, B.tangent(q[:, 2]), 1.0) + A.tangent(q[:, 0])).max() < 1e-11


def test_cylinders_touch_along_a_line():
    """Oracle: two circles in closed form: axes parallel, r + r apart, wherever they slide; a cylinder on a plane."""
    round_ = along(coin())
    joint = contact(round_, round_, touching="line")
    G = joint.pose(uniform((-1, -0.2, -1), (1, 0.2, 1))).as_matrix()
    assert joint.coordinates == ("on_parent", "slide", "on_child")
    assert np.abs(G[:, :3, 2] - (0, 0, 1)).max() < 1e-11
    assert np.abs(np.linalg.norm(G[:, :2, 3], axis=1) - 2 * RADIUS).max() < 1e-11
    flat = contact(prismatic("x", name="x"), round_, touching="line")
    G = flat.pose(uniform((-1, -0.2, -1), (1, 0.2, 1))).as_matrix()
    assert np.abs(G[:, 1, 3] + RADIUS).max() < 1e-11 and check(flat).ok  # the plane's body is on the left of x


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: contact(on(dish()), prismatic("x")), BadValue, r"cannot touch.*parent = \{'u': .*'distance'"),
        (lambda: contact(on(plane()), prismatic("x")), BadValue, "lie on each other all along"),
        (lambda: contact(prismatic("x"), prismatic("x"), touching="tangent"), BadValue, "cannot touch"),
        (lambda: contact(along(wire()), along(coin())), BadValue, "the parent is not a plane outline"),
        (lambda: contact(on(dome()), along(coin(), frame="fixed")), BadValue, "the child's frame must move along"),
        (lambda: contact(on(dome()), cd.joints.revolute("z")), BadValue, "the child's frame must move along"),
        (lambda: contact(on(dome()), on(dome()), touching="line"), NotSupported, "two surfaces touch"),
        (lambda: contact(on(dome()), on(dome()), touching="glued"), UnknownName, "glued"),
    ],
)
def test_what_cannot_touch_is_refused_with_the_place(make, error, words):
    """Oracle: the words."""
    with pytest.raises(error, match=words):
        make()


def plane():
    return Surface.from_heights(SIDE, SIDE, np.zeros((13, 13)))
