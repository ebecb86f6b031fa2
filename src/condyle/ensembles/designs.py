"""Designs: which values the parameters have in each member."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require, shown
from ..simulation.schedule import require_table_memory
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike

if TYPE_CHECKING:
    from scipy.stats import qmc

WORKED = 4  # how many times the numbers of a design are in memory while it is made


@dataclass(frozen=True, eq=False)
class Design:
    """Values of named parameters for every member.

    Attributes
    ----------
    values : dict of str to ndarray
        Name → (members, shape of the parameter).
    kind : {"grid", "latin hypercube", "sobol", "samples", "sensitivity"}
    ranges : dict of str to object
        What a parameter was drawn from, where it was: (low, high), or a distribution of scipy.stats.
    """

    values: dict[str, np.ndarray]
    kind: str
    ranges: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(self.values)

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def member(self, i: int) -> dict[str, Any]:
        """The values of one member.

        Parameters
        ----------
        i : int

        Returns
        -------
        dict of str to float or ndarray
        """
        return {name: float(x[i]) if x.ndim == 1 else x[i] for name, x in self.values.items()}

    def __repr__(self) -> str:
        return f"<Design: {self.kind}, {len(self)} members, {', '.join(self.names)}>"


def samples(values: Mapping[str, ArrayLike]) -> Design:
    """A design of one's own.

    Parameters
    ----------
    values : mapping of str to array_like
        Name → (members, shape of the parameter).

    Returns
    -------
    Design

    Raises
    ------
    BadShape
        If there are no parameters, or not equally many values of each.
    """
    return _made(values, "samples", {})


def _made(values: Mapping[str, Any], kind: str, ranges: Mapping[str, Any]) -> Design:
    _require_names(values)
    arrays = {name: np.array(real_numbers(x, f"values of {name!r}")) for name, x in values.items()}
    lengths = {name: len(x) if x.ndim else None for name, x in arrays.items()}
    require(None not in lengths.values(), "a design has one value per member of each parameter", BadShape, got=lengths)
    require(len(set(lengths.values())) == 1, "a design needs equally many values of each parameter", BadShape,
            got=lengths)  # fmt: skip
    require(min(lengths.values()) > 0, "a design needs members", BadShape, got=lengths)  # type: ignore[type-var]
    for name, x in arrays.items():
        require(np.isfinite(x).all(), f"values of {name!r} must be finite", NotFinite)
        x.flags.writeable = False
    return Design(arrays, kind, dict(ranges))


def _require_names(values: Any) -> None:
    good = isinstance(values, Mapping) and len(values) > 0 and all(isinstance(name, str) and name for name in values)
    require(good, "a design names at least one parameter: a mapping of names to values or ranges", BadShape, got=values)


def grid(values: Mapping[str, ArrayLike]) -> Design:
    """Every combination of the values; the last parameter changes fastest.

    Parameters
    ----------
    values : mapping of str to array_like
        Name → (n, shape of the parameter).

    Returns
    -------
    Design

    Raises
    ------
    BadShape
        If there are no parameters or values.

    Examples
    --------
    >>> import condyle as cd
    >>> len(cd.ensembles.grid({"shank.mass": [3, 4, 5], "gravity[2]": [-9.81, -1.62]}))
    6
    """
    _require_names(values)
    arrays = {name: real_numbers(x, f"values of {name!r}") for name, x in values.items()}
    good = all(x.ndim and len(x) for x in arrays.values())
    require(
        good, "a grid needs a list of values of each parameter", BadShape, got={n: x.shape for n, x in arrays.items()}
    )
    require_table_memory(math.prod(len(x) for x in arrays.values()), WORKED * sum(x[0].size for x in arrays.values()))
    places = np.meshgrid(*(np.arange(len(x)) for x in arrays.values()), indexing="ij")
    chosen = zip(arrays.items(), places, strict=True)
    return _made({name: x[place.ravel()] for (name, x), place in chosen}, "grid", {})


def latin_hypercube(ranges: Mapping[str, Any], members: int, *, seed: int = 0) -> Design:
    """So many members that each of as many slices of every range has one.

    Parameters
    ----------
    ranges : mapping of str to pair of float or distribution
        Name → (low, high), or a frozen distribution of scipy.stats.
    members : int
    seed : int, optional

    Returns
    -------
    Design

    Raises
    ------
    BadValue
        For a range that is none.
    """
    from scipy.stats import qmc  # takes half a second, which workers need not wait for

    return _drawn(qmc.LatinHypercube(len(_named(ranges)), rng=seed), ranges, members, "latin hypercube")


def sobol(ranges: Mapping[str, Any], members: int, *, seed: int = 0) -> Design:
    """A scrambled Sobol sequence, which fills the ranges evenly; best with a power of two members.

    Parameters
    ----------
    ranges : mapping of str to pair of float or distribution
        Name → (low, high), or a frozen distribution of scipy.stats.
    members : int
    seed : int, optional

    Returns
    -------
    Design

    Raises
    ------
    BadValue
        For a range that is none.
    """
    from scipy.stats import qmc

    return _drawn(qmc.Sobol(len(_named(ranges)), rng=seed), ranges, members, "sobol")


def sensitivity(ranges: Mapping[str, Any], members: int, *, seed: int = 0) -> Design:
    """The members that Sobol indices need: two designs A and B, and A with each parameter of B in turn.

    Parameters
    ----------
    ranges : mapping of str to pair of float or distribution
        Name → (low, high), or a frozen distribution of scipy.stats.
    members : int
        Of A and of B, a power of two; there are (parameters + 2) times as many in all.
    seed : int, optional

    Returns
    -------
    Design

    Raises
    ------
    BadValue
        For a range that is none, or if `members` is not a power of two.
    """
    from scipy.stats import qmc

    d = len(_named(ranges))
    n = _count(members, d * (d + 2))
    require(n & (n - 1) == 0, "a design for Sobol indices needs a power of two members", BadValue, members=members)
    both = qmc.Sobol(2 * d, rng=seed).random(n)
    A, B = both[:, :d], both[:, d:]
    mixed = [np.where(np.arange(d) == k, B, A) for k in range(d)]
    return _made(_placed(np.concatenate([A, B, *mixed]), ranges), "sensitivity", ranges)


def _named(ranges: Any) -> Mapping[str, Any]:
    _require_names(ranges)
    return ranges


def _count(members: Any, numbers: int) -> int:
    """How many members, if there is memory for so many numbers of each."""
    good = isinstance(members, (int, np.integer)) and not isinstance(members, bool) and members >= 1
    require(good, "members: a whole number from 1 on", BadValue, got=members)
    require_table_memory(int(members), WORKED * numbers)
    return int(members)


def _drawn(engine: qmc.QMCEngine, ranges: Mapping[str, Any], members: int, kind: str) -> Design:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a Sobol sequence is best with a power of two
        return _made(_placed(engine.random(_count(members, len(ranges))), ranges), kind, ranges)


def _placed(unit: np.ndarray, ranges: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Numbers of [0, 1) in the ranges, column by column."""
    return {name: _in_range(name, r, unit[:, k]) for k, (name, r) in enumerate(ranges.items())}


def _in_range(name: str, r: Any, x: np.ndarray) -> np.ndarray:
    if hasattr(r, "ppf"):
        return np.asarray(r.ppf(np.clip(x, 1e-12, 1.0 - 1e-12)), float)
    words = f"the range of {name!r} is (low, high) or a distribution of scipy.stats; got {shown(r)}"
    ends = np.asarray(r)
    good = ends.shape == (2,) and ends.dtype.kind in "fiu" and np.isfinite(ends).all() and ends[0] < ends[1]
    require(good, words, BadValue)
    return ends[0] + (ends[1] - ends[0]) * x
