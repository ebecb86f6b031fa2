"""An arm from samples: shoulder and elbow fitted together, then the wrists at both twist limits at the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...errors import BadSamples, BadShape, BadValue, FoldedSurface, NotFinite, require, unknown_name
from ...formats.journal import journal_in
from ...splines.bezier.bezier_surface import BezierSurface
from ...splines.bezier.closest_point import closest_points, domain_grid
from ...splines.bezier.continuity import smooth_basis
from ...splines.bezier.domain_complex import DomainComplex, hexagon, refined
from ...typing import ArrayLike, PathLike
from ..arm import Arm
from ..arm_kinematics import side_sign
from ..arm_limits import Lengths, Limits
from ..directions import angles_from_direction, disc_from_direction
from ..measured_region import MeasuredRegion, region_between
from .extra_patch import seeded_places
from .paper_surface import corner_places, interpolated_surface, interpolation_places, nearest_to_places, with_corner
from .samples import ArmSamples, check_arm
from .statistics import distance_report
from .surface_least_squares import cross_validated, fit_surface, smooth_fit

METHODS = ("least-squares", "interpolation")
ELBOW = slice(3, 6)


@dataclass(frozen=True)
class FitReport:
    """Distances [cm] of elbow samples from the surface, of those whose foot is inside and of those on the rim.

    Attributes
    ----------
    mean, largest : float
        [cm]
    inside_mean : float
        Of samples whose foot is inside the surface [cm].
    rim_mean : float
        Of those whose foot is on the rim [cm].
    rim_count : int
    count : int
    smoothing : float
        The weight that was used.
    upper_arm_gap : float
        Mean of ||e − s*| − L₂| [cm]: what making the upper arm rigid costs.
    """

    mean: float
    largest: float
    inside_mean: float
    rim_mean: float
    rim_count: int
    count: int
    smoothing: float
    upper_arm_gap: float  # mean of ||e − s*| − L₂| [cm]: what making the upper arm rigid costs

    def __str__(self) -> str:
        return (
            f"{self.count} samples: mean error {self.mean:.2f} cm, largest {self.largest:.2f} cm; "
            f"inside {self.inside_mean:.2f} cm, at the rim {self.rim_mean:.2f} cm ({self.rim_count} samples)"
        )


def fit_errors(surface: BezierSurface, elbows: np.ndarray) -> dict[str, float]:
    """Distances of elbows (n, 3) from the elbow channels of a surface, in cm: mean, largest, inside, at the rim.

    Parameters
    ----------
    surface : BezierSurface
    elbows : array_like, shape (n, 3)
        [m]

    Returns
    -------
    dict of str to float
        [cm]
    """
    found = closest_points(surface.channels(ELBOW) if surface.control.shape[1] > 3 else surface, elbows)
    cm, rim = 100 * found.distance, found.on_rim
    mean = {"inside_mean": cm[~rim], "rim_mean": cm[rim]}
    shares = {name: float(part.mean()) if len(part) else 0.0 for name, part in mean.items()}
    return {
        "mean": float(cm.mean()),
        "largest": float(cm.max()),
        **shares,
        "rim_count": int(rim.sum()),
        "count": len(cm),
    }


def fit_arm(
    samples: ArmSamples,
    *,
    degree: int = 3,
    extra: bool = False,
    split: int | Sequence[int] = 0,
    method: str = "least-squares",
    smoothing: float | None = None,
    loss: str = "huber",
    reprojections: int = 3,
    alpha: float | None = None,
    penalty: str | None = None,
    corner: ArrayLike | None = None,
    lengths: tuple[float, float, float] | None = None,
    limits: Limits | None = None,
    side: str = "right",
    record_to: PathLike | None = None,
    resume: bool = False,
) -> Arm:
    """Fit an arm [m] to samples: a hexagon of patches of `degree`, split in four if asked, `extra` patch behind.

    `method` "least-squares" uses all samples, C1 exact, bending weight cross-validated unless given;
    "interpolation" is the paper's surface through the 19 samples nearest to its interpolation places.

    Parameters
    ----------
    samples : ArmSamples
        Measured positions of an arm.
    degree : int, optional
        Of the Bézier patches.
    extra : bool, optional
        One more patch, for the corner of the workspace behind and below. It needs samples there that the hexagon of the
        other samples does not hold, or `corner`.
    split : int or sequence of int, optional
        How often every patch is split in four, or the numbers of patches that are split once.
    method : {"least-squares", "interpolation"}
    smoothing : float, optional
        Weight of bending; cross-validated if left out.
    loss : {"squares", "huber", "tukey"}
        Of a residual.
    reprojections : int, optional
        How often samples are moved to their nearest place.
    alpha : float, optional
        Of the paper's surface: weight of the penalty on control points, 0.01 if left out.
    penalty : {"control", "bending"}, optional
        Of the paper's surface; see `interpolated_surface`.
    corner : array_like, shape (3, 3), optional
        Elbows R₀, R₁, R₂ that the extra patch of a cubic surface meets [m]; see `interpolated_surface`.
    lengths : tuple of 3 floats, optional
        Clavicle, upper arm, forearm [m]; from the samples if left out.
    limits : Limits, optional
        Of flexion and wrist [rad].
    side : {"right", "left"}, optional
        Whose samples these are.
    record_to : str or Path, optional
        A folder that keeps the steps of a least squares fit as they end: weights of bending, and where samples are.
    resume : bool, optional
        Go on with the fit that was begun in `record_to` with the same arguments, if there is one; the arm is bit by bit
        that of an undisturbed fit.

    Returns
    -------
    Arm

    Raises
    ------
    BadSamples
        Samples that cannot come from an arm of this side in metres, or too few for the extra patch.
    BadValue
        An option that the method does not have.
    BadFile
        If the folder `record_to` cannot be written or has another fit.

    Examples
    --------
    >>> import condyle as cd
    >>> arm = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"), smoothing=1e-5)
    >>> arm.report.mean < 2.0  # [cm]
    True
    """
    least = Surface(degree, split, smoothing, loss, reprojections)
    paper = {name: value for name, value in (("alpha", alpha), ("penalty", penalty)) if value is not None}
    _require_effect(method, least, paper, extra, corner, record_to is not None or resume)
    if method == "interpolation":
        check_arm(samples, 19, side)
        surface, smoothing, extent = _interpolated(samples, paper), 0.0, samples.extent
    else:
        with journal_in(record_to, resume, "fit_arm", _inputs(samples, least, extra and corner is None)):
            surface, smoothing, extent = _least_squares(least, samples, extra and corner is None, side)
    if corner is not None:
        surface = _cornered(surface, corner)
    if method == "least-squares":
        _refuse_folds(surface, samples)
    samples.warn_if_thin()
    arm = Arm(surface, _links(samples, lengths), extent, Limits() if limits is None else limits, side=side)
    return replace(arm, report=_report(arm, samples, smoothing), region=_region(arm, samples, corner))


def _inputs(samples: ArmSamples, least: Surface, extra: bool) -> dict[str, tuple]:
    """What a least squares fit depends on, for its records."""
    trials = samples.trials
    measured = (samples.shoulder, samples.elbow, trials.shoulder, trials.elbow, trials.wrist_low, trials.wrist_high)
    return {"samples": measured, "options": (*least, extra)}


class Surface(NamedTuple):
    """What a least squares fit is asked for."""

    degree: int = 3
    split: int | Sequence[int] = 0
    smoothing: float | None = None
    loss: str = "huber"
    reprojections: int = 3


def _require_effect(method: str, least: Surface, paper: dict, extra: bool, corner, kept: bool) -> None:
    """Refuse options that the method would not use."""
    if method not in METHODS:
        raise unknown_name("method", method, METHODS, "fit_arm")
    if method == "interpolation":
        idle = [name for name, value in least._asdict().items() if value != Surface._field_defaults[name]]
        say = "the paper's surface is cubic, unsplit and has no residuals"
    else:
        idle, say = list(paper), "least squares have their own smoothing"
    require(not idle, f'method="{method}" does not use {", ".join(idle)}: {say}; leave them out', BadValue)
    require(method == "least-squares" or not kept, f'method="{method}" is over at once and keeps no records; leave out '
            "record_to and resume", BadValue)  # fmt: skip
    require(extra or corner is None, "a corner is of the extra patch; give extra=True with it", BadValue)
    require(
        not extra or corner is not None or method == "least-squares",
        "the extra patch of the paper's surface needs its corner, R₀, R₁, R₂",
        BadValue,
    )
    plain = least.degree == 3 and _unsplit(least.split)
    require(corner is None or plain, "a corner is given to a cubic surface whose patches are not split", BadValue)


def _unsplit(split: int | Sequence[int]) -> bool:
    return split == 0 if isinstance(split, int) else len(split) == 0


def _domain(surface: Surface, extra: bool) -> DomainComplex:
    degree, split = surface.degree, surface.split
    require(degree in (3, 4, 5), "patches of degree 3, 4 or 5 can be fitted", degree=degree)
    complex = hexagon(degree, extra=extra)
    if not isinstance(split, int):
        return refined(complex, split) if len(split) else complex
    require(0 <= split <= 2, "patches are split in four at most twice", BadValue, split=split)
    for _ in range(split):
        complex = refined(complex)
    return complex


def _least_squares(asked: Surface, samples: ArmSamples, extra: bool, side: str):
    """Surface, bending weight, and the radius of the disc that the hexagon covers."""
    complex, trials = _domain(asked, extra), samples.trials
    check_arm(samples, smooth_basis(complex).shape[1], side)
    places, extent = seeded_places(samples) if extra else (samples.places, samples.extent)
    both = np.hstack([samples.shoulder, samples.elbow])
    fitted = fit_surface(
        complex, places, both, project=ELBOW, smoothing=asked.smoothing, loss=asked.loss,
        reprojections=asked.reprojections,
    )  # fmt: skip
    at = closest_points(fitted.surface.channels(ELBOW), trials.elbow).at
    wrists = np.hstack([trials.wrist_low, trials.wrist_high])
    weight = cross_validated(complex, at, wrists) if asked.smoothing is None else asked.smoothing
    ends = smooth_fit(complex, at, wrists, weight)
    return BezierSurface(complex, np.hstack([fitted.surface.control, ends.control])), fitted.smoothing, extent


def _interpolated(samples: ArmSamples, options: dict) -> BezierSurface:
    trials = samples.trials
    of_trials = ArmSamples(trials.shoulder, trials.elbow, trials).places
    arm = nearest_to_places(samples.places, np.hstack([samples.shoulder, samples.elbow]))
    wrists = nearest_to_places(of_trials, np.hstack([trials.wrist_low, trials.wrist_high]))
    return interpolated_surface(np.hstack([arm, wrists]), **options)


def _cornered(surface: BezierSurface, corner: ArrayLike) -> BezierSurface:
    """The surface with the extra patch through elbows R₀ … R₂ (3, 3).

    The shoulder, and the wrists seen from the elbow, stay as at the middle of the edge where the patch is joined.
    """
    elbows = np.asarray(corner, float)
    require(elbows.shape == (3, 3), "a corner is three elbows R₀, R₁, R₂, (3, 3)", BadShape, shape=elbows.shape)
    require(np.isfinite(elbows).all(), "a corner must be finite", NotFinite)
    s, e, low, high = np.split(surface.evaluate(interpolation_places()[18]), 4)
    rows = [np.concatenate([s, elbow, elbow + low - e, elbow + high - e]) for elbow in elbows]
    return with_corner(surface, np.array(rows))


def _region(arm: Arm, samples: ArmSamples, corner) -> MeasuredRegion | None:
    """Where samples (and a given corner) are on the surface."""
    places = closest_points(arm.surface.channels(ELBOW), samples.elbow).at
    if corner is not None:
        places = np.vstack([places, corner_places()])
    return region_between(places, arm.rigid_elbow(places))


def _links(samples: ArmSamples, lengths) -> Lengths:
    """Link lengths, measured or given; given ones must be able to make the measured distances."""
    found = distance_report(samples)
    if lengths is None:
        return Lengths(found.clavicle, found.upper_arm, found.forearm)
    links = Lengths(*(float(x) for x in lengths))
    slack = 0.03
    fits = links.clavicle + links.upper_arm >= found.farthest - slack
    fits = fits and abs(links.upper_arm - links.clavicle) <= found.nearest + slack
    require(
        fits,
        f"links of {links.clavicle:.3f} and {links.upper_arm:.3f} m cannot put an elbow {found.nearest:.3f} to "
        f"{found.farthest:.3f} m from the clavicle, as measured; give the subject's own lengths or none",
        BadSamples,
    )
    return links


def _refuse_folds(surface: BezierSurface, samples: ArmSamples) -> None:
    """The direction of the elbow must turn the same way as the domain, wherever samples are."""
    grid = domain_grid(surface.complex, 10)
    near = np.linalg.norm(grid[:, None] - samples.places[None], axis=-1).min(axis=1) < 0.12
    grid = 0.999 * grid[near]
    elbow, h, lateral = surface.channels(ELBOW), 1e-5, [side_sign(samples.side), 1.0, 1.0]
    sides = [
        disc_from_direction(elbow.evaluate(grid + h * d) * lateral)
        - disc_from_direction(elbow.evaluate(grid - h * d) * lateral)
        for d in np.eye(2)
    ]
    turn = sides[0][:, 0] * sides[1][:, 1] - sides[0][:, 1] * sides[1][:, 0]
    if (turn <= 0).any():
        elevation, abduction = np.degrees(angles_from_direction(elbow.evaluate(grid[int(turn.argmin())]) * lateral))
        raise FoldedSurface(
            f"the fitted surface folds over near elevation {elevation:.0f}°, abduction {abduction:.0f}° "
            f"({int((turn <= 0).sum())} of {len(turn)} places); the samples there disagree: check them, or smooth more"
        )


def _report(arm: Arm, samples: ArmSamples, smoothing: float) -> FitReport:
    feet = closest_points(arm.surface.channels(ELBOW), samples.elbow).at
    reach = np.linalg.norm(arm.surface.channels(ELBOW).evaluate(feet) - arm.rigid_shoulder(feet), axis=1)
    gap = float(100 * np.abs(reach - arm.lengths.upper_arm).mean())
    return FitReport(**fit_errors(arm.surface, samples.elbow), smoothing=smoothing, upper_arm_gap=gap)  # type: ignore[arg-type]
