"""What the paper reports of its measurements: link lengths, distances of the elbow, twist range against elevation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...errors import BadSamples, require
from .samples import ArmSamples, TwistTrials


@dataclass(frozen=True)
class DistanceReport:
    """Table 1 of the paper, in metres, with the spread of the sensors' link lengths and the thirds of Figs. 2-4.

    Attributes
    ----------
    clavicle, upper_arm, forearm : float
        Mean lengths.
    clavicle_spread, upper_arm_spread : float
        Standard deviations.
    mean, nearest, farthest, deviation : float
        Of the distance of the elbow from the clavicle's root.
    thirds : ndarray of int, shape (n,)
        0 nearest third, 1 middle, 2 farthest.
    """

    clavicle: float
    upper_arm: float
    forearm: float
    clavicle_spread: float
    upper_arm_spread: float
    mean: float
    nearest: float
    farthest: float
    deviation: float
    thirds: np.ndarray  # (n,) 0 nearest third, 1 middle, 2 farthest

    def __str__(self) -> str:
        cm = 100.0
        return (
            f"clavicle {self.clavicle * cm:.1f} cm, upper arm {self.upper_arm * cm:.1f} cm, "
            f"forearm {self.forearm * cm:.1f} cm\n"
            f"elbow to clavicle: mean {self.mean * cm:.1f}, nearest {self.nearest * cm:.1f}, "
            f"farthest {self.farthest * cm:.1f}, standard deviation {self.deviation * cm:.1f} cm"
        )


def distance_report(samples: ArmSamples) -> DistanceReport:
    """Medians of the link lengths and the distribution of the elbow's distance from the clavicle.

    Parameters
    ----------
    samples : ArmSamples
        Measured positions of an arm.

    Returns
    -------
    DistanceReport
    """
    clavicle, upper = np.linalg.norm(samples.shoulder, axis=1), np.linalg.norm(samples.elbow - samples.shoulder, axis=1)
    trials = samples.trials
    forearm = np.linalg.norm(np.vstack([trials.wrist_low - trials.elbow, trials.wrist_high - trials.elbow]), axis=1)
    distance = np.linalg.norm(samples.elbow, axis=1)
    order = np.argsort(np.argsort(distance, kind="stable"), kind="stable")
    return DistanceReport(
        clavicle=float(np.median(clavicle)),
        upper_arm=float(np.median(upper)),
        forearm=float(np.median(forearm)),
        clavicle_spread=float(clavicle.std()),
        upper_arm_spread=float(upper.std()),
        mean=float(distance.mean()),
        nearest=float(distance.min()),
        farthest=float(distance.max()),
        deviation=float(distance.std(ddof=1)) if len(distance) > 1 else 0.0,
        thirds=order * 3 // len(distance),
    )


class TwistRegression(NamedTuple):
    """Twist range [rad] = Σ coefficients[k] elevation^k, and the root mean square of what is left.

    Attributes
    ----------
    coefficients : ndarray, shape (power + 1,)
        Lowest power first.
    rms : float
        [rad]
    """

    coefficients: np.ndarray
    rms: float

    def __call__(self, elevation):
        """The range of twist [rad] at an elevation [rad]."""
        return np.polynomial.polynomial.polyval(elevation, self.coefficients)


def fit_twist(trials: TwistTrials, power: int = 2) -> TwistRegression:
    """Least squares of the twist range against elevation: `power` 1 is the paper's Fig. 5, 2 its Fig. 6.

    Parameters
    ----------
    trials : TwistTrials
    power : {1, 2}
        Of the polynomial in elevation.

    Returns
    -------
    TwistRegression

    Raises
    ------
    BadSamples
        If there are no more trials than coefficients.
    """
    require(
        len(trials) > power,
        "a regression needs more trials than coefficients",
        BadSamples,
        trials=len(trials),
        power=power,
    )
    elevation, wanted = trials.elevation, trials.twist_range
    coefficients = np.polynomial.polynomial.polyfit(elevation, wanted, power)
    left = wanted - np.polynomial.polynomial.polyval(elevation, coefficients)
    return TwistRegression(coefficients, float(np.sqrt((left**2).mean())))
