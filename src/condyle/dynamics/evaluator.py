"""`Evaluator`: the functions of one state for loops in Python, with arrays that are allocated once."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, NotSupported, require
from ..model import Model
from ..spatial.arrays import real_numbers
from . import forward_inverse
from .body_jacobians import body_jacobian
from .kinematics import forward_kinematics
from .muscle_calls import warn_of_idle_muscles
from .native_calls.one_state import calls_of


class Evaluator:
    """Forward and inverse dynamics, mass matrix, poses and Jacobians of one state at a time, for loops in Python.

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

    Warns
    -----
    IdleMuscles
        If the model has muscles, which do not act in it.

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
        warn_of_idle_muscles("Evaluator", model, "call cd.forward_dynamics with an activation")
        model = model.without_muscles()
        self._model, self._calls = model, (calls := calls_of(model))
        self._a, self._tau, self._no_force = (np.zeros(model.nv) for _ in range(3))
        self._M, self._J, self._poses = (np.zeros(shape) for shape in (calls.square, calls.columns, calls.places))
        self._any_q = model.takes_any_q

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
        forces = self._no_force if tau is None else tau
        if self._any_q and self._calls.forward(q, v, forces, self._a) == 0:
            return self._a
        q, v, forces = self._vector("q", q), self._vector("v", v), self._vector("tau", forces)
        self._a[:] = forward_inverse.forward_dynamics(self._model, q, v, forces)  # converts, or has the words
        return self._a

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
        if self._any_q and self._calls.inverse(q, v, a, self._tau) == 0:
            return self._tau
        q, v, a = self._vector("q", q), self._vector("v", v), self._vector("a", a)
        self._tau[:] = forward_inverse.inverse_dynamics(self._model, q, v, a)
        return self._tau

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
        if self._any_q and self._calls.mass(q, self._M) == 0:
            return self._M
        self._M[:] = forward_inverse.mass_matrix(self._model, self._vector("q", q))
        return self._M

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
        if self._any_q and self._calls.poses(q, self._poses) == 0:
            return self._poses
        poses = forward_kinematics(self._model, self._vector("q", q))
        self._poses[:, :4], self._poses[:, 4:] = poses.wxyz, poses.xyz
        return self._poses

    def body_jacobian(self, q: np.ndarray, body: str | int) -> np.ndarray:
        """The Jacobian of a body's twist [ω; v], in body axes at its origin.

        Parameters
        ----------
        q : ndarray, shape (nq,)
            Coordinates [rad, m].
        body : str or int
            Name or number of the body; a number is found sooner.

        Returns
        -------
        ndarray, shape (6, nv)
            Overwritten by the next call.

        Raises
        ------
        BadShape
            If `q` has another shape.
        NotFinite, UnknownName
            As `condyle.body_jacobian`.
        """
        index = body if type(body) is int and 0 <= body < self._calls.nbodies else self._model.body_index(body)
        if self._any_q and self._calls.jacobian(q, index, self._J) == 0:
            return self._J
        self._J[:] = body_jacobian(self._model, self._vector("q", q), index)
        return self._J

    def _vector(self, name: str, x: np.ndarray) -> np.ndarray:
        """One state's numbers: NumPy would spread others."""
        x, size = real_numbers(x, name), self._model.nq if name == "q" else self._model.nv
        if x.shape != (size,):
            raise BadShape(f"{name} must have shape {(size,)}, one state; got {x.shape}")
        return x
