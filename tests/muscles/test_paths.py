"""Paths of muscles: lengths over every kind of point and wrap, and their moment arms."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve
from scipy.spatial import ConvexHull

import condyle as cd
from condyle.errors import BadValue, UnknownName
from support.muscle_models import LEFT, RADII, RADIUS, RIGHT, bodies, every_path, states, turned


@pytest.fixture(scope="module")
def model():
    return every_path()


def column(model, name):
    return cd.muscles.names(model).index(name)


def over_top(p, q, r):
    """(tangent of p, angle of the arc, tangent of q) of a string over a circle about the origin, clockwise."""
    start = np.arctan2(p[1], p[0]) % (2 * np.pi) - np.arccos(r / np.hypot(*p[:2]))
    end = np.arctan2(q[1], q[0]) + np.arccos(r / np.hypot(*q[:2]))
    return np.sqrt(p[0] ** 2 + p[1] ** 2 - r**2), start - end, np.sqrt(q[0] ** 2 + q[1] ** 2 - r**2)


@pytest.mark.slow
def test_a_straight_path_is_as_long_as_the_law_of_cosines_says(model):
    """Oracle: the law of cosines."""
    q = np.linspace(-2, 2, 17)
    found = cd.muscles.lengths(model, np.c_[q, 0 * q], on_failure="nan")[:, column(model, "line")]
    expected = np.sqrt(0.2**2 + 0.25**2 - 2 * 0.2 * 0.25 * np.cos(np.pi / 2 - q))
    np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("q", [-0.6, -0.1, 0.05])
def test_a_path_over_a_cylinder_is_a_helix(model, q):
    """Oracle: the cylinder unrolled by hand: angles of the tangent points by arc cosines."""
    end = turned(q) @ RIGHT
    a, angle, b = over_top(LEFT, end, RADIUS)
    expected = np.hypot(a + RADIUS * angle + b, end[2] - LEFT[2])
    assert abs(cd.muscles.lengths(model, [q, 0.0])[column(model, "over drum")] - expected) < 1e-14


@pytest.mark.parametrize("name", ["over ball", "over round egg"])
@pytest.mark.parametrize("q", [-0.3, 0.0, 0.1])
def test_a_path_over_a_sphere_is_a_great_circle(model, name, q):
    """Oracle: angles at the centre; an ellipsoid of equal radii is a sphere."""
    end = turned(q) @ RIGHT
    a, b = np.linalg.norm(LEFT), np.linalg.norm(end)
    angle = np.arccos(LEFT @ end / a / b) - np.arccos(RADIUS / a) - np.arccos(RADIUS / b)
    expected = np.sqrt(a**2 - RADIUS**2) + RADIUS * angle + np.sqrt(b**2 - RADIUS**2)
    assert abs(cd.muscles.lengths(model, [q, 0.0])[column(model, name)] - expected) < 1e-10


def geodesic_length(p, q, start, length):
    """The length of the tight string over the ellipsoid, shot with tolerances of 1e-13; also its end's misfit."""
    a = np.array(RADII)
    P = p / a

    def contour(angles):
        y = np.array([np.cos(angles[0]) * np.cos(angles[1]), np.sin(angles[0]) * np.cos(angles[1]), np.sin(angles[1])])
        return a * y

    def curve(_, state):
        x, u = state[:3], state[3:]
        n = x / a**2
        return np.concatenate([u, -n * (u @ (u / a**2)) / (n @ n)])

    def shot(unknown):
        x = contour(unknown[:2])
        u = (x - p) / np.linalg.norm(x - p)
        end = solve_ivp(curve, (0, unknown[2]), [*x, *u], method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
        return x, end

    def misfit(unknown):
        x, end = shot(unknown)
        across = np.cross(q - end[:3], end[3:])
        n = end[:3] / a**2
        b = np.cross(n, end[3:])
        return [(x / a) @ P - 1, across @ b / np.linalg.norm(b), across @ n / np.linalg.norm(n)]

    found = fsolve(misfit, [*start, length], xtol=1e-13)
    x, end = shot(found)
    onward = 0.0 < found[2] < 0.2 and (q - end[:3]) @ end[3:] > 0 and (x / a**2) @ (end[:3] / a**2) > 0
    return np.linalg.norm(x - p) + found[2] + np.linalg.norm(q - end[:3]), np.abs(misfit(found)).max() if onward else 1


@pytest.mark.parametrize("q", [-0.1, 0.0])
def test_a_path_over_an_ellipsoid_is_a_geodesic(model, q):
    """Oracle: scipy's integrator and root finder on the equation of geodesics, in other unknowns."""
    end = turned(q) @ RIGHT
    found = cd.muscles.lengths(model, [q, 0.0])[column(model, "over egg")]
    tries = [geodesic_length(LEFT, end, (az, el), 0.02) for az in (1.6, 2.2) for el in (0.9, 0.3, -0.3)]
    best = min(length for length, miss in tries if miss < 1e-10)
    assert abs(found - best) < 2e-9


def test_a_path_through_a_ring_goes_round_its_tube(model):
    """Oracle: a circle in the plane of both ends and the ring's axis, and the shortest way over the ring's circle."""
    found = cd.muscles.lengths(model, [0.0, 0.0])[column(model, "through ring")]
    straight = np.linalg.norm([0.6, -0.05, 0])
    end = 2 * np.sqrt(0.3**2 + 0.05**2 - 0.01**2)
    turn = 2 * np.arctan2(0.05, 0.3) + 2 * np.arcsin(0.01 / np.hypot(0.3, 0.05))
    assert abs(found - straight - end - 0.01 * turn) < 1e-12


@pytest.mark.parametrize("q", [(-0.4, -0.5), (-0.2, -0.9), (-0.7, 0.1)])
def test_a_path_over_two_cylinders_is_the_hull_of_both(model, q):
    """Oracle: the convex hull of many points of both circles and the ends, its lower chain taken away."""
    R, S = turned(q[0]), turned(sum(q))
    elbow = R @ [0.3, 0, 0]
    ends = np.array([[-0.3, 0.02], (elbow + S @ [0.2, 0.01, 0])[:2]])
    angle = np.linspace(0, 2 * np.pi, 40001)
    circles = [c[:2] + r * np.c_[np.cos(angle), np.sin(angle)] for c, r in ((np.zeros(3), RADIUS), (elbow, 0.03))]
    points = np.concatenate([ends, *circles])
    ring = list(ConvexHull(points).vertices)  # counterclockwise
    ring = ring[ring.index(1) :] + ring[: ring.index(1)]
    top = points[ring[: ring.index(0) + 1]]
    expected = np.linalg.norm(np.diff(top, axis=0), axis=1).sum()
    assert abs(cd.muscles.lengths(model, q)[column(model, "over both")] - expected) < 1e-8


@pytest.mark.slow
def test_a_conditional_point_counts_in_its_range_only(model):
    """Oracle: distances between points placed by hand."""
    k = column(model, "held")
    p = np.array([0, 0.2, 0])

    def hand(q):
        return turned(q[0]) @ (np.array([0.3, 0, 0]) + turned(q[1]) @ [0.1, 0, 0])

    inside, outside = np.array([0.3, -0.2]), np.array([0.3, 0.2])
    via = turned(0.3) @ [0.1, 0.1, 0]
    found = cd.muscles.lengths(model, [inside, outside])[:, k]
    expected = [np.linalg.norm(via - p) + np.linalg.norm(hand(inside) - via), np.linalg.norm(hand(outside) - p)]
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_a_moving_point_follows_its_coordinate_up_to_its_range(model):
    """Oracle: its functions, evaluated by hand."""
    k = column(model, "moving")
    for b in (-0.7, 0.5, 0.8, 1.2):
        held = min(b, 0.8)
        place = turned(0.2) @ [0.2 + 0.1 * held, 0.05 + 0.3 * held**2, 0.01]
        hand = turned(0.2) @ (np.array([0.3, 0, 0]) + turned(b) @ [0.1, 0, 0])
        expected = np.linalg.norm(place - [0, 0.2, 0]) + np.linalg.norm(hand - place)
        assert abs(cd.muscles.lengths(model, [0.2, b])[k] - expected) < 1e-14


@pytest.mark.slow
def test_moment_arms_are_the_slopes_of_lengths(model):
    """Oracle: central differences of the lengths."""
    Q, h = states(), 1e-6
    slopes = [(cd.muscles.lengths(model, Q + e) - cd.muscles.lengths(model, Q - e)) / (2 * h) for e in h * np.eye(2)]
    arms = cd.muscles.moment_arms(model, Q)
    assert arms.shape == (24, len(model.muscles), 2)
    np.testing.assert_allclose(arms, -np.stack(slopes, axis=-1), atol=2e-9)


@pytest.mark.slow
def test_lengthening_speeds_are_slopes_along_the_motion(model):
    """Oracle: central differences along the velocity."""
    Q, V, h = states(), states()[::-1] * 3, 1e-6
    expected = (cd.muscles.lengths(model, Q + h * V) - cd.muscles.lengths(model, Q - h * V)) / (2 * h)
    np.testing.assert_allclose(cd.muscles.lengthening_speeds(model, Q, V), expected, atol=1e-8)


@pytest.mark.slow
def test_a_batch_is_its_states_one_by_one(model):
    """Oracle: the same function of single states, in another number type; several threads."""
    Q = states(300)
    L, arms = cd.muscles.lengths(model, Q, threads=2), cd.muscles.moment_arms(model, Q, threads=2)
    for k in (0, 7, 131, 299):
        np.testing.assert_allclose(cd.muscles.lengths(model, Q[k]), L[k], atol=1e-14)
        np.testing.assert_allclose(cd.muscles.moment_arms(model, Q[k]), arms[k], atol=1e-12)


def test_a_path_through_a_ring_does_not_change_when_its_tube_turns(model):
    """Oracle: scipy's root of the slope of the length by the tube's angle, each way written by hand."""
    p, q, R, r = np.array([0.02, 0.2, -0.3]), np.array([-0.01, 0.16, 0.3]), 0.1, 0.01
    b = bodies().add_wrap("ring", "torus", inner_radius=r, outer_radius=R)
    ring = b.add_path("p", [(None, p), (None, q)], wraps=["ring"]).build()

    def length(u):
        inward, along = np.array([-np.cos(u), -np.sin(u), 0]), np.array([-np.sin(u), np.cos(u), 0])
        frame = np.array([np.cross(inward, along), inward, along])  # over the top is towards the centre
        a, b = (frame @ (x + R * inward) for x in (p, q))
        first, second = (a, b) if a[0] < b[0] else (b, a)
        s, angle, e = over_top(first, second, r)
        return np.hypot(s + r * angle + e, a[2] - b[2])

    still = brentq(lambda u: (length(u + 1e-5) - length(u - 1e-5)) / 2e-5, 1.4, 1.7, xtol=1e-9)
    assert abs(cd.muscles.lengths(ring, [0.0, 0.0])[0] - length(still)) < 1e-12


@pytest.mark.slow
def test_points_of_one_body_in_a_row_count_as_they_lie():
    """Oracle: distances between points placed by hand; their central differences; a path on one body is constant."""
    rng, b = np.random.default_rng(8), bodies()
    runs = [(None, 3), ("arm", 1), ("hand", 4), ("arm", 2), ("hand", 3)]
    points = [(body, rng.normal(size=3)) for body, count in runs for _ in range(count)]
    via = cd.muscles.conditional_point("arm", (0.1, 0.2, 0.3), "hand", (0.0, 1.0))
    b.add_path("long", points).add_path("held", [*points[:3], *points[4:8], via, *points[8:]])
    model = b.add_path("still", points[4:8]).add_path("two", [*points[:2], via]).build()

    def expected(q):
        arm, hand = turned(q[0]), turned(q[0] + q[1])
        frames = {None: (np.eye(3), 0), "arm": (arm, 0), "hand": (hand, arm @ [0.3, 0, 0])}
        place = {id(p): frames[p[0]][0] @ p[1] + frames[p[0]][1] for p in [*points, ("arm", via.location)]}
        x, v = list(place.values())[:-1], list(place.values())[-1]
        on = [v] if 0 <= q[1] <= 1 else []
        ways = [x, [*x[:3], *x[4:8], *on, *x[8:]], x[4:8], [*x[:2], *on]]
        return [np.linalg.norm(np.diff(way, axis=0), axis=1).sum() for way in ways]

    Q = np.array([[0.3, 0.4], [-0.5, -0.7], [1.0, 0.9]])
    np.testing.assert_allclose(cd.muscles.lengths(model, Q), [expected(q) for q in Q], atol=1e-14)
    h = 1e-6 * np.eye(2)
    slopes = [[(np.array(expected(q + e)) - expected(q - e)) / 2e-6 for e in h] for q in Q]
    np.testing.assert_allclose(cd.muscles.moment_arms(model, Q), -np.swapaxes(slopes, 1, 2), atol=1e-8)


@pytest.mark.slow
def test_a_path_whose_points_do_not_count_is_named(model):
    """Oracle: a path with one point that counts has no length."""
    b = bodies()
    away = cd.muscles.conditional_point("arm", (0.1, 0, 0), "hand", (2.0, 3.0))
    other = b.add_path("lonely", [(None, (0, 0.2, 0)), away]).build()
    with pytest.raises(BadValue, match="lonely"):
        cd.muscles.lengths(other, [0.0, 0.0])
    found = cd.muscles.lengths(other, [[0.0, 0.0], [0.0, 2.5]], on_failure="nan")
    assert np.isnan(found[0, 0])
    assert np.isfinite(found[1, 0])


BAD = {
    "body": (lambda b: b.add_path("p", [(None, (0, 0, 0)), ("leg", (1, 0, 0))]), UnknownName, "leg"),
    "coordinate": (
        lambda b: b.add_path("p", [(None, (0, 0, 0)), cd.muscles.conditional_point("arm", (1, 0, 0), "knee", (0, 1))]),
        UnknownName,
        r"'p'.*knee",
    ),
    "one point": (lambda b: b.add_path("p", [("arm", (1, 0, 0))]), BadValue, "two points"),
    "wrap": (lambda b: b.add_path("p", [(None, (0, 0, 0)), ("arm", (1, 0, 0))], wraps=["drum"]), UnknownName, "drum"),
    "wrap's body": (lambda b: b.add_wrap("drum", "sphere", "leg", radius=0.1), UnknownName, "leg"),
    "radius": (lambda b: b.add_wrap("drum", "sphere", radius=-0.1), BadValue, "radius"),
    "size": (lambda b: b.add_wrap("drum", "cylinder", radius=0.1), BadValue, "length"),
    "shape": (lambda b: b.add_wrap("drum", "cube", radius=0.1), BadValue, "cube"),
    "torus": (lambda b: b.add_wrap("t", "torus", inner_radius=0.2, outer_radius=0.1), BadValue, "tube"),
    "slack length": (
        lambda b: b.add_muscle("m", [(None, (0, 0, 0)), ("arm", (1, 0, 0))], tendon_slack_length=-0.1),
        BadValue,
        "tendon_slack_length",
    ),
    "constant": (lambda b: b.add_muscle("m", [(None, (0, 0, 0))] * 2, strength=3.0), UnknownName, "strength"),
    "law": (lambda b: b.add_muscle("m", [(None, (0, 0, 0))] * 2, "hill"), UnknownName, "hill"),
    "name twice": (
        lambda b: b.add_path("p", [(None, (0, 0, 0)), ("arm", (1, 0, 0))]).add_path("p", [(None, (0, 0, 0))] * 2),
        BadValue,
        "'p'",
    ),
    "wrap's name twice": (
        lambda b: b.add_wrap("w", "sphere", radius=0.1).add_wrap("w", "sphere", radius=0.2),
        BadValue,
        "'w'",
    ),
    "point": (lambda b: b.add_path("p", [(0, 0, 0), ("arm", (1, 0, 0))]), BadValue, "point 1"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_path_that_cannot_be_is_refused_by_name(case):
    """Oracle: none; the words name the object."""
    add, error, words = BAD[case]
    with pytest.raises(error, match=words):
        add(bodies()).build()


def test_a_quadrant_that_is_none_is_refused_by_name():
    """Oracle: none; the words name the wrap object."""
    b = bodies().add_wrap("drum", "sphere", quadrant="up", radius=0.1)
    model = b.add_path("p", [(None, (0, 1, 0)), ("arm", (1, 0, 0))], wraps=["drum"]).build()
    with pytest.raises(BadValue, match="drum"):
        cd.muscles.lengths(model, [0.0, 0.0])


def test_a_point_inside_a_wrap_goes_straight():
    """Oracle: the distance."""
    b = bodies().add_wrap("drum", "cylinder", radius=0.1, length=1.0)
    model = b.add_path("p", [(None, (0.05, 0, 0)), ("arm", (0.3, 0, 0))], wraps=["drum"]).build()
    assert abs(cd.muscles.lengths(model, [0.0, 0.0])[0] - 0.25) < 1e-15


def test_a_model_without_muscles_says_so():
    """Oracle: none."""
    with pytest.raises(BadValue, match="no muscles"):
        cd.muscles.lengths(bodies().build(), [0.0, 0.0])


POISONED = """
import types
import numpy as np
import condyle.numeric.number_types as number_types

fresh = {**vars(np), "empty": lambda count, dtype=float: np.full(count, np.nan, dtype=dtype)}
number_types.np = types.SimpleNamespace(**fresh)

import condyle as cd

b = cd.ModelBuilder()
b.add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (0, -0.2, 0)), joint_name="elbow")
b.add_wrap("far", "sphere", "arm", cd.SE3.from_translation((0, 0, 5.0)), radius=0.02)
b.add_muscle("line", [(None, (0.1, 0.3, 0)), ("arm", (0.0, -0.2, 0))], "path", wraps=["far"])
model, q = b.build(), np.array([[0.3], [0.5]])
tip, slope = 0.2 * np.hstack([np.sin(q), -np.cos(q)]), 0.2 * np.hstack([np.cos(q), np.sin(q)])
away = tip - [0.1, 0.3]
expected = -(away * slope).sum(axis=1) / np.linalg.norm(away, axis=1)
np.testing.assert_allclose(cd.muscles.moment_arms(model, q)[:, 0, 0], expected, atol=1e-14)
"""


def test_a_wrap_that_is_not_touched_does_nothing_whatever_memory_held():
    """Oracle: the straight line between two points, in plain Python with scratch that is full of NaN."""
    environment = {**os.environ, "CONDYLE_COMPILE": "0"}
    done = subprocess.run([sys.executable, "-c", POISONED], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
