"""Measured positions of an arm's joints relative to the clavicle, in metres: right arm, x lateral, y forward, z up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...errors import BadSamples, BadShape, BadValue, NotFinite, require, warn
from ...spatial.arrays import real_numbers
from ...splines.bezier.closest_point import domain_grid
from ...splines.bezier.domain_complex import hexagon
from ...typing import ArrayLike
from ..arm_kinematics import side_sign
from ..directions import (
    angles_from_direction,
    direction_from_disc,
    disc_from_direction,
    disc_from_hexagon,
    hexagon_from_disc,
)

MIRROR = np.array([-1.0, 1.0, 1.0])
LINK_RATIO = 3.0  # between links of one arm, at most


@dataclass(frozen=True, eq=False)
class TwistTrials:
    """The wrist at both ends of the twist of the upper arm, elbow bent about 90°, one row per trial (m, 3).

    Attributes
    ----------
    shoulder, elbow : ndarray, shape (m, 3)
        [m]
    wrist_low, wrist_high : ndarray, shape (m, 3)
        At both ends of the twist [m].
    """

    shoulder: np.ndarray
    elbow: np.ndarray
    wrist_low: np.ndarray
    wrist_high: np.ndarray

    def __post_init__(self):
        _as_rows(self, ("shoulder", "elbow", "wrist_low", "wrist_high"), "twist trials")

    def __len__(self) -> int:
        return len(self.elbow)

    @property
    def twist_range(self) -> np.ndarray:
        """The range of twist [rad] of each trial, in [0, 2π)."""
        return twist_angle(self.shoulder, self.elbow, self.wrist_low, self.wrist_high)

    @property
    def elevation(self) -> np.ndarray:
        """The elevation [rad] of the elbow, seen from the clavicle."""
        return angles_from_direction(self.elbow)[0]


@dataclass(frozen=True, eq=False, repr=False)
class ArmSamples:
    """Measured positions of an arm in the clavicle frame.

    Attributes
    ----------
    shoulder, elbow : ndarray, shape (n, 3)
        [m]
    trials : TwistTrials
    """

    shoulder: np.ndarray
    elbow: np.ndarray
    trials: TwistTrials

    def __post_init__(self):
        _as_rows(self, ("shoulder", "elbow"), "arm samples")

    def __repr__(self) -> str:
        return f"<ArmSamples: {len(self)} places of a {self.side} arm>"

    def __len__(self) -> int:
        return len(self.elbow)

    @property
    def extent(self) -> float:
        """The largest radius of the samples on the equal-area disc (1 is a hemisphere, √2 the whole sphere)."""
        return float(np.linalg.norm(self.disc, axis=1).max())

    @property
    def places(self) -> np.ndarray:
        """Where each elbow direction falls in the hexagon, (n, 2), the farthest on its rim."""
        return hexagon_from_disc(self.disc / self.extent)

    @property
    def side(self) -> str:
        """Where most elbows are: "right" or "left" of the clavicle."""
        return "right" if np.median(self.elbow[:, 0]) >= 0 else "left"

    @property
    def disc(self) -> np.ndarray:
        """Elbow directions (n, 2) on the equal-area disc about the lateral axis."""
        return disc_from_direction(self.elbow * [side_sign(self.side), 1.0, 1.0])

    def mirrored(self) -> ArmSamples:
        """The same arm on the other side of the body."""
        return self.turned(np.diag(MIRROR))

    def turned(self, matrix: ArrayLike) -> ArmSamples:
        """Every position multiplied by a 3 × 3 matrix (another frame, another unit).

        Parameters
        ----------
        matrix : array_like, shape (3, 3)
            A rotation or a mirror image, times the scale of the unit.

        Returns
        -------
        ArmSamples

        Raises
        ------
        BadValue
            If the matrix changes shapes.
        """
        matrix = real_numbers(matrix, "the matrix of turned()")
        require(matrix.shape == (3, 3), "turned() takes a 3 × 3 matrix", BadShape, shape=matrix.shape)
        square = matrix @ matrix.T
        even = np.trace(square) / 3.0 * np.eye(3)
        kept = square[0, 0] > 0 and np.abs(square - even).max() <= 1e-6 * even[0, 0]
        require(
            kept, "turned() takes a rotation or a mirror image, times the scale of the unit", BadValue, matrix=matrix
        )
        trials = TwistTrials(*(getattr(self.trials, name) @ matrix.T for name in _TRIAL_FIELDS))
        turned = ArmSamples(self.shoulder @ matrix.T, self.elbow @ matrix.T, trials)
        if np.linalg.det(matrix) < 0:  # a mirror image swaps the ends of the twist
            swapped = replace(trials, wrist_low=trials.wrist_high, wrist_high=trials.wrist_low)
            turned = replace(turned, trials=swapped)
        return turned

    def decimated(self, spacing: float) -> ArmSamples:
        """Without samples whose elbow is nearer than `spacing` [m] to one already kept (in order).

        Parameters
        ----------
        spacing : float
            [m]

        Returns
        -------
        ArmSamples

        Raises
        ------
        BadValue
            If the spacing is not positive.
        """
        require(spacing > 0, "spacing must be positive", spacing=spacing)
        kept: list[int] = []
        for i, elbow in enumerate(self.elbow):
            if all(np.linalg.norm(elbow - self.elbow[k]) >= spacing for k in kept):
                kept.append(i)
        return replace(self, shoulder=self.shoulder[kept], elbow=self.elbow[kept])

    def thin_regions(self, gap: float = 0.35) -> np.ndarray:
        """Elevation and abduction (n, 2) [rad] of the middles of regions farther than `gap` from every sample.

        `gap` is in units of the hexagon's radius; the emptiest region comes first.

        Parameters
        ----------
        gap : float, optional
            In units of the hexagon's radius.

        Returns
        -------
        ndarray, shape (n, 2)
            The emptiest region comes first.
        """
        grid = domain_grid(hexagon(3), 12)
        nearest = np.linalg.norm(grid[:, None] - self.places[None], axis=-1).min(axis=1)
        found: list[int] = []
        while nearest.max() > gap:
            found.append(int(nearest.argmax()))
            nearest[np.linalg.norm(grid - grid[found[-1]], axis=1) < 2 * gap] = 0.0
        there = direction_from_disc(disc_from_hexagon(grid[found].reshape(-1, 2)) * self.extent)
        return np.stack(angles_from_direction(there), axis=-1)

    def warn_if_thin(self, gap: float = 0.35) -> None:
        """Warn, with the direction, when part of the hexagon is farther than `gap` from every sample.

        Parameters
        ----------
        gap : float, optional
            In units of the hexagon's radius.
        """
        for elevation, abduction in np.degrees(self.thin_regions(gap)[:1]):
            warn(
                f"no sample near elevation {elevation:.0f}°, abduction {abduction:.0f}°: the surface is a guess there;"
                " measure more, or trust the reach only elsewhere"
            )


_TRIAL_FIELDS = ("shoulder", "elbow", "wrist_low", "wrist_high")


def twist_angle(shoulder, elbow, start, end) -> np.ndarray:
    """The angle in [0, 2π) from `start` to `end`, turned about the upper arm from shoulder to elbow."""
    axis = elbow - shoulder
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    a, b = start - elbow, end - elbow
    sine = np.einsum("...i,...i->...", axis, np.cross(a, b))
    along = np.einsum("...i,...i->...", axis, a) * np.einsum("...i,...i->...", axis, b)
    return np.mod(np.arctan2(sine, np.einsum("...i,...i->...", a, b) - along), 2 * np.pi)


def _as_rows(owner, names: tuple[str, ...], what: str) -> None:
    """Freeze the named fields as finite float arrays (n, 3) of one length."""
    rows = {name: real_numbers(getattr(owner, name), f"{what}: {name}") for name in names}
    for name, array in rows.items():
        require(
            array.ndim == 2 and array.shape[1] == 3,
            f"{what}: {name} is one row of three per sample",
            BadShape,
            shape=array.shape,
        )
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        require(not len(bad), f"{what}: {name} has NaN or infinite rows; remove them", NotFinite, rows=bad[:5].tolist())
        object.__setattr__(owner, name, array)
    lengths = {name: len(array) for name, array in rows.items()}
    require(len(set(lengths.values())) == 1, f"{what}: every field has the same number of rows", BadShape, **lengths)


def check_arm(samples: ArmSamples, needed: int, side: str) -> None:
    """Refuse what cannot be an arm of this side in metres, or is too little to fit."""
    require(
        len(samples) >= needed,
        "too few samples for this surface; measure more, or use a lower degree",
        BadSamples,
        samples=len(samples),
        needed=needed,
    )
    require(
        len(samples.trials) >= 3, "twist limits need at least 3 twist trials", BadSamples, trials=len(samples.trials)
    )
    upper = float(np.median(np.linalg.norm(samples.elbow - samples.shoulder, axis=1)))
    unit = "centimetres" if upper < 100 else "millimetres"
    hint = f"; these look like {unit}" if upper > 5 else ""
    require(
        0.08 < upper < 0.8,
        f"samples are in metres{hint}: scale them with turned()",
        BadSamples,
        upper_arm=round(upper, 4),
    )
    _require_one_body(samples, upper)
    side_sign(side)
    require(
        samples.side == side,
        f'these are samples of a {samples.side} arm (x is lateral, to the right): give side="{samples.side}", or turn'
        " them with mirrored()",
        BadSamples,
        median_x=round(float(np.median(samples.elbow[:, 0])), 4),
    )


def _require_one_body(samples: ArmSamples, upper: float) -> None:
    """Refuse rows whose links are not those of the others, as where a marker was lost and a zero written."""
    origin, trials = np.zeros(3), samples.trials
    _require_alike("arm samples", "clavicle", origin, samples.shoulder)
    _require_alike("arm samples", "way to the elbow", origin, samples.elbow)
    _require_alike("arm samples", "upper arm", samples.shoulder, samples.elbow)
    _require_alike("twist trials", "upper arm", trials.shoulder, trials.elbow)
    for wrist in (trials.wrist_low, trials.wrist_high):
        _require_alike("twist trials", "forearm", trials.elbow, wrist)
    for name, a, b in (("upper arm", trials.shoulder, trials.elbow), ("forearm", trials.elbow, trials.wrist_low)):
        link = float(np.median(np.linalg.norm(b - a, axis=1)))
        words = f"twist trials are of the same person and in the same unit as the samples; their {name} is not"
        sizes = {"samples_upper_arm": round(upper, 4), "trials": round(link, 4)}
        require(upper / LINK_RATIO < link < LINK_RATIO * upper, words, BadSamples, **sizes)
    clavicle = float(np.median(np.linalg.norm(samples.shoulder, axis=1)))
    if clavicle > upper:
        sizes = f"the clavicle ({clavicle:.3f} m) is longer than the upper arm ({upper:.3f} m)"
        warn(f"{sizes}: are shoulder and elbow swapped?")


def _require_alike(what: str, name: str, start: np.ndarray, end: np.ndarray) -> None:
    """Refuse rows in which a link is less than a quarter, or more than four times, as long as in most."""
    link = np.linalg.norm(end - start, axis=1)
    usual = float(np.median(link))
    require(usual > 0, f"{what}: the {name} has no length in most rows; check that joints are not mixed up", BadSamples)
    odd = np.flatnonzero((link < usual / 4) | (link > 4 * usual))
    words = f"{what}: the {name} of some rows is not that of the others, {usual:.3f} m; remove rows with lost markers"
    require(not len(odd), words, BadSamples, rows=odd[:5].tolist(), lengths=np.round(link[odd[:5]], 4).tolist())
