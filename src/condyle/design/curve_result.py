"""A fitted curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..joints import Joint, spline_curve
from .problem import CurveProblem
from .result import Fit

__all__ = ["CurveFit"]


@dataclass(frozen=True, eq=False)
class CurveFit(Fit):
    """A curve of control `frames` (n, 4, 4); `knots` are as `spline_curve` takes them. The rest is in `Fit`."""

    knots: np.ndarray
    name: str
    problem: CurveProblem

    @property
    def frames(self) -> np.ndarray:
        """The control frames, (frames, 4, 4)."""
        return self.x

    @property
    def periodic(self) -> bool:
        """Whether the curve closes on itself."""
        return self.problem.periodic

    @property
    def size(self) -> str:
        return f"{len(self.frames)} control frames"

    @property
    def title(self) -> str:
        return self.name

    @cached_property
    def joint(self) -> Joint:
        return spline_curve(self.frames, self.knots, self.order, self.periodic, name=self.name)
