"""A person's arm: the fitted surface, rigid links, limits; forward and inverse. Clavicle frame, metres, radians."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import BadShape, BadValue, require
from ..splines.bezier.surface import BezierSurface
from .arm_kinematics import REST
from .arm_model import arm_model
from .kernels.elbow_surface import corner_slopes
from .posture import Posture
from .shoulder_joint import ShoulderJoint, shoulder_joint
from .solve.arm_forward import forward
from .solve.arm_inverse import ElbowCurve, NearestPoint, aim, elbow_curves, nearest_reachable, solutions, solve
from .solve.arm_tables import ArmTables, pack_surface
from .solve.elbow_mesh import Grid, build_grid
from .solve.follow import follow

if TYPE_CHECKING:
    from ..model import Model
    from .fit.arm_fit import FitReport


class Lengths(NamedTuple):
    """Link lengths [m]."""

    clavicle: float
    upper_arm: float
    forearm: float


@dataclass(frozen=True)
class Limits:
    """Ranges [rad] of elbow flexion (0 is straight) and of the wrist angles about x, y and z of the forearm."""

    flexion: tuple[float, float] = (0.0, np.radians(145.0))
    wrist: tuple[tuple[float, float], ...] = (
        (-np.radians(70.0), np.radians(70.0)),
        (-np.radians(30.0), np.radians(30.0)),
        (-np.radians(90.0), np.radians(90.0)),
    )

    def __post_init__(self):
        for name, (low, high) in zip(("flexion", "wrist x", "wrist y", "wrist z"), self.rows, strict=True):
            require(low < high, f"the range of {name} must rise", BadValue, low=float(low), high=float(high))
        low, high = self.wrist[1]
        good = low >= -np.pi / 2 and high <= np.pi / 2
        require(good, "the range of wrist y is within ±π/2", BadValue, low=float(low), high=float(high))
        low, high = self.flexion
        require(low >= 0 and high <= np.pi, "elbow flexion is between 0 and π", BadValue, flexion=self.flexion)

    @property
    def rows(self) -> np.ndarray:
        """(4, 2): flexion and the three wrist ranges."""
        return np.array([self.flexion, *self.wrist], float)


@dataclass(frozen=True, eq=False)
class Arm:
    """A surface with 12 channels (shoulder, elbow, wrist at the low and the high twist limit) and a rigid skeleton."""

    surface: BezierSurface
    lengths: Lengths
    extent: float = 1.0
    limits: Limits = field(default_factory=Limits)
    report: FitReport | None = None
    level: int = 4

    def __post_init__(self):
        channels = self.surface.control.shape[1]
        require(
            channels == 12, "an arm's surface has 12 channels: shoulder, elbow, two wrists", BadShape, channels=channels
        )
        require(min(self.lengths) > 0, "link lengths must be positive", BadValue, **self.lengths._asdict())
        require(1 <= self.level <= 7, "the grid level is 1 to 7", BadValue, level=self.level)

    @cached_property
    def tables(self) -> ArmTables:
        """The arm as the kernels read it."""
        complex = self.surface.complex
        return ArmTables(
            degree=complex.degree,
            coefficients=pack_surface(self.surface),
            frames=np.ascontiguousarray(complex.frames.reshape(-1, 9)),
            neighbours=complex.neighbours,
            lengths=np.array(self.lengths, float),
            limits=self.limits.rows,
            rest=REST.ravel().copy(),
        )

    @cached_property
    def grid(self) -> Grid:
        """The rigid elbow surface cut into small triangles."""
        mesh = build_grid(self.surface.complex, self.rigid_elbow, self.level)
        corner_slopes(self.tables, mesh.at, mesh.triangles, mesh.slopes)
        return mesh

    @cached_property
    def straight_wrists(self) -> np.ndarray:
        """Where the wrist of the straight arm is, (V, 3), for every vertex of the grid."""
        reach = self.lengths.forearm / self.lengths.upper_arm
        return self.grid.elbow + reach * (self.grid.elbow - self.rigid_shoulder(self.grid.at))

    def rigid_shoulder(self, at: np.ndarray) -> np.ndarray:
        """s* = L₁ s/|s| at domain points (..., 2).  [TolaniBadlerGallier2000, eq. 3]"""
        s = self.surface.channels(slice(0, 3)).evaluate(at)
        return self.lengths.clavicle * s / np.linalg.norm(s, axis=-1, keepdims=True)

    def rigid_elbow(self, at: np.ndarray) -> np.ndarray:
        """e* = s* + L₂ ẑ at domain points (..., 2), so that both links have their length."""
        s = self.rigid_shoulder(at)
        z = self.surface.channels(slice(3, 6)).evaluate(at) - s
        return s + self.lengths.upper_arm * z / np.linalg.norm(z, axis=-1, keepdims=True)

    def scaled(self, clavicle: float, upper_arm: float, forearm: float) -> Arm:
        """The same reach for another person's link lengths [m]: directions kept, lengths changed."""
        new = Lengths(clavicle, upper_arm, forearm)
        k = [b / a for a, b in zip(self.lengths, new, strict=True)]
        s, e, low, high = np.split(self.surface.control, 4, axis=1)
        elbow = k[0] * s + k[1] * (e - s)
        control = np.hstack([k[0] * s, elbow, elbow + k[2] * (low - e), elbow + k[2] * (high - e)])
        return replace(self, surface=BezierSurface(self.surface.complex, control), lengths=new, report=None)

    def forward(self, elevation, abduction, twist=0.5, *, flexion=np.pi / 2, wrist=(0.0, 0.0, 0.0)) -> Posture:
        """The posture for elevation, abduction [rad] and a share 0 … 1 of the twist range. See `forward.forward`."""
        return forward(self, elevation, abduction, twist, flexion=flexion, wrist=wrist)

    def solve(self, goal, *, orientation=None, hand_axis=None, outside="raise", threads=None) -> Posture:
        """The best posture for wrist goals (..., 3). See `inverse.solve`."""
        return solve(self, goal, orientation=orientation, hand_axis=hand_axis, outside=outside, threads=threads)

    def elbow_curves(self, goal, *, radius: float | None = None) -> list[ElbowCurve]:
        """All elbow positions for a goal (3,), as curves."""
        return elbow_curves(self, goal, radius=radius)

    def solutions(self, goal, *, orientation=None) -> Posture:
        """The postures at all points of all elbow curves of a goal (3,)."""
        return solutions(self, goal, orientation=orientation)

    def aim(self, target, distance: float, *, outside="raise", threads=None) -> Posture:
        """Postures whose forearm points at targets (..., 3), elbow at `distance` [m] from them."""
        return aim(self, target, distance, outside=outside, threads=threads)

    def nearest_reachable(self, goal) -> NearestPoint:
        """The reachable wrist position nearest to a goal (3,)."""
        return nearest_reachable(self, goal)

    def follow(self, goals, *, orientations=None, motion: float = 20.0) -> Posture:
        """Continuous postures (T,) along goals (T, 3). See `follow.follow`."""
        return follow(self, goals, orientations=orientations, motion=motion)

    def as_model(self) -> Model:
        """The rigid skeleton as a model whose nine coordinates are a posture's angles. See `model.arm_model`."""
        return arm_model(self)

    def as_joint(self, *, controls: int = 16) -> ShoulderJoint:
        """The shoulder (forward, up, twist) as a joint for models. See `joint.shoulder_joint`."""
        return shoulder_joint(self, controls=controls)
