"""A child that slides along an ellipse, always tangent to it.  [LeeTerzopoulos2008, eqs. 17-20, row 4 corrected]"""

from __future__ import annotations

from ...errors import require
from ..functions import ellipse_angle, sinusoid
from ..joint import Joint
from ..validate_axes import finite_number
from .product import product

X, Y, TURN_Z = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)


def elliptic(a: float, b: float, *, name: str = "angle") -> Joint:
    """Slide along an ellipse with semi-axes `a` (x) and `b` (y) [m], by the parameter angle q [rad].

    Parameters
    ----------
    a : float
        Semi-axis along x [m].
    b : float
        Semi-axis along y [m].
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint

    Raises
    ------
    BadValue
        If a semi-axis is not positive.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.elliptic(2.0, 1.0).pose([np.pi / 2]).xyz.round(6)
    array([2., 0., 0.])
    """
    a, b = finite_number(a, "elliptic: a"), finite_number(b, "elliptic: b")
    require(a > 0 and b > 0, "an ellipse needs positive semi-axes", a=a, b=b)
    functions = [
        sinusoid(amplitude=a),  # x = a sin q
        sinusoid(amplitude=-b, phase="cos"),  # y = -b cos q
        ellipse_angle(a, b),  # the tangent's angle, continued past π
    ]
    return product([X, Y, TURN_Z], functions, coordinates=(name,), title="elliptic")
