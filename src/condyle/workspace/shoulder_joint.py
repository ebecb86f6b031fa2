"""The fitted shoulder as a condyle joint of three freedoms, so that the arm can be simulated.

Elevation and abduction lose rank with the arm hanging, and the hexagon map has kinks; so the joint's coordinates are
the equal-area disc coordinates (forward, up) of the elbow's true direction, smooth everywhere, and the twist [rad] from
the middle of its range. The upper arm turns by R_c R_x(p) R_y(q) R_x(p) R_z(r): p and q have no singular place but the
direction opposite to the workspace's middle.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BSpline
from scipy.spatial import KDTree

from ..errors import BadShape, BadValue, CondyleWarning, require
from ..joints import compose, revolute, spline_surface
from ..joints.evaluate import pose_matrices
from ..joints.joint import Joint
from ..spatial import SE3
from ..spatial.arrays import real_numbers
from ..spatial.twists import pose_matrix
from ..splines import even_knots
from ..splines.bezier.closest_point import domain_grid
from ..typing import ArrayLike
from .arm_kinematics import euler_rotations
from .solve.arm_forward import posture_at, seen_on_disc

ROTATIONS = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]], float)
TWISTS = np.vstack([np.hstack([np.zeros((3, 3)), np.eye(3)]), np.hstack([ROTATIONS, np.zeros((4, 3))])])
ORDER = 4


@dataclass(frozen=True, eq=False)
class ShoulderJoint:
    """The joint from clavicle to upper arm (origin at the shoulder, z to the elbow), and how well it refits the arm.

    Attributes
    ----------
    joint : Joint
    elbow_error : float
        Largest distance of its elbows from the arm's [mm].
    shoulder_error : float
        Largest distance of its shoulders [mm].
    smallest_singular_value : float
        Of the Jacobian S over the workspace, hanging arm included.
    samples : ndarray, shape (n, 3)
        Coordinates inside the workspace.
    twist_spans : ndarray, shape (n,)
        The range of twist [rad] at each sample; the twist goes from minus to plus half of it.
    measured : ndarray of bool, shape (n,)
        Which samples have an elbow where the arm was measured.
    """

    joint: Joint
    elbow_error: float  # largest distance [mm] of its elbows from the arm's
    shoulder_error: float  # largest distance [mm] of its shoulders
    smallest_singular_value: float  # of the Jacobian S over the workspace, hanging arm included
    samples: np.ndarray  # coordinates (n, 3) inside the workspace
    twist_spans: np.ndarray  # (n,) range of twist [rad] at each sample
    measured: np.ndarray  # (n,) whether the elbow of a sample is where the arm was measured

    def within(self, q: ArrayLike) -> np.ndarray:
        """Whether coordinates are inside what was measured of the arm: its rim, and its twist at the nearest sample.

        Parameters
        ----------
        q : array_like, shape (..., 3)
            Forward, up and twist, such as of the moments of a motion.

        Returns
        -------
        ndarray of bool, shape (...)

        Raises
        ------
        BadShape
            If q does not end in three numbers.
        """
        x = real_numbers(q, "q of a shoulder")
        require(x.ndim and x.shape[-1] == 3, "within takes q (..., 3): forward, up and twist", BadShape, got=x.shape)
        at = self.samples[:, :2]
        spacing = KDTree(at).query(at, k=2)[0][:, 1].max()
        away, near = KDTree(at).query(x[..., :2])
        return (away <= spacing) & self.measured[near] & (np.abs(x[..., 2]) <= 0.5 * self.twist_spans[near])

    @property
    def twist_range(self) -> tuple[float, float]:
        """The widest range of twist that was measured [rad]; a range for the model that directing keeps."""
        half = 0.5 * float(self.twist_spans[self.measured].max(initial=0.0))
        return -half, half

    def __str__(self) -> str:
        return (
            f"elbow within {self.elbow_error:.2f} mm, shoulder within {self.shoulder_error:.2f} mm, "
            f"smallest singular value of S {self.smallest_singular_value:.3f}; not in the joint are the "
            f"arm's measured limits: twist within ±{self.twist_range[1]:.3g} rad, the rim as `within(q)` says"
        )


def shoulder_joint(arm, *, controls: int = 16, side: int = 28) -> ShoulderJoint:
    """Refit an arm's shoulder as a spline surface with `controls` control values a side, from a lattice of places."""
    require(controls >= ORDER + 1, "the refit needs at least 5 controls a side", BadValue, controls=controls)
    posture = posture_at(arm, domain_grid(arm.surface.complex, side), 0.5, 0.0, (0.0, 0.0, 0.0))
    at = seen_on_disc(arm, posture.place)
    center = _central_frame(posture)
    values = np.hstack([posture.shoulder @ center, _turns(center.T @ posture.skeleton.upper_arm)])
    knots = [even_knots(column.min(), column.max(), controls, ORDER) for column in at.T]
    surface = spline_surface(
        _controls(at, values, knots, controls), tuple(knots), ORDER, TWISTS, pose=_pose(center), names=("forward", "up")
    )
    joint = compose(surface, revolute((0.0, 0.0, 1.0), name="twist"))
    found = _judged(joint, at, posture, arm.lengths[1])
    low, high = found.twist_range
    warnings.warn(
        f"as_joint: the joint does not carry the arm's measured limits. Its 'twist' was measured from {low:.3g} to "
        f"{high:.3g} rad, and 'forward', 'up' inside a rim, not a box: give the model's twist that range "
        "(ModelBuilder.set_range), and ask `within(q)` of a motion's coordinates",
        CondyleWarning,
        stacklevel=3,
    )
    return found


def _central_frame(posture) -> np.ndarray:
    """The upper arm's frame whose farthest other direction is nearest."""
    axes = posture.skeleton.upper_arm[..., 2]
    return posture.skeleton.upper_arm[int((axes @ axes.T).min(axis=1).argmax())]


def _pose(rotation: np.ndarray) -> SE3:
    return SE3.from_matrix(pose_matrix(rotation, np.zeros(3)))


def _turns(R: np.ndarray) -> np.ndarray:
    """(p, q, p, r) with R_x(p) R_y(q) R_x(p) R_z(r) = R (n, 3, 3)."""
    d = R[..., 2]
    p = np.arctan2(-d[..., 1], 1 + d[..., 2])
    q = 2 * np.arctan2(d[..., 0] * np.cos(p), 1 + d[..., 2])
    left = np.swapaxes(euler_rotations("XYX", (p, q, p)), -2, -1) @ R
    r = np.arctan2(left[..., 1, 0], left[..., 0, 0])
    return np.stack([p, q, p, _continued(d, r)], axis=-1)


def _continued(d: np.ndarray, r: np.ndarray) -> np.ndarray:
    """r without jumps of a turn: from the middle of the workspace outwards each takes its nearest done neighbour's."""
    order = np.argsort(-d[:, 2])
    out = r.copy()
    for n, k in enumerate(order[1:], start=1):
        done = order[:n]
        near = done[np.argmax(d[done] @ d[k])]
        out[k] += 2 * np.pi * np.round((out[near] - out[k]) / (2 * np.pi))
    return out


def _controls(at, values, knots, controls: int) -> np.ndarray:
    """Tensor-product least squares; a little third-difference smoothing carries the corners that no sample reaches."""
    rows = [BSpline.design_matrix(x, k, ORDER - 1).toarray() for x, k in zip(at.T, knots, strict=True)]
    design = np.einsum("na,nb->nab", *rows).reshape(len(at), -1)
    third, eye = np.diff(np.eye(controls), n=3, axis=0), np.eye(controls)
    smooth = 1e-4 * np.vstack([np.kron(third, eye), np.kron(eye, third)])
    wanted = np.vstack([values, np.zeros((len(smooth), values.shape[1]))])
    return np.linalg.lstsq(np.vstack([design, smooth]), wanted, rcond=None)[0].reshape(controls, controls, -1)


def _judged(joint: Joint, at, posture, upper_arm: float) -> ShoulderJoint:
    q = np.column_stack([at, np.zeros(len(at))])
    T = pose_matrices(joint, q)
    shoulder, elbow = T[:, :3, 3], T[:, :3, 3] + upper_arm * T[:, :3, 2]
    worst = [
        1000 * np.linalg.norm(a - b, axis=1).max() for a, b in ((elbow, posture.elbow), (shoulder, posture.shoulder))
    ]
    smallest = float(np.linalg.svd(joint.jacobian(q), compute_uv=False)[..., -1].min())
    spans, measured = np.asarray(posture.twist_range), np.asarray(posture.measured)
    return ShoulderJoint(joint, float(worst[0]), float(worst[1]), smallest, q, spans, measured)
