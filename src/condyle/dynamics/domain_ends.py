"""Where the domains of joints end, and what is said of coordinates beyond them."""

from __future__ import annotations

import numpy as np

from ..errors import OutsideDomainWarning, warn
from ..model import Model
from ..model.memo import once_per_model
from ..model.names import Place

SLACK = 1e-9  # [rad or m] as far as round-off may carry a coordinate past an end

Bounded = tuple[int, str, int, float, float]  # body, full name, index in q, low, high


@once_per_model
def bounded(model: Model) -> tuple[Bounded, ...]:
    """The coordinates with a domain that ends."""
    named = zip(model.coordinates, model.coordinate_places, strict=True)
    return tuple(found for name, place in named for found in _bounds_of(model, name, place))


def _bounds_of(model: Model, name: str, place: Place) -> list[Bounded]:
    """A coordinate with its domain, if that ends."""
    joint, c = model.bodies[place.body].joint, place.coordinate
    low, high = joint.domain[c]
    return [(place.body, name, place.q, low, high)] if not joint.periodic[c] and np.isfinite([low, high]).any() else []


def warn_of_extended_joints(model: Model, q: np.ndarray, what: str) -> None:
    """Name coordinates of states q (count, nq) that a function put where joints are extended beyond their domain."""
    for body, name, at, low, high in bounded(model):
        if np.any((q[:, at] < low - SLACK) | (q[:, at] > high + SLACK)):  # numbers that change would fill a log
            warn(f"{what}: {name!r} of body {model.bodies[body].name!r} is outside [{low:g}, {high:g}], where its "
                 "joint is extended linearly and leaves its shape", OutsideDomainWarning)  # fmt: skip
