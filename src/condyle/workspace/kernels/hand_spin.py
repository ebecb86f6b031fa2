"""Wrist angles when only one axis of the hand is asked for: the spin about that axis is chosen."""

from __future__ import annotations

import math

from ...numeric import inlined, kernel
from ...spatial.kernels.algebra import matmul
from .wrist import box_penalty, euler, wrist_comfort

SPINS, NARROWINGS = 24, 40
GOLDEN = 0.6180339887498949
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
        left = best - low > high - best
        at = best - (1.0 - GOLDEN) * (best - low) if left else best + (1.0 - GOLDEN) * (high - best)
        at = k * step if k < SPINS else at
        v = spin_score(t, M, axis, at)
        if k < SPINS:
            if v < value:
                best, value, low, high = at, v, at - step, at + step
        elif v < value:
            low, high = (low, best) if at < best else (best, high)
            best, value = at, v
        elif at < best:
            low = at
        else:
            high = at
    return euler(t, matmul(M, spin_rotation(axis, best)))
