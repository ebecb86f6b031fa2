"""Dual numbers in plain Python: a value and its derivative along one direction, which pass through any kernel together.

Nothing branches on a derivative: comparisons, floors and lookups see the value alone.
"""

from __future__ import annotations

import math
from typing import Any


class Dual:
    """value + derivative · ε with ε² = 0.

    Parameters
    ----------
    real : float
        The value; comparisons and lookups read it as the real part.
    slope : float, optional
        The derivative.
    """

    __slots__ = ("real", "slope")
    __array_ufunc__ = None  # NumPy's numbers leave arithmetic to it

    def __init__(self, real: float, slope: float = 0.0) -> None:
        self.real, self.slope = float(real), float(slope)

    def __repr__(self) -> str:
        return f"Dual({self.real!r}, {self.slope!r})"

    def __add__(self, other: Any) -> Dual:
        b = as_dual(other)
        return Dual(self.real + b.real, self.slope + b.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + -as_dual(other)

    def __mul__(self, other: Any) -> Dual:
        b = as_dual(other)
        return Dual(self.real * b.real, self.real * b.slope + self.slope * b.real)

    def __truediv__(self, other: Any) -> Dual:
        b = as_dual(other)
        ratio = _quotient(self.real, b.real)
        return Dual(ratio, _quotient(self.slope - ratio * b.slope, b.real))

    def __neg__(self) -> Dual:
        return Dual(-self.real, -self.slope)

    def __rsub__(self, other: Any) -> Dual:
        return -self + other

    def __rtruediv__(self, other: Any) -> Dual:
        return as_dual(other) / self

    __radd__, __rmul__ = __add__, __mul__


def as_dual(x: Any) -> Dual:
    """A number as a dual number; a complex one has its derivative in the imaginary part."""
    if isinstance(x, Dual):
        return x
    return Dual(x.real, x.imag) if isinstance(x, complex) else Dual(x)


def _quotient(a: float, b: float) -> float:
    """a/b as processors have it."""
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def dual_sqrt(a: Dual) -> Dual:
    """The square root; its derivative at 0, where it has none, is 0."""
    root = math.sqrt(a.real) if a.real >= 0 else math.nan
    return Dual(root, 0.5 * a.slope / root if root > 0 else 0.0)


def dual_arctan(a: Dual) -> Dual:
    """The arc tangent."""
    return Dual(math.atan(a.real), a.slope / (1.0 + a.real * a.real))


def dual_sincos(a: Dual, s: float, c: float) -> tuple[Dual, Dual]:
    """The sine and the cosine, from those of the value."""
    return Dual(s, c * a.slope), Dual(c, -s * a.slope)


class SlopeNumber:
    """A value and its slope along one direction in plain Python, each of any type of number; constants have no slope.

    Parameters
    ----------
    value : float, complex or Dual
    slope : float, complex or Dual
        Of the same type.
    """

    __slots__ = ("slope", "value")
    __array_ufunc__ = None

    def __init__(self, value: Any, slope: Any) -> None:
        self.value, self.slope = value, slope

    @property
    def real(self) -> float:
        """What comparisons see."""
        return self.value.real

    def __repr__(self) -> str:
        return f"SlopeNumber({self.value!r}, {self.slope!r})"

    def __add__(self, other: Any) -> SlopeNumber:
        if isinstance(other, SlopeNumber):
            return SlopeNumber(self.value + other.value, self.slope + other.slope)
        return SlopeNumber(self.value + other, self.slope)

    def __sub__(self, other: Any) -> SlopeNumber:
        return self + -other

    def __mul__(self, other: Any) -> SlopeNumber:
        if isinstance(other, SlopeNumber):
            return SlopeNumber(self.value * other.value, self.slope * other.value + self.value * other.slope)
        return SlopeNumber(self.value * other, self.slope * other)

    def __truediv__(self, other: Any) -> SlopeNumber:
        if not isinstance(other, SlopeNumber):
            return SlopeNumber(_ratio(self.value, other), _ratio(self.slope, other))
        ratio = _ratio(self.value, other.value)
        return SlopeNumber(ratio, _ratio(self.slope - ratio * other.slope, other.value))

    def __neg__(self) -> SlopeNumber:
        return SlopeNumber(-self.value, -self.slope)

    def __rsub__(self, other: Any) -> SlopeNumber:
        return -self + other

    def __rtruediv__(self, other: Any) -> SlopeNumber:
        ratio = _ratio(other, self.value)
        return SlopeNumber(ratio, _ratio(-(ratio * self.slope), self.value))

    __radd__, __rmul__ = __add__, __mul__


def _ratio(a: Any, b: Any) -> Any:
    """a/b; of plain numbers as processors have it."""
    return _quotient(a, b) if isinstance(a, (int, float)) and isinstance(b, (int, float)) else a / b
