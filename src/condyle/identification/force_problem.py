"""Measured forces, markers and coordinates as functions of the motion and of what is unknown, with derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..dynamics import (
    body_jacobian,
    difference,
    forward_kinematics,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    inverse_dynamics_vjp,
)
from ..model import Model
from ..spatial import adjoint, hat, right_jacobian_inverse
from ..spatial.twists import pose_inverse
from .load_unknowns import CoordinateConstant
from .marker_problem import MarkerProblem
from .measured_motion import Forces
from .motion_spline import Motion, TimeBasis, brackets
from .unknowns import Pulled


@dataclass
class Part:
    """Residuals of one kind over their standard deviations (F, n, c), c numbers that are robust together.

    `slopes` are derivatives (F, n, c, nv) by steps of the motion and by their first and second time derivatives, as
    far as there are any; `shared` those by y, (F, n, c, p).
    """

    name: str
    residuals: np.ndarray
    slopes: tuple[np.ndarray, ...] = ()
    shared: np.ndarray | None = None


@dataclass
class ForceProblem:
    """What is minimised: forces, markers and coordinates that were measured.

    Attributes
    ----------
    markers : MarkerProblem
        Markers, of which there may be none, and the unknowns.
    forces : Forces
    ground : dict of int to ndarray, shape (F, 6)
        Known wrenches on bodies, in world axes at the world's origin.
    coordinates : tuple of (ndarray, float) or None
        Measured coordinates (F, nq) and their standard deviation.
    basis : TimeBasis or None
        Of steps of the motion; None if the motion is taken as it is.
    """

    markers: MarkerProblem
    forces: Forces
    ground: dict[int, np.ndarray]
    coordinates: tuple[np.ndarray, float] | None
    basis: TimeBasis | None

    @property
    def size(self) -> int:
        """How many numbers are shared by all frames."""
        return self.markers.size

    @cached_property
    def seen(self) -> np.ndarray:
        """Which forces were measured, (F, k)."""
        return np.isfinite(self.forces.values)

    def model_at(self, y: np.ndarray) -> Model:
        """The model with its unknowns at y."""
        model = self.markers.model_at(y)
        for k, block in enumerate(self.markers.blocks):
            if isinstance(block, CoordinateConstant):
                model = block.loaded(model, self.markers.part(y, k))
        return model

    def measured_numbers(self) -> int:
        """How many numbers were measured."""
        coordinates = 0 if self.coordinates is None else self.coordinates[0].shape[0] * self.markers.model.nv
        return int(self.seen.sum()) + 3 * int(self.markers.seen.sum()) + coordinates

    def wrenches(self, T: np.ndarray) -> np.ndarray | None:
        """What the ground does to all bodies (F, nbodies, 6), in their axes."""
        if not self.ground:
            return None
        out = np.zeros((*T.shape[:2], 6))
        for i, w in self.ground.items():
            Rt, p = np.swapaxes(T[:, i, :3, :3], 1, 2), T[:, i, :3, 3]
            out[:, i, :3] = (Rt @ (w[:, :3] - np.cross(p, w[:, 3:]))[..., None])[..., 0]
            out[:, i, 3:] = (Rt @ w[:, 3:, None])[..., 0]
        return out

    def torques(self, model: Model, motion: Motion, T: np.ndarray) -> np.ndarray:
        """Computed forces (F, k)."""
        return inverse_dynamics(model, *motion, self.wrenches(T))[:, self.forces.rows]

    def residuals(self, motion: Motion, y: np.ndarray) -> list[Part]:
        """Residuals alone."""
        model = self.model_at(y)
        r, T, _ = self.markers.residuals(model, motion.q, y)
        return [Part("markers", r), self._forces(model, motion, T), *self._coordinates(motion)]

    def _forces(self, model: Model, motion: Motion, T: np.ndarray) -> Part:
        off = (self.torques(model, motion, T) - self.forces.values) / self.forces.sigma
        return Part("torques", np.where(self.seen, off, 0.0)[..., None])

    def _coordinates(self, motion: Motion) -> list[Part]:
        if self.coordinates is None:
            return []
        q, sigma = self.coordinates
        return [Part("coordinates", difference(self.markers.model, q, motion.q)[..., None] / sigma)]

    def linearized(self, motion: Motion, y: np.ndarray) -> list[Part]:
        """Residuals with their derivatives."""
        model = self.model_at(y)
        r, T, x = self.markers.residuals(model, motion.q, y)
        slopes = (self.markers.by_motion(model, motion.q, y, T),) if self.basis else ()
        parts = [Part("markers", r, slopes, self.markers.by_shared(model, motion.q, y, T, x))]
        forces = self._forces(model, motion, T)
        forces.slopes = self._by_motion(model, motion, T) if self.basis else ()
        forces.shared = self._by_shared(model, motion, T, y)
        return [*parts, forces, *self._coordinate_slopes(motion)]

    def _by_motion(self, model: Model, motion: Motion, T: np.ndarray) -> tuple[np.ndarray, ...]:
        """Derivatives of forces by steps of the motion and their rates."""
        wrenches, rows = self.wrenches(T), self.forces.rows
        found = inverse_dynamics_derivatives(model, *motion, wrenches)
        dq = found.dq.copy()
        for i in self.ground:
            assert wrenches is not None
            J = body_jacobian(model, motion.q, i)
            dq -= np.swapaxes(J, 1, 2) @ turning(wrenches[:, i]) @ J
        V, A = brackets(model, motion.v), brackets(model, motion.a)
        by = dq + found.dv @ V + found.da @ A, found.dv + found.da @ V, found.da
        weight = (self.seen / self.forces.sigma)[..., None]
        return tuple((x[:, rows] * weight)[:, :, None] for x in by)

    def _by_shared(self, model: Model, motion: Motion, T: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Derivatives of forces by y, (F, k, 1, p): an adjoint sweep for each force."""
        rows, blocks, wrenches = self.forces.rows, self.markers.blocks, self.wrenches(T)
        names = list(dict.fromkeys(name for b in blocks for name in b.parameters))
        q, v, a = (x[:, None] for x in motion)
        pushed, each = None if wrenches is None else wrenches[:, None], np.eye(model.nv)[rows][None]
        found = inverse_dynamics_vjp(model, q, v, a, pushed, cotangent=each, parameters=names)
        at = Pulled(model, rows, motion.q, motion.v, found.parameters)
        out = np.zeros((len(motion.q), len(rows), self.size))
        for k, block in enumerate(blocks):
            mine, part = slice(self.markers.starts[k], self.markers.starts[k + 1]), self.markers.part(y, k)
            out[..., mine] = block.slopes(at, part)
            if wrenches is None:
                continue
            for carried, twists in block.fields(model, T, motion.q, part):
                for i in carried & self.ground.keys():
                    by_pose = found.wrenches[:, :, i] @ turning(wrenches[:, i]) @ adjoint(pose_inverse(T[:, i]))
                    out[..., mine] += by_pose @ twists
        return (out * (self.seen / self.forces.sigma)[..., None])[:, :, None]

    def _coordinate_slopes(self, motion: Motion) -> list[Part]:
        parts, model = self._coordinates(motion), self.markers.model
        for part in parts:
            assert self.coordinates is not None
            sigma = self.coordinates[1]
            by = np.tile(np.eye(model.nv), (len(motion.q), 1, 1))
            for at, k, _ in model.quaternions:
                width = 6 if at in model.free_quaternions else 3
                off = np.pad(sigma * part.residuals[:, k : k + width, 0], ((0, 0), (0, 6 - width)))
                by[:, k : k + width, k : k + width] = right_jacobian_inverse(off)[:, :width, :width]
            part.slopes = ((by / sigma)[:, :, None],)
            part.shared = np.zeros((*part.residuals.shape, self.size))
        return parts


def turning(w: np.ndarray) -> np.ndarray:
    """How a wrench that stands in the world changes in the axes of a body that moves by a twist: (F, 6, 6)."""
    out = np.zeros((len(w), 6, 6))
    out[:, :3, :3], out[:, :3, 3:] = hat(w[:, :3]), hat(w[:, 3:])
    out[:, 3:, :3] = hat(w[:, 3:])
    return out


def poses(model: Model, motion: Motion) -> np.ndarray:
    """Of all bodies, (F, nbodies, 4, 4)."""
    return forward_kinematics(model, motion.q).as_matrix()
