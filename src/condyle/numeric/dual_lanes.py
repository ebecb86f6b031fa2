"""Dual numbers side by side: a compiler type of two SIMD registers, values and their derivatives.

Every lane has one direction of its own, so eight derivatives of one state, or one of each of eight states, are one run
of a kernel. A number stands in scratch as the values of all lanes, then their derivatives.
"""

# pyright: reportOptionalCall=false, reportCallIssue=false
# (numba's decorators are declared to return nothing; intrinsics are called without their typing context)

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion  # pyright: ignore[reportPrivateImportUsage]
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    lower_cast,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from .lanes import FLAGS, VECTOR, WIDTH, Lane, as_lane, lane
from .number_types import DualZero


class DualLane(types.Type):
    """Values and derivatives of eight states."""

    def __init__(self):
        super().__init__(name=f"DualLane{WIDTH}")

    def can_convert_from(self, typingctx, other):
        """Lanes are constants."""
        return Conversion.promote if other == lane else None


dual = DualLane()


@register_model(DualLane)
class _Parts(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("value", lane), ("slope", lane)])


def _zero():
    return ir.Constant(VECTOR, [0.0] * WIDTH)


def _made(context, builder, value, slope):
    """A dual number of two registers."""
    out = cgutils.create_struct_proxy(dual)(context, builder)
    out.value, out.slope = value, slope
    return out._getvalue()


def _parts(context, builder, value, typ):
    """Value and derivative of a dual number, or of a constant."""
    if typ == dual:
        found = cgutils.create_struct_proxy(dual)(context, builder, value=value)
        return found.value, found.slope
    return as_lane(context, builder, value, typ), None


@typeof_impl.register(DualZero)
def _typeof_dual_zero(value, context):
    return dual


@unbox(DualLane)
def _unbox_dual_zero(typ, value, context):
    return NativeValue(_made(context.context, context.builder, _zero(), _zero()))


@lower_cast(Lane, DualLane)
def _constant(context, builder, fromty, toty, value):
    return _made(context, builder, value, _zero())


def _sum(builder, a, b, name):
    """The derivative of a sum or a difference; None is 0."""
    if b is None:
        return a
    if a is None:
        return b if name == "fadd" else builder.fneg(b, flags=FLAGS)
    return getattr(builder, name)(a, b, flags=FLAGS)


def _add(builder, a, b):
    return builder.fadd(a[0], b[0], flags=FLAGS), _sum(builder, a[1], b[1], "fadd")


def _subtract(builder, a, b):
    return builder.fsub(a[0], b[0], flags=FLAGS), _sum(builder, a[1], b[1], "fsub")


def _multiply(builder, a, b):
    first = None if b[1] is None else builder.fmul(a[0], b[1], flags=FLAGS)
    second = None if a[1] is None else builder.fmul(a[1], b[0], flags=FLAGS)
    return builder.fmul(a[0], b[0], flags=FLAGS), _sum(builder, first, second, "fadd")


def _divide(builder, a, b):
    ratio = builder.fdiv(a[0], b[0], flags=FLAGS)
    change = None if b[1] is None else builder.fmul(ratio, b[1], flags=FLAGS)
    return ratio, builder.fdiv(_sum(builder, a[1], change, "fsub"), b[0], flags=FLAGS)


OTHERS = (lane, types.float64, types.int64)
PAIRS = ((dual, dual), *((dual, x) for x in OTHERS), *((x, dual) for x in OTHERS))


def _register_arithmetic(op, rule):
    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            """Of two numbers, of which one is dual."""
            if len(args) != 2 or dual not in args:
                return None
            kinds = [types.int64 if isinstance(x, types.Integer) else types.unliteral(x) for x in args]
            return signature(dual, *kinds) if tuple(kinds) in PAIRS else None

    def lower(context, builder, sig, args):
        pair = [_parts(context, builder, value, typ) for value, typ in zip(args, sig.args, strict=True)]
        return _made(context, builder, *rule(builder, *pair))

    for a, b in PAIRS:
        lower_builtin(op, a, b)(lower)


for _op, _rule in (
    (operator.add, _add),
    (operator.sub, _subtract),
    (operator.mul, _multiply),
    (operator.truediv, _divide),
):
    _register_arithmetic(_op, _rule)


@infer_global(operator.neg)
class _Negate(AbstractTemplate):
    def generic(self, args, kws):
        """Of a dual number."""
        return signature(dual, dual) if args == (dual,) else None


@lower_builtin(operator.neg, dual)
def _negate(context, builder, sig, args):
    return _made(context, builder, *(builder.fneg(x, flags=FLAGS) for x in _parts(context, builder, args[0], dual)))


@intrinsic
def made(typingctx, value, slope):
    """A dual number of values and derivatives."""

    def codegen(context, builder, sig, args):
        return _made(context, builder, *args)

    return dual(lane, lane), codegen


@intrinsic
def value_of(typingctx, a):
    """The values of a dual number, or a constant as lanes."""

    def codegen(context, builder, sig, args):
        return _parts(context, builder, args[0], sig.args[0])[0]

    return lane(a), codegen


@intrinsic
def slope_of(typingctx, a):
    """The derivatives of a dual number; 0 of a constant."""

    def codegen(context, builder, sig, args):
        slope = _parts(context, builder, args[0], sig.args[0])[1]
        return _zero() if slope is None else slope

    return lane(a), codegen
