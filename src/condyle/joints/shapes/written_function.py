"""A user's function that gives places or directions, called so that whatever it does wrong is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import BadShape, BadValue, CondyleError, require

PROBED = np.array([0.0, 0.21, 0.43, 0.58, 0.87])  # five places: no width of a point, so that no axes are confused
NUMBERS_REFUSED = (TypeError, IndexError, AttributeError)  # what a function of arrays says to a number
Width = tuple[int, ...]


class WrittenFunction:
    """f on arrays of parameters, real or complex: called once if it takes arrays, else for each place.

    It gives (N, *width), or raises a named error with the parameters.
    """

    def __init__(self, f: Callable, width: Width, at_once: bool, title: str) -> None:
        self.f, self.width, self.at_once = f, width, at_once
        self.name = f"{title}: the function {getattr(f, '__name__', type(f).__name__)}"

    def __call__(self, *places: np.ndarray) -> np.ndarray:
        """Values (N, *width) at parameters (N,)."""
        values = self.together(places) if self.at_once else self._one_by_one(places)
        shape = (len(places[0]), *self.width)
        expected = f"{self.name} must give shape {shape} for {shape[0]} places"
        require(values.shape == shape, expected, BadShape, shape=values.shape)
        return values if any(map(np.iscomplexobj, places)) else self._real(values, places)

    def together(self, places: Sequence[np.ndarray]) -> np.ndarray:
        """What it gives for arrays."""
        try:
            value = self.f(*(p.copy() for p in places))
        except Exception as error:  # a user's function may raise anything
            raise self._failed(error, self._culprit(places)) from error
        return self._numbers(value)

    def _one_by_one(self, places: Sequence[np.ndarray]) -> np.ndarray:
        values = [self.alone(place) for place in zip(*(p.tolist() for p in places), strict=True)]
        wrong = {v.shape for v in values} - {self.width}
        require(not wrong, f"{self.name} must give shape {self.width} at each place", BadShape, shapes=sorted(wrong))
        return np.array(values).reshape(-1, *self.width)

    def alone(self, place: tuple) -> np.ndarray:
        """What it gives for numbers."""
        try:
            value = self.f(*place)
        except Exception as error:
            raise self._failed(error, place) from error
        return self._numbers(value)

    def _numbers(self, value) -> np.ndarray:
        try:
            array = np.asarray(value)
        except ValueError as error:
            raise BadShape(f"{self.name} gives rows of different lengths: {error}") from error
        require(array.dtype.kind in "fiubc", f"{self.name} must give numbers", BadValue, got=value)
        return array

    def _culprit(self, places: Sequence[np.ndarray]) -> tuple:
        """The first place that fails alone, or the first of all."""
        for k in range(len(places[0])):
            try:
                self.f(*(p[k : k + 1] for p in places))
            except Exception:
                return numbers_at(places, k)
        return numbers_at(places, 0)

    def _failed(self, error: Exception, place: tuple) -> BadValue:
        where = ", ".join(f"{x:.6g}" for x in place)
        return BadValue(f"{self.name} raised {type(error).__name__} at ({where}): {error}")

    def _real(self, values: np.ndarray, places: Sequence[np.ndarray]) -> np.ndarray:
        if np.iscomplexobj(values):
            bad = np.flatnonzero((np.imag(values) != 0).reshape(len(values), -1).any(axis=1))
            where = [numbers_at(places, k) for k in bad[:1]]
            require(len(bad) == 0, f"{self.name} gives complex numbers for real parameters", BadValue, at=where)
        return np.asarray(np.real(values), float)


def written_function(
    f: Callable, box: Sequence[np.ndarray], widths: Sequence[Width], expected: str, title: str
) -> tuple[WrittenFunction, Width]:
    """The function and the width of what it gives, one of `widths`; `expected` says what it takes and gives."""
    require(callable(f), f"{title}: a function that takes {expected}", BadValue, got=type(f).__name__)
    places, shapes, failures = [b[0] + (b[-1] - b[0]) * PROBED for b in box], [], []
    asked = WrittenFunction(f, (), True, title)
    for at_once in (True, False):
        try:
            shape = asked.together(places).shape if at_once else asked.alone(tuple(p[0].item() for p in places)).shape
        except CondyleError as error:
            failures.append(error)
            continue
        width = shape[1:] if at_once else shape
        if width in widths and len(shape) == len(width) + at_once and (not at_once or shape[0] == len(PROBED)):
            made = WrittenFunction(f, width, at_once, title)
            made(*places)
            return made, width
        shapes.append(shape)
    if shapes:
        raise BadShape(f"{title}: the function takes {expected}; got shape {shapes[0]}")
    raise failures[isinstance(failures[1].__cause__, NUMBERS_REFUSED) - 1]


def numbers_at(places: Sequence[np.ndarray], k: int) -> tuple:
    """The parameters, or the point, of place k."""
    return tuple(x for p in places for x in np.ravel(p[k]).tolist())
