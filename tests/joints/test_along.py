"""Joints along curves of one's own."""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.integrate import quad
from scipy.interpolate import make_interp_spline
from scipy.linalg import expm

import condyle as cd
from condyle.errors import BadShape, BadValue, CondyleWarning, NotFinite, UnknownName
from condyle.formats.svg_path import svg_points
from condyle.joints import Curve, along
from support.knees import hat
from support.thinning import slow_but

ANGLES = np.linspace(0.0, 2.0 * np.pi, 61)[:-1]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


def trefoil(t):
    return np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], axis=-1) / 10


def ellipse(t):
    return np.stack([0.4 * np.cos(t), 0.25 * np.sin(t), 0.0 * t], axis=-1)


def helix(t):
    return np.stack([np.cos(3 * t), np.sin(3 * t), t], axis=-1) / 10


def dense(joint, s):
    return joint.pose(np.asarray(s)[:, None]).as_matrix()


CURVES = {
    "closed points": lambda: Curve.from_points(ellipse(ANGLES), closed=True),
    "open points": lambda: Curve.from_points(helix(np.linspace(0, 2, 30))),
    "function": lambda: Curve.from_function(trefoil, (0, 2 * np.pi), closed=True),
    "polygon": lambda: Curve.from_points(SQUARE, closed=True, rounding=0.08),
    "sphere": lambda: Curve.from_lonlat(np.c_[ANGLES, 0.3 * np.sin(2 * ANGLES)], 0.3, closed=True),
}


@pytest.mark.parametrize("name", slow_but(["open points", "sphere"], CURVES))
def test_the_frame_is_on_the_curve_and_along_it_at_unit_speed(name):
    """Oracle: the curve's own points and tangents, and differences of its points for the speed."""
    curve = CURVES[name]()
    joint = along(curve)
    s = np.linspace(0.01, 0.99, 60) * curve.length
    G, S = dense(joint, s), joint.jacobian(s[:, None])[..., 0]
    assert np.abs(G[:, :3, 3] - curve.position(s)).max() < 1e-12
    h = 1e-5
    central = (curve.position(s + h) - curve.position(s - h)) / (2 * h)
    assert np.abs(G[:, :3, 0] - central).max() < 1e-7
    assert np.abs(G[:, :3, 0] - curve.tangent(s)).max() < 1e-11
    assert np.abs(S[:, 3:] - (1, 0, 0)).max() < 1e-9
    assert cd.joints.check(joint).ok


def test_poses_are_the_written_definition():
    """Oracle: 50 digits: an ellipse given by its arc length (incomplete elliptic integral) and its tangent."""
    joint = along(Curve.from_function(ellipse, (0, 2 * np.pi), closed=True))
    mp.dps = 50
    a, b = mpf(4) / 10, mpf(25) / 100
    for t in (0.3, 1.9, 4.4):
        s = mp.quad(lambda x: mp.sqrt((a * mp.sin(x)) ** 2 + (b * mp.cos(x)) ** 2), [0, t])
        place = np.array([float(a * mp.cos(t)), float(b * mp.sin(t)), 0.0])
        heading = float(mp.atan2(b * mp.cos(t), -a * mp.sin(t)))
        T = expm(hat([0, 0, 0, *place])) @ expm(hat([0, 0, heading, 0, 0, 0]))
        assert np.abs(joint.pose([float(s)]).as_matrix() - T).max() < 1e-11


def test_a_frame_that_does_not_turn_about_the_curve():
    """Oracle: parallel transport integrated by 4,000 steps of the double-reflection method (Wang et al. 2008)."""
    curve = Curve.from_points(helix(np.linspace(0, 2, 40)))
    joint = along(curve)
    s = np.linspace(0.0, curve.length, 4_001)
    p, t = curve.position(s), curve.tangent(s)
    r = dense(joint, s[:1])[0, :3, 2]
    for k in range(len(s) - 1):
        v1 = p[k + 1] - p[k]
        left = r - 2 / (v1 @ v1) * (v1 @ r) * v1
        moved = t[k] - 2 / (v1 @ v1) * (v1 @ t[k]) * v1
        v2 = t[k + 1] - moved
        r = left - 2 / (v2 @ v2) * (v2 @ left) * v2
    assert np.abs(dense(joint, s[-1:])[0, :3, 2] - r).max() < 1e-9
    assert np.abs(joint.jacobian(s[::100, None])[:, 0, 0]).max() < 1e-9


@pytest.mark.slow
def test_a_closed_frame_closes_and_turns_evenly():
    """Oracle: the pose after one round; a constant rate of turning about the curve."""
    curve = CURVES["function"]()
    joint = along(curve)
    s = np.linspace(0.0, curve.length, 50)
    assert np.abs(dense(joint, s) - dense(joint, s + curve.length)).max() < 1e-10
    rate = joint.jacobian(s[:, None])[:, 0, 0]
    assert np.ptp(rate) < 1e-8 and abs(rate[0]) * curve.length < np.pi


@pytest.mark.parametrize("frame", ["frenet", "surface normal"])
def test_other_frames(frame):
    """Oracle: the Frenet frame of a helix in closed form, and the normals of the cylinder that it lies on."""
    c, spline = 1.0, make_interp_spline(np.linspace(-0.2, 2.2, 400), helix(np.linspace(-0.2, 2.2, 400)), k=7)
    curve = Curve.from_spline(spline)
    joint = along(curve, frame=frame, normal=lambda p: p * (1, 1, 0))
    t = np.linspace(0.0, 2.0, 7)
    start = quad(lambda x: np.linalg.norm(spline(x, 1)), -0.2, 0.0, epsabs=1e-13)[0]
    G = dense(joint, start + np.sqrt(10) / 10 * t)
    inward = -np.stack([np.cos(3 * t), np.sin(3 * t), 0 * t], axis=-1) * c
    if frame == "frenet":
        assert np.abs(G[:, :3, 1] - inward).max() < 1e-8
    else:
        assert np.abs(G[:, :3, 2] + inward).max() < 1e-8


def test_a_fixed_frame_only_translates():
    """Oracle: the points."""
    curve = CURVES["function"]()
    G = dense(along(curve, frame="fixed"), s := np.linspace(0, curve.length, 20))
    assert np.abs(G[:, :3, :3] - np.eye(3)).max() == 0.0
    assert np.abs(G[:, :3, 3] - curve.position(s)).max() < 1e-12


def test_a_closed_curve_may_begin_anywhere():
    """Oracle: the same places of the same curve from another first point, frames included."""
    points = trefoil(np.linspace(0, 2 * np.pi, 90, endpoint=False))
    one, other = (Curve.from_points(p, closed=True) for p in (points, np.roll(points, -37, axis=0)))
    s = np.linspace(0.0, one.length, 40)
    shift = one.arc(np.linalg.norm(np.diff(points[:38], axis=0), axis=1).sum()[None])[0]
    assert np.abs(dense(along(other), s) - dense(along(one), s + shift)).max() < 1e-10


def twisted_cubic(t):
    return np.stack([t, 0.5 * t**2, 0.3 * t**3], axis=-1) / 3


def given_otherwise():
    """One curve as a function, by another parameter, as a spline of degree 3 and 5, and from dense points by scipy."""
    places = np.sort(np.r_[0.0, 1.0, np.random.default_rng(4).uniform(0, 1, 40)])
    return {
        "another parameter": Curve.from_function(lambda x: twisted_cubic(np.expm1(x) / np.expm1(1)), (0, 1)),
        "degree 3": Curve.from_spline(
            make_interp_spline(np.linspace(0, 1, 9), twisted_cubic(np.linspace(0, 1, 9)), k=3)
        ),
        "degree 5, uneven": Curve.from_spline(make_interp_spline(places, twisted_cubic(places), k=5)),
        "slower": Curve.from_spline(make_interp_spline(7 * places, twisted_cubic(places), k=3)),
    }


@pytest.mark.parametrize(("frame", "bound"), [("rotation-minimizing", 1e-11), ("fixed", 1e-11), ("frenet", 1e-8)])
def test_the_joint_is_that_of_the_curve_however_it_was_given(frame, bound):
    """Oracle: the same curve as a function of its own parameter: poses by arc length. Frenet is kept to 1e-8."""
    exact = Curve.from_function(twisted_cubic, (0, 1))
    one, s = along(exact, frame=frame), np.linspace(0.0, exact.length, 23)[1:-1, None]
    for name, curve in given_otherwise().items():
        other = along(curve, frame=frame)
        assert curve.length == pytest.approx(exact.length, abs=1e-11), name
        assert np.abs(other.pose(s).as_matrix() - one.pose(s).as_matrix()).max() < bound, name
        assert np.abs(other.jacobian(s) - one.jacobian(s)).max() < 100 * bound, name


@pytest.mark.slow
def test_other_samples_of_a_curve_make_the_same_joint_within_the_stated_error():
    """Oracle: the curve itself in closed form."""
    exact = Curve.from_function(trefoil, (0, 2 * np.pi), closed=True)
    s = np.linspace(0.0, exact.length, 50)
    for count in (60, 97, 200):
        curve = Curve.from_points(trefoil(np.linspace(0, 2 * np.pi, count, endpoint=False)), closed=True)
        gap = np.abs(dense(along(curve), s * curve.length / exact.length) - dense(along(exact), s))
        assert gap[:, :3, 3].max() < 3 * curve.error < 1e-2
        assert gap[:, :3, :3].max() < 60 * curve.error  # [rad], frames


def test_a_rounded_polygon_is_the_polygon_alone():
    """Oracle: sides divided elsewhere; the Gaussian mean of the polygon by quadrature."""
    divided = [(0, 0), (0.2, 0), (0.21, 0), (1, 0), (1, 0.7), (1, 1), (0, 1)]
    one, other = (Curve.from_points(p, closed=True, rounding=0.05) for p in (SQUARE, divided))
    s = np.linspace(0.0, one.length, 80)
    assert np.abs(one.position(s) - other.position(s)).max() < 1e-13
    l = 0.97

    def mean(i):
        def weighted(x):
            side, rest = divmod(x % 4.0, 1.0)
            a, b = np.array(SQUARE[int(side)]), np.array(SQUARE[(int(side) + 1) % 4])
            return (a + rest * (b - a))[i] * np.exp(-0.5 * ((x - l) / 0.05) ** 2) / (0.05 * np.sqrt(2 * np.pi))

        return quad(weighted, l - 0.5, l + 0.5, points=[1.0], epsabs=1e-14, limit=200)[0]

    assert one.at(np.array([l]), 0)[0, :2] == pytest.approx([mean(0), mean(1)], abs=1e-12)


def test_an_svg_path():
    """Oracle: closed forms of a Bézier curve, an arc and lines; y points up."""
    (path,) = svg_points("m 0 0 h 2 v 1 q 1 1 2 0 t 2 0 a 1 1 0 0 1 2 0 z", steps=4)
    points = np.array(path.points)
    assert path.closed
    assert points[1:3].tolist() == [[2, 0], [2, 1]]
    assert points[4].tolist() == [3.0, 1.5]  # the quadratic's middle
    assert points[8].tolist() == [5.0, 0.5]  # mirrored
    assert points[12] == pytest.approx([7.0, 0.0], abs=1e-15)  # the top of the half circle
    (cubic,) = svg_points("M0,0C0,1,1,1,1,0S2-1,2,0", steps=2)
    assert np.array(cubic.points)[[1, 3]].tolist() == [[0.5, 0.75], [1.5, -0.75]]
    circle = Curve.from_svg("M 10 0 A 10 10 0 0 1 -10 0 A 10 10 0 0 1 10 0 Z", scale=0.01)
    assert circle.length == pytest.approx(0.2 * np.pi, rel=1e-6)
    assert circle.position([0.05 * np.pi])[0] == pytest.approx([0.0, -0.1, 0.0], abs=1e-6)


@pytest.mark.filterwarnings("error")
def test_an_arc_between_points_that_are_as_good_as_one_is_left_out():
    """Oracle: the standard, which leaves an arc out whose ends are one point; a line is left here."""
    (path,) = svg_points("M 0 0 A 1 2 0 0 1 1e-308 0 L 3 0")
    points = np.array(path.points)
    np.testing.assert_allclose(points[[0, -1]], [(0, 0), (3, 0)], atol=1e-300)
    assert np.isfinite(points).all() and np.abs(points[:, 1]).max() == 0


@pytest.mark.parametrize("radii", ["1 1e-308", "1e-308 1", "1e-300 1e-310", "0 1"])
def test_an_arc_of_a_flat_ellipse_is_a_line(radii):
    """Oracle: the standard, where a radius is 0; the chord."""
    (path,) = svg_points(f"M 0 0 A {radii} 0 0 1 2 0")
    x, y = np.array(path.points).T
    assert np.abs(y).max() < 1e-12
    assert np.all(np.diff(x) > 0)


def test_radii_far_too_small_grow_until_the_arc_reaches():
    """Oracle: the standard: a half circle over the chord."""
    (path,) = svg_points("M 0 0 A 1e-310 1e-310 0 0 1 2 0")
    x, y = np.array(path.points).T
    assert np.abs(np.hypot(x - 1.0, y) - 1.0).max() < 1e-12


def test_a_bead_keeps_its_energy_and_falls_as_on_a_slope():
    """Oracle: g sin(slope) on a straight part of a polygon; conservation of energy around a corner."""
    wire = along(Curve.from_points([(0, 0), (3, -2), (5, -2)], rounding=0.05))
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("bead", joint=wire, inertia=cd.Inertia.sphere(0.1, 0.01))
    model = b.build()
    fall = cd.forward_dynamics(model, [1.0], [0.0])[0]
    assert fall == pytest.approx(9.81 * 2 / np.sqrt(13), rel=1e-10)
    run = cd.simulate(model, [2.8], [3.0], duration=0.4, step=1e-4, record=0.01)
    assert run.q[-1, 0] > 4.0
    assert np.ptp(run.energy().total) < 1e-8


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: along(SQUARE), BadShape, "6 points or more, or corners with rounding="),
        (
            lambda: along([(x, abs(x)) for x in range(-4, 5)]),
            BadValue,
            r"a corner of 90° at point 4 \(0, 0\)",
        ),
        (lambda: along(np.c_[np.sin(ANGLES), np.sin(2 * ANGLES)]), BadValue, r"meets itself at \(.*crossings='allow'"),
        (lambda: along([(0, 0), (1, 0), (1, 0), (2, 1)]), BadValue, r"rows = \[\(1, 2\)\]"),
        (lambda: along(np.full((9, 2), np.nan)), NotFinite, "points must be finite"),
        (lambda: along(np.zeros((3, 4))), BadShape, r"points need shape \(n, 2\) or \(n, 3\)"),
        (lambda: along(lambda t: t), BadValue, "a function needs its domain"),
        (lambda: along(ellipse(ANGLES), frame="frenett"), UnknownName, "Did you mean 'frenet'"),
        (lambda: along([(x, 0.1 * np.sin(x), 0) for x in range(9)], frame="frenet"), BadValue, "Frenet frame"),
        (lambda: along(ellipse(ANGLES), frame="surface normal"), BadValue, "needs normal="),
        (lambda: along(helix(ANGLES[:20]), normal=lambda p: 0 * p), BadValue, "the normal vanishes"),
        (lambda: along("M 0 0 L 1 x"), BadValue, "unexpected character.*'x'"),
        (lambda: along("L 0 0"), BadValue, "begins with M x y"),
        (lambda: along("M 0 0 C 1 2 3 4"), BadValue, "C takes 6 numbers"),
        (lambda: Curve.from_svg("M 0 0 H 1 V 1 Z", part=1), BadValue, "it has 1 subpaths"),
        (lambda: Curve.from_svg("M 0 0 A 1 1e200 0 0 1 2 0"), BadValue, "a number beyond 1e"),
        (lambda: Curve.from_lonlat([(0, 45), (10, 50)], 1.0), BadValue, "Are these degrees"),
        (lambda: Curve.from_points(SQUARE, rounding=-1), BadValue, "rounding is a width"),
    ],
)
def test_bad_curves_are_named(make, error, words):
    """Oracle: the words."""
    with pytest.raises(error, match=words):
        make()


def test_millimetres_are_doubted():
    """Oracle: the words."""
    with pytest.warns(CondyleWarning, match="Are these millimetres"):
        Curve.from_points(300 * ellipse(ANGLES))


def test_progress_is_reported_from_the_first_function_to_the_last():
    """Oracle: six functions, of three places and three turns, are made twice."""
    t, seen = np.linspace(0.0, 4.0, 60), []
    cd.joints.along(np.column_stack([np.cos(3 * t), np.sin(3 * t), t]), progress=lambda *x: seen.append(x))
    stages = list(dict.fromkeys(stage for stage, _, _ in seen))
    assert [(done, total) for stage, done, total in seen if stage == stages[0]] == [(k, 6) for k in range(7)]
    assert [(done, total) for stage, done, total in seen if stage == stages[1]] == [(k, 6) for k in range(1, 7)]
