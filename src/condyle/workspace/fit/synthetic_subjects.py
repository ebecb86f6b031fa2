"""Synthetic subjects: invented arms with the sizes of the paper's Table 1. No measured person is behind them.

The elbow lies in direction n at the distance that keeps both links rigid, with a clavicle that turns and lifts with the
arm. The constants were chosen by what the paper says of its subjects and nothing else: the distances of Table 1 to the
centimetre (links, mean, nearest, farthest, standard deviation); the elbow farthest from the clavicle close to the
sagittal plane, behind and slightly below, nearest close to it, in front and slightly above; a sharp corner of the
workspace behind and below; more twist near rest. [TolaniBadlerGallier2000, section 2.3]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import BadValue, require, unknown_name
from ..directions import angles_from_direction, direction_from_disc, disc_from_direction
from .samples import ArmSamples, TwistTrials

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
CORNER_AT, CORNER_WIDTH = np.radians(210.0), np.radians(30.0)  # polar angle on the disc of (forward, up), half a width


class Subject(NamedTuple):
    """Link lengths [m] and the shape of a synthetic arm [rad]."""

    clavicle: float
    upper_arm: float
    forearm: float
    protraction: tuple[float, float, float]  # by powers of the forward part of the direction
    lift: tuple[float, float]  # at rest, and gain by the upward part
    rim: tuple[float, float]  # radius on the disc, and more of it forward
    corner: float  # how far the workspace juts out behind and below, to a point
    twist_range: tuple[float, float, float] = (183.0, -14.0, -4.0)  # degrees, by powers of elevation [rad]

    def shoulder_and_elbow(self, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Exact positions for elbow directions (..., 3)."""
        forward, up = direction[..., 1], direction[..., 2]
        turn = np.polynomial.polynomial.polyval(forward, self.protraction)
        lift = self.lift[0] + self.lift[1] * up
        clavicle = np.stack([np.cos(lift) * np.cos(turn), np.cos(lift) * np.sin(turn), np.sin(lift)], axis=-1)
        x = np.einsum("...i,...i->...", clavicle, direction)
        reach = self.clavicle * x + np.sqrt(self.upper_arm**2 - self.clavicle**2 * (1 - x * x))
        return self.clavicle * clavicle, reach[..., None] * direction

    def wrists(self, shoulder: np.ndarray, elbow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The wrist at both twist limits, elbow bent 90°."""
        axis = (elbow - shoulder) / self.upper_arm
        middle = _carried(np.array([0.0, 0.98, 0.2]), axis)
        elevation = angles_from_direction(elbow)[0]
        half = np.radians(np.polynomial.polynomial.polyval(elevation, self.twist_range))[..., None] / 2
        side = np.cross(axis, middle)
        low, high = (np.cos(half) * middle + sign * np.sin(half) * side for sign in (-1, 1))
        return elbow + self.forearm * low, elbow + self.forearm * high

    def rim_radius(self, turn: np.ndarray) -> np.ndarray:
        """How far the workspace reaches on the equal-area disc at polar angle `turn`."""
        off = np.abs(np.angle(np.exp(1j * (turn - CORNER_AT))))
        return self.rim[0] + self.rim[1] * np.cos(turn) + self.corner * np.maximum(0.0, 1 - off / CORNER_WIDTH)


SUBJECTS = {
    "male": Subject(0.15, 0.31, 0.27, (-0.890, 0.555, -0.207), lift=(-0.171, 0.169), rim=(1.003, -0.038), corner=0.157),
    "female": Subject(
        0.096, 0.255, 0.235, (-0.944, 0.550, -0.056), lift=(-0.180, 0.391), rim=(1.057, -0.080), corner=0.180
    ),
}


def synthetic_subject(name: str = "male", *, count: int = 150, noise: float = 0.004, seed: int = 0) -> ArmSamples:
    """`count` samples of an invented subject ("male" or "female") with sensor noise [m] per coordinate.

    Parameters
    ----------
    name : {"male", "female"}
    count : int, optional
        How many samples.
    noise : float, optional
        Standard deviation per coordinate [m].
    seed : int, optional
        Seed of the random numbers.

    Returns
    -------
    ArmSamples

    Raises
    ------
    UnknownName
        If there is no such subject.
    BadValue
        If there are no samples, or the noise is negative.
    """
    if name not in SUBJECTS:
        raise unknown_name("subject", name, SUBJECTS, "the synthetic subjects")
    require(count > 0, "a subject has at least one sample", BadValue, count=count)
    require(np.isfinite(noise) and noise >= 0, "noise must not be negative [m]", BadValue, noise=noise)
    subject, rng = SUBJECTS[name], np.random.default_rng(seed)
    shoulder, elbow = subject.shoulder_and_elbow(_directions(subject, count, rng))
    low, high = subject.wrists(shoulder, elbow)
    noisy = [array + noise * rng.normal(size=array.shape) for array in (shoulder, elbow, low, high)]
    return ArmSamples(noisy[0], noisy[1], TwistTrials(*noisy))


def _directions(subject: Subject, count: int, rng) -> np.ndarray:
    """Directions spread evenly over the workspace: a sunflower with a random phase, shaken a little."""
    turn = GOLDEN_ANGLE * np.arange(count) + rng.uniform(0, 2 * np.pi) + rng.normal(0, 0.1, count)
    share = (np.arange(count) + rng.uniform(0, 1, count)) / count
    radius = np.sqrt(share) * subject.rim_radius(turn)
    return direction_from_disc(radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def _carried(vector: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """A vector turned by the smallest rotation that takes the lateral axis to `axis`, made unit and square to it."""
    disc = disc_from_direction(axis)  # (y, z)/√(1 + x): the rotation without its singular quotient
    share = np.einsum("...i,i->...", disc, vector[1:])[..., None]
    x = -share * np.sqrt(1 + axis[..., :1])
    out = np.concatenate([x, vector[1:] - share * disc], axis=-1)
    return out / np.linalg.norm(out, axis=-1, keepdims=True)
