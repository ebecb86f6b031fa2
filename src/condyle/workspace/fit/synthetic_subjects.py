"""Synthetic subjects: invented arms with the sizes of the paper's Table 1. No measured person is behind them.

The elbow lies in direction n at the distance that keeps both links rigid, with a clavicle that points back and up and
turns a little with the arm. The constants were chosen by the statistics of the elbow's distance alone: to the
centimetre they are Table 1's (links, mean, nearest, farthest, standard deviation).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import unknown_name
from ..directions import angles_from_direction, direction_from_disc, disc_from_direction
from .samples import ArmSamples, TwistTrials

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


class Subject(NamedTuple):
    """Link lengths [m] and the shape of a synthetic arm [rad]."""

    clavicle: float
    upper_arm: float
    forearm: float
    protraction: tuple[float, float]  # at rest, and gain by the forward part of the direction
    lift: tuple[float, float]  # at rest, and gain by the upward part
    rim: tuple[float, float]  # radius on the disc, and more of it forward
    corner: float = 0.05  # how far the workspace juts out behind and below
    twist_range: tuple[float, float, float] = (183.0, -14.0, -4.0)  # degrees, by powers of elevation [rad]

    def shoulder_and_elbow(self, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Exact positions for elbow directions (..., 3)."""
        forward, up = direction[..., 1], direction[..., 2]
        turn = self.protraction[0] + self.protraction[1] * forward
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
        off = np.angle(np.exp(1j * (turn - np.radians(210))))
        return self.rim[0] + self.rim[1] * np.cos(turn) + self.corner * np.exp(-((off / np.radians(25)) ** 2))


SUBJECTS = {
    "male": Subject(0.15, 0.31, 0.27, (-0.443, -0.111), (0.105, 0.244), (1.059, -0.060)),
    "female": Subject(0.096, 0.255, 0.235, (-0.458, 0.016), (0.105, 0.244), (1.045, -0.024)),
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
    """
    if name not in SUBJECTS:
        raise unknown_name("subject", name, SUBJECTS, "the synthetic subjects")
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
