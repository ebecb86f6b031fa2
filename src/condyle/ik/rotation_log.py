"""Rotation vectors and their rates, lean: inverse kinematics asks for them at every step."""

from __future__ import annotations

import numpy as np

from ..spatial import log_so3

__all__ = ["turn_and_jacobian"]

PLUS, MINUS = [7, 2, 3], [5, 6, 1]  # places of +x, +y, +z and −x, −y, −z in a cross matrix
SERIES = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600)  # of (1 − (θ/2) cot(θ/2)) / θ² in θ²; the next is θ⁸/47900160
NEAR, FAR = 0.1, -0.9  # [rad] below which the series is exact; cosine below which the axial vector loses digits


def turn_and_jacobian(R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log R [rad] (count, 3), and Jr⁻¹ (count, 3, 3), which takes the angular velocity in R's axes to its rate.

    Jr⁻¹ = (1 − k θ²) I + ½ φ̂ + k φφᵀ, k = (1 − (θ/2) cot(θ/2)) / θ².
    """
    x = R.reshape(-1, 9)
    axial, cosine = 0.5 * (x[:, PLUS] - x[:, MINUS]), 0.5 * (x[:, 0] + x[:, 4] + x[:, 8] - 1.0)
    sine = np.sqrt(np.einsum("ni,ni->n", axial, axial))
    theta = np.arctan2(sine, cosine)
    turn = axial * np.where(sine > 0.0, theta / np.maximum(sine, 1e-300), 1.0)[:, None]
    if (far := cosine < FAR).any():
        turn[far] = log_so3(R[far])
    return turn, _rate(turn, theta)


def _rate(turn: np.ndarray, theta: np.ndarray) -> np.ndarray:
    square, half = theta * theta, 0.5 * np.maximum(theta, NEAR)
    series = SERIES[0] + square * (SERIES[1] + square * (SERIES[2] + square * SERIES[3]))
    k = np.where(theta < NEAR, series, (1.0 - half / np.tan(half)) / (4.0 * half * half))
    J = k[:, None, None] * turn[:, :, None] * turn[:, None, :]
    flat = J.reshape(-1, 9)
    flat[:, ::4] += (1.0 - k * square)[:, None]
    flat[:, PLUS] += 0.5 * turn
    flat[:, MINUS] -= 0.5 * turn
    return J
