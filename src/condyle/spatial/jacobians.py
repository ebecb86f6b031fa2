"""How the exponential changes with its twist: d exp(x) = (Jl dx)^ exp(x) = exp(x) (Jr dx)^, and the inverses."""

from __future__ import annotations

import numpy as np

from ..typing import ArrayLike
from .arrays import floats
from .coefficients import jacobian_coefficients, jacobian_inverse_coefficients
from .quaternions import norm
from .twists import ad


def left_jacobian(twist: ArrayLike) -> np.ndarray:
    """Jl (..., 6, 6) = Σ adⁿ/(n + 1)!: the spatial twist of exp(x) is Jl ẋ.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    A, theta = _bracket(twist)
    c1, c2, c3, c4 = jacobian_coefficients(theta)
    A2 = A @ A
    return np.eye(6) + ((c1 * A + c2 * A2) + (c3 * A + c4 * A2) @ A2)


def right_jacobian(twist: ArrayLike) -> np.ndarray:
    """Jr (..., 6, 6): the body twist of exp(x) is Jr ẋ.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    return left_jacobian(-floats(twist, (6,), "a twist"))


def left_jacobian_inverse(twist: ArrayLike) -> np.ndarray:
    """The inverse of Jl, for less than a full turn.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    A, theta = _bracket(twist)
    d2, d4 = jacobian_inverse_coefficients(theta)
    A2 = A @ A
    return np.eye(6) + (d2 * A2 + d4 * (A2 @ A2) - 0.5 * A)


def right_jacobian_inverse(twist: ArrayLike) -> np.ndarray:
    """The inverse of Jr, for less than a full turn.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    return left_jacobian_inverse(-floats(twist, (6,), "a twist"))


def _bracket(twist) -> tuple[np.ndarray, np.ndarray]:
    """ad and the angle, shaped to multiply it."""
    g = floats(twist, (6,), "a twist")
    return ad(g), norm(g[..., :3])[..., None]
