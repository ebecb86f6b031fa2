"""Unknown constants of springs and dampers, between points and on coordinates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import BadValue, NotSupported, require
from ..model import Model
from .inertial_unknowns import Relative, Still
from .unknowns import Pulled

SPRING_UNITS = {"stiffness": "N/m", "damping": "N s/m", "length": "m"}
KNOWN = {"coordinate_spring": ("stiffness", "rest", "damping"), "damper": ("damping",)}  # laws and their unknowns
UNITS = {"stiffness": "N m/rad or N/m", "damping": "N m s/rad or N s/m", "rest": "rad or m"}


@dataclass
class CoordinateConstant(Still):
    """Stiffness, damping or rest of a spring or damper on a coordinate: logarithms, but of the rest its change."""

    name: str
    field: str
    number: int  # of the force in the model
    start: float
    prior: float | None
    size: int = 1

    @property
    def parameters(self) -> tuple[str, ...]:
        """None: its derivative is the law's."""
        return ()

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """No named parameter of the model."""
        return {}

    def value(self, y: np.ndarray) -> float:
        """The constant."""
        return float(self.start + y[0] if self.field == "rest" else self.start * np.exp(y[0]))

    def loaded(self, model: Model, y: np.ndarray) -> Model:
        """The model with this constant."""
        forces = list(model.forces)
        forces[self.number] = forces[self.number].changed(**{self.field: self.value(y)})
        return replace(model, forces=tuple(forces))

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """What a drive must do is more by what the load takes."""
        force = at.model.forces[self.number]
        named, place = force.named, force.at
        by_value = {
            "damping": at.v[:, place.v],
            "stiffness": at.q[:, place.q] - named.get("rest", 0.0),
            "rest": np.full(len(at.q), -named.get("stiffness", 0.0)),
        }
        slope = by_value[self.field] * (1.0 if self.field == "rest" else self.value(y))
        return (slope[:, None] * (at.rows == place.v))[..., None]

    def physical(self, y: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Its name with its unit, its value, and how that changes with y."""
        value = self.value(y)
        return [f"{self.name} [{UNITS[self.field]}]"], np.array([value]), np.array(
            [[1.0 if self.field == "rest" else value]])  # fmt: skip


def load_names(model: Model) -> dict[str, tuple[int, str]]:
    """Constants of springs and dampers on coordinates: name → number of the force, and which it is."""
    places = {v: name for name, v in ((c, model.v_index(c)) for c in model.coordinates)}
    found: dict[str, tuple[int, str]] = {}
    for number, force in enumerate(model.forces):
        for field in KNOWN.get(force.law, ()):
            if force.at.v in places and f"{places[force.at.v]}.{field}" not in found:
                found[f"{places[force.at.v]}.{field}"] = number, field
    return found


def coordinate_block(model: Model, name: str, prior: float | None) -> CoordinateConstant:
    """The unknown "knee.damping", "knee.stiffness" or "knee.rest"."""
    number, field = load_names(model)[name]
    force = model.forces[number]
    start = force.named[field]
    words = f"{name!r}: it is positive and its start must be; add_damping or add_stiffness with a guess"
    require(field == "rest" or start > 0, words, BadValue, got=start)
    alike = [x for x in model.coordinate_forces if x.at.v == force.at.v and field in KNOWN.get(x.law, ())]
    require(len(alike) == 1, f"{name!r}: several forces on this coordinate have one; make them one", NotSupported)
    return CoordinateConstant(name, field, number, start, prior)


def spring_block(model: Model, number: int, field: str, prior: float | None) -> Relative:
    """The unknown "springs[0].stiffness", ".damping" or ".length"."""
    name, start = f"springs[{number}].{field}", float(getattr(model.springs[number], field))
    require(start > 0, f"{name!r}: it is positive and its start must be; build the spring with a guess", BadValue,
            got=start)  # fmt: skip
    return Relative(name, start, SPRING_UNITS[field], prior)
