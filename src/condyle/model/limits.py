"""What is known of a coordinate beyond its motion: its range, and what its drive and its bearings can do."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, require

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True)
class Rating:
    """The largest `velocity` [rad/s or m/s] and `effort` [N m or N] of a coordinate, its friction and armature.

    Data of a maker or a file: nothing acts by it but the armature.

    Attributes
    ----------
    velocity : float
        [rad/s or m/s]; infinite if not known.
    effort : float
        [N m or N]; infinite if not known.
    friction : float
        Coulomb friction [N m or N].
    armature : float
        Inertia of what turns with the coordinate and is no body, like a geared rotor [kg m² or kg]; it acts.
    """

    velocity: float = inf
    effort: float = inf
    friction: float = 0.0
    armature: float = 0.0


@dataclass(frozen=True)
class Limits:
    """All that a model knows of a coordinate, in SI units.

    The damping and the armature act. The range acts where a limit was added (`cd.ModelBuilder.add_limit`,
    `cd.stiff_limits`, or `cd.load(path, limits="stiff")`). Velocity, effort and friction are data for your own control.

    Attributes
    ----------
    low, high : float
        Its range [rad or m].
    velocity : float
        The largest [rad/s or m/s].
    effort : float
        The largest [N m or N].
    damping : float
        Viscous [N m s/rad or N s/m].
    friction : float
        Coulomb friction [N m or N].
    armature : float
        Inertia of what turns with it and is no body [kg m² or kg].
    """

    low: float = -inf
    high: float = inf
    velocity: float = inf
    effort: float = inf
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0


def rating(
    coordinate: str,
    velocity: float | None = None,
    effort: float | None = None,
    friction: float | None = None,
    armature: float | None = None,
) -> Rating:
    """A rating, checked; None says nothing."""
    given = {"velocity": velocity, "effort": effort, "friction": friction, "armature": armature}
    for name, value in given.items():
        good = value is None or (isinstance(value, (int, float, np.number)) and value >= 0.0)
        require(good, f"limits of {coordinate!r}: {name} must be a number that is not negative", BadValue, got=value)
    for name in ("friction", "armature"):
        value = given[name]
        finite = value is None or np.isfinite(value)
        require(finite, f"limits of {coordinate!r}: {name} must be finite", BadValue, got=value)
    return Rating(**{name: float(value) for name, value in given.items() if value is not None})


def limits_of(model: Model) -> dict[str, Limits]:
    """By name, of every coordinate that is a single number."""
    places = {name: model.place_of(name)[1:] for name in model.coordinates}
    quaternions = {at for at, _, _ in model.quaternions}
    damping = dict.fromkeys(range(model.nv), 0.0)
    for force in model.coordinate_forces:
        if not force.declared.limit and force.at.v < model.nv:  # what limits damp is beyond their ends only
            damping[force.at.v] += force.named.get("damping", 0.0)
    ratings = {model.v_index(name): rating for name, rating in model.ratings.items()}
    found = {}
    for name, (q, v) in places.items():
        if q not in quaternions:
            known = ratings.get(v, Rating())
            bounds = (known.velocity, known.effort, damping[v], known.friction, known.armature)
            found[name] = Limits(*model.range_of(name), *bounds)
    return found
