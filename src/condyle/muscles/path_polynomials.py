"""`reduced_path`: the length of a path as a polynomial of its coordinates, with the error stated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from ..dynamics.arguments import states
from ..errors import BadValue, NotSupported, require, unknown_name
from ..model import Model
from ..model.validate_model import require_model
from ..typing import ArrayLike
from .path_lengths import path_values

MOST_TERMS = 5000


@dataclass(frozen=True, eq=False)
class PathPolynomial:
    """The length of a path as a polynomial of the coordinates that it depends on.

    Attributes
    ----------
    muscle : str
    coordinates : tuple of str
        That the length depends on.
    ranges : ndarray, shape (coordinates, 2)
        Within which the polynomial holds [rad or m]; each coordinate is mapped to [−1, 1] before powers are taken.
    powers : ndarray of int, shape (terms, coordinates)
    coefficients : ndarray, shape (terms,)
        [m]
    length_error, moment_arm_error : float
        The largest ones [m, or m/m] at as many random poses as it was fitted to, but other ones.
    """

    muscle: str
    coordinates: tuple[str, ...]
    ranges: np.ndarray
    powers: np.ndarray
    coefficients: np.ndarray
    length_error: float
    moment_arm_error: float

    def length(self, values: ArrayLike) -> np.ndarray:
        """Lengths [m] at values (..., coordinates) of the coordinates.

        Parameters
        ----------
        values : array_like, shape (..., coordinates)

        Returns
        -------
        ndarray, shape (...)
        """
        return _terms(self._unit(values), self.powers) @ self.coefficients

    def moment_arms(self, values: ArrayLike) -> np.ndarray:
        """Moment arms −∂L/∂q about the coordinates [m, or m/m].

        Parameters
        ----------
        values : array_like, shape (..., coordinates)

        Returns
        -------
        ndarray, shape (..., coordinates)
        """
        slopes = _slopes(self._unit(values), self.powers) @ self.coefficients
        return -slopes * 2.0 / (self.ranges[:, 1] - self.ranges[:, 0])

    def _unit(self, values: ArrayLike) -> np.ndarray:
        x = np.asarray(values, dtype=float)
        low, high = self.ranges.T
        return (2.0 * x - low - high) / (high - low)


def _terms(x: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """All products of powers (..., terms)."""
    return np.prod(x[..., None, :] ** powers, axis=-1)


def _slopes(x: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Their derivatives by each coordinate (..., coordinates, terms)."""
    out = []
    for k in range(powers.shape[1]):
        less = powers.copy()
        less[:, k] = np.maximum(less[:, k] - 1, 0)
        out.append(powers[:, k] * _terms(x, less))
    return np.stack(out, axis=-2)


def reduced_path(
    model: Model,
    muscle: str,
    *,
    degree: int = 5,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    samples: int = 2000,
    seed: int = 0,
) -> PathPolynomial:
    """Reduce a path to a polynomial of the coordinates that its length depends on, and say how far that is off.

    Lengths and moment arms at random poses are fitted together by least squares; the errors are those at other ones.

    Parameters
    ----------
    model : Model
    muscle : str
        Of `model.muscles`.
    degree : int
        The largest sum of powers in a term.
    ranges : mapping of str to pair of float, optional
        Low and high of coordinates [rad or m]; those left out have the model's range, else −1 to 1.
    samples : int
        How many random poses.
    seed : int
        Of the random poses.

    Returns
    -------
    PathPolynomial

    Raises
    ------
    UnknownName
        If there is no such muscle or coordinate.
    NotSupported
        If the length depends on a ball or free joint's rotation, which is no vector of coordinates.
    BadValue
        If the degree or the number of poses makes no sense, or a range does not rise.

    Examples
    --------
    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    >>> b = b.add_path("line", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))])
    >>> found = cd.muscles.reduced_path(b.build(), "line", ranges={"rod": (-0.5, 0.5)})
    >>> found.coordinates, found.length_error < 1e-5
    (('rod',), True)
    """
    require_model(model)
    names = [m.name for m in model.muscles]
    if muscle not in names:
        raise unknown_name("muscle", muscle, names, "this model")
    require(degree >= 1, "degree must be at least 1", BadValue, degree=degree)
    given = {model.shown_name(c): r for c, r in (ranges or {}).items()}
    ends = np.array([given.get(c, model.ranges.get(c, (-1.0, 1.0))) for c in model.coordinates], dtype=float)
    require(
        (ends[:, 0] < ends[:, 1]).all() and np.isfinite(ends).all(), "every range must be finite and rise", BadValue
    )
    rng = np.random.default_rng(seed)
    k = names.index(muscle)
    used, fitted = _sampled(model, k, ends, samples, rng)
    _, other = _sampled(model, k, ends, samples, rng, used)
    low, high = ends[used].T
    terms = _powers(len(used), degree)
    require(len(terms) <= min(MOST_TERMS, samples),
            "too many terms for so few poses: lower the degree, or raise samples",
            BadValue, terms=len(terms), samples=samples)  # fmt: skip
    unit = (2.0 * fitted[0] - low - high) / (high - low)
    rows = np.concatenate([_terms(unit, terms), _slopes(unit, terms).reshape(-1, len(terms))])
    target = np.concatenate([fitted[1], (fitted[2] * 0.5 * (high - low)).ravel()])
    coefficients = np.linalg.lstsq(rows, target, rcond=None)[0]
    chosen = tuple(model.coordinates[i] for i in used)
    made = PathPolynomial(muscle, chosen, ends[used], terms, coefficients, np.nan, np.nan)
    off = np.abs(made.length(other[0]) - other[1]).max()
    arm = np.abs(made.moment_arms(other[0]) + other[2]).max(initial=0.0)
    return PathPolynomial(muscle, chosen, ends[used], terms, coefficients, float(off), float(arm))


def _powers(count: int, degree: int) -> np.ndarray:
    """Powers (terms, count) of all products of at most `degree` factors."""
    found = [c for d in range(degree + 1) for c in combinations_with_replacement(range(count), d)]
    return np.array([[c.count(i) for i in range(count)] for c in found], dtype=int).reshape(len(found), count)


def _sampled(model: Model, k: int, ends: np.ndarray, samples: int, rng: np.random.Generator, used=None):
    """The coordinates that path k depends on, and (values, lengths, slopes) at random poses."""
    places = [model.place_of(c) for c in model.coordinates]
    values = rng.uniform(ends[:, 0], ends[:, 1], (samples, len(places)))
    q = np.tile(model.neutral(), (samples, 1))
    turning = {i for at, _, _ in model.quaternions for i in range(at, at + 4)}
    for i, (_, at, _) in enumerate(places):
        if at not in turning:
            q[:, at] = values[:, i]
    found = path_values(model, states(model, q), True)
    slopes = found.slopes[:, k]
    moved = np.flatnonzero(np.abs(slopes).max(axis=0) > 1e-12)
    if used is None:
        used = [i for i, (_, at, v) in enumerate(places) if v in moved and at not in turning]
        require(len(used) == len(moved),
                f"the length of {model.muscles[k].name!r} depends on the turn of a ball or free "
                "joint, which is no vector of coordinates", NotSupported)  # fmt: skip
    columns = [places[i][2] for i in used]
    return used, (values[:, used], found.lengths[:, k], slopes[:, columns])
