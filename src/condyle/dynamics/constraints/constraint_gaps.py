"""How far constraints are from holding, and how that follows the coordinates."""

from __future__ import annotations

import numpy as np

from ...model import Model
from ...numeric import one_by_one
from ...spatial.arrays import for_kernels


def constraint_gaps(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaps of a model's constraints (count, rows) and their Jacobian (count, rows, nv) at q (count, nq), unchecked.

    The rows begin at `row_starts(model)`: of a point the displacement [m] in world axes, of a weld the turn
    before it, a vector of length 2 sin(θ/2) in world axes; of a coupling the difference of the coordinate. Rolling
    holds rates: its gap is zero. The Jacobian is exact for open constraints too (for rolling it is that of the rates);
    complex q give complex results, so a tiny imaginary step gives its derivatives.
    """
    from .kernels.constraint_gaps import gap_states

    kind = complex if np.iscomplexobj(q) else float
    rows = sum(c.rows for c in model.constraints)
    gaps, J = np.empty((len(q), rows), dtype=kind), np.empty((len(q), rows * model.nv), dtype=kind)
    states = for_kernels(q, kind), gaps, J
    if kind is complex:
        gap_states(0j, model.tables, states, 0, len(q))
    else:
        one_by_one(lambda z, start, stop: gap_states(z, model.tables, states, start, stop), len(q))
    return gaps, J.reshape(len(q), rows, model.nv)
