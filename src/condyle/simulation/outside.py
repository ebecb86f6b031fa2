"""Which coordinates left the domain of their joint, and when."""

from __future__ import annotations

import numpy as np

from ..model import Model
from .trajectory import Outside

__all__ = ["OutsideDomainWarning", "first_outside", "outside"]


class OutsideDomainWarning(UserWarning):
    """A coordinate left the domain of its joint and was extended linearly."""


def _bounded(model: Model):
    """(body, full name, index in q, low, high) of the coordinates with a domain that ends."""
    for name in model.coordinates:
        i, at, _ = model.place_of(name)
        joint, start = model.bodies[i].joint, model.joint_starts[i][0]
        c = [start + q for q, _ in joint.offsets].index(at)
        low, high = joint.domain[c]
        if not joint.periodic[c] and np.isfinite([low, high]).any():
            yield i, name, at, low, high


def outside(model: Model, times: np.ndarray, q: np.ndarray) -> tuple[Outside, ...]:
    """Coordinates of joints that extend beyond their domain, over all members (count, T, nq)."""
    found = []
    for i, name, at, low, high in _bounded(model):
        x = q[..., at]
        past = (x < low) | (x > high)
        if model.bodies[i].joint.outside == "extend" and past.any():
            first = times[past.any(axis=0).argmax()]
            over, under = np.nanmax(x) - high, low - np.nanmin(x)
            reached = np.nanmax(x) if over >= under else np.nanmin(x)
            found.append(Outside(name, float(first), float(reached), (low, high)))
    return tuple(found)


def first_outside(model: Model, q: np.ndarray):
    """For joints that refuse to be extended: (body, first record outside for each member, −1 if none)."""
    for i, _, at, low, high in _bounded(model):
        if model.bodies[i].joint.outside == "error":
            past = (q[..., at] < low) | (q[..., at] > high)
            yield i, np.where(past.any(axis=1), past.argmax(axis=1), -1)
