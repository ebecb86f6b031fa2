"""Otani's shoulder, to compare with: elevation and abduction shared out between clavicle and shoulder by formula.

[TolaniBadlerGallier2000, section 3.7]. Angles in degrees inside, as printed; the clavicle's share jumps by 0.27° at an
elevation of 130° and is 1.1-2.3°, not 0, at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from ..typing import ArrayLike
from .directions import direction_from_angles
from .fit.samples import ArmSamples

OTANI_TWIST = np.radians(200.0)  # a constant range


def otani_angles(elevation: ArrayLike, abduction: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """How Otani's model shares out elevation and abduction between clavicle and shoulder.

    Parameters
    ----------
    elevation : array_like
        Of the whole [rad].
    abduction : array_like
        Of the whole [rad]; beyond ±π/2 the formula extrapolates.

    Returns
    -------
    clavicle_elevation, clavicle_abduction, shoulder_elevation, shoulder_abduction : ndarray
        [rad]; the sum of both elevations, and of both abductions, is the whole.
    """
    phi, theta = np.degrees(np.broadcast_arrays(np.asarray(elevation, float), np.asarray(abduction, float)))
    one = np.where(phi <= 131.4, 0.2514 * phi + 91.076, -0.035 * phi + 128.7)
    two = np.where(phi <= 130.0, 0.21066 * phi + 92.348, 120.0)
    share = np.cos(np.radians(theta))
    clavicle, turn = share * one + (1 - share) * two - 90, 0.2 * theta
    return tuple(np.radians(x) for x in (clavicle, turn, phi - clavicle, theta - turn))


def otani_elbow(elevation: ArrayLike, abduction: ArrayLike, clavicle: float, upper_arm: float) -> np.ndarray:
    """Elbow positions (..., 3): the clavicle raised and turned by its share, the upper arm by the whole angles.

    The clavicle lies sideways at zero, so its elevation counts from the horizontal.

    Parameters
    ----------
    elevation : array_like
        Elevation of the upper arm [rad].
    abduction : array_like
        Abduction of the upper arm [rad].
    clavicle : float
        Length of the clavicle [m].
    upper_arm : float
        Length of the upper arm [m].

    Returns
    -------
    ndarray, shape (..., 3)
        [m]
    """
    raised, turned, _, _ = otani_angles(elevation, abduction)
    collar = direction_from_angles(np.pi / 2 + raised, turned)
    return clavicle * collar + upper_arm * direction_from_angles(elevation, abduction)


class OtaniComparison(NamedTuple):
    """How Otani's surface compares with measured elbows.

    Attributes
    ----------
    mean, largest : float
        Distances [m].
    coverage : float
        The share of elbows within 2 cm.
    coverage_behind : float
        The same of those behind the body.
    """

    mean: float
    largest: float
    coverage: float
    coverage_behind: float


def compare_otani(samples: ArmSamples, clavicle: float, upper_arm: float) -> OtaniComparison:
    """How far measured elbows are from the nearest elbow of Otani's model (elevation to 180°, abduction ±90°).

    Parameters
    ----------
    samples : ArmSamples
        Measured positions of an arm.
    clavicle : float
        Length of the clavicle [m].
    upper_arm : float
        Length of the upper arm [m].

    Returns
    -------
    OtaniComparison
    """
    el, ab = np.meshgrid(np.radians(np.linspace(0, 180, 181)), np.radians(np.linspace(-90, 90, 181)), indexing="ij")
    tree = KDTree(otani_elbow(el, ab, clavicle, upper_arm).reshape(-1, 3))
    distance = tree.query(samples.elbow)[0]
    behind = samples.elbow[:, 1] < 0
    covered = distance < 0.02
    share = float(covered[behind].mean()) if behind.any() else float("nan")
    return OtaniComparison(float(distance.mean()), float(distance.max()), float(covered.mean()), share)
