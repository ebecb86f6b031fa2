"""NumPy's functions of arrays (np.mean, np.einsum, np.where, …) for jets: the same shapes, with exact slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import BadValue, require
from .jets import FUNCTIONS, Jet, as_jet, concatenate, cross, note_branch, pick, product, stack


def _linear(f: Callable) -> Callable:
    """A function of one array that is linear in it: applied to the value and to each slope."""

    def of_jet(a: Jet, *args, **options) -> Jet:
        slopes = [f(x, *args, **options) for x in np.moveaxis(a.slope, -1, 0)]
        return Jet(np.asarray(f(a.value, *args, **options)), np.stack(slopes, axis=-1))

    return of_jet


def _sum(a: Jet, axis: Any = -1, keepdims: bool = False) -> Jet:
    """The sum; along the last axis unless another one is named, as the first axis counts states."""
    return _linear(np.sum)(a, axis=axis, keepdims=keepdims)


def _mean(a: Jet, axis: Any = -1, keepdims: bool = False) -> Jet:
    return _linear(np.mean)(a, axis=axis, keepdims=keepdims)


def _running_sum(a: Jet, axis: int | None = None) -> Jet:
    if axis is None and a.ndim == 1 and len(a) > 1:
        raise TypeError("the first axis counts states, so that np.cumsum without an axis would add them up")
    return _linear(np.cumsum)(a, axis=axis)


def _average(a: Jet, axis: int = -1, weights: Any = None) -> Jet:
    if weights is None:
        return _mean(a, axis)
    w = np.asarray(weights, dtype=float)
    return _sum(a * w, axis) / w.sum()


def _prod(a: Jet, axis: int = -1, keepdims: bool = False) -> Jet:
    """A product along an axis, one factor after the other, so that a zero among them does no harm."""
    rows = np.moveaxis(a.value, axis, 0)
    slopes = np.moveaxis(a.slope, axis % a.ndim, 0)
    out = Jet(rows[0], slopes[0])
    for value, slope in zip(rows[1:], slopes[1:], strict=True):
        out = out * Jet(value, slope)
    return np.expand_dims(out, axis) if keepdims else out  # type: ignore[return-value]


def _variance(a: Jet, axis: int = -1, ddof: int = 0, keepdims: bool = False) -> Jet:
    off = a - _mean(a, axis, keepdims=True)
    return _sum(off * off, axis, keepdims) / (a.shape[axis] - ddof)


def _norm(a: Jet, ord: Any = None, axis: Any = -1, keepdims: bool = False) -> Jet:
    """The length, the sum (ord=1) or the largest (ord=inf) of the sizes, or another power."""
    if ord in (None, 2, "fro"):
        return np.sqrt(_sum(a * a, axis, keepdims))  # type: ignore[return-value]
    if ord == np.inf:
        return _extreme(np.argmax)(abs(a), axis, keepdims)
    require(isinstance(ord, (int, float)) and ord > 0, "np.linalg.norm of a coordinate: ord must be positive", got=ord)
    return _sum(abs(a) ** ord, axis, keepdims) ** (1.0 / ord)


def _extreme(which: Callable) -> Callable:
    """np.max or np.min along an axis."""

    def of_jet(a: Jet, axis: int = -1, keepdims: bool = False) -> Jet:
        note_branch(which.__name__)
        at = np.expand_dims(which(np.real(a.value), axis=axis), axis)
        value = np.take_along_axis(a.value, at, axis)
        slope = np.take_along_axis(a.slope, at[..., None], axis % a.ndim)
        return Jet(value, slope) if keepdims else np.squeeze(Jet(value, slope), axis)  # type: ignore[return-value]

    return of_jet


def _where(condition, a=None, b=None) -> Jet:
    require(a is not None and b is not None, "np.where of a coordinate needs both values", BadValue)
    like = next(x for x in (a, b, condition) if isinstance(x, Jet))
    return pick(condition, as_jet(a, like), as_jet(b, like))


def _clip(a, a_min=None, a_max=None, *, min=None, max=None) -> Jet:
    low, high = a_min if min is None else min, a_max if max is None else max
    a = a if low is None else np.maximum(a, low)
    return a if high is None else np.minimum(a, high)


def _einsum(subscripts: str, *operands, **_options) -> Jet:
    """Each operand's slope in turn, the others' values."""
    require(isinstance(subscripts, str), "np.einsum of coordinates: write the subscripts as text, 'si,si->s'")
    like = next(x for x in operands if isinstance(x, Jet))
    values = [x.value if isinstance(x, Jet) else np.asarray(x) for x in operands]
    value, slope = np.einsum(subscripts, *values), 0.0
    for k, x in enumerate(operands):
        if isinstance(x, Jet):
            parts = [np.einsum(subscripts, *values[:k], dx, *values[k + 1 :]) for dx in np.moveaxis(x.slope, -1, 0)]
            slope = slope + np.stack(parts, axis=-1)
    return Jet(np.asarray(value), np.broadcast_to(slope, (*np.shape(value), like.slope.shape[-1])))


def _bilinear(f: Callable) -> Callable:
    return lambda a, b, **options: product(lambda x, y: f(x, y, **options), a, b)


def _joined(shape: Callable, axis: int) -> Callable:
    """np.hstack and its kin: parts with enough axes, then one after the other."""

    def of_jets(parts) -> Jet:
        like = next(x for x in parts if isinstance(x, Jet))
        full = [shape(as_jet(x, like)) for x in parts]
        return concatenate(full, axis=axis if full[0].ndim > 1 else 0)

    return of_jets


def _column(x: Jet) -> Jet:
    return x if x.ndim > 1 else x[:, None]


def _row(x: Jet) -> Jet:
    return x if x.ndim > 1 else x[None]


def _inverse(a: Jet) -> Jet:
    """d(A⁻¹) = −A⁻¹ dA A⁻¹."""
    inverse = np.linalg.inv(a.value)
    slope = -np.einsum("...ij,...jkv,...kl->...ilv", inverse, a.slope, inverse)
    return Jet(inverse, slope)


def _determinant(a: Jet) -> Jet:
    """d det A = det A tr(A⁻¹ dA)."""
    value = np.linalg.det(a.value)
    return Jet(value, value[..., None] * np.einsum("...ij,...jiv->...v", np.linalg.inv(a.value), a.slope))


def spline(curve: Any, x: Jet) -> Jet:
    """A curve of scipy at a coordinate: `CubicSpline`, `PPoly`, `BSpline`, … of one number.

    Parameters
    ----------
    curve : callable with a method `derivative`
        As scipy.interpolate makes them.
    x : Jet
        Where; a number of the posture, such as `posture["knee"]`.

    Returns
    -------
    Jet
        Of the shape of x.

    Raises
    ------
    BadValue
        If the curve has no derivative, or more than one number at each place.

    Examples
    --------
    >>> import condyle as cd
    >>> from scipy.interpolate import CubicSpline
    >>> curve = CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    >>> height = cd.control.function(lambda x: cd.control.spline(curve, x["knee"]), name="height")
    """
    require(hasattr(curve, "derivative"), "spline: the curve must have a method derivative(), as those of scipy do")
    note_branch("spline")  # of pieces
    first, second = curve.derivative(1), curve.derivative(2)
    at, step = np.real(x.value), np.imag(x.value)
    value, slope = np.asarray(curve(at)), np.asarray(first(at))
    require(value.shape == at.shape, "spline: the curve must give one number at each place", got=value.shape)
    if np.iscomplexobj(x.value):
        value, slope = value + 1j * step * slope, slope + 1j * step * second(at)
    return Jet(value, slope[..., None] * x.slope)


FUNCTIONS |= {
    np.stack: stack,
    np.concatenate: concatenate,
    np.hstack: _joined(np.atleast_1d, 1),
    np.vstack: _joined(_row, 0),
    np.column_stack: _joined(_column, 1),
    np.cross: lambda a, b, axis=-1: cross(a, b),
    np.sum: _sum,
    np.mean: _mean,
    np.average: _average,
    np.prod: _prod,
    np.var: _variance,
    np.std: lambda a, *args, **options: np.sqrt(_variance(a, *args, **options)),
    np.max: _extreme(np.argmax),
    np.min: _extreme(np.argmin),
    np.linalg.norm: _norm,
    np.linalg.inv: _inverse,
    np.linalg.det: _determinant,
    np.linalg.solve: lambda a, b: _inverse(a) @ b if isinstance(a, Jet) else np.linalg.inv(a) @ b,
    np.where: _where,
    np.clip: _clip,
    np.einsum: _einsum,
    np.dot: _bilinear(np.dot),
    np.inner: _bilinear(np.inner),
    np.outer: _bilinear(np.outer),
    np.tensordot: lambda a, b, axes=2: product(lambda x, y: np.tensordot(x, y, axes), a, b),
    np.cumsum: _running_sum,
    np.diff: _linear(np.diff),
    np.trace: _linear(np.trace),
    np.transpose: _linear(np.transpose),
    np.swapaxes: _linear(np.swapaxes),
    np.moveaxis: _linear(np.moveaxis),
    np.squeeze: _linear(np.squeeze),
    np.expand_dims: _linear(np.expand_dims),
    np.ravel: _linear(np.ravel),
    np.reshape: _linear(np.reshape),
    np.repeat: _linear(np.repeat),
    np.tile: _linear(np.tile),
    np.flip: _linear(np.flip),
    np.roll: _linear(np.roll),
    np.take: _linear(np.take),
    np.broadcast_to: _linear(np.broadcast_to),
    np.atleast_1d: _linear(np.atleast_1d),
    np.real: lambda a: a,
    np.copy: lambda a: a,
    np.zeros_like: lambda a: np.zeros(a.shape),
    np.ones_like: lambda a: np.ones(a.shape),
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
}
