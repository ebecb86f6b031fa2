"""A fitted curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..joints import Joint, spline_curve
from ..spatial import SE3
from .fit_result import Fit
from .problem.curve_problem import CurveProblem


@dataclass(frozen=True, eq=False)
class CurveFit(Fit):
    """A fitted curve of control frames, with all that `Fit` has.

    Attributes
    ----------
    knots : ndarray
        As `condyle.joints.spline_curve` takes them.
    name : str
        Of the coordinate.
    problem : CurveProblem
        What was minimised.
    """

    knots: np.ndarray
    name: str
    problem: CurveProblem

    @property
    def frames(self) -> SE3:
        """The control frames, a batch of poses."""
        return SE3.from_matrix(self.x)

    @property
    def periodic(self) -> bool:
        """Whether the curve closes on itself."""
        return self.problem.periodic

    @property
    def size(self) -> str:
        return f"{len(self.x)} control frames"

    @property
    def title(self) -> str:
        return self.name

    @cached_property
    def joint(self) -> Joint:
        return spline_curve(self.x, self.knots, self.order, self.periodic, name=self.name)
