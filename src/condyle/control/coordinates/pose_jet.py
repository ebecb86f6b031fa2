"""A posture: where everything is, as jets, for formulas that are functions of pose and time.

Equations are those of [ParkFussellBrowne1992].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ...dynamics.body_jacobians import world_jacobian
from ...dynamics.coordinate_differences import coordinate_rates
from ...dynamics.energy import principal_inertias
from ...dynamics.kinematics import STEP, Motion, motion, stepped
from ...errors import NotSupported
from ...model import Model
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike
from .jets import Jet, stack


class Posture:
    """States with the derivatives that coordinates are made of.

    Parameters
    ----------
    model : Model
    q : ndarray, shape (count, nq)
    t : ndarray, shape (count,)
        [s]
    along : pair of ndarray, optional
        (v, rate of t): a tiny imaginary step ahead along them, for rates.
    single : bool, optional
        Run one state at a time.
    threads : int, optional
    """

    def __init__(
        self,
        model: Model,
        q: np.ndarray,
        t: np.ndarray,
        along: tuple[np.ndarray, np.ndarray] | None = None,
        single: bool = False,
        threads: int | None = None,
    ):
        self.model, self._real, self.time, self.along = model, q, t, along
        self._single, self._threads = single, threads
        self._q = q if along is None else stepped(model, q, along[0])
        self._t = t if along is None else t + 1j * STEP * along[1]
        self._motion = motion(model, self._q, single=single, threads=threads)

    def __len__(self) -> int:
        return len(self._q)

    def shifted(self, dq: np.ndarray) -> Posture:
        """The same with other coordinates: q + dq.

        Parameters
        ----------
        dq : ndarray, shape (count, nq)

        Returns
        -------
        Posture
        """
        return Posture(self.model, self._real + dq, self.time, self.along, self._single, self._threads)

    @property
    def real_q(self) -> np.ndarray:
        """The coordinates as plain numbers (count, nq)."""
        return self._real

    @property
    def motion(self) -> Motion:
        """Where all bodies are, and the axes of all velocities, of the coordinates a step ahead."""
        return self._motion

    @cached_property
    def q(self) -> Jet:
        """All coordinates (count, nq)."""
        columns = coordinate_rates(self.model, self._q[:, None, :], np.eye(self.model.nv))
        return self.jet(self._q, np.swapaxes(columns, -1, -2))

    @property
    def t(self) -> Jet:
        """The time (count,) [s]."""
        slope = np.zeros((len(self), self.model.nv + 1))
        slope[:, -1] = 1.0
        return Jet(self._t, slope)

    def __getitem__(self, coordinate: str) -> Jet:
        """A coordinate (count,), by name."""
        at = self.model.q_index(coordinate)
        if any(start == at for start, _, _ in self.model.quaternions):
            raise NotSupported(f"coordinate {coordinate!r} is a quaternion; use orientation() or posture.rotation()")
        slope = np.zeros((len(self), self.model.nv + 1))
        slope[:, self.model.v_index(coordinate)] = 1.0
        return Jet(self._q[:, at], slope)

    def point(self, body: str | None, point: ArrayLike = (0.0, 0.0, 0.0)) -> Jet:
        """The world position (count, 3) [m] of a point given in body axes; body None: of the world.

        Parameters
        ----------
        body : str or None
            None is the world.
        point : array_like, shape (3,), optional
            In body axes [m].

        Returns
        -------
        Jet

        Raises
        ------
        BadShape
            If the point is not three numbers.
        UnknownName
            If there is no such body.
        """
        x = finite_vector(point, 3, "a point of a body [m]")
        if body is None:
            return self._constant(x)
        i = self.model.body_index(body)
        at = self._turned(i, x - self.model.inertial_frames[i, :3, 3]) + self._motion.p[:, i]
        return self.jet(at, world_jacobian(self.model, self._motion, i, at)[:, 3:])

    def direction(self, body: str | None, axis: ArrayLike) -> Jet:
        """A direction fixed in a body, in world axes (count, 3).

        Parameters
        ----------
        body : str or None
            None is the world.
        axis : array_like, shape (3,)
            In body axes.

        Returns
        -------
        Jet

        Raises
        ------
        BadShape
            If the axis is not three numbers.
        UnknownName
            If there is no such body.
        """
        x = finite_vector(axis, 3, "a direction in body axes")
        if body is None:
            return self._constant(x)
        d = self._turned(self.model.body_index(body), x)
        return self.jet(d, np.cross(self.spin_columns(body), d[:, :, None], axis=1))

    def rotation(self, body: str | None) -> Jet:
        """The rotation matrix (count, 3, 3) of a body.

        Parameters
        ----------
        body : str or None
            None is the world.

        Returns
        -------
        Jet
        """
        return stack([self.direction(body, axis) for axis in np.eye(3)], axis=-1)

    def spin_columns(self, body: str | int) -> np.ndarray:
        """Angular velocities (count, 3, nv) of a body, world axes, for unit velocities.  [eq. 18]

        Parameters
        ----------
        body : str or int

        Returns
        -------
        ndarray, shape (count, 3, nv)
        """
        at = self._motion.p[:, self.model.body_index(body)]
        return world_jacobian(self.model, self._motion, self.model.body_index(body), at)[:, :3]

    def center_of_mass(self) -> Jet:
        """The centre of mass of all bodies (count, 3) [m]."""
        masses, _ = principal_inertias(self.model)
        total = masses.sum()
        return self.jet(np.einsum("b,sbi->si", masses, self._motion.p) / total, self.momentum_columns()[:, 3:] / total)

    def momentum_columns(self) -> np.ndarray:
        """[angular about the centre of mass; linear] momentum (count, 6, nv), world axes, for unit velocities."""
        masses, _ = principal_inertias(self.model)
        S = self._columns_at_origin()
        h = self._with_guests(np.einsum("skij,skj->sik", self._carried_inertias(), S))
        center = np.einsum("b,sbi->si", masses, self._motion.p) / masses.sum()
        h[:, :3] -= np.cross(center[:, :, None], h[:, 3:], axis=1)
        return h

    def _with_guests(self, columns: np.ndarray) -> np.ndarray:
        """Columns (…, nv) of velocities: those of `model.guests`, after them, are added where they belong."""
        nv = self.model.nv
        out = columns[..., :nv].copy()
        for g, (_, velocity) in enumerate(self.model.guests):
            out[..., velocity] += columns[..., nv + g]
        return out

    def _columns_at_origin(self) -> np.ndarray:
        """Joint columns as twists [ω; v] at the world's origin, in world axes, (count, nv, 6), then those of guests."""
        w, v = self._motion.axes[..., :3], self._motion.axes[..., 3:]
        return np.concatenate([w, v - np.cross(w, self._motion.p[:, self._owners])], axis=-1)

    @cached_property
    def _owners(self) -> np.ndarray:
        """The body that each velocity moves, then those that guest columns move."""
        own = [i for i, n in enumerate(self.model.freedoms) for _ in range(n)]
        return np.array([*own, *(body for body, _ in self.model.guests)], dtype=int)

    def _carried_inertias(self) -> np.ndarray:
        """For each velocity the spatial inertia (count, nv, 6, 6) at the world's origin of all that it moves."""
        I = self._spatial_inertias()
        for i in range(self.model.nbodies - 1, -1, -1):
            parent = self.model.bodies[i].parent
            if parent >= 0:
                I[:, parent] += I[:, i]
        return I[:, self._owners]

    def _spatial_inertias(self) -> np.ndarray:
        masses, moments = principal_inertias(self.model)
        R, p = self._motion.R, self._motion.p
        P = _cross_matrices(p)
        I = np.zeros((*p.shape[:2], 6, 6), dtype=p.dtype)
        I[..., :3, :3] = np.einsum("sbij,bj,sbkj->sbik", R, moments, R) - masses[:, None, None] * (P @ P)
        I[..., :3, 3:] = masses[:, None, None] * P
        I[..., 3:, :3] = -I[..., :3, 3:]
        I[..., 3:, 3:] = masses[:, None, None] * np.eye(3)
        return I

    def _turned(self, body: int, x: np.ndarray) -> np.ndarray:
        """A vector of body axes in world axes (count, 3); the engine's frames are the bodies' principal ones."""
        return self._motion.R[:, body] @ (x @ self.model.inertial_frames[body, :3, :3])

    def jet(self, value: np.ndarray, columns: np.ndarray) -> Jet:
        """A quantity that does not depend on time itself.

        Parameters
        ----------
        value : ndarray, shape (count, …)
        columns : ndarray, shape (count, …, nv)
            Its rates for unit velocities.

        Returns
        -------
        Jet
        """
        return Jet(value, np.concatenate([columns, np.zeros_like(columns[..., :1])], axis=-1))

    def _constant(self, x: np.ndarray) -> Jet:
        value = np.broadcast_to(x, (len(self), *x.shape))
        return Jet(value, np.zeros((*value.shape, self.model.nv + 1)))

    def rates_only(self, columns: np.ndarray) -> Jet:
        """Quantities known by their rates alone: rate = columns · v, no value.

        Parameters
        ----------
        columns : ndarray, shape (count, …, nv)

        Returns
        -------
        Jet
        """
        return self.jet(np.zeros(columns.shape[:-1]), columns)


def _cross_matrices(p: np.ndarray) -> np.ndarray:
    P = np.zeros((*p.shape, 3), dtype=p.dtype)
    P[..., 2, 1], P[..., 0, 2], P[..., 1, 0] = p[..., 0], p[..., 1], p[..., 2]
    return P - np.swapaxes(P, -1, -2)


def second_derivatives(model: Model, formula: Callable, q: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, ...]:
    """u (count, m), G (count, m, nv) and H (count, m, nv, nv), H[…, j, k] = ∂G_j along velocity k, of flat states."""
    n, count = model.nv, len(q)
    along = (np.tile(np.eye(n), (count, 1)), np.zeros(count * n))
    u = formula(Posture(model, np.repeat(q, n, axis=0), np.repeat(t, n), along))
    value = np.real(u.value).reshape(count, n, -1)[:, 0]
    slope = u.slope[..., :-1].reshape(count, n, -1, n)
    return value, np.real(slope[:, 0]), np.moveaxis(np.imag(slope), 1, -1) / STEP
