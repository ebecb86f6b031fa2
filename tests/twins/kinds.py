"""The registry of joint kinds: random joints as pairs, condyle's constructor beside the written definition.

What is in `KINDS` is put against its definition, against Lagrange's equations and under the contract of all joints.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import make_interp_spline

import condyle as cd
from oracles import definitions as d
from oracles import lagrangian, random_motion
from oracles.series import cosine_sine, fixed, reciprocal_root

__all__ = ["KINDS", "Pair", "hinge"]


@dataclass(frozen=True)
class Pair:
    """A condyle joint, its definition as an oracle, `sample(rng)`, coordinates in its domain, and the definition."""

    joint: object
    oracle: lagrangian.Joint
    sample: Callable
    definition: Callable | None = None


def pair(joint, pose, n):
    """A joint of n plain coordinates beside its definition; sampled in its domain, ±1.3 where it has no end."""
    low, high = np.transpose(joint.domain)
    low, high = np.where(np.isfinite(low), low, -1.3), np.where(np.isfinite(high), high, 1.3)
    return Pair(joint, lagrangian.joint(pose, n), lambda rng: rng.uniform(low, high), pose)


def hinge(axis):
    return pair(cd.joints.revolute(axis), d.screws(d.screw(axis)), 1)


def revolute(rng):
    return hinge(random_motion.unit(rng))


def prismatic(rng):
    axis = random_motion.unit(rng)
    return pair(cd.joints.prismatic(axis), d.screws(np.concatenate([np.zeros(3), axis])), 1)


def helical(rng):
    axis, pitch = random_motion.unit(rng), rng.uniform(-0.3, 0.3)
    return pair(cd.joints.helical(axis, pitch), d.screws(d.screw(axis, pitch)), 1)


def universal(rng):
    first, second = random_motion.unit(rng), random_motion.unit(rng)
    return pair(cd.joints.universal(first, second), d.screws(d.screw(first), d.screw(second)), 2)


def elliptic(rng):
    a, b = rng.uniform(0.4, 1.5, 2)
    return pair(cd.joints.elliptic(a, b), d.elliptic(a, b), 1)


def spline_curve(rng, count=8, order=4):
    frames, knots = random_motion.curve(rng, count), random_motion.knots(rng, count, order)
    oracle = lagrangian.joint(d.spline_curve(frames, knots, order), 1)
    return Pair(cd.joints.spline_curve(frames, knots=knots, order=order), oracle, inside([knots], order))


def spline_surface(rng, shape=(6, 7), order=4):
    controls, knots = random_motion.controls(rng, shape), [random_motion.knots(rng, n, order) for n in shape]
    oracle = lagrangian.joint(d.spline_surface(controls, knots, order), len(shape))
    return Pair(cd.joints.spline_surface(controls, knots, order=order), oracle, inside(knots, order))


def inside(knots, order):
    """Coordinates within the domain of every knot array."""
    low, high = np.transpose([(k[order - 1], k[len(k) - order]) for k in knots])
    return lambda rng: rng.uniform(low, high)


def cylindrical(rng):
    axis = random_motion.unit(rng)
    return pair(cd.joints.cylindrical(axis), d.screws(d.screw(axis), np.append(np.zeros(3), axis)), 2)


def planar(rng):
    return pair(cd.joints.planar(), d.screws(*np.eye(6)[[3, 4, 2]]), 3)


def flat_curve(rng, count=7):
    """A curve in a plane that lies askew."""
    Q, frames = random_motion.pose(rng, 0.0), [random_motion.pose(rng)]
    for _ in range(count - 1):
        frames.append(frames[-1] @ Q @ in_plane(*rng.uniform(-0.4, 0.4, 3)) @ Q.T)
    knots = random_motion.knots(rng, count, 4)
    oracle = lagrangian.joint(d.spline_curve(np.array(frames), knots), 1)
    return Pair(cd.joints.spline_curve(np.array(frames), knots=knots), oracle, inside([knots], 4))


def in_plane(angle, x, y):
    T = np.eye(4)
    T[:2, :2], T[:2, 3] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], (x, y)
    return T


def flat_product(rng):
    """A slide, a turn and a slide in a plane across a random axis, of one coordinate."""
    R, f = random_motion.pose(rng, 0.0)[:3, :3], cd.functions
    twists = np.array([np.r_[np.zeros(3), R[:, 0]], np.r_[R[:, 2], 0.3 * R[:, 1]], np.r_[np.zeros(3), R[:, 1]]])
    functions = [f.polynomial([0.1, 0.3, -0.2, 0.05], 0), f.sinusoid(0.6, 1.3, 0.4, 0.2, 0), f.linear(0, 0.4)]
    curves = [lambda q: cubic(q, q), lambda q: wave(q, q), lambda q: 0.4 * q]
    return pair(cd.joints.product(twists, functions), d.product(twists, curves), 1)


def smooth_curve(rng):
    """Order 6."""
    return spline_curve(rng, count=9, order=6)


def plain_curve(rng):
    """The default knots: clamped, unit spans."""
    frames, knots = random_motion.curve(rng, 6), d.clamped(6, 4)
    return Pair(cd.joints.spline_curve(frames), lagrangian.joint(d.spline_curve(frames, knots), 1), inside([knots], 4))


def closed_curve(rng):
    """Periodic, sampled over several periods."""
    frames, breaks = random_motion.curve(rng, 6, step=0.4), np.cumsum(rng.uniform(0.4, 1.0, 7))
    joint = cd.joints.spline_curve(frames, knots=breaks, periodic=True)
    return Pair(joint, lagrangian.joint(d.closed_curve(frames, breaks), 1), lambda r: r.uniform(-9, 9, 1))


def back_curve(rng):
    """The inverse of a curve."""
    there = spline_curve(rng)
    oracle = lagrangian.Joint(1, 1, lambda q, v, order: np.linalg.inv(there.oracle.path(q, v, order)))
    return Pair(there.joint.inverse(), oracle, there.sample)


def rolling_pair(rng):
    """One curve, then another one backwards: two coordinates."""
    first, second = spline_curve(rng), back_curve(rng)

    def path(q, v, order):
        return first.oracle.path(q[:1], v[:1], order) @ second.oracle.path(q[1:], v[1:], order)

    joint = cd.joints.compose(first.joint, second.joint)
    return Pair(joint, lagrangian.Joint(2, 2, path), lambda r: np.append(first.sample(r), second.sample(r)))


def turning_surface(rng, shape=(5, 6), order=5):
    """Rotations first, then translations."""
    controls, knots = random_motion.controls(rng, shape), [random_motion.knots(rng, n, order) for n in shape]
    oracle = lagrangian.joint(d.spline_surface(controls, knots, order, np.eye(6)), 2)
    return Pair(cd.joints.spline_surface(controls, knots, order, np.eye(6)), oracle, inside(knots, order))


def moving_surface(rng, shape=(5, 6), order=4):
    """A surface that curves of its coordinates carry along, the second one first."""
    controls, knots = random_motion.controls(rng, shape), [random_motion.knots(rng, n, order) for n in shape]
    frames = [random_motion.curve(rng, n) for n in shape]
    curves = [d.spline_curve(f, k, order) for f, k in zip(frames, knots, strict=True)]
    surface = d.spline_surface(controls, knots, order)
    oracle = lagrangian.joint(lambda q0, q1: curves[1](q1) @ curves[0](q0) @ surface(q0, q1), 2)
    base = {c: cd.joints.spline_curve(frames[c], knots[c], order) for c in (1, 0)}
    return Pair(cd.joints.spline_surface(controls, knots, order, base=base), oracle, inside(knots, order))


def along(rng):
    """Along a plane parabola by its own parameter: place (q, c q²), heading atan(2 c q), as cosine and sine."""
    c, spline = rng.uniform(0.05, 0.1), make_interp_spline(np.linspace(-1.5, 1.5, 7), np.zeros((7, 2)), k=3)
    spline.c[:] = parabola(spline, c)

    def pose(q):
        one = np.eye(len(q))
        r = reciprocal_root(one + 4 * c * c * q @ q)
        cos, sin = r, 2 * c * q @ r
        place = {(0, 0): cos, (0, 1): -sin, (1, 0): sin, (1, 1): cos, (0, 3): q, (1, 3): c * q @ q}
        return matrix(place | {(2, 2): one, (3, 3): one})

    return pair(cd.joints.along(spline, coordinate="parameter"), pose, 1)


def track(rng):
    """Along two sides of a polygon, sampled away from the corner between them."""
    p = rng.normal(size=(3, 3))
    sides = np.diff(p, axis=0)
    lengths = np.linalg.norm(sides, axis=1)

    def pose(q):
        one, k = np.eye(len(q)), int(q[0, 0].real > lengths[0])
        place = {(i, i): one for i in range(4)}
        along = (q - (lengths[0] if k else 0.0) * one) / lengths[k]
        return matrix(place | {(i, 3): p[k, i] * one + sides[k, i] * along for i in range(3)})

    def sample(rng):
        k = int(rng.integers(2))
        return np.array([lengths[0] * k + rng.uniform(0.2, 0.8) * lengths[k]])

    return Pair(cd.joints.track(p), lagrangian.joint(pose, 1), sample)


def parabola(spline, c):
    """Control points of (q, c q²): blossoms at the inner knots."""
    t = np.stack([spline.t[k : k + len(spline.c)] for k in (1, 2, 3)])
    pairs = (t[0] * t[1] + t[1] * t[2] + t[0] * t[2]) / 3
    return np.column_stack([t.mean(axis=0), c * pairs])


def bowl(c, e):
    """A frame on z = c x² + e y²: shift, turn about y by −atan z_x, turn about x by atan(z_y/√(1 + z_x²))."""

    def pose(x, y):
        one, a, b = np.eye(len(x)), 2 * c * x, 2 * e * y
        r = reciprocal_root(one + a @ a)
        s = reciprocal_root(one + a @ a + b @ b)
        root = (one + a @ a) @ r
        about_y = {(0, 0): r, (0, 2): -a @ r, (1, 1): one, (2, 0): a @ r, (2, 2): r, (3, 3): one}
        cos, sin = root @ s, b @ s
        about_x = {(0, 0): one, (1, 1): cos, (1, 2): -sin, (2, 1): sin, (2, 2): cos, (3, 3): one}
        shift = {(0, 3): x, (1, 3): y, (2, 3): c * x @ x + e * y @ y} | {(k, k): one for k in range(4)}
        return matrix(shift) @ matrix(about_y) @ matrix(about_x)

    return pose


def matrix(entries):
    return sum(np.kron(x, d.unit(*where)) for where, x in entries.items())


def on_bowl(c, e):
    side = np.linspace(-1.0, 1.0, 7)
    return cd.joints.on(cd.joints.Surface.from_heights(side, side, np.add.outer(c * side**2, e * side**2)))


def on(rng):
    """On a shallow bowl."""
    c, e = rng.uniform(0.02, 0.05, 2)
    return pair(on_bowl(c, e), bowl(c, e), 2)


def ball_surface(r):
    """A frame on a ball of a radius, by turns about y and x, and its definition."""
    out = d.unit(0, 0) + d.unit(1, 1) + d.unit(2, 2) + d.unit(3, 3) + r * d.unit(2, 3)
    joint = cd.joints.compose(cd.joints.universal("y", "x"), cd.joints.weld(cd.SE3.from_translation((0, 0, r))))
    turns = d.screws(d.screw((0, 1, 0)), d.screw((1, 0, 0)))
    return joint, lambda u, v: turns(u, v) @ fixed(out, len(u) - 1)


def contact(rng):
    """A ball on a ball, each by turns about y and x and the radius along z."""
    balls, definitions = zip(*map(ball_surface, rng.uniform(0.3, 0.6, 2)), strict=True)

    def pose(u, v, spin, a, b):
        turned = d.screws(d.screw((0, 0, 1)), d.screw((1, 0, 0)))(spin, np.pi * np.eye(len(spin)))
        return definitions[0](u, v) @ turned @ np.linalg.inv(definitions[1](a, b))

    return pair(cd.joints.contact(*balls), pose, 5)


def straight_edge_on_a_ball(rng):
    """The ball's frame, spin about its normal, roll about the edge, and back along it."""
    (ball, place), moves = ball_surface(rng.uniform(0.3, 0.6)), d.screws(*np.eye(6)[[2, 0]], -np.eye(6)[3])
    joint = cd.joints.contact(ball, cd.joints.prismatic("x"))
    return pair(joint, lambda u, v, *q: place(u, v) @ moves(*q), 5)


def crossing_edges(rng):
    """A parabola in space and a straight edge: rolls about both and the angle between them."""
    made, moves = along(rng), d.screws(*np.eye(6)[[0, 2, 0]], -np.eye(6)[3])
    joint = cd.joints.contact(made.joint, cd.joints.prismatic("x"), touching="crossing")
    return pair(joint, lambda s, *q: made.definition(s) @ moves(*q), 5)


def tangent_curves(rng):
    """Two parabolas that share a point and a tangent, going opposite ways, with a roll about it."""
    return two_parabolas(rng, "tangent", np.eye(6)[0])


def line_contact(rng):
    """Two parabolic cylinders that touch along a line and slide by it."""
    return two_parabolas(rng, "line", np.eye(6)[5])


def two_parabolas(rng, touching, twist):
    first, second, moves = along(rng), along(rng), d.screws(np.eye(6)[2], twist)
    joint = cd.joints.contact(first.joint, second.joint, touching=touching)

    def pose(s, x, t):
        return first.definition(s) @ moves(np.pi * np.eye(len(x)), x) @ np.linalg.inv(second.definition(t))

    return pair(joint, pose, 3)


def compliant(rng):
    """A hinge near z that gives in five directions: three shifts, then turns about x and y."""
    axis = random_motion.unit(rng) * (0.2, 0.2, 0.0) + (0, 0, 1)
    axis /= np.linalg.norm(axis)
    twists = [d.screw(axis), *np.eye(6)[[3, 4, 5, 0, 1]]]
    return pair(cd.joints.compliant(cd.joints.revolute(axis)), d.screws(*twists), 6)


def volume(rng):
    """A surface of three coordinates."""
    return spline_surface(rng, shape=(5, 4, 5))


def written(rng):
    """A joint of one's own: polynomial, sinusoid and linear factors of two coordinates about random twists."""
    twists, f = rng.normal(size=(4, 6)), cd.functions
    functions = [
        f.linear(0),
        f.polynomial([0.1, 0.3, -0.2, 0.05], 1),
        f.sinusoid(0.6, 1.3, 0.4, 0.2, 0),
        f.linear(1, 0.7),
    ]
    definition = d.product(twists, [first, cubic, wave, lambda q0, q1: 0.7 * q1])
    return pair(cd.joints.product(twists, functions), definition, 2)


def first(q0, q1):
    return q0


def cubic(q0, q1):
    return 0.1 * np.eye(len(q1)) + 0.3 * q1 - 0.2 * q1 @ q1 + 0.05 * q1 @ q1 @ q1


def wave(q0, q1):
    one = np.eye(len(q0))
    return 0.2 * one + 0.6 * cosine_sine(1.3 * q0 + 0.4 * one)[1]


def written_within(rng):
    """A joint of one's own that is known within a domain; sampled inside it."""
    twists, f = rng.normal(size=(2, 6)), cd.functions
    functions = [f.polynomial([0.1, 0.3, -0.2, 0.05], 1), f.sinusoid(0.6, 1.3, 0.4, 0.2, 0)]
    joint = cd.joints.product(twists, functions, domain=[(-0.7, 0.9), (-0.4, 1.1)])
    return pair(joint, d.product(twists, [cubic, wave]), 2)


def callable_product(rng):
    """A user's own Python functions of one and two coordinates, kept as polynomial pieces."""
    twists, f = rng.normal(size=(2, 6)), cd.functions
    bent = f.from_callable(lambda x: 0.5 * np.sin(1.3 * x + 0.2 * x**2), (-1.3, 1.3))
    mixed = f.from_callable(lambda x, y: np.cos(x) * y, ((-1.3, 1.3), (-1.3, 1.3)), (0, 1))
    definition = [lambda x, y: 0.5 * cosine_sine(1.3 * x + 0.2 * x @ x)[1], lambda x, y: cosine_sine(x)[0] @ y]
    return pair(cd.joints.product(twists, [bent, mixed]), d.product(twists, definition), 2)


def ball(rng):
    return Pair(cd.joints.ball(), lagrangian.ball, random_motion.quaternion)


def free(rng):
    return Pair(cd.joints.free(), lagrangian.free, lambda r: np.append(random_motion.quaternion(r), r.normal(size=3)))


KINDS = {
    f.__name__: f
    for f in (
        revolute,
        prismatic,
        helical,
        universal,
        cylindrical,
        planar,
        elliptic,
        spline_curve,
        smooth_curve,
        plain_curve,
        closed_curve,
        flat_curve,
        flat_product,
        back_curve,
        rolling_pair,
        spline_surface,
        turning_surface,
        moving_surface,
        along,
        track,
        on,
        contact,
        straight_edge_on_a_ball,
        crossing_edges,
        tangent_curves,
        line_contact,
        compliant,
        volume,
        written,
        written_within,
        callable_product,
        ball,
        free,
    )
}
