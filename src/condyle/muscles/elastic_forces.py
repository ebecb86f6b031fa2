"""What ligaments and springs along paths do to the coordinates by their stretch alone, without any control."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..dynamics.arguments import states
from ..model import Model
from ..typing import ArrayLike
from .elastic_energy import is_stretched
from .muscle_forces import forces


def elastic_forces(model: Model, q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Generalised forces of all ligaments and springs along paths: minus their tension times the slope of their length.

    Those of law "blankevoort", "ligament" and "path_spring"; muscles and what a control drives do not count.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.

    Returns
    -------
    ndarray, shape (..., nv)
        [N m, N]; `cd.inverse_dynamics` less this is what muscles or drives must give. `cd.trial` takes it off.

    Raises
    ------
    BadValue
        If a path has no length.

    Examples
    --------
    A spring of 100 N/m that is 0.2 m too long, at right angles to an arm of 0.5 m:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> ends = [(None, (1.2, 0, 0.5)), ("rod", (0, 0, 0.5))]
    >>> b = b.add_muscle("band", ends, "path_spring", stiffness=100.0, resting_length=1.0)
    >>> cd.muscles.elastic_forces(b.build(), [0.0], [0.0]).round(9)
    array([10.])
    """
    s = states(model, q, v=v)
    stretched = tuple(m for m in model.muscles if is_stretched(m))
    if not stretched:
        return s.shaped(np.zeros((s.count, model.nv)), model.nv)
    return forces(replace(model, muscles=stretched), q, v, 0.0).generalized_force
