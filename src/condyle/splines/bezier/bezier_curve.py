"""A Bézier curve: control points b_0 … b_n as rows (n + 1, d); everything follows from de Casteljau's step.

[TolaniBadlerGallier2000, appendix, loops corrected]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import BadShape, require
from ...typing import ArrayLike


def _rows(control: ArrayLike) -> np.ndarray:
    control = np.asarray(control, float)
    require(control.ndim == 2 and len(control) > 0, "a curve has control points (n + 1, d)", BadShape,
            shape=control.shape)  # fmt: skip
    return control


def _step(control: np.ndarray, t: float) -> np.ndarray:
    """One de Casteljau step: one control point less."""
    return (1 - t) * control[:-1] + t * control[1:]


def curve_blossom(control: ArrayLike, arguments: Sequence[float]) -> np.ndarray:
    """The polar form b(t_1, …, t_n) of a curve: symmetric, affine in each argument, b(t, …, t) the point at t.

    Parameters
    ----------
    control : array_like, shape (n + 1, d)
    arguments : sequence of n floats

    Returns
    -------
    ndarray, shape (d,)

    Raises
    ------
    BadValue
        If there are not as many arguments as the degree.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.bezier.curve_blossom([[0.0], [0.0], [1.0]], [0.5, 0.5])  # t² at one half
    array([0.25])
    """
    rows = _rows(control)
    degree = len(rows) - 1
    require(
        len(arguments) == degree, "a blossom takes as many arguments as the degree", degree=degree, given=len(arguments)
    )
    for t in arguments:
        rows = _step(rows, t)
    return rows[0]


def curve_points(control: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Points of a curve.

    Parameters
    ----------
    control : array_like, shape (n + 1, d)
    t : array_like, shape (...)
        From 0 to 1.

    Returns
    -------
    ndarray, shape (..., d)
    """
    rows, t = _rows(control), np.asarray(t, float)[..., None, None]
    rows = np.broadcast_to(rows, (*t.shape[:-2], *rows.shape))
    while rows.shape[-2] > 1:
        rows = (1 - t) * rows[..., :-1, :] + t * rows[..., 1:, :]
    return rows[..., 0, :]


def split_curve(control: ArrayLike, t: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """The control points of the parts of a curve before and after t.

    Parameters
    ----------
    control : array_like, shape (n + 1, d)
    t : float, optional

    Returns
    -------
    before, after : ndarray, shape (n + 1, d)
    """
    levels = [_rows(control)]
    while len(levels[-1]) > 1:
        levels.append(_step(levels[-1], t))
    return np.stack([level[0] for level in levels]), np.stack([level[-1] for level in levels[::-1]])


def elevated_curve(control: ArrayLike) -> np.ndarray:
    """The same curve written with one degree more.

    Parameters
    ----------
    control : array_like, shape (n + 1, d)

    Returns
    -------
    ndarray, shape (n + 2, d)
    """
    rows = _rows(control)
    share = (np.arange(1, len(rows)) / len(rows))[:, None]
    return np.vstack([rows[:1], share * rows[:-1] + (1 - share) * rows[1:], rows[-1:]])


def curve_derivative(control: ArrayLike) -> np.ndarray:
    """The control points of a curve's derivative, one degree lower.

    Parameters
    ----------
    control : array_like, shape (n + 1, d)

    Returns
    -------
    ndarray, shape (n, d)

    Raises
    ------
    BadShape
        If the curve is a single point.
    """
    rows = _rows(control)
    require(len(rows) > 1, "a single point has no derivative", BadShape, shape=rows.shape)
    return (len(rows) - 1) * np.diff(rows, axis=0)
