"""Are the residuals of a fit white noise? Their autocorrelation in time and along the coordinate, and two branches.

A joint whose poses depend on more than its coordinates (hysteresis, stance and swing, a marker that slips) leaves
residuals that cancel between neighbours along the coordinate and add up along time. So both orders are tested, and
poses at one coordinate are compared between one visit to it and another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import fdtrc

if TYPE_CHECKING:
    from .fit_result import Fit

FEWEST = 20  # poses: fewer say nothing about noise
ROUND_OFF = 1e-10  # [rad in the metric] residuals below this are rounding, not noise
SMALL = 0.1  # autocorrelation that does not matter, however significant it is
CELL, CELLS = 24, 12  # poses compared with each other as being at one coordinate: so many, or this part of all
APART = 5  # poses in time that separate one visit to a coordinate from the next
FEW = 3  # poses of a branch at a coordinate, at least
MOSTLY = 0.5  # of the variance at a coordinate is between visits: they are branches
SPLIT = 0.9  # of it is between two clusters (normal noise: 0.64, uniform noise: 0.75)
SURE = 1e-3  # chance that white noise would differ as much between visits


@dataclass(frozen=True)
class Branches:
    """Poses that differ at one coordinate: how far [deg, mm], where, and two groups of rows that lie apart."""

    degrees: float
    millimeters: float
    at: np.ndarray
    rows: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class ResidualTests:
    """Lag-1 autocorrelations of the residuals, what white noise stays below (three standard deviations), and branches.

    `along` is NaN where there are several coordinates; all are NaN for fewer than 20 poses or residuals of round-off.
    """

    in_time: float = np.nan
    along: float = np.nan
    limit: float = np.nan
    branches: Branches | None = None

    @property
    def made(self) -> bool:
        """Whether there was enough to test."""
        return bool(np.isfinite(self.limit))

    @property
    def white(self) -> bool:
        """Whether the residuals passed as white noise on every test."""
        return self.made and self.branches is None and not max(self.in_time, np.nan_to_num(self.along)) > self.limit


def residual_tests(fit: Fit) -> ResidualTests:
    """Test the residuals of a fit in its metric."""
    r = fit.usable_residuals @ fit.problem.C.T
    if len(r) < FEWEST or np.abs(r).max() < ROUND_OFF:
        return ResidualTests()
    time = np.argsort(fit.data.rows)
    along = autocorrelation(r) if fit.problem.q.ndim == 1 else np.nan
    return ResidualTests(autocorrelation(r[time]), along, white_noise_limit(r), found_branches(fit, r))


def autocorrelation(r: np.ndarray) -> float:
    """Σ r_i · r_{i+1} / Σ |r_i|² of residuals (N, 6) in some order."""
    return float((r[1:] * r[:-1]).sum() / max(float((r * r).sum()), 1e-300))


def white_noise_limit(r: np.ndarray) -> float:
    """Three standard deviations of the autocorrelation of white noise with the covariance of r, or what is `SMALL`."""
    covariance = r.T @ r
    components = np.trace(covariance) ** 2 / max(float((covariance**2).sum()), 1e-300)
    return max(SMALL, 3.0 / np.sqrt(len(r) * components))


def found_branches(fit: Fit, r: np.ndarray) -> Branches | None:
    """The widest gap between visits to a coordinate, or between two clusters where time does not tell them apart."""
    q = fit.problem.q.reshape(len(r), -1)
    cells = list(coordinate_cells(q, np.arange(len(r)), max(CELL, len(r) // CELLS)))
    place_in_time = np.argsort(np.argsort(fit.data.rows))
    groups = [visits(cell, place_in_time) for cell in cells]
    if not visits_differ(r, groups):
        groups = [clusters(r, q, cell) for cell in cells]
        if not clusters_differ(r, groups):
            return None
    gaps = [widest_gap(r, parts) for parts in groups if len(parts) > 1]
    _, a, b = max(gaps, key=lambda gap: gap[0])
    apart = fit.usable_residuals[a].mean(axis=0) - fit.usable_residuals[b].mean(axis=0)
    rows = np.sort(fit.data.rows[a]), np.sort(fit.data.rows[b])
    at = q[np.concatenate([a, b])].mean(axis=0)
    return Branches(np.degrees(np.linalg.norm(apart[:3])), 1e3 * float(np.linalg.norm(apart[3:])), at, rows)


def coordinate_cells(q: np.ndarray, members: np.ndarray, most: int) -> Iterator[np.ndarray]:
    """Poses with neighbouring coordinates, at most so many together: halved across the widest direction."""
    if len(members) <= most:
        yield members
        return
    widths = np.ptp(q[members], axis=0) / np.maximum(np.ptp(q, axis=0), 1e-300)
    order = members[np.argsort(q[members, np.argmax(widths)], kind="stable")]
    for half in np.array_split(order, 2):
        yield from coordinate_cells(q, half, most)


def visits(cell: np.ndarray, place_in_time: np.ndarray) -> list[np.ndarray]:
    """The poses of a cell, visit by visit; visits of few poses are left out."""
    order = cell[np.argsort(place_in_time[cell])]
    parts = np.split(order, np.flatnonzero(np.diff(place_in_time[order]) > APART) + 1)
    return [part for part in parts if len(part) >= FEW]


def clusters(r: np.ndarray, q: np.ndarray, cell: np.ndarray) -> list[np.ndarray]:
    """The two halves of a cell's residuals, split where their variance along their main direction falls most.

    One part only where the halves are neighbours along the coordinate: that is a bend that the fit does not follow.
    """
    if len(cell) < 4 * FEW:
        return [cell]
    centered = r[cell] - r[cell].mean(axis=0)
    x = centered @ np.linalg.svd(centered, full_matrices=False)[2][0]
    order = np.argsort(x)
    n, left = len(cell), np.cumsum(x[order])[:-1]
    size = np.arange(1, n)
    between = left**2 * n / (size * (n - size))  # the mean of x is zero
    cut = FEW + int(np.argmax(between[FEW - 1 : n - FEW]))
    upper = np.zeros(n, bool)
    upper[order[cut:]] = True
    first = np.argsort(q[cell, 0], kind="stable")
    runs = 1 + np.count_nonzero(np.diff(upper[first]))
    expected = 1.0 + 2.0 * cut * (n - cut) / n
    return [cell[upper], cell[~upper]] if runs > 0.5 * expected else [cell]


def variances(r: np.ndarray, groups: list[list[np.ndarray]]) -> tuple[float, float, int, int]:
    """Sums of squares between the parts of each group and within them, and their degrees of freedom."""
    between = within = 0.0
    free_between = free_within = 0
    for parts in (g for g in groups if len(g) > 1):
        means = np.array([r[part].mean(axis=0) for part in parts])
        sizes = np.array([len(part) for part in parts])
        center = sizes @ means / sizes.sum()
        between += float(sizes @ ((means - center) ** 2).sum(axis=1))
        within += sum(float(((r[p] - m) ** 2).sum()) for p, m in zip(parts, means, strict=True))
        free_between += len(parts) - 1
        free_within += int(sizes.sum()) - len(parts)
    return between, within, free_between, free_within


def visits_differ(r: np.ndarray, groups: list[list[np.ndarray]]) -> bool:
    """Whether the variance between visits exceeds that within them, by the F-test too."""
    between, within, many, rest = variances(r, groups)
    if not many or between <= MOSTLY * (between + within):
        return False
    ratio = (between / many) / max(within / rest, 1e-300)
    return bool(fdtrc(many, rest, ratio) < SURE)  # the tail of the F distribution


def clusters_differ(r: np.ndarray, groups: list[list[np.ndarray]]) -> bool:
    """Whether two clusters explain nearly all of the variance along the direction between them."""
    between = total = 0.0
    for a, b in (g for g in groups if len(g) > 1):
        gap = r[a].mean(axis=0) - r[b].mean(axis=0)
        x = r[np.concatenate([a, b])] @ (gap / max(float(np.linalg.norm(gap)), 1e-300))
        between += float(gap @ gap) * len(a) * len(b) / len(x)
        total += float(((x - x.mean()) ** 2).sum())
    return between > SPLIT * total


def widest_gap(r: np.ndarray, parts: list[np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
    """The distance in the metric of the two parts that are farthest apart, and those parts."""
    means = np.array([r[part].mean(axis=0) for part in parts])
    apart = np.linalg.norm(means[:, None] - means[None, :], axis=-1)
    i, j = np.unravel_index(np.argmax(apart), apart.shape)
    return float(apart[i, j]), parts[min(i, j)], parts[max(i, j)]
