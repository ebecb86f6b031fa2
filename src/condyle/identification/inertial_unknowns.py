"""Unknown inertias: mass, centre of mass and moment of a body, so written that every number makes a body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import BadInertia, require
from ..model import Model
from ..spatial.second_moments import second_moments
from .unknowns import Field, Pulled

INERTIAL = ("mass", "com", "moment")
LOWER = np.tril_indices(3)
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class Still:
    """An unknown that moves no body; its parameter has its name."""

    name: str

    def fields(self, model: Model, T: np.ndarray, q: np.ndarray, y: np.ndarray) -> list[Field]:
        """Markers do not move with it."""
        return []

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameter itself."""
        return (self.name,)


@dataclass
class Relative(Still):
    """A positive number, such as a mass or a stiffness: the logarithm of how much larger it is."""

    name: str
    start: float
    unit: str
    prior: float | None
    size: int = 1

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The number."""
        return {self.name: self.start * np.exp(y[0])}

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Through the logarithm."""
        return at.parameters[self.name][..., None] * (self.start * np.exp(y[0]))

    def physical(self, y: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Its name with its unit, its value, and how that changes with y."""
        value = self.start * np.exp(y)
        return [f"{self.name} [{self.unit}]"], value, value[:, None]


@dataclass
class Center(Still):
    """A centre of mass: shifts [m]."""

    name: str
    start: np.ndarray
    prior: float | None
    size: int = 3

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The centre."""
        return {self.name: self.start + y}

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """As they are."""
        return at.parameters[self.name]

    def physical(self, y: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Names with units, values, and how they change with y."""
        return [f"{self.name}.{axis} [m]" for axis in "xyz"], self.start + y, np.eye(3)


@dataclass
class Moment(Still):
    """A moment about the centre of mass: second moments L M Mᵀ Lᵀ, M lower triangular, logarithms on its diagonal.

    Its second moments ∫ x xᵀ dm are positive whatever the six numbers are, so a body has this moment.
    """

    name: str
    start: np.ndarray  # (3, 3)
    prior: float | None
    size: int = 6

    @cached_property
    def root(self) -> np.ndarray:
        """L, of the start."""
        return np.linalg.cholesky(second_moments(self.start))

    def _factor(self, y: np.ndarray) -> np.ndarray:
        M = np.zeros((3, 3))
        M[LOWER] = y
        np.fill_diagonal(M, np.exp(np.diag(M)))
        return M

    def value(self, y: np.ndarray) -> np.ndarray:
        """The moment (3, 3)."""
        half = self.root @ self._factor(y)
        S = half @ half.T
        return np.trace(S) * np.eye(3) - S

    def changes(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The moment."""
        return {self.name: self.value(y)}

    def _pull(self, moment: np.ndarray, y: np.ndarray) -> np.ndarray:
        """From symmetric cotangents of the moment (..., 3, 3) to those of y (..., 6)."""
        M = self._factor(y)
        second = np.trace(moment, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - moment
        found = 2.0 * self.root.T @ second @ self.root @ M
        scale = np.where(np.eye(3) > 0, M, 1.0)
        return (found * scale)[..., LOWER[0], LOWER[1]]

    def slopes(self, at: Pulled, y: np.ndarray) -> np.ndarray:
        """Through the triangular factor."""
        return self._pull(at.parameters[self.name], y)

    def physical(self, y: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Six names with units, values, and how they change with y."""
        I = self.value(y)
        units = np.array([0.5 * (np.eye(3)[[i]].T @ np.eye(3)[[j]] + np.eye(3)[[j]].T @ np.eye(3)[[i]])
                          for i, j in PAIRS])  # fmt: skip
        names = [f"{self.name}.{'xyz'[i]}{'xyz'[j]} [kg m²]" for i, j in PAIRS]
        return names, np.array([I[i, j] for i, j in PAIRS]), self._pull(units, y)


PHYSICAL_INERTIAS = (Relative, Center, Moment)


def inertial_block(model: Model, body: int, field: str, prior: float | None) -> Relative | Center | Moment:
    """The unknown "shank.mass", "shank.com" or "shank.moment"; a start that is no solid body is refused by name."""
    name, inertia = f"{model.bodies[body].name}.{field}", model.bodies[body].inertia
    solid = "; start from a body that has it, as cd.Inertia.box makes one"
    require(inertia.mass > 0, f"{name!r} cannot be unknown: the body has no mass{solid}", BadInertia)
    if field == "mass":
        return Relative(name, float(inertia.mass), "kg", prior)
    if field == "com":
        return Center(name, np.asarray(inertia.com), prior)
    least = np.linalg.eigvalsh(second_moments(np.asarray(inertia.moment)))
    words = f"{name!r} cannot be unknown: the body is a point, a rod or a plate{solid}"
    require(least[0] > 1e-9 * max(least[-1], 1e-300), words, BadInertia, second_moments=least.tolist())
    return Moment(name, np.asarray(inertia.moment), prior)
