"""NumPy's functions of one number with their slopes, for real numbers and for those with a tiny imaginary part."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


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


def _cube_root(x):
    return lifted(x, np.cbrt, lambda r: 1.0 / (3.0 * np.cbrt(r) ** 2))


def _flat(x):
    return np.zeros(x.shape)


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
    np.arcsinh: (np.arcsinh, lambda x: 1.0 / np.sqrt(1.0 + x * x)),
    np.arccosh: (np.arccosh, lambda x: 1.0 / np.sqrt(x * x - 1.0)),
    np.arctanh: (np.arctanh, lambda x: 1.0 / (1.0 - x * x)),
    np.exp2: (np.exp2, lambda x: np.log(2.0) * np.exp2(x)),
    np.expm1: (np.expm1, np.exp),
    np.log2: (np.log2, lambda x: 1.0 / (np.log(2.0) * x)),
    np.log10: (np.log10, lambda x: 1.0 / (np.log(10.0) * x)),
    np.log1p: (np.log1p, lambda x: 1.0 / (1.0 + x)),
    np.cbrt: (_cube_root, lambda x: 1.0 / (3.0 * _cube_root(x) ** 2)),
    np.reciprocal: (lambda x: 1.0 / x, lambda x: -1.0 / (x * x)),
    np.deg2rad: (lambda x: x * (np.pi / 180.0), lambda x: np.full(x.shape, np.pi / 180.0)),
    np.rad2deg: (lambda x: x * (180.0 / np.pi), lambda x: np.full(x.shape, 180.0 / np.pi)),
    np.radians: (lambda x: x * (np.pi / 180.0), lambda x: np.full(x.shape, np.pi / 180.0)),
    np.degrees: (lambda x: x * (180.0 / np.pi), lambda x: np.full(x.shape, 180.0 / np.pi)),
    np.absolute: (_absolute, _sign),
    np.fabs: (_absolute, _sign),
    np.sign: (_sign, _flat),
    np.floor: (lambda x: np.floor(np.real(x)), _flat),
    np.ceil: (lambda x: np.ceil(np.real(x)), _flat),
}

BRANCHING = {np.absolute, np.fabs, np.sign, np.floor, np.ceil}  # with other slopes elsewhere
COMPARISONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal}
METHODS = {
    "clip", "cumsum", "dot", "max", "mean", "min", "prod", "ravel", "repeat", "squeeze", "std", "swapaxes", "trace",
    "transpose", "var",
}  # fmt: skip
