"""The bending of a curve as residuals at Gauss points: the joint Hessian h = dS/dq, or its part normal to S.

"hessian": √w·C h, so that the sum of squares is ∫|h|² dq  [LeeTerzopoulos2008, section 6.3].
"curvature": √w·C h⊥/|S|^{3/2}, so that it is ∫|h⊥|²/|S|⁴ ds with ds = |S| dq: the same for every parameterisation, and
zero exactly when the screw axis stands still. Derivatives by the control frames are exact.
"""

from __future__ import annotations

import numpy as np

from ...splines import Basis
from .curve_derivatives import Controls, Places, curve_hessians, curve_twists, places

PENALTIES = ("hessian", "curvature")


def gauss_points(basis: Basis, order: int) -> tuple[Places, np.ndarray]:
    """order − 1 Gauss-Legendre points in each span and their weights, which add up to the length of the domain."""
    x, w = np.polynomial.legendre.leggauss(order - 1)
    half = 0.5 * np.diff(basis.breaks)
    middle = basis.breaks[:-1] + half
    q = (middle[:, None] + half[:, None] * x).ravel()
    return places(basis, q), (half[:, None] * w).ravel()


def bending(controls: Controls, at: Places, w: np.ndarray, C: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (points, 6) and their Jacobian (points, 6, 6k)."""
    S, h, dS, dh = curve_hessians(controls, at)
    s, h, ds, dh = S @ C.T, h @ C.T, C @ dS, C @ dh
    r, J = (h, dh) if kind == "hessian" else curvature(s, h, ds, dh)
    root = np.sqrt(w)
    return root[:, None] * r, root[:, None, None] * J


def bending_value(controls: Controls, at: Places, w: np.ndarray, C: np.ndarray, kind: str) -> float:
    """The sum of squares of those residuals, without their Jacobian."""
    s, h = (x @ C.T for x in curve_twists(controls, at))
    if kind == "curvature":
        ss = np.maximum((s * s).sum(-1), 1e-30)[:, None]
        h = (h - (s * h).sum(-1, keepdims=True) / ss * s) * ss**-0.75
    return float((w[:, None] * h * h).sum())


def curvature(s: np.ndarray, h: np.ndarray, ds: np.ndarray, dh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """h⊥/|s|^{3/2} and its Jacobian, from s, h and theirs."""
    ss = np.maximum((s * s).sum(-1), 1e-30)
    a = (s * h).sum(-1) / ss
    normal = h - a[:, None] * s
    sds = np.einsum("ni,nij->nj", s, ds)
    da = (np.einsum("ni,nij->nj", h, ds) + np.einsum("ni,nij->nj", s, dh) - 2.0 * a[:, None] * sds) / ss[:, None]
    dn = dh - a[:, None, None] * ds - s[:, :, None] * da[:, None, :]
    shrink = ss**-0.75
    J = dn - 1.5 * normal[:, :, None] * (sds / ss[:, None])[:, None, :]
    return shrink[:, None] * normal, shrink[:, None, None] * J
