"""Constrained dynamics from one dense linear system, with constraints written in poses.

    [M  −Aᵀ] [a]   [Q − h]
    [A   0 ] [λ] = [ −b  ]      A_i = residual rate along v = e_i,  b = residual acceleration along constant v.

A constraint has `rows(tree, q, v)`: the first and second time derivative of its residual along constant v. For a
constraint on velocities alone (rolling) the "rate" is the residual itself. Redundant rows give the shortest λ.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .loads import track
from .series import terms

__all__ = ["Coupling", "Point", "Rolling", "Weld", "hinge", "lowest_point_of_a_disc", "rolling_acceleration", "solve"]


@dataclass(frozen=True)
class Point:
    """A point of one body stays on a point of another (index, or −1 for the world); λ is the force on the first."""

    first: int
    point1: np.ndarray
    second: int
    point2: np.ndarray

    def rows(self, tree, q, v):
        motion = tree.motion(q, v)
        gap = track(motion, self.first, self.point1) - track(motion, self.second, self.point2)
        return gap[1], 2 * gap[2]


def hinge(first, point1, axis1, second, point2, axis2):
    """Two points of an axis stay together: six rows, one of them redundant."""
    return [Point(first, point1, second, point2), Point(first, point1 + axis1, second, point2 + axis2)]


@dataclass(frozen=True)
class Weld:
    """Two bodies keep their relative pose; six rows, rotation first."""

    first: int
    second: int

    def rows(self, tree, q, v):
        paths = tree.paths(q, v)
        gap = terms(np.linalg.inv(paths[self.first]) @ paths[self.second])
        home = np.linalg.inv(gap[0])
        return six(home @ gap[1]), six(2 * home @ gap[2])


def six(m):
    """Antisymmetric part of the rotation block, and the translation."""
    return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], *(2 * m[:3, 3])]) / 2


@dataclass(frozen=True)
class Coupling:
    """Σ ratios_i q_i is constant."""

    ratios: np.ndarray

    def rows(self, tree, q, v):
        return np.array([self.ratios @ v]), np.zeros(1)


@dataclass(frozen=True)
class Rolling:
    """The material point of a body at its contact with the ground is at rest.

    `arm(R)` is the vector from the body origin to the contact point, in world axes; it must be complex-analytic.
    """

    body: int
    arm: Callable

    def rows(self, tree, q, v, h=1e-30):
        p0, p1, p2 = tree.motion(q, v)[self.body]
        slip = self.slip(p0 + 1j * h * p1, p1 + 2j * h * p2)
        return slip.real, slip.imag / h

    def slip(self, T, rate):
        R, W = T[:3, :3], rate[:3, :3]
        return rate[:3, 3] + W @ R.T @ self.arm(R)


def lowest_point_of_a_disc(radius):
    """Arm of a thin disc whose axis is its z axis, on a horizontal floor."""

    def arm(R):
        across = np.array([0, 0, 1]) - R[2, 2] * R[:, 2]
        return -radius * across / np.sqrt(across @ across)

    return arm


def solve(tree, constraints, q, v, tau=None, wrenches=None):
    """Accelerations and multipliers (one array per constraint)."""
    A = np.hstack([[c.rows(tree, q, e)[0] for e in np.eye(tree.nv)] for c in constraints]).T
    b = np.concatenate([c.rows(tree, q, v)[1] for c in constraints])
    rest = tree.applied(q, v, wrenches) - tree.bias(q, v) + (0 if tau is None else tau)
    K = np.block([[tree.mass_matrix(q), -A.T], [A, np.zeros((len(b), len(b)))]])
    x = np.linalg.lstsq(K, np.concatenate([rest, -b]), rcond=1e-12)[0]
    counts = np.cumsum([len(c.rows(tree, q, v)[0]) for c in constraints])
    return x[: tree.nv], np.split(x[tree.nv :], counts[:-1])


def rolling_acceleration(slope, gravity=9.81, inertia_over_mr2=0.5):
    """Closed form: a round body rolling down an incline of angle `slope` [rad] without slip."""
    return gravity * np.sin(slope) / (1 + inertia_over_mr2)
