"""How friction is treated over a step: explicitly as printed, or with a share at the step's end that stays stable.

An implicit share θ turns the free turns of a joint with friction μ into rows n·(ω₁ − ω₂) + λ/(θ h μ) = 0: unknowns
with a compliance on the diagonal, which the elimination takes in its stride as a `drag` θ h μ on those turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import NotSupported, require, unknown_name

if TYPE_CHECKING:
    from .skeleton import Skeleton


SHARES = {"explicit": 0.0, "trapezoidal": 0.5, "implicit": 1.0}
DEFAULTS = {"variational": "trapezoidal", "rk4": "explicit", "printed": "explicit"}


class Friction(NamedTuple):
    """The implicit part θhμ of each joint's friction [N m s²/rad], zero where it is explicit, and the share θ."""

    drag: np.ndarray
    share: float


def friction_over(skeleton: Skeleton, friction: str | None, integrator: str, step: float) -> Friction:
    """Friction over a step, treated in one way."""
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
    return Friction(share * step * skeleton.friction, share)
