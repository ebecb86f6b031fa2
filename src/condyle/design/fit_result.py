"""The result of a fit: the joint, its residuals, tests of them, advice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..deprecation import warn_renamed
from ..joints import Joint, RankReport, check
from ..joints.evaluate import pose_matrices
from ..spatial import SE3
from ..spatial.arrays import floats
from ..typing import ArrayLike
from .pose_data import PoseData
from .problem.pose_problem import PoseProblem
from .report.advice import DOUBTED, advice
from .residual_tests import ResidualTests, residual_tests


@dataclass(frozen=True)
class TradeOff:
    """What smoothing costs, for each of some weights.

    Attributes
    ----------
    weights : ndarray, shape (k,)
        Rising.
    misfit : ndarray, shape (k,)
        Sum of squared residuals.
    bending : ndarray, shape (k,)
        What smoothing makes small.
    error : ndarray, shape (k,)
        Leave-one-out error.
    """

    weights: np.ndarray
    misfit: np.ndarray
    bending: np.ndarray
    error: np.ndarray

    @property
    def best(self) -> float:
        """The weight with the least leave-one-out error."""
        return float(self.weights[np.nanargmin(self.error)])


@dataclass(frozen=True, eq=False)
class Fit(ABC):
    """A fitted joint and how well it fits. Rows follow the input; missing poses are NaN.

    Attributes
    ----------
    x : ndarray
        The answer: control frames or control points.
    order : int
        Of the spline; 4 is cubic.
    costs : list of float
        What was minimised, from the start to the answer.
    converged : bool
        Whether the cost is at a minimum, and no misfit is left that the noise of the poses contradicts: three times
        what separates poses from where their neighbours lead.
    problem : PoseProblem
        What was minimised.
    tried : TradeOff or None
        The weights of smoothing among which this one was chosen.
    """

    x: np.ndarray
    order: int
    costs: list[float]
    converged: bool
    problem: PoseProblem
    tried: TradeOff | None = field(default=None, kw_only=True)  # the weights among which this one was chosen

    @cached_property
    @abstractmethod
    def joint(self) -> Joint:
        """The joint, ready for a model."""

    @property
    @abstractmethod
    def size(self) -> str:
        """'12 control frames'."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What the joint is called in reports."""

    @property
    def cost(self) -> float:
        """What was minimised, at the answer: squares in the metric [rad² for a length], smoothing included."""
        return self.costs[-1]

    @property
    def iterations(self) -> int:
        """How many steps were taken."""
        return len(self.costs) - 1

    @property
    def smoothing(self) -> float:
        """The weight of bending, given or chosen."""
        return self.problem.smoothing

    @property
    def data(self) -> PoseData:
        """The poses that could be used."""
        return self.problem.data

    @cached_property
    def coordinates(self) -> np.ndarray:
        """Where each pose belongs, given or estimated."""
        return self.data.spread(self.problem.q)

    @cached_property
    def usable_residuals(self) -> np.ndarray:
        """The residuals of the usable poses only, in the order of `problem.q`."""
        return self.problem.residuals(self.x)

    @property
    def left_over(self) -> np.ndarray:
        """Deprecated: `usable_residuals`."""
        warn_renamed("Fit.left_over", "usable_residuals")
        return self.usable_residuals

    @property
    def residuals(self) -> np.ndarray:
        """log(G⁻¹ G_d) [rad, m], (N, 6)."""
        return self.data.spread(self.usable_residuals)

    @cached_property
    def tests(self) -> ResidualTests:
        """Whether the residuals are white noise: autocorrelations, and branches at one coordinate."""
        return residual_tests(self)

    @cached_property
    def gradient(self) -> float:
        """The largest slope of the cost by any control frame or point: near 0 at an optimum."""
        return 2.0 * float(np.abs(self.problem.normal(self.x).right).max())

    @cached_property
    def bending(self) -> float:
        """What smoothing makes small."""
        return self.problem.bending(self.x)

    @cached_property
    def trust(self) -> np.ndarray:
        """How much each pose counted, 1 fully, near 0 for what the loss took for an outlier."""
        return self.data.spread(self.problem.loss.slope(self.problem.squares(self.usable_residuals)))

    @cached_property
    def angle_errors(self) -> np.ndarray:
        """Angle between the joint and each pose [deg]."""
        angle = np.degrees(np.linalg.norm(self.usable_residuals[:, :3], axis=1))
        return self.data.spread(np.where(self.data.turned, angle, np.nan))

    @cached_property
    def distance_errors(self) -> np.ndarray:
        """Distance between the joint's origin and each pose's [mm]."""
        gap = self.joint.pose(self.problem.q.reshape(len(self.data), -1)).xyz - self.data.poses[:, :3, 3]
        return self.data.spread(np.where(self.data.placed, 1e3 * np.linalg.norm(gap, axis=1), np.nan))

    @cached_property
    def left_out(self) -> np.ndarray:
        """Leave-one-out residuals, whitened, (N, 6): of each pose from the fit without it; NaN if there is none."""
        return self.data.spread(self.problem.left_out(self.x))

    @cached_property
    def leave_one_out_errors(self) -> tuple[np.ndarray, np.ndarray]:
        """Angle [deg] and distance [mm] between each pose and the fit without it."""
        root = np.sqrt(self.data.weights * self.trust[self.data.rows])[:, None]
        r = np.linalg.solve(self.problem.C, (self.left_out[self.data.rows] / root).T).T
        angle, way = np.degrees(np.linalg.norm(r[:, :3], axis=1)), 1e3 * np.linalg.norm(r[:, 3:], axis=1)
        parts = ((angle, self.data.turned), (way, self.data.placed))
        angle, way = (self.data.spread(np.where(seen, x, np.nan)) for x, seen in parts)
        return angle, way

    @property
    def foretold_errors(self) -> tuple[np.ndarray, np.ndarray]:
        """Deprecated: `leave_one_out_errors`."""
        warn_renamed("Fit.foretold_errors", "leave_one_out_errors")
        return self.leave_one_out_errors

    @property
    def cross_validated(self) -> float:
        """The root mean square of the leave-one-out residuals in the fit's metric; NaN for a fit through all poses."""
        squares = (self.left_out[self.data.rows] ** 2).sum(-1)
        return float(np.sqrt(squares.mean()))

    @cached_property
    def rank(self) -> RankReport:
        """Whether the joint's Jacobian keeps its rank on the domain."""
        return check(self.joint, name=self.title)

    @cached_property
    def advice(self) -> list[str]:
        """Sentences on what to do about this fit; empty if nothing."""
        return advice(self)

    def numbers(self) -> dict[str, object]:
        """The figures of the fit by name, with units in the names."""
        return {
            "poses": self.data.count,
            "used": len(self.data),
            "size": self.size,
            "order": self.order,
            "smoothing": self.smoothing,
            "converged": self.converged,
            "iterations": self.iterations,
            "cost": self.cost,
            "rotation_rms_deg": root_mean_square(self.angle_errors),
            "rotation_largest_deg": largest(self.angle_errors),
            "position_rms_mm": root_mean_square(self.distance_errors),
            "position_largest_mm": largest(self.distance_errors),
            "cross_validated": self.cross_validated,
            "autocorrelation_in_time": self.tests.in_time,
            "branches_deg": 0.0 if self.tests.branches is None else self.tests.branches.degrees,
            "branches_mm": 0.0 if self.tests.branches is None else self.tests.branches.millimeters,
            "rank_margin": self.rank.smallest,
            "bending": self.bending,
            "outliers": np.flatnonzero(self.trust < DOUBTED).tolist(),
        }

    def summary(self) -> str:
        """A few lines: size, residuals, errors, rank, advice."""
        missing = self.data.count - len(self.data)
        state = "converged" if self.converged else "NOT converged"
        lines = [
            f"{len(self.data)} poses{f' ({missing} missing)' if missing else ''}, {self.size}, "
            f"order {self.order}, smoothing {self.smoothing:.3g}; {state} in {self.iterations} iterations",
            f"rotation {spread_of(self.angle_errors)} deg, position {spread_of(self.distance_errors)} mm "
            "(rms, largest)",
            f"cost {self.cost:.6g}, slope {self.gradient:.2g}, {leave_one_out(self.cross_validated)}",
            str(self.rank),
        ]
        return "\n".join([*lines, *(f"- {hint}" for hint in self.advice)])


def leave_one_out(error: float) -> str:
    """The leave-one-out error for the summary."""
    return (
        "no leave-one-out error (the fit can meet every pose)"
        if np.isnan(error)
        else f"leave-one-out error {error:.3g}"
    )


def spread_of(x: np.ndarray) -> str:
    """'0.31, 0.92': root mean square and largest."""
    return f"{root_mean_square(x):.3g}, {largest(x):.3g}" if np.isfinite(x).any() else "not measured"


def root_mean_square(x: np.ndarray) -> float:
    """Of what was measured."""
    return float(np.sqrt(np.nanmean(x**2))) if np.isfinite(x).any() else np.nan


def largest(x: np.ndarray) -> float:
    """Of what was measured."""
    return float(np.nanmax(x)) if np.isfinite(x).any() else np.nan


def pose_errors(joint: Joint, q: ArrayLike, poses: SE3 | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Angle [deg] and distance [mm] between a joint and poses (an SE3 or (N, 4, 4)) at coordinates (N,) or (N, nq).

    Parameters
    ----------
    joint : Joint
    q : array_like, shape (N,) or (N, nq)
        Coordinates.
    poses : SE3 or array_like, shape (n, 4, 4)
        Poses of the child in the parent.

    Returns
    -------
    tuple of two ndarrays of shape (N,)
        Degrees and millimetres.
    """
    poses = floats(poses, (4, 4), "pose_errors: poses")
    G = pose_matrices(joint, np.reshape(np.asarray(q), (len(poses), joint.nq)))
    cosine = 0.5 * (np.einsum("nij,nij->n", G[:, :3, :3], poses[:, :3, :3]) - 1.0)
    chord = np.linalg.norm(G[:, :3, :3] - poses[:, :3, :3], axis=(1, 2))  # 2√2 sin(θ/2), exact for small angles
    angle = np.where(
        cosine > 0, 2.0 * np.arcsin(np.clip(chord / np.sqrt(8.0), 0, 1)), np.arccos(np.clip(cosine, -1, 1))
    )
    return np.degrees(angle), 1e3 * np.linalg.norm(G[:, :3, 3] - poses[:, :3, 3], axis=1)
