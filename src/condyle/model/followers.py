"""Coordinates that are functions of others: what a model keeps of them, and couplings folded into them and back.

A coupling q_d = f(q_y) that is *folded* is no constraint: q_d is no coordinate of the model any more, it is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, NotSupported, require
from ..forces import renumber
from ..joints.functions import Function, constant
from ..joints.joint import Joint
from .limits import Rating
from .resolved_constraints import Coupling, Loop, Rolling

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True, eq=False)
class Follower:
    """A coordinate of a joint that is a function of another coordinate of the model.

    Attributes
    ----------
    name : str
        What the coordinate is called.
    driver : str
        What it follows: a coordinate of the model, or another follower.
    body : int
        Whose joint it belongs to.
    coordinate : int
        Its number in that joint.
    driver_place : tuple of two int
        Body and number in its joint of the driver.
    slide : Joint
        Moves along x by the function of the driver.
    range : tuple of two float, or None
        As set [rad or m]; it bounds nothing.
    default : float or None
        As set before it was folded [rad or m].
    motion_type : str
        "rotational", "translational" or "coupled", where a file says it.
    rating : Rating or None
        What its drive and its bearings can do, where it is known.
    """

    name: str
    driver: str
    body: int
    coordinate: int
    driver_place: tuple[int, int]
    slide: Joint
    range: tuple[float, float] | None = None
    default: float | None = None
    motion_type: str = ""
    rating: Rating | None = None

    def __repr__(self) -> str:
        return f"<Follower: {self.name!r}, a function of {self.driver!r}>"

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The function of the driver's values (...)."""
        x = np.asarray(x, dtype=float)
        return np.sum([f(x) if f.coordinates else np.full_like(x, f()) for f in self._parts], axis=0)

    @cached_property
    def _parts(self) -> list[Function]:
        return slide_parts(self.slide)


def slide_parts(slide: Joint) -> list[Function]:
    """The function by which a joint slides along x, as a sum."""
    parts, shift = [], 0.0
    for s in slide.segments:
        same = not (np.ptp(s.poses, axis=0).any() or np.ptp(s.twists, axis=0).any())
        require(same, f"{slide.title}: a slide by one function has the same poses and twists in all rows", NotSupported)
        parts += [Function(s.grid, t, "", weight=float(g[3])) for g, t in zip(s.twists[0], s.terms, strict=True)]
        shift += float(s.poses[0, 0, 3])
    return [*parts, constant(shift)] if shift or not parts else parts


def follower_values(model: Model, q: np.ndarray) -> np.ndarray:
    """Where the followers are (..., followers) at coordinates q (..., nq)."""
    found = np.zeros((*q.shape[:-1], len(model.followers)))
    known = {(f.body, f.coordinate): found[..., k] for k, f in enumerate(model.followers)}
    known |= {(place.body, place.coordinate): q[..., place.q] for place in model.coordinate_places}
    for k, f in enumerate(model.followers):
        found[..., k] = f(known[f.driver_place])
    return found


def follower_rates(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """How fast the followers move (..., followers) at coordinates q (..., nq) and velocities v (..., nv)."""
    found, values = np.zeros((*q.shape[:-1], len(model.followers))), follower_values(model, q)
    own = [(f.body, f.coordinate) for f in model.followers]
    at = {(p.body, p.coordinate): (q[..., p.q], v[..., p.v]) for p in model.coordinate_places}
    for k, f in enumerate(model.followers):
        x, rate = at[f.driver_place]
        parts = [p for p in slide_parts(f.slide) if p.coordinates]
        found[..., k] = sum((p.derivative(x, order=1) for p in parts), np.zeros_like(x)) * rate
        at[own[k]] = values[..., k], found[..., k]
    return found


def fold(model: Model, chosen: Sequence[int] | None = None) -> Model:
    """A copy with couplings folded: those chosen by their numbers, else all that can be, and notes of the others."""
    numbers = [k for k, c in enumerate(model.constraints) if isinstance(c, Coupling)] if chosen is None else chosen
    reasons = {k: _obstacle(model, model.constraints[k]) for k in numbers}
    if chosen is not None:
        for k, reason in reasons.items():
            require(not reason, f"{model.constraints[k].label} cannot be folded: {reason}", NotSupported)
    _check_single(model, numbers)
    good = _without_users(model, [k for k in numbers if not reasons[k]])
    notes = [f"{model.constraints[k].label}: held as a constraint, because {reasons[k]}" for k in numbers if reasons[k]]
    used = [model.constraints[k].label for k in numbers if not reasons[k] and k not in good]
    words = (
        f"{', '.join(used)} cannot be folded: another constraint uses its coordinate; hold it by "
        "add_constraint(cd.constraints.couple(…)) too"
    )
    require(chosen is None or not used, words, NotSupported)
    notes += [f"{label}: held as a constraint, because another constraint uses its coordinate" for label in used]
    ordered = _ordered(model, good)
    return _folded(model, ordered, tuple(notes)) if ordered or notes else model


def _obstacle(model: Model, c: Coupling | Loop | Rolling) -> str:
    """Why a coupling cannot be folded; nothing if it can."""
    if not isinstance(c, Coupling):
        return "it is not a coupling of coordinates"
    if len(c.others) > 1:
        return "it depends on several coordinates"
    if c.v in model.prescribed:
        return "its coordinate is locked or prescribed"
    if c.v < model.nv and model.armature[c.v]:
        return "its coordinate has armature"
    if any(isinstance(other, Rolling) and other.body == _owner(model, c.v)[0] for other in model.constraints):
        return "its joint rolls"
    if model.bodies[_owner(model, c.v)[0]].joint.outside == "error":
        return "its joint must not leave its domain"
    return "its function has kinks" if _has_kinks(c.slide) else ""


def _has_kinks(slide: Joint) -> bool:
    """Whether the function has pieces that are no more than lines: joints refuse such functions."""
    kinked = (s for s in slide.segments if any(len(breaks) > 2 for breaks in s.grid.breaks))
    return any(t.constants.shape[1] == 2 for s in kinked for t in s.terms)


def _owner(model: Model, v: int) -> tuple[int, int]:
    """Body and number in its joint of the coordinate with velocity v."""
    return next((p.body, p.coordinate) for p in model.coordinate_places if p.v == v)


def _check_single(model: Model, numbers: Iterable[int]) -> None:
    """Refuse two couplings of one coordinate."""
    seen: dict[int, str] = {}
    for k in numbers:
        c = model.constraints[k]
        first = seen.setdefault(c.v, c.label)
        require(first is c.label, f"{first} and {c.label}: one coordinate can follow one function only", BadValue)


def _without_users(model: Model, good: list[int]) -> list[int]:
    """Those whose coordinate no constraint that stays uses."""
    while True:
        stay = [c for k, c in enumerate(model.constraints) if isinstance(c, Coupling) and k not in good]
        used = {v for c in stay for v in (c.v, *(v for _, v in c.others))}
        left = [k for k in good if model.constraints[k].v not in used]
        if len(left) == len(good):
            return good
        good = left


def _ordered(model: Model, good: list[int]) -> list[int]:
    """Each coupling after the one that its driver follows; cycles are refused."""
    of = {model.constraints[k].v: k for k in good}
    done: list[int] = []
    for k in good:
        chain = [k]
        while (driver := model.constraints[chain[-1]].others[0][1]) in of and of[driver] not in done:
            cycle = "; ".join(model.constraints[n].label for n in chain)
            require(of[driver] not in chain, f"couplings follow each other in a circle: {cycle}", BadValue)
            chain.append(of[driver])
        done += [n for n in reversed(chain) if n not in done]
    return done


def _folded(model: Model, ordered: list[int], notes: tuple[str, ...]) -> Model:
    if not ordered:
        return replace(model, notes=(*model.notes, *notes))
    followers = [_follower(model, model.constraints[k]) for k in ordered]
    gone = {f.name for f in followers}
    q, v = _new_places(model, [(model.constraints[k].q, model.constraints[k].v) for k in ordered])
    kept = {name: {c: x for c, x in getattr(model, name).items() if c not in gone} for name in SAID}
    return replace(
        model,
        followers=(*model.followers, *followers),
        forces=renumber(model.forces, q, v),
        prescribed={v[k]: motion for k, motion in model.prescribed.items()},
        constraints=tuple(_moved(c, q, v) for k, c in enumerate(model.constraints) if k not in ordered),
        notes=(*model.notes, *notes),
        **kept,
    )


SAID = ("ranges", "ratings", "defaults", "motion_types")  # mappings of a model by coordinate


def _follower(model: Model, c: Coupling) -> Follower:
    (body, k), driver = _owner(model, c.v), _owner(model, c.others[0][1])
    shown = {(p.body, p.coordinate): name for name, p in zip(model.coordinates, model.coordinate_places, strict=True)}
    name = shown[body, k]
    said = (model.ranges.get(name), model.defaults.get(name), model.motion_types.get(name, ""), model.ratings.get(name))
    return Follower(name, shown[driver], body, k, driver, c.slide, *said)


def _new_places(model: Model, gone: list[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Old → new index in q and in v; those that are folded come after all others, as followers do in loads."""
    out = []
    for count, lost in ((model.nq, [q for q, _ in gone]), (model.nv, [v for _, v in gone])):
        followers = range(count, count + len(model.followers))
        order = [k for k in range(count) if k not in lost] + [*followers, *lost]
        out.append({old: new for new, old in enumerate(order)})
    return out[0], out[1]


def _moved(c: Loop | Coupling | Rolling, q: dict[int, int], v: dict[int, int]) -> Loop | Coupling | Rolling:
    if not isinstance(c, Coupling):
        return c
    return replace(c, q=q[c.q], v=v[c.v], others=tuple((q[a], v[b]) for a, b in c.others))


def unfold(model: Model) -> Model:
    """A copy in which followers are coordinates again, held by couplings after all other constraints."""
    if not model.followers:
        return model
    bare = replace(model, followers=(), forces=(), prescribed={}, constraints=())
    places = {(p.body, p.coordinate): p for p in bare.coordinate_places}
    old = [places[p.body, p.coordinate] for p in model.coordinate_places]
    q, v = ({}, {})
    for before, now in zip(model.coordinate_places, old, strict=True):
        q |= {before.q + k: now.q + k for k in range(now.widths[0])}
        v |= {before.v + k: now.v + k for k in range(now.widths[1])}
    own = [places[f.body, f.coordinate] for f in model.followers]
    q |= {model.nq + k: p.q for k, p in enumerate(own)}
    v |= {model.nv + k: p.v for k, p in enumerate(own)}
    couplings = [_coupling(f, places) for f in model.followers]
    return replace(
        bare,
        forces=renumber(model.forces, q, v),
        prescribed={v[k]: motion for k, motion in model.prescribed.items()},
        constraints=(*(_moved(c, q, v) for c in model.constraints), *couplings),
        ranges=dict(model.ranges) | {f.name: f.range for f in model.followers if f.range is not None},
        ratings=dict(model.ratings) | {f.name: f.rating for f in model.followers if f.rating is not None},
        defaults=dict(model.defaults) | {f.name: f.default for f in model.followers if f.default is not None},
        motion_types=dict(model.motion_types) | {f.name: f.motion_type for f in model.followers if f.motion_type},
    )


def _coupling(f: Follower, places: dict) -> Coupling:
    own, driver = places[f.body, f.coordinate], places[f.driver_place]
    label = f"coupling of {f.name!r} to {f.driver!r}"
    return Coupling(label, own.q, own.v, ((driver.q, driver.v),), f.slide)
