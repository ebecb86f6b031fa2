"""Native calls for one state: what the functions of `dynamics` and `Evaluator` try first.

Each takes arrays that are as kernels want them and looks at them itself. Its answer is 0, a status, UNFIT, or
NotImplemented for what is not a contiguous vector of float64: then the caller looks closely, converts or says why not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model import Model
from ..numeric import bound_call

POSE = 7  # numbers per body: unit quaternion, position
SMALL = 64  # bodies: calls for models with no more of them keep the lock of the interpreter


class Calls:
    """The calls for one model, which are bound to its tables when one of them is first given a vector.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    any_q, any_state : bool
        Whether q, or q and v, may be any finite numbers, so that a call may be tried with them.
    nbodies : int
        As the model has them.
    vector, square, columns, places : tuple of int
        Shapes of accelerations, of the mass matrix, of a Jacobian and of the poses.
    no_forces : ndarray, shape (nv,)
        Forces that are read only, where none are given.
    forward : callable
        (q, v, tau, a): accelerations to a.
    inverse : callable
        (q, v, a, tau): forces to tau.
    mass : callable
        (q, M): the mass matrix to M (1, nv, nv).
    poses : callable
        (q, out): unit quaternions and positions of all bodies to out (nbodies, 7).
    jacobian : callable
        (q, body, J): the Jacobian of a body's twist to J (6, nv).
    """

    def __init__(self, model: Model) -> None:
        self.any_q, self.any_state = model.takes_any_q, model.takes_any_state
        nv, self.nbodies, self.no_forces = model.nv, model.nbodies, np.zeros(model.nv)
        self.vector, self.square, self.columns, self.places = (nv,), (1, nv, nv), (6, nv), (model.nbodies, POSE)
        x, tables, frames = np.empty(1), (0.0, model.tables), (0.0, model.tables, model.body_frames)
        self.forward = self._first("forward", tables, x, x, x, x)
        self.inverse = self._first("inverse", tables, x, x, x, x)
        self.mass = self._first("mass", tables, x, np.empty((1, 1, 1)))
        self.poses = self._first("poses", frames, x, np.empty((1, 1)))
        self.jacobian = self._first("jacobian", frames, x, 0, np.empty((1, 1)))

    def _first(self, name: str, bound: tuple, *others: object) -> Callable:
        """What stands for a call until it is given a vector: nothing is compiled for callers that have batches only."""

        def call(q: object, *more: object) -> object:
            if type(q) is not np.ndarray or q.ndim != 1:
                return NotImplemented
            from .kernels import one_state

            entry = getattr(one_state, f"{name}_one")
            found = bound_call(entry, bound, *others, keeps_lock=self.nbodies <= SMALL)
            setattr(self, name, found)
            return found(q, *more)

        return call


def calls_of(model: Model) -> Calls:
    """The calls for a model, which keeps them."""
    found = model.one_state
    if found is None:
        found = vars(model)["one_state"] = Calls(model)
    return found
