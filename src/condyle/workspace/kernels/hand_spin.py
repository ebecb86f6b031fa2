"""Wrist angles when only one axis of the hand is asked for: the spin about that axis is chosen."""

from __future__ import annotations

import math

from ...numeric import inlined, kernel
from ...spatial.kernels.algebra import matmul
from .golden_section import golden_part, golden_point
from .wrist import box_penalty, euler, wrist_comfort

SPINS, NARROWINGS = 24, 40
NONE = 1e-20  # squared excess [rad²] that counts as none


@inlined
def spin_rotation(a, angle):
    """The rotation by an angle about the unit vector a, by rows."""
    s, c = math.sin(angle), math.cos(angle)
    k, x, y, z = 1.0 - c, a[0], a[1], a[2]
    return (
        c + k * x * x, k * x * y - s * z, k * x * z + s * y,
        k * x * y + s * z, c + k * y * y, k * y * z - s * x,
        k * x * z - s * y, k * y * z + s * x, c + k * z * z,
    )  # fmt: skip


@kernel
def spin_score(t, M, axis, angle):
    """What the spin minimises: comfort (at most 1) inside the limits, more than 1 outside."""
    angles = euler(t, matmul(M, spin_rotation(axis, angle)))
    broken = box_penalty(t, angles)
    return 1.0 + broken if broken > NONE else wrist_comfort(t, angles)


@kernel
def spun_angles(t, M, axis):
    """Wrist angles for hand rotations M exp(ψ â) with the best ψ: all round, then golden section beside the best."""
    step, best, value, low, high = 2.0 * math.pi / SPINS, 0.0, math.inf, 0.0, 0.0
    for k in range(SPINS + NARROWINGS):
        at = k * step if k < SPINS else golden_point(low, best, high)
        v = spin_score(t, M, axis, at)
        better = v < value
        if k >= SPINS:
            low, high = golden_part(low, best, high, at, better)
        elif better:
            low, high = at - step, at + step
        if better:
            best, value = at, v
    return euler(t, matmul(M, spin_rotation(axis, best)))
