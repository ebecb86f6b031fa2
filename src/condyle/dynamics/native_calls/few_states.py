"""Native calls for a few states by rows: what the functions of `dynamics` try before they look closely at a batch.

Each takes arrays that are as kernels want them, in the entries that larger batches run through too, and answers None
for all others, and where a state fails: then the caller converts, says why not, or computes once more and names it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TypeGuard

import numpy as np

from ...model import Model
from ...numeric import COMPILED, LANES, Made, bound_call
from ...spatial import SE3
from ...spatial.arrays import DOUBLE
from ...spatial.se3 import PACKED
from ..arguments import no_wrenches

MOST = 64  # states: of more, looking closely is a small part of the time, and threads begin to pay
POSE = 7  # numbers per body: unit quaternion, position


def _finite(x: np.ndarray) -> bool:
    """Whether all numbers are finite; not if the sum of their squares is too large for a number."""
    return isfinite(np.vdot(x, x))


def _fit(x: object, shape: tuple[int, int]) -> TypeGuard[np.ndarray]:
    """Whether x is rows of finite float64 of this shape, as kernels want them."""
    if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.shape != shape or not x.flags.carray:
        return False
    return _finite(x)


def _few(q: object) -> int:
    """How many states there are in rows of q; 0 if there are none or too many."""
    return len(q) if type(q) is np.ndarray and q.ndim == 2 and len(q) <= MOST else 0


class FewStates:
    """The calls for one model, which are bound to its tables when one of them is first used.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        self._tables, self._frames, self._z = model.tables, model.body_frames, LANES if COMPILED else 0.0
        self._calls: dict[str, Callable] = {}
        self._poses: dict[int, Callable] = {}  # by number of states
        self._any_q, self._any_state = model.takes_any_q, model.takes_any_state
        self._nq, self._nv, self._nbodies, self._none = model.nq, model.nv, model.nbodies, no_wrenches(model.nbodies)

    def _run(self, name: str, given: tuple[np.ndarray, ...]) -> bool:
        """Call an entry for all states in arrays that it reads and writes; whether it knew them."""
        call = self._calls.get(name) or self._bound(name, given)
        return call(given, 0, len(given[0])) is not NotImplemented

    def _bound(self, name: str, given: tuple[np.ndarray, ...]) -> Callable:
        from ..kernels.forward import forward_states  # load the compiler, so only when needed
        from ..kernels.inverse import inverse_states

        entry = forward_states if name == "forward" else inverse_states
        self._calls[name] = call = bound_call(entry, (self._z, self._tables), given, 0, 1)
        return call

    def forward(self, q: object, v: object, tau: object) -> np.ndarray | None:
        """Accelerations under forces, none if they are None."""
        count = _few(q)
        if not (count and self._any_state):
            return None
        shape = (count, self._nv)
        tau = np.zeros(shape) if tau is None else tau
        if not (_fit(q, (count, self._nq)) and _fit(v, shape) and _fit(tau, shape)):
            return None
        out, status = np.zeros(shape), np.zeros((count, 1))
        done = self._run("forward", (q, v, tau, self._none, out, status))
        return out if done and np.vdot(status, status) == 0.0 else None

    def inverse(self, q: object, v: object, a: object) -> np.ndarray | None:
        """Forces for accelerations."""
        count = _few(q)
        shape = (count, self._nv)
        if not (count and self._any_q and _fit(q, (count, self._nq)) and _fit(v, shape) and _fit(a, shape)):
            return None
        out = np.zeros(shape)
        return out if self._run("inverse", (q, v, a, self._none, out)) and _finite(out) else None

    def poses(self, q: object) -> SE3 | None:
        """Poses of all bodies, which the call makes itself."""
        count = _few(q)
        if not (count and self._any_q):
            return None
        return (self._poses.get(count) or self._bound_poses(count))(q)

    def _bound_poses(self, count: int) -> Callable:
        from ..kernels.body_poses import pose_states

        made = Made((count, self._nbodies, POSE), SE3, PACKED)
        bound = (self._z, self._tables, self._frames, 0, count)
        self._poses[count] = call = bound_call(pose_states, bound, np.empty((1, 1)), np.empty((1, 1, 1)), made=made)
        return call
