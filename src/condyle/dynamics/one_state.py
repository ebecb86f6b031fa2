"""Native calls for one state: what the functions of `dynamics` and `Evaluator` try first.

Each takes arrays that are as kernels want them and looks at them itself. Its answer is 0, a status, UNFIT, or
NotImplemented for what is not a contiguous vector of float64: then the caller looks closely, converts or says why not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ..model import Model
from ..numeric import call_for


class Calls:
    """The calls for models whose tables are of one kind.

    Parameters
    ----------
    model : Model
        One of them.
    """

    def __init__(self, model: Model) -> None:
        self._tables, self._frames = model.tables, model.body_frames

    @cached_property
    def forward(self) -> Callable:
        """(0.0, tables, q, v, tau, a): accelerations to a."""
        from .kernels.one_state import forward_one

        x = np.empty(1)
        return call_for(forward_one, 0.0, self._tables, x, x, x, x)

    @cached_property
    def inverse(self) -> Callable:
        """(0.0, tables, q, v, a, tau): forces to tau."""
        from .kernels.one_state import inverse_one

        x = np.empty(1)
        return call_for(inverse_one, 0.0, self._tables, x, x, x, x)

    @cached_property
    def mass(self) -> Callable:
        """(0.0, tables, q, M): the mass matrix to M (1, nv, nv), given as zeros."""
        from .kernels.one_state import mass_one

        return call_for(mass_one, 0.0, self._tables, np.empty(1), np.empty((1, 1, 1)))

    @cached_property
    def poses(self) -> Callable:
        """(0.0, tables, body frames, q, out): poses of all bodies to out (7 nbodies)."""
        from .kernels.one_state import poses_one

        x = np.empty(1)
        return call_for(poses_one, 0.0, self._tables, self._frames, x, x)

    @cached_property
    def jacobian(self) -> Callable:
        """(0.0, tables, body frames, q, body, J): the Jacobian of a body's twist to J (6 nv), by rows."""
        from .kernels.one_state import jacobian_one

        x = np.empty(1)
        return call_for(jacobian_one, 0.0, self._tables, self._frames, x, 0, x)


_known: dict[int, Calls] = {}


def calls_of(model: Model) -> Calls:
    """The calls for a model: tables with followers have a third item, and calls of their own."""
    kind = len(model.tables)
    found = _known.get(kind)
    if found is None:
        found = _known[kind] = Calls(model)
    return found


def is_vector(x: object) -> bool:
    """Whether x may be one state as calls take it: they are not compiled for callers that have batches only."""
    return type(x) is np.ndarray and x.ndim == 1
