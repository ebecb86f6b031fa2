"""How friction is treated over a step: explicitly as printed, or with a share at the step's end that stays stable.

By default friction is trapezoidal, of second order, while h μ (1/I₁ + 1/I₂) ≤ 2 in every joint: there a step keeps the
sign of a joint's rate. Stiffer friction would make it ring, ω_{k+1} = ω_k (1 − a)/(1 + a) with a > 1, so all of it is
implicit then (L-stable, first order).

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
STIFF = 2.0  # h μ (1/I₁ + 1/I₂) above which the trapezoidal rule changes the sign of a joint's rate


class Friction(NamedTuple):
    """The implicit part θhμ of each joint's friction [N m s²/rad], zero where it is explicit, and the share θ."""

    drag: np.ndarray
    share: float


def friction_over(skeleton: Skeleton, friction: str | None, integrator: str, step: float) -> Friction:
    """Friction over a step, treated in one way."""
    friction = friction or default_friction(skeleton, integrator, step)
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


def default_friction(skeleton: Skeleton, integrator: str, step: float) -> str:
    """Trapezoidal, or implicit where that would ring; as printed for the other integrators."""
    if integrator != "variational":
        return "explicit"
    return "implicit" if stiffness_of_friction(skeleton, step) > STIFF else "trapezoidal"


def stiffness_of_friction(skeleton: Skeleton, step: float) -> float:
    """The largest h μ (1/I₁ + 1/I₂) of a joint, about a hinge's axis or a ball's easiest one; joints only lower it."""
    if not skeleton.friction.any():
        return 0.0
    inverses = np.concatenate([np.linalg.inv(skeleton.inertias), np.zeros((1, 3, 3))])[skeleton.pairs]  # −1: the world
    n = skeleton.frames[..., 2]
    about = np.einsum("jsi,jsik,jsk->js", n, inverses, n)
    easiest = np.linalg.eigvalsh(inverses)[..., -1]
    eased = np.where((skeleton.locked == 2)[:, None], about, easiest).sum(axis=1)
    return float((step * skeleton.friction * eased * (skeleton.locked < 3)).max(initial=0.0))
