"""Which coordinates left the domain of their joint, or the range set for them, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..dynamics.domain_ends import bounded
from ..errors import CondyleWarning
from ..model import Model
from ..model.followers import follower_values
from ..model.kernels.status import KINDS, LEFT_DOMAIN
from ..model.memo import once_per_model
from .events import Outside

SLACK = 1e-9  # [rad or m] as far as round-off may carry a coordinate past the end of its range
YIELDING = 0.1  # of its width: how far a coordinate may pass a range at whose ends limits act, which are springs


class OutsideRangeWarning(CondyleWarning):
    """A coordinate left the range set for it, which bounds sliders and inverse kinematics but not a simulation."""


class Watched(NamedTuple):
    """A coordinate by its name and place in q, its bounds, and as far as it may pass them untold."""

    name: str
    at: int
    bounds: Sequence[float]
    allowed: Sequence[float]


def outside(model: Model, times: np.ndarray, q: np.ndarray) -> tuple[Outside, ...]:
    """Coordinates of joints that extend beyond their domain, over all members (count, T, nq)."""
    own, following = _watched_domains(model)
    followed = _excursions(following, times, follower_values(model, q)) if following else ()
    return (*_excursions(own, times, q), *followed)


@once_per_model
def _watched_domains(model: Model) -> tuple[tuple[Watched, ...], tuple[Watched, ...]]:
    """Domains of the coordinates whose joints extend beyond them, and of those that are functions of others."""
    own = (x for x in bounded(model) if model.bodies[x[0]].joint.outside == "extend")
    joints = [(k, f, model.bodies[f.body].joint) for k, f in enumerate(model.followers)]
    following = (
        Watched(f.name, k, joint.domain[f.coordinate], joint.domain[f.coordinate])
        for k, f, joint in joints
        if not joint.periodic[f.coordinate] and np.isfinite(joint.domain[f.coordinate]).any()
    )
    return tuple(Watched(name, at, ends, ends) for _, name, at, *ends in own), tuple(following)


def beyond_range(model: Model, times: np.ndarray, q: np.ndarray) -> tuple[Outside, ...]:
    """Coordinates that left the ranges set for them, over all members (count, T, nq)."""
    return tuple(_excursions(_watched_ranges(model), times, q))


@once_per_model
def _watched_ranges(model: Model) -> tuple[Watched, ...]:
    return tuple(
        Watched(name, model.q_index(name), bounds, _allowed(model, name, *bounds))
        for name, bounds in model.ranges.items()
    )


def _allowed(model: Model, name: str, low: float, high: float) -> tuple[float, float]:
    """The range with some slack: round-off, or where a limit acts on the coordinate, what its spring yields."""
    at, give = model.q_index(name), YIELDING * (high - low)
    limits = [f.constants[:2] for f in model.coordinate_forces if f.declared.limit and f.at.q == at]
    lows = [min(low, a) - give for a, _ in limits if np.isfinite(a)]
    highs = [max(high, b) + give for _, b in limits if np.isfinite(b)]
    return min(lows, default=low - SLACK), max(highs, default=high + SLACK)


def _over_records(extreme: np.ufunc, q: np.ndarray, start: float) -> list[float]:
    """The least or largest of each coordinate of q (count, T, n); one axis after the other is many times as fast."""
    return extreme.reduce(extreme.reduce(q, axis=0, initial=start), axis=0, initial=start).tolist()


def _excursions(watched: tuple[Watched, ...], times: np.ndarray, q: np.ndarray) -> Iterator[Outside]:
    """When coordinates of q (count, T, n) first left what is allowed, and how far they went beyond their bounds."""
    if not watched:
        return
    least = _over_records(np.fmin, q, np.inf)
    most = _over_records(np.fmax, q, -np.inf)
    for name, at, (low, high), (least_allowed, most_allowed) in watched:
        if least[at] < least_allowed or most[at] > most_allowed:
            x = q[..., at]
            past = (x < least_allowed) | (x > most_allowed)
            worst = most[at] if most[at] - high >= low - least[at] else least[at]
            yield Outside(name, float(times[past.any(axis=0).argmax()]), worst, (low, high))


def refused(model: Model) -> np.ndarray:
    """Domains (n, 3) of joints that refuse to be extended: index in q, low and high of each coordinate."""
    rows = [(at, low, high) for i, _, at, low, high in bounded(model) if model.bodies[i].joint.outside == "error"]
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
    return next((i, name, low, high) for i, name, k, low, high in bounded(model) if k == at)
