"""A number with its slope along one direction, over any number type: how laws are differentiated.

`Slope(base)` holds a value and a slope of the same base type: a float, a lane, a complex number or a dual number, so
that slopes of slopes are exact too. Kernels make one by `with_slope` and take it apart by `value_part` and
`slope_part`; between them it passes through any kernel that uses arithmetic and the functions of `number_types`.
Constants may be plain numbers. Nothing branches on a slope.
"""

# pyright: reportOptionalCall=false, reportCallIssue=false
# (numba's decorators are declared to return nothing; intrinsics are called without their typing context)

from __future__ import annotations

import operator

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from . import number_types as numbers
from .linked_code import compiled_as


class Slope(types.Type):
    """The type of a value and its slope."""

    def __init__(self, base: types.Type) -> None:
        self.base = base
        super().__init__(name=f"Slope({base})")


@register_model(Slope)
class _Parts(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("value", fe_type.base), ("slope", fe_type.base)])


def is_slope(typ: types.Type) -> bool:
    """Whether a type is that of a number with a slope."""
    return isinstance(typ, Slope)


@intrinsic
def _join(typingctx, value, slope):
    """A number of two parts of one type."""
    typ = Slope(value)

    def codegen(context, builder, sig, args):
        out = cgutils.create_struct_proxy(typ)(context, builder)
        out.value, out.slope = args
        return out._getvalue()

    return typ(value, value), codegen


def _part(name: str):
    @intrinsic
    def part(typingctx, a):
        """One part of a number with a slope."""

        def codegen(context, builder, sig, args):
            return getattr(cgutils.create_struct_proxy(a)(context, builder, value=args[0]), name)

        return a.base(a), codegen

    return part


value, slope = _part("value"), _part("slope")


@compiled_as(numbers.with_slope)
def _with_slope(a, b):
    return lambda a, b: _join(a, b)


@compiled_as(numbers.value_part)
def _value_part(a):
    return (lambda a: value(a)) if is_slope(a) else (lambda a: a)


@compiled_as(numbers.slope_part)
def _slope_part(a):
    return lambda a: slope(a)


@compiled_as(operator.add)
def _add(a, b):
    if is_slope(a) and is_slope(b):
        return lambda a, b: _join(value(a) + value(b), slope(a) + slope(b))
    if is_slope(a):
        return lambda a, b: _join(value(a) + b, slope(a))
    if is_slope(b):
        return lambda a, b: _join(a + value(b), slope(b))
    return None


@compiled_as(operator.sub)
def _subtract(a, b):
    if is_slope(a) and is_slope(b):
        return lambda a, b: _join(value(a) - value(b), slope(a) - slope(b))
    if is_slope(a):
        return lambda a, b: _join(value(a) - b, slope(a))
    if is_slope(b):
        return lambda a, b: _join(a - value(b), -slope(b))
    return None


@compiled_as(operator.mul)
def _multiply(a, b):
    if is_slope(a) and is_slope(b):
        return lambda a, b: _join(value(a) * value(b), slope(a) * value(b) + value(a) * slope(b))
    if is_slope(a):
        return lambda a, b: _join(value(a) * b, slope(a) * b)
    if is_slope(b):
        return lambda a, b: _join(a * value(b), a * slope(b))
    return None


@compiled_as(operator.truediv)
def _divide(a, b):
    if is_slope(a) and is_slope(b):

        def both(a, b):
            ratio = value(a) / value(b)
            return _join(ratio, (slope(a) - ratio * slope(b)) / value(b))

        return both
    if is_slope(a):
        return lambda a, b: _join(value(a) / b, slope(a) / b)
    if is_slope(b):

        def under(a, b):
            ratio = a / value(b)
            return _join(ratio, -(ratio * slope(b)) / value(b))

        return under
    return None


@compiled_as(operator.neg)
def _negate(a):
    return (lambda a: _join(-value(a), -slope(a))) if is_slope(a) else None
