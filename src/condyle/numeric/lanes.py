"""Numbers that are several states side by side: a compiler type whose value is one SIMD register.

`Lane` is `<WIDTH x double>`, `Mask` its comparisons, `Index` one table index per lane. Arithmetic is registered for
the operators, everything else for the functions of `numbers`. Values live in registers, so aliasing never stops
vectorisation.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from .number_types import LANE_WIDTH, LaneZero
from .pointers import address, loaded

WIDTH = LANE_WIDTH
FLAGS = ("contract", "nsz", "arcp")  # the other fast-math flags delete NaN checks and break range reduction
DOUBLE, INT = ir.DoubleType(), ir.IntType(64)
VECTOR, INDEX, MASK = ir.VectorType(DOUBLE, WIDTH), ir.VectorType(INT, WIDTH), ir.VectorType(ir.IntType(1), WIDTH)
QUAD = ir.VectorType(DOUBLE, 4)


class Lane(types.Type):
    def __init__(self):
        super().__init__(name=f"Lane{WIDTH}")


class Mask(types.Type):
    def __init__(self):
        super().__init__(name=f"Mask{WIDTH}")


class Index(types.Type):
    def __init__(self):
        super().__init__(name=f"Index{WIDTH}")


lane, mask, index = Lane(), Mask(), Index()


def _register(kind, llvm_type):
    @register_model(kind)
    class Model(models.PrimitiveModel):
        def __init__(self, manager, fe_type):
            super().__init__(manager, fe_type, llvm_type)


for _kind, _llvm in ((Lane, VECTOR), (Mask, MASK), (Index, INDEX)):
    _register(_kind, _llvm)


@typeof_impl.register(LaneZero)
def _typeof_lane_zero(value, context):
    return lane


@unbox(Lane)
def _unbox_lane_zero(typ, value, context):
    return NativeValue(ir.Constant(VECTOR, [0.0] * WIDTH))


def splat(builder, scalar, vector_type=VECTOR):
    """The same scalar in every lane."""
    one = builder.insert_element(ir.Constant(vector_type, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector_type.count), [0] * vector_type.count)
    return builder.shuffle_vector(one, ir.Constant(vector_type, ir.Undefined), zeros)


def as_lane(context, builder, value, typ):
    """A lane from a lane, a float or an integer."""
    if typ == lane:
        return value
    return splat(builder, context.cast(builder, value, typ, types.float64))


_ARITHMETIC = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_PAIRS = ((lane, lane), (lane, types.float64), (types.float64, lane), (lane, types.int64), (types.int64, lane))


def _register_arithmetic(op, name):
    @infer_global(op)
    class Template(ConcreteTemplate):
        cases = [signature(lane, a, b) for a, b in _PAIRS]  # noqa: RUF012

    def lower(context, builder, sig, args):
        a, b = (as_lane(context, builder, value, typ) for value, typ in zip(args, sig.args, strict=True))
        return getattr(builder, name)(a, b, flags=FLAGS)

    for a, b in _PAIRS:
        lower_builtin(op, a, b)(lower)


for _op, _name in _ARITHMETIC.items():
    _register_arithmetic(_op, _name)


@infer_global(operator.neg)
class _Negate(ConcreteTemplate):
    cases = [signature(lane, lane)]  # noqa: RUF012


@lower_builtin(operator.neg, lane)
def _negate(context, builder, sig, args):
    return builder.fneg(args[0], flags=FLAGS)


@infer_global(operator.or_)
class _Or(ConcreteTemplate):
    cases = [signature(mask, mask, mask)]  # noqa: RUF012


@lower_builtin(operator.or_, mask, mask)
def _or(context, builder, sig, args):
    return builder.or_(*args)


@intrinsic
def load_lane(typingctx, x, k):
    """Lane k of an interleaved array."""

    def codegen(context, builder, sig, args):
        position = builder.mul(args[1], ir.Constant(INT, WIDTH))
        pointer = builder.bitcast(address(context, builder, sig.args[0], args[0], position), VECTOR.as_pointer())
        return builder.load(pointer, align=8)

    return lane(x, types.int64), codegen


@intrinsic
def store_lane(typingctx, x, k, value):
    """Put lane k into an interleaved array."""
    if value != lane:
        return None

    def codegen(context, builder, sig, args):
        position = builder.mul(args[1], ir.Constant(INT, WIDTH))
        pointer = builder.bitcast(address(context, builder, sig.args[0], args[0], position), VECTOR.as_pointer())
        builder.store(args[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(x, types.int64, lane), codegen


@intrinsic
def splat_lane(typingctx, value):
    """A float in every lane."""

    def codegen(context, builder, sig, args):
        return splat(builder, args[0])

    return lane(types.float64), codegen


@intrinsic
def less_lane(typingctx, a, b):
    """Lane by lane, a < b; false where either is NaN."""

    def codegen(context, builder, sig, args):
        x, y = (as_lane(context, builder, value, typ) for value, typ in zip(args, sig.args, strict=True))
        return builder.fcmp_ordered("<", x, y)

    return mask(a, b), codegen


@intrinsic
def select_lane(typingctx, condition, a, b):
    """Lane by lane, a where the condition holds, else b."""

    def codegen(context, builder, sig, args):
        x, y = (as_lane(context, builder, value, typ) for value, typ in zip(args[1:], sig.args[1:], strict=True))
        return builder.select(args[0], x, y)

    return lane(condition, a, b), codegen


@intrinsic
def any_lane(typingctx, condition):
    """Whether any lane of a mask is set."""

    def codegen(context, builder, sig, args):
        bits = builder.bitcast(args[0], ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(WIDTH), 0))

    return types.boolean(mask), codegen


def _unary(name):
    @intrinsic
    def apply(typingctx, a):
        def codegen(context, builder, sig, args):
            kind = ir.FunctionType(VECTOR, [VECTOR])
            function = cgutils.get_or_insert_function(builder.module, kind, f"{name}.v{WIDTH}f64")
            return builder.call(function, [args[0]])

        return lane(lane), codegen

    return apply


sqrt_lane, floor_lane, abs_lane = _unary("llvm.sqrt"), _unary("llvm.floor"), _unary("llvm.fabs")


@intrinsic
def extract_lane(typingctx, a, l):
    """The number in lane l."""

    def codegen(context, builder, sig, args):
        return builder.extract_element(args[0], args[1])

    return types.float64(lane, types.int64), codegen


@intrinsic
def insert_lane(typingctx, a, value, l):
    """A copy with another number in lane l."""

    def codegen(context, builder, sig, args):
        return builder.insert_element(*args)

    return lane(lane, types.float64, types.int64), codegen


@intrinsic
def quadrant_lane(typingctx, t, s, c):
    """Sine and cosine from those of the reduced angle; the quadrant is in the low bits of t."""

    def codegen(context, builder, sig, args):
        bits, s, c = builder.bitcast(args[0], INDEX), args[1], args[2]
        one, two, high = (ir.Constant(INDEX, [n] * WIDTH) for n in (1, 2, -(2**63)))
        zero = ir.Constant(INDEX, [0] * WIDTH)
        odd = builder.icmp_signed("!=", builder.and_(bits, one), zero)
        shift = ir.Constant(INDEX, [62] * WIDTH)
        sine_sign = builder.and_(builder.shl(builder.and_(bits, two), shift), high)
        cosine_sign = builder.and_(builder.shl(builder.and_(builder.add(bits, one), two), shift), high)

        def signed(value, sign):
            return builder.bitcast(builder.xor(builder.bitcast(value, INDEX), sign), VECTOR)

        pair = signed(builder.select(odd, c, s), sine_sign), signed(builder.select(odd, s, c), cosine_sign)
        return context.make_tuple(builder, sig.return_type, pair)

    return types.UniTuple(lane, 2)(lane, lane, lane), codegen


@intrinsic
def row_start_lane(typingctx, span, stride, offset):
    """offset + span · stride, lane by lane; the offset may be an index or an integer."""

    def codegen(context, builder, sig, args):
        base = args[2] if sig.args[2] == index else splat(builder, args[2], INDEX)
        return builder.add(base, builder.mul(args[0], splat(builder, args[1], INDEX)))

    base_type = index if offset == index else types.int64
    return index(index, types.int64, base_type), codegen


@intrinsic
def gather_lane(typingctx, table, start, k):
    """table[start + k] in every lane."""

    def codegen(context, builder, sig, args):
        out = ir.Constant(VECTOR, ir.Undefined)
        for l in range(WIDTH):
            at = ir.Constant(ir.IntType(32), l)
            position = builder.add(builder.extract_element(args[1], at), args[2])
            number = loaded(context, builder, sig.args[0], address(context, builder, sig.args[0], args[0], position))
            out = builder.insert_element(out, number, at)
        return out

    return lane(table, index, types.int64), codegen


def positions(numbers):
    """Which elements a shuffle takes."""
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), list(numbers))


def _transpose4(builder, rows):
    """Four rows of four neighbours to four vectors of one element each."""
    a, b, c, d = rows
    ab, cd = (builder.shuffle_vector(x, y, positions((0, 4, 2, 6))) for x, y in ((a, b), (c, d)))
    ef, gh = (builder.shuffle_vector(x, y, positions((1, 5, 3, 7))) for x, y in ((a, b), (c, d)))
    low, high = positions((0, 1, 4, 5)), positions((2, 3, 6, 7))
    return (
        builder.shuffle_vector(ab, cd, low),
        builder.shuffle_vector(ef, gh, low),
        builder.shuffle_vector(ab, cd, high),
        builder.shuffle_vector(ef, gh, high),
    )


@intrinsic
def gather4_lane(typingctx, table, start, k):
    """Four neighbours table[start + k …] in every lane: vector loads and a transposition."""

    def codegen(context, builder, sig, args):
        rows = []
        for l in range(WIDTH):
            position = builder.add(builder.extract_element(args[1], ir.Constant(ir.IntType(32), l)), args[2])
            pointer = address(context, builder, sig.args[0], args[0], position)
            rows.append(builder.load(builder.bitcast(pointer, QUAD.as_pointer()), align=8))
        blocks = [_transpose4(builder, rows[i : i + 4]) for i in range(0, WIDTH, 4)]
        out = list(blocks[0])
        for block in blocks[1:]:
            joined = positions(range(out[0].type.count + 4))
            out = [builder.shuffle_vector(x, y, joined) for x, y in zip(out, block, strict=True)]
        return context.make_tuple(builder, sig.return_type, out)

    return types.UniTuple(lane, 4)(table, index, types.int64), codegen
