"""Ways over ellipsoids: geodesics to 1e-9 of high-precision ones, over the active side, without jumps of their own."""

import warnings

import mpmath as mp
import numpy as np
import pytest

import condyle as cd
from support.laboratory import FOLDER

EGG, TRIAXIAL = (0.025, 0.02, 0.02), (0.05, 0.03, 0.04)
FIRST, SECOND = (0.19569573, 1.47822897, 0.74442463), (-0.12706291, -0.97115471, -0.61157624)  # by the radii
LEFT, RIGHT = (-6.0, 0.6, 1.25), (5.0, 1.0, -1.0)
# radii, ends by the radii, quadrant, place by the radii where the way begins and its length on the surface, both rough
WAYS = {
    "over the active side": (EGG, FIRST, SECOND, "-y", (0.0990, 0.1696, 0.9805), 0.0358),
    "shortest of all": (TRIAXIAL, LEFT, RIGHT, "all", (-0.164, 0.977, 0.138), 0.0118),
}


def over(radii, first, second, quadrant):
    """A path from the world to a block that stands still, over an ellipsoid."""
    b = cd.ModelBuilder().add_body("block", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.point(1.0))
    b.add_wrap("egg", "ellipsoid", quadrant=quadrant, dimensions=radii)
    ends = [(None, np.multiply(radii, first)), ("block", np.multiply(radii, second))]
    return b.add_path("way", ends, wraps=["egg"]).build()


def exact_length(radii, first, second, start, length):
    """The way with 30 digits: Taylor series along the geodesic, Newton's method on where it begins and ends."""
    a = [mp.mpf(repr(x)) for x in radii]
    p, q = ([ai * mp.mpf(repr(x)) for ai, x in zip(a, end, strict=True)] for end in (first, second))

    def curve(_, state):
        x, u = state[:3], state[3:]
        n = [xi / ai**2 for xi, ai in zip(x, a, strict=True)]
        k = mp.fsum((ui / ai) ** 2 for ui, ai in zip(u, a, strict=True)) / mp.fsum(ni**2 for ni in n)
        return [*u, *(-k * ni for ni in n)]

    def minus(x, y):
        return [xi - yi for xi, yi in zip(x, y, strict=True)]

    def shot(azimuth, elevation, s):
        y = [mp.cos(azimuth) * mp.cos(elevation), mp.sin(azimuth) * mp.cos(elevation), mp.sin(elevation)]
        x = [ai * yi for ai, yi in zip(a, y, strict=True)]
        d = minus(x, p)
        u = [di / mp.norm(d) for di in d]
        # scaled by the length, so that the end is always at 1
        end = mp.odefun(lambda t, z: [s * w for w in curve(t, z)], 0, [*x, *u], tol=mp.mpf(10) ** -16)(1)
        return y, x, end[:3], end[3:]

    def misfit(azimuth, elevation, s):
        y, _, end, u = shot(azimuth, elevation, s)
        d = minus(q, end)
        n = [e / ai**2 for e, ai in zip(end, a, strict=True)]
        side = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]]
        touch = mp.fsum(yi * pi / ai for yi, pi, ai in zip(y, p, a, strict=True)) - 1
        return [touch, mp.fdot(d, n) / mp.norm(n), mp.fdot(d, side) / mp.norm(side)]

    y = np.array(start) / np.linalg.norm(start)
    guess = [mp.atan2(y[1], y[0]), mp.asin(y[2]), mp.mpf(length)]
    found = mp.findroot(misfit, guess, tol=1e-16, maxsteps=12)
    _, x, end, _ = shot(*found)
    return mp.norm(minus(x, p)) + found[2] + mp.norm(minus(q, end))


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_way_over_an_ellipsoid_is_a_geodesic_to_a_nanometre(name):
    """Oracle: the geodesic with 30 digits, by mpmath's Taylor series and Newton's method in other unknowns."""
    radii, first, second, quadrant, start, length = WAYS[name]
    found = cd.muscles.lengths(over(radii, first, second, quadrant), [0.0])[0]
    with mp.workdps(30):
        expected = exact_length(radii, first, second, start, length)
    assert abs(found - float(expected)) < 1e-9


def test_a_way_with_a_quadrant_goes_over_its_active_side():
    """Oracle: of the four geodesics of this egg, those over −y and y are 17.508 and 13.723 mm longer than the line."""
    straight = np.linalg.norm(np.multiply(EGG, np.subtract(FIRST, SECOND)))
    lengths = [cd.muscles.lengths(over(EGG, FIRST, SECOND, side), [0.0])[0] for side in ("-y", "y", "all")]
    np.testing.assert_allclose(np.subtract(lengths, straight), [0.01750842, 0.01372336, 0.01372336], atol=1e-7)


def shortest_in_a_plane(radii, p, q):
    """The shortest of 720 ways from p to q, two tangents and an arc in one plane; p, q and all else by the radii."""
    d = (q - p) / np.linalg.norm(q - p)
    e = np.cross(d, np.eye(3)[np.abs(d).argmin()])
    e, best = e / np.linalg.norm(e), np.inf
    for angle in np.linspace(0, 2 * np.pi, 720, endpoint=False):
        n = np.cos(angle) * e + np.sin(angle) * np.cross(d, e)
        c = (p @ n) * n
        radius = np.sqrt(max(0, 1 - c @ c))  # 0: the plane misses it, and the line is no way round
        if radius == 0:
            continue
        u = (p - c) / np.linalg.norm(p - c)
        w = np.cross(n, u)
        there = np.arctan2((q - c) @ w, (q - c) @ u) % (2 * np.pi)
        first = np.arccos(min(1, radius / np.linalg.norm(p - c)))
        last = there - np.arccos(min(1, radius / np.linalg.norm(q - c)))
        if last >= first:
            t = np.linspace(first, last, 400)[:, None]
            way = np.vstack([p, c + radius * (np.cos(t) * u + np.sin(t) * w), q]) * radii
            best = min(best, np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    return best


@pytest.mark.slow
def test_ways_to_points_close_to_an_ellipsoid_are_the_short_ones():
    """Oracle: no shorter than the line, no longer than the shortest way in a plane, by NumPy."""
    rng, radii = np.random.default_rng(5), np.array([0.075, 0.17, 0.13])
    seen = 0
    for height in (1e-9, 1e-6, 7e-5, 1e-3, 0.03, 0.3):
        for _ in range(4):
            p, q = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
            p, q = 1.8 * p, (1 + height) * q
            length = cd.muscles.lengths(over(radii, p, q, "all"), [0.0])[0]
            straight, bound = np.linalg.norm(radii * (p - q)), shortest_in_a_plane(radii, p, q)
            assert straight - 1e-12 <= length <= max(straight, bound) + 1e-6, (height, length, bound)
            seen += length > straight + 1e-6
    assert seen > 8


def test_a_quadrant_does_not_send_a_way_round_where_no_string_would_stay():
    """Oracle: the great circle: on a ball the way over the far side is a saddle, not where a string would stay."""
    ball, p = (0.03, 0.03, 0.03000001), np.array([-0.02, 1.5, 0.3])
    q = np.array([-0.02, -0.9, 0.9])
    with pytest.warns(cd.errors.Approximated, match="way"):
        length = cd.muscles.lengths(over(ball, p, q, "x"), [0.0])[0]
    P, Q = np.linalg.norm(p), np.linalg.norm(q)
    turn = np.arccos(p @ q / (P * Q)) - np.arccos(1 / P) - np.arccos(1 / Q)
    assert turn > 0
    np.testing.assert_allclose(length, 0.03 * (np.sqrt(P**2 - 1) + turn + np.sqrt(Q**2 - 1)), rtol=1e-6)


@pytest.mark.slow
def test_the_arm_of_opensim_jumps_only_where_quadrants_demand_it():
    """Oracle: lengths against the integral of their slopes over 1001 shoulder angles; four angles are known at which a
    line begins to pierce an ellipsoid from the side where its path may not go, or no way over that side is left."""
    path = FOLDER / "opensim" / "models" / "arm26.osim"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.errors.NotInModel)
        model = cd.load(path)
    x = np.linspace(-1.5, 2.5, 1001)
    q = np.c_[x, 0 * x]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cd.errors.Approximated)  # beyond 2.018 rad
        L, slope = cd.muscles.lengths(model, q), -cd.muscles.moment_arms(model, q)[:, :, 0]
    off = np.abs(np.diff(L, axis=0) - 0.5 * (x[1] - x[0]) * (slope[1:] + slope[:-1])).max(axis=1)
    known = np.array([0.546, 0.816, 1.590, 2.018])
    where = 0.5 * (x[1:] + x[:-1])[off > 2e-5]
    assert len(where) <= 7
    assert np.abs(where[:, None] - known).min(axis=1).max() < 8e-3, where
