"""Numbers that know how they change: a value and its slopes along every velocity and along time.

A `Jet` holds an array (count, …) and its slopes (count, …, nv + 1); the last slope is along time. On complex numbers
whose imaginary part is a tiny step along a motion, the imaginary part of the slopes is their rate along it: one run
of a formula gives its gradient and the product v'H exactly, to round-off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import BadValue


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

    def __array__(self, *args, **kwargs):
        raise TypeError("it would lose its derivatives here")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            return NotImplemented
        if ufunc in SLOPES:
            return _unary(ufunc, inputs[0])
        return BINARY[ufunc](*(_jet(x, self) for x in inputs)) if ufunc in BINARY else NotImplemented

    def __array_function__(self, func, types, args, kwargs):
        return FUNCTIONS[func](*args, **kwargs) if func in FUNCTIONS else NotImplemented

    def __add__(self, other) -> Jet:
        return _add(self, _jet(other, self))

    __radd__ = __add__

    def __sub__(self, other) -> Jet:
        return _subtract(self, _jet(other, self))

    def __rsub__(self, other) -> Jet:
        return _subtract(_jet(other, self), self)

    def __mul__(self, other) -> Jet:
        return _multiply(self, _jet(other, self))

    __rmul__ = __mul__

    def __truediv__(self, other) -> Jet:
        return _divide(self, _jet(other, self))

    def __rtruediv__(self, other) -> Jet:
        return _divide(_jet(other, self), self)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.slope)

    def __pow__(self, power: float) -> Jet:
        return _power(self, power)


def lifted(x: np.ndarray, f: Callable, slope: Callable) -> np.ndarray:
    """f at numbers with a tiny imaginary part, for an f that takes only real ones."""
    if not np.iscomplexobj(x):
        return f(x)
    return f(np.real(x)) + 1j * slope(np.real(x)) * np.imag(x)


def _inverse_tangent(x):
    return lifted(x, np.arctan, lambda r: 1.0 / (1.0 + r * r))


def _absolute(x):
    return np.where(np.real(x) < 0, -x, x)


def _sign(x):
    return np.sign(np.real(x))


# function → (itself on complex numbers, its slope)
SLOPES: dict = {
    np.negative: (np.negative, lambda x: -np.ones_like(x)),
    np.positive: (np.positive, np.ones_like),
    np.sin: (np.sin, np.cos),
    np.cos: (np.cos, lambda x: -np.sin(x)),
    np.tan: (np.tan, lambda x: 1.0 / np.cos(x) ** 2),
    np.sinh: (np.sinh, np.cosh),
    np.cosh: (np.cosh, np.sinh),
    np.tanh: (np.tanh, lambda x: 1.0 / np.cosh(x) ** 2),
    np.exp: (np.exp, np.exp),
    np.log: (np.log, lambda x: 1.0 / x),
    np.sqrt: (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    np.square: (np.square, lambda x: 2.0 * x),
    np.arcsin: (np.arcsin, lambda x: 1.0 / np.sqrt(1.0 - x * x)),
    np.arccos: (np.arccos, lambda x: -1.0 / np.sqrt(1.0 - x * x)),
    np.arctan: (_inverse_tangent, lambda x: 1.0 / (1.0 + x * x)),
    np.absolute: (_absolute, _sign),
}


def _unary(ufunc: np.ufunc, x: Jet) -> Jet:
    f, slope = SLOPES[ufunc]
    return Jet(f(x.value), slope(x.value)[..., None] * x.slope)


def _jet(x, like: Jet) -> Jet:
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


def _power(a: Jet, b) -> Jet:
    if isinstance(b, Jet):
        if b.value.ndim or np.any(b.slope):
            return _unary(np.exp, b * _unary(np.log, a))
        b = float(b.value)
    return Jet(a.value**b, (b * a.value ** (b - 1))[..., None] * a.slope)


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
    np.hypot: lambda a, b: _unary(np.sqrt, a * a + b * b),
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
    jets = [_jet(x, like) for x in jets]
    values = np.broadcast_arrays(*(x.value for x in jets))
    slopes = np.broadcast_arrays(*(x.slope for x in jets))
    axis = axis % (values[0].ndim + 1)
    return Jet(np.stack(values, axis=axis), np.stack(slopes, axis=axis))


def called(f: Callable, x, what: str) -> Any:
    """f(x) of a person's function; a list of numbers becomes one, and a function that cannot take jets gets words."""
    try:
        y = f(x)
    except TypeError as error:
        raise BadValue(
            f"{what} must be written with numpy's functions (np.cos, not math.cos), and give several numbers as a list "
            f"or by np.stack, not by np.array; it raised: {error}"
        ) from error
    return stack(y, axis=-1) if isinstance(y, (list, tuple)) and any(isinstance(part, Jet) for part in y) else y


def concatenate(jets, axis: int = 0) -> Jet:
    """Jets one after the other along an axis."""
    like = next(x for x in jets if isinstance(x, Jet))
    jets = [_jet(x, like) for x in jets]
    axis = axis % jets[0].value.ndim
    return Jet(np.concatenate([x.value for x in jets], axis), np.concatenate([x.slope for x in jets], axis))


def _norm(a: Jet, axis: int = -1) -> Jet:
    return _unary(np.sqrt, (a * a).sum(axis=axis))


FUNCTIONS: dict = {
    np.stack: stack,
    np.concatenate: concatenate,
    np.cross: cross,
    np.sum: lambda a, axis=-1: a.sum(axis=axis),
    np.linalg.norm: _norm,
}
