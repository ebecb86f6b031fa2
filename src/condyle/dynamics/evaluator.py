"""`Evaluator`: the functions of one state for loops in Python, with arrays that are allocated once."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadShape, NotSupported, require
from ..model import Model
from ..spatial.arrays import DOUBLE, real_numbers
from . import forward_inverse
from .arguments import states
from .kinematics import forward_kinematics


class _Kernels(NamedTuple):
    """The compiled entries."""

    forward: Any
    inverse: Any
    mass: Any
    poses: Any


class Evaluator:
    """Forward and inverse dynamics, mass matrix and poses of one state at a time, for loops in Python.

    As `cd.forward_dynamics` and its like, at a fraction of their cost for each call. The results are views of arrays
    that the next call of the same method overwrites: copy what is to be kept. An evaluator is for one thread. For many
    states at once the functions themselves are faster by far: give them a batch.

    Parameters
    ----------
    model : Model
        Without constraints and prescribed coordinates.

    Raises
    ------
    NotSupported
        If the model has constraints or prescribed coordinates.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> evaluate = cd.Evaluator(model)
    >>> q, v = np.array([0.5]), np.zeros(1)
    >>> for _ in range(100):  # semi-implicit Euler by hand
    ...     v += 0.01 * evaluate.forward_dynamics(q, v)
    ...     q += 0.01 * v
    >>> q.round(4)
    array([-0.4996])
    """

    def __init__(self, model: Model) -> None:
        require(
            not (model.constraints or model.prescribed),
            "an Evaluator takes models without constraints and prescribed coordinates; call cd.forward_dynamics",
            NotSupported,
            constraints=len(model.constraints),
            prescribed=len(model.prescribed),
        )
        from .kernels.body_poses import POSE, pose_states
        from .kernels.forward import forward_states
        from .kernels.inverse import inverse_states
        from .kernels.mass_matrix import mass_matrices

        self._model, self._tables, self._frames = model, model.tables, model.body_frames
        self._kernels = _Kernels(forward_states, inverse_states, mass_matrices, pose_states)
        nv, none = model.nv, np.empty((0, 6 * model.nbodies))
        self._q, self._v, self._u = np.empty((1, model.nq)), np.empty((1, nv)), np.empty((1, nv))
        self._status, self._a, self._tau = np.zeros((1, 1)), np.zeros((1, nv)), np.zeros((1, nv))
        self._M, self._poses = np.zeros((1, nv, nv)), np.zeros((1, POSE * model.nbodies))
        self._forward = self._q, self._v, self._u, none, self._a, self._status
        self._inverse = self._q, self._v, self._u, none, self._tau
        self._shown = self._poses.reshape(model.nbodies, POSE)

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray | None = None) -> np.ndarray:
        """Accelerations under generalised forces and the model's own loads.

        Parameters
        ----------
        q : ndarray, shape (nq,)
            Coordinates [rad, m].
        v : ndarray, shape (nv,)
            Velocities [rad/s, m/s].
        tau : ndarray, shape (nv,), optional
            Generalised forces [N m, N]; zero if left out.

        Returns
        -------
        ndarray, shape (nv,)
            [rad/s², m/s²]; overwritten by the next call.

        Raises
        ------
        BadShape
            If an array has another shape.
        NotFinite, RankLost
            As `condyle.forward_dynamics`.
        """
        self._put_state(q, v)
        if tau is None:
            self._u.fill(0.0)
        else:
            self._put(self._u, tau, "tau")
        self._kernels.forward(0.0, self._tables, self._forward, 0, 1)
        if self._status[0, 0] != 0.0:
            return forward_inverse.forward_dynamics(self._model, q, v, tau)  # has the words
        return self._a[0]

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Generalised forces that give accelerations `a`, on top of the model's loads.

        Parameters
        ----------
        q : ndarray, shape (nq,)
            Coordinates [rad, m].
        v, a : ndarray, shape (nv,)
            Velocities and accelerations.

        Returns
        -------
        ndarray, shape (nv,)
            [N m, N]; overwritten by the next call.

        Raises
        ------
        BadShape
            If an array has another shape.
        NotFinite
            As `condyle.inverse_dynamics`.
        """
        self._put_state(q, v)
        self._put(self._u, a, "a")
        self._kernels.inverse(0.0, self._tables, self._inverse, 0, 1)
        tau = self._tau[0]
        return tau if isfinite(tau.dot(tau)) else forward_inverse.inverse_dynamics(self._model, q, v, a)

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """The mass matrix.

        Parameters
        ----------
        q : ndarray, shape (nq,)
            Coordinates [rad, m].

        Returns
        -------
        ndarray, shape (nv, nv)
            Symmetric; [kg m², kg m, kg]; overwritten by the next call.

        Raises
        ------
        BadShape
            If `q` has another shape.
        NotFinite
            As `condyle.mass_matrix`.
        """
        self._put_q(q)
        self._kernels.mass(0.0, self._tables, (self._q, self._M), 0, 1)
        M = self._M[0]
        return M if isfinite(M.trace()) else forward_inverse.mass_matrix(self._model, q)

    def forward_kinematics(self, q: np.ndarray) -> np.ndarray:
        """Poses of all bodies in the world, as numbers.

        Parameters
        ----------
        q : ndarray, shape (nq,)
            Coordinates [rad, m].

        Returns
        -------
        ndarray, shape (nbodies, 7)
            Unit quaternion (w, x, y, z) and position [m] of each body; overwritten by the next call.

        Raises
        ------
        BadShape
            If `q` has another shape.
        NotFinite
            As `condyle.forward_kinematics`.
        """
        self._put_q(q)
        self._kernels.poses(0.0, self._tables, self._frames, (self._q, self._poses), 0, 1)
        x = self._poses[0]
        if not isfinite(x.dot(x)):
            poses = forward_kinematics(self._model, q)  # has the words
            return np.concatenate([poses.wxyz, poses.xyz], axis=-1)
        return self._shown

    def _put_state(self, q: np.ndarray, v: np.ndarray) -> None:
        self._put_q(q)
        self._put(self._v, v, "v")

    def _put_q(self, q: np.ndarray) -> None:
        """Take coordinates; quaternions and domains are looked at, if there are any."""
        self._put(self._q, q, "q")
        if not self._model.takes_any_q:
            self._q[:] = states(self._model, self._q[0])["q"]

    def _put(self, to: np.ndarray, x: np.ndarray, name: str) -> None:
        """Take numbers of the right shape: NumPy would spread others."""
        if type(x) is not np.ndarray or x.dtype is not DOUBLE:
            x = real_numbers(x, name)
        if x.shape != to.shape[1:]:
            raise BadShape(f"{name} must have shape {to.shape[1:]}, one state; got {x.shape}")
        to[0] = x
