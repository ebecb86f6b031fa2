"""How a spline curve moves with its control frames: exact, with derivatives along the curve.

With body velocities u_j of the control frames (G_j ← G_j exp u_j) the pose at q moves with the body velocity
M(q)·(u_f, …, u_{f+k−1}), which grows factor by factor:

    M ← E M + F D,   E = Ad(e^{−B̃z}),   F = B̃ Jr(B̃z),   D = Jr(z)⁻¹ (u_j − Ad(e^{−z}) u_{j−1}).

This replaces the first-order relations (33) and (37) of [LeeTerzopoulos2008]. F' = B̃' E and E' = −B̃' ad_z E give the
derivatives by q, from which ∂S = M' + ad_S M and ∂h = M'' + ad_h M + ad_S M' for the joint Hessian h = S'.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...joints.kinds.spline_curve import control_twists
from ...spatial import ad, adjoint, exp_se3, right_jacobian, right_jacobian_inverse
from ...splines import Basis, locate_rows, row_centers


@dataclass(frozen=True)
class Controls:
    """Control frames (n, 4, 4), unwrapped if periodic, and the twists z_j between them."""

    frames: np.ndarray
    z: np.ndarray

    @classmethod
    def of(cls, frames: np.ndarray) -> Controls:
        """From frames whose neighbours are less than half a turn apart (else HalfTurn)."""
        return cls(frames, control_twists(frames))

    @cached_property
    def right(self) -> np.ndarray:
        """Jr(z_j)⁻¹."""
        return right_jacobian_inverse(self.z)

    @cached_property
    def left(self) -> np.ndarray:
        """Jr(z_j)⁻¹ Ad(e^{−z_j})."""
        return self.right @ adjoint(exp_se3(-self.z))


@dataclass(frozen=True)
class Places:
    """Points on a curve: the first control frame of each and B̃_1 … B̃_{k−1} with two derivatives, (3, points, k − 1)."""

    first: np.ndarray
    weights: np.ndarray

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, index) -> Places:
        return Places(self.first[index], self.weights[:, index])


def places(basis: Basis, q: np.ndarray, periodic: bool = False) -> Places:
    """Where the coordinates q lie on the curve of a cumulative basis."""
    if periodic:
        low, high = basis.breaks[0], basis.breaks[-1]
        q = low + (q - low) % (high - low)
    rows = locate_rows(basis.breaks, q)
    u = q - row_centers(basis.breaks)[rows]
    table, values = basis.table[rows, 1:], []
    for _ in range(3):
        values.append(polynomial(table, u))
        table = table[..., 1:] * np.arange(1, table.shape[-1])
    return Places(basis.first[rows], np.stack(values))


def polynomial(table: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Σ table[..., p] u^p by Horner's rule."""
    value = np.zeros(table.shape[:-1])
    for p in range(table.shape[-1] - 1, -1, -1):
        value = value * u[:, None] + table[..., p]
    return value


def basis_weights(cumulative: np.ndarray) -> np.ndarray:
    """B_j = B̃_j − B̃_{j+1} of the k frames that act, (points, k), from B̃_1 … B̃_{k−1}; B̃_0 = 1 and B̃_k = 0."""
    ends = np.zeros((len(cumulative), 1))
    return -np.diff(np.concatenate([ends + 1.0, cumulative, ends], axis=1))


def curve_poses(controls: Controls, at: Places) -> np.ndarray:
    """G at the places, (points, 4, 4).  [eq. 24]"""
    G = controls.frames[at.first]
    for l, b in enumerate(at.weights[0].T):
        G = G @ exp_se3(b[:, None] * controls.z[at.first + l])
    return G


def pose_variation(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """G (points, 4, 4) and M (points, 6, 6k)."""
    k = at.weights.shape[-1] + 1
    G, M = controls.frames[at.first], np.zeros((len(at), 6, 6 * k))
    M[..., :6] = np.eye(6)
    for l, b in enumerate(at.weights[0].T):
        step = b[:, None] * controls.z[at.first + l]
        E = exp_se3(-step)
        G = G @ exp_se3(step)
        F = b[:, None, None] * right_jacobian(step)
        M[..., : 6 * l + 6] = adjoint(E) @ M[..., : 6 * l + 6]
        add_factor(M, l, F, controls, at)
    return G, M


def add_factor(M: np.ndarray, l: int, F: np.ndarray, controls: Controls, at: Places) -> None:
    """M += F D for the factor between local frames l and l + 1."""
    M[..., 6 * l : 6 * l + 6] -= F @ controls.left[at.first + l]
    M[..., 6 * l + 6 : 6 * l + 12] += F @ controls.right[at.first + l]


def curve_twists(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """S and h = S' at the places, (points, 6) each.  [eqs. 27, 30]"""
    S, h = np.zeros((2, len(at), 6))
    for l in range(at.weights.shape[-1]):
        b, db, ddb = at.weights[:, :, l, None]
        z = controls.z[at.first + l]
        E = adjoint(exp_se3(-b * z))
        carried = applied(E, S)
        S, h = carried + db * z, applied(E, h) - db * applied(ad(z), carried) + ddb * z
    return S, h


def curve_hessians(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """S, h = S' (points, 6) and their exact derivatives ∂S, ∂h by the control frames (points, 6, 6k)."""
    k = at.weights.shape[-1] + 1
    S, h = np.zeros((2, len(at), 6))
    M, M1, M2 = np.zeros((3, len(at), 6, 6 * k))
    M[..., :6] = np.eye(6)
    for l in range(k - 1):
        b, db, ddb = at.weights[:, :, l, None]
        z = controls.z[at.first + l]
        A, E = ad(z), adjoint(exp_se3(-b * z))
        db3, ddb3 = db[..., None], ddb[..., None]
        E1 = -db3 * (A @ E)
        E2 = -ddb3 * (A @ E) - db3 * (A @ E1)
        S, h = applied(E, S) + db * z, applied(E1, S) + applied(E, h) + ddb * z
        M, M1, M2 = E @ M, E1 @ M + E @ M1, E2 @ M + 2.0 * (E1 @ M1) + E @ M2
        add_factor(M, l, b[..., None] * right_jacobian(b * z), controls, at)
        add_factor(M1, l, db3 * E, controls, at)
        add_factor(M2, l, ddb3 * E + db3 * E1, controls, at)
    dS = M1 + ad(S) @ M
    return S, h, dS, M2 + ad(h) @ M + ad(S) @ M1


def applied(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Matrices times vectors, batched."""
    return (A @ x[..., None])[..., 0]
