"""Taylor constants in θ² of the functions of an angle in exponentials and logarithms, from exact fractions."""

from fractions import Fraction
from math import comb, factorial

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


J1 = [float((1 - k) * _VERSINE[k]) for k in range(TERMS)]
J2 = _second(_SINE)
J3 = [float(-k * _VERSINE[k]) for k in range(1, TERMS + 1)]
J4 = _fourth(_SINE)
I2 = _second(_COTANGENT)
I4 = _fourth(_COTANGENT)
LOG = [float(-a) for a in _COTANGENT[1 : TERMS + 1]]
DEFECT = [float(-a) for a in _SINE[1 : TERMS + 1]]
