"""Which coordinates left the domain of their joint, or the range set for them, and when."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..dynamics.kernels.layout import KINDS
from ..errors import CondyleWarning
from ..model import Model
from ..model.followers import follower_values
from ..model.kernels.layout import GRADUAL_LIMIT, LIMIT
from ..model.memo import once_per_model
from ..model.names import Place
from .events import Outside
from .kernels.status import LEFT_DOMAIN

SLACK = 1e-9  # [rad or m] as far as round-off may carry a coordinate past the end of its range
YIELDING = 0.1  # of its width: how far a coordinate may pass a range at whose ends limits act, which are springs


class OutsideDomainWarning(CondyleWarning):
    """A coordinate left the domain of its joint and was extended linearly."""


class OutsideRangeWarning(CondyleWarning):
    """A coordinate left the range set for it, which bounds sliders and inverse kinematics but not a simulation."""


Bounded = tuple[int, str, int, float, float]  # body, full name, index in q, low, high


@once_per_model
def _bounded(model: Model) -> tuple[Bounded, ...]:
    """The coordinates with a domain that ends."""
    named = zip(model.coordinates, model.coordinate_places, strict=True)
    return tuple(found for name, place in named for found in _bounds_of(model, name, place))


def _bounds_of(model: Model, name: str, place: Place) -> list[Bounded]:
    """A coordinate with its domain, if that ends."""
    joint, c = model.bodies[place.body].joint, place.coordinate
    low, high = joint.domain[c]
    return [(place.body, name, place.q, low, high)] if not joint.periodic[c] and np.isfinite([low, high]).any() else []


def outside(model: Model, times: np.ndarray, q: np.ndarray) -> tuple[Outside, ...]:
    """Coordinates of joints that extend beyond their domain, over all members (count, T, nq)."""
    found = (
        _excursion(name, times, q[..., at], (low, high), (low, high))
        for i, name, at, low, high in _bounded(model)
        if model.bodies[i].joint.outside == "extend"
    )
    return tuple(x for x in (*found, *_followers_outside(model, times, q)) if x is not None)


def _followers_outside(model: Model, times: np.ndarray, q: np.ndarray) -> Iterator[Outside | None]:
    """The same for coordinates that are functions of others."""
    for k, f in enumerate(model.followers):
        joint, ends = model.bodies[f.body].joint, model.bodies[f.body].joint.domain[f.coordinate]
        if not joint.periodic[f.coordinate] and np.isfinite(ends).any():
            yield _excursion(f.name, times, follower_values(model, q)[..., k], ends, ends)


def beyond_range(model: Model, times: np.ndarray, q: np.ndarray) -> tuple[Outside, ...]:
    """Coordinates that left the ranges set for them, over all members (count, T, nq)."""
    found = (
        _excursion(name, times, q[..., model.q_index(name)], bounds, _allowed(model, name, *bounds))
        for name, bounds in model.ranges.items()
    )
    return tuple(x for x in found if x is not None)


def _allowed(model: Model, name: str, low: float, high: float) -> tuple[float, float]:
    """The range with some slack: round-off, or where a limit acts on the coordinate, what its spring yields."""
    at, give = model.q_index(name), YIELDING * (high - low)
    acting = [load for load in model.coordinate_loads if load.kind in (LIMIT, GRADUAL_LIMIT)]
    limits = [load.constants[:2] for load in acting if load.q == at]
    lows = [min(low, a) - give for a, _ in limits if np.isfinite(a)]
    highs = [max(high, b) + give for _, b in limits if np.isfinite(b)]
    return min(lows, default=low - SLACK), max(highs, default=high + SLACK)


def _excursion(
    name: str, times: np.ndarray, x: np.ndarray, bounds: tuple[float, float], allowed: tuple[float, float]
) -> Outside | None:
    """When a coordinate x (count, T) first left what is allowed, and how far it went beyond its bounds."""
    past = (x < allowed[0]) | (x > allowed[1])
    if not past.any():
        return None
    first = times[past.any(axis=0).argmax()]
    over, under = np.nanmax(x) - bounds[1], bounds[0] - np.nanmin(x)
    return Outside(name, float(first), float(np.nanmax(x) if over >= under else np.nanmin(x)), bounds)


def refused(model: Model) -> np.ndarray:
    """Domains (n, 3) of joints that refuse to be extended: index in q, low and high of each coordinate."""
    rows = [(at, low, high) for i, _, at, low, high in _bounded(model) if model.bodies[i].joint.outside == "error"]
    return np.array(rows, float).reshape(-1, 3)


def domain_status(domains: np.ndarray, q: np.ndarray) -> np.ndarray:
    """0 where a state of q (count, nq) is in all domains of `refused`, else the status of the first that it left."""
    out = np.zeros(len(q))
    for at, low, high in domains[::-1]:
        x = q[:, int(at)]
        out[(x < low) | (x > high)] = LEFT_DOMAIN + KINDS * at
    return out


def domain_of(model: Model, at: int) -> tuple[int, str, float, float]:
    """(body, full name, low, high) of the coordinate at index `at` of q, whose domain ends."""
    return next((i, name, low, high) for i, name, k, low, high in _bounded(model) if k == at)
