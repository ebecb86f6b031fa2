"""Does a joint's Jacobian keep full column rank on its domain? If not: where, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import RankLost, require
from .joint import Joint
from .rank_causes import cause_of, too_many
from .rank_search import least_singular, lost_along
from .segments import WIDTHS

LOST = 1e-6  # of the scaled Jacobian: below this a direction is taken for lost
LINE = 64  # points on a line through the domain


@dataclass(frozen=True)
class RankReport:
    """The worst place that was found in a joint's domain.

    Attributes
    ----------
    smallest : float
        The least singular value of S there, with its columns scaled to at most 1.
    q : ndarray, shape (nq,)
        The place.
    cause : str
        Why rank is lost there, as far as it is known.
    name : str
        The joint's title.
    samples : int
        How many places were looked at.
    places : ndarray, shape (k, nq)
        Those that were found on lines through the domain, each to rounding.
    """

    smallest: float
    q: np.ndarray
    cause: str
    name: str
    samples: int
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def ok(self) -> bool:
        """Whether the rank was full at every sample."""
        return self.smallest > LOST

    def require(self) -> RankReport:
        """Return the report itself if the rank is full.

        Returns
        -------
        RankReport

        Raises
        ------
        RankLost
            Else, with the place and the cause.
        """
        require(self.ok, str(self), RankLost)
        return self

    def __str__(self) -> str:
        where = ", ".join(f"{x:.4g}" for x in self.q)
        where = where if len(self.q) == 1 else f"({where})"
        if self.ok:
            return (
                f"joint '{self.name}': full rank at {self.samples} samples; the least singular value is "
                f"{self.smallest:.3g} at q = {where}."
            )
        fails = "vanishes" if len(self.q) == 1 else "loses rank"
        return f"joint '{self.name}': the Jacobian {fails} at q = {where}; {self.cause}"


def check(joint: Joint, samples: int = 512, seed: int = 0, name: str | None = None) -> RankReport:
    """Sample the rank of S over the domain, look for sign changes on lines through it, and refine the worst place.

    Where a coordinate is unbounded its splines' own range is looked at, or π each way if it has none.

    Parameters
    ----------
    joint : Joint
    samples : int, optional
        How many places are looked at.
    seed : int, optional
        Seed of the random numbers.
    name : str, optional
        What the report calls the joint.

    Returns
    -------
    RankReport
        `ok`, and the places and causes of lost rank.
    """
    name = name or joint.title
    if joint.nv == 0:
        return RankReport(1.0, np.zeros(0), "", name, 0)
    q = sample_coordinates(joint, samples, seed)
    if joint.nv > 6:
        return RankReport(0.0, q[0], too_many(joint.nv), name, len(q))
    S = joint.jacobian(q)
    scale = np.linalg.norm(S, axis=1).max(axis=0)
    scale[scale == 0.0] = 1.0
    sigma = least_singular(S, scale)
    places = crossed(joint, samples // 8, scale)
    if len(places):
        sigma, q = np.append(sigma, least_singular(joint.jacobian(places), scale)), np.concatenate([q, places])
    smallest, worst = refined(joint, q[np.argmin(sigma)], scale, float(sigma.min()))
    cause = "" if smallest > LOST else cause_of(joint, worst, scale)
    return RankReport(smallest, worst, cause, name, len(S), places)


def crossed(joint: Joint, lines: int, scale: np.ndarray) -> np.ndarray:
    """Places (k, nq) where the rank is lost on lines along every coordinate; none for joints with quaternions."""
    if joint.nq != joint.nv:
        return np.zeros((0, joint.nq))
    box = np.array([bounds(joint, c) for c in range(joint.nq)])
    through = box[:, 0] + (box[:, 1] - box[:, 0]) * spread_points(max(1, lines), joint.nq)
    ways = np.repeat(through[:, None], LINE, axis=1)
    found = []
    for c in range(joint.nq):
        way = ways[: 1 if joint.nq == 1 else None].copy()
        way[..., c] = np.linspace(box[c, 0], box[c, 1], LINE)
        found.append(lost_along(joint, way, scale)[0])
    return np.concatenate(found)


def sample_coordinates(joint: Joint, samples: int, seed: int) -> np.ndarray:
    """Low-discrepancy points of the domain; the ends and breakpoints of a single coordinate too."""
    points = spread_points(samples, len(joint.coordinates))
    rng = np.random.default_rng(seed)
    blocks = [coordinate_samples(joint, c, points[:, c], rng) for c in range(len(joint.coordinates))]
    if joint.nq == 1:
        inside = [b for s in joint.segments for b in s.grid.breaks]
        blocks[0] = np.sort(np.concatenate([blocks[0], *(b[:, None] for b in inside)]), axis=0)
    return np.concatenate(blocks, axis=1)


def spread_points(count: int, n: int) -> np.ndarray:
    """Evenly spread points of the unit cube: multiples of powers of the root of x^(n+1) = x + 1, a golden ratio."""
    root = 2.0
    for _ in range(60):  # a contraction: round-off after fewer steps
        root = (1.0 + root) ** (1.0 / (n + 1))
    return (0.5 + np.arange(1, count + 1)[:, None] * root ** -np.arange(1.0, n + 1)) % 1.0


def coordinate_samples(joint: Joint, c: int, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Numbers in the domain, or random quaternions, (samples, width)."""
    width = joint.widths[c]
    if width == WIDTHS[0]:
        low, high = bounds(joint, c)
        return low + (high - low) * points[:, None]
    numbers = rng.normal(size=(len(points), width[0]))
    numbers[:, :4] /= np.linalg.norm(numbers[:, :4], axis=1, keepdims=True)
    return numbers


def bounds(joint: Joint, c: int) -> tuple[float, float]:
    """The domain of a coordinate; if it is unbounded, the range of the splines that read it, or π each way."""
    low, high = joint.domain[c]
    ends = [
        b[[0, -1]] for s in joint.segments for k, b in zip(s.grid.coordinates, s.grid.breaks, strict=False) if k == c
    ]
    widest = (min(e[0] for e in ends), max(e[1] for e in ends)) if ends else (-np.pi, np.pi)
    return float(low if np.isfinite(low) else widest[0]), float(high if np.isfinite(high) else widest[1])


def refined(joint: Joint, q: np.ndarray, scale: np.ndarray, sigma: float) -> tuple[float, np.ndarray]:
    """The worst sample improved by a local search inside the domain; joints with quaternions keep the sample."""
    if joint.nq != joint.nv or sigma <= 1e-12:
        return sigma, q
    from scipy.optimize import minimize  # slow to load, and only needed here

    box = [bounds(joint, c) for c in range(joint.nq)]

    def least(x: np.ndarray) -> float:
        inside = np.clip(x, [b[0] for b in box], [b[1] for b in box])
        S = joint.jacobian(np.stack([inside, inside]))[0]  # as a batch, like the samples: it needs no other code
        return float(np.linalg.svd(S / scale, compute_uv=False)[-1])

    found = minimize(least, q, method="Nelder-Mead", bounds=box, options={"xatol": 1e-10, "fatol": 1e-14})
    return (float(found.fun), found.x) if found.fun < sigma else (sigma, q)
