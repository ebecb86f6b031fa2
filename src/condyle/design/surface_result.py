"""A fitted surface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..joints import Joint, spline_surface
from ..spatial import SE3
from .fit_result import Fit
from .problem.surface_chart import turning_twists
from .problem.surface_problem import SurfaceProblem


@dataclass(frozen=True, eq=False)
class SurfaceFit(Fit):
    """A fitted surface, with all that `Fit` has. `controls` and `pose` are as `spline_surface` takes them.

    `thin` are the control points that no pose touches: there the surface only continues its neighbours.

    Attributes
    ----------
    shape : tuple of int
        Control points along each coordinate.
    knots : tuple of ndarray
        One array for each coordinate.
    names : tuple of str
        Of the coordinates.
    problem : SurfaceProblem
        What was minimised.
    estimated : bool
        Whether the coordinates were found with the surface.
    """

    shape: tuple[int, ...]
    knots: tuple[np.ndarray, ...]
    names: tuple[str, ...]
    problem: SurfaceProblem
    estimated: bool = False  # whether the coordinates were found with the surface

    @property
    def controls(self) -> np.ndarray:
        """The control points, (*shape, 6): three shifts [m], three turns [rad] in the order of `twists`."""
        return self.x.reshape(*self.shape, 6)

    @property
    def pose(self) -> SE3:
        """The constant pose before the shifts and turns, and after a moving base."""
        return SE3.from_matrix(self.problem.pose)

    @property
    def twists(self) -> str:
        """The order of the three turns, "xyz" in the paper; "moving" if a base carries them along."""
        return "moving" if self.problem.form.base else self.problem.form.turns

    @property
    def reason(self) -> str:
        """Why the surface has this form."""
        return self.problem.form.reason

    @property
    def size(self) -> str:
        return f"{' × '.join(map(str, self.shape))} control points"

    @property
    def title(self) -> str:
        return "surface"

    @cached_property
    def joint(self) -> Joint:
        form, pose = self.problem.form, self.problem.pose
        twists = turning_twists(form.turns)
        return spline_surface(
            self.controls, self.knots, self.order, twists, pose=pose, names=self.names, base=dict(form.base)
        )

    @cached_property
    def thin(self) -> np.ndarray:
        """Indices (n, number of coordinates) of the control points that no pose touches."""
        return np.argwhere(self.problem.system.touched.reshape(self.shape) < 1e-9)

    @cached_property
    def singularity_margin(self) -> float:
        """The least cosine of the second angle over the control points: 0 is the Euler singularity."""
        return float(np.cos(self.controls[..., 4]).min())
