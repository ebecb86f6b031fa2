"""Random joints of every kind as pairs: condyle's constructor beside the written definition."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import condyle as cd
from oracles import definitions as d
from oracles import lagrangian, random_motion

__all__ = ["KINDS", "Pair", "hinge"]

SLIDE_Z = np.array([0, 0, 0, 0, 0, 1.0])


@dataclass(frozen=True)
class Pair:
    """A condyle joint, its definition, and `sample(rng)`, coordinates inside its domain."""

    joint: object
    oracle: lagrangian.Joint
    sample: Callable


def angles(n):
    return lambda rng: rng.uniform(-1.3, 1.3, n)


def pair(joint, pose, n):
    return Pair(joint, lagrangian.joint(pose, n), angles(n))


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


def ball(rng):
    return Pair(cd.joints.ball(), lagrangian.ball, random_motion.quaternion)


def free(rng):
    return Pair(cd.joints.free(), lagrangian.free, lambda r: np.append(random_motion.quaternion(r), r.normal(size=3)))


KINDS = {
    f.__name__: f for f in (revolute, prismatic, helical, universal, elliptic, spline_curve, spline_surface, ball, free)
}
