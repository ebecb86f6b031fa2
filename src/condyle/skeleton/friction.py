"""How friction is treated over a step: explicitly as printed, or with a share at the step's end that stays stable.

An implicit share θ turns the free turns of a joint with friction μ into rows n·(ω₁ − ω₂) + λ/(θ h μ) = 0: unknowns
with a compliance on the diagonal, so the elimination along the tree stays what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import NotSupported, require, unknown_name

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["SHARES", "Rows", "rows_for"]

SHARES = {"explicit": 0.0, "trapezoidal": 0.5, "implicit": 1.0}
DEFAULTS = {"variational": "trapezoidal", "rk4": "explicit", "printed": "explicit"}


class Rows(NamedTuple):
    """How many rows each joint has without friction and with, and the compliance of the friction rows."""

    rigid: np.ndarray
    all: np.ndarray
    soft: np.ndarray
    share: float


def rows_for(skeleton: Skeleton, friction: str | None, integrator: str, step: float) -> Rows:
    """The rows for one way of treating friction."""
    friction = friction or DEFAULTS[integrator]
    if friction not in SHARES:
        raise unknown_name("way to treat friction", friction, SHARES, "condyle.skeleton")
    share = SHARES[friction]
    allowed = {"variational": tuple(SHARES), "rk4": ("explicit",), "printed": ("explicit", "implicit")}[integrator]
    require(
        friction in allowed,
        f"the integrator {integrator!r} cannot treat friction as {friction!r}, only {' or '.join(allowed)}; "
        "'variational' does all three",
        NotSupported,
    )
    rigid = 3 + skeleton.locked.astype(np.int64)
    stiff = (skeleton.friction > 0) & (share > 0)
    soft = np.where(stiff, 1.0 / np.where(stiff, share * step * skeleton.friction, 1.0), 0.0)
    return Rows(rigid, np.where(stiff, 6, rigid), soft, share)
