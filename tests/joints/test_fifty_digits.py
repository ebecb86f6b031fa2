"""Joints from shapes, moving bases, compliance and a user's own functions against fifty digits of what they mean."""

import numpy as np
import pytest
from mpmath import mp, mpf

import condyle as cd
from oracles import fifty_digits as f
from oracles import random_motion
from twins.kinds import KINDS

SEED = 31


def matrix(rows):
    return mp.matrix([*rows, [0, 0, 0, 1]])


def along(rng):
    """(q, c q²), heading along it."""
    c = mpf(float(rng.uniform(0.05, 0.1)))

    def pose(q):
        r = 1 / mp.sqrt(1 + 4 * c * c * q * q)
        return matrix([[r, -2 * c * q * r, 0, q], [2 * c * q * r, r, 0, c * q * q], [0, 0, 1, 0]])

    return pose


def on(rng):
    """z = c x² + e y², x axis along the first parameter, z the normal."""
    c, e = (mpf(float(x)) for x in rng.uniform(0.02, 0.05, 2))

    def pose(x, y):
        a, b = 2 * c * x, 2 * e * y
        r, s = 1 / mp.sqrt(1 + a * a), 1 / mp.sqrt(1 + a * a + b * b)
        first, normal = (r, 0, a * r), (-a * s, -b * s, s)
        second = [normal[k - 2] * first[k - 1] - normal[k - 1] * first[k - 2] for k in range(3)]
        return matrix([[first[k], second[k], normal[k], (x, y, c * x * x + e * y * y)[k]] for k in range(3)])

    return pose


def contact(rng):
    """Two balls: out along the normal of one, half a turn, in along that of the other."""
    radii = rng.uniform(0.3, 0.6, 2)
    out, (x, y, z) = np.eye(6)[5], np.eye(6)[:3]

    def pose(u, v, spin, a, b):
        there = f.screws([y, x, out, z, x], [u, v, mpf(float(radii[0])), spin, mp.pi])
        return there * mp.inverse(f.screws([y, x, out], [a, b, mpf(float(radii[1]))]))

    return pose


def moving_surface(rng, shape=(5, 6), order=4):
    """Curves of the second and the first coordinate, then six tensor splines."""
    controls, knots = random_motion.controls(rng, shape), [random_motion.knots(rng, n, order) for n in shape]
    frames = [random_motion.curve(rng, n) for n in shape]
    curves = [f.spline_curve(*x, order) for x in zip(frames, knots, strict=True)]

    def pose(u, v):
        values = [f.tensor(controls[..., k], knots, order, (u, v)) for k in range(6)]
        return curves[1](v) * curves[0](u) * f.screws(np.roll(np.eye(6), 3, axis=1), values)

    return pose


def compliant(rng):
    axis = random_motion.unit(rng) * (0.2, 0.2, 0.0) + (0, 0, 1)
    twists = [np.r_[axis / np.linalg.norm(axis), np.zeros(3)], *np.eye(6)[[3, 4, 5, 0, 1]]]
    return lambda *q: f.screws(twists, q)


def track(rng):
    p = rng.normal(size=(3, 3))
    sides, lengths = np.diff(p, axis=0), np.linalg.norm(np.diff(p, axis=0), axis=1)

    def pose(q):
        k = int(q > lengths[0])
        far = (q - mpf(float(lengths[0])) * k) / mpf(float(lengths[k]))
        return matrix(
            [[*map(int, np.eye(3)[i]), mpf(float(p[k, i])) + mpf(float(sides[k, i])) * far] for i in range(3)]
        )

    return pose


def written_within(rng):
    twists = rng.normal(size=(2, 6))
    c = [mpf(x) for x in ("0.1", "0.3", "-0.2", "0.05")]

    def pose(x, y):
        wave = mpf("0.2") + mpf("0.6") * mp.sin(mpf("1.3") * x + mpf("0.4"))
        return f.screws(twists, [c[0] + c[1] * y + c[2] * y * y + c[3] * y**3, wave])

    return pose


def callable_product(rng):
    twists = rng.normal(size=(2, 6))
    return lambda x, y: f.screws(twists, [mp.sin(mpf("1.3") * x + mpf("0.2") * x * x) / 2, mp.cos(x) * y])


MEANT = {g.__name__: g for g in (
    along, on, contact, moving_surface, compliant, track, written_within, callable_product,
)}  # fmt: skip


def near_breakpoints(joint, rng, sample):
    """Coordinates beside both ends of some of the joint's pieces, where derivatives are the least exact."""
    found = []
    for segment in joint.segments:
        for c, breaks in zip(segment.grid.coordinates, segment.grid.breaks, strict=True):
            for at, beside in ((rng.integers(len(breaks) - 1), 1e-7), (1 + rng.integers(len(breaks) - 1), -1e-7)):
                found.append(sample(rng))
                found[-1][c] = breaks[at] + beside
    return [found[k] for k in rng.permutation(len(found))[:3]]


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=pytest.mark.slow) if k == "moving_surface" else k for k in MEANT]
)
def test_poses_and_their_derivatives_to_eleven_digits(kind):
    """Oracle: 50 digits of the definition, drawn anew from the same seed; derivatives by differences."""
    rng = np.random.default_rng(SEED)
    pair, meant = KINDS[kind](rng), MEANT[kind](np.random.default_rng(SEED))
    for q in [pair.sample(rng), *near_breakpoints(pair.joint, rng, pair.sample)]:
        way = rng.normal(size=len(q))
        expected = f.derivatives(meant, q, way)
        found = pair.joint.pose(q).as_matrix(), pair.joint.jacobian(q), pair.joint.hessian(q) @ way
        for a, b in zip(found, expected, strict=True):
            assert np.abs(a - b).max() < 1e-11 * max(1.0, np.abs(b).max())


def unit(a):
    size = mp.sqrt(mp.fsum(x * x for x in a))
    return [x / size for x in a]


def facing(x, z, p):
    """The pose with these x and z axes at p."""
    y = [z[k - 2] * x[k - 1] - z[k - 1] * x[k - 2] for k in range(3)]
    return matrix([[x[k], y[k], z[k], p[k]] for k in range(3)])


def ellipse(s):
    """By its length, which is an elliptic integral of the second kind."""
    a, b = mpf(0.6), mpf(0.35)
    m, t = 1 - (b / a) ** 2, 2 * s
    for _ in range(8):  # Newton
        length = a * (mp.ellipe(t - mp.pi / 2, m) + mp.ellipe(m))
        t -= (length - s) / mp.hypot(a * mp.sin(t), b * mp.cos(t))
    return facing(unit([-a * mp.sin(t), b * mp.cos(t), 0]), [0, 0, 1], [a * mp.cos(t), b * mp.sin(t), 0])


RADIUS, RISE = mpf(0.2), mpf(0.1)
TURN = mp.hypot(RADIUS, RISE)  # [m] by radian


def frenet(s):
    c, d = mp.cos(s / TURN), mp.sin(s / TURN)
    tangent, across = unit([-RADIUS * d, RADIUS * c, RISE]), unit([RISE * d, -RISE * c, RADIUS])
    return facing(tangent, across, [RADIUS * c, RADIUS * d, RISE * s / TURN])


def minimizing(s):
    """Turned against Frenet's frame by −torsion · length, up to the roll that it begins with."""
    return frenet(s) * f.screws([np.eye(6)[0]], [-RISE / TURN**2 * s])


def ball(u, v):
    out = [mp.cos(v) * mp.cos(u), mp.cos(v) * mp.sin(u), mp.sin(v)]
    return facing([-mp.sin(u), mp.cos(u), 0], out, [mpf(0.3) * x for x in out])


def sheet(x, y):
    a, b = mpf(0.1) * 3 * mp.cos(3 * x) * mp.cos(2 * y), -mpf(0.1) * 2 * mp.sin(3 * x) * mp.sin(2 * y)
    return facing(unit([1, 0, a]), unit([-a, -b, 1]), [x, y, mpf(0.1) * mp.sin(3 * x) * mp.cos(2 * y)])


def helix_curve():
    return cd.joints.Curve.from_function(
        lambda t: np.stack([0.2 * np.cos(t), 0.2 * np.sin(t), 0.1 * t], axis=-1), (0, 9)
    )


def ellipse_curve():
    points = lambda t: np.stack([0.6 * np.cos(t), 0.35 * np.sin(t)], axis=-1)  # noqa: E731
    return cd.joints.Curve.from_function(points, (0, 2 * np.pi), closed=True)


def ball_surface():
    points = lambda u, v: 0.3 * np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=-1)  # noqa: E731
    return cd.joints.Surface.from_function(points, ((-1, 1), (-0.7, 0.7)))


def sheet_surface():
    return cd.joints.Surface.from_function(lambda x, y: 0.1 * np.sin(3 * x) * np.cos(2 * y), ((-1, 1), (-1, 1)))


WRITTEN = {
    "ellipse": (lambda: cd.joints.along(ellipse_curve()), ellipse),
    "helix, Frenet": (lambda: cd.joints.along(helix_curve(), frame="frenet"), frenet),
    "helix, rotation-minimising": (lambda: cd.joints.along(helix_curve()), minimizing),
    "ball": (lambda: cd.joints.on(ball_surface()), ball),
    "wavy sheet": (lambda: cd.joints.on(sheet_surface()), sheet),
}


def rolled_alike(joint, meant):
    """What is meant with a constant roll about x, the joint's at one place: `up` on the whole has no closed form."""
    q = 0.5
    between = np.linalg.inv(f.floats(meant(mpf(q)))) @ joint.pose([q]).as_matrix()
    roll = mpf(float(np.arctan2(between[2, 1], between[1, 1])))
    return lambda s: meant(s) * f.screws([np.eye(6)[0]], [roll])


@pytest.mark.parametrize("shape", WRITTEN)
def test_joints_of_written_shapes_to_eleven_digits(shape):
    """Oracle: 50 digits of the shape and its frame; derivatives by differences, also beside breakpoints."""
    build, meant = WRITTEN[shape]
    joint, rng = build(), np.random.default_rng(SEED)
    meant = rolled_alike(joint, meant) if meant is minimizing else meant

    def sample(rng):
        return np.array([rng.uniform(low, high) for low, high in np.clip(joint.domain, -3.0, 3.0)])

    for q in [
        *(sample(rng) for _ in range(3)),
        *near_breakpoints(joint, rng, sample),
        *near_breakpoints(joint, rng, sample),
    ]:
        way = rng.normal(size=len(q))
        expected = f.derivatives(meant, q, way)
        found = joint.pose(q).as_matrix(), joint.jacobian(q), joint.hessian(q) @ way
        for a, b in zip(found, expected, strict=True):
            assert np.abs(a - b).max() < 1e-11 * max(1.0, np.abs(b).max())


FUNCTIONS = {
    "sine": (lambda x, m: m.sin(x), (0.0, 30.0)),
    "tanh": (lambda x, m: m.tanh(3 * x), (-2.0, 2.0)),
    "bell": (lambda x, m: 1 / (1 + 25 * x * x), (-1.0, 1.0)),
    "logarithm": (lambda x, m: m.log(x), (0.05, 3.0)),
    "nearly a corner": (lambda x, m: m.sqrt(x * x + 0.01), (-1.0, 1.0)),
    "quick and small": (lambda x, m: 0.02 * m.cos(40 * x), (0.0, 0.2)),
}
BOUNDS = {"complex": (1e-13, 1e-12, 1e-11, 1e-9), "real": (1e-12, 1e-11, 5e-9, 1e-6)}  # of f, f′, f″, f‴, by their size


@pytest.mark.parametrize("numbers", BOUNDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_first_three_derivatives_of_a_users_function(name, numbers):
    """Oracle: mpmath; 1e-11 of f″'s size with complex numbers; without, and of f‴, what the function says of itself."""
    meant, (low, high) = FUNCTIONS[name]

    def written(x):
        assert numbers == "complex" or not np.iscomplexobj(x)
        return meant(x, np)

    made = cd.functions.from_callable(written, (low, high))
    breaks, rng = made.grid.breaks[0], np.random.default_rng(SEED)
    x = np.concatenate([rng.uniform(low, high, 12), breaks[:-1][:6] + 1e-9, breaks[1:][:6] - 1e-9])
    for k, stated in enumerate((made.error, *made.derivative_errors)):
        expected = np.array([float(mp.diff(lambda y: meant(y, mp), mpf(float(a)), k)) for a in x])
        off = np.abs(made.derivative(x, order=k) - expected).max() / np.abs(expected).max()
        assert off < 4 * stated + 1e-13
        assert off < BOUNDS[numbers][k]
