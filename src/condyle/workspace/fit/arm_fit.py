"""An arm from samples: shoulder and elbow fitted together, then the wrists at both twist limits at the same places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import BadSamples, FoldedSurface, require, unknown_name
from ...splines.bezier.closest_point import closest_points, domain_grid
from ...splines.bezier.continuity import smooth_basis
from ...splines.bezier.domain_complex import DomainComplex, hexagon, refined
from ...splines.bezier.surface import BezierSurface
from ..arm import Arm, Lengths, Limits
from ..directions import angles_from_direction, disc_from_direction
from .paper_surface import interpolated_surface, nearest_to_places
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
    split: int = 0,
    method: str = "least-squares",
    smoothing: float | None = None,
    loss: str = "huber",
    reprojections: int = 3,
    lengths: tuple[float, float, float] | None = None,
    limits: Limits | None = None,
) -> Arm:
    """Fit a right arm [m] to samples: a hexagon of patches of `degree`, `split` times in four, `extra` patch behind.

    `method` "least-squares" uses all samples, C1 exact, bending weight cross-validated unless given;
    "interpolation" is the paper's surface through the 19 samples nearest to its interpolation places.

    Parameters
    ----------
    samples : ArmSamples
        Measured positions of an arm.
    degree : int, optional
        Of the Bézier patches.
    extra : bool, optional
        One more patch behind.
    split : int, optional
        How often every patch is split in four.
    method : {"least-squares", "interpolation"}
    smoothing : float, optional
        Weight of bending; cross-validated if left out.
    loss : {"squares", "huber", "tukey"}
        Of a residual.
    reprojections : int, optional
        How often samples are moved to their nearest place.
    lengths : tuple of 3 floats, optional
        Clavicle, upper arm, forearm [m]; from the samples if left out.
    limits : Limits, optional
        Of flexion and wrist [rad].

    Returns
    -------
    Arm

    Raises
    ------
    BadSamples
        Samples that cannot come from a right arm in metres.

    Examples
    --------
    >>> import condyle as cd
    >>> arm = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"), smoothing=1e-5)
    >>> arm.report.mean < 2.0  # [cm]
    True
    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS, "fit_arm")
    complex = _domain(degree, extra, split) if method == "least-squares" else hexagon(3)
    needed = smooth_basis(complex).shape[1] if method == "least-squares" else 19
    check_arm(samples, needed)
    links = _links(samples, lengths)
    if method == "interpolation":
        surface, smoothing = _interpolated(samples), 0.0
    else:
        surface, smoothing = _least_squares(complex, samples, smoothing, loss, reprojections)
        _refuse_folds(surface, samples)
    samples.warn_if_thin()
    arm = Arm(surface, links, samples.extent, Limits() if limits is None else limits)
    return Arm(surface, links, samples.extent, arm.limits, _report(arm, samples, smoothing))


def _domain(degree: int, extra: bool, split: int) -> DomainComplex:
    require(degree in (3, 4, 5), "patches of degree 3, 4 or 5 can be fitted", degree=degree)
    complex = hexagon(degree, extra=extra)
    for _ in range(split):
        complex = refined(complex)
    return complex


def _least_squares(complex, samples, smoothing, loss, reprojections):
    trials = samples.trials
    both = np.hstack([samples.shoulder, samples.elbow])
    fitted = fit_surface(
        complex, samples.places, both, project=ELBOW, smoothing=smoothing, loss=loss, reprojections=reprojections
    )
    at = closest_points(fitted.surface.channels(ELBOW), trials.elbow).at
    wrists = np.hstack([trials.wrist_low, trials.wrist_high])
    weight = cross_validated(complex, at, wrists) if smoothing is None else smoothing
    ends = smooth_fit(complex, at, wrists, weight)
    return BezierSurface(complex, np.hstack([fitted.surface.control, ends.control])), fitted.smoothing


def _interpolated(samples: ArmSamples) -> BezierSurface:
    trials = samples.trials
    of_trials = ArmSamples(trials.shoulder, trials.elbow, trials).places
    arm = nearest_to_places(samples.places, np.hstack([samples.shoulder, samples.elbow]))
    wrists = nearest_to_places(of_trials, np.hstack([trials.wrist_low, trials.wrist_high]))
    return interpolated_surface(np.hstack([arm, wrists]))


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
    elbow, h = surface.channels(ELBOW), 1e-5
    sides = [
        disc_from_direction(elbow.evaluate(grid + h * d)) - disc_from_direction(elbow.evaluate(grid - h * d))
        for d in np.eye(2)
    ]
    turn = sides[0][:, 0] * sides[1][:, 1] - sides[0][:, 1] * sides[1][:, 0]
    if (turn <= 0).any():
        elevation, abduction = np.degrees(angles_from_direction(elbow.evaluate(grid[int(turn.argmin())])))
        raise FoldedSurface(
            f"the fitted surface folds over near elevation {elevation:.0f}°, abduction {abduction:.0f}° "
            f"({int((turn <= 0).sum())} of {len(turn)} places); the samples there disagree: check them, or smooth more"
        )


def _report(arm: Arm, samples: ArmSamples, smoothing: float) -> FitReport:
    feet = closest_points(arm.surface.channels(ELBOW), samples.elbow).at
    reach = np.linalg.norm(arm.surface.channels(ELBOW).evaluate(feet) - arm.rigid_shoulder(feet), axis=1)
    gap = float(100 * np.abs(reach - arm.lengths.upper_arm).mean())
    return FitReport(**fit_errors(arm.surface, samples.elbow), smoothing=smoothing, upper_arm_gap=gap)  # type: ignore[arg-type]
