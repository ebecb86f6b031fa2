"""A posture of the arm, or a batch of them: where every joint is, all nine angles, and which limits are kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arm_kinematics import SkeletonPose, side_sign, skeleton_pose
from .directions import angles_from_direction
from .kernels import posture_rows as k

KEPT = 1e-20  # squared excess [rad²] that counts as none
ON_RIM = 1e-9  # [m]: the search ends this near to the rim of the measured workspace, on either side


@dataclass(frozen=True, eq=False)
class Posture:
    """Rows (..., 35) of the kernels read by name. Clavicle frame, metres, radians.

    Attributes
    ----------
    rows : ndarray, shape (..., 35)
        What kernels compute of a posture; the properties name it.
    lengths : tuple of float
        Clavicle, upper arm and forearm [m].
    extent : float
        Of the arm's surface.
    side : {"right", "left"}
    anywhere : ndarray, shape (...), optional
        The angle [rad] between hand and what was asked if the elbow may be anywhere, also where nothing was measured;
        less than `orientation_error` where the orientation was given up to keep a measured elbow. From `Arm.solve`.
    """

    rows: np.ndarray
    lengths: tuple[float, ...]
    extent: float
    side: str = "right"
    anywhere: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index) -> Posture:
        anywhere = None if self.anywhere is None else self.anywhere[index]
        return Posture(self.rows[index], self.lengths, self.extent, self.side, anywhere)

    @property
    def angles(self) -> np.ndarray:
        """θ₁ … θ₉ (..., 9): clavicle two, shoulder three, elbow flexion, wrist three."""
        return self.rows[..., k.ANGLES : k.ANGLES + 9]

    @property
    def shoulder(self) -> np.ndarray:
        """Where the shoulder is [m], (..., 3)."""
        return self.rows[..., k.SHOULDER : k.SHOULDER + 3]

    @property
    def elbow(self) -> np.ndarray:
        """Where the elbow is [m], (..., 3)."""
        return self.rows[..., k.ELBOW : k.ELBOW + 3]

    @property
    def wrist(self) -> np.ndarray:
        """Where the wrist is [m], (..., 3)."""
        return self.rows[..., k.WRIST : k.WRIST + 3]

    @property
    def place(self) -> np.ndarray:
        """Where on the surface's domain the elbow is, (..., 2)."""
        return self.rows[..., k.X : k.Y + 1]

    @property
    def elevation(self) -> np.ndarray:
        """The elevation [rad] of the elbow, seen from the clavicle: 0 hanging, π/2 level; as `forward` takes it."""
        return self._direction_angles[0]

    @property
    def abduction(self) -> np.ndarray:
        """The abduction [rad] of the elbow, seen from the clavicle: 0 sideways, π/2 forward; as `forward` takes it."""
        return self._direction_angles[1]

    @property
    def twist(self) -> np.ndarray:
        """The share of the twist range used: 0 and 1 are its limits, above 1 outside."""
        return self.rows[..., k.TWIST] / self.rows[..., k.SPAN]

    @property
    def twist_angle(self) -> np.ndarray:
        """The twist [rad] from its low limit, in [0, 2π)."""
        return self.rows[..., k.TWIST]

    @property
    def twist_range(self) -> np.ndarray:
        """The range of twist [rad] that was measured at this elbow position."""
        return self.rows[..., k.SPAN]

    @property
    def flexion(self) -> np.ndarray:
        """Elbow flexion θ₆ [rad], 0 straight."""
        return self.rows[..., k.ANGLES + 5]

    @property
    def penalty(self) -> np.ndarray:
        """Squared excess [rad²] over all limits, each with its weight."""
        return self.rows[..., k.FIRST] + np.where(self.rows[..., k.LEFT] > 0, 0.0, self.rows[..., k.SECOND])

    @property
    def feasible(self) -> np.ndarray:
        """Whether every limit is kept and the hand has the orientation asked for."""
        return (self.penalty <= KEPT) & (self.orientation_error <= 1e-9)

    @property
    def measured(self) -> np.ndarray:
        """Whether the elbow is where samples were taken: between neighbouring samples, see `MeasuredRegion`."""
        return self.outside <= 0

    @property
    def outside(self) -> np.ndarray:
        """How far [m] the elbow is outside the measured workspace; 0 inside and on its rim (within 1e-9 m)."""
        return np.where(self.rows[..., k.OUTSIDE] <= ON_RIM, 0.0, self.rows[..., k.OUTSIDE])

    @property
    def comfort(self) -> np.ndarray:
        """Weighted mean square distance from the middle of the ranges: 0 in the middle of all, 1 at all limits."""
        return self.rows[..., k.COMFORT]

    @property
    def orientation_error(self) -> np.ndarray:
        """The angle [rad] between the hand and what was asked; 0 unless the wrist cannot."""
        return self.rows[..., k.LEFT]

    @property
    def nearest(self) -> np.ndarray:
        """Whether no orientation of the hand is nearer to what was asked, by more than 1e-4 rad.

        Where the orientation had to be given up, bounds along the goal's elbow curves prove it, up to the straight
        elbow. False where they did not decide, or where a curve could not be followed from end to end.
        """
        return (self.orientation_error <= 1e-9) | (self.rows[..., k.PROVEN] > 0)

    @property
    def curve(self) -> np.ndarray:
        """Which of the goal's elbow curves this posture is on."""
        return self.rows[..., k.CURVE].astype(int)

    @cached_property
    def skeleton(self) -> SkeletonPose:
        """Positions and rotations of the rigid skeleton at these angles."""
        return skeleton_pose(self.lengths, self.angles, self.side)

    @cached_property
    def _direction_angles(self):
        return angles_from_direction(self.elbow * [side_sign(self.side), 1.0, 1.0])


def posture_of(arm, rows: np.ndarray, anywhere: np.ndarray | None = None) -> Posture:
    """A posture of an arm from rows of the kernels."""
    return Posture(rows, tuple(arm.lengths), arm.extent, arm.side, anywhere)
