"""Rows of an array to interleaved numbers and back, by squares of as many numbers as there are lanes."""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .lanes import FLAGS, INT, VECTOR, WIDTH, positions, splat
from .number_types import LARGE
from .pointers import address


def _transpose(builder, rows):
    """WIDTH vectors as the columns of a square."""
    step = 1
    while step < WIDTH:
        low = positions([k if not k & step else WIDTH + k - step for k in range(WIDTH)])
        high = positions([k + step if not k & step else WIDTH + k for k in range(WIDTH)])
        for i in range(WIDTH):
            if not i & step:
                a, b = rows[i], rows[i + step]
                rows[i], rows[i + step] = builder.shuffle_vector(a, b, low), builder.shuffle_vector(a, b, high)
        step *= 2
    return rows


LINE = 64  # bytes of a line of the cache


def _store_all(builder, rows: list, places: list, align: int, past_the_cache: bool = False) -> None:
    """Store rows; past the cache, lines of memory need not be read before they are written over.

    Other threads see such numbers after the next lock, and every call takes the interpreter's when it ends.
    """
    for row, place in zip(rows, places, strict=True):
        stored = builder.store(row, builder.inttoptr(place, VECTOR.as_pointer()), align=align)
        if past_the_cache:
            stored.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))


def _row_places(context, builder, kind, array, row, column):
    """The array, its stride and the addresses of a column of it in WIDTH rows."""
    array = cgutils.create_struct_proxy(kind)(context, builder, value=array)
    stride, eight = builder.extract_value(array.strides, 0), ir.Constant(INT, 8)
    ahead = builder.add(builder.mul(row, stride), builder.mul(column, eight))
    base = builder.add(builder.ptrtoint(array.data, INT), ahead)
    return array, stride, [builder.add(base, builder.mul(stride, ir.Constant(INT, l))) for l in range(WIDTH)]


@intrinsic
def expect_rows(typingctx, out, row, column):
    """Ask for the lines of memory at a column of WIDTH rows, to be written to."""

    def codegen(context, builder, sig, args):
        _, _, places = _row_places(context, builder, sig.args[0], *args)
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        ask = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
        write, near, data = (ir.Constant(flag, x) for x in (1, 3, 1))
        for place in places:
            builder.call(ask, [builder.inttoptr(place, byte), write, near, data])
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), codegen


@intrinsic
def load_rows(typingctx, rows, row, column, x, at):
    """WIDTH numbers of a row of an array for each lane, from `column` on, into an interleaved array."""

    def codegen(context, builder, sig, args):
        _, _, places = _row_places(context, builder, sig.args[0], *args[:3])
        loads = [builder.load(builder.inttoptr(place, VECTOR.as_pointer()), align=8) for place in places]
        first = builder.mul(args[4], ir.Constant(INT, WIDTH))
        start = builder.bitcast(address(context, builder, sig.args[3], args[3], first), VECTOR.as_pointer())
        for k, numbers in enumerate(_transpose(builder, loads)):
            builder.store(numbers, builder.gep(start, [ir.Constant(INT, k)]), align=8)
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64, x, types.int64), codegen


@intrinsic
def store_rows(typingctx, x, at, factor, out, row, column):
    """WIDTH numbers of an interleaved array, from `at` on, times a factor into a row of an array for each lane."""

    def codegen(context, builder, sig, args):
        first = builder.mul(args[1], ir.Constant(INT, WIDTH))
        start = builder.bitcast(address(context, builder, sig.args[0], args[0], first), VECTOR.as_pointer())
        factor, places = splat(builder, args[2]), [builder.gep(start, [ir.Constant(INT, k)]) for k in range(WIDTH)]
        numbers = [builder.fmul(factor, builder.load(place, align=8), flags=FLAGS) for place in places]
        array, stride, places = _row_places(context, builder, sig.args[3], *args[3:])
        rows = _transpose(builder, numbers)
        lines = builder.and_(builder.or_(places[0], stride), ir.Constant(INT, LINE - 1))
        large = builder.icmp_unsigned(">=", array.nitems, ir.Constant(INT, LARGE // 8))
        past = builder.and_(large, builder.icmp_unsigned("==", lines, ir.Constant(INT, 0)))
        with builder.if_else(past) as (beside, through):
            with beside:
                _store_all(builder, rows, places, LINE, past_the_cache=True)
            with through:
                _store_all(builder, rows, places, 8)
        return context.get_dummy_value()

    return types.void(x, types.int64, types.float64, out, types.int64, types.int64), codegen
