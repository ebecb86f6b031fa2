"""Losses ρ(s) of a squared residual s, with their slopes: the weights of iteratively reweighted least squares."""

from __future__ import annotations

import numpy as np

from ...errors import require, unknown_name

FINEST = 1e-8  # [rad] nothing is measured more finely, and a loss as sharp as round-off has no bottom
MEDIAN_OF_SIX = 2.3126  # the median length of six unit normal numbers (χ with 6 degrees of freedom)


class Loss:
    """Least squares: ρ(s) = s. The others agree with it for residuals far below `scale`."""

    width = 1.0  # scale in standard deviations of one component

    def __init__(self, scale: float = np.inf) -> None:
        self.scale = scale

    def value(self, s: np.ndarray) -> np.ndarray:
        return s

    def slope(self, s: np.ndarray) -> np.ndarray:
        return np.ones_like(s)

    def rescaled(self, lengths: np.ndarray) -> Loss:
        """The same loss with its scale taken from the median residual."""
        spread = float(np.median(lengths)) / MEDIAN_OF_SIX
        return type(self)(self.width * max(spread, FINEST))


class Huber(Loss):
    """Quadratic near zero, linear far away."""

    width = 3.0

    def value(self, s: np.ndarray) -> np.ndarray:
        c = self.scale
        return np.where(s <= c * c, s, 2.0 * c * np.sqrt(s) - c * c)

    def slope(self, s: np.ndarray) -> np.ndarray:
        return np.minimum(1.0, self.scale / np.sqrt(np.maximum(s, 1e-300)))


class Cauchy(Loss):
    """c² log(1 + s/c²): far residuals count ever less."""

    width = 5.0

    def value(self, s: np.ndarray) -> np.ndarray:
        c2 = self.scale**2
        return c2 * np.log1p(s / c2)

    def slope(self, s: np.ndarray) -> np.ndarray:
        return 1.0 / (1.0 + s / self.scale**2)


class Geman(Loss):
    """c² s / (c² + s): a gross outlier costs at most c², wherever it is."""

    width = 8.0

    def value(self, s: np.ndarray) -> np.ndarray:
        c2 = self.scale**2
        return c2 * s / (c2 + s)

    def slope(self, s: np.ndarray) -> np.ndarray:
        return (self.scale**2 / (self.scale**2 + s)) ** 2


LOSSES = {"squares": Loss, "huber": Huber, "cauchy": Cauchy, "geman": Geman}


def loss_named(name: str, scale: float | None) -> Loss:
    """A loss by name; without a scale it is estimated during the fit."""
    if name not in LOSSES:
        raise unknown_name("loss", name, LOSSES, "condyle.design")
    require(scale is None or scale > 0, "the scale of a loss must be positive", scale=scale)
    return LOSSES[name](np.inf if scale is None else float(scale))
