"""What a person may ask of `fit_curve`, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BadCoordinates, NotSupported, require, unknown_name
from ..progress import Report, silent
from .parameterization import chord_coordinates, uniform_coordinates
from .pose_data import PoseData, finite_coordinates
from .problem.bending_penalty import PENALTIES
from .solve.loss import loss_named

METHODS = ("gauss-newton", "paper")
ENDS = ("clamped", "open", "periodic")


@dataclass(frozen=True)
class CurveOptions:
    """The arguments of `fit_curve` but the data."""

    frames: int | str
    order: int
    smoothing: float | str
    penalty: str
    metric: Any
    loss: str
    loss_scale: float | None
    knots: Any
    ends: str
    period: tuple[float, float] | None
    method: str
    tolerance: float
    iterations: int
    name: str
    watch: Report = silent

    def checked(self) -> CurveOptions:
        """Itself, its words known and its numbers sensible."""
        require(self.order >= 4, "fit_curve: order 4 or more, else accelerations would jump", order=self.order)
        for kind, known in (("penalty", PENALTIES), ("ends", ENDS), ("method", METHODS)):
            if getattr(self, kind) not in known:
                raise unknown_name(kind, getattr(self, kind), known, "fit_curve")
        loss_named(self.loss, self.loss_scale)
        self._check_numbers()
        return self

    def _check_numbers(self) -> None:
        good = isinstance(self.frames, (int, np.integer)) or self.frames == "interpolate"
        require(good, "fit_curve: frames is a number or 'interpolate'", frames=self.frames)
        check_smoothing(self.smoothing, "fit_curve")
        if self.method == "paper" and (self.penalty != "hessian" or self.loss != "squares"):
            raise NotSupported(
                "fit_curve: the printed iteration knows plain least squares and penalty='hessian' only; leave the rest "
                "to method='gauss-newton'."
            )


def check_smoothing(weight, what: str) -> None:
    """A finite weight that is not negative, or "auto"."""
    good = weight == "auto" or (isinstance(weight, (int, float, np.number)) and 0 <= float(weight) < np.inf)
    require(good, f"{what}: smoothing is a weight ≥ 0, or 'auto'", smoothing=weight)


def starting_coordinates(coordinates, data: PoseData, metric) -> tuple[PoseData, np.ndarray, bool]:
    """The usable poses sorted by coordinate, their coordinates, and whether those are only a start.

    Poses that share a coordinate keep the order of their rows.
    """
    if coordinates is None or isinstance(coordinates, str):
        if coordinates not in (None, "chord", "uniform"):
            raise unknown_name("rule for coordinates", coordinates, ("chord", "uniform"), "fit_curve")
        if coordinates == "uniform":
            return data, uniform_coordinates(data.count)[data.rows], False
        require(data.whole, "fit_curve: poses with missing parts need coordinates", BadCoordinates)
        q = chord_coordinates(data.poses, metric)
        return (data, q, False) if coordinates == "chord" else (data, q / q[-1], True)
    q = finite_coordinates(coordinates, data, "fit_curve")
    rising = np.argsort(q, kind="stable")
    return data[rising], q[rising], False
