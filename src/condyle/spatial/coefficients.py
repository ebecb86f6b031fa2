"""The scalar functions of the angle θ in exponentials, logarithms and their Jacobians, without cancellation.

Each is even and smooth in θ. Below `NEAR` it is summed from its series; above, its
closed form loses no digits that matter.
"""

from __future__ import annotations

import numpy as np

from .kernels.angle_series import DEFECT, I2, I4, J1, J2, J3, J4, LOG, NEAR


def _near_or_far(theta: np.ndarray, series: list[float], closed) -> np.ndarray:
    """The series below NEAR, the closed form above."""
    small = theta < NEAR
    if not small.any():
        return closed(theta)
    inside = np.where(small, theta, 0.0)
    near = _summed(series, inside * inside)
    return near if small.all() else np.where(small, near, closed(np.where(small, NEAR, theta)))


def _summed(series: list[float], x: np.ndarray) -> np.ndarray:
    """Σ series[n] xⁿ by Horner's rule."""
    total = np.full_like(x, series[-1])
    for coefficient in reversed(series[:-1]):
        total = coefficient + total * x
    return total


def sinc(x: np.ndarray) -> np.ndarray:
    """sin x / x."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, np.sin(safe) / safe)


def versine_ratio(theta: np.ndarray) -> np.ndarray:
    """(1 − cos θ) / θ², through the half angle."""
    return 0.5 * sinc(0.5 * theta) ** 2


def sine_defect(theta: np.ndarray) -> np.ndarray:
    """(θ − sin θ) / θ³."""
    return _near_or_far(theta, DEFECT, lambda t: (1.0 - np.sin(t) / t) / t**2)


def log_coefficient(theta: np.ndarray) -> np.ndarray:
    """(1 − (θ/2) cot(θ/2)) / θ²: the last coefficient of the inverse Jacobian of SO(3)."""
    return _near_or_far(theta, LOG, lambda t: (1.0 - _cotangent(t)) / t**2)


def jacobian_coefficients(theta: np.ndarray) -> tuple[np.ndarray, ...]:
    """c₁ … c₄ of Σ adⁿ/(n + 1)! = I + c₁ ad + c₂ ad² + c₃ ad³ + c₄ ad⁴, for ad of SE(3) with |ω| = θ.

    ad satisfies x (x² + θ²)² = 0, so the polynomial is the one that agrees with (eˣ − 1)/x at 0 and, with its
    derivative, at ±iθ.
    """
    return (
        _near_or_far(theta, J1, lambda t: (4.0 - t * np.sin(t) - 4.0 * np.cos(t)) / (2.0 * t**2)),
        _near_or_far(theta, J2, lambda t: (4.0 * t - 5.0 * np.sin(t) + t * np.cos(t)) / (2.0 * t**3)),
        _near_or_far(theta, J3, lambda t: (2.0 - t * np.sin(t) - 2.0 * np.cos(t)) / (2.0 * t**4)),
        _near_or_far(theta, J4, lambda t: (2.0 * t - 3.0 * np.sin(t) + t * np.cos(t)) / (2.0 * t**5)),
    )


def jacobian_inverse_coefficients(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """d₂, d₄ of the inverse of the series above, I − ad/2 + d₂ ad² + d₄ ad⁴, for θ < 2π."""
    return (
        _near_or_far(theta, I2, lambda t: (_cotangent_slope(t) - 4.0 * (_cotangent(t) - 1.0)) / (2.0 * t**2)),
        _near_or_far(theta, I4, lambda t: (_cotangent_slope(t) - 2.0 * (_cotangent(t) - 1.0)) / (2.0 * t**4)),
    )


def _cotangent(t):
    """h = (t/2) cot(t/2)."""
    return 0.5 * t * np.cos(0.5 * t) / np.sin(0.5 * t)


def _cotangent_slope(t):
    """t h'(t)."""
    return _cotangent(t) - (0.5 * t / np.sin(0.5 * t)) ** 2
