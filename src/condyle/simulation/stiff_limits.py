"""Ranges that hold: a stiff, damped spring beyond each end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..dynamics import mass_matrix
from ..errors import BadValue, NotSupported, require
from ..forces import Element, OnCoordinate
from ..forces.element import unused_name
from ..model import Model
from ..model.validate_model import require_model


def stiff_limits(model: Model, coordinates: Sequence[str] | None = None, *, frequency: float = 20.0) -> Model:
    """A copy of a model whose coordinates are pushed back at the ends of their ranges.

    Beyond an end acts a spring with critical damping, of the given frequency with the inertia that a force on the
    coordinate meets at the neutral pose while all others are free, 1 / (M⁻¹)_kk. At 20 Hz an end is passed by about
    3 ms times the speed of the blow, and steps of 1 ms follow the spring. Give a limit by hand with
    `cd.ModelBuilder.add_limit` where another stiffness is wanted.

    Parameters
    ----------
    model : Model
    coordinates : sequence of str, optional
        Which coordinates; by default all with a range of their own (`model.ranges`) and no limit of any kind yet.
    frequency : float
        Of the springs [Hz], positive.

    Returns
    -------
    Model

    Raises
    ------
    BadValue
        If a coordinate that was named has no range, or the frequency is not positive.

    Examples
    --------
    >>> import condyle as cd
    >>> door = cd.Inertia.box(20.0, (0.8, 0.04, 2.0), com=(0.4, 0, 0))
    >>> b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=door)
    >>> model = cd.stiff_limits(b.set_range("door", 0.0, 1.6).build())
    >>> bool(cd.forward_dynamics(model, [1.7], [0.0])[0] < 0)  # it is pushed back
    True
    """
    require_model(model)
    good = isinstance(frequency, (int, float, np.number)) and np.isfinite(frequency) and frequency > 0
    require(good, "stiff_limits: the frequency must be a positive number [Hz]", BadValue, got=frequency)
    if coordinates is None:
        held = {f.at.q for f in model.coordinate_forces if f.declared.limit}
        coordinates = [name for name in model.ranges if model.q_index(name) not in held]
    if not coordinates:
        return model
    inertias, rate = met_inertias(model), 2.0 * np.pi * float(frequency)
    names = dict.fromkeys((f.name for f in model.forces), 1)
    limits = [_limit(model, name, inertias, rate, unused_name(f"stiff_limit@{name}", names)) for name in coordinates]
    return replace(model, forces=(*model.forces, *limits))


def met_inertias(model: Model) -> np.ndarray:
    """1 / (M⁻¹)_kk (nv,) at the neutral pose: zero where nothing resists."""
    M = mass_matrix(model, model.neutral())
    values, vectors = np.linalg.eigh(M)
    least = max(float(values[-1]), 0.0) * 1e-12 if len(values) else 0.0
    empty = (vectors**2)[:, values <= least].sum(axis=1) > 1e-9
    kept = values > least
    return np.where(empty, 0.0, 1.0 / np.maximum((vectors[:, kept] ** 2 / values[kept]).sum(axis=1), 1e-300))


def _limit(model: Model, name: str, inertias: np.ndarray, rate: float, title: str) -> Element:
    _, q, v = model.place_of(name)
    quaternion = q in {at for at, _, _ in model.quaternions}
    require(not quaternion, f"coordinate {name!r} is a quaternion, which has no limits", NotSupported)
    low, high = model.range_of(name)
    ends = np.isfinite([low, high]).any()
    require(ends, f"coordinate {name!r} has no range to hold it in; give one with set_range", BadValue, got=(low, high))
    constants = (low, high, inertias[v] * rate**2, 2.0 * inertias[v] * rate)
    return Element(title, "limit", OnCoordinate(q, v), constants)
