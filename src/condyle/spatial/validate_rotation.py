"""Is this matrix a rotation? If nearly, the nearest one; if not, what is wrong with it."""

from __future__ import annotations

import numpy as np

from ..errors import NotARotation
from .arrays import first_index, floats, require_finite

TOLERANCE = 1e-6
ROUND_OFF = 8.0 * np.finfo(float).eps  # a rotation as exact as numbers are stays, bit by bit: files read again


def rigid_matrix(matrix, name: str) -> np.ndarray:
    """Poses (..., 4, 4), checked, their rotations made exact."""
    T = np.array(floats(matrix, (4, 4), name))
    require_finite(T, 2, name)
    _require_bottom_row(T, name)
    T[..., :3, :3] = rotation_matrix(T[..., :3, :3], name)
    T[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    return T


def _require_bottom_row(T: np.ndarray, name: str) -> None:
    bad = (np.abs(T[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) > TOLERANCE).any(axis=-1)
    if bad.any():
        raise NotARotation(
            f"{name}{first_index(bad)} is not a pose: its bottom row must be [0, 0, 0, 1]; got {T[bad][0][3].tolist()}"
            " (is it transposed?)"
        )


def rotation_matrix(rotation, name: str) -> np.ndarray:
    """The rotations nearest to (..., 3, 3), which must be orthonormal to 1e-6 and right-handed."""
    R = floats(rotation, (3, 3), name)
    require_finite(R, 2, name)
    defect = np.abs(_defect(R)).max(axis=(-2, -1))
    bad = (defect > TOLERANCE) | (np.linalg.det(R) < 0.0)
    if bad.any():
        raise NotARotation(f"{name}{first_index(bad)} is not a rotation: it is {_diagnosis(R[bad][0])}")
    return np.where((defect <= ROUND_OFF)[..., None, None], R, _polished(_polished(R)))


def _defect(R: np.ndarray) -> np.ndarray:
    """RᵀR − I."""
    return np.swapaxes(R, -2, -1) @ R - np.eye(3)


def _polished(R: np.ndarray) -> np.ndarray:
    """One step towards the nearest rotation: the defect is squared, so two steps take 1e-6 to round-off."""
    return R - 0.5 * (R @ _defect(R))


def _diagnosis(R: np.ndarray) -> str:
    """Left-handed, scaled or sheared, with the numbers."""
    det = float(np.linalg.det(R))
    if det < 0.0:
        return f"left-handed (determinant {det:.6g}, expected +1). Flip one axis."
    lengths = np.linalg.norm(R, axis=0)
    angles = np.abs(R.T @ R - np.diag(lengths**2)).max()
    if angles <= TOLERANCE * max(1.0, lengths.max() ** 2):
        shown = ", ".join(f"{x:.6g}" for x in lengths)
        return f"scaled (its columns have lengths {shown}, expected 1). Divide each column by its length."
    return f"sheared (its columns have dot products up to {angles:.3g}, expected 0). Make them orthogonal."
