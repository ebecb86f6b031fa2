"""What both formats say of a coordinate beyond its motion: dampers, springs, and what it follows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ....errors import amount
from ....forces import Element, OnCoordinate
from ....joints.evaluate import pose_matrices
from ....model import Model
from ....model.followers import Follower
from ....model.limits import Rating
from ...opensim.writing.approximation import Approximation

SAME = 1e-10  # of the largest value: a function that is nearer to a polynomial is one
PLACES = 33
LINEAR = ("damper", "coordinate_spring")
KNOWN = 13  # decimals of a coefficient that a fit knows: −2 is written, not −1.9999999999999991


@dataclass(frozen=True)
class Law:
    """Linear laws of a coordinate, the inertia that it has of its own, and its rating, in SI units."""

    damping: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    armature: float = 0.0
    rating: Rating = field(default_factory=Rating)


def written_forces(model: Model, mjcf: bool) -> list[Element[OnCoordinate]]:
    """The forces of a model that a format has: dampers, and in MJCF one spring, of coordinates that are one number."""
    single = {p.q for p in model.coordinate_places if p.widths == (1, 1)}
    forces = [f for f in model.coordinate_forces if f.at.q in single]
    springs = [f.at.q for f in forces if _springy(f)]
    good = [not _springy(f) or (mjcf and springs.count(f.at.q) == 1) for f in forces]
    return [f for f, has in zip(forces, good, strict=True) if has and f.law in LINEAR]


def _springy(force: Element) -> bool:
    return force.law == "coordinate_spring" and force.named["stiffness"] != 0.0


def laws(model: Model, forces: list[Element[OnCoordinate]]) -> dict[str, Law]:
    """The laws of coordinates by their names."""
    found = {name: Law(armature=rating.armature, rating=rating) for name, rating in model.ratings.items()}
    names = {p.q: name for name, p in zip(model.coordinates, model.coordinate_places, strict=True)}
    for force in forces:
        old, named = found.get(names[force.at.q], Law()), force.named
        spring = {key: named[key] for key in ("stiffness", "rest")} if named.get("stiffness") else {}
        found[names[force.at.q]] = replace(old, damping=old.damping + named["damping"], **spring)
    return found


def unwritten_forces(model: Model, forces: list[Element[OnCoordinate]], mjcf: bool) -> list[str]:
    """Words for the forces on coordinates that the file does not have."""
    lost = [f for f in model.coordinate_forces if f not in forces]
    stops = sum(f.declared.limit for f in lost)
    others = len(lost) - stops
    told = f"the laws of {amount(stops, 'force')} at limits" + (" (MuJoCo has its own)" if mjcf else "")
    return ([told] if stops else []) + ([f"{amount(others, 'force')} on coordinates"] if others else [])


def tie(model: Model, f: Follower, order: int, turns: bool) -> tuple[np.ndarray, Approximation | None]:
    """Coefficients (5,) of the polynomial of its driver that a coordinate is, or of the nearest, with its errors."""
    x = _span(model, f)
    values = pose_matrices(f.slide, x[:, None])[:, 0, 3]
    found = np.polynomial.Polynomial.fit(x, values, order).convert().coef
    coefficients = np.pad(found, (0, 5 - len(found))).round(KNOWN)
    gap = np.polynomial.polynomial.polyval(x, coefficients) - values
    if np.abs(gap).max() <= SAME * max(1.0, np.abs(values).max()):
        return coefficients, None
    far, slope = (float(np.abs(y).max()) for y in (gap, np.gradient(gap, x)))
    errors = (0.0, np.degrees(far), 0.0, np.degrees(slope)) if turns else (1e3 * far, 0.0, 1e3 * slope, 0.0)
    ends = (float(x[0]), float(x[-1]))
    return coefficients, Approximation(f.name, f.driver, ends, len(x), *errors, form=f"a polynomial of order {order}")


def _span(model: Model, f: Follower) -> np.ndarray:
    """Values of a driver over its range, or about zero if it has none."""
    low, high = model.ranges.get(f.driver, (-1.0, 1.0))
    low, high = max(low, -10.0, f.slide.domain[0][0]), min(high, 10.0, f.slide.domain[0][1])
    return np.linspace(low, high, PLACES) if low < high else np.linspace(-1.0, 1.0, PLACES)
