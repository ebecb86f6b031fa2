"""Tables of numbers that differ from state to state: number k of lane l stands at x[k · width + l].

Where a kernel reads one number of a table that all states share, it reads a lane of such a table; the kernel is the
same. Breakpoints are shared by all states: they are looked up in the first lane.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from .lanes import DOUBLE, INDEX, INT, VECTOR, WIDTH, index, lane, splat


class LaneTable(types.Type):
    """The address of lanes that do not change."""

    def __init__(self):
        super().__init__(name=f"LaneTable{WIDTH}")


class FirstLane(types.Type):
    """The same address, for the numbers of the first lane."""

    def __init__(self):
        super().__init__(name=f"FirstLane{WIDTH}")


class _Address(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, DOUBLE.as_pointer())


register_model(LaneTable)(_Address)
register_model(FirstLane)(_Address)
lane_table_type, first_lane_type = LaneTable(), FirstLane()


@intrinsic
def lane_table(typingctx, x):
    """The numbers of an array (numbers, lanes) that the caller of an entry keeps."""

    def codegen(context, builder, sig, args):
        return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).data

    return lane_table_type(x), codegen


@intrinsic
def first_lane(typingctx, x):
    """Numbers of the first lane."""
    return first_lane_type(x), lambda context, builder, sig, args: args[0]


def _unchanging(builder, value):
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _at(builder, table, position):
    return builder.gep(table, [builder.mul(position, ir.Constant(INT, WIDTH))], inbounds=True)


def _read_lane(context, builder, sig, args):
    pointer = builder.bitcast(_at(builder, *args), VECTOR.as_pointer())
    return _unchanging(builder, builder.load(pointer, align=8))


def _read_first(context, builder, sig, args):
    return _unchanging(builder, builder.load(_at(builder, *args)))


@intrinsic
def read_lane(typingctx, x, k):
    """Lane k."""
    return lane(x, types.int64), _read_lane


@intrinsic
def gather_own(typingctx, table, start, k):
    """Number start + k of every lane, with a start of its own."""

    def codegen(context, builder, sig, args):
        out = ir.Constant(VECTOR, ir.Undefined)
        for l in range(WIDTH):
            at = ir.Constant(ir.IntType(32), l)
            position = builder.add(builder.extract_element(args[1], at), args[2])
            pointer = builder.gep(_at(builder, args[0], position), [ir.Constant(INT, l)], inbounds=True)
            out = builder.insert_element(out, _unchanging(builder, builder.load(pointer)), at)
        return out

    return lane(table, index, types.int64), codegen


@intrinsic
def shared_index(typingctx, start):
    """The index of all lanes if they have the same, else −1."""

    def codegen(context, builder, sig, args):
        first = builder.extract_element(args[0], ir.Constant(ir.IntType(32), 0))
        other = builder.icmp_signed("!=", args[0], splat(builder, first, INDEX))
        bits = builder.bitcast(other, ir.IntType(WIDTH))
        same = builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(WIDTH), 0))
        return builder.select(same, first, ir.Constant(INT, -1))

    return types.int64(index), codegen


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        results = {LaneTable: lane, FirstLane: types.float64}
        if type(args[0]) in results and isinstance(args[1], types.Integer):
            return signature(results[type(args[0])], args[0], types.int64)
        return None


lower_builtin(operator.getitem, LaneTable, types.int64)(_read_lane)
lower_builtin(operator.getitem, FirstLane, types.int64)(_read_first)
