"""What a fit of a curve found, in numbers a person can judge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..joints import Joint, RankReport, check, spline_curve
from .band import local_index
from .data import PoseData
from .problem import CurveProblem

__all__ = ["CurveFit", "pose_errors"]


@dataclass(frozen=True, eq=False)
class CurveFit:
    """A fitted joint and how well it fits. Rows follow the input; missing poses are NaN.

    `residuals` (N, 6) are log(G⁻¹ G_d) [rad, m]; `cost` is what was minimised, `costs` its history from the start;
    `gradient` is its largest slope by any control frame at the answer; `knots` are as `spline_curve` takes them.
    """

    frames: np.ndarray
    knots: np.ndarray
    order: int
    name: str
    costs: list[float]
    converged: bool
    problem: CurveProblem

    @property
    def cost(self) -> float:
        return self.costs[-1]

    @property
    def iterations(self) -> int:
        return len(self.costs) - 1

    @property
    def smoothing(self) -> float:
        return self.problem.smoothing

    @property
    def periodic(self) -> bool:
        return self.problem.periodic

    @property
    def data(self) -> PoseData:
        return self.problem.data

    @cached_property
    def joint(self) -> Joint:
        """The joint, ready for a model."""
        return spline_curve(self.frames, self.knots, self.order, self.periodic, name=self.name)

    @cached_property
    def coordinates(self) -> np.ndarray:
        """Where on the curve each pose belongs, given or estimated."""
        return self.data.spread(self.problem.q)

    @cached_property
    def residuals(self) -> np.ndarray:
        return self.data.spread(self.problem.residuals(self.frames))

    @cached_property
    def gradient(self) -> float:
        return 2.0 * float(np.abs(self.problem.normal(self.frames).right).max())

    @cached_property
    def bending(self) -> float:
        """∫|h|² dq, or its parameterisation-free form if that was the penalty."""
        return self.problem.bending(self.frames)

    @cached_property
    def trust(self) -> np.ndarray:
        """How much each pose counted, 1 fully, near 0 for what the loss took for an outlier."""
        return self.data.spread(self.problem.loss.slope(self.problem.squares(self.problem.residuals(self.frames))))

    @cached_property
    def angle_errors(self) -> np.ndarray:
        """Angle between the joint and each pose [deg]."""
        r = np.degrees(np.linalg.norm(self.problem.residuals(self.frames)[:, :3], axis=1))
        return self.data.spread(np.where(self.data.turned, r, np.nan))

    @cached_property
    def distance_errors(self) -> np.ndarray:
        """Distance between the joint's origin and each pose's [mm]."""
        gap = self.joint.pose(self.problem.q)[:, :3, 3] - self.data.poses[:, :3, 3]
        return self.data.spread(np.where(self.data.placed, 1e3 * np.linalg.norm(gap, axis=1), np.nan))

    @cached_property
    def left_out(self) -> np.ndarray:
        """What each pose would leave over if it were left out of the fit, whitened, (N, 6); linearised at the answer.

        Leaving out pose i multiplies its residual by (I − J_i A⁻¹ J_iᵀ)⁻¹, where A = JᵀJ + smoothing. A curve through
        all poses foretells nothing: NaN.
        """
        p, parts = self.problem, []
        if p.count >= len(p.data) and p.smoothing == 0.0:
            return np.full((p.data.count, 6), np.nan)
        inverse = p.normal(self.frames).inverse()
        for c, r, J in p.rows(self.frames):
            groups, which = np.unique(p.at.first[c], return_inverse=True)
            local = np.stack([inverse[np.ix_(*2 * [local_index(f, p.order, p.count)])] for f in groups])
            H = J @ local[which] @ J.swapaxes(1, 2)
            parts.append(np.linalg.solve(np.eye(6) - H + 1e-12 * np.eye(6), r[..., None])[..., 0])
        return self.data.spread(np.concatenate(parts))

    @property
    def cross_validated(self) -> float:
        """The root mean square of the left-out residuals in the fit's metric; NaN for a curve through all poses."""
        squares = (self.left_out[self.data.rows] ** 2).sum(-1)
        return float(np.sqrt(squares.mean()))

    @cached_property
    def rank(self) -> RankReport:
        """Whether the joint's Jacobian vanishes anywhere."""
        return check(self.joint, name=self.name)

    def summary(self) -> str:
        """A few lines for a person."""
        a, d = self.angle_errors, self.distance_errors
        missing = self.data.count - len(self.data)
        state = "converged" if self.converged else "NOT converged"
        lines = [
            f"{len(self.data)} poses{f' ({missing} missing)' if missing else ''}, {len(self.frames)} control frames, "
            f"order {self.order}, smoothing {self.smoothing:.3g}; {state} in {self.iterations} iterations",
            f"rotation {spread_of(a)} deg, position {spread_of(d)} mm (rms, largest)",
            f"cost {self.cost:.6g}, slope {self.gradient:.2g}",
            str(self.rank),
        ]
        doubted = int(np.nansum(self.trust < 0.1))
        return "\n".join([*lines, *([f"{doubted} poses were taken for outliers"] if doubted else [])])


def spread_of(x: np.ndarray) -> str:
    """'0.31, 0.92': root mean square and largest."""
    return f"{np.sqrt(np.nanmean(x**2)):.3g}, {np.nanmax(x):.3g}" if np.isfinite(x).any() else "not measured"


def pose_errors(joint: Joint, q: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle [deg] and distance [mm] between a joint and poses."""
    G = joint.pose(q)
    cosine = 0.5 * (np.einsum("nij,nij->n", G[:, :3, :3], poses[:, :3, :3]) - 1.0)
    chord = np.linalg.norm(G[:, :3, :3] - poses[:, :3, :3], axis=(1, 2))  # 2√2 sin(θ/2), exact for small angles
    angle = np.where(
        cosine > 0, 2.0 * np.arcsin(np.clip(chord / np.sqrt(8.0), 0, 1)), np.arccos(np.clip(cosine, -1, 1))
    )
    return np.degrees(angle), 1e3 * np.linalg.norm(G[:, :3, 3] - poses[:, :3, 3], axis=1)
