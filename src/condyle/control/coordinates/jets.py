"""Numbers that know how they change: a value and its slopes along every velocity and along time.

A `Jet` holds an array (count, …) and its slopes (count, …, nv + 1); the last slope is along time. On complex numbers
whose imaginary part is a tiny step along a motion, the imaginary part of the slopes is their rate along it: one run
of a formula gives its gradient and the product v'H exactly, to round-off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np

from .smooth_functions import BRANCHING, COMPARISONS, METHODS, SLOPES

FUNCTIONS: dict = {}  # functions of NumPy that take jets; jet_functions fills it in
_BRANCHES: ContextVar[list[str] | None] = ContextVar("branches", default=None)


@contextmanager
def watched_branches() -> Iterator[list[str]]:
    """What formulas run in this context choose by: comparisons, np.where, np.clip, abs, pieces of a curve, …"""
    seen: list[str] = []
    token = _BRANCHES.set(seen)
    try:
        yield seen
    finally:
        _BRANCHES.reset(token)


def note_branch(what: str) -> None:
    """Tell who watches that a formula has other derivatives elsewhere."""
    seen = _BRANCHES.get()
    if seen is not None:
        seen.append(what)


class Jet:
    """Values with their slopes. Takes + − * / **, indices and numpy's smooth functions.

    Parameters
    ----------
    value : ndarray, shape (count, …)
    slope : ndarray, shape (count, …, nv + 1)
        Along the velocities, then along time.
    """

    __array_priority__ = 1000.0

    def __init__(self, value: np.ndarray, slope: np.ndarray) -> None:
        self.value, self.slope = value, slope

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """The number of axes of the value."""
        return self.value.ndim

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index) -> Jet:
        full = index if isinstance(index, tuple) else (index,)
        dots = full if any(i is Ellipsis for i in full) else (*full, Ellipsis)
        return Jet(self.value[index], self.slope[(*dots, slice(None))])

    def reshape(self, *shape: int) -> Jet:
        """The same numbers in another shape.

        Parameters
        ----------
        *shape : int

        Returns
        -------
        Jet
        """
        value = self.value.reshape(*shape)
        return Jet(value, self.slope.reshape(*value.shape, self.slope.shape[-1]))

    @property
    def T(self) -> Jet:
        """The value with its axes in reverse order."""
        return np.transpose(self)  # type: ignore[return-value]

    def sum(self, axis: int = -1) -> Jet:
        """The sum along an axis.

        Parameters
        ----------
        axis : int, optional

        Returns
        -------
        Jet
        """
        axis = axis % self.value.ndim
        return Jet(self.value.sum(axis=axis), self.slope.sum(axis=axis))

    def __getattr__(self, name: str):
        if name in METHODS:
            return partial(getattr(np, name), self)
        raise AttributeError(f"a coordinate with derivatives has no {name!r}", name=name, obj=self)

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array of numbers with derivatives is ambiguous")

    def __array__(self, *args, **kwargs):
        raise TypeError("it would lose its derivatives here")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            return NotImplemented
        if ufunc in SLOPES:
            return _unary(ufunc, inputs[0])
        if ufunc in COMPARISONS:
            note_branch(ufunc.__name__)
            return ufunc(*(np.real(as_jet(x, self).value) for x in inputs))
        return BINARY[ufunc](*(as_jet(x, self) for x in inputs)) if ufunc in BINARY else NotImplemented

    def __array_function__(self, func, types, args, kwargs):
        return FUNCTIONS[func](*args, **kwargs) if func in FUNCTIONS else NotImplemented

    def __add__(self, other) -> Jet:
        return _add(self, as_jet(other, self))

    __radd__ = __add__

    def __sub__(self, other) -> Jet:
        return _subtract(self, as_jet(other, self))

    def __rsub__(self, other) -> Jet:
        return _subtract(as_jet(other, self), self)

    def __mul__(self, other) -> Jet:
        return _multiply(self, as_jet(other, self))

    __rmul__ = __mul__

    def __truediv__(self, other) -> Jet:
        return _divide(self, as_jet(other, self))

    def __rtruediv__(self, other) -> Jet:
        return _divide(as_jet(other, self), self)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.slope)

    def __pow__(self, power) -> Jet:
        return _fixed_power(self, power) if isinstance(power, (int, float)) else _power(self, as_jet(power, self))

    def __rpow__(self, base) -> Jet:
        return _power(as_jet(base, self), self)

    def __matmul__(self, other) -> Jet:
        return product(np.matmul, self, other)

    def __rmatmul__(self, other) -> Jet:
        return product(np.matmul, other, self)

    def __abs__(self) -> Jet:
        return _unary(np.absolute, self)

    __hash__ = object.__hash__

    def __eq__(self, other):  # pyright: ignore[reportIncompatibleMethodOverride]  # as of arrays
        return np.equal(self, other)

    def __ne__(self, other):  # pyright: ignore[reportIncompatibleMethodOverride]
        return np.not_equal(self, other)

    def __lt__(self, other):
        return np.less(self, other)

    def __le__(self, other):
        return np.less_equal(self, other)

    def __gt__(self, other):
        return np.greater(self, other)

    def __ge__(self, other):
        return np.greater_equal(self, other)


def _unary(ufunc: np.ufunc, x: Jet) -> Jet:
    if ufunc in BRANCHING:
        note_branch(ufunc.__name__)
    f, slope = SLOPES[ufunc]
    return Jet(f(x.value), slope(x.value)[..., None] * x.slope)


def as_jet(x, like: Jet) -> Jet:
    """A constant as a jet."""
    if isinstance(x, Jet):
        return x
    value = np.asarray(x)
    return Jet(value, np.zeros((*value.shape, like.slope.shape[-1])))


def _add(a: Jet, b: Jet) -> Jet:
    return Jet(a.value + b.value, a.slope + b.slope)


def _subtract(a: Jet, b: Jet) -> Jet:
    return Jet(a.value - b.value, a.slope - b.slope)


def _multiply(a: Jet, b: Jet) -> Jet:
    return Jet(a.value * b.value, a.slope * b.value[..., None] + a.value[..., None] * b.slope)


def _divide(a: Jet, b: Jet) -> Jet:
    value = a.value / b.value
    return Jet(value, (a.slope - value[..., None] * b.slope) / b.value[..., None])


def _power(a: Jet, b: Jet) -> Jet:
    """aᵇ; of a constant power also where a is zero or negative."""
    if np.any(b.slope):
        value = a.value**b.value
        log = np.log(a.value)
        return Jet(value, value[..., None] * (b.slope * log[..., None] + (b.value / a.value)[..., None] * a.slope))
    n = np.real(b.value)
    if n.ndim == 0:
        return _fixed_power(a, float(n))
    slope = np.where(n == 0.0, 0.0, n * a.value ** np.where(n == 0.0, 0.0, n - 1.0))
    return Jet(a.value**n, slope[..., None] * a.slope)


def _fixed_power(a: Jet, n: float) -> Jet:
    slope = n * a.value ** (n - 1.0) if n else np.zeros_like(a.value)
    return Jet(a.value**n, slope[..., None] * a.slope)


def pick(condition, a: Jet, b: Jet) -> Jet:
    """a where the condition holds, else b."""
    note_branch("where")
    c = np.asarray(condition, dtype=bool)
    value = np.where(c, a.value, b.value)
    shape = (*value.shape, a.slope.shape[-1])
    slopes = (np.broadcast_to(_lined_up(x.slope, value.ndim), shape) for x in (a, b))
    return Jet(value, np.where(np.broadcast_to(c, value.shape)[..., None], *slopes))


def _lined_up(slope: np.ndarray, ndim: int) -> np.ndarray:
    """Slopes of a value of fewer axes, with axes of one in front."""
    return slope.reshape((1,) * (ndim + 1 - slope.ndim) + slope.shape)


def product(f: Callable, a, b) -> Jet:
    """f(a, b), linear in each and broadcasting over leading axes: f(ȧ, b) + f(a, ḃ)."""
    like = a if isinstance(a, Jet) else b
    a, b = as_jet(a, like), as_jet(b, like)
    first, second = (np.moveaxis(x.slope, -1, 0) for x in (a, b))
    parts = [np.array([f(da, b.value) + f(a.value, db)]) for da, db in zip(first, second, strict=True)]
    return Jet(np.asarray(f(a.value, b.value)), np.moveaxis(np.concatenate(parts), 0, -1))


def _remainder(a: Jet, b: Jet) -> Jet:
    """a less the whole multiples of a constant b."""
    if np.any(b.slope):
        raise TypeError("np.mod with a divisor that moves has no derivative here; use a constant one")
    note_branch("remainder")
    return a - np.floor(np.real(a.value) / np.real(b.value)) * b


def angle_of(y: Jet, x: Jet) -> Jet:
    """The angle of (x, y), all four quadrants."""
    square = x.value * x.value + y.value * y.value
    value = np.arctan2(np.real(y.value), np.real(x.value))
    if np.iscomplexobj(square):
        turn = np.real(x.value) * np.imag(y.value) - np.real(y.value) * np.imag(x.value)
        value = value + 1j * turn / np.real(square)
    slope = x.value[..., None] * y.slope - y.value[..., None] * x.slope
    return Jet(value, slope / square[..., None])


BINARY: dict = {
    np.add: _add,
    np.subtract: _subtract,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.power: _power,
    np.arctan2: angle_of,
    np.float_power: _power,
    np.hypot: lambda a, b: _unary(np.sqrt, a * a + b * b),
    np.matmul: lambda a, b: product(np.matmul, a, b),
    np.maximum: lambda a, b: pick(np.real(a.value) >= np.real(b.value), a, b),
    np.minimum: lambda a, b: pick(np.real(a.value) <= np.real(b.value), a, b),
    np.fmax: lambda a, b: pick(np.real(a.value) >= np.real(b.value), a, b),
    np.fmin: lambda a, b: pick(np.real(a.value) <= np.real(b.value), a, b),
    np.remainder: _remainder,
}


def root(a: Jet) -> Jet:
    """The square root."""
    return _unary(np.sqrt, a)


def dot(a: Jet | np.ndarray, b: Jet | np.ndarray) -> Jet:
    """The inner product along the last axis.

    Parameters
    ----------
    a : Jet
    b : Jet

    Returns
    -------
    Jet
    """
    products: Any = a * b
    return products.sum(axis=-1)


def norm(a: Jet) -> Jet:
    """The length along the last axis.

    Parameters
    ----------
    a : Jet

    Returns
    -------
    Jet
    """
    return root(dot(a, a))


def cross(a: Jet | np.ndarray, b: Jet | np.ndarray) -> Jet:
    """The cross product along the last axis.

    Parameters
    ----------
    a : Jet
    b : Jet

    Returns
    -------
    Jet
    """
    x, y, z = (_minor(a, b, i, j) for i, j in ((1, 2), (2, 0), (0, 1)))
    return stack([x, y, z], axis=-1)


def _minor(a, b, i: int, j: int) -> Jet:
    return a[..., i] * b[..., j] - a[..., j] * b[..., i]


def stack(jets, axis: int = 0) -> Jet:
    """Jets of one shape along a new axis."""
    like = next(x for x in jets if isinstance(x, Jet))
    jets = [as_jet(x, like) for x in jets]
    values = np.broadcast_arrays(*(x.value for x in jets))
    slopes = np.broadcast_arrays(*(x.slope for x in jets))
    axis = axis % (values[0].ndim + 1)
    return Jet(np.stack(values, axis=axis), np.stack(slopes, axis=axis))


def concatenate(jets, axis: int = 0) -> Jet:
    """Jets one after the other along an axis."""
    like = next(x for x in jets if isinstance(x, Jet))
    jets = [as_jet(x, like) for x in jets]
    axis = axis % jets[0].value.ndim
    return Jet(np.concatenate([x.value for x in jets], axis), np.concatenate([x.slope for x in jets], axis))
