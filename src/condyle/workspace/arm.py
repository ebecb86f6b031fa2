"""A person's arm: the fitted surface, rigid links, limits; forward and inverse. Clavicle frame, metres, radians."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import KDTree

from ..errors import BadShape, BadValue, require
from ..splines.bezier.bezier_surface import BezierSurface
from ..typing import ArrayLike
from .arm_kinematics import rest_frame, side_sign
from .arm_limits import Lengths, Limits
from .arm_model import arm_model
from .kernels.elbow_surface import corner_slopes
from .measured_region import MeasuredRegion, rim_raster
from .posture import Posture
from .shoulder_joint import ShoulderJoint, shoulder_joint
from .solve.arm_follow import follow
from .solve.arm_forward import forward, seen_on_disc
from .solve.arm_inverse import ElbowCurve, NearestPoint, aim, elbow_curves, nearest_reachable, solutions, solve
from .solve.arm_tables import ArmTables, limit_rates, pack_surface, packed_limits
from .solve.elbow_mesh import Grid, build_grid
from .solve.questions import Question

if TYPE_CHECKING:
    from ..model import Model
    from .fit.arm_fit import FitReport

LONGEST = 5.0  # [m] of a link: more is another unit


@dataclass(frozen=True, eq=False, repr=False)
class Arm:
    """A person's reach: a fitted surface and rigid links. Made by `fit_arm`.

    Attributes
    ----------
    surface : BezierSurface
        Twelve channels: shoulder, elbow, and the wrist at the low and the high end of the twist [m].
    lengths : Lengths
        [m]
    extent : float
        Radius of the disc of directions that the surface covers.
    limits : Limits
        [rad]
    report : FitReport or None
        How well it fits the measurements.
    level : int
        How finely the search for elbows divides the surface.
    region : MeasuredRegion or None
        Where samples were taken; without it nothing counts as unmeasured.
    side : {"right", "left"}
    """

    surface: BezierSurface
    lengths: Lengths
    extent: float = 1.0
    limits: Limits = field(default_factory=Limits)
    report: FitReport | None = None
    level: int = 4
    region: MeasuredRegion | None = None
    side: str = "right"

    def __post_init__(self):
        channels, words = self.surface.control.shape[1], "an arm's surface has 12 channels: shoulder, elbow, two wrists"
        require(channels == 12, words, BadShape, channels=channels)
        require(min(self.lengths) > 0, "link lengths must be positive", BadValue, **self.lengths._asdict())
        require(max(self.lengths) < LONGEST, "link lengths of an arm are in metres", BadValue, **self.lengths._asdict())
        require(1 <= self.level <= 7, "the grid level is 1 to 7", BadValue, level=self.level)
        side_sign(self.side)

    def __repr__(self) -> str:
        fitted = "" if self.report is None else f", {self.report.mean:.2f} cm from {self.report.count} samples"
        links = "clavicle {:.1f}, upper arm {:.1f}, forearm {:.1f} cm".format(*(100.0 * x for x in self.lengths))
        return f"<Arm: {self.side}, {links}; {self.surface!r}{fitted}>"

    @cached_property
    def tables(self) -> ArmTables:
        """The arm as the kernels read it."""
        complex = self.surface.complex
        rim, rim_box = rim_raster(self.region, complex.vertices, self.rigid_elbow)
        return ArmTables(
            degree=complex.degree,
            coefficients=pack_surface(self.surface),
            frames=np.ascontiguousarray(complex.frames.reshape(-1, 9)),
            neighbors=complex.neighbors,
            lengths=np.array(self.lengths, float),
            limits=packed_limits(self.limits.rows),
            rest=rest_frame(self.side).ravel().copy(),
            weights=np.array(self.limits.weights, float),
            side=side_sign(self.side),
            rim=rim,
            rim_box=rim_box,
            rates=limit_rates(self.surface, lambda at: self._rigid(at)[1]),
        )

    @cached_property
    def grid(self) -> Grid:
        """The rigid elbow surface cut into small triangles."""
        mesh = build_grid(self.surface.complex, self.rigid_elbow, self.level)
        corner_slopes(self.tables, mesh.at, mesh.triangles, mesh.slopes)
        return mesh

    @cached_property
    def grid_directions(self) -> KDTree:
        """Where the grid's elbows are seen from the clavicle, on the disc of directions."""
        return KDTree(seen_on_disc(self, self.grid.at))

    @cached_property
    def straight_wrists(self) -> np.ndarray:
        """Where the wrist of the straight arm is, (V, 3), for every vertex of the grid."""
        reach = self.lengths.forearm / self.lengths.upper_arm
        return self.grid.elbow + reach * (self.grid.elbow - self.rigid_shoulder(self.grid.at))

    def rigid_shoulder(self, at: np.ndarray) -> np.ndarray:
        """s* = L₁ s/|s| at domain points (..., 2).  [TolaniBadlerGallier2000, eq. 3]

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Points of the surface's domain.

        Returns
        -------
        ndarray, shape (..., 3)
        """
        s = self.surface.channels(slice(0, 3)).evaluate(at)
        return self.lengths.clavicle * s / np.linalg.norm(s, axis=-1, keepdims=True)

    def rigid_elbow(self, at: np.ndarray) -> np.ndarray:
        """e* = s* + L₂ ẑ at domain points (..., 2), so that both links have their length.

        Parameters
        ----------
        at : ndarray, shape (..., 2)
            Points of the surface's domain.

        Returns
        -------
        ndarray, shape (..., 3)
        """
        shoulder, upper_arm = self._rigid(at)
        return shoulder + self.lengths.upper_arm * upper_arm

    def _rigid(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """s* and ẑ at domain points (..., 2), by one evaluation of the surface."""
        points = self.surface.channels(slice(0, 6)).evaluate(at)
        s, e = points[..., :3], points[..., 3:]
        s = self.lengths.clavicle * s / np.linalg.norm(s, axis=-1, keepdims=True)
        z = e - s
        return s, z / np.linalg.norm(z, axis=-1, keepdims=True)

    def scaled(self, clavicle: float, upper_arm: float, forearm: float) -> Arm:
        """The same reach for another person's link lengths [m]: directions kept, lengths changed.

        Parameters
        ----------
        clavicle, upper_arm, forearm : float
            [m]

        Returns
        -------
        Arm
        """
        new = Lengths(clavicle, upper_arm, forearm)
        k = [b / a for a, b in zip(self.lengths, new, strict=True)]
        s, e, low, high = np.split(self.surface.control, 4, axis=1)
        elbow = k[0] * s + k[1] * (e - s)
        control = np.hstack([k[0] * s, elbow, elbow + k[2] * (low - e), elbow + k[2] * (high - e)])
        return replace(self, surface=BezierSurface(self.surface.complex, control), lengths=new, report=None)

    def forward(
        self,
        elevation: ArrayLike,
        abduction: ArrayLike,
        twist: ArrayLike = 0.5,
        *,
        flexion: ArrayLike = np.pi / 2,
        wrist: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Posture:
        """The posture for given angles.

        Parameters
        ----------
        elevation, abduction : array_like, shape (...)
            Of the elbow, seen from the clavicle [rad]: the true angles.
        twist : array_like, shape (...), optional
            Share 0 … 1 of the twist range.
        flexion : array_like, shape (...), optional
            Of the elbow [rad]; 0 is straight.
        wrist : array_like, shape (..., 3), optional
            Angles about x, y and z of the forearm [rad].

        Returns
        -------
        Posture

        Examples
        --------
        >>> import condyle as cd
        >>> arm = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"), smoothing=1e-5)
        >>> posture = arm.forward(np.radians(90.0), 0.0, flexion=0.0)
        >>> reach = np.linalg.norm(posture.wrist - posture.shoulder)  # a straight arm
        >>> bool(np.isclose(reach, arm.lengths.upper_arm + arm.lengths.forearm))
        True
        """
        return forward(self, elevation, abduction, twist, flexion=flexion, wrist=wrist)

    def solve(
        self,
        goal: ArrayLike,
        *,
        orientation: ArrayLike | None = None,
        hand_axis: ArrayLike | None = None,
        about: ArrayLike | None = None,
        keep: str = "position",
        outside: str = "raise",
        unmeasured: str = "flag",
        threads: int | None = None,
    ) -> Posture:
        """The best posture for wrist goals.

        The position is kept exactly; the orientation is given up, as little as possible, where the wrist cannot.
        Elbows where samples were taken come first. Where only others reach the goal, `measured` of the posture is False
        and `outside` says how far they are from any that was measured.

        Parameters
        ----------
        goal : array_like, shape (..., 3)
            In the clavicle frame [m].
        orientation : array_like, shape (..., 3, 3), optional
            The hand's rotation.
        hand_axis : array_like, shape (..., 3), optional
            Only where one axis of the hand points; the spin about it is chosen.
        about : array_like, shape (3,), optional
            That axis in the hand's own frame; by default z, along the straight hand.
        keep : {"position", "orientation"}, optional
            "orientation" gives up limits of twist, flexion and wrist instead of the orientation, as little as
            `limits.weights` allow.
        outside : {"raise", "nearest", "nan"}, optional
            What a goal out of reach gives: an error, the nearest reachable point, or NaN.
        unmeasured : {"flag", "refuse"}, optional
            Whether an elbow outside the measured workspace is an answer, or counts as out of reach.
        threads : int, optional

        Returns
        -------
        Posture

        Raises
        ------
        OutOfReach
            With outside="raise"; `nearest` of the error has the nearest reachable point.

        Examples
        --------
        >>> import condyle as cd
        >>> arm = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"), smoothing=1e-5)
        >>> goal = arm.forward(np.radians(60.0), 0.2).wrist
        >>> bool(np.allclose(arm.solve(goal).wrist, goal, atol=1e-9))
        True
        """
        return solve(self, goal, Question(orientation, hand_axis, about, keep, outside, unmeasured), threads)

    def elbow_curves(self, goal: ArrayLike, *, radius: float | None = None) -> list[ElbowCurve]:
        """All elbow positions for a goal (3,), as curves.

        Parameters
        ----------
        goal : array_like, shape (3,)
            [m]
        radius : float, optional
            Distance of the elbow from the goal [m]; the forearm by default.

        Returns
        -------
        list of ElbowCurve
            Empty if the goal is out of reach.
        """
        return elbow_curves(self, goal, radius=radius)

    def solutions(self, goal: ArrayLike, *, orientation: ArrayLike | None = None) -> Posture:
        """The postures at all points of all elbow curves of a goal (3,).

        Parameters
        ----------
        goal : array_like, shape (3,)
            [m]
        orientation : array_like, shape (3, 3), optional
            The hand's rotation.

        Returns
        -------
        Posture
        """
        return solutions(self, goal, orientation=orientation)

    def aim(
        self,
        target: ArrayLike,
        distance: float,
        *,
        outside: str = "raise",
        unmeasured: str = "flag",
        threads: int | None = None,
    ) -> Posture:
        """Postures whose forearm points at targets.

        Parameters
        ----------
        target : array_like, shape (..., 3)
            [m]
        distance : float
            Between elbow and target [m].
        outside : {"raise", "nan"}, optional
            What a target out of reach gives: an error, or NaN.
        unmeasured : {"flag", "refuse"}, optional
            As in `solve`.
        threads : int, optional

        Returns
        -------
        Posture

        Raises
        ------
        OutOfReach
            With outside="raise".
        """
        return aim(self, target, distance, Question(outside=outside, unmeasured=unmeasured), threads)

    def nearest_reachable(self, goal: ArrayLike, *, measured: bool = False) -> NearestPoint:
        """The reachable wrist position nearest to a goal (3,).

        Parameters
        ----------
        goal : array_like, shape (3,)
            [m]
        measured : bool, optional
            Only elbows inside the measured workspace.

        Returns
        -------
        NearestPoint
        """
        return nearest_reachable(self, goal, measured=measured)

    def follow(self, goals: ArrayLike, *, orientations: ArrayLike | None = None, motion: float = 20.0) -> Posture:
        """Continuous postures along a path of the wrist.

        Parameters
        ----------
        goals : array_like, shape (T, 3)
            [m]
        orientations : array_like, shape (T, 3, 3), optional
            The hand's rotations.
        motion : float, optional
            Weight of squared changes of angles between neighbours.

        Returns
        -------
        Posture

        Raises
        ------
        OutOfReach
            If a goal is out of reach, with its number.
        BadShape
            If the goals are not (T, 3).
        BadValue
            If motion is negative.
        """
        return follow(self, goals, orientations=orientations, motion=motion)

    def as_model(self) -> Model:
        """The rigid skeleton as a model whose nine coordinates are a posture's angles."""
        return arm_model(self)

    def as_joint(self, *, controls: int = 16) -> ShoulderJoint:
        """The shoulder (forward, up, twist) as a joint for models.

        Parameters
        ----------
        controls : int, optional
            Control values a side.

        Returns
        -------
        ShoulderJoint

        Raises
        ------
        BadValue
            If there are fewer than 5 controls.
        """
        return shoulder_joint(self, controls=controls)
