"""The scalar functions of the angle θ in exponentials, logarithms and their Jacobians, without cancellation.

Each is even and smooth in θ. Below `NEAR` it is summed from its series, whose constants are exact fractions; above, its
closed form loses no digits that matter.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import numpy as np

__all__ = [
    "LOG",
    "jacobian_coefficients",
    "jacobian_inverse_coefficients",
    "log_coefficient",
    "sinc",
    "sine_defect",
    "versine_ratio",
]

NEAR = 1.5  # rad
TERMS = 16  # enough for round-off at NEAR: the slowest series has the ratio (NEAR / 2π)²


def _bernoulli(n: int) -> list[Fraction]:
    """The Bernoulli numbers B_0 … B_n."""
    numbers: list[Fraction] = []
    for m in range(n + 1):
        known = sum((comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0))
        numbers.append(Fraction(1) if m == 0 else -known / (m + 1))
    return numbers


_B = _bernoulli(2 * TERMS + 4)
# Taylor constants in θ²: sin θ / θ, (1 − cos θ) / θ², (θ/2) cot(θ/2)
_SINE = [Fraction((-1) ** k, factorial(2 * k + 1)) for k in range(TERMS + 2)]
_VERSINE = [Fraction((-1) ** k, factorial(2 * k + 2)) for k in range(TERMS + 2)]
_COTANGENT = [(-1) ** k * _B[2 * k] / factorial(2 * k) for k in range(TERMS + 2)]


def _second(a: list[Fraction]) -> list[float]:
    """Series of (θh' − 4(h − 1)) / 2θ² for h = Σ a_k θ^2k."""
    return [float((k - 2) * a[k]) for k in range(1, TERMS + 1)]


def _fourth(a: list[Fraction]) -> list[float]:
    """Series of (θh' − 2(h − 1)) / 2θ⁴ for h = Σ a_k θ^2k."""
    return [float((k - 1) * a[k]) for k in range(2, TERMS + 2)]


_J1 = [float((1 - k) * _VERSINE[k]) for k in range(TERMS)]
_J2 = _second(_SINE)
_J3 = [float(-k * _VERSINE[k]) for k in range(1, TERMS + 1)]
_J4 = _fourth(_SINE)
_I2 = _second(_COTANGENT)
_I4 = _fourth(_COTANGENT)
_LOG = [float(-a) for a in _COTANGENT[1 : TERMS + 1]]
_DEFECT = [float(-a) for a in _SINE[1 : TERMS + 1]]
LOG = np.array(_LOG)  # the series of `log_coefficient`, for kernels


def _near_or_far(theta: np.ndarray, series: list[float], closed) -> np.ndarray:
    """The series below NEAR, the closed form above."""
    small = theta < NEAR
    inside = np.where(small, theta, 0.0)
    return np.where(
        small, np.polynomial.polynomial.polyval(inside * inside, series), closed(np.where(small, NEAR, theta))
    )


def sinc(x: np.ndarray) -> np.ndarray:
    """sin x / x."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, np.sin(safe) / safe)


def versine_ratio(theta: np.ndarray) -> np.ndarray:
    """(1 − cos θ) / θ², through the half angle."""
    return 0.5 * sinc(0.5 * theta) ** 2


def sine_defect(theta: np.ndarray) -> np.ndarray:
    """(θ − sin θ) / θ³."""
    return _near_or_far(theta, _DEFECT, lambda t: (1.0 - np.sin(t) / t) / t**2)


def log_coefficient(theta: np.ndarray) -> np.ndarray:
    """(1 − (θ/2) cot(θ/2)) / θ²: the last coefficient of the inverse Jacobian of SO(3)."""
    return _near_or_far(theta, _LOG, lambda t: (1.0 - _cotangent(t)) / t**2)


def jacobian_coefficients(theta: np.ndarray) -> tuple[np.ndarray, ...]:
    """c₁ … c₄ of Σ adⁿ/(n + 1)! = I + c₁ ad + c₂ ad² + c₃ ad³ + c₄ ad⁴, for ad of SE(3) with |ω| = θ.

    ad satisfies x (x² + θ²)² = 0, so the polynomial is the one that agrees with (eˣ − 1)/x at 0 and, with its
    derivative, at ±iθ.
    """
    return (
        _near_or_far(theta, _J1, lambda t: (4.0 - t * np.sin(t) - 4.0 * np.cos(t)) / (2.0 * t**2)),
        _near_or_far(theta, _J2, lambda t: (4.0 * t - 5.0 * np.sin(t) + t * np.cos(t)) / (2.0 * t**3)),
        _near_or_far(theta, _J3, lambda t: (2.0 - t * np.sin(t) - 2.0 * np.cos(t)) / (2.0 * t**4)),
        _near_or_far(theta, _J4, lambda t: (2.0 * t - 3.0 * np.sin(t) + t * np.cos(t)) / (2.0 * t**5)),
    )


def jacobian_inverse_coefficients(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """d₂, d₄ of the inverse of the series above, I − ad/2 + d₂ ad² + d₄ ad⁴, for θ < 2π."""
    return (
        _near_or_far(theta, _I2, lambda t: (_cotangent_slope(t) - 4.0 * (_cotangent(t) - 1.0)) / (2.0 * t**2)),
        _near_or_far(theta, _I4, lambda t: (_cotangent_slope(t) - 2.0 * (_cotangent(t) - 1.0)) / (2.0 * t**4)),
    )


def _cotangent(t):
    """h = (t/2) cot(t/2)."""
    return 0.5 * t * np.cos(0.5 * t) / np.sin(0.5 * t)


def _cotangent_slope(t):
    """t h'(t)."""
    return _cotangent(t) - (0.5 * t / np.sin(0.5 * t)) ** 2
