"""The compiled meaning of functions of numbers: comparisons, roots, angles; for floats, complex numbers and lanes."""

# pyright: reportCallIssue=false
# (intrinsics are called without their typing context)

from __future__ import annotations

import cmath
import math

import numpy as np
from numba import types
from numba.extending import register_jitable

from . import dual_lanes, lanes
from . import number_types as numbers
from .dual_lanes import dual
from .lanes import WIDTH, lane
from .linked_code import compiled_as
from .slope_numbers import is_slope

HALF_PI, TWO_OVER_PI, ROUNDER, FAR = numbers.HALF_PI, numbers.TWO_OVER_PI, numbers.ROUNDER, numbers.FAR


def _is_complex(typ) -> bool:
    return isinstance(typ, types.Complex)


@compiled_as(numbers.less)
def _less(a, b):
    if is_slope(a) or is_slope(b):
        return lambda a, b: numbers.less(numbers.value_part(a), numbers.value_part(b))
    if dual in (a, b):
        return lambda a, b: lanes.less_lane(dual_lanes.value_of(a), dual_lanes.value_of(b))
    if lane in (a, b):
        return lambda a, b: lanes.less_lane(a, b)
    return lambda a, b: a.real < b.real


@compiled_as(numbers.select)
def _select(condition, a, b):
    if is_slope(a) and is_slope(b):

        def sides(condition, a, b):
            value = numbers.select(condition, numbers.value_part(a), numbers.value_part(b))
            slope = numbers.select(condition, numbers.slope_part(a), numbers.slope_part(b))
            return numbers.with_slope(value, slope)

        return sides
    if dual in (a, b):

        def both(condition, a, b):
            value = lanes.select_lane(condition, dual_lanes.value_of(a), dual_lanes.value_of(b))
            return dual_lanes.made(value, lanes.select_lane(condition, dual_lanes.slope_of(a), dual_lanes.slope_of(b)))

        return both
    if condition == lanes.mask:
        return lambda condition, a, b: lanes.select_lane(condition, a, b)
    return lambda condition, a, b: a if condition else b


@compiled_as(numbers.finite)
def _finite(a):
    if is_slope(a):
        return lambda a: numbers.finite(numbers.value_part(a) + numbers.slope_part(a))
    if a == dual:

        def whole(a):
            size = lanes.abs_lane(dual_lanes.value_of(a)) + lanes.abs_lane(dual_lanes.slope_of(a))
            return lanes.less_lane(size, math.inf)

        return whole
    if a == lane:
        return lambda a: lanes.less_lane(lanes.abs_lane(a), math.inf)
    if _is_complex(a):
        return lambda a: math.isfinite(a.real) and math.isfinite(a.imag)
    return lambda a: math.isfinite(a)


@compiled_as(numbers.floor)
def _floor(a):
    if a == dual:
        return lambda a: dual_lanes.made(lanes.floor_lane(dual_lanes.value_of(a)), lanes.splat_lane(0.0))
    return (lambda a: lanes.floor_lane(a)) if a == lane else (lambda a: np.floor(a.real))


@compiled_as(numbers.larger)
def _larger(a, b):
    return lambda a, b: numbers.select(numbers.less(a, b), b, a)


@compiled_as(numbers.magnitude)
def _magnitude(a):
    if a == dual or is_slope(a):
        return lambda a: numbers.select(numbers.less(a, 0.0), -a, a)
    return (lambda a: lanes.abs_lane(a)) if a == lane else (lambda a: -a if a.real < 0 else a)


@compiled_as(numbers.sqrt)
def _sqrt(a):
    if is_slope(a):

        def root_and_slope(a):
            root = numbers.sqrt(numbers.value_part(a))
            some = numbers.less(0.0, root)
            slope = 0.5 * numbers.slope_part(a) / numbers.select(some, root, root + 1.0)
            return numbers.with_slope(root, numbers.select(some, slope, root - root))

        return root_and_slope
    if a == dual:

        def root(a):
            value, zero = lanes.sqrt_lane(dual_lanes.value_of(a)), lanes.splat_lane(0.0)
            some = lanes.less_lane(zero, value)
            slope = 0.5 * dual_lanes.slope_of(a) / lanes.select_lane(some, value, lanes.splat_lane(1.0))
            return dual_lanes.made(value, lanes.select_lane(some, slope, zero))

        return root
    if a == lane:
        return lambda a: lanes.sqrt_lane(a)
    if _is_complex(a):
        return lambda a: cmath.sqrt(a)
    return lambda a: math.sqrt(a)


@compiled_as(numbers.arctan)
def _arctan(a):
    if is_slope(a):

        def angle_and_slope(a):
            value = numbers.value_part(a)
            return numbers.with_slope(numbers.arctan(value), numbers.slope_part(a) / (1.0 + value * value))

        return angle_and_slope
    if a == dual:

        def turned(a):
            value = dual_lanes.value_of(a)
            return dual_lanes.made(numbers.arctan(value), dual_lanes.slope_of(a) / (1.0 + value * value))

        return turned
    if a == lane:

        def each(a):
            out = a
            for l in range(WIDTH):
                out = lanes.insert_lane(out, math.atan(lanes.extract_lane(a, l)), l)
            return out

        return each
    if _is_complex(a):
        return lambda a: complex(math.atan(a.real), a.imag / (1.0 + a.real * a.real))
    return lambda a: math.atan(a)


@register_jitable
def _reduced(a):
    """t with the quadrant in its low bits, and the sine and cosine of the reduced angle (fdlibm's polynomials)."""
    t = a * TWO_OVER_PI + ROUNDER
    k = t - ROUNDER
    r = ((a - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2]
    x = r * r
    p = 2.75573137070700676789e-06 + x * (-2.50507602534068634195e-08 + x * 1.58969099521155010221e-10)
    s = r + r * x * (
        -1.66666666666666324348e-01 + x * (8.33333333332248946124e-03 + x * (-1.98412698298579493134e-04 + x * p))
    )
    p = -2.75573143513906633035e-07 + x * (2.08757232129817482790e-09 + x * -1.13596475577881948265e-11)
    h = x * 0.5
    w = 1.0 - h
    y = 4.16666666666666019037e-02 + x * (-1.38888888888741095749e-03 + x * (2.48015872894767294178e-05 + x * p))
    return t, s, w + (((1.0 - w) - h) + x * x * y)


@compiled_as(numbers.sincos)
def _sincos(a):
    if is_slope(a):

        def both_and_slopes(a):
            s, c = numbers.sincos(numbers.value_part(a))
            slope = numbers.slope_part(a)
            return numbers.with_slope(s, c * slope), numbers.with_slope(c, -s * slope)

        return both_and_slopes
    if a == dual:

        def rates(a):
            s, c = numbers.sincos(dual_lanes.value_of(a))
            slope = dual_lanes.slope_of(a)
            return dual_lanes.made(s, c * slope), dual_lanes.made(c, -s * slope)

        return rates
    if a == lane:

        def several(a):
            t, s, c = _reduced(a)
            s, c = lanes.quadrant_lane(t, s, c)
            far = lanes.less_lane(FAR, lanes.abs_lane(a))
            if lanes.any_lane(far):
                for l in range(WIDTH):
                    x = lanes.extract_lane(a, l)
                    if abs(x) > FAR:
                        s = lanes.insert_lane(s, math.sin(x), l)
                        c = lanes.insert_lane(c, math.cos(x), l)
            return s, c

        return several
    if _is_complex(a):

        def step(a):
            s, c = math.sin(a.real), math.cos(a.real)
            up, along = math.cosh(a.imag), math.sinh(a.imag)
            return complex(s * up, c * along), complex(c * up, -s * along)

        return step

    def one(a):
        if not abs(a) <= FAR:
            return math.sin(a), math.cos(a)
        t, s, c = _reduced(a)
        k = int(t - ROUNDER)
        if k & 1:
            s, c = c, s
        return (-s if k & 2 else s), (-c if (k + 1) & 2 else c)

    return one


@compiled_as(numbers.any_lane)
def _any_lane(condition):
    if condition == lanes.mask:
        return lambda condition: lanes.any_lane(condition)
    return lambda condition: condition
