"""Motions of one coordinate that selects rows of three cubic factors, H e₁ e₂ e₃, as spline curves are.

The sums are those of `product_form.evaluate_joint`, in the frame between e₁ and e₂: e₁ and e₂ leave their own twists as
they are, so g₁ and g₂ stand there as in the table and g₃ alone is moved, ĝ₃ = Ad_e₂ g₃. With a = φ₁' g₁, b = φ₂' g₂ and
c = φ₃' ĝ₃ the column is s = a + b + c and its derivative h = φ₁'' g₁ + φ₂'' g₂ + φ₃'' ĝ₃ + ad_a (b + c) + ad_b c.
"""

from typing import Any, NamedTuple

from ...numeric import gather, inlined, load
from ...spatial.kernels.algebra import ad, add6, add_scaled6, exponential, multiply, scale6
from .layout import FACTOR_HEAD, FACTORS_AT
from .product_form import cubic, gather_factor, gather_pose, look_up, transformed

FACTOR = FACTOR_HEAD + 4  # numbers of a cubic factor in a row


class CurveMotion(NamedTuple):
    """Poses H e₁ (R, p) and e₂ e₃ (Q, d), and in the frame between them the column s and its derivative h."""

    R: Any
    p: Any
    Q: Any
    d: Any
    s: Any
    h: Any


@inlined
def twist(n, w, v):
    """The twist (w n, v)."""
    return (w * n[0], w * n[1], w * n[2], v[0], v[1], v[2])


@inlined
def evaluate_curve(z, t, first, state):
    """The motion of the joint whose one segment stands at `first`."""
    row, numbers = look_up(z, t, first, 0, state), t.numbers
    u = load(z, state.work, 0) - gather(numbers, row, 0)
    at = FACTORS_AT + FACTOR
    n, w, v, iw = gather_factor(numbers, row, at)
    phi, slope, bend = cubic(numbers, row, at + FACTOR_HEAD, u)
    g = twist(n, w, v)
    b, h = scale6(slope, g), scale6(bend, g)
    Q, d = exponential(n, w, v, iw, phi)
    at = FACTORS_AT + 2 * FACTOR
    n, w, v, iw = gather_factor(numbers, row, at)
    phi, slope, bend = cubic(numbers, row, at + FACTOR_HEAD, u)
    g = transformed(Q, d, n, w, v)
    c, h = scale6(slope, g), add_scaled6(h, bend, g)
    Q, d = multiply(Q, d, *exponential(n, w, v, iw, phi))
    h, s = add6(h, ad(b, c)), add6(b, c)
    n, w, v, iw = gather_factor(numbers, row, FACTORS_AT)
    phi, slope, bend = cubic(numbers, row, FACTORS_AT + FACTOR_HEAD, u)
    g = twist(n, w, v)
    a, h = scale6(slope, g), add_scaled6(h, bend, g)
    R, p = multiply(*gather_pose(numbers, row), *exponential(n, w, v, iw, phi))
    return CurveMotion(R, p, Q, d, add6(a, s), add6(h, ad(a, s)))
