"""Dynamics of any tree from its poses alone: Lagrange's equations in the form of Uicker and Kahn.

With T_b(t) the 4x4 pose of body b and P_b = ∫ [r; 1][r; 1]ᵀ dm its pseudo-inertia, the kinetic energy is
½ Σ tr(Ṫ P Ṫᵀ) and the equations of motion are Σ_b tr(∂_iT_b P_b T̈_bᵀ) = Q_i. No twist, adjoint, Jacobian recursion or
bias formula enters: ∂_iT is the velocity of T along v = e_i and T̈ is its acceleration along constant v plus Σ ∂_iT a_i.
The same holds for quaternion joints, whose paths of constant v are T_0 exp(V̂ t) (d'Alembert's principle needs only
∂Ṫ/∂v_i).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .definitions import quaternion_pose
from .series import exponential, fixed, series, terms

__all__ = ["Body", "Joint", "Tree", "ball", "free", "joint"]


@dataclass(frozen=True)
class Joint:
    """How the child frame moves: `path(q, v, order)` is its pose along constant velocity v."""

    nq: int
    nv: int
    path: Callable


def joint(pose, n):
    """A joint with n ordinary coordinates from a function of `definitions`."""
    return Joint(n, n, lambda q, v, order: pose(*[series([x, y], order) for x, y in zip(q, v, strict=True)]))


def quaternion_joint(nq, nv, twist):
    """Pose T(q) exp(V̂ t)."""

    def path(q, v, order):
        return fixed(quaternion_pose(q), order) @ exponential(twist(v), series([0.0, 1.0], order))

    return Joint(nq, nv, path)


ball = quaternion_joint(4, 3, lambda w: np.concatenate([w, np.zeros(3)]))
free = quaternion_joint(7, 6, np.asarray)


@dataclass(frozen=True)
class Body:
    """A body of the tree; `parent` is an index or −1 for the world, `moment` is about the centre of mass."""

    parent: int
    joint: Joint
    mass: float
    com: np.ndarray
    moment: np.ndarray
    placement: np.ndarray = field(default_factory=lambda: np.eye(4))
    offset: np.ndarray = field(default_factory=lambda: np.eye(4))

    @property
    def pseudo_inertia(self):
        first = self.mass * np.asarray(self.com, float)
        second = 0.5 * np.trace(self.moment) * np.eye(3) - self.moment + np.outer(first, self.com)
        return np.block([[second, first[:, None]], [first[None], np.array([[self.mass]])]])


@dataclass(frozen=True)
class Tree:
    """Bodies in order, and what acts on them (`loads`, see `loads.py`)."""

    bodies: tuple[Body, ...]
    gravity: np.ndarray = field(default_factory=lambda: np.array([0, 0, -9.81]))
    loads: tuple = ()
    memory: dict = field(default_factory=dict, repr=False, compare=False)

    @property
    def nv(self):
        return sum(b.joint.nv for b in self.bodies)

    @property
    def nq(self):
        return sum(b.joint.nq for b in self.bodies)

    @property
    def pseudo_inertias(self):
        return np.array([b.pseudo_inertia for b in self.bodies])

    def starts(self, k):
        """Where the coordinates and the velocities of body k begin."""
        before = [b.joint for b in self.bodies[:k]]
        return sum(j.nq for j in before), sum(j.nv for j in before)

    def step(self, k, q, v, order):
        """The pose of body k in its parent along constant v, as block series."""
        b, (i, j) = self.bodies[k], self.starts(k)
        path = b.joint.path(q[i : i + b.joint.nq], v[j : j + b.joint.nv], order)
        return fixed(b.placement, order) @ path @ fixed(np.linalg.inv(b.offset), order)

    def chained(self, steps):
        """Poses in the world from poses in the parents."""
        poses = []
        for b, step in zip(self.bodies, steps, strict=True):
            poses.append(poses[b.parent] @ step if b.parent >= 0 else step)
        return poses

    def paths(self, q, v, order=2):
        """Every pose along constant v, as block series."""
        return self.chained([self.step(k, q, v, order) for k in range(len(self.bodies))])

    def motion(self, q, v, order=2):
        """Coefficients of every pose along constant v, shape (nbodies, order + 1, 4, 4)."""
        return np.array([terms(T) for T in self.paths(q, v, order)])

    def poses(self, q):
        """4x4 pose of every body."""
        return self.motion(q, np.zeros(self.nv), 0)[:, 0]

    def tangents(self, q):
        """∂T_b/∂v_i, shape (nv, nbodies, 4, 4); the last answer is kept."""
        key = np.asarray(q).tobytes()
        if key not in self.memory:
            self.memory.clear()
            self.memory[key] = np.array(list(self.each_tangent(q)))
        return self.memory[key]

    def each_tangent(self, q):
        """Rates of all poses while one joint moves with v_i = 1 and the others rest."""
        still = [self.step(k, q, np.zeros(self.nv), 1) for k in range(len(self.bodies))]
        for k, b in enumerate(self.bodies):
            first = self.starts(k)[1]
            for e in np.eye(self.nv)[first : first + b.joint.nv]:
                paths = self.chained([*still[:k], self.step(k, q, e, 1), *still[k + 1 :]])
                yield [terms(T)[1] for T in paths]

    def mass_matrix(self, q):
        """M_ij = Σ tr(∂_iT P ∂_jTᵀ)."""
        d = self.tangents(q)
        return np.einsum("ibxy,byz,jbxz->ij", d, self.pseudo_inertias, d, optimize=True)

    def bias(self, q, v):
        """Velocity terms Σ tr(∂_iT P T̈ᵀ) at a = 0."""
        acceleration = 2 * self.motion(q, v)[:, 2]
        return np.einsum("ibxy,byz,bxz->i", self.tangents(q), self.pseudo_inertias, acceleration, optimize=True)

    def weight(self, q):
        """Generalised force of gravity, Σ gᵀ ∂_i(mass × centre of mass)."""
        return np.einsum("ibxy,by,x->i", self.tangents(q)[:, :, :3], self.pseudo_inertias[:, :, 3], self.gravity)

    def applied(self, q, v, wrenches=None):
        """Generalised forces of gravity, loads and body wrenches."""
        total = self.weight(q) + sum((load.force(self, q, v) for load in self.loads), np.zeros(self.nv))
        return total if wrenches is None else total + self.of_wrenches(q, wrenches)

    def of_wrenches(self, q, wrenches):
        """Power of wrenches [moment; force] in body axes at the body origins, along each v_i = 1."""
        rate = np.einsum("bxy,ibyz->ibxz", np.linalg.inv(self.poses(q)), self.tangents(q))
        twist = np.stack([rate[..., 2, 1], rate[..., 0, 2], rate[..., 1, 0], *np.moveaxis(rate[..., :3, 3], -1, 0)], -1)
        return np.einsum("ibk,bk->i", twist, wrenches)

    def forward(self, q, v, tau=None, wrenches=None, prescribed=None):
        """Accelerations; those in `prescribed` {index: acceleration} are given, the others follow."""
        known = dict(prescribed or {})
        M = self.mass_matrix(q)
        rest = self.applied(q, v, wrenches) - self.bias(q, v) + (0 if tau is None else tau)
        a = np.zeros(self.nv, dtype=rest.dtype)
        a[list(known)] = list(known.values())
        free = [i for i in range(self.nv) if i not in known]
        a[free] = np.linalg.solve(M[np.ix_(free, free)], (rest - M @ a)[free])
        return a

    def inverse(self, q, v, a, wrenches=None):
        """Joint forces for accelerations a."""
        return self.mass_matrix(q) @ a + self.bias(q, v) - self.applied(q, v, wrenches)

    def energy(self, q, v):
        """(kinetic, potential, total)."""
        T, rate = self.motion(q, v, 1).swapaxes(0, 1)
        kinetic = 0.5 * np.einsum("bxy,byz,bxz->", rate, self.pseudo_inertias, rate)
        potential = -np.einsum("bxy,by,x->", T[:, :3], self.pseudo_inertias[:, :, 3], self.gravity)
        potential = potential + sum(load.energy(self, q) for load in self.loads)
        return kinetic, potential, kinetic + potential

    def momentum(self, q, v):
        """(linear, angular about the centre of mass), from ∫ ṗ pᵀ dm = Σ Ṫ P Tᵀ."""
        T, rate = self.motion(q, v, 1).swapaxes(0, 1)
        W = np.einsum("bwx,bxy,bzy->wz", rate, self.pseudo_inertias, T)
        com = np.einsum("bxy,by->x", T[:, :3], self.pseudo_inertias[:, :, 3]) / self.pseudo_inertias[:, 3, 3].sum()
        about_origin = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])
        return W[:3, 3], about_origin - np.cross(com, W[:3, 3])
