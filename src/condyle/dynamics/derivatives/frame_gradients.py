"""Cotangents of the control frames of spline curves, from what a body's joint carries.

In the frame F where a joint begins, the power P depends on the joint by its pose, its column σ, its velocity U = σ v
and its bias Z. Their cotangents e, σ̄, Ū and Z̄ go back through the factors exp(ĝ φ) of the joint, from the last to the
first, to the twists g between control frames, and from these to the frames.
"""

from __future__ import annotations

import numpy as np

from ...joints.controls import CurveControls
from ...joints.kinds.spline_curve import control_twists
from ...model import Model
from ...spatial import adjoint, exp_se3
from ...spatial.jacobians import left_jacobian, right_jacobian_inverse
from ...spatial.twists import ad, pose_inverse
from ...splines import Basis, cumulative_pieces, spline_knots
from ...splines.pieces import locate_rows, row_centers
from .kernels.cotangent_layout import CARRIED, CARRIED_D, CARRIED_N, OFFSET, PARENT_TWIST


def transposed(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Aᵀ x of stacks."""
    return np.einsum("...ji,...j->...i", A, x)


def frame_cotangents(model: Model, number: int, bodies: np.ndarray, at: tuple[np.ndarray, ...]) -> np.ndarray:
    """Cotangents (count, frames, 6) along twists on the right of each frame; at: (q, v, a, λ) of the joint (count,)."""
    c = model.bodies[number].joint.controls
    assert isinstance(c, CurveControls)
    q, v, a, weight = at
    frames, basis = c.frames, cumulative_pieces(spline_knots(c.knots, len(c.frames), c.order, c.periodic, ""), c.order)
    if c.periodic:
        frames = np.concatenate([frames, frames[np.arange(c.order - 1) % len(frames)]])
    z, row, jets = control_twists(frames), *_located(basis, c.periodic, q)
    first = basis.first[row]
    own = bodies[:, number]
    back = _joint_reverse(frames[first], z[first[:, None] + np.arange(c.order - 1)], jets, own, (v, a, weight))
    found = _of_frames(len(frames), z, first, *back)
    if c.periodic:
        m = len(c.frames)
        for k in range(m, len(frames)):
            found[:, k % m] += found[:, k]
        found = found[:, :m]
    return found


def _located(basis: Basis, periodic: bool, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row of each coordinate, and φ, φ' and φ'' of the factors there (3, count, factors)."""
    breaks = basis.breaks
    if periodic:
        q = breaks[0] + np.mod(q - breaks[0], breaks[-1] - breaks[0])
    row = locate_rows(breaks, q)
    u, c, jets = q - row_centers(breaks)[row], basis.table[row, 1:], []
    for _ in range(3):
        jets.append(np.einsum("slp,sp->sl", c, u[:, None] ** np.arange(c.shape[2])))
        c = c[..., 1:] * np.arange(1, c.shape[2])
    return row, np.array(jets)


def _joint_reverse(H: np.ndarray, g: np.ndarray, jets: np.ndarray, own: np.ndarray, motion) -> tuple:
    """Cotangents of the first frame of each row (count, 6) and of its twists (count, factors, 6)."""
    v, a, weight = (x[:, None] for x in motion)
    phi, slope, bend = jets
    X, hats, before, U = H, [], [], np.zeros_like(own[:, :6])
    for k in range(g.shape[1]):
        hats.append(np.einsum("sij,sj->si", adjoint(X), g[:, k]))
        before.append((X, U))
        U = U + slope[:, k, None] * v * hats[-1]
        X = X @ exp_se3(g[:, k] * phi[:, k, None])
    N, V = own[:, CARRIED_N : CARRIED_N + 6], own[:, PARENT_TWIST : PARENT_TWIST + 6]
    psi = own[:, CARRIED_D : CARRIED_D + 6] + transposed(ad(V + U), N)
    U_bar = psi + transposed(ad(V), N)
    s_bar = a * N + weight * own[:, CARRIED : CARRIED + 6]
    e = transposed(adjoint(pose_inverse(X)), -own[:, OFFSET : OFFSET + 6])
    out = np.zeros(g.shape)
    for k in range(g.shape[1] - 1, -1, -1):
        (X, U), rate, turn = before[k], slope[:, k, None] * v, bend[:, k, None] * v * v
        gamma = rate * (U_bar + transposed(ad(U), N)) + turn * N + slope[:, k, None] * s_bar
        to = adjoint(X)
        swing = transposed(left_jacobian(g[:, k] * phi[:, k, None]), transposed(to, e))
        out[:, k] = transposed(to, gamma) + phi[:, k, None] * swing
        U_bar = U_bar - rate * transposed(ad(hats[k]), N)
        e = e - transposed(ad(hats[k]), gamma)
    return transposed(adjoint(H), e), out


def _of_frames(count: int, z: np.ndarray, first: np.ndarray, pose: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """From the first frame and the twists of rows to all frames (states, count, 6), z_j = log(G_{j−1}⁻¹ G_j)."""
    found, rows = np.zeros((len(first), count, 6)), np.arange(len(first))
    found[rows, first] += pose
    for k in range(twists.shape[1]):
        at = z[first + k]
        y = transposed(right_jacobian_inverse(at), twists[:, k])
        found[rows, first + k + 1] += y
        found[rows, first + k] -= transposed(adjoint(exp_se3(-at)), y)
    return found
