"""Functions in closed form: constant, linear, polynomial, sinusoid, the tangent angle of an ellipse."""

from __future__ import annotations

import numpy as np

from ...errors import BadShape, NotFinite, require
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..segments import ELLIPSE, POLYNOMIAL, SINUSOID, Grid, Term
from ..validate_axes import finite_number
from .function import Function


def constant(value: float) -> Function:
    """φ = value, whatever the coordinates.

    Parameters
    ----------
    value : float

    Returns
    -------
    Function

    Raises
    ------
    BadShape, NotFinite
        If the value is not one finite number.
    """
    value = finite_number(value, "constant: the value")
    return closed_form(POLYNOMIAL, (), value, f"{value:g}")


def linear(coordinate: int = 0, scale: float = 1.0, offset: float = 0.0) -> Function:
    """φ = offset + scale · q.

    Parameters
    ----------
    coordinate : int
        Number of the joint's coordinate that is read.
    scale : float
    offset : float

    Returns
    -------
    Function

    Raises
    ------
    BadShape, NotFinite
        If scale or offset is not one finite number.
    """
    scale, offset = finite_number(scale, "linear: the scale"), finite_number(offset, "linear: the offset")
    return polynomial([offset, scale], coordinate)


def polynomial(coefficients: ArrayLike, coordinate: int = 0) -> Function:
    """φ = c0 + c1 q + c2 q² + …, lowest power first.

    Parameters
    ----------
    coefficients : array_like
        Lowest power first.
    coordinate : int
        Number of the joint's coordinate that is read.

    Returns
    -------
    Function

    Raises
    ------
    BadShape
        If the coefficients are not one list.

    Examples
    --------
    >>> import condyle as cd
    >>> float(cd.functions.polynomial([1, 0, 2])(3.0))
    19.0
    """
    coefficients = np.atleast_1d(real_numbers(coefficients, "polynomial: the coefficients"))
    require(coefficients.ndim == 1, "a polynomial takes one list of coefficients", BadShape, shape=coefficients.shape)
    return closed_form(POLYNOMIAL, (coordinate,), coefficients, written_polynomial(coefficients, coordinate))


def sinusoid(
    amplitude: float, frequency: float = 1.0, phase: float | str = 0.0, offset: float = 0.0, coordinate: int = 0
) -> Function:
    """φ = offset + amplitude · sin(frequency · q + phase); phase "cos" makes it a cosine, "sin" is 0.

    Parameters
    ----------
    amplitude : float
    frequency : float
        Per radian or metre of the coordinate.
    phase : float, "sin" or "cos"
        [rad]
    offset : float
    coordinate : int
        Number of the joint's coordinate that is read.

    Returns
    -------
    Function

    Raises
    ------
    BadValue
        If the phase is a word other than "sin" and "cos".
    BadShape, NotFinite
        If another argument is not one finite number.
    """
    if isinstance(phase, str):
        require(phase in ("sin", "cos"), "the phase is a number [rad], 'sin' or 'cos'", phase=phase)
        phase = 0.5 * np.pi if phase == "cos" else 0.0
    given = {"amplitude": amplitude, "frequency": frequency, "phase": phase, "offset": offset}
    amplitude, frequency, phase, offset = (finite_number(x, f"sinusoid: the {name}") for name, x in given.items())
    text = f"{offset:g} + {amplitude:g} sin({frequency:g} q{coordinate} + {phase:.6g})"
    return closed_form(SINUSOID, (coordinate,), [offset, amplitude, frequency, phase], text)


def ellipse_angle(a: float, b: float, coordinate: int = 0) -> Function:
    """φ = atan2(b sin q, a cos q), continued past π: where an ellipse heads.  [LeeTerzopoulos2008, eq. 18]

    Parameters
    ----------
    a : float
        Semi-axis along x [m].
    b : float
        Semi-axis along y [m].
    coordinate : int
        Number of the joint's coordinate that is read.

    Returns
    -------
    Function

    Raises
    ------
    BadValue
        If a semi-axis is not positive.
    BadShape, NotFinite
        If a semi-axis is not one finite number.
    """
    a, b = finite_number(a, "ellipse_angle: a"), finite_number(b, "ellipse_angle: b")
    require(a > 0 and b > 0, "an ellipse needs positive semi-axes", a=a, b=b)
    return closed_form(ELLIPSE, (coordinate,), [a, b], f"ellipse_angle({a:g}, {b:g}, q{coordinate})")


def closed_form(code: int, coordinates: tuple[int, ...], constants, text: str) -> Function:
    """A function without a grid: its constants are one row."""
    constants = real_numbers(constants, "the constants of a function")
    require(np.isfinite(constants).all(), "a function needs finite constants", NotFinite, constants=constants.tolist())
    return Function(Grid(), Term(code, coordinates, constants[None]), text)


def written_polynomial(coefficients: np.ndarray, coordinate: int) -> str:
    """c0 + c1 q0 + c2 q0² as text, without the zeros."""
    powers = ["", f" q{coordinate}"] + [f" q{coordinate}^{p}" for p in range(2, len(coefficients))]
    terms = [f"{c:g}{p}" for c, p in zip(coefficients, powers, strict=False) if c != 0.0]
    return " + ".join(terms) or "0"
